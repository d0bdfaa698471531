//! The judge: which rules a grid breaks, and what is a solution of what.
//!
//! Slow and obvious on purpose. Every answer in every test passes through here, so
//! it shares nothing with the solver but the grid.

use crate::grid::{Cell, Digit, DigitSet, Grid, Unit};

/// A digit that stands more than once in a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The unit.
    pub unit: Unit,
    /// The digit.
    pub digit: Digit,
    /// All cells of the unit that hold the digit, two or more, ascending.
    pub cells: Vec<Cell>,
}

/// Every conflict in `grid`: one for each unit and digit, rows before columns before
/// boxes.
///
/// ```
/// use sudoku_service::grid::{Cell, Grid, Unit};
/// use sudoku_service::rules;
///
/// let grid: Grid = format!("5.5{}", ".".repeat(78)).parse()?;
/// let conflicts = rules::conflicts(&grid);
/// assert_eq!(conflicts.len(), 2); // in row 1 and in box 1
/// assert_eq!(conflicts[0].unit, Unit::Row(0));
/// assert_eq!(conflicts[0].cells, [Cell::at(0, 0), Cell::at(0, 2)]);
/// # Ok::<(), sudoku_service::grid::ParseGridError>(())
/// ```
#[must_use]
pub fn conflicts(grid: &Grid) -> Vec<Conflict> {
    let mut conflicts = Vec::new();
    for unit in Unit::all() {
        for digit in Digit::all() {
            let holds_digit = |cell: &Cell| grid.get(*cell) == Some(digit);
            let cells: Vec<Cell> = unit.cells().filter(holds_digit).collect();
            if cells.len() > 1 {
                conflicts.push(Conflict { unit, digit, cells });
            }
        }
    }
    conflicts
}

/// Whether every unit of `grid` holds each digit once.
#[must_use]
pub fn is_solved(grid: &Grid) -> bool {
    Unit::all().all(|unit| {
        let digits: DigitSet = unit.cells().filter_map(|cell| grid.get(cell)).collect();
        digits == DigitSet::ALL
    })
}

/// Whether `solution` is solved and keeps every given of `puzzle`.
#[must_use]
pub fn is_solution_of(solution: &Grid, puzzle: &Grid) -> bool {
    let keeps_given = |cell| match puzzle.get(cell) {
        Some(given) => solution.get(cell) == Some(given),
        None => true,
    };
    is_solved(solution) && Cell::all().all(keeps_given)
}

/// The cells where `puzzle` has a given and `grid` has another digit or none, ascending.
#[must_use]
pub fn changed_givens(grid: &Grid, puzzle: &Grid) -> Vec<Cell> {
    let is_changed =
        |cell: &Cell| puzzle.get(*cell).is_some() && grid.get(*cell) != puzzle.get(*cell);
    Cell::all().filter(is_changed).collect()
}

/// The cells that are no givens of `puzzle` and hold a digit other than that of its
/// `solution`, ascending.
#[must_use]
pub fn wrong_cells(grid: &Grid, puzzle: &Grid, solution: &Grid) -> Vec<Cell> {
    let is_wrong = |cell: &Cell| {
        puzzle.get(*cell).is_none()
            && grid.get(*cell).is_some()
            && grid.get(*cell) != solution.get(*cell)
    };
    Cell::all().filter(is_wrong).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLVED: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn grid(text: &str) -> Grid {
        text.parse().expect("a grid")
    }

    fn with(text: &str, cell: Cell, value: u8) -> Grid {
        let mut grid = grid(text);
        grid.set(cell, Digit::new(value));
        grid
    }

    #[test]
    fn a_solved_grid_has_no_conflict() {
        assert!(is_solved(&grid(SOLVED)));
        assert_eq!(conflicts(&grid(SOLVED)), []);
    }

    #[test]
    fn one_wrong_digit_conflicts_in_all_three_units() {
        // r1c1 becomes 3, which stands at r1c2 (row and box) and at r9c1 (column).
        let wrong = with(SOLVED, Cell::at(0, 0), 3);
        let three = Digit::new(3).expect("a digit");
        let conflict = |unit, cells: [(usize, usize); 2]| Conflict {
            unit,
            digit: three,
            cells: cells.map(|(r, c)| Cell::at(r, c)).to_vec(),
        };
        assert!(!is_solved(&wrong));
        assert_eq!(
            conflicts(&wrong),
            [
                conflict(Unit::Row(0), [(0, 0), (0, 1)]),
                conflict(Unit::Column(0), [(0, 0), (8, 0)]),
                conflict(Unit::Box(0), [(0, 0), (0, 1)]),
            ]
        );
    }

    #[test]
    fn blanks_never_conflict_and_never_solve() {
        assert_eq!(conflicts(&Grid::BLANK), []);
        assert!(!is_solved(&Grid::BLANK));
        assert!(!is_solved(&with(SOLVED, Cell::at(8, 8), 0)));
    }

    #[test]
    fn a_solution_keeps_the_givens() {
        let solution = grid(SOLVED);
        assert!(is_solution_of(&solution, &Grid::BLANK));
        assert!(is_solution_of(&solution, &with(SOLVED, Cell::at(4, 4), 0)));
        assert!(!is_solution_of(&solution, &with(SOLVED, Cell::at(4, 4), 1)));
    }

    #[test]
    fn changes_and_mistakes_are_told_apart() {
        let solution = grid(SOLVED);
        let mut puzzle = with(SOLVED, Cell::at(0, 0), 0);
        puzzle.set(Cell::at(8, 8), None);
        let mut draft = puzzle;
        draft.set(Cell::at(0, 0), Digit::new(9));
        draft.set(Cell::at(0, 1), Digit::new(9));
        draft.set(Cell::at(0, 2), None);
        assert_eq!(
            changed_givens(&draft, &puzzle),
            [Cell::at(0, 1), Cell::at(0, 2)]
        );
        assert_eq!(wrong_cells(&draft, &puzzle, &solution), [Cell::at(0, 0)]);
    }
}
