//! The end of a connection, as its calls are told of it.
//!
//! A connection that is to close waits for its open calls, but not for ever: there is a
//! limit while the server drains, and a grace when a connection has reached its age. Calls
//! that last are told to end early. A moment before the limit, all others are: they fail
//! with `UNAVAILABLE`, which tells their clients more than a torn connection.

use std::future::{Future, pending};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::grpc::Failure;

/// How long before the limit lasting calls are told: long enough to answer what has
/// arrived.
const LAST_CALL: Duration = Duration::from_secs(1);
/// How long before the limit all calls are told: long enough for their clients to hear
/// of it.
const LAST_WORD: Duration = Duration::from_millis(500);

/// Which calls have to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Notice {
    /// None.
    #[default]
    None,
    /// Those that last as long as their callers want.
    Lasting,
    /// All.
    All,
}

impl Notice {
    /// Tells `calls`. What has been told is not taken back.
    pub(super) fn tell(self, calls: &watch::Sender<Self>) {
        calls.send_if_modified(|told| {
            let is_more = self > *told;
            *told = self.max(*told);
            is_more
        });
    }
}

/// Tells `calls` in time that their connection closes after `limit`, and comes back
/// when it does.
pub(super) async fn close_after(limit: Duration, calls: &watch::Sender<Notice>) {
    let end = Instant::now() + limit;
    sleep_until(end - LAST_CALL.min(limit / 2)).await;
    Notice::Lasting.tell(calls);
    last_word(end, calls).await;
    sleep_until(end).await;
}

/// Tells all `calls`, a moment before, that their connection closes at `end`.
pub(super) async fn last_word(end: Instant, calls: &watch::Sender<Notice>) {
    let left = end.saturating_duration_since(Instant::now());
    sleep_until(end - LAST_WORD.min(left / 2)).await;
    Notice::All.tell(calls);
}

/// Waits for a notice.
pub(super) type Told = Pin<Box<dyn Future<Output = ()> + Send>>;

/// When `notice` or more is told. A connection that is lost tells nothing any more.
pub(super) fn told(mut calls: watch::Receiver<Notice>, notice: Notice) -> Told {
    Box::pin(async move {
        if calls.wait_for(|told| *told >= notice).await.is_err() {
            pending::<()>().await;
        }
    })
}

/// The end of its connection, as a call sees it.
pub(super) struct Closing {
    notice: watch::Receiver<Notice>,
    /// Nothing before the call has to be waited for, which few have.
    told: Option<Told>,
}

impl Closing {
    pub(super) const fn new(notice: watch::Receiver<Notice>) -> Self {
        Self { notice, told: None }
    }

    /// What is told of it.
    pub(super) const fn notice(&self) -> &watch::Receiver<Notice> {
        &self.notice
    }

    /// Whether the call should have ended.
    pub(super) fn has_come(&self) -> bool {
        *self.notice.borrow() == Notice::All
    }

    /// When the call has to end.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let told = || told(self.notice.clone(), Notice::All);
        self.told.get_or_insert_with(told).as_mut().poll(cx)
    }

    /// Runs `call` until it has to end.
    ///
    /// It is pinned by the caller, who drops it: an async function would keep a second
    /// place for what it pins, and calls are large.
    pub(super) async fn limit<T>(
        &mut self,
        mut call: impl Future<Output = T> + Unpin,
    ) -> Result<T, Failure> {
        std::future::poll_fn(|cx| {
            if let Poll::Ready(answer) = call.poll_unpin(cx) {
                return Poll::Ready(Ok(answer));
            }
            self.poll(cx).map(|()| Err(Failure::Draining))
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use tokio::time::timeout;

    use super::*;

    /// When each notice is told, and when the connection closes.
    async fn times(close: impl AsyncFnOnce(&watch::Sender<Notice>)) -> [Duration; 3] {
        let (sender, notice) = watch::channel(Notice::None);
        let begun = Instant::now();
        let elapsed = async |told: Told| {
            told.await;
            begun.elapsed()
        };
        let close = async {
            close(&sender).await;
            begun.elapsed()
        };
        let lasting = elapsed(told(notice.clone(), Notice::Lasting));
        let all = elapsed(told(notice, Notice::All));
        tokio::join!(lasting, all, close).into()
    }

    #[tokio::test(start_paused = true)]
    async fn calls_are_told_before_the_limit() {
        for (limit, lasting, all) in [(60_000, 59_000, 59_500), (1_000, 500, 750)] {
            let limit = Duration::from_millis(limit);
            let told = times(async |calls| close_after(limit, calls).await).await;
            let millis = told.map(|time| time.as_millis());
            assert_eq!(millis, [lasting, all, limit.as_millis()]);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_lost_connection_is_not_one_that_closes() {
        let (sender, notice) = watch::channel(Notice::None);
        let mut closing = Closing::new(notice);
        drop(sender);
        let call = closing.limit(pending::<()>());
        assert!(timeout(Duration::from_secs(60), call).await.is_err());
        assert!(!closing.has_come());
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_ends_when_all_have_to() {
        let (sender, notice) = watch::channel(Notice::None);
        let mut closing = Closing::new(notice);
        assert_eq!(closing.limit(ready(7)).await, Ok(7));
        Notice::Lasting.tell(&sender);
        let answered = Box::pin(async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            8
        });
        assert_eq!(closing.limit(answered).await, Ok(8));
        assert!(!closing.has_come());
        Notice::All.tell(&sender);
        Notice::Lasting.tell(&sender);
        let never = pending::<()>();
        assert_eq!(closing.limit(never).await, Err(Failure::Draining));
        assert!(closing.has_come());
    }
}
