//! Frames that cost their sender nothing: they end its connection, and nobody else's.
#![allow(
    clippy::float_cmp,
    reason = "counts are whole numbers, which floats hold exactly"
)]

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::connections::answer_to;
use crate::support::{PATIENCE, TestServer};

const BEGINNING: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// Sends `frame` over and over until the connection is closed, and gives how often.
async fn flood(address: SocketAddr, frame: &[u8], most: usize) -> usize {
    let (mut reader, mut writer) = TcpStream::connect(address).await.unwrap().into_split();
    writer.write_all(BEGINNING).await.unwrap();
    let many = frame.repeat(100);
    let sending = async {
        for sent in 0..most / 100 {
            if writer.write_all(&many).await.is_err() {
                return sent * 100;
            }
        }
        most
    };
    let mut answer = vec![];
    let (sent, _closed) = tokio::join!(sending, reader.read_to_end(&mut answer));
    sent
}

#[tokio::test]
async fn floods_of_frames_that_are_of_no_call_end_their_connection() {
    let ping = [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    let ping_ack = [0, 0, 8, 6, 1, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    let priority = [0, 0, 5, 2, 0, 0, 0, 0, 1, 0, 0, 0, 3, 7];
    let unknown = [0, 0, 0, 0xfa, 0, 0, 0, 0, 0];
    let server = TestServer::start().await;
    for frame in [
        &ping[..],
        &ping_ack[..],
        &settings[..],
        &priority[..],
        &unknown[..],
    ] {
        let flooding = flood(server.address, frame, 10_000_000);
        let sent = timeout(PATIENCE, flooding).await.expect("it goes on");
        assert!((100..5_000_000).contains(&sent), "{sent} of {frame:?}");
        server.assert_alive().await;
    }
    let metrics = server.metrics().await;
    assert_eq!(metrics.sum("sudoku_flooding_connections_total", &[]), 5.0);
    server.stop().await;
}

#[tokio::test]
async fn a_peer_that_breaks_the_rules_is_counted() {
    let server = TestServer::start().await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(BEGINNING).await.unwrap();
    // Data of no call.
    stream
        .write_all(&[0, 0, 1, 0, 0, 0, 0, 0, 0, 7])
        .await
        .unwrap();
    let mut answer = vec![];
    let closed = timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    closed.expect("it goes on").unwrap();
    let metrics = server.counted("sudoku_broken_connections_total", &[]).await;
    assert_eq!(metrics.value("sudoku_broken_connections_total", &[]), 1.0);
    assert_eq!(metrics.value("sudoku_failed_handshakes_total", &[]), 0.0);
    server.assert_alive().await;
    server.stop().await;
}

#[tokio::test]
async fn a_trickle_of_pings_is_no_flood() {
    let server = TestServer::start().await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(BEGINNING).await.unwrap();
    let ping = [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    stream.write_all(&ping.repeat(10_000)).await.unwrap();
    // All are answered.
    let mut answers = vec![0; 10_000 * ping.len()];
    let answered = timeout(PATIENCE, stream.read_exact(&mut answers)).await;
    answered.expect("no answer").unwrap();
    server.stop().await;
}

#[tokio::test]
async fn rapid_resets_end_the_connection_of_their_sender() {
    let server = TestServer::start_with(|config| config.connections.max_reset_streams = 10).await;
    let mut bytes = BEGINNING.to_vec();
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
