//! Asking a running server for its health, for probes in images without a shell.

mod tls;

use std::error::Error;
use std::io;
use std::time::Duration;

use tonic::Status;
use tonic::transport::Endpoint;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::config::{Listen, TlsSettings};

/// Probes are asked every few seconds and have to be done before the next.
const PATIENCE: Duration = Duration::from_secs(3);

/// Why a server is not healthy, or not known to be.
#[derive(Debug, thiserror::Error)]
pub enum Unhealthy {
    /// A file of this machine that it needs cannot be used.
    #[error("{0}")]
    File(io::Error),
    /// It cannot be reached.
    #[error("cannot connect: {}", cause(.0))]
    Unreachable(#[from] tonic::transport::Error),
    /// It does not say.
    #[error("no answer: {0}")]
    Unanswered(#[from] Status),
    /// It does not serve.
    #[error("{}", .0.as_str_name())]
    NotServing(ServingStatus),
}

/// What tonic's "transport error" comes of.
fn cause(error: &tonic::transport::Error) -> &dyn Error {
    let mut cause: &dyn Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause
}

/// Asks the server at `address` if it serves, with `tls` over TLS.
///
/// # Errors
///
/// If it says that it does not, or does not answer in three seconds.
pub async fn healthcheck(address: &Listen, tls: Option<&TlsSettings>) -> Result<(), Unhealthy> {
    let uri = match (address, tls) {
        (Listen::Ip(address), None) => format!("http://{address}"),
        (Listen::Unix(_), None) => address.to_string(),
        // The connection is made below.
        (_, Some(_)) => "http://localhost".into(),
    };
    let endpoint = Endpoint::from_shared(uri)?
        .connect_timeout(PATIENCE)
        .timeout(PATIENCE);
    let channel = match tls {
        None => endpoint.connect().await?,
        Some(settings) => {
            let connector = tls::connector(address, settings).map_err(Unhealthy::File)?;
            endpoint.connect_with_connector(connector).await?
        }
    };
    let mut health = HealthClient::new(channel);
    let answer = health.check(HealthCheckRequest::default()).await?;
    match answer.into_inner().status() {
        ServingStatus::Serving => Ok(()),
        other => Err(Unhealthy::NotServing(other)),
    }
}
