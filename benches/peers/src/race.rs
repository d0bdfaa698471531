//! Solvers in turn on the same puzzles, and the best time of each.
//!
//! A slice of the puzzles goes to all solvers before the next one does, so that whatever
//! slows the machine down slows them all. A slice is long, and comes back only after all
//! the others: a branch predictor learns a thousand puzzles by heart.

use std::ops::Range;
use std::time::Duration;

use crate::clock::{Clock, time};
use crate::judge::Judge;
use crate::solvers::Solver;

/// The puzzles of a slice, at least, if there are as many.
const SLICE: usize = 5_000;

/// The rounds that are made in any case.
const ROUNDS: usize = 3;

/// Goes round until `limit` is over, and sums up the best times of each solver's slices.
pub(crate) fn race<const N: usize>(
    puzzles: usize,
    solvers: &mut [&mut dyn Solver; N],
    judge: &mut Judge<'_>,
    limit: Duration,
) -> [Duration; N] {
    let slices = slices(puzzles);
    let mut best = vec![[Duration::MAX; N]; slices.len()];
    let clock = Clock::start();
    let mut round = 0;
    while round < ROUNDS || clock.elapsed() < limit {
        for (slice, best) in slices.iter().zip(&mut best) {
            for k in 0..N {
                // Nobody always comes after the same other.
                let turn = (round + k * if round % 2 == 0 { 1 } else { N - 1 }) % N;
                let time = timed(solvers[turn], slice, judge);
                best[turn] = best[turn].min(time);
            }
        }
        round += 1;
    }
    std::array::from_fn(|k| best.iter().map(|times| times[k]).sum())
}

fn timed(solver: &mut dyn Solver, slice: &Range<usize>, judge: &mut Judge<'_>) -> Duration {
    solver.forget(slice.clone());
    let time = time(|| solver.solve(slice.clone()));
    for index in slice.clone() {
        judge.look_at(solver.name(), index, solver.answer(index));
    }
    time
}

/// Slices of about the same length.
fn slices(puzzles: usize) -> Vec<Range<usize>> {
    let count = (puzzles / SLICE).max(1);
    let bound = |k| k * puzzles / count;
    (0..count).map(|k| bound(k)..bound(k + 1)).collect()
}
