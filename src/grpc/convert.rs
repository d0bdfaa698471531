//! Between messages and values of the domain.

use super::batch_request::MAX_BATCH;
use super::status::Failure;
use super::v1;
use crate::grid::{Cell, Grid, Unit};
use crate::rules;
use crate::solver::{Count, Decision, Goal, Outcome, Solved};

/// An item: what to solve, or why that cannot be known.
pub(super) type Item = Result<(Grid, Goal), Failure>;

/// The answer to an item, or why there is none.
pub(super) type Answer = Result<v1::SolveResponse, Failure>;

/// How many solutions are counted or listed if the caller does not say.
const DEFAULT_SOLUTIONS: u64 = 1000;
/// How many solutions are counted or listed at most.
const MAX_SOLUTIONS: i32 = 1_000_000;
/// How many characters the id of a stream's item has at most.
const MAX_ID_LENGTH: usize = 64;

/// A grid to solve, and how far.
pub(super) fn solve_request(request: &v1::SolveRequest) -> Result<(Grid, Goal), Failure> {
    let grid = parsed(&request.grid)?;
    let goal = if request.skip_uniqueness_check {
        Goal::Smallest
    } else {
        Goal::Uniqueness
    };
    Ok((grid, goal))
}

/// A grid to validate and the puzzle it started from, if that is given.
pub(super) fn validate_request(
    request: &v1::ValidateRequest,
) -> Result<(Grid, Option<Grid>), Failure> {
    let grid = request.grid.parse::<Grid>();
    let has_puzzle = !request.puzzle.is_empty();
    let puzzle = has_puzzle.then(|| request.puzzle.parse()).transpose();
    match (grid, puzzle) {
        (Ok(grid), Ok(puzzle)) => Ok((grid, puzzle)),
        (grid, puzzle) => {
            let grid = grid.err().map(|error| ("grid", error));
            let puzzle = puzzle.err().map(|error| ("puzzle", error));
            Err(Failure::Grids(grid.into_iter().chain(puzzle).collect()))
        }
    }
}

/// The items of a batch.
pub(super) fn batch_request(request: &v1::BatchSolveRequest) -> Result<Vec<Item>, Failure> {
    let count = request.requests.len();
    if !(1..=MAX_BATCH).contains(&count) {
        return Err(Failure::OutOfRange {
            field: "requests",
            quantity: "the number of requests",
            minimum: 1,
            maximum: MAX_BATCH,
            found: match count {
                0..=MAX_BATCH => count.to_string(),
                // Not all of them were read.
                _ => format!("over {MAX_BATCH}"),
            },
        });
    }
    Ok(request.requests.iter().map(solve_request).collect())
}

/// Checks the length of an item's id.
pub(super) fn check_id(id: &str) -> Result<(), Failure> {
    match id.chars().count() {
        0..=MAX_ID_LENGTH => Ok(()),
        length => Err(Failure::OutOfRange {
            field: "id",
            quantity: "the length of id in characters",
            minimum: 0,
            maximum: MAX_ID_LENGTH,
            found: length.to_string(),
        }),
    }
}

/// As much of an item's id as is echoed.
pub(super) fn echoed_id(mut id: String) -> String {
    if let Some((end, _)) = id.char_indices().nth(MAX_ID_LENGTH) {
        id.truncate(end);
        id.shrink_to_fit();
    }
    id
}

/// A grid whose solutions are asked for, and how many of them.
pub(super) fn solutions_request(grid: &str, limit: i32) -> Result<(Grid, u64), Failure> {
    let limit = solution_limit(limit)?;
    Ok((parsed(grid)?, limit))
}

fn parsed(text: &str) -> Result<Grid, Failure> {
    text.parse()
        .map_err(|error| Failure::Grids(vec![("grid", error)]))
}

/// How many solutions to look for: 0 stands for the default.
fn solution_limit(limit: i32) -> Result<u64, Failure> {
    match limit {
        0 => Ok(DEFAULT_SOLUTIONS),
        1..=MAX_SOLUTIONS => Ok(u64::from(limit.unsigned_abs())),
        _ => Err(Failure::OutOfRange {
            field: "limit",
            quantity: "limit",
            minimum: 1,
            maximum: MAX_SOLUTIONS as usize,
            found: limit.to_string(),
        }),
    }
}

/// The answer for `grid`.
pub(super) fn solve_response(grid: &Grid, solved: &Solved) -> v1::SolveResponse {
    let Solved { outcome, guesses } = solved;
    let (status, uniqueness) = verdict(outcome);
    let (solution, alternative) = match outcome {
        Outcome::Unique(solution) | Outcome::Smallest(solution) => (Some(solution), None),
        Outcome::Multiple { smallest, second } => (Some(smallest), Some(second)),
        Outcome::Clash | Outcome::Unsolvable | Outcome::Limit { .. } => (None, None),
    };
    let text = |grid: Option<&Grid>| grid.map(String::from).unwrap_or_default();
    v1::SolveResponse {
        status: status.into(),
        solution: text(solution),
        uniqueness: uniqueness.into(),
        alternative_solution: text(alternative),
        conflicts: match outcome {
            Outcome::Clash => conflicts(grid),
            _ => vec![],
        },
        stats: Some(v1::SolveStats {
            guess_count: i64::try_from(*guesses).unwrap_or(i64::MAX),
        }),
    }
}

const fn verdict(outcome: &Outcome) -> (v1::SolveStatus, v1::Uniqueness) {
    use v1::{SolveStatus, Uniqueness};
    match outcome {
        Outcome::Clash => (SolveStatus::ConflictingGivens, Uniqueness::None),
        Outcome::Unsolvable => (SolveStatus::NoSolution, Uniqueness::None),
        Outcome::Unique(_) => (SolveStatus::Solved, Uniqueness::Unique),
        Outcome::Multiple { .. } => (SolveStatus::Solved, Uniqueness::Multiple),
        Outcome::Smallest(_) => (SolveStatus::Solved, Uniqueness::Unknown),
        Outcome::Limit { multiple: true } => (SolveStatus::LimitReached, Uniqueness::Multiple),
        Outcome::Limit { multiple: false } => (SolveStatus::LimitReached, Uniqueness::Unknown),
    }
}

/// The answers to a batch.
pub(super) fn batch_response(answers: Vec<Answer>) -> v1::BatchSolveResponse {
    use v1::batch_solve_result::Outcome;
    let result = |answer| v1::BatchSolveResult {
        outcome: Some(match answer {
            Ok(response) => Outcome::Response(response),
            Err(failure) => Outcome::Error(item_error(&failure, |field| field)),
        }),
    };
    v1::BatchSolveResponse {
        results: answers.into_iter().map(result).collect(),
    }
}

/// What was wrong with an item; `path` leads from it to the field of a failure.
pub(super) fn item_error(
    failure: &Failure,
    path: impl Fn(&'static str) -> &'static str,
) -> v1::ItemError {
    v1::ItemError {
        code: failure.code().into(),
        reason: failure.reason().into(),
        message: failure.message().into(),
        field: failure.field().map(path).unwrap_or_default().into(),
    }
}

/// The number of solutions.
pub(super) fn count_response(count: Count) -> v1::CountSolutionsResponse {
    v1::CountSolutionsResponse {
        solution_count: i32::try_from(count.solutions).unwrap_or(i32::MAX),
        exact: count.exact,
    }
}

/// What a decision says of the number of solutions.
pub(super) const fn uniqueness(decision: &Decision) -> v1::Uniqueness {
    match decision {
        Decision::None => v1::Uniqueness::None,
        Decision::One(_) => v1::Uniqueness::Unique,
        Decision::Many => v1::Uniqueness::Multiple,
        Decision::Open => v1::Uniqueness::Unknown,
    }
}

/// Every clash in `grid`.
pub(super) fn conflicts(grid: &Grid) -> Vec<v1::Conflict> {
    let conflict = |conflict: rules::Conflict| {
        let (unit, index) = match conflict.unit {
            Unit::Row(index) => (v1::Unit::Row, index),
            Unit::Column(index) => (v1::Unit::Column, index),
            Unit::Box(index) => (v1::Unit::Box, index),
        };
        v1::Conflict {
            unit: unit.into(),
            unit_number: number(index),
            digit: conflict.digit.get().into(),
            cells: cells(&conflict.cells),
        }
    };
    rules::conflicts(grid).into_iter().map(conflict).collect()
}

/// The places of `cells`.
pub(super) fn cells(cells: &[Cell]) -> Vec<v1::Cell> {
    let place = |cell: &Cell| v1::Cell {
        row: number(cell.row()),
        column: number(cell.column()),
    };
    cells.iter().map(place).collect()
}

/// A number from 1 for an index from 0, of at most nine things.
fn number(index: usize) -> i32 {
    i32::try_from(index + 1).unwrap_or(i32::MAX)
}
