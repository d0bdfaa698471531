//! Those who are measured, each with puzzles in its own form and room for its answers.
//!
//! All but [`Ordered`] do the same work: they tell whether a puzzle has no solution, one or
//! several, and the solution if there is one.

mod ours;
mod peer;

pub(crate) use ours::{Batch, Ordered, Single};
pub(crate) use peer::{Peer, PeerSolution};

use std::ops::Range;

use crate::judge::Answer;

/// One who is measured.
pub(crate) trait Solver {
    fn name(&self) -> &'static str;

    /// Forgets the answers in a slice of the puzzles.
    fn forget(&mut self, slice: Range<usize>);

    /// Answers a slice of the puzzles: this is what is timed.
    fn solve(&mut self, slice: Range<usize>);

    /// What was answered.
    fn answer(&self, index: usize) -> Answer;
}
