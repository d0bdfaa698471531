//! What `Solve`, `Validate` and `BatchSolve` answer.

use sudoku_service::grid::Grid;
use sudoku_service::grpc::v1;
use sudoku_service::rules;
use tonic::Status;
use tonic_types::StatusExt;

use super::errors::{check_item_error, check_refused};
use crate::checks::reader;
use crate::oracle::line;

pub(super) fn check_solve(request: &v1::SolveRequest, answer: Result<&v1::SolveResponse, &Status>) {
    match answer {
        Ok(response) => check_solved(request, response),
        Err(status) => check_refused(status, &[("grid", &request.grid)]),
    }
}

pub(super) fn check_solved(request: &v1::SolveRequest, response: &v1::SolveResponse) {
    use v1::{SolveStatus as S, Uniqueness as U};
    let cells = reader::read(&request.grid).expect("it was answered");
    let puzzle = Grid::from_values(cells).expect("digits");
    let skipped = request.skip_uniqueness_check;
    let (solution, alternative) = (&response.solution, &response.alternative_solution);
    let (has_solution, has_alternative) = match (response.status(), response.uniqueness()) {
        (S::Solved, U::Unique) if !skipped => (true, false),
        (S::Solved, U::Multiple) if !skipped => (true, true),
        (S::Solved, U::Unknown) => (true, false),
        (S::NoSolution | S::ConflictingGivens, U::None) | (S::LimitReached, U::Unknown) => {
            (false, false)
        }
        (S::LimitReached, U::Multiple) if !skipped => (false, false),
        _ => panic!("{request:?}: {response:?}"),
    };
    assert_eq!(has_solution, !solution.is_empty(), "{response:?}");
    assert_eq!(has_alternative, !alternative.is_empty(), "{response:?}");
    for text in [solution, alternative]
        .into_iter()
        .filter(|text| !text.is_empty())
    {
        let solution: Grid = text.parse().expect("a grid");
        assert!(
            rules::is_solution_of(&solution, &puzzle),
            "{puzzle}: {text}"
        );
    }
    assert!(!has_alternative || solution < alternative);
    let clashes = rules::conflicts(&puzzle).len();
    assert_eq!(response.conflicts.len(), clashes, "{response:?}");
    assert_eq!(response.status() == S::ConflictingGivens, clashes > 0);
    assert!(response.stats.is_some_and(|stats| stats.guess_count >= 0));
}

pub(super) fn check_validate(
    request: &v1::ValidateRequest,
    answer: Result<&v1::ValidateResponse, &Status>,
) {
    use v1::{GridState as G, Uniqueness as U};
    let response = match answer {
        Ok(response) => response,
        Err(status) => {
            let puzzle = Some(("puzzle", &*request.puzzle)).filter(|(_, text)| !text.is_empty());
            let grids: Vec<_> = [("grid", &*request.grid)]
                .into_iter()
                .chain(puzzle)
                .collect();
            return check_refused(status, &grids);
        }
    };
    let cells = reader::read(&request.grid).expect("it was answered");
    let grid = Grid::from_values(cells).expect("digits");
    let clashes = rules::conflicts(&grid).len();
    let state = match (clashes, grid.is_complete()) {
        (0, true) => G::Solved,
        (0, false) => G::Incomplete,
        _ => G::Conflicting,
    };
    assert_eq!(response.state(), state, "{response:?}");
    assert_eq!(response.conflicts.len(), clashes, "{response:?}");
    assert_eq!(response.normalized_grid, line(&cells));
    assert_eq!(
        usize::try_from(response.filled_cell_count),
        Ok(grid.filled())
    );
    match response.uniqueness() {
        U::None => assert!(clashes > 0 || !request.skip_uniqueness_check),
        U::Unknown => assert_eq!(clashes, 0, "{response:?}"),
        U::Unique | U::Multiple => assert!(clashes == 0 && !request.skip_uniqueness_check),
        U::Unspecified => panic!("{response:?}"),
    }
    let puzzle = (!request.puzzle.is_empty()).then(|| reader::read(&request.puzzle));
    let puzzle = puzzle.transpose().expect("it was answered");
    let is_changed =
        |cell: &usize| puzzle.is_some_and(|p| p[*cell] != 0 && p[*cell] != cells[*cell]);
    let changed: Vec<v1::Cell> = (0..81).filter(is_changed).map(place).collect();
    assert_eq!(response.changed_givens, changed);
    for wrong in &response.wrong_cells {
        let is_here = |cell: &usize| place(*cell) == *wrong;
        let cell = (0..81).find(is_here).expect("a cell");
        let puzzle = puzzle.expect("nothing is wrong without a puzzle");
        assert!(puzzle[cell] == 0 && cells[cell] != 0, "{response:?}");
    }
}

fn place(cell: usize) -> v1::Cell {
    v1::Cell {
        row: i32::try_from(1 + cell / 9).expect("a row"),
        column: i32::try_from(1 + cell % 9).expect("a column"),
    }
}

pub(super) fn check_batch(
    request: &v1::BatchSolveRequest,
    answer: Result<&v1::BatchSolveResponse, &Status>,
) {
    use v1::batch_solve_result::Outcome;
    let count = request.requests.len();
    match answer {
        Ok(response) => {
            assert!((1..=1000).contains(&count));
            assert_eq!(response.results.len(), count);
            for (request, result) in request.requests.iter().zip(&response.results) {
                match result.outcome.as_ref().expect("an outcome") {
                    Outcome::Response(response) => check_solved(request, response),
                    Outcome::Error(error) => check_item_error(&request.grid, error, "grid"),
                }
            }
        }
        Err(status) => {
            let info = status.get_details_error_info().expect("an ErrorInfo");
            assert_eq!(
                (&*info.reason, &*info.metadata["field"]),
                ("FIELD_OUT_OF_RANGE", "requests")
            );
            assert!(count == 0 || count > 1000, "{count}");
        }
    }
}
