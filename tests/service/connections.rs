//! Connections: how many, how large, and what a peer must say to have one.

use std::net::SocketAddr;
use std::time::Duration;

use sudoku_service::config::TimeLimit;
use sudoku_service::grpc::v1::SolveRequest;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};
use tonic::Code;

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
    let refused = server.client.clone().solve(request_with_header(2000)).await;
    let status = refused.unwrap_err();
    assert_eq!(status.code(), Code::ResourceExhausted, "{status}");
    let info = error_info(&status);
    assert_eq!(info.reason, "HEADER_TOO_LARGE");
    assert_eq!(info.metadata["limit"], "2048");
    // Far too much is HTTP/2's to refuse.
    let refused = server.client.clone().solve(request_with_header(8000)).await;
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
