//! How long a connection lasts.
//!
//! A balancer that knows connections and not calls spreads load only as often as clients
//! connect anew. So a connection that has reached its age takes no more calls: its client
//! is told to go on elsewhere (GOAWAY), and the calls that are open end as they would.

use std::future::pending;
use std::hash::{BuildHasher, RandomState};
use std::pin::pin;
use std::time::Duration;

use hyper_util::server::graceful::GracefulConnection;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

use super::open_calls::OpenCalls;
use crate::config::ConnectionSettings;

/// How long a peer that was told to go may stay without calls: it has only to say that
/// it has understood.
const LEAVE_LIMIT: Duration = Duration::from_secs(10);

/// How long connections last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lifetime {
    age: Option<Duration>,
    grace: Option<Duration>,
    idle: Option<Duration>,
}

/// Why a connection takes no more calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    Aged,
    Idle,
    Draining,
}

impl Lifetime {
    pub(super) fn new(settings: &ConnectionSettings) -> Self {
        Self {
            age: settings.max_connection_age.get(),
            grace: settings.max_connection_age_grace.get(),
            idle: settings.max_connection_idle.get(),
        }
    }

    /// Serves `connection` until its end, which this brings about in time.
    pub(super) async fn limit<C: GracefulConnection>(
        self,
        connection: C,
        calls: &OpenCalls,
        mut draining: watch::Receiver<bool>,
    ) -> Result<(), C::Error> {
        let mut connection = pin!(connection);
        let reason = tokio::select! {
            biased;
            ended = connection.as_mut() => return ended,
            _ = draining.wait_for(|draining| *draining) => Reason::Draining,
            reason = self.end_of_new_calls(calls) => reason,
        };
        tracing::debug!(?reason, "connection takes no more calls");
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            biased;
            ended = connection => ended,
            () = end_of_grace(self.grace, reason) => Ok(()),
            () = left_without_leave(calls) => Ok(()),
        }
    }

    async fn end_of_new_calls(&self, calls: &OpenCalls) -> Reason {
        let end = self.age.map(|age| Instant::now() + about(age));
        loop {
            let now = Instant::now();
            let idle_end = self
                .idle
                .map(|idle| calls.idle_since().unwrap_or(now) + idle);
            let has_come = |end: Option<Instant>| end.is_some_and(|end| end <= now);
            if has_come(end) {
                return Reason::Aged;
            }
            if has_come(idle_end) {
                return Reason::Idle;
            }
            match end.into_iter().chain(idle_end).min() {
                Some(next) => sleep_until(next).await,
                None => pending().await,
            }
        }
    }
}

/// When calls that do not end are cut off. While draining, that is the drain's to say.
async fn end_of_grace(grace: Option<Duration>, reason: Reason) {
    match grace {
        Some(grace) if reason != Reason::Draining => sleep(grace).await,
        _ => pending().await,
    }
}

/// When a connection without calls has outstayed its leave.
async fn left_without_leave(calls: &OpenCalls) {
    let told = Instant::now();
    loop {
        let idle_since = calls.idle_since().unwrap_or_else(Instant::now);
        let end = idle_since.max(told) + LEAVE_LIMIT;
        if end <= Instant::now() {
            return;
        }
        sleep_until(end).await;
    }
}

/// `age`, give or take a tenth, so that clients that came together do not all come back
/// together.
fn about(age: Duration) -> Duration {
    // Hash keys are random, which is random enough here.
    let random = RandomState::new().hash_one(()) >> 32;
    let tenths = 0.9 + 0.2 * (f64::from(random as u32) / f64::from(u32::MAX));
    age.mul_f64(tenths)
}

#[cfg(test)]
mod tests {
    use tokio::time::{advance, timeout};

    use super::*;

    #[test]
    fn ages_differ_by_up_to_a_tenth() {
        let ages: Vec<_> = (0..1000).map(|_| about(Duration::from_secs(100))).collect();
        let (least, most) = (ages.iter().min(), ages.iter().max());
        let range = |from, to| Duration::from_secs(from)..=Duration::from_secs(to);
        assert!(
            range(90, 92).contains(least.expect("a thousand")),
            "{least:?}"
        );
        assert!(
            range(108, 110).contains(most.expect("a thousand")),
            "{most:?}"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_with_calls_is_not_idle() {
        let idle = Some(Duration::from_secs(10));
        let lifetime = Lifetime {
            age: None,
            grace: None,
            idle,
        };
        let calls = OpenCalls::new();
        let call = calls.open();
        let mut ends = pin!(lifetime.end_of_new_calls(&calls));
        assert!(
            timeout(Duration::from_secs(25), ends.as_mut())
                .await
                .is_err()
        );
        drop(call);
        let begun = Instant::now();
        assert_eq!(ends.await, Reason::Idle);
        assert_eq!(begun.elapsed().as_secs(), 10);
    }

    #[tokio::test(start_paused = true)]
    async fn age_comes_with_or_without_calls() {
        let age = Some(Duration::from_secs(100));
        let lifetime = Lifetime {
            age,
            grace: None,
            idle: None,
        };
        let calls = OpenCalls::new();
        let _call = calls.open();
        advance(Duration::from_secs(1)).await;
        let begun = Instant::now();
        assert_eq!(lifetime.end_of_new_calls(&calls).await, Reason::Aged);
        assert!((90..=110).contains(&begun.elapsed().as_secs()));
    }
}
