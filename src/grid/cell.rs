//! The place of a cell, and the units it lies in.

use std::fmt;

/// One of the 81 cells of a grid.
///
/// Cells are ordered row by row from the top left.
///
/// ```
/// use sudoku_service::grid::Cell;
///
/// let centre = Cell::at(4, 4);
/// assert_eq!(centre.index(), 40);
/// assert_eq!(centre.box_index(), 4);
/// assert_eq!(centre.to_string(), "r5c5");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The number of cells in a grid.
    pub const COUNT: usize = 81;

    /// The cell in row `row` and column `column`, both 0 to 8.
    ///
    /// # Panics
    ///
    /// If `row` or `column` is above 8.
    #[must_use]
    pub const fn at(row: usize, column: usize) -> Self {
        assert!(row < 9 && column < 9, "rows and columns are 0 to 8");
        Self((9 * row + column) as u8)
    }

    /// All cells, row by row.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..81).map(Self)
    }

    /// The place in row-major order, 0 to 80.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row, 0 to 8 from the top.
    #[must_use]
    pub const fn row(self) -> usize {
        self.index() / 9
    }

    /// The column, 0 to 8 from the left.
    #[must_use]
    pub const fn column(self) -> usize {
        self.index() % 9
    }

    /// The box, 0 to 8, left to right, then down.
    #[must_use]
    pub const fn box_index(self) -> usize {
        self.row() / 3 * 3 + self.column() / 3
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row() + 1, self.column() + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A row, column or box: nine cells that hold each digit once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// The row with this index, 0 to 8 from the top.
    Row(usize),
    /// The column with this index, 0 to 8 from the left.
    Column(usize),
    /// The box with this index, 0 to 8, left to right, then down.
    Box(usize),
}

impl Unit {
    /// The 27 units: rows, then columns, then boxes.
    pub fn all() -> impl Iterator<Item = Self> {
        let rows = (0..9).map(Self::Row);
        rows.chain((0..9).map(Self::Column))
            .chain((0..9).map(Self::Box))
    }

    /// The nine cells of this unit, in ascending order.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (0..9).map(move |k| match self {
            Self::Row(row) => Cell::at(row, k),
            Self::Column(column) => Cell::at(k, column),
            Self::Box(b) => Cell::at(b / 3 * 3 + k / 3, b % 3 * 3 + k % 3),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_lies_in_the_three_units_it_names() {
        for cell in Cell::all() {
            let own = [
                Unit::Row(cell.row()),
                Unit::Column(cell.column()),
                Unit::Box(cell.box_index()),
            ];
            let holding: Vec<Unit> = Unit::all()
                .filter(|u| u.cells().any(|c| c == cell))
                .collect();
            assert_eq!(holding, own, "{cell}");
        }
    }
}
