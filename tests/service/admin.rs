//! The admin port: alive, ready, which version, and how it goes when the server does.

use std::time::Duration;

use futures_util::future::join_all;
use sudoku_service::config::Admin;
use sudoku_service::grpc::v1::CountSolutionsRequest;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

use crate::operator::{self, Answer};
use crate::support::{PATIENCE, TestServer, ended};

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

#[tokio::test]
async fn who_says_nothing_or_not_all_is_hung_up_on_and_more_are_not_let_in() {
    let server = TestServer::start().await;
    let admin = server.admin.unwrap();
    let begun = Instant::now();
    let half = b"PUT /version HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n";
    let open = join_all((0..64).map(|number| async move {
        let mut stream = TcpStream::connect(admin).await.unwrap();
        stream
            .write_all(&half[..number.min(half.len())])
            .await
            .unwrap();
        stream
    }))
    .await;
    // They are accepted in their order, so this is the one too many.
    let mut refused = TcpStream::connect(admin).await.unwrap();
    let closed = async |stream: &mut TcpStream| {
        let mut answer = vec![];
        let end = timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
        // Closed with a reset is closed, too.
        drop(end.expect("the connection stays open"));
        answer
    };
    assert!(closed(&mut refused).await.is_empty());
    assert!(begun.elapsed().as_secs() < 9);
    for mut stream in open {
        closed(&mut stream).await;
    }
    assert!((9..20).contains(&begun.elapsed().as_secs()));
    assert_eq!(server.told("/livez").await, plain(200, "ok\n"));
    server.stop().await;
}
