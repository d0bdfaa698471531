//! Where searches run: at once if they are short, in a thread pool if they are long.
//!
//! Handing a search to another thread costs about 10 us, more than a usual puzzle
//! takes. So a search first runs where the call is handled, with a budget of
//! [`INLINE_GUESSES`]; one that needs more starts again in the pool with
//! [`BOUNDED_GUESSES`], and the few that need even more start once more with their whole
//! budget. The repeated work is less than it saves the others: whatever is through in
//! milliseconds never waits behind what is not.
//!
//! There are two queues for the pool, one for each [`Length`], so that neither kind of
//! search waits behind the other. As many of each run at a time as there are cores. A
//! call whose turn would come too late is [refused](Overloaded), mostly before it has waited
//! at all, since another instance may have time for it; work for what has
//! [begun](Patience::Begun), as a stream, waits.
//!
//! When the caller goes away, or its deadline passes, the future of
//! [`run`](Workers::run) is dropped, and that raises the stop flag of its search.

mod admission;
mod pool;

pub use admission::{Overloaded, Patience};

use std::io;
use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use tokio::sync::{oneshot, watch};

use crate::solver::{Budget, StopFlag};
use crate::tally::Tally;
use admission::Queue;
use pool::Pool;

/// The guesses that a search may make on an async thread: about 50 us.
pub const INLINE_GUESSES: u64 = 150;

/// The guesses that a search may make among those of bounded length: a few milliseconds.
pub const BOUNDED_GUESSES: u64 = 5_000;

/// Runs searches and keeps count of the long ones.
#[derive(Debug, Clone)]
pub struct Workers {
    pool: Arc<Pool>,
    cores: usize,
    bounded: Arc<Queue>,
    open_ended: Arc<Queue>,
    long_searches: watch::Sender<LongSearches>,
    tally: Arc<Tally>,
}

/// How long a search for the pool will take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// Some milliseconds at most, as a part of a batch.
    Bounded,
    /// Up to its deadline, as a count.
    OpenEnded,
}

/// The searches that were handed to the pool since the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LongSearches {
    /// Those that were handed over.
    pub started: u64,
    /// Those that came to their end, or to that of their budget.
    pub finished: u64,
    /// Those that were refused because there was too much to do.
    pub refused: u64,
    /// Those that were stopped because nobody waited any more.
    pub stopped: u64,
}

/// A step of a long search, as it counts: a search counts once, however often it starts
/// again.
struct Stage<T> {
    is_first: bool,
    /// Whether this answer ends the search.
    ends_with: fn(&T) -> bool,
}

impl<T> Stage<T> {
    /// One that ends the search, whatever it finds.
    const fn last(is_first: bool) -> Self {
        Self {
            is_first,
            ends_with: |_| true,
        }
    }
}

impl Workers {
    /// A pool with two threads for each core: one for work of each length.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn new() -> io::Result<Self> {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        Ok(Self {
            pool: Arc::new(Pool::new(2 * cores)?),
            cores,
            bounded: Arc::new(Queue::new(cores)),
            open_ended: Arc::new(Queue::new(cores)),
            long_searches: watch::Sender::default(),
            tally: Arc::default(),
        })
    }

    /// The searches in the pool, as they come and go.
    #[must_use]
    pub fn long_searches(&self) -> watch::Receiver<LongSearches> {
        self.long_searches.subscribe()
    }

    /// What has been done so far.
    #[must_use]
    pub const fn tally(&self) -> &Arc<Tally> {
        &self.tally
    }

    /// The number of cores that a batch can be spread over.
    #[must_use]
    pub const fn cores(&self) -> usize {
        self.cores
    }

    /// Runs `search` with a budget of `guesses`.
    ///
    /// It may be called several times, with budgets that grow. A panic in it goes on in
    /// the caller.
    ///
    /// # Errors
    ///
    /// If the search is long and there is too much to do.
    pub async fn run<T, S>(&self, guesses: u64, search: S) -> Result<T, Overloaded>
    where
        T: Send + 'static,
        S: Fn(&mut Budget<'_>) -> T + Send + Sync + 'static,
    {
        let never = StopFlag::new();
        let mut budget = Budget::strict(guesses.min(INLINE_GUESSES), &never);
        let begun = Instant::now();
        let answer = search(&mut budget);
        if !budget.has_ended() {
            self.tally.solve_time.observe_time(begun.elapsed());
            return Ok(answer);
        }
        self.run_long(guesses, Patience::Call, search).await
    }

    /// Runs `search`, which takes more than [`INLINE_GUESSES`], in the pool.
    ///
    /// # Errors
    ///
    /// If it belongs to a call that can go elsewhere and there is too much to do.
    pub async fn run_long<T, S>(
        &self,
        guesses: u64,
        patience: Patience,
        search: S,
    ) -> Result<T, Overloaded>
    where
        T: Send + 'static,
        S: Fn(&mut Budget<'_>) -> T + Send + Sync + 'static,
    {
        let search = Arc::new(search);
        if guesses > BOUNDED_GUESSES {
            let search = Arc::clone(&search);
            let bounded = move |stop: &StopFlag| {
                let mut budget = Budget::strict(BOUNDED_GUESSES, stop);
                let answer = search(&mut budget);
                (!budget.has_ended()).then_some(answer)
            };
            let stage = Stage {
                is_first: true,
                ends_with: Option::is_some,
            };
            let answer = self.hand_over(Length::Bounded, patience, stage, bounded);
            if let Some(answer) = answer.await? {
                return Ok(answer);
            }
        }
        let whole = move |stop: &StopFlag| search(&mut Budget::new(guesses, stop));
        let stage = Stage::last(guesses <= BOUNDED_GUESSES);
        self.hand_over(Length::OpenEnded, patience, stage, whole)
            .await
    }

    /// Runs `search`, which is too long for an async thread, with a flag that tells it to
    /// stop. A panic in it goes on in the caller.
    ///
    /// # Errors
    ///
    /// If the search belongs to a call that can go elsewhere and there is too much to do.
    pub async fn run_in_pool<T, S>(
        &self,
        length: Length,
        patience: Patience,
        search: S,
    ) -> Result<T, Overloaded>
    where
        T: Send + 'static,
        S: FnOnce(&StopFlag) -> T + Send + 'static,
    {
        let stage = Stage::last(true);
        self.hand_over(length, patience, stage, search).await
    }

    async fn hand_over<T, S>(
        &self,
        length: Length,
        patience: Patience,
        stage: Stage<T>,
        search: S,
    ) -> Result<T, Overloaded>
    where
        T: Send + 'static,
        S: FnOnce(&StopFlag) -> T + Send + 'static,
    {
        let queue = match length {
            Length::Bounded => &self.bounded,
            Length::OpenEnded => &self.open_ended,
        };
        let arrived = Instant::now();
        let turn = queue.turn(patience).await.inspect_err(|Overloaded| {
            self.tally.overloaded.add(1);
            self.long_searches.send_modify(|count| count.refused += 1);
        })?;
        self.tally.queue_time.observe_time(arrived.elapsed());
        let stop = Arc::new(StopFlag::new());
        let stop_when_dropped = StopWhenDropped(Arc::clone(&stop));
        let (send_answer, answer) = oneshot::channel();
        let long_searches = self.long_searches.clone();
        if stage.is_first {
            long_searches.send_modify(|count| count.started += 1);
        }
        let tally = Arc::clone(&self.tally);
        self.pool.run(move || {
            let begun = Instant::now();
            let answer = panic::catch_unwind(AssertUnwindSafe(|| search(&stop)));
            tally.solve_time.observe_time(begun.elapsed());
            let stopped = stop.is_stopped();
            let has_ended = stopped || answer.as_ref().map_or(true, stage.ends_with);
            drop(turn);
            // Sent before it is counted: who sees the count can rely on the answer.
            let _nobody_waits = send_answer.send(answer);
            if !has_ended {
                return;
            }
            long_searches.send_modify(|count| {
                if stopped {
                    count.stopped += 1;
                } else {
                    count.finished += 1;
                }
            });
        });
        let answer = answer.await;
        drop(stop_when_dropped);
        match answer {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(panicked)) => panic::resume_unwind(panicked),
            Err(_) => unreachable!("the pool runs every job and catches its panics"),
        }
    }
}

/// Raises the stop flag of a search whose answer nobody waits for.
struct StopWhenDropped(Arc<StopFlag>);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.stop();
    }
}
