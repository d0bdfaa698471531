//! Which long searches may run, which wait, and which are refused.
//!
//! # The queueing model
//!
//! There are two queues, so that neither kind of work waits behind the other: one for
//! searches of bounded length (a part of a batch, a chunk of a stream, one message of an
//! enumeration, the first thousands of guesses of any other; mostly below a millisecond,
//! some milliseconds at most), one for open-ended ones (what is left of a long count or
//! search; up to their deadline). From each as many searches run as there are cores, and
//! where both have work the system shares the cores out between them.
//!
//! How long a queue may get is a matter of time, not of number: a queue of a thousand
//! short searches is shorter than one of three long ones. So the queue knows how long
//! searches take on average, and a call is told at once, before it has waited at all, if
//! its turn would come too late:
//!
//! - in calm times after [`BURST_WAIT`], since a burst drains by itself;
//! - when calls have been refused within [`CALM`], after the time of [`OVERLOAD_TURNS`]
//!   searches, though never less than [`OVERLOAD_WAIT`]. So at any load an accepted call
//!   takes little longer than its own work, the rest can go elsewhere at once, and no
//!   core is idle while there is work.
//!
//! The average is a guess, and a search can be a thousand times longer than the one
//! before it. So a call that has waited for [`BURST_WAIT`] is refused all the same, and
//! one long search counts as if it were only a few times longer than usual.
//!
//! Work for a stream that has begun is never refused: it waits, and flow control holds
//! its client back.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

/// How long a call waits in calm times.
const BURST_WAIT: Duration = Duration::from_millis(100);
/// How long it waits in overload, at least.
const OVERLOAD_WAIT: Duration = Duration::from_millis(5);
/// How many times as long as a search it waits in overload.
const OVERLOAD_TURNS: u32 = 4;
/// How long after the last refusal times are calm.
const CALM: Duration = Duration::from_secs(1);

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
    /// How many turns there are.
    width: u32,
    waiting: AtomicUsize,
    /// How long a turn takes on average, in nanoseconds.
    usual: AtomicU64,
    last_refused: Mutex<Option<Instant>>,
}

/// A turn; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    queue: Arc<Queue>,
    begun: Instant,
    _permit: OwnedSemaphorePermit,
}

/// A place among those that wait.
struct Place<'a>(&'a Queue);

impl Queue {
    /// A queue for work of which `width` may run at one time.
    pub(super) fn new(width: usize) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(width)),
            width: u32::try_from(width).unwrap_or(u32::MAX),
            waiting: AtomicUsize::new(0),
            usual: AtomicU64::new(0),
            last_refused: Mutex::new(None),
        }
    }

    /// Waits for a turn.
    ///
    /// # Errors
    ///
    /// If the work may be refused and would have to wait too long.
    pub(super) async fn turn(self: &Arc<Self>, patience: Patience) -> Result<Turn, Overloaded> {
        let turns = || Arc::clone(&self.turns);
        if let Ok(permit) = turns().try_acquire_owned() {
            return Ok(self.begin(permit));
        }
        let _place = self.place();
        let permit = match patience {
            Patience::Begun => turns().acquire_owned().await,
            Patience::Call if self.expected_wait() > self.longest_wait() => {
                return Err(self.refuse());
            }
            Patience::Call => timeout(BURST_WAIT, turns().acquire_owned())
                .await
                .map_err(|_| self.refuse())?,
        };
        Ok(self.begin(permit.expect("the queue is never closed")))
    }

    fn begin(self: &Arc<Self>, permit: OwnedSemaphorePermit) -> Turn {
        Turn {
            queue: Arc::clone(self),
            begun: Instant::now(),
            _permit: permit,
        }
    }

    fn place(&self) -> Place<'_> {
        self.waiting.fetch_add(1, Relaxed);
        Place(self)
    }

    fn refuse(&self) -> Overloaded {
        *self.last_refused() = Some(Instant::now());
        Overloaded
    }

    /// When the last of those that wait will have its turn.
    fn expected_wait(&self) -> Duration {
        let waiting = u32::try_from(self.waiting.load(Relaxed)).unwrap_or(u32::MAX);
        self.usual().saturating_mul(waiting) / self.width
    }

    fn longest_wait(&self) -> Duration {
        let is_calm = self.last_refused().is_none_or(|at| at.elapsed() >= CALM);
        if is_calm {
            return BURST_WAIT;
        }
        let turns = self.usual().saturating_mul(OVERLOAD_TURNS);
        turns.clamp(OVERLOAD_WAIT, BURST_WAIT)
    }

    fn usual(&self) -> Duration {
        Duration::from_nanos(self.usual.load(Relaxed))
    }

    /// A turn has taken so long.
    fn ended(&self, took: Duration) {
        // Two that end together may forget one of them, which does not matter.
        let usual = self.usual();
        let took = took.min(4 * usual + Duration::from_millis(1));
        let usual = usual * 7 / 8 + took / 8;
        self.usual.store(usual.as_nanos() as u64, Relaxed);
    }

    fn last_refused(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.last_refused
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.queue.ended(self.begun.elapsed());
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// A queue for one at a time, on which searches take `usual`, and its turn.
    async fn taken(usual: Duration) -> (Arc<Queue>, Turn) {
        let queue = Arc::new(Queue::new(1));
        queue.usual.store(usual.as_nanos() as u64, Relaxed);
        let turn = queue.turn(Patience::Call).await.expect("it is free");
        (queue, turn)
    }

    /// How long the queue kept a call waiting, and whether it was refused.
    async fn wait(queue: &Arc<Queue>) -> (Duration, bool) {
        let start = Instant::now();
        let refused = queue.turn(Patience::Call).await.is_err();
        (start.elapsed(), refused)
    }

    /// How many calls wait, when as many come together as there are for `waiting`.
    fn admitted(queue: &Arc<Queue>) -> usize {
        let mut waiting: Vec<_> = (0..1000)
            .map(|_| Box::pin(queue.turn(Patience::Call)))
            .collect();
        let waits = |call: &mut _| futures_util::FutureExt::now_or_never(call).is_none();
        waiting
            .iter_mut()
            .filter_map(|call| waits(call).then_some(()))
            .count()
    }

    #[tokio::test(start_paused = true)]
    async fn a_free_turn_is_taken_at_once() {
        let queue = Arc::new(Queue::new(2));
        let one = queue.turn(Patience::Call).await;
        assert!(one.is_ok());
        assert_eq!(wait(&queue).await, (Duration::ZERO, false));
    }

    #[tokio::test(start_paused = true)]
    async fn a_burst_waits_as_far_as_it_will_drain_in_time() {
        let (queue, _turn) = taken(ms(5)).await;
        assert_eq!(admitted(&queue), 20);
    }

    #[tokio::test(start_paused = true)]
    async fn in_overload_few_wait_and_the_others_are_refused_at_once() {
        let (queue, _turn) = taken(ms(5)).await;
        queue.refuse();
        assert_eq!(admitted(&queue), OVERLOAD_TURNS as usize);
        let (queue, _turn) = taken(ms(1)).await;
        queue.refuse();
        assert_eq!(admitted(&queue), 5);
        // Times are calm again.
        tokio::time::advance(CALM).await;
        assert_eq!(admitted(&queue), 100);
    }

    #[tokio::test(start_paused = true)]
    async fn who_would_wait_too_long_does_not_wait() {
        let (queue, _turn) = taken(ms(101)).await;
        assert_eq!(wait(&queue).await, (Duration::ZERO, true));
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_longer_than_expected_is_refused_in_the_end() {
        let (queue, _turn) = taken(ms(1)).await;
        assert_eq!(wait(&queue).await, (BURST_WAIT, true));
    }

    #[tokio::test(start_paused = true)]
    async fn the_usual_time_follows_and_one_long_search_does_not_change_it_much() {
        let (queue, turn) = taken(ms(8)).await;
        tokio::time::advance(Duration::from_secs(10)).await;
        drop(turn);
        assert!(queue.usual() < 2 * ms(8), "{:?}", queue.usual());
        for _ in 0..40 {
            let turn = queue.turn(Patience::Call).await;
            tokio::time::advance(ms(2)).await;
            drop(turn);
        }
        assert!(
            (ms(2)..ms(3)).contains(&queue.usual()),
            "{:?}",
            queue.usual()
        );
        for _ in 0..60 {
            let turn = queue.turn(Patience::Call).await;
            tokio::time::advance(Duration::from_secs(1)).await;
            drop(turn);
        }
        assert!(queue.usual() > ms(900), "{:?}", queue.usual());
    }

    #[tokio::test(start_paused = true)]
    async fn what_has_begun_waits_as_long_as_it_takes() {
        let (queue, held) = taken(ms(1)).await;
        let waiting = Arc::clone(&queue);
        let begun = tokio::spawn(async move { waiting.turn(Patience::Begun).await.is_ok() });
        tokio::time::advance(100 * BURST_WAIT).await;
        drop(held);
        assert!(begun.await.expect("no panic"));
    }
}
