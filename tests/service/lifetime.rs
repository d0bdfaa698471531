//! How long connections last, and what becomes of their calls then.

use std::error::Error;
use std::iter::successors;
use std::time::Duration;

use futures_util::future::join_all;
use sudoku_service::config::TimeLimit;
use sudoku_service::grpc::v1::{CountSolutionsRequest, SolveResponse, StreamSolveRequest};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::connections::answer_to;
use crate::support::{PATIENCE, PUZZLE, TestServer, error_info};

fn limit(milliseconds: u64) -> TimeLimit {
    Duration::from_millis(milliseconds).into()
}

fn endless() -> CountSolutionsRequest {
    CountSolutionsRequest {
        grid: ".".repeat(81),
        limit: 1_000_000,
    }
}

#[tokio::test]
async fn an_idle_connection_is_let_go_and_a_busy_one_kept() {
    let mut server = TestServer::start_slow(|config| {
        config.connections.max_connection_idle = limit(100);
        // The client sets none: tonic's would end the call by itself.
        config.deadline = Duration::from_millis(500);
    })
    .await;
    let idle = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    let mut client = server.client.clone();
    let busy = tokio::spawn(async move { client.count_solutions(endless()).await });
    server.until(|long| long.started == 1).await;
    let told = answer_to(server.address, idle).await;
    let goaway = 7;
    assert!(frames(&told).contains(&goaway), "{told:?}");
    // It had its time: on a fast machine it may even have come to its end.
    if let Err(status) = busy.await.unwrap() {
        assert_eq!(status.code(), Code::DeadlineExceeded, "{status:?}");
    }
    server.stop().await;
}

/// The types of the HTTP/2 frames in `bytes`.
fn frames(mut bytes: &[u8]) -> Vec<u8> {
    let mut types = vec![];
    while let [a, b, c, kind, _, _, _, _, _, rest @ ..] = bytes {
        types.push(*kind);
        bytes = &rest[u32::from_be_bytes([0, *a, *b, *c]) as usize..];
    }
    types
}

#[tokio::test]
async fn age_ends_connections_and_no_calls() {
    let server = TestServer::start_with(|config| {
        config.connections.max_connection_age = limit(100);
    })
    .await;
    let (requests, receiver) = mpsc::channel(4);
    let mut client = server.client.clone();
    let stream = client.stream_solve(ReceiverStream::new(receiver)).await;
    let mut responses = stream.unwrap().into_inner();
    let (mut calls, mut unsent) = (0, 0);
    let end = Instant::now() + Duration::from_secs(2);
    while Instant::now() < end {
        // Calls on a connection that ends and the next, and a stream on the first one.
        let answers = join_all((0..16).map(|_| server.solve(PUZZLE))).await;
        calls += answers.len();
        unsent += answers.into_iter().filter(is_unsent).count();
        requests.send(StreamSolveRequest::default()).await.unwrap();
        responses.message().await.unwrap().unwrap();
    }
    drop(requests);
    assert!(responses.message().await.unwrap().is_none());
    // About twenty connections have ended.
    assert!(unsent * 10 < calls, "{unsent} of {calls}");
    println!("of {calls} calls, {unsent} were not sent");
    server.stop().await;
}

/// Whether a call was never sent: tonic's client, unlike others, gives calls up that it
/// has handed to a connection which ends before they are written.
fn is_unsent(answer: &Result<SolveResponse, Status>) -> bool {
    let Err(status) = answer else { return false };
    let sources = successors(status.source(), |error| (*error).source());
    let mut causes = sources.filter_map(|error| error.downcast_ref::<hyper::Error>());
    assert!(causes.any(hyper::Error::is_canceled), "{status:?}");
    true
}

#[tokio::test]
async fn grace_ends_calls_that_do_not_end() {
    let mut server = TestServer::start_slow(|config| {
        config.connections.max_connection_age = limit(100);
        config.connections.max_connection_age_grace = limit(100);
        config.deadline = Duration::from_secs(60);
    })
    .await;
    let mut client = server.client.clone();
    let call = tokio::spawn(async move { client.count_solutions(endless()).await });
    server.until(|long| long.started == 1).await;
    let ended = timeout(PATIENCE, call).await;
    ended.expect("the grace has no end").unwrap().unwrap_err();
    server.stop().await;
}

#[tokio::test]
async fn calls_that_last_are_ended_before_the_grace_cuts_them_off() {
    let server = TestServer::start_with(|config| {
        config.connections.max_connection_age = limit(100);
        config.connections.max_connection_age_grace = limit(2000);
    })
    .await;
    let (requests, receiver) = mpsc::channel(1);
    let mut client = server.client.clone();
    let stream = client.stream_solve(ReceiverStream::new(receiver)).await;
    let mut responses = stream.unwrap().into_inner();
    let mut health = HealthClient::new(server.connect().await);
    let watch = health.watch(HealthCheckRequest::default()).await;
    let mut watch = watch.unwrap().into_inner();
    watch.message().await.unwrap().unwrap();
    requests.send(StreamSolveRequest::default()).await.unwrap();
    let answer = responses.message().await.unwrap().unwrap();
    assert_eq!(answer.sequence_number, 1);
    for end in [
        responses.message().await.unwrap_err(),
        watch.message().await.unwrap_err(),
    ] {
        assert_eq!(end.code(), Code::Unavailable, "{end:?}");
        assert_eq!(error_info(&end).reason, "DRAINING");
    }
    server.stop().await;
}
