//! Where searches run: at once if they are short, in a thread pool if they are long.
//!
//! Handing a search to another thread costs about 10 us, more than a usual puzzle
//! takes. So a search first runs where the call is handled, with a budget of
//! [`INLINE_GUESSES`]; one that needs more starts again in the pool with
//! [`BOUNDED_GUESSES`], and the few that need even more start once more with their whole
//! budget. The repeated work is less than it saves the others: whatever is through in
//! milliseconds never waits behind what is not. What the first guesses tell to be long,
//! as a count to a high limit that finds solutions at once, leaves the middle step out.
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
mod long_searches;
mod pool;
#[cfg(test)]
mod tests;

pub use admission::{Overloaded, Patience};
pub use long_searches::LongSearches;

use std::io;
use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use futures_util::FutureExt;
use tokio::sync::{oneshot, watch};

use crate::solver::{Budget, StopFlag};
use crate::tally::Tally;
use admission::{Queue, Turn};
use long_searches::Counted;
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

/// A step of a long search.
struct Stage<T> {
    /// The search, unless it begins here.
    counted: Option<Counted>,
    /// Whether this answer ends the search.
    ends_with: fn(&T) -> bool,
}

impl<T> Stage<T> {
    /// One that ends the search, whatever it finds.
    const fn last(counted: Option<Counted>) -> Self {
        Self {
            counted,
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
        self.run_foreseen(guesses, |_| false, search).await
    }

    /// The same, where what the first guesses found can tell that the search
    /// `is_open_ended`: it is not tried as a bounded one then, and if there is too much to
    /// do it is refused before it has cost anything.
    ///
    /// # Errors
    ///
    /// If the search is long and there is too much to do.
    pub async fn run_foreseen<T, S>(
        &self,
        guesses: u64,
        is_open_ended: impl FnOnce(&T) -> bool,
        search: S,
    ) -> Result<T, Overloaded>
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
        if is_open_ended(&answer) {
            return self.run_whole(guesses, Patience::Call, None, search).await;
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
        let mut counted = None;
        if guesses > BOUNDED_GUESSES {
            let search = Arc::clone(&search);
            let bounded = move |stop: &StopFlag| {
                let mut budget = Budget::strict(BOUNDED_GUESSES, stop);
                let answer = search(&mut budget);
                (!budget.has_ended()).then_some(answer)
            };
            let stage = Stage {
                counted: None,
                ends_with: Option::is_some,
            };
            let answer = self.hand_over(Length::Bounded, patience, stage, bounded);
            match answer.await? {
                (Some(answer), _) => return Ok(answer),
                (None, search) => counted = search,
            }
        }
        let search = move |budget: &mut Budget<'_>| search(budget);
        self.run_whole(guesses, patience, counted, search).await
    }

    /// The last stage of a long search, with its whole budget.
    async fn run_whole<T, S>(
        &self,
        guesses: u64,
        patience: Patience,
        counted: Option<Counted>,
        search: S,
    ) -> Result<T, Overloaded>
    where
        T: Send + 'static,
        S: FnOnce(&mut Budget<'_>) -> T + Send + 'static,
    {
        let whole = move |stop: &StopFlag| search(&mut Budget::new(guesses, stop));
        let stage = Stage::last(counted);
        let answer = self.hand_over(Length::OpenEnded, patience, stage, whole);
        Ok(answer.await?.0)
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
        let stage = Stage::last(None);
        let answer = self.hand_over(length, patience, stage, search).await?;
        Ok(answer.0)
    }

    /// Runs `search` in the pool when its turn comes; with its answer, the search as it
    /// counts is given back if it has to go on.
    ///
    /// It waits for its turn in a task of its own. A call is asked for more of its answer
    /// only when its client takes more, and a turn that came meanwhile would be kept from
    /// all others for as long as the client likes.
    async fn hand_over<T, S>(
        &self,
        length: Length,
        patience: Patience,
        stage: Stage<T>,
        search: S,
    ) -> Result<(T, Option<Counted>), Overloaded>
    where
        T: Send + 'static,
        S: FnOnce(&StopFlag) -> T + Send + 'static,
    {
        let queue = match length {
            Length::Bounded => Arc::clone(&self.bounded),
            Length::OpenEnded => Arc::clone(&self.open_ended),
        };
        let stop = Arc::new(StopFlag::new());
        let stop_when_dropped = StopWhenDropped(Arc::clone(&stop));
        let (mut send_answer, answer) = oneshot::channel();
        let workers = self.clone();
        let mut waiting = Box::pin(async move {
            let arrived = Instant::now();
            let turn = tokio::select! {
                biased;
                () = send_answer.closed() => return,
                turn = queue.turn(patience) => turn,
            };
            match turn {
                Ok(turn) => {
                    workers.tally.queue_time.observe_time(arrived.elapsed());
                    workers.begin(stage, search, stop, turn, send_answer);
                }
                Err(overloaded) => {
                    workers.tally.overloaded.add(1);
                    let long_searches = &workers.long_searches;
                    long_searches.send_modify(|count| count.refused += 1);
                    drop(send_answer.send(Err(overloaded)));
                }
            }
        });
        // Mostly there is a turn at once.
        if waiting.as_mut().now_or_never().is_none() {
            tokio::spawn(waiting);
        }
        let answer = answer.await;
        drop(stop_when_dropped);
        match answer {
            Ok(Ok((Ok(answer), counted))) => Ok((answer, counted)),
            Ok(Ok((Err(panicked), _))) => panic::resume_unwind(panicked),
            Ok(Err(overloaded)) => Err(overloaded),
            Err(_) => unreachable!("whoever has its turn runs, and panics are caught"),
        }
    }

    /// Runs `search` in the pool, in its `turn`, and sends its answer.
    fn begin<T, S>(
        &self,
        stage: Stage<T>,
        search: S,
        stop: Arc<StopFlag>,
        turn: Turn,
        send_answer: oneshot::Sender<Answered<T>>,
    ) where
        T: Send + 'static,
        S: FnOnce(&StopFlag) -> T + Send + 'static,
    {
        let new = || Counted::begin(&self.long_searches);
        let counted = stage.counted.unwrap_or_else(new);
        let tally = Arc::clone(&self.tally);
        self.pool.run(move || {
            let begun = Instant::now();
            let answer = panic::catch_unwind(AssertUnwindSafe(|| search(&stop)));
            tally.solve_time.observe_time(begun.elapsed());
            let stopped = stop.is_stopped();
            let has_ended = stopped || answer.as_ref().map_or(true, stage.ends_with);
            drop(turn);
            if !has_ended {
                // If nobody waits, it is dropped here.
                drop(send_answer.send(Ok((answer, Some(counted)))));
                return;
            }
            // Sent before it is counted: who sees the count can rely on the answer.
            drop(send_answer.send(Ok((answer, None))));
            if !stopped {
                counted.finish();
            }
        });
    }
}

/// What comes of a search, or of its panic, and the search if it has to go on.
type Answered<T> = Result<(thread::Result<T>, Option<Counted>), Overloaded>;

/// Raises the stop flag of a search whose answer nobody waits for.
struct StopWhenDropped(Arc<StopFlag>);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.stop();
    }
}
