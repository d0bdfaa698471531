//! Whether callers should come, told to all who ask: health checks and `/readyz`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use tonic_health::ServingStatus;
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::server::{HealthReporter, health_reporter};

use crate::grpc::SERVICE_NAME;

/// Tells that the server is ready, until it is not any more.
#[derive(Debug)]
pub(super) struct Readiness {
    health: HealthReporter,
    is_ready: Arc<AtomicBool>,
}

impl Readiness {
    /// The server is ready; the service answers health checks.
    pub(super) async fn begin() -> (Self, HealthServer<impl Health>) {
        // It says of itself that the server as a whole, called "", serves.
        let (health, service) = health_reporter();
        let serving = ServingStatus::Serving;
        health.set_service_status(SERVICE_NAME, serving).await;
        let is_ready = Arc::new(AtomicBool::new(true));
        (Self { health, is_ready }, service)
    }

    /// Is true for as long as the server is ready.
    pub(super) fn is_ready(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_ready)
    }

    /// The server is not ready any more.
    pub(super) async fn end(&self) {
        self.is_ready.store(false, Relaxed);
        for service in ["", SERVICE_NAME] {
            self.health
                .set_service_status(service, ServingStatus::NotServing)
                .await;
        }
    }
}
