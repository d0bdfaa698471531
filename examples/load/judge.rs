//! Whether answers are right: everything that can be told without solving the puzzle.

use sudoku_service::grid::{Grid, Unit};
use sudoku_service::grpc::v1;
use sudoku_service::rules;

use crate::work::Puzzle;

/// Checks an answer of Solve, and of its kin.
///
/// # Errors
///
/// What is wrong with it, in words.
pub(crate) fn solved(puzzle: &Puzzle, answer: &v1::SolveResponse) -> Result<(), &'static str> {
    use v1::{SolveStatus as S, Uniqueness as U};
    let is_clash = answer.status() == S::ConflictingGivens;
    ensure(is_clash || answer.conflicts.is_empty(), "conflicts")?;
    match (answer.status(), answer.uniqueness()) {
        (S::Solved, U::Multiple) => two_solutions(puzzle, answer),
        (S::Solved, U::Unique | U::Unknown) => {
            solution(puzzle, &answer.solution)?;
            ensure(answer.alternative_solution.is_empty(), "a second solution")
        }
        (S::NoSolution, U::None) => {
            no_solution(answer)?;
            let is_conflicting = !rules::conflicts(&puzzle.grid).is_empty();
            ensure(!is_conflicting, "the clash of givens is not told")
        }
        (S::ConflictingGivens, U::None) => {
            no_solution(answer)?;
            ensure(!answer.conflicts.is_empty(), "no conflicts")?;
            conflicts(puzzle, &answer.conflicts)
        }
        (S::LimitReached, U::Unknown | U::Multiple) => no_solution(answer),
        _ => Err("status and uniqueness contradict each other"),
    }
}

/// Checks an answer of Validate.
///
/// # Errors
///
/// What is wrong with it, in words.
pub(crate) fn validated(
    puzzle: &Puzzle,
    answer: &v1::ValidateResponse,
) -> Result<(), &'static str> {
    use v1::{GridState as S, Uniqueness as U};
    let grid = &puzzle.grid;
    conflicts(puzzle, &answer.conflicts)?;
    let is_conflicting = !answer.conflicts.is_empty();
    let state = match (is_conflicting, grid.is_complete()) {
        (true, _) => S::Conflicting,
        (false, true) => S::Solved,
        (false, false) => S::Incomplete,
    };
    ensure(answer.state() == state, "the state")?;
    let uniqueness_fits = match (answer.uniqueness(), state) {
        (U::Unspecified, _) => false,
        (uniqueness, S::Conflicting) => uniqueness == U::None,
        (uniqueness, S::Solved) => matches!(uniqueness, U::Unique | U::Unknown),
        _ => true,
    };
    ensure(uniqueness_fits, "the uniqueness")?;
    let filled = usize::try_from(answer.filled_cell_count);
    ensure(filled == Ok(grid.filled()), "the number of filled cells")?;
    let is_normal = answer.normalized_grid == grid.to_string();
    ensure(is_normal, "the normalized grid")?;
    let is_alone = answer.changed_givens.is_empty() && answer.wrong_cells.is_empty();
    ensure(is_alone, "no puzzle was given to compare with")
}

fn two_solutions(puzzle: &Puzzle, answer: &v1::SolveResponse) -> Result<(), &'static str> {
    let smallest = solution(puzzle, &answer.solution)?;
    let second = solution(puzzle, &answer.alternative_solution)?;
    ensure(smallest < second, "the second solution is not greater")
}

/// The solution that `text` is, if it is one.
fn solution(puzzle: &Puzzle, text: &str) -> Result<Grid, &'static str> {
    let grid: Grid = text.parse().map_err(|_| "the solution is no grid")?;
    ensure(text.len() == 81, "the solution is not 81 digits")?;
    let is_solution = rules::is_solution_of(&grid, &puzzle.grid);
    ensure(is_solution, "the solution is none of this puzzle")?;
    Ok(grid)
}

fn no_solution(answer: &v1::SolveResponse) -> Result<(), &'static str> {
    let is_empty = answer.solution.is_empty() && answer.alternative_solution.is_empty();
    ensure(is_empty, "a solution where there can be none")
}

fn conflicts(puzzle: &Puzzle, told: &[v1::Conflict]) -> Result<(), &'static str> {
    let found = rules::conflicts(&puzzle.grid);
    let is_same = found.iter().map(message).eq(told.iter().cloned());
    ensure(is_same, "the conflicts")
}

fn message(conflict: &rules::Conflict) -> v1::Conflict {
    let number = |index: usize| i32::try_from(index + 1).unwrap_or(i32::MAX);
    let (unit, index) = match conflict.unit {
        Unit::Row(index) => (v1::Unit::Row, index),
        Unit::Column(index) => (v1::Unit::Column, index),
        Unit::Box(index) => (v1::Unit::Box, index),
    };
    let cells = conflict.cells.iter().map(|cell| v1::Cell {
        row: number(cell.row()),
        column: number(cell.column()),
    });
    v1::Conflict {
        unit: unit.into(),
        unit_number: number(index),
        digit: conflict.digit.get().into(),
        cells: cells.collect(),
    }
}

fn ensure(condition: bool, fault: &'static str) -> Result<(), &'static str> {
    if condition { Ok(()) } else { Err(fault) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn puzzle(text: &str) -> Puzzle {
        Puzzle::read(text).expect("a puzzle")
    }

    fn right() -> v1::SolveResponse {
        v1::SolveResponse {
            status: v1::SolveStatus::Solved.into(),
            solution: SOLUTION.into(),
            uniqueness: v1::Uniqueness::Unique.into(),
            ..v1::SolveResponse::default()
        }
    }

    #[test]
    fn a_right_answer_passes() {
        assert_eq!(solved(&puzzle(PUZZLE), &right()), Ok(()));
    }

    #[test]
    fn every_wrong_answer_is_seen() {
        let multiple = v1::Uniqueness::Multiple.into();
        let wrong: [fn(&mut v1::SolveResponse); 6] = [
            |a| a.solution = SOLUTION.replacen('1', "2", 1),
            |a| a.solution = PUZZLE.into(),
            |a| a.solution = format!("{SOLUTION} "),
            |a| a.alternative_solution = SOLUTION.into(),
            |a| a.status = v1::SolveStatus::NoSolution.into(),
            |a| a.conflicts = vec![v1::Conflict::default()],
        ];
        for (index, spoil) in wrong.iter().enumerate() {
            let mut answer = right();
            spoil(&mut answer);
            assert!(solved(&puzzle(PUZZLE), &answer).is_err(), "{index}");
        }
        let mut unproved = right();
        unproved.uniqueness = multiple;
        assert!(solved(&puzzle(PUZZLE), &unproved).is_err());
        unproved.alternative_solution = SOLUTION.into();
        assert!(solved(&puzzle(PUZZLE), &unproved).is_err());
    }

    #[test]
    fn the_solution_of_another_puzzle_is_wrong() {
        let other = PUZZLE.replacen("53", "35", 1);
        assert!(solved(&puzzle(&other), &right()).is_err());
    }

    #[test]
    fn clashes_must_be_told_wholly() {
        let clash = puzzle(&format!("55{}", ".".repeat(79)));
        let mut answer = v1::SolveResponse {
            status: v1::SolveStatus::ConflictingGivens.into(),
            uniqueness: v1::Uniqueness::None.into(),
            conflicts: rules::conflicts(&clash.grid).iter().map(message).collect(),
            ..v1::SolveResponse::default()
        };
        assert_eq!(solved(&clash, &answer), Ok(()));
        answer.conflicts.pop();
        assert!(solved(&clash, &answer).is_err());
    }
}
