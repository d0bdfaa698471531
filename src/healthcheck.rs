//! Asking a running server for its health, for probes in images without a shell.

use std::time::Duration;

use tonic::Status;
use tonic::transport::Endpoint;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::config::Listen;

/// Probes are asked every few seconds and have to be done before the next.
const PATIENCE: Duration = Duration::from_secs(3);

/// Why a server is not healthy, or not known to be.
#[derive(Debug, thiserror::Error)]
pub enum Unhealthy {
    /// It cannot be reached.
    #[error("cannot connect: {0}")]
    Unreachable(#[from] tonic::transport::Error),
    /// It does not say.
    #[error("no answer: {0}")]
    Unanswered(#[from] Status),
    /// It does not serve.
    #[error("{}", .0.as_str_name())]
    NotServing(ServingStatus),
}

/// Asks the server at `address` if it serves.
///
/// # Errors
///
/// If it says that it does not, or does not answer in three seconds.
pub async fn healthcheck(address: &Listen) -> Result<(), Unhealthy> {
    let uri = match address {
        Listen::Ip(address) => format!("http://{address}"),
        Listen::Unix(_) => address.to_string(),
    };
    let endpoint = Endpoint::from_shared(uri)?
        .connect_timeout(PATIENCE)
        .timeout(PATIENCE);
    let mut health = HealthClient::new(endpoint.connect().await?);
    let answer = health.check(HealthCheckRequest::default()).await?;
    match answer.into_inner().status() {
        ServingStatus::Serving => Ok(()),
        other => Err(Unhealthy::NotServing(other)),
    }
}
