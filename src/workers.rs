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
mod pool;

pub use admission::{Overloaded, Patience};

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

/// A long search as it counts: once, however often it starts again, and as stopped if it
/// is dropped between two stages.
struct Counted {
    long_searches: watch::Sender<LongSearches>,
    has_finished: bool,
}

impl Counted {
    fn begin(long_searches: &watch::Sender<LongSearches>) -> Self {
        long_searches.send_modify(|count| count.started += 1);
        Self {
            long_searches: long_searches.clone(),
            has_finished: false,
        }
    }

    fn finish(mut self) {
        self.has_finished = true;
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.long_searches.send_modify(|count| {
            let ended = if self.has_finished {
                &mut count.finished
            } else {
                &mut count.stopped
            };
            *ended += 1;
        });
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
            let whole = move |stop: &StopFlag| search(&mut Budget::new(guesses, stop));
            return self
                .run_in_pool(Length::OpenEnded, Patience::Call, whole)
                .await;
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
        let whole = move |stop: &StopFlag| search(&mut Budget::new(guesses, stop));
        let stage = Stage::last(counted);
        let answer = self
            .hand_over(Length::OpenEnded, patience, stage, whole)
            .await?;
        Ok(answer.0)
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::future::join_all;
    use tokio::sync::mpsc;
    use tokio::time::timeout;

    use super::*;
    use crate::grid::Grid;
    use crate::solver::{Engine, Goal};

    /// A board without a solution, that takes very many guesses.
    const HOSTILE: &str =
        ".4.....81...6..........84..1..5......84............5..............7...1.81.....4.";

    #[tokio::test]
    async fn a_search_that_is_dropped_before_it_goes_on_has_stopped() {
        let workers = Workers::new().expect("threads");
        let (ended, mut stages) = mpsc::unbounded_channel();
        let turns = (0..workers.cores()).map(|_| workers.open_ended.turn(Patience::Begun));
        let _taken = join_all(turns).await;
        let search = tokio::spawn({
            let workers = workers.clone();
            let grid: Grid = HOSTILE.parse().expect("a grid");
            async move {
                let search = move |budget: &mut Budget<'_>| {
                    let solved = Engine::detect().solve(&grid, Goal::Uniqueness, budget);
                    ended.send(()).expect("the test waits");
                    solved
                };
                let guesses = 2 * BOUNDED_GUESSES;
                workers.run_long(guesses, Patience::Begun, search).await
            }
        });
        stages.recv().await.expect("a first stage");
        let mut long_searches = workers.long_searches();
        assert_eq!(long_searches.borrow().started, 1);
        search.abort();
        let stopped = long_searches.wait_for(|long| long.stopped == 1);
        let stopped = timeout(Duration::from_secs(30), stopped).await;
        let counted = *stopped
            .expect("not stopped")
            .expect("the workers are there");
        assert_eq!((counted.started, counted.finished), (1, 0));
    }

    #[tokio::test]
    async fn who_is_not_asked_for_more_keeps_nobody_from_a_turn() {
        let workers = Workers::new().expect("threads");
        let cores = workers.cores();
        let taken = (0..cores).map(|_| workers.bounded.turn(Patience::Begun));
        let taken = join_all(taken).await;
        let run = || workers.run_in_pool(Length::Bounded, Patience::Begun, |_| 7);
        let mut waiting: Vec<_> = (0..cores).map(|_| Box::pin(run())).collect();
        for call in &mut waiting {
            assert!(call.as_mut().now_or_never().is_none());
        }
        drop(taken);
        let other = timeout(Duration::from_secs(30), run()).await;
        assert_eq!(other, Ok(Ok(7)));
        assert_eq!(join_all(waiting).await, vec![Ok(7); cores]);
    }

    #[tokio::test]
    async fn what_is_foreseen_to_be_long_is_not_tried_as_bounded() {
        let workers = Workers::new().expect("threads");
        for (is_open_ended, expected) in [(false, 3), (true, 2)] {
            let (tried, mut calls) = mpsc::unbounded_channel();
            let count = move |budget: &mut Budget<'_>| {
                tried.send(()).expect("the test waits");
                let empty = Grid::from_values([0; 81]).expect("a grid");
                Engine::detect().count(&empty, 20_000, budget)
            };
            let count = workers.run_foreseen(1_000_000, |_| is_open_ended, count);
            assert_eq!(count.await.expect("nothing else to do").solutions, 20_000);
            let mut seen = 0;
            while calls.recv().await.is_some() {
                seen += 1;
            }
            assert_eq!(seen, expected);
        }
    }
}
