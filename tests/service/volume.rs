//! Many boards of all kinds: the service answers what the library answers, to the byte.
//!
//! `SUDOKU_TEST_PUZZLES=1000000` makes it a long run.

use prost::Message;
use sudoku_service::grid::{Grid, Unit};
use sudoku_service::grpc::v1;
use sudoku_service::grpc::v1::{batch_solve_result, stream_solve_response};
use sudoku_service::rules;
use sudoku_service::solver::{Budget, Engine, Goal, Outcome, StopFlag};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use crate::from_solver::boards::{boards, how_many};
use crate::support::{TestServer, judge};

const SEED: u64 = 18_063;
/// As many as a batch may have.
const AT_ONCE: usize = 1000;

/// Grids, some at a time.
fn grids() -> impl Iterator<Item = Vec<Grid>> {
    let boards = boards(SEED).take(how_many("SUDOKU_TEST_PUZZLES", 3_000));
    let mut grids = boards.map(|(_, board)| Grid::from_values(board).unwrap());
    std::iter::from_fn(move || Some(grids.by_ref().take(AT_ONCE).collect()))
        .take_while(|some: &Vec<Grid>| !some.is_empty())
}

fn request(grid: &Grid) -> v1::SolveRequest {
    v1::SolveRequest {
        grid: grid.to_string(),
        skip_uniqueness_check: false,
    }
}

/// The library's answer as the contract writes it.
fn expected(grid: &Grid) -> v1::SolveResponse {
    use v1::{SolveStatus, Uniqueness};
    let stop = StopFlag::new();
    let mut budget = Budget::new(1_000_000, &stop);
    let outcome = Engine::detect().solve(grid, Goal::Uniqueness, &mut budget);
    let (status, uniqueness, solutions) = match outcome {
        Outcome::Clash => (SolveStatus::ConflictingGivens, Uniqueness::None, vec![]),
        Outcome::Unsolvable => (SolveStatus::NoSolution, Uniqueness::None, vec![]),
        Outcome::Unique(only) => (SolveStatus::Solved, Uniqueness::Unique, vec![only]),
        Outcome::Multiple { smallest, second } => {
            let both = vec![smallest, second];
            (SolveStatus::Solved, Uniqueness::Multiple, both)
        }
        Outcome::Smallest(_) | Outcome::Limit { .. } => panic!("{grid} is no match for a limit"),
    };
    let text = |index: usize| {
        solutions
            .get(index)
            .map(Grid::to_string)
            .unwrap_or_default()
    };
    v1::SolveResponse {
        status: status.into(),
        solution: text(0),
        uniqueness: uniqueness.into(),
        alternative_solution: text(1),
        conflicts: rules::conflicts(grid).iter().map(conflict).collect(),
        stats: Some(v1::SolveStats {
            guess_count: budget.spent().try_into().unwrap(),
        }),
    }
}

fn conflict(conflict: &rules::Conflict) -> v1::Conflict {
    let number = |index: usize| i32::try_from(index + 1).unwrap();
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

fn check(grid: &Grid, answer: &v1::SolveResponse) {
    judge(&grid.to_string(), answer);
    let expected = expected(grid);
    assert_eq!(answer, &expected, "{grid}");
    assert_eq!(answer.encode_to_vec(), expected.encode_to_vec(), "{grid}");
}

#[tokio::test]
async fn a_batch_is_answered_as_by_the_library() {
    let server = TestServer::start().await;
    for grids in grids() {
        let requests = grids.iter().map(request).collect();
        let batch = v1::BatchSolveRequest { requests };
        let results = server.client.clone().batch_solve(batch).await.unwrap();
        let results = results.into_inner().results;
        assert_eq!(results.len(), grids.len());
        for (grid, result) in grids.iter().zip(results) {
            match result.outcome {
                Some(batch_solve_result::Outcome::Response(answer)) => check(grid, &answer),
                other => panic!("{grid}: {other:?}"),
            }
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn a_stream_is_answered_as_by_the_library() {
    let server = TestServer::start().await;
    let (requests, receiver) = mpsc::channel(AT_ONCE);
    let mut client = server.client.clone();
    let responses = client.stream_solve(ReceiverStream::new(receiver)).await;
    let mut responses = responses.unwrap().into_inner();
    let mut number = 0;
    for grids in grids() {
        for grid in &grids {
            let request = v1::StreamSolveRequest {
                id: String::new(),
                request: Some(request(grid)),
            };
            requests.send(request).await.unwrap();
        }
        for grid in &grids {
            number += 1;
            let response = responses.message().await.unwrap().unwrap();
            assert_eq!(response.sequence_number, number);
            match response.outcome {
                Some(stream_solve_response::Outcome::Response(answer)) => check(grid, &answer),
                other => panic!("{grid}: {other:?}"),
            }
        }
    }
    drop(requests);
    assert!(responses.message().await.unwrap().is_none());
    server.stop().await;
}
