//! Grids: 81 cells with a digit or nothing in each, read from text and printed.
//!
//! A [`Grid`] is always well formed, so nothing that takes one checks its cells
//! again. Whether it keeps the rules is the business of [`rules`](crate::rules).

mod cell;
mod digit;
mod text;

pub use cell::{Cell, Unit};
pub use digit::{Digit, DigitSet};
pub use text::{MAX_TEXT_LENGTH, ParseGridError, RefusedCharacter};

use std::fmt;
use std::ops::Index;

/// 81 cells, each with a digit or blank.
///
/// Grids are ordered like their texts: row-major, blank before 1 before 9.
///
/// ```
/// use sudoku_service::grid::{Cell, Grid};
///
/// let grid: Grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
///     .parse()?;
/// assert_eq!(grid.filled(), 30);
/// assert_eq!(grid.get(Cell::at(0, 2)), None);
/// # Ok::<(), sudoku_service::grid::ParseGridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid {
    /// One value a cell in row-major order: 0 for a blank, else the digit.
    values: [u8; 81],
}

impl Grid {
    /// The grid without a digit.
    pub const BLANK: Self = Self { values: [0; 81] };

    /// The grid with these 81 values in row-major order, 0 for a blank, or nothing
    /// if one of them is above 9.
    #[must_use]
    pub fn from_values(values: [u8; 81]) -> Option<Self> {
        // Without an early end, so that the compiler can look at many values at once:
        // every answer of an engine comes through here.
        let greatest = values.iter().fold(0, |greatest, &v| v.max(greatest));
        (greatest <= 9).then_some(Self { values })
    }

    /// The 81 values in row-major order: 0 for a blank, else 1 to 9.
    #[must_use]
    pub const fn values(&self) -> &[u8; 81] {
        &self.values
    }

    /// The digit in `cell`.
    #[must_use]
    pub const fn get(&self, cell: Cell) -> Option<Digit> {
        Digit::new(self.values[cell.index()])
    }

    /// Puts `digit` into `cell`, or blanks it.
    pub fn set(&mut self, cell: Cell, digit: Option<Digit>) {
        self.values[cell.index()] = digit.map_or(0, Digit::get);
    }

    /// The number of cells that hold a digit, 0 to 81.
    #[must_use]
    pub fn filled(&self) -> usize {
        self.values.iter().filter(|&&v| v != 0).count()
    }

    /// Whether every cell holds a digit.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.filled() == Cell::COUNT
    }
}

impl Index<Cell> for Grid {
    type Output = u8;

    /// The value in `cell`: 0 for a blank, else 1 to 9.
    fn index(&self, cell: Cell) -> &u8 {
        &self.values[cell.index()]
    }
}

impl fmt::Display for Grid {
    /// 81 characters, `.` for a blank.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from(self))
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
