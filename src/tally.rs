//! What the service has done so far, counted while it does it.
//!
//! Numbers that any thread may add to and any may read, without locks. Who exports them,
//! and in which form, is not known here.

mod histogram;
mod number;
mod puzzles;

pub use histogram::{Histogram, SECONDS};
pub use number::{Counter, Gauge};
pub use puzzles::{PuzzleStatus, Puzzles, SolvingRpc};

/// The work of the solver.
#[derive(Debug)]
pub struct Tally {
    /// The puzzles of the methods that solve.
    pub puzzles: Puzzles,
    /// The guesses that each of these puzzles took.
    pub guesses: Histogram,
    /// The time that each search took, of one puzzle or of a part of a batch.
    pub solve_time: Histogram,
    /// The time that each long search waited for its turn.
    pub queue_time: Histogram,
    /// The long searches that were refused because there was too much to do.
    pub overloaded: Counter,
}

/// From puzzles that singles solve to those that meet the work limit.
const GUESSES: &[u64] = &[0, 1, 3, 10, 30, 100, 300, 1_000, 10_000, 100_000, 1_000_000];

impl Default for Tally {
    fn default() -> Self {
        Self {
            puzzles: Puzzles::default(),
            guesses: Histogram::new(GUESSES),
            solve_time: Histogram::new(SECONDS),
            queue_time: Histogram::new(SECONDS),
            overloaded: Counter::default(),
        }
    }
}
