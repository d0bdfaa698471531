//! Metrics: what is counted is what clients saw.
#![allow(
    clippy::float_cmp,
    reason = "counts are whole numbers, which floats hold exactly"
)]

use sudoku_service::grpc::v1::{
    BatchSolveRequest, EnumerateSolutionsRequest, SolveRequest, StreamSolveRequest,
};
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::raw;
use crate::support::{HARD, TestServer, puzzles};

const HANDLED: &str = "grpc_server_handled_total";

fn solve(grid: &str) -> SolveRequest {
    SolveRequest {
        grid: grid.into(),
        ..Default::default()
    }
}

#[tokio::test]
async fn every_series_is_there_before_the_first_call() {
    let server = TestServer::start().await;
    let before = server.metrics().await;
    assert_eq!(before.sum("grpc_server_started_total", &[]), 0.0);
    for (method, kind) in [
        ("Solve", "unary"),
        ("StreamSolve", "bidi_stream"),
        ("EnumerateSolutions", "server_stream"),
        ("Check", "unary"),
    ] {
        let labels = [("grpc_method", method), ("grpc_type", kind)];
        for code in ["OK", "Canceled", "InvalidArgument", "Unauthenticated"] {
            let labels = [&labels[..], &[("grpc_code", code)]].concat();
            assert_eq!(before.value(HANDLED, &labels), 0.0);
        }
        assert_eq!(before.value("grpc_server_msg_sent_total", &labels), 0.0);
        let shortest = [&labels[..], &[("le", "0.00001")]].concat();
        assert_eq!(
            before.value("grpc_server_handling_seconds_bucket", &shortest),
            0.0
        );
    }
    let version = [("version", env!("CARGO_PKG_VERSION"))];
    assert_eq!(before.value("sudoku_build_info", &version), 1.0);
    // Calls of every kind add none.
    server.assert_alive().await;
    server.solve("nonsense").await.unwrap_err();
    let after = server.metrics().await;
    assert_eq!(after.series(), before.series());
    server.stop().await;
}

#[tokio::test]
async fn counters_equal_what_clients_saw() {
    let server = TestServer::start().await;
    for _ in 0..20 {
        server.assert_alive().await;
    }
    for _ in 0..3 {
        let status = server.solve("nonsense").await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
    }
    let metrics = server.metrics().await;
    let handled = |code| metrics.value(HANDLED, &[("grpc_method", "Solve"), ("grpc_code", code)]);
    assert_eq!((handled("OK"), handled("InvalidArgument")), (20.0, 3.0));
    assert_eq!(metrics.sum(HANDLED, &[]), 23.0);
    let solves = |name| metrics.value(name, &[("grpc_method", "Solve")]);
    assert_eq!(solves("grpc_server_started_total"), 23.0);
    assert_eq!(solves("grpc_server_msg_received_total"), 23.0);
    assert_eq!(solves("grpc_server_msg_sent_total"), 20.0);
    assert_eq!(solves("grpc_server_handling_seconds_count"), 23.0);
    assert!(solves("grpc_server_handling_seconds_sum") > 0.0);
    assert_eq!(metrics.value("sudoku_inflight", &[]), 0.0);
    assert_eq!(metrics.value("sudoku_connections", &[]), 1.0);
    assert_eq!(metrics.value("sudoku_panics_total", &[]), 0.0);
    server.stop().await;
}

#[tokio::test]
async fn streams_count_their_messages_and_how_they_end() {
    let server = TestServer::start().await;
    let mut client = server.client.clone();
    let requests: Vec<_> = puzzles(700)
        .map(|grid| StreamSolveRequest {
            id: String::new(),
            request: Some(solve(&grid)),
        })
        .collect();
    let requests = tokio_stream::iter(requests);
    let mut answers = client.stream_solve(requests).await.unwrap().into_inner();
    while answers.message().await.unwrap().is_some() {}

    let listed = client
        .enumerate_solutions(EnumerateSolutionsRequest {
            grid: ".".repeat(81),
            limit: 450,
        })
        .await;
    let mut listed = listed.unwrap().into_inner();
    let mut messages = 0.0;
    while listed.message().await.unwrap().is_some() {
        messages += 1.0;
    }

    let metrics = server.metrics().await;
    let stream = [("grpc_method", "StreamSolve")];
    assert_eq!(
        metrics.value("grpc_server_msg_received_total", &stream),
        700.0
    );
    assert_eq!(metrics.value("grpc_server_msg_sent_total", &stream), 700.0);
    assert_eq!(
        metrics.sum("sudoku_puzzles_total", &[("rpc", "StreamSolve")]),
        700.0
    );
    let enumerate = [("grpc_method", "EnumerateSolutions")];
    assert_eq!(
        metrics.value("grpc_server_msg_sent_total", &enumerate),
        messages
    );
    assert_eq!(metrics.sum(HANDLED, &[("grpc_code", "OK")]), 2.0);
    server.stop().await;
}

#[tokio::test]
async fn paths_that_nobody_serves_share_one_series() {
    let server = TestServer::start().await;
    let before = server.metrics().await.series();
    for number in 0..20 {
        let status = raw::call(server.address, &format!("Method{number}"), None, &[]).await;
        assert_eq!(status.code(), Code::Unimplemented);
    }
    let metrics = server.metrics().await;
    assert_eq!(metrics.series(), before);
    let unknown = [("grpc_method", "unknown"), ("grpc_code", "Unimplemented")];
    assert_eq!(metrics.value(HANDLED, &unknown), 20.0);
    server.stop().await;
}

#[tokio::test]
async fn puzzles_count_by_what_became_of_them() {
    let server = TestServer::start_with(|config| config.max_guesses = 60).await;
    server.assert_alive().await;
    server.solve(HARD).await.unwrap();
    server.solve("nonsense").await.unwrap_err();
    let clash = format!("11{}", ".".repeat(79));
    let grids = puzzles(100).chain([clash, "nonsense".into()]);
    let requests = grids.map(|grid| solve(&grid)).collect();
    let batch = BatchSolveRequest { requests };
    server.client.clone().batch_solve(batch).await.unwrap();

    let metrics = server.metrics().await;
    let count =
        |rpc, status| metrics.value("sudoku_puzzles_total", &[("rpc", rpc), ("status", status)]);
    assert_eq!(count("Solve", "SOLVED"), 2.0);
    assert_eq!(count("Solve", "MALFORMED"), 1.0);
    assert_eq!(count("BatchSolve", "SOLVED"), 100.0);
    assert_eq!(count("BatchSolve", "CONFLICTING_GIVENS"), 1.0);
    assert_eq!(count("BatchSolve", "MALFORMED"), 1.0);
    assert_eq!(count("StreamSolve", "SOLVED"), 0.0);
    // Those that could be read.
    assert_eq!(metrics.value("sudoku_guesses_count", &[]), 103.0);
    assert!(metrics.value("sudoku_guesses_sum", &[]) > 0.0);
    let searches = metrics.value("sudoku_solve_seconds_count", &[]);
    assert!((3.0..10.0).contains(&searches), "{searches}");
    server.stop().await;
}

#[tokio::test]
async fn health_checks_are_calls_too() {
    let server = TestServer::start().await;
    let mut health = HealthClient::new(server.connect().await);
    health.check(HealthCheckRequest::default()).await.unwrap();
    let metrics = server.metrics().await;
    let check = [
        ("grpc_service", "grpc.health.v1.Health"),
        ("grpc_code", "OK"),
    ];
    assert_eq!(metrics.sum(HANDLED, &check), 1.0);
    assert_eq!(metrics.value("sudoku_connections", &[]), 2.0);
    drop(health);
    server.stop().await;
}
