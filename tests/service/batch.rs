//! `BatchSolve`: order, limits, and a bad grid that fails alone.

use sudoku_service::grpc::v1::batch_solve_result::Outcome;
use sudoku_service::grpc::v1::{
    BatchSolveRequest, ItemError, SolveRequest, SolveResponse, SolveStatus, Uniqueness,
};
use tonic::{Code, Status};

use crate::support::{
    HARD, PUZZLE, SOLUTION, TestServer, error_info, judge, puzzles, violated_fields,
};

fn request(grid: &str) -> SolveRequest {
    SolveRequest {
        grid: grid.into(),
        ..Default::default()
    }
}

impl TestServer {
    async fn batch(&self, requests: Vec<SolveRequest>) -> Result<Vec<Outcome>, Status> {
        let request = BatchSolveRequest { requests };
        let results = self
            .client
            .clone()
            .batch_solve(request)
            .await?
            .into_inner()
            .results
            .into_iter();
        Ok(results.map(|result| result.outcome.unwrap()).collect())
    }
}

fn answer(outcome: &Outcome) -> &SolveResponse {
    match outcome {
        Outcome::Response(response) => response,
        Outcome::Error(error) => panic!("{error:?}"),
    }
}

fn error(outcome: &Outcome) -> &ItemError {
    match outcome {
        Outcome::Error(error) => error,
        Outcome::Response(response) => panic!("{response:?}"),
    }
}

#[tokio::test]
async fn the_answers_are_those_of_solve_in_the_order_of_the_requests() {
    let server = TestServer::start().await;
    for count in [1, 2, 8, 9, 63, 64, 65, 200, 1000] {
        let grids: Vec<String> = puzzles(count).collect();
        let outcomes = server.batch(grids.iter().map(|g| request(g)).collect());
        let outcomes = outcomes.await.unwrap();
        assert_eq!(outcomes.len(), count);
        for (grid, outcome) in grids.iter().zip(&outcomes) {
            judge(grid, answer(outcome));
            if count <= 65 {
                assert_eq!(
                    answer(outcome),
                    &server.solve(grid).await.unwrap(),
                    "{grid}"
                );
            }
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn a_request_may_skip_the_check_among_others_that_do_not() {
    let server = TestServer::start().await;
    let mut requests = vec![request(HARD); 20];
    requests[7].skip_uniqueness_check = true;
    let outcomes = server.batch(requests).await.unwrap();
    for (index, outcome) in outcomes.iter().enumerate() {
        let expected = match index {
            7 => Uniqueness::Unknown,
            _ => Uniqueness::Unique,
        };
        assert_eq!(answer(outcome).uniqueness(), expected);
        judge(HARD, answer(outcome));
    }
    assert_eq!(
        answer(&outcomes[7]),
        &server.solve_request(HARD, true).await.unwrap()
    );
    server.stop().await;
}

#[tokio::test]
async fn item_500_of_1000_is_malformed_and_fails_alone() {
    let server = TestServer::start().await;
    let mut requests = vec![request(PUZZLE); 1000];
    requests[499] = request(&PUZZLE.replacen('.', "A", 1));
    let outcomes = server.batch(requests.clone()).await.unwrap();
    for (index, outcome) in outcomes.iter().enumerate() {
        if index != 499 {
            assert_eq!(answer(outcome).solution, SOLUTION);
        }
    }
    let alone = server.client.clone().solve(requests[499].clone()).await;
    let alone = alone.unwrap_err();
    let error = error(&outcomes[499]);
    assert_eq!(Code::from(error.code), alone.code());
    assert_eq!(error.message, alone.message());
    assert_eq!(error.reason, error_info(&alone).reason);
    assert_eq!(error.field, "grid");
    server.stop().await;
}

#[tokio::test]
async fn none_and_more_than_1000_are_refused() {
    let server = TestServer::start().await;
    for (count, told) in [
        (0, "is 0;"),
        (1001, "is over 1000;"),
        (4000, "is over 1000;"),
    ] {
        let status = server
            .batch(vec![request(PUZZLE); count])
            .await
            .unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        let info = error_info(&status);
        assert_eq!(info.reason, "FIELD_OUT_OF_RANGE");
        assert_eq!(info.metadata["field"], "requests");
        assert_eq!(info.metadata["minimum"], "1");
        assert_eq!(info.metadata["maximum"], "1000");
        assert_eq!(violated_fields(&status), ["requests"]);
        assert!(status.message().contains(told), "{status:?}");
        server.assert_alive().await;
    }
    server.stop().await;
}

#[tokio::test]
async fn a_thousand_boards_that_come_to_nothing_are_answered_and_bounded() {
    let server = TestServer::start_with(|config| config.max_guesses = 1000).await;
    // Norvig's "impossible" board.
    let board = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";
    let outcomes = server.batch(vec![request(board); 1000]).await.unwrap();
    let first = answer(&outcomes[0]);
    assert!([SolveStatus::NoSolution, SolveStatus::LimitReached].contains(&first.status()));
    assert!(outcomes.iter().all(|outcome| answer(outcome) == first));
    server.assert_alive().await;
    server.stop().await;
}
