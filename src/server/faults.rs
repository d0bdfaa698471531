//! Why a server cannot start: all reasons at once, so that they can be mended at once.

use std::fmt;
use std::io;
use std::net::SocketAddr;

use super::tls::TlsError;
use crate::config::{Contradictions, Listen};

/// One reason why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Settings contradict each other.
    #[error(transparent)]
    Config(#[from] Contradictions),
    /// The address cannot be listened to.
    #[error("--listen {address}: {error}")]
    Listen {
        /// The address.
        address: Listen,
        /// What the system said.
        error: io::Error,
    },
    /// A file for TLS cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The address for operators cannot be listened to.
    #[error("--admin {address}: {error}")]
    Admin {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        error: io::Error,
    },
    /// The threads for connections cannot be started.
    #[error("the server threads cannot be started: {0}")]
    Cores(io::Error),
    /// The threads for long searches cannot be started.
    #[error("the solver threads cannot be started: {0}")]
    Workers(io::Error),
}

/// All reasons why a server cannot start.
#[derive(Debug, Default)]
pub struct Faults(Vec<StartError>);

impl Faults {
    /// What there is, or nothing, with the reason noted.
    pub(super) fn note<T>(&mut self, tried: Result<T, impl Into<StartError>>) -> Option<T> {
        tried.map_err(|error| self.0.push(error.into())).ok()
    }
}

impl fmt::Display for Faults {
    /// One line for each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Faults {}
