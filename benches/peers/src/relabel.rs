//! Puzzles in other clothes, so that no solver profits from how a set was made.

use sudoku_service::grid::Grid;

#[path = "../../../tests/solver/boards/random.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod random;

use random::Random;

/// A seeded source of transformations that break no rule.
pub(crate) struct Relabelling(Random);

impl Relabelling {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    /// Renames the digits, moves bands, stacks and the lines in them, and perhaps turns
    /// the grid over.
    pub(crate) fn of(&mut self, grid: &Grid) -> Grid {
        let names: [usize; 9] = self.0.order();
        let (rows, columns) = (self.lines(), self.lines());
        let turned = self.0.coin();
        let values = std::array::from_fn(|cell| {
            let (row, column) = (rows[cell / 9], columns[cell % 9]);
            let from = if turned {
                9 * column + row
            } else {
                9 * row + column
            };
            match grid.values()[from] {
                0 => 0,
                digit => names[usize::from(digit) - 1] as u8 + 1,
            }
        });
        Grid::from_values(values).expect("the same digits by other names")
    }

    /// An order of the nine rows, or columns, that keeps threes together.
    fn lines(&mut self) -> [usize; 9] {
        let bands: [usize; 3] = self.0.order();
        let within: [[usize; 3]; 3] = std::array::from_fn(|_| self.0.order());
        std::array::from_fn(|line| 3 * bands[line / 3] + within[line / 3][line % 3])
    }
}
