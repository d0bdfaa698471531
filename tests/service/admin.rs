//! The admin port: alive, ready, which version, and how it goes when the server does.

use std::time::Duration;

use sudoku_service::config::Admin;
use sudoku_service::grpc::v1::CountSolutionsRequest;
use tokio::net::TcpStream;

use crate::operator::{self, Answer};
use crate::support::{TestServer, ended};

fn plain(status: u16, text: &str) -> Answer {
    Answer {
        status,
        content_type: "text/plain; charset=utf-8".into(),
        text: text.into(),
    }
}

#[tokio::test]
async fn it_is_alive_ready_and_tells_its_version() {
    let server = TestServer::start().await;
    assert_eq!(server.told("/livez").await, plain(200, "ok\n"));
    assert_eq!(server.told("/readyz").await, plain(200, "ok\n"));
    let version = server.told("/version").await;
    assert_eq!(version.content_type, "application/json");
    let version: serde_json::Value = serde_json::from_str(&version.text).unwrap();
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    assert!(version["engine"].is_string(), "{version}");
    assert_eq!(server.told("/").await.status, 404);
    let posted = operator::ask(server.admin.unwrap(), "POST", "/readyz", "").await;
    assert_eq!(posted.status, 405);
    server.stop().await;
}

#[tokio::test]
async fn readiness_ends_first_and_the_port_last() {
    let mut server = TestServer::start_slow(|config| {
        // Longer than anything is waited for here.
        config.drain_timeout = Duration::from_secs(600);
    })
    .await;
    let mut client = server.client.clone();
    let endless = CountSolutionsRequest {
        grid: ".".repeat(81),
        limit: 1_000_000,
    };
    let call = tokio::spawn(async move { client.count_solutions(endless).await });
    server.until(|long| long.started == 1).await;
    let admin = server.admin.unwrap();
    let stopping = server.begin_stop();
    // The open call holds the server.
    let draining = plain(503, "draining\n");
    while operator::get(admin, "/readyz").await != draining {}
    assert_eq!(operator::get(admin, "/livez").await, plain(200, "ok\n"));
    call.abort();
    ended(stopping).await;
    assert!(TcpStream::connect(admin).await.is_err());
}

#[tokio::test]
async fn it_can_be_left_out() {
    let server = TestServer::start_with(|config| config.admin = Admin::Off).await;
    assert_eq!(server.admin, None);
    server.assert_alive().await;
    server.stop().await;
}
