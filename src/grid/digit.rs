//! Digits and sets of digits.

use std::fmt;
use std::num::NonZeroU8;
use std::ops::{BitAnd, BitOr, Not};

/// A digit, 1 to 9.
///
/// ```
/// use sudoku_service::grid::Digit;
///
/// assert_eq!(Digit::new(7).map(Digit::get), Some(7));
/// assert_eq!(Digit::new(0), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digit(NonZeroU8);

impl Digit {
    /// The digit `value`, or nothing if that is not 1 to 9.
    #[must_use]
    pub const fn new(value: u8) -> Option<Self> {
        match NonZeroU8::new(value) {
            Some(nonzero) if value <= 9 => Some(Self(nonzero)),
            _ => None,
        }
    }

    /// The digits 1 to 9.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (1..=9).filter_map(Self::new)
    }

    /// The value, 1 to 9.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0.get()
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of digits.
///
/// `|` is union, `&` intersection, `!` complement within 1 to 9.
///
/// ```
/// use sudoku_service::grid::{Digit, DigitSet};
///
/// let odd: DigitSet = Digit::all().filter(|d| d.get() % 2 == 1).collect();
/// assert_eq!(odd.len(), 5);
/// assert_eq!((!odd).to_string(), "2468");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DigitSet(u16);

impl DigitSet {
    /// No digit.
    pub const EMPTY: Self = Self(0);
    /// All nine digits.
    pub const ALL: Self = Self(0x1FF);

    /// Whether `digit` is in the set.
    #[must_use]
    pub const fn contains(self, digit: Digit) -> bool {
        self.0 & Self::bit(digit) != 0
    }

    /// Adds `digit`; tells whether it is new.
    pub const fn insert(&mut self, digit: Digit) -> bool {
        let new = !self.contains(digit);
        self.0 |= Self::bit(digit);
        new
    }

    /// The number of digits, 0 to 9.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no digit.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The digits, ascending.
    pub fn iter(self) -> impl Iterator<Item = Digit> {
        Digit::all().filter(move |&d| self.contains(d))
    }

    const fn bit(digit: Digit) -> u16 {
        1 << (digit.get() - 1)
    }
}

impl From<Digit> for DigitSet {
    fn from(digit: Digit) -> Self {
        Self(Self::bit(digit))
    }
}

impl FromIterator<Digit> for DigitSet {
    fn from_iter<I: IntoIterator<Item = Digit>>(digits: I) -> Self {
        digits
            .into_iter()
            .fold(Self::EMPTY, |set, d| set | d.into())
    }
}

impl BitOr for DigitSet {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for DigitSet {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Not for DigitSet {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

impl fmt::Display for DigitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|d| d.fmt(f))
    }
}

impl fmt::Debug for DigitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(digits: &[u8]) -> DigitSet {
        digits.iter().filter_map(|&d| Digit::new(d)).collect()
    }

    #[test]
    fn digits_are_one_to_nine() {
        let valid: Vec<u8> = (0..=255).filter(|&v| Digit::new(v).is_some()).collect();
        assert_eq!(valid, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert!(Digit::all().map(Digit::get).eq(1..=9));
    }

    #[test]
    fn sets_combine() {
        assert_eq!(set(&[1, 2]) | set(&[2, 9]), set(&[1, 2, 9]));
        assert_eq!(set(&[1, 2]) & set(&[2, 9]), set(&[2]));
        assert_eq!(!set(&[1, 2, 3, 4, 5, 6, 7]), set(&[8, 9]));
        assert_eq!(!DigitSet::EMPTY, DigitSet::ALL);
    }

    #[test]
    fn a_digit_is_new_once() {
        let mut set = DigitSet::EMPTY;
        let nine = Digit::new(9).expect("nine is a digit");
        assert!(set.insert(nine));
        assert!(!set.insert(nine));
        assert_eq!((set.len(), set.is_empty()), (1, false));
    }
}
