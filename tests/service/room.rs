//! Large messages that begin to arrive and do not end: bounded memory, and others are served.

use std::time::Duration;

use sudoku_service::grpc::v1;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tonic::{Code, Status};

use crate::raw;
use crate::support::{PATIENCE, PUZZLE, TestServer, error_info};

const KIB: u32 = 1024;

/// A server with room for 512 KiB of messages.
async fn small_server(max_deadline: Duration) -> TestServer {
    TestServer::start_with(|config| {
        config.connections.max_message_size = 64 * KIB;
        config.deadline = max_deadline;
        config.max_deadline = max_deadline;
    })
    .await
}

/// A batch of about 40 KiB.
async fn large_batch(server: &TestServer) -> Result<(), Status> {
    let request = v1::SolveRequest {
        grid: PUZZLE.to_owned() + &" ".repeat(900),
        skip_uniqueness_check: false,
    };
    let requests = vec![request; 40];
    let batch = v1::BatchSolveRequest { requests };
    server.client.clone().batch_solve(batch).await.map(|_| ())
}

#[tokio::test]
async fn a_call_for_which_there_is_no_room_is_refused() {
    let server = small_server(PATIENCE).await;
    // As many as do not fit.
    let mut stalled = JoinSet::new();
    for method in ["BatchSolve", "StreamSolve"].repeat(5) {
        stalled.spawn(raw::stalled(server.address, method, 60 * KIB));
    }
    let refused = timeout(PATIENCE, stalled.join_next()).await.unwrap();
    let refused = refused.unwrap().unwrap();
    assert_eq!(refused.code(), Code::Unavailable, "{refused:?}");
    assert_eq!(error_info(&refused).reason, "OVERLOADED");
    assert!(refused.metadata().contains_key("grpc-retry-pushback-ms"));
    // What is small is served all the while.
    server.assert_alive().await;
    let metrics = server.metrics().await;
    assert!(metrics.value("sudoku_refused_messages_total", &[]) >= 1.0);
    // When the others are gone, there is room.
    drop(stalled);
    let until_there_is_room = async { while large_batch(&server).await.is_err() {} };
    timeout(PATIENCE, until_there_is_room).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn a_large_message_has_to_arrive_in_time() {
    let server = small_server(Duration::from_millis(50)).await;
    // A stream has no deadline of its own.
    let ended = raw::stalled(server.address, "StreamSolve", 60 * KIB);
    let ended = timeout(PATIENCE, ended).await.unwrap();
    assert_eq!(ended.code(), Code::DeadlineExceeded, "{ended:?}");
    assert_eq!(error_info(&ended).reason, "DEADLINE");
    server.assert_alive().await;
    server.stop().await;
}
