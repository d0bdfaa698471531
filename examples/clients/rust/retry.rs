//! Trying again. tonic's client reads no service config, so this does for one call what
//! others do by themselves.

use std::time::Duration;

use serde_json::Value;
use tokio::time::sleep;
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// How often a call is tried, and how long to wait in between.
#[derive(Debug)]
pub(crate) struct RetryPolicy {
    attempts: u64,
    first_pause: Duration,
    longest_pause: Duration,
    factor: f64,
}

impl RetryPolicy {
    /// What `deploy/service-config.json` says of the unary methods.
    pub(crate) fn published() -> Self {
        let text = include_str!("../../../deploy/service-config.json");
        let config: Value = serde_json::from_str(text).expect("it is JSON");
        let policy = &config["methodConfig"][0]["retryPolicy"];
        Self {
            attempts: policy["maxAttempts"].as_u64().expect("a number"),
            first_pause: seconds(&policy["initialBackoff"]),
            longest_pause: seconds(&policy["maxBackoff"]),
            factor: policy["backoffMultiplier"].as_f64().expect("a number"),
        }
    }

    /// Calls until there is an answer, an error that no other try will mend, or no try left.
    pub(crate) async fn run<T>(
        &self,
        call: impl AsyncFn() -> Result<T, Status>,
    ) -> Result<T, Status> {
        let mut pause = self.first_pause;
        for _ in 1..self.attempts {
            match call().await {
                Err(status) if status.code() == Code::Unavailable => {
                    sleep(retry_delay(&status).unwrap_or(pause)).await;
                    pause = pause.mul_f64(self.factor).min(self.longest_pause);
                }
                answer => return answer,
            }
        }
        call().await
    }
}

/// When the server wants to be asked again, if it said so.
pub(crate) fn retry_delay(status: &Status) -> Option<Duration> {
    status.get_details_retry_info()?.retry_delay
}

/// As service configs write durations: `0.2s`.
fn seconds(value: &Value) -> Duration {
    let text = value.as_str().and_then(|text| text.strip_suffix('s'));
    Duration::from_secs_f64(text.and_then(|text| text.parse().ok()).expect("seconds"))
}
