//! Stopping: open calls are answered, new ones are not accepted, nothing hangs.

use std::time::Duration;

use sudoku_service::config::Config;
use sudoku_service::grpc::v1::sudoku_service_client::SudokuServiceClient;
use sudoku_service::grpc::v1::{CountSolutionsRequest, SolveRequest, StreamSolveRequest};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Endpoint;
use tonic::{Code, Request};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_types::StatusExt;

use crate::operator;
use crate::raw;
use crate::support::{PUZZLE, SOLUTION, TestServer, ended, error_info};

/// A count of so many solutions of the empty grid.
fn count(limit: i32, timeout: &str) -> Request<CountSolutionsRequest> {
    let mut request = Request::new(CountSolutionsRequest {
        grid: ".".repeat(81),
        limit,
    });
    request
        .metadata_mut()
        .insert("grpc-timeout", timeout.parse().unwrap());
    request
}

#[tokio::test]
async fn a_call_in_flight_is_answered() {
    let mut server = TestServer::start().await;
    let mut client = server.client.clone();
    let call = tokio::spawn(async move { client.count_solutions(count(20_000, "30S")).await });
    server.until(|long| long.started == 1).await;
    let address = server.address;
    let stopping = server.begin_stop();
    let answer = call.await.unwrap().unwrap().into_inner();
    assert_eq!((answer.solution_count, answer.exact), (20_000, false));
    ended(stopping).await;
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn a_call_that_does_not_end_is_told_before_it_would_be_cut_off() {
    let mut server = TestServer::start_slow(|config| {
        config.drain_timeout = Duration::from_millis(400);
    })
    .await;
    let mut client = server.client.clone();
    let call = tokio::spawn(async move { client.count_solutions(count(1_000_000, "50S")).await });
    server.until(|long| long.started == 1).await;
    ended(server.begin_stop()).await;
    let status = call.await.unwrap().unwrap_err();
    assert_eq!(status.code(), Code::Unavailable, "{status}");
    assert_eq!(error_info(&status).reason, "DRAINING");
}

#[tokio::test]
async fn a_peer_that_says_nothing_does_not_hold_the_server() {
    let server = TestServer::start_with(|config| {
        config.drain_timeout = Duration::from_millis(50);
    })
    .await;
    let _silent = TcpStream::connect(server.address).await.unwrap();
    server.assert_alive().await;
    server.stop().await;
}

#[tokio::test]
async fn an_open_stream_gets_its_answers_and_is_told_to_go_on_elsewhere() {
    let server = TestServer::start_with(|config| {
        // Longer than anything is waited for here: the stream must not need it.
        config.drain_timeout = Duration::from_secs(600);
    })
    .await;
    let (requests, receiver) = mpsc::channel(200);
    let mut client = server.client.clone();
    let mut responses = client
        .stream_solve(ReceiverStream::new(receiver))
        .await
        .unwrap()
        .into_inner();
    let send = async |id: &str| {
        let request = StreamSolveRequest {
            id: id.into(),
            request: Some(SolveRequest {
                grid: PUZZLE.into(),
                ..Default::default()
            }),
        };
        requests.send(request).await.unwrap();
    };
    send("before").await;
    assert_eq!(responses.message().await.unwrap().unwrap().id, "before");
    let stopping = server.begin_stop();
    let status = responses.message().await.unwrap_err();
    assert_eq!(status.code(), Code::Unavailable);
    assert_eq!(error_info(&status).reason, "DRAINING");
    assert!(status.get_details_retry_info().is_some());
    assert!(status.metadata().contains_key("grpc-retry-pushback-ms"));
    ended(stopping).await;
}

#[tokio::test]
async fn in_the_delay_health_says_no_and_calls_are_answered_all_the_same() {
    let server = TestServer::start_with(|config| {
        // Longer than anything is waited for here.
        config.drain_delay = Duration::from_secs(600);
    })
    .await;
    let (address, admin) = (server.address, server.admin.unwrap());
    let mut open = server.client.clone();
    let stopping = server.begin_stop();
    while operator::get(admin, "/readyz").await.status != 503 {}
    let uri = format!("http://{address}");
    let channel = Endpoint::from_shared(uri.clone()).unwrap();
    let mut health = HealthClient::new(channel.connect().await.unwrap());
    let check = health.check(HealthCheckRequest::default()).await.unwrap();
    assert_eq!(check.get_ref().status(), ServingStatus::NotServing);
    let mut new = SudokuServiceClient::connect(uri).await.unwrap();
    for client in [&mut open, &mut new] {
        let request = SolveRequest {
            grid: PUZZLE.into(),
            ..Default::default()
        };
        let answer = client.solve(request).await.unwrap();
        assert_eq!(answer.get_ref().solution, SOLUTION);
    }
    assert!(!stopping.is_finished());
    stopping.abort();
}

#[tokio::test]
async fn after_the_delay_the_server_drains() {
    let delay = Duration::from_millis(300);
    let server = TestServer::start_with(|config| config.drain_delay = delay).await;
    let address = server.address;
    let begun = Instant::now();
    server.stop().await;
    assert!(begun.elapsed() >= delay);
    assert!(TcpStream::connect(address).await.is_err());
}

/// Longer than anything is waited for here.
fn without_end(config: &mut Config) {
    config.drain_timeout = Duration::from_secs(600);
}

#[tokio::test]
async fn a_peer_that_does_not_take_its_leave_does_not_hold_the_server() {
    let server = TestServer::start_with(without_end).await;
    let mut silent = TcpStream::connect(server.address).await.unwrap();
    let beginning = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    silent.write_all(beginning).await.unwrap();
    // It is there, and says nothing more, not even to a PING.
    silent.read_u8().await.unwrap();
    let begun = Instant::now();
    server.stop().await;
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn a_stream_whose_client_goes_on_sending_is_ended_all_the_same() {
    let server = TestServer::start_with(without_end).await;
    let mut client = server.client.clone();
    let request = StreamSolveRequest {
        id: String::new(),
        request: Some(SolveRequest {
            grid: PUZZLE.into(),
            ..Default::default()
        }),
    };
    let requests = tokio_stream::iter(std::iter::repeat(request));
    let mut responses = client.stream_solve(requests).await.unwrap().into_inner();
    responses.message().await.unwrap().unwrap();
    let stopping = server.begin_stop();
    let mut last = 1;
    let end = loop {
        match responses.message().await {
            Ok(response) => {
                last += 1;
                assert_eq!(response.unwrap().sequence_number, last);
            }
            Err(status) => break status,
        }
    };
    assert_eq!(end.code(), Code::Unavailable, "after {last}: {end:?}");
    assert_eq!(error_info(&end).reason, "DRAINING");
    ended(stopping).await;
}

#[tokio::test]
async fn a_stream_with_half_a_message_is_told_the_same() {
    let server = TestServer::start_with(without_end).await;
    let call = tokio::spawn(raw::half(server.address, "StreamSolve"));
    server.counted("grpc_server_started_total", &[]).await;
    ended(server.begin_stop()).await;
    let end = call.await.unwrap();
    assert_eq!(end.code(), Code::Unavailable, "{end:?}");
    assert_eq!(error_info(&end).reason, "DRAINING");
}
