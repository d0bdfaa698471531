//! What the server counts, and how Prometheus reads it.
//!
//! Every series is there from the start, under names fixed at compile time: a call finds
//! its own by one look at its path and only adds to numbers. Names and labels of
//! `grpc_server_*` are those of go-grpc-middleware, which dashboards know.

mod calls;
mod export;
mod methods;
mod work;

use std::fmt;
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

use crate::tally::{Counter, Gauge, Tally};
pub use calls::{Calls, Series, code_name};
pub use methods::{METHODS, Method};

/// What the server counts.
#[derive(Debug, Default)]
pub struct Metrics {
    /// The calls, by method.
    pub calls: Calls,
    /// The calls that have begun and not ended.
    pub inflight: Gauge,
    /// The connections that are open.
    pub connections: Gauge,
    /// The connections that were refused because there were too many.
    pub refused_connections: Counter,
    /// The connections that ended because their peer broke the rules of HTTP/2.
    pub broken_connections: Counter,
    /// The large messages that were refused because too many had begun to arrive.
    pub refused_messages: Counter,
    /// The connections given up because the peer did not say in time, or not rightly,
    /// what it wants.
    pub failed_handshakes: Counter,
    /// The connections closed because of frames that were of no call.
    pub flooding_connections: Counter,
    /// The times that no connection could be accepted.
    pub failed_accepts: Counter,
    /// The requests that were no gRPC calls.
    pub refused_requests: Counter,
    /// Until when the certificate is valid, in seconds of Unix time; 0 without TLS.
    pub certificate_expiry: Gauge,
    /// The calls that panicked.
    pub panics: Counter,
}

/// Everything that is exported: what the server counts, and what the solver does.
#[must_use]
pub fn registry(
    metrics: &Arc<Metrics>,
    tally: &Arc<Tally>,
    build: Vec<(&'static str, String)>,
) -> Registry {
    let mut registry = Registry::default();
    registry.register("sudoku_build", "This program", Info::new(build));
    registry.register_collector(Box::new(Arc::clone(metrics)));
    registry.register_collector(Box::new(work::Work(Arc::clone(tally))));
    registry
}

impl Collector for Metrics {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let encoder = &mut encoder;
        self.calls.encode(encoder)?;
        for (name, help, gauge) in self.gauges() {
            export::gauge(encoder, name, help, gauge)?;
        }
        for (name, help, counter) in self.counters() {
            export::counter(encoder, name, help, counter)?;
        }
        Ok(())
    }
}

impl Metrics {
    const fn gauges(&self) -> [(&'static str, &'static str, &Gauge); 3] {
        [
            (
                "sudoku_inflight",
                "Calls that have begun and not ended",
                &self.inflight,
            ),
            (
                "sudoku_connections",
                "Connections that are open",
                &self.connections,
            ),
            (
                "sudoku_tls_cert_expiry_seconds",
                "Until when the certificate is valid, in Unix time; 0 without TLS",
                &self.certificate_expiry,
            ),
        ]
    }

    const fn counters(&self) -> [(&'static str, &'static str, &Counter); 8] {
        [
            (
                "sudoku_refused_connections",
                "Connections refused because there were too many",
                &self.refused_connections,
            ),
            (
                "sudoku_failed_handshakes",
                "Connections given up before their first call",
                &self.failed_handshakes,
            ),
            (
                "sudoku_flooding_connections",
                "Connections closed because of frames that were of no call",
                &self.flooding_connections,
            ),
            (
                "sudoku_broken_connections",
                "Connections ended because their peer broke the rules of HTTP/2",
                &self.broken_connections,
            ),
            (
                "sudoku_failed_accepts",
                "Times that no connection could be accepted",
                &self.failed_accepts,
            ),
            (
                "sudoku_refused_messages",
                "Large messages refused because too many had begun to arrive",
                &self.refused_messages,
            ),
            (
                "sudoku_refused_requests",
                "Requests that were no gRPC calls",
                &self.refused_requests,
            ),
            ("sudoku_panics", "Calls that panicked", &self.panics),
        ]
    }
}
