//! Which long searches may run, which wait, and which are refused.
//!
//! # The queueing model
//!
//! There are two queues, so that neither kind of work waits behind the other: one for
//! searches of bounded length (a part of a batch, a chunk of a stream, one message of an
//! enumeration; well below a millisecond), one for open-ended ones (a count, a hard
//! puzzle; up to their deadline). From each as many searches run as there are cores, and
//! where both have work the system shares the cores out between them.
//!
//! How long a queue may get is a matter of time, not of number: a queue of a thousand
//! short searches is shorter than one of three long ones. A call waits at most
//! [`BURST_WAIT`] for its turn; but once a queue has not been empty for that long, it is
//! no burst but overload, and a call waits at most [`OVERLOAD_WAIT`]. So at any load an
//! accepted call takes little longer than its own work, the rest is refused within
//! milliseconds and can go elsewhere, and no core is idle while there is work. This is
//! Maurer's variant ("Fail at Scale", ACM Queue 13(8), 2015) of Nichols and Jacobson's
//! controlled delay ("Controlling Queue Delay", ACM Queue 10(5), 2012).
//!
//! Work for a stream that has begun is never refused: it waits, and flow control holds
//! its client back.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

/// How long a call waits while its queue is empty now and then: a burst drains by itself.
const BURST_WAIT: Duration = Duration::from_millis(100);
/// How long a call waits while its queue never empties.
const OVERLOAD_WAIT: Duration = Duration::from_millis(5);

/// The work is refused: this instance has all that it can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this instance has all the work that it can do")]
pub struct Overloaded;

/// Whether work may be refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// It belongs to a call that has not been answered yet: it can go elsewhere.
    Call,
    /// It belongs to something that has begun: it waits.
    Begun,
}

/// Work that waits for its turn.
#[derive(Debug)]
pub(super) struct Queue {
    turns: Arc<Semaphore>,
    /// When somebody last found the queue empty.
    last_empty: Mutex<Instant>,
}

/// A turn; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Turn(#[expect(dead_code, reason = "held")] OwnedSemaphorePermit);

impl Queue {
    /// A queue for work of which `turns` may run at one time.
    pub(super) fn new(turns: usize) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(turns)),
            last_empty: Mutex::new(Instant::now()),
        }
    }

    /// Waits for a turn.
    ///
    /// # Errors
    ///
    /// If the work may be refused and would have to wait too long.
    pub(super) async fn turn(&self, patience: Patience) -> Result<Turn, Overloaded> {
        if let Ok(permit) = Arc::clone(&self.turns).try_acquire_owned() {
            *self.last_empty() = Instant::now();
            return Ok(Turn(permit));
        }
        let turn = Arc::clone(&self.turns).acquire_owned();
        let permit = match patience {
            Patience::Begun => turn.await,
            Patience::Call => timeout(self.longest_wait(), turn)
                .await
                .map_err(|_| Overloaded)?,
        };
        Ok(Turn(permit.expect("the queue is never closed")))
    }

    fn longest_wait(&self) -> Duration {
        if self.last_empty().elapsed() < BURST_WAIT {
            BURST_WAIT
        } else {
            OVERLOAD_WAIT
        }
    }

    fn last_empty(&self) -> std::sync::MutexGuard<'_, Instant> {
        self.last_empty
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How long the queue kept `patience` waiting, and whether it was refused.
    async fn wait(queue: &Queue, patience: Patience) -> (Duration, bool) {
        let start = Instant::now();
        let refused = queue.turn(patience).await.is_err();
        (start.elapsed(), refused)
    }

    #[tokio::test(start_paused = true)]
    async fn a_free_turn_is_taken_at_once() {
        let queue = Queue::new(2);
        let one = queue.turn(Patience::Call).await;
        assert!(one.is_ok());
        assert_eq!(wait(&queue, Patience::Call).await, (Duration::ZERO, false));
    }

    #[tokio::test(start_paused = true)]
    async fn a_burst_is_waited_for_and_overload_is_not() {
        let queue = Queue::new(1);
        let _held = queue.turn(Patience::Call).await.expect("it is free");
        // The queue was empty a moment ago.
        assert_eq!(wait(&queue, Patience::Call).await, (BURST_WAIT, true));
        // By now it has been full for that long.
        assert_eq!(wait(&queue, Patience::Call).await, (OVERLOAD_WAIT, true));
    }

    #[tokio::test(start_paused = true)]
    async fn an_empty_queue_ends_the_overload() {
        let queue = Queue::new(1);
        let held = queue.turn(Patience::Call).await.expect("it is free");
        tokio::time::advance(2 * BURST_WAIT).await;
        drop(held);
        let _held = queue.turn(Patience::Call).await.expect("it is free again");
        assert_eq!(wait(&queue, Patience::Call).await, (BURST_WAIT, true));
    }

    #[tokio::test(start_paused = true)]
    async fn what_has_begun_waits_as_long_as_it_takes() {
        let queue = Arc::new(Queue::new(1));
        let held = queue.turn(Patience::Call).await.expect("it is free");
        let waiting = Arc::clone(&queue);
        let begun = tokio::spawn(async move { waiting.turn(Patience::Begun).await.is_ok() });
        tokio::time::advance(100 * BURST_WAIT).await;
        drop(held);
        assert!(begun.await.expect("no panic"));
    }
}
