//! Traces: where the spans of calls are sent, and which.

use clap::Args;
use http::Uri;
use http::uri::Scheme;

use super::Contradiction;

/// Traces: where the spans of calls are sent, and which.
#[derive(Debug, Clone, Args)]
pub struct TraceSettings {
    /// The OpenTelemetry collector to send a span for each call to, over gRPC, as
    /// `http://localhost:4317`
    #[arg(long, env = "SUDOKU_OTLP_ENDPOINT", value_name = "URL", value_parser = endpoint)]
    pub otlp_endpoint: Option<Uri>,

    /// The share of calls without a `traceparent` that get a span; where there is one, it
    /// says so itself
    #[arg(long, env = "SUDOKU_TRACE_RATIO", default_value_t = 1.0, value_parser = ratio)]
    pub trace_ratio: f64,
}

impl Default for TraceSettings {
    /// What holds without flags.
    fn default() -> Self {
        Self {
            otlp_endpoint: None,
            trace_ratio: 1.0,
        }
    }
}

impl TraceSettings {
    pub(super) fn check(&self) -> Option<Contradiction> {
        let is_in_vain = self.otlp_endpoint.is_some() && !cfg!(feature = "otlp");
        is_in_vain.then_some(Contradiction::NotBuilt {
            setting: "--otlp-endpoint",
            feature: "otlp",
        })
    }
}

fn endpoint(text: &str) -> Result<Uri, String> {
    let uri: Option<Uri> = text.parse().ok();
    let is_endpoint = |uri: &Uri| {
        uri.scheme() == Some(&Scheme::HTTP) && uri.path() == "/" && uri.query().is_none()
    };
    uri.filter(is_endpoint)
        .ok_or_else(|| "write it as http://localhost:4317".into())
}

fn ratio(text: &str) -> Result<f64, String> {
    let ratio = text.parse().ok();
    ratio
        .filter(|ratio| (0.0..=1.0).contains(ratio))
        .ok_or_else(|| "write a number from 0 to 1, as 0.05".into())
}
