//! gRPC-Web, as a browser makes it: HTTP/1.1, and trailers in the body.

use std::net::SocketAddr;
use std::time::Duration;

use http::HeaderValue;
use prost::Message;
use sudoku_service::grpc::v1::{EnumerateSolutionsRequest, SolveRequest, SolveResponse};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::connections::answer_to;
use crate::raw::framed;
use crate::support::{PUZZLE, SOLUTION, TestServer};

const ORIGIN: &str = "https://example.org";

async fn start() -> TestServer {
    TestServer::start_with(|config| {
        config.web.grpc_web = true;
        config.web.grpc_web_origins = vec![HeaderValue::from_static(ORIGIN)];
    })
    .await
}

/// A call of a page of `origin`, head and body.
fn call(line: &str, method: &str, origin: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "{line} /sudoku.v1.SudokuService/{method} HTTP/1.1\r\nhost: localhost\r\n\
         origin: {origin}\r\nconnection: close\r\ncontent-length: {}\r\n\
         content-type: application/grpc-web+proto\r\n\
         access-control-request-method: POST\r\n\
         access-control-request-headers: content-type,x-grpc-web\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// What a page of `origin` is answered to this, head and body.
async fn exchange(address: SocketAddr, line: &str, origin: &str, body: &[u8]) -> (String, Vec<u8>) {
    let answer = answer_to(address, &call(line, "Solve", origin, body)).await;
    let end = answer
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    (head.to_lowercase(), answer[end + 4..].to_vec())
}

fn request(grid: &str) -> Vec<u8> {
    let grid = grid.into();
    framed(
        &SolveRequest {
            grid,
            ..Default::default()
        }
        .encode_to_vec(),
    )
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[tokio::test]
async fn a_page_of_an_allowed_origin_can_call() {
    let server = start().await;
    let allowed = format!("access-control-allow-origin: {ORIGIN}");
    let (head, _) = exchange(server.address, "OPTIONS", ORIGIN, b"").await;
    assert!(
        head.starts_with("http/1.1 200") && head.contains(&allowed),
        "{head}"
    );
    assert!(
        head.contains("access-control-allow-headers: content-type,x-grpc-web"),
        "{head}"
    );

    let (head, body) = exchange(server.address, "POST", ORIGIN, &request(PUZZLE)).await;
    assert!(
        head.starts_with("http/1.1 200") && head.contains(&allowed),
        "{head}"
    );
    let solved = SolveResponse {
        solution: SOLUTION.into(),
        ..Default::default()
    };
    assert!(contains(&body, &solved.encode_to_vec()), "{body:?}");
    assert!(contains(&body, b"grpc-status:0"), "{body:?}");
    // Errors come in the body or the head, with their details.
    let (head, body) = exchange(server.address, "POST", ORIGIN, &request("5")).await;
    let told = [head.as_bytes(), &body].concat();
    assert!(contains(&told, b"grpc-status-details-bin"), "{head}");
    server.assert_alive().await;
    server.stop().await;
}

#[tokio::test]
async fn a_page_that_reads_nothing_is_hung_up_on() {
    let server = TestServer::start_with(|config| {
        config.web.grpc_web = true;
        config.connections.keepalive_timeout = Duration::from_millis(100);
    })
    .await;
    let more_than_any_buffer = EnumerateSolutionsRequest {
        grid: ".".repeat(81),
        limit: 1_000_000,
    };
    let body = framed(&more_than_any_buffer.encode_to_vec());
    let mut page = TcpStream::connect(server.address).await.unwrap();
    let request = call("POST", "EnumerateSolutions", ORIGIN, &body);
    page.write_all(&request).await.unwrap();
    let code = [
        ("grpc_method", "EnumerateSolutions"),
        ("grpc_code", "Canceled"),
    ];
    server.counted("grpc_server_handled_total", &code).await;
    server.stop().await;
}

#[tokio::test]
async fn other_origins_are_not_told_that_they_may() {
    let server = start().await;
    for line in ["OPTIONS", "POST"] {
        let (head, _) = exchange(server.address, line, "https://other.org", b"").await;
        assert!(!head.contains("access-control-allow-origin"), "{head}");
    }
    server.stop().await;
}

#[tokio::test]
async fn without_the_flag_there_is_none() {
    let server = TestServer::start().await;
    let (head, _) = exchange(server.address, "POST", ORIGIN, &request(PUZZLE)).await;
    assert!(head.starts_with("http/1.1 505"), "{head}");
    server.stop().await;
}
