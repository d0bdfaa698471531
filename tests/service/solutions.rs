//! `CountSolutions` and `EnumerateSolutions`: exactness, order, chunks and limits.

use sudoku_service::grid::Grid;
use sudoku_service::grpc::v1::{CountSolutionsRequest, EnumerateSolutionsRequest};
use sudoku_service::rules;
use tonic::{Code, Status};

use crate::support::{PUZZLE, SOLUTION, TestServer, error_info, violated_fields};

/// A solved grid with two rectangles and more blanked: it has several solutions.
const SEVERAL: &str =
    "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642";

impl TestServer {
    async fn count(&self, grid: &str, limit: i32) -> Result<(i32, bool), Status> {
        let grid = grid.into();
        let request = CountSolutionsRequest { grid, limit };
        let answer = self
            .client
            .clone()
            .count_solutions(request)
            .await?
            .into_inner();
        Ok((answer.solution_count, answer.exact))
    }

    /// All solutions, the sizes of the messages, and `exhaustive` of the last.
    async fn enumerate(
        &self,
        grid: &str,
        limit: i32,
    ) -> Result<(Vec<String>, Vec<usize>, bool), Status> {
        let request = EnumerateSolutionsRequest {
            grid: grid.into(),
            limit,
        };
        let mut messages = self
            .client
            .clone()
            .enumerate_solutions(request)
            .await?
            .into_inner();
        let (mut solutions, mut sizes, mut exhaustive) = (vec![], vec![], false);
        while let Some(message) = messages.message().await? {
            assert!(!exhaustive, "only the last message may be exhaustive");
            sizes.push(message.solutions.len());
            solutions.extend(message.solutions);
            exhaustive = message.exhaustive;
        }
        assert!(
            solutions.is_sorted_by(|a, b| a < b),
            "ascending, none twice"
        );
        let puzzle: Grid = grid.parse().unwrap();
        for solution in &solutions {
            let solution: Grid = solution.parse().unwrap();
            assert!(rules::is_solution_of(&solution, &puzzle), "{solution}");
        }
        Ok((solutions, sizes, exhaustive))
    }
}

#[tokio::test]
async fn counts_are_exact_also_at_the_limit() {
    let server = TestServer::start().await;
    let (several, exact) = server.count(SEVERAL, 0).await.unwrap();
    assert!(several > 1 && exact);
    assert_eq!(
        server.count(SEVERAL, several).await.unwrap(),
        (several, true)
    );
    assert_eq!(
        server.count(SEVERAL, several - 1).await.unwrap(),
        (several - 1, false)
    );
    assert_eq!(server.count(PUZZLE, 1).await.unwrap(), (1, true));
    let impossible = PUZZLE.replacen('.', "1", 1);
    assert_eq!(server.count(&impossible, 0).await.unwrap(), (0, true));
    let clashing = PUZZLE.replacen('.', "5", 1);
    assert_eq!(server.count(&clashing, 0).await.unwrap(), (0, true));
    let empty = ".".repeat(81);
    assert_eq!(server.count(&empty, 0).await.unwrap(), (1000, false));
    assert_eq!(
        server.count(&empty, 100_000).await.unwrap(),
        (100_000, false)
    );
    server.stop().await;
}

#[tokio::test]
async fn the_list_is_ascending_and_as_long_as_the_count() {
    let server = TestServer::start().await;
    let (several, _) = server.count(SEVERAL, 0).await.unwrap();
    let (solutions, _, exhaustive) = server.enumerate(SEVERAL, 0).await.unwrap();
    assert_eq!(solutions.len(), usize::try_from(several).unwrap());
    assert!(exhaustive);
    let answer = server.solve(SEVERAL).await.unwrap();
    assert_eq!(solutions[0], answer.solution);
    assert_eq!(solutions[1], answer.alternative_solution);
    let (few, _, exhaustive) = server.enumerate(SEVERAL, several - 1).await.unwrap();
    assert_eq!(few, solutions[..solutions.len() - 1]);
    assert!(!exhaustive);
    let (all, _, exhaustive) = server.enumerate(SEVERAL, several).await.unwrap();
    assert_eq!((all, exhaustive), (solutions, true));
    server.stop().await;
}

#[tokio::test]
async fn there_is_always_a_message() {
    let server = TestServer::start().await;
    for none in [PUZZLE.replacen('.', "1", 1), PUZZLE.replacen('.', "5", 1)] {
        assert_eq!(
            server.enumerate(&none, 0).await.unwrap(),
            (vec![], vec![0], true)
        );
    }
    let one = server.enumerate(PUZZLE, 1).await.unwrap();
    assert_eq!(one, (vec![SOLUTION.to_owned()], vec![1], true));
    server.stop().await;
}

#[tokio::test]
async fn many_come_in_chunks_of_up_to_a_hundred() {
    let server = TestServer::start().await;
    let empty = ".".repeat(81);
    for (limit, expected) in [(0, 1000), (100, 100), (101, 101), (10_000, 10_000)] {
        let (solutions, sizes, exhaustive) = server.enumerate(&empty, limit).await.unwrap();
        assert_eq!(solutions.len(), expected);
        assert!(sizes.iter().all(|&size| size <= 100), "{sizes:?}");
        assert!(!exhaustive);
    }
    server.stop().await;
}

#[tokio::test]
async fn limits_out_of_range_are_refused() {
    let server = TestServer::start().await;
    for limit in [-1, i32::MIN, 1_000_001, i32::MAX] {
        let counted = server.count(PUZZLE, limit).await.unwrap_err();
        let listed = server.enumerate(PUZZLE, limit).await.unwrap_err();
        for status in [counted, listed] {
            assert_eq!(status.code(), Code::InvalidArgument);
            let info = error_info(&status);
            assert_eq!(info.reason, "FIELD_OUT_OF_RANGE");
            assert_eq!(info.metadata["field"], "limit");
            assert_eq!(info.metadata["minimum"], "1");
            assert_eq!(info.metadata["maximum"], "1000000");
            assert_eq!(violated_fields(&status), ["limit"]);
            assert!(status.message().contains(&limit.to_string()));
        }
        server.assert_alive().await;
    }
    server.stop().await;
}

#[tokio::test]
async fn malformed_grids_are_refused_as_by_solve() {
    let server = TestServer::start().await;
    let counted = server.count("5A", 0).await.unwrap_err();
    assert_eq!(error_info(&counted).reason, "GRID_CHARACTER");
    let request = EnumerateSolutionsRequest::default();
    let listed = server.client.clone().enumerate_solutions(request).await;
    assert_eq!(error_info(&listed.unwrap_err()).reason, "GRID_CELL_COUNT");
    server.stop().await;
}

#[tokio::test]
async fn the_work_limit_ends_them_without_claiming_completeness() {
    let server = TestServer::start_with(|config| config.max_guesses = 1).await;
    let (count, exact) = server.count(crate::support::HARD, 0).await.unwrap();
    assert!(count <= 1 && !exact);
    server.stop().await;
}

#[tokio::test]
async fn an_abandoned_list_is_not_made() {
    let mut server = TestServer::start_with(|config| {
        // Longer than anything is waited for here, so an open stream would show.
        config.drain_timeout = std::time::Duration::from_secs(600);
    })
    .await;
    let request = EnumerateSolutionsRequest {
        grid: ".".repeat(81),
        limit: 1_000_000,
    };
    let mut client = server.client.clone();
    let mut messages = client
        .enumerate_solutions(request)
        .await
        .unwrap()
        .into_inner();
    let first = messages.message().await.unwrap().unwrap();
    assert_eq!(first.solutions.len(), 100);
    drop(messages);
    server.assert_alive().await;
    let long = server.until(|long| long.started >= 1).await;
    assert!(
        long.started < 1_000,
        "more was made than the windows hold: {long:?}"
    );
    server.stop().await;
}
