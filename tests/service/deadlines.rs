//! Deadlines and callers that go away: both stop the search.

use std::time::Duration;

use prost::Message;
use sudoku_service::grpc::v1::{CountSolutionsRequest, EnumerateSolutionsRequest};
use sudoku_service::workers::LongSearches;
use tokio::time::timeout;
use tonic::{Code, Request, Status};

use crate::raw::{self, framed};
use crate::support::{PATIENCE, TestServer, error_info};

/// A count that takes seconds: a million solutions of the empty grid.
fn endless() -> Request<CountSolutionsRequest> {
    Request::new(CountSolutionsRequest {
        grid: ".".repeat(81),
        limit: 1_000_000,
    })
}

/// The same with the caller's own deadline, without a client that watches it too.
async fn endless_within(server: &TestServer, timeout: &str) -> Status {
    let message = framed(&endless().into_inner().encode_to_vec());
    raw::call(server.address, "CountSolutions", Some(timeout), &message).await
}

#[tokio::test]
async fn the_callers_deadline_ends_the_call_and_its_search() {
    let mut server = TestServer::start_slow(|_| {}).await;
    let status = endless_within(&server, "50m").await;
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert_eq!(error_info(&status).reason, "DEADLINE");
    let long = server.until(|long| long.stopped == 1).await;
    assert_eq!((long.started, long.finished), (1, 0));
    server.assert_alive().await;
    server.stop().await;
}

#[tokio::test]
async fn without_a_deadline_of_its_own_a_call_has_the_servers() {
    let mut server = TestServer::start_slow(|config| {
        config.deadline = Duration::from_millis(50);
    })
    .await;
    let status = server
        .client
        .clone()
        .count_solutions(endless())
        .await
        .unwrap_err();
    assert_eq!(error_info(&status).reason, "DEADLINE");
    server.until(|long| long.stopped == 1).await;
    server.stop().await;
}

#[tokio::test]
async fn no_caller_gets_more_than_the_maximum() {
    let mut server = TestServer::start_slow(|config| {
        config.deadline = Duration::from_millis(50);
        config.max_deadline = Duration::from_millis(50);
    })
    .await;
    let status = endless_within(&server, "1H").await;
    assert_eq!(error_info(&status).reason, "DEADLINE");
    server.until(|long| long.stopped == 1).await;
    server.stop().await;
}

#[tokio::test]
async fn a_call_that_comes_too_late_does_no_work() {
    let mut server = TestServer::start_slow(|_| {}).await;
    for timeout in ["0n", "1n"] {
        let status = endless_within(&server, timeout).await;
        assert_eq!(status.code(), Code::DeadlineExceeded);
        let long = server.until(|_| true).await;
        assert_eq!(long.started, 0, "{timeout}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_timeout_that_is_none_is_refused() {
    let server = TestServer::start_slow(|_| {}).await;
    let status = endless_within(&server, "soon").await;
    assert_eq!(status.code(), Code::Internal);
    assert!(status.message().contains("grpc-timeout"), "{status:?}");
    server.assert_alive().await;
    server.stop().await;
}

#[tokio::test]
async fn a_caller_that_reads_nothing_is_given_up_after_its_deadline() {
    let server = TestServer::start().await;
    let request = EnumerateSolutionsRequest {
        grid: ".".repeat(81),
        limit: 1_000_000,
    };
    let message = request.encode_to_vec();
    let call = raw::unread(server.address, "EnumerateSolutions", "50m", &message);
    assert!(timeout(PATIENCE, call).await.expect("it is kept"));
    let metrics = server.metrics().await;
    let labels = [
        ("grpc_method", "EnumerateSolutions"),
        ("grpc_code", "DeadlineExceeded"),
    ];
    assert_eq!(
        metrics
            .value("grpc_server_handled_total", &labels)
            .to_string(),
        "1"
    );
    server.assert_alive().await;
    server.stop().await;
}

#[tokio::test]
async fn a_caller_that_goes_away_takes_its_search_along() {
    let mut server = TestServer::start_slow(|_| {}).await;
    let mut client = server.client.clone();
    let call = tokio::spawn(async move { client.count_solutions(endless()).await });
    server.until(|long| long.started == 1).await;
    call.abort();
    let long = server.until(|long| long.stopped == 1).await;
    assert_eq!(long.finished, 0);
    server.assert_alive().await;
    server.stop().await;
}

#[tokio::test]
async fn long_searches_leave_the_async_threads_to_others() {
    // All calls of one connection share a thread: were a search to run on it, nothing
    // would answer any more.
    let mut server = TestServer::start_slow(|_| {}).await;
    let calls: Vec<_> = (0..8)
        .map(|_| {
            let mut client = server.client.clone();
            tokio::spawn(async move { client.count_solutions(endless()).await })
        })
        .collect();
    server.until(|long| long.started >= 1).await;
    server.assert_alive().await;
    calls.iter().for_each(tokio::task::JoinHandle::abort);
    let ended = |long: &LongSearches| long.stopped + long.finished == long.started;
    server.until(ended).await;
    server.stop().await;
}
