//! Any bytes on a connection, and most of them nearly HTTP/2: the server survives them,
//! ends the connection, and goes on answering on another one.

mod connection;
mod frames;
mod headers;

use std::net::SocketAddr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sudoku_service::config::{Admin, Config, Listen};
use sudoku_service::grpc::v1;
use sudoku_service::grpc::v1::sudoku_service_client::SudokuServiceClient;
use sudoku_service::server::Server;
use tokio::runtime::Runtime;
use tonic::transport::{Channel, Endpoint};

use super::bytes::Bytes;
use crate::oracle::samples;
use connection::{Connection, check_frames, exchanged};
use frames::{Kind, PREFACE, call, frame, frames, spoil};

/// Long enough for whatever does not hang.
const PATIENCE: Duration = Duration::from_secs(60);
/// The other connection is asked after so many.
const BETWEEN_CALLS: u64 = 16;

/// A server that runs as long as this process, and a client of it.
struct Running {
    address: SocketAddr,
    admin: SocketAddr,
    runtime: Runtime,
    client: SudokuServiceClient<Channel>,
    connections: AtomicU64,
}

static RUNNING: LazyLock<Running> = LazyLock::new(|| {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(1).enable_all().build();
    let runtime = runtime.expect("a runtime");
    let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
    let mut config = Config {
        listen: Listen::Ip(any_port),
        admin: Admin::At(any_port),
        max_guesses: 10_000,
        ..Config::default()
    };
    // Small, so that bytes get over them.
    config.connections.max_concurrent_streams = 8;
    config.connections.max_message_size = 16 * 1024;
    config.connections.max_reset_streams = 8;
    let server = runtime.block_on(Server::bind(config)).expect("a server");
    let address = server.local_addr().ip().expect("an IP address");
    let admin = server.admin_addr().expect("an admin port");
    runtime.spawn(server.run(std::future::pending::<()>()));
    let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("an address");
    let channel = runtime.block_on(endpoint.connect()).expect("a connection");
    Running {
        address,
        admin,
        runtime,
        client: SudokuServiceClient::new(channel),
        connections: AtomicU64::new(0),
    }
});

/// Checks what becomes of a connection with the bytes in `data`.
///
/// # Panics
///
/// If something is not as it must be.
pub fn check(data: &[u8]) {
    let running = &*RUNNING;
    let mut bytes = Bytes::new(data);
    match bytes.below(16) {
        0 => drop(exchanged(running.address, bytes.rest(), true)),
        1 => {
            let bytes = [PREFACE, &frame(Kind::Settings, 0, 0, &[]), bytes.rest()].concat();
            check_frames(&exchanged(running.address, &bytes, true));
        }
        _ => check_connection(&mut Connection::open(running.address), &mut bytes),
    }
    let connections = running.connections.fetch_add(1, Ordering::Relaxed);
    if connections.is_multiple_of(BETWEEN_CALLS) {
        check_alive();
    }
}

/// Some calls, which all come to an end, and then frames of which some are spoilt.
fn check_connection(connection: &mut Connection, bytes: &mut Bytes<'_>) {
    let mut next_stream = 1;
    let mut calls = Vec::new();
    for _ in 0..bytes.below(6) {
        let (frames, does_end) = call(bytes, next_stream);
        connection.send(&frames);
        calls.extend(does_end.then_some(next_stream));
        next_stream += 2;
    }
    connection.ping();
    connection.receive_until(|seen| {
        seen.is_acknowledged && calls.iter().all(|call| seen.ended.contains(call))
    });
    let (mut sent, mut is_spoilt) = (Vec::new(), false);
    while !bytes.is_empty() && sent.len() < 128 * 1024 {
        let mut frames = frames(bytes, &mut next_stream);
        if bytes.below(8) == 7 {
            spoil(&mut frames, bytes);
            is_spoilt = true;
        }
        sent.extend(frames);
    }
    connection.send(&sent);
    if !is_spoilt {
        // Whole frames are read to the last, unless one of them ends the connection. At
        // the end of a connection the calls of its last frames would not be begun.
        connection.ping();
        connection.receive_until(|seen| seen.is_acknowledged);
    }
    connection.end();
    connection.receive_until(|_| false);
}

/// Another connection is answered on, and no call has panicked.
///
/// # Panics
///
/// If something is not as it must be.
pub fn check_alive() {
    let running = &*RUNNING;
    let request = v1::SolveRequest {
        grid: samples::PUZZLE.into(),
        ..Default::default()
    };
    let mut client = running.client.clone();
    let call = async { tokio::time::timeout(PATIENCE, client.solve(request)).await };
    let answer = running.runtime.block_on(call).expect("it hangs");
    let answer = answer.expect("an answer").into_inner();
    assert_eq!(answer.solution, samples::SOLUTION);
    let metrics = exchanged(running.admin, b"GET /metrics HTTP/1.0\r\n\r\n", false);
    let metrics = String::from_utf8(metrics).expect("text");
    let panics = metrics
        .lines()
        .find(|line| line.starts_with("sudoku_panics_total"));
    assert_eq!(panics, Some("sudoku_panics_total 0"));
}
