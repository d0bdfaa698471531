//! Overload: what is too much is refused at once and can go elsewhere, and what is
//! accepted is answered.

use std::num::NonZero;

use sudoku_service::grpc::v1::sudoku_service_client::SudokuServiceClient;
use sudoku_service::grpc::v1::{
    BatchSolveRequest, CountSolutionsRequest, EnumerateSolutionsRequest, SolveRequest,
};
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::support::{PUZZLE, TestServer, error_info};

/// A count that takes far longer than a call may wait for its turn.
fn endless() -> CountSolutionsRequest {
    CountSolutionsRequest {
        grid: ".".repeat(81),
        limit: 1_000_000,
    }
}

/// Begins more endless counts than there are cores, and gives the first refusal.
async fn first_refusal(server: &TestServer) -> Status {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let (refusals, mut refused) = tokio::sync::mpsc::channel(1);
    for _ in 0..4 * cores {
        let (mut client, refusals) = (server.client.clone(), refusals.clone());
        tokio::spawn(async move {
            // One after the other, so that the queue never empties.
            while let Ok(()) = client
                .count_solutions(endless())
                .await
                .map(drop)
                .or_else(|status| refusals.try_send(status).map_err(drop).map(drop))
            {}
        });
    }
    refused.recv().await.unwrap()
}

#[tokio::test]
async fn too_many_long_searches_are_refused_with_when_to_come_again() {
    let mut server = TestServer::start_slow(|_| {}).await;
    let status = first_refusal(&server).await;
    assert_eq!(status.code(), Code::Unavailable);
    assert_eq!(error_info(&status).reason, "OVERLOADED");
    assert!(status.get_details_retry_info().is_some());
    assert!(status.metadata().contains_key("grpc-retry-pushback-ms"));
    server.until(|long| long.refused >= 1).await;
    drop(server);
}

#[tokio::test]
async fn short_work_goes_on_beside_too_many_long_searches() {
    let server = TestServer::start_slow(|_| {}).await;
    first_refusal(&server).await;
    server.assert_alive().await;
    let mut other = SudokuServiceClient::new(server.connect().await);
    let request = SolveRequest {
        grid: PUZZLE.into(),
        ..Default::default()
    };
    let requests = vec![request; 1000];
    let batch = other.batch_solve(BatchSolveRequest { requests }).await;
    assert_eq!(batch.unwrap().into_inner().results.len(), 1000);
    let request = EnumerateSolutionsRequest {
        grid: ".".repeat(81),
        limit: 1000,
    };
    let mut messages = other
        .enumerate_solutions(request)
        .await
        .unwrap()
        .into_inner();
    let mut solutions = 0;
    while let Some(message) = messages.message().await.unwrap() {
        solutions += message.solutions.len();
    }
    assert_eq!(solutions, 1000);
}

/// A board with 16 givens, without a solution, that takes very many guesses.
const HOSTILE: &str =
    ".4.....81...6..........84..1..5......84............5..............7...1.81.....4.";

#[tokio::test]
async fn a_batch_of_hard_puzzles_holds_up_no_other() {
    let mut server = TestServer::start_slow(|_| {}).await;
    let hostile = SolveRequest {
        grid: HOSTILE.into(),
        ..Default::default()
    };
    let mut client = server.client.clone();
    let requests = vec![hostile; 1000];
    let hard =
        tokio::spawn(async move { client.batch_solve(BatchSolveRequest { requests }).await });
    // Both of its parts have been looked at (with many cores: some of more), and its
    // puzzles go on as long searches.
    server
        .until(|long| long.finished >= 2 && long.started > long.finished)
        .await;
    let easy = SolveRequest {
        grid: PUZZLE.into(),
        ..Default::default()
    };
    let requests = vec![easy; 1000];
    let mut other = SudokuServiceClient::new(server.connect().await);
    let batch = other.batch_solve(BatchSolveRequest { requests }).await;
    assert_eq!(batch.unwrap().into_inner().results.len(), 1000);
    assert!(!hard.is_finished());
    hard.abort();
    server
        .until(|long| long.started == long.finished + long.stopped)
        .await;
    server.stop().await;
}
