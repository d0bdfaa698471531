//! Connections: how many, how long, and what a peer must say to have one.

use std::error::Error;
use std::iter::successors;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::future::join_all;
use sudoku_service::config::TimeLimit;
use sudoku_service::grpc::v1::{
    CountSolutionsRequest, SolveRequest, SolveResponse, StreamSolveRequest,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Status};

use crate::support::{PATIENCE, PUZZLE, SOLUTION, TestServer, error_info};

/// What a peer that sends `bytes` and nothing more is answered, up to the end.
pub(crate) async fn answer_to(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    until_closed(&mut stream).await
}

async fn until_closed(stream: &mut TcpStream) -> Vec<u8> {
    let mut answer = vec![];
    let end = timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    // Closed with a reset is closed, too.
    drop(end.expect("the connection stays open"));
    answer
}

fn limit(milliseconds: u64) -> TimeLimit {
    Duration::from_millis(milliseconds).into()
}

#[tokio::test]
async fn http1_is_told_that_http2_is_needed() {
    let server = TestServer::start().await;
    let request = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let answer = String::from_utf8(answer_to(server.address, request).await).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 505 "), "{head}");
    assert!(
        head.contains(&format!("content-length: {}", body.len())),
        "{head}"
    );
    assert!(body.contains("HTTP/2"), "{body}");
    server.assert_alive().await;
    server.stop().await;
}

#[tokio::test]
async fn other_protocols_are_hung_up_on() {
    let server = TestServer::start().await;
    let tls_hello = [
        0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03,
    ];
    for bytes in [&tls_hello[..], b"\0", b"PRI * HTTP/2.0\r\n\r\nXX", b"hello"] {
        let answer = answer_to(server.address, bytes).await;
        let is_http1 = bytes[0].is_ascii_uppercase();
        assert_eq!(answer.is_empty(), !is_http1, "{bytes:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn who_says_nothing_or_half_of_it_is_hung_up_on() {
    let server = TestServer::start().await;
    let begun = Instant::now();
    let (silent, half) = tokio::join!(
        answer_to(server.address, b""),
        answer_to(server.address, b"PRI * HTTP/2.0\r\n"),
    );
    assert!(silent.is_empty() && half.is_empty());
    assert!((9..15).contains(&begun.elapsed().as_secs()));
    server.stop().await;
}

#[tokio::test]
async fn a_dead_peer_is_found() {
    let server = TestServer::start_with(|config| {
        config.connections.keepalive_interval = limit(50);
        config.connections.keepalive_timeout = Duration::from_millis(50);
    })
    .await;
    // It has said that it speaks HTTP/2, and answers no PING.
    let begun = Instant::now();
    answer_to(
        server.address,
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
    )
    .await;
    assert!(begun.elapsed() < Duration::from_secs(5));
    server.assert_alive().await;
    server.stop().await;
}

#[tokio::test]
async fn connections_over_the_cap_are_closed_at_once() {
    let server = TestServer::start_with(|config| config.connections.max_connections = 2).await;
    let mut second = TcpStream::connect(server.address).await.unwrap();
    let refused = answer_to(server.address, b"").await;
    assert!(refused.is_empty());
    server.assert_alive().await;
    // A place that becomes free is given to the next.
    second.shutdown().await.unwrap();
    until_closed(&mut second).await;
    server.connect().await;
    server.stop().await;
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
    let request = CountSolutionsRequest {
        grid: ".".repeat(81),
        limit: 1_000_000,
    };
    let busy = tokio::spawn(async move { client.count_solutions(request).await });
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
    let server = TestServer::start_with(|config| {
        config.connections.max_connection_age = limit(100);
        config.connections.max_connection_age_grace = limit(100);
    })
    .await;
    let (_requests, receiver) = mpsc::channel(1);
    let mut client = server.client.clone();
    let stream = client.stream_solve(ReceiverStream::new(receiver)).await;
    let mut responses = stream.unwrap().into_inner();
    let ended = timeout(PATIENCE, responses.message()).await;
    ended.expect("the grace has no end").unwrap_err();
    server.stop().await;
}

#[tokio::test]
async fn limits_of_messages_and_headers_are_settings() {
    let server = TestServer::start_with(|config| {
        config.connections.max_message_size = 1024;
        config.connections.max_header_size = 2048;
    })
    .await;
    let status = server.solve(&" ".repeat(2000)).await.unwrap_err();
    assert_eq!(status.code(), Code::ResourceExhausted);
    assert_eq!(error_info(&status).metadata["limit"], "1024");
    let answer = server.client.clone().solve(request_with_header(1000)).await;
    assert_eq!(answer.unwrap().get_ref().solution, SOLUTION);
    let refused = server.client.clone().solve(request_with_header(4000)).await;
    refused.unwrap_err();
    server.assert_alive().await;
    server.stop().await;
}

fn request_with_header(length: usize) -> tonic::Request<SolveRequest> {
    let mut request = tonic::Request::new(SolveRequest {
        grid: PUZZLE.into(),
        ..Default::default()
    });
    let value = "x".repeat(length).parse().unwrap();
    request.metadata_mut().insert("x-long", value);
    request
}

#[tokio::test]
async fn rapid_resets_end_the_connection_of_their_sender() {
    let server = TestServer::start_with(|config| config.connections.max_reset_streams = 10).await;
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0".to_vec();
    for stream in (1..2000_u32).step_by(2) {
        // HEADERS with :method POST, :scheme http, :path /, END_HEADERS; then RST_STREAM.
        bytes.extend([0, 0, 3, 1, 4].iter().chain(&stream.to_be_bytes()));
        bytes.extend([0x83, 0x86, 0x84]);
        bytes.extend([0, 0, 4, 3, 0].iter().chain(&stream.to_be_bytes()));
        bytes.extend([0, 0, 0, 8]);
    }
    answer_to(server.address, &bytes).await;
    server.assert_alive().await;
    server.stop().await;
}
