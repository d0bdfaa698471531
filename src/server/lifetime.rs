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

use super::closing::{Notice, close_after, last_word};
use super::open_calls::OpenCalls;
use crate::config::ConnectionSettings;

/// How long a peer that was told to go may stay without calls: it has only to say that
/// it has understood.
const LEAVE_LIMIT: Duration = Duration::from_secs(10);
/// The same when the server drains, which is not to wait for peers that are gone.
const LAST_LEAVE_LIMIT: Duration = Duration::from_secs(1);

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

    /// Serves `connection` until its end, which this brings about in time, and gives its
    /// calls `notice` of it. `draining` is the end of all connections, once it is known.
    pub(super) async fn limit<C: GracefulConnection>(
        self,
        connection: C,
        calls: &OpenCalls,
        notice: &watch::Sender<Notice>,
        mut draining: watch::Receiver<Option<Instant>>,
    ) -> Result<(), C::Error> {
        let mut connection = pin!(connection);
        let reason = tokio::select! {
            biased;
            ended = connection.as_mut() => return ended,
            _ = draining.wait_for(Option::is_some) => Reason::Draining,
            reason = self.end_of_new_calls(calls) => reason,
        };
        tracing::debug!(?reason, "connection takes no more calls");
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            biased;
            ended = connection => ended,
            () = end_of_grace(self.grace, reason, notice) => Ok(()),
            () = end_of_drain(draining, calls, notice) => Ok(()),
            () = left_without_leave(calls, LEAVE_LIMIT) => Ok(()),
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
async fn end_of_grace(grace: Option<Duration>, reason: Reason, notice: &watch::Sender<Notice>) {
    match grace.filter(|_| reason != Reason::Draining) {
        Some(grace) => close_after(grace, notice).await,
        None => pending().await,
    }
}

/// When a connection without calls has had its time since the server began to drain. One
/// that still has some at the end of the drain is cut off, and counted, by who drains.
async fn end_of_drain(
    mut draining: watch::Receiver<Option<Instant>>,
    calls: &OpenCalls,
    notice: &watch::Sender<Notice>,
) {
    let end = draining.wait_for(Option::is_some).await;
    // An error means that the server is gone, as good a reason.
    let end = end.map_or(None, |end| *end).unwrap_or_else(Instant::now);
    Notice::Lasting.tell(notice);
    let told = async {
        last_word(end, notice).await;
        pending::<()>().await;
    };
    tokio::select! {
        () = told => {}
        () = left_without_leave(calls, LAST_LEAVE_LIMIT) => {}
    }
}

/// When a connection has been without calls for `limit`. One that is still being written
/// to is not without: the last answer may be on its way to a slow peer.
async fn left_without_leave(calls: &OpenCalls, limit: Duration) {
    let (mut seen, mut written) = (Instant::now(), calls.written());
    loop {
        let idle_since = calls.idle_since().unwrap_or_else(Instant::now);
        if idle_since.max(seen) + limit <= Instant::now() {
            return;
        }
        sleep(limit / 8).await;
        if calls.written() != written {
            (seen, written) = (Instant::now(), calls.written());
        }
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
    use tokio::time::{advance, timeout, timeout_at};

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
    async fn a_drain_waits_for_calls_and_answers_and_for_nothing_else() {
        let end = Instant::now() + Duration::from_secs(60);
        let (draining, notice) = (watch::Sender::new(Some(end)), watch::Sender::default());
        let calls = OpenCalls::new();
        let call = calls.open();
        let mut end = pin!(end_of_drain(draining.subscribe(), &calls, &notice));
        let wait = Duration::from_secs(5);
        assert!(timeout(wait, end.as_mut()).await.is_err());
        assert_eq!(*notice.borrow(), Notice::Lasting);
        drop(call);
        for _ in 0..20 {
            calls.wrote();
            let wait = Duration::from_millis(500);
            assert!(timeout(wait, end.as_mut()).await.is_err());
        }
        let begun = Instant::now();
        end.await;
        assert!(begun.elapsed() <= LAST_LEAVE_LIMIT);
    }

    #[tokio::test(start_paused = true)]
    async fn calls_are_told_of_the_end_of_the_drain() {
        let end = Instant::now() + Duration::from_secs(60);
        let (draining, notice) = (watch::Sender::new(Some(end)), watch::Sender::default());
        let calls = OpenCalls::new();
        let _call = calls.open();
        let drained = end_of_drain(draining.subscribe(), &calls, &notice);
        assert!(timeout_at(end, drained).await.is_err());
        assert_eq!(*notice.borrow(), Notice::All);
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
