//! Puzzles handed to the engine: one at a time, or the items of a batch or a stream
//! together.

use std::ops::Range;
use std::slice;
use std::sync::Arc;

use futures_util::future::join_all;

use super::convert::{self, Answer, Item};
use super::tallied;
use crate::grid::Grid;
use crate::solver::{Budget, Decision, Engine, Goal, Solved, StopFlag};
use crate::tally::SolvingRpc;
use crate::workers::Workers;

/// Fewer items than this are not worth another thread.
const FEWEST_FOR_A_THREAD: usize = 64;

/// The most items that are answered without another thread.
const MOST_INLINE: usize = 8;

/// An engine, where it runs, and the guesses that it may spend on each grid.
#[derive(Debug, Clone)]
pub(super) struct Solving {
    pub(super) engine: Engine,
    pub(super) workers: Workers,
    pub(super) guesses: u64,
}

impl Solving {
    /// Solves one grid.
    async fn solve(&self, grid: Grid, goal: Goal) -> Solved {
        let engine = self.engine;
        let solve = move |budget: &mut Budget<'_>| solve(engine, &grid, goal, budget);
        self.workers.run(self.guesses, solve).await
    }

    /// Tells how many solutions a grid has.
    pub(super) async fn decide(&self, grid: Grid) -> Decision {
        let engine = self.engine;
        let decide = move |budget: &mut Budget<'_>| engine.decide(&grid, budget);
        self.workers.run(self.guesses, decide).await
    }

    /// Answers the one item of a call.
    pub(super) async fn answer_one(&self, rpc: SolvingRpc, item: Item) -> Answer {
        let answer = self.answer_uncounted(item).await;
        tallied::count(self.workers.tally(), rpc, slice::from_ref(&answer));
        answer
    }

    /// Answers `items` in their order, spread over the cores.
    pub(super) async fn answer(&self, rpc: SolvingRpc, items: Vec<Item>) -> Vec<Answer> {
        let answers = if items.len() <= MOST_INLINE {
            self.answer_inline(items).await
        } else {
            self.answer_in_parts(items).await
        };
        tallied::count(self.workers.tally(), rpc, &answers);
        answers
    }

    async fn answer_in_parts(&self, items: Vec<Item>) -> Vec<Answer> {
        let parts = parts(items.len(), self.workers.threads());
        let items = Arc::new(items);
        let answers = join_all(parts.map(|part| self.answer_part(Arc::clone(&items), part)));
        answers.await.into_iter().flatten().collect()
    }

    /// Answers a few items where the call is handled; only the hard ones leave it.
    async fn answer_inline(&self, items: Vec<Item>) -> Vec<Answer> {
        let mut answers = Vec::with_capacity(items.len());
        for item in items {
            answers.push(self.answer_uncounted(item).await);
        }
        answers
    }

    async fn answer_uncounted(&self, item: Item) -> Answer {
        let (grid, goal) = item?;
        let solved = self.solve(grid, goal).await;
        Ok(convert::solve_response(&grid, &solved))
    }

    async fn answer_part(&self, items: Arc<Vec<Item>>, part: Range<usize>) -> Vec<Answer> {
        let (engine, guesses) = (self.engine, self.guesses);
        self.workers
            .run_in_pool(move |stop| answer_all(engine, &items[part], guesses, stop))
            .await
    }
}

/// The ranges into which `len` items are split for `threads` threads.
fn parts(len: usize, threads: usize) -> impl Iterator<Item = Range<usize>> {
    let size = len.div_ceil(threads).max(FEWEST_FOR_A_THREAD);
    (0..len)
        .step_by(size)
        .map(move |start| start..len.min(start + size))
}

/// Answers `items` in their order; those that ask for uniqueness, nearly all, as one batch.
fn answer_all(engine: Engine, items: &[Item], guesses: u64, stop: &StopFlag) -> Vec<Answer> {
    let in_batch = |item: &Item| match item {
        Ok((grid, Goal::Uniqueness)) => Some(*grid),
        _ => None,
    };
    let grids: Vec<Grid> = items.iter().filter_map(in_batch).collect();
    let mut solved = engine.solve_batch(&grids, guesses, stop).into_iter();
    let mut answer = |item: &Item| match item {
        Ok((grid, Goal::Uniqueness)) => {
            let solved = solved.next().expect("one for each grid of the batch");
            Ok(convert::solve_response(grid, &solved))
        }
        Ok((grid, goal)) => {
            let solved = solve(engine, grid, *goal, &mut Budget::new(guesses, stop));
            Ok(convert::solve_response(grid, &solved))
        }
        Err(failure) => Err(failure.clone()),
    };
    items.iter().map(&mut answer).collect()
}

fn solve(engine: Engine, grid: &Grid, goal: Goal, budget: &mut Budget<'_>) -> Solved {
    Solved {
        outcome: engine.solve(grid, goal, budget),
        guesses: budget.spent(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_all_items_once_and_in_order() {
        for (len, threads) in [
            (0, 2),
            (1, 2),
            (64, 2),
            (65, 2),
            (1000, 2),
            (1000, 7),
            (999, 64),
        ] {
            let parts: Vec<_> = parts(len, threads).collect();
            assert!(parts.len() <= threads.max(1));
            let covered: Vec<usize> = parts.into_iter().flatten().collect();
            assert!(covered.into_iter().eq(0..len), "{len} by {threads}");
        }
    }
}
