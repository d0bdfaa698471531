//! A board: for each digit the cells where it may still stand.

use super::lanes::Lanes;
use super::layout::{FULL, bit, word};

/// The candidates of a whole board, 128 bytes.
///
/// Digits 1-8 have a lane each in three vectors, one a word of the layout; digit 9 has its three words in the lanes of
/// a fourth (the last word twice, and all that once in each half).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Board {
    pub(crate) words: [[u32; 8]; 3],
    pub(crate) nine: [u32; 8],
}

/// A board in registers.
#[derive(Debug)]
pub(crate) struct Loaded<L: Lanes> {
    pub(crate) x: [L::V; 3],
    pub(crate) nine: L::V,
}

#[allow(
    clippy::expl_impl_clone_on_copy,
    reason = "a derived one would ask for `L::V: Debug` and the like"
)]
impl<L: Lanes> Clone for Loaded<L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<L: Lanes> Copy for Loaded<L> {}

impl Board {
    /// Every digit in every cell.
    pub(crate) const EMPTY: Self = Self {
        words: [[FULL; 8]; 3],
        nine: [FULL; 8],
    };

    #[inline(always)]
    pub(crate) fn load<L: Lanes>(&self, l: L) -> Loaded<L> {
        let [x0, x1, x2] = &self.words;
        Loaded {
            x: [l.load(x0), l.load(x1), l.load(x2)],
            nine: l.load(&self.nine),
        }
    }

    #[inline(always)]
    pub(crate) fn store<L: Lanes>(&mut self, l: L, board: Loaded<L>) {
        for (to, x) in self.words.iter_mut().zip(board.x) {
            l.store(x, to);
        }
        l.store(board.nine, &mut self.nine);
    }

    /// The candidates of a row-major cell, bit `d` for digit `d + 1`.
    #[must_use]
    pub(crate) fn candidates(&self, cell: usize) -> u16 {
        (0..9).fold(0, |all, digit| {
            all | u16::from(self.has(cell, digit)) << digit
        })
    }

    /// The first cell with two candidates or more, and its candidates; (81, 0) if there is none.
    #[must_use]
    pub(crate) fn first_open(&self) -> (usize, u16) {
        let twice: [u32; 3] = core::array::from_fn(|word| {
            let eight = self.words[word].into_iter();
            eight
                .fold((self.nine[word], 0), |(once, twice), x| {
                    (once | x, twice | (once & x))
                })
                .1
        });
        for row in 0..9 {
            // The row's cells in each word are three bits side by side.
            let shift = bit(9 * row);
            if (twice[0] | twice[1] | twice[2]) & 0b111 << shift == 0 {
                continue;
            }
            let open = (9 * row..9 * row + 9).find(|&cell| twice[word(cell)] >> bit(cell) & 1 == 1);
            if let Some(cell) = open {
                return (cell, self.candidates(cell));
            }
        }
        (81, 0)
    }

    /// Digit `digit + 1` may stand in the cell.
    #[must_use]
    pub(crate) fn has(&self, cell: usize, digit: usize) -> bool {
        let bits = if digit < 8 {
            self.words[word(cell)][digit]
        } else {
            self.nine[word(cell)]
        };
        bits >> bit(cell) & 1 == 1
    }

    /// Digit `digit + 1` leaves the cell.
    pub(crate) fn remove(&mut self, cell: usize, digit: usize) {
        let (word, gone) = (word(cell), !(1 << bit(cell)));
        if digit < 8 {
            self.words[word][digit] &= gone;
        } else {
            self.nine[word] &= gone;
            self.repeat_nine();
        }
    }

    /// Digit `digit + 1`, a candidate of the cell, has it for itself.
    pub(crate) fn assign(&mut self, cell: usize, digit: usize) {
        let (word, here) = (word(cell), 1 << bit(cell));
        self.words[word] = self.words[word].map(|x| x & !here);
        if digit < 8 {
            self.words[word][digit] |= here;
            self.nine[word] &= !here;
            self.repeat_nine();
        }
    }

    /// The nine's other lanes repeat the first three.
    fn repeat_nine(&mut self) {
        let [x0, x1, x2, ..] = self.nine;
        self.nine = [x0, x1, x2, x2, x0, x1, x2, x2];
    }
}
