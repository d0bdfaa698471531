//! Serving on a Unix socket.

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;

use sudoku_service::config::{Config, Listen};
use sudoku_service::server::Server;
use tonic::transport::{Channel, Endpoint};

use crate::folder::Folder;
use crate::support::TestServer;

async fn start(path: &Path) -> TestServer {
    let listen = Listen::Unix(path.into());
    TestServer::start_reached(|config| config.listen = listen, reach).await
}

async fn reach(listen: &Listen) -> Channel {
    let endpoint = Endpoint::from_shared(listen.to_string()).unwrap();
    endpoint.connect().await.unwrap()
}

#[tokio::test]
async fn calls_are_answered_and_the_file_is_gone_afterwards() {
    let folder = Folder::new("unix");
    let path = folder.path("socket");
    let server = start(&path).await;
    server.assert_alive().await;
    server.stop().await;
    assert!(!path.exists());
}

#[tokio::test]
async fn the_socket_of_a_killed_server_is_taken_over() {
    let folder = Folder::new("stale");
    let path = folder.path("socket");
    drop(UnixListener::bind(&path).unwrap());
    assert!(path.exists());
    let server = start(&path).await;
    server.assert_alive().await;
    server.stop().await;
}

#[tokio::test]
async fn the_socket_of_a_running_server_and_other_files_are_left_alone() {
    let folder = Folder::new("taken");
    let taken = folder.path("socket");
    let server = start(&taken).await;
    let file = folder.write("file", "dear to somebody");
    for path in [&taken, &file] {
        let config = Config {
            listen: Listen::Unix(path.clone()),
            ..Config::default()
        };
        let error = Server::bind(config).await.unwrap_err().to_string();
        let setting = format!("--listen unix:{}: ", path.display());
        assert!(error.starts_with(&setting), "{error}");
    }
    server.assert_alive().await;
    assert_eq!(fs::read_to_string(file).unwrap(), "dear to somebody");
    server.stop().await;
}
