//! The calls that a connection has open, and since when it has none.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use hyper::rt::Executor;
use tokio::time::Instant;

use super::overdue::Task;

/// The open calls of one connection.
///
/// hyper runs every call as a task of its own, from its header to the end of its answer,
/// and asks this to start it.
#[derive(Debug, Clone)]
pub(super) struct OpenCalls(Arc<Counts>);

#[derive(Debug)]
struct Counts {
    begun: Instant,
    open: AtomicUsize,
    /// When the last call ended, in milliseconds after the beginning.
    idle_since: AtomicU64,
    /// How often something was written to the peer.
    written: AtomicU64,
}

/// A call, open until this is dropped.
#[derive(Debug)]
pub(super) struct OpenCall(Arc<Counts>);

impl OpenCalls {
    pub(super) fn new() -> Self {
        Self(Arc::new(Counts {
            begun: Instant::now(),
            open: AtomicUsize::new(0),
            idle_since: AtomicU64::new(0),
            written: AtomicU64::new(0),
        }))
    }

    pub(super) fn open(&self) -> OpenCall {
        self.0.open.fetch_add(1, Ordering::Relaxed);
        OpenCall(Arc::clone(&self.0))
    }

    /// Something was written to the peer.
    pub(super) fn wrote(&self) {
        self.0.written.fetch_add(1, Ordering::Relaxed);
    }

    /// How often something was written to the peer. An answer that its call has handed
    /// on may still be on its way, as long as this grows.
    pub(super) fn written(&self) -> u64 {
        self.0.written.load(Ordering::Relaxed)
    }

    /// Since when there is no open call, if there is none.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        let idle_since = Duration::from_millis(self.0.idle_since.load(Ordering::Relaxed));
        let is_idle = self.0.open.load(Ordering::Relaxed) == 0;
        is_idle.then(|| self.0.begun + idle_since)
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        // A connection stays on one thread, so nothing comes between these.
        if self.0.open.fetch_sub(1, Ordering::Relaxed) == 1 {
            let now = self.0.begun.elapsed().as_millis() as u64;
            self.0.idle_since.store(now, Ordering::Relaxed);
        }
    }
}

impl<F> Executor<F> for OpenCalls
where
    F: Future<Output: Send> + Send + 'static,
{
    fn execute(&self, call: F) {
        let (open, task) = (self.open(), Task::new(call));
        tokio::spawn(async move {
            let _open = open;
            task.await;
        });
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn idle_time_begins_when_the_last_call_ends() {
        let calls = OpenCalls::new();
        let begun = Instant::now();
        assert_eq!(calls.idle_since(), Some(begun));
        let (first, second) = (calls.open(), calls.open());
        advance(Duration::from_secs(5)).await;
        drop(first);
        assert_eq!(calls.idle_since(), None);
        advance(Duration::from_secs(5)).await;
        drop(second);
        assert_eq!(calls.idle_since(), Some(begun + Duration::from_secs(10)));
    }
}
