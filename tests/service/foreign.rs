//! Requests on the port of gRPC that are no calls.
#![allow(
    clippy::float_cmp,
    reason = "counts are whole numbers, which floats hold exactly"
)]

use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::Full;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;

use crate::support::TestServer;

/// What is answered to a request with this method and content type.
async fn answer(server: &TestServer, method: &str, kind: Option<&str>) -> (StatusCode, HeaderMap) {
    let stream = TcpStream::connect(server.address).await.unwrap();
    let (mut sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
        .await
        .unwrap();
    tokio::spawn(connection);
    let uri = format!("http://{}/sudoku.v1.SudokuService/Solve", server.address);
    let mut request = Request::builder().method(method).uri(uri);
    if let Some(kind) = kind {
        request = request.header("content-type", kind);
    }
    let body = Full::new(Bytes::from_static(b"{}"));
    let response = sender.send_request(request.body(body).unwrap()).await;
    let (head, _) = response.unwrap().into_parts();
    (head.status, head.headers)
}

#[tokio::test]
async fn they_get_a_status_of_http_and_count_as_no_calls() {
    for is_web in [false, true] {
        let server = TestServer::start_with(|config| config.web.grpc_web = is_web).await;
        for kind in [None, Some("application/json"), Some("application/grpcx")] {
            let (status, headers) = answer(&server, "POST", kind).await;
            assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{kind:?}");
            assert!(!headers.contains_key("grpc-status"), "{headers:?}");
        }
        for method in ["GET", "PUT", "DELETE", "OPTIONS"] {
            let (status, headers) = answer(&server, method, Some("application/grpc")).await;
            assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{method}");
            assert_eq!(headers["allow"], "POST");
        }
        let metrics = server.metrics().await;
        assert_eq!(metrics.value("sudoku_refused_requests_total", &[]), 7.0);
        assert_eq!(metrics.sum("grpc_server_started_total", &[]), 0.0);
        server.assert_alive().await;
        server.stop().await;
    }
}
