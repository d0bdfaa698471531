//! Where searches run: at once if they are short, in a thread pool if they are long.
//!
//! Handing a search to another thread costs about 10 us, more than a usual puzzle
//! takes. So a search first runs where the call is handled, with a budget of
//! [`INLINE_GUESSES`]; one that needs more starts again in the pool with its whole
//! budget, and the repeated work is less than the hand-over saves the others.
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
    /// Well below a millisecond, as a part of a batch.
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
    /// It may be called twice, the first time with a smaller budget. A panic in it goes on
    /// in the caller.
    ///
    /// # Errors
    ///
    /// If the search is long and there is too much to do.
    pub async fn run<T, S>(&self, guesses: u64, search: S) -> Result<T, Overloaded>
    where
        T: Send + 'static,
        S: Fn(&mut Budget<'_>) -> T + Send + 'static,
    {
        let never = StopFlag::new();
        let mut budget = Budget::strict(guesses.min(INLINE_GUESSES), &never);
        let begun = Instant::now();
        let answer = search(&mut budget);
        if !budget.has_ended() {
            self.tally.solve_time.observe_time(begun.elapsed());
            return Ok(answer);
        }
        let search = move |stop: &StopFlag| search(&mut Budget::new(guesses, stop));
        self.run_in_pool(Length::OpenEnded, Patience::Call, search)
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
        long_searches.send_modify(|count| count.started += 1);
        let tally = Arc::clone(&self.tally);
        self.pool.run(move || {
            let begun = Instant::now();
            let answer = panic::catch_unwind(AssertUnwindSafe(|| search(&stop)));
            tally.solve_time.observe_time(begun.elapsed());
            let stopped = stop.is_stopped();
            drop(turn);
            // Sent before it is counted: who sees the count can rely on the answer.
            let _nobody_waits = send_answer.send(answer);
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
