//! Health: serving from the start, not serving once it drains.

use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::support::{TestServer, ended, error_info};

fn of(service: &str) -> HealthCheckRequest {
    HealthCheckRequest {
        service: service.into(),
    }
}

#[tokio::test]
async fn the_server_and_the_service_are_healthy_from_the_start() {
    let server = TestServer::start().await;
    let mut health = HealthClient::new(server.connect().await);
    for service in ["", "sudoku.v1.SudokuService"] {
        let answer = health.check(of(service)).await.unwrap().into_inner();
        assert_eq!(answer.status(), ServingStatus::Serving, "{service}");
    }
    let unknown = health.check(of("sudoku.v2.SudokuService")).await;
    assert_eq!(unknown.unwrap_err().code(), Code::NotFound);
    drop(health);
    server.stop().await;
}

#[tokio::test]
async fn watchers_see_the_drain_begin() {
    let server = TestServer::start_with(|config| {
        // Longer than anything is waited for here: watches must not need it.
        config.drain_timeout = std::time::Duration::from_secs(600);
    })
    .await;
    let mut health = HealthClient::new(server.connect().await);
    let mut watches = Vec::new();
    for service in ["", "sudoku.v1.SudokuService"] {
        let mut watch = health.watch(of(service)).await.unwrap().into_inner();
        let first = watch.message().await.unwrap().unwrap();
        assert_eq!(first.status(), ServingStatus::Serving);
        watches.push(watch);
    }
    let stopping = server.begin_stop();
    for watch in &mut watches {
        let second = watch.message().await.unwrap().unwrap();
        assert_eq!(second.status(), ServingStatus::NotServing);
        let end = watch.message().await.unwrap_err();
        assert_eq!(end.code(), Code::Unavailable);
        assert_eq!(error_info(&end).reason, "DRAINING");
    }
    ended(stopping).await;
}
