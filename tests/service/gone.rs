//! Callers that go away: their calls end and count as cancelled, and as nothing else.
#![allow(
    clippy::float_cmp,
    reason = "counts are whole numbers, which floats hold exactly"
)]

use sudoku_service::grpc::v1::{CountSolutionsRequest, StreamSolveRequest};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use crate::raw;
use crate::support::TestServer;

const HANDLED: &str = "grpc_server_handled_total";

#[tokio::test]
async fn a_caller_that_does_not_wait_counts_as_cancelled() {
    let mut server = TestServer::start_slow(|_| {}).await;
    let endless = CountSolutionsRequest {
        grid: ".".repeat(81),
        limit: 1_000_000,
    };
    let mut client = server.client.clone();
    let unary = tokio::spawn(async move { client.count_solutions(endless).await });
    server.until(|long| long.started == 1).await;
    let (requests, receiver) = mpsc::channel(1);
    let mut client = server.client.clone();
    let call = client.stream_solve(ReceiverStream::new(receiver));
    requests.send(StreamSolveRequest::default()).await.unwrap();
    let mut stream = call.await.unwrap().into_inner();
    stream.message().await.unwrap().unwrap();
    assert_eq!(server.metrics().await.value("sudoku_inflight", &[]), 2.0);

    drop((stream, requests));
    unary.abort();
    let cancelled = [("grpc_code", "Canceled")];
    let metrics = loop {
        let metrics = server.metrics().await;
        if metrics.sum(HANDLED, &cancelled) >= 2.0 {
            break metrics;
        }
    };
    for method in ["StreamSolve", "CountSolutions"] {
        let labels = [cancelled[0], ("grpc_method", method)];
        assert_eq!(metrics.value(HANDLED, &labels), 1.0, "{method}");
    }
    assert_eq!(metrics.value("sudoku_inflight", &[]), 0.0);
    server.stop().await;
}

#[tokio::test]
async fn so_does_one_that_leaves_before_its_request_is_complete() {
    let server = TestServer::start().await;
    for (count, method) in [(1.0, "Solve"), (2.0, "BatchSolve"), (3.0, "StreamSolve")] {
        let call = tokio::spawn(raw::half(server.address, method));
        let started = [("grpc_method", method)];
        while server
            .metrics()
            .await
            .value("grpc_server_started_total", &started)
            < 1.0
        {}
        call.abort();
        let metrics = loop {
            let metrics = server.metrics().await;
            if metrics.sum(HANDLED, &[]) >= count {
                break metrics;
            }
        };
        let cancelled = [("grpc_method", method), ("grpc_code", "Canceled")];
        assert_eq!(metrics.value(HANDLED, &cancelled), 1.0, "{method}");
    }
    server.stop().await;
}
