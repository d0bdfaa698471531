//! Where a cell lives: three words a digit, and a bit in the word.
//!
//! A cell is band `k`, row `r` of the band, stack `b`, column `j` of the stack (each 0-2). Its word is `(j + r) % 3` and
//! its bit `9 r + 3 k + b`. So the three cells of a minirow share a bit in three words (the minirows of a digit are the
//! OR of its words), and after turning words 1 and 2 by a slot of nine bits so do the three cells of a minicolumn.
//! The whole board is drawn [here](crate::solver::explained#one-puzzle-its-digits-in-the-lanes).

/// All 27 bits of a word.
pub(crate) const FULL: u32 = (1 << 27) - 1;

/// The word of a row-major cell.
#[must_use]
pub(crate) const fn word(cell: usize) -> usize {
    (cell / 9 % 3 + cell % 3) % 3
}

/// The bit of a row-major cell in its word.
#[must_use]
pub(crate) const fn bit(cell: usize) -> u32 {
    let (row, column) = (cell / 9, cell % 9);
    (9 * (row % 3) + 3 * (row / 3) + column / 3) as u32
}
