//! Puzzles handed to the engine: one at a time, or the items of a batch or a stream
//! together.

use std::ops::Range;
use std::slice;
use std::sync::Arc;

use futures_util::future::try_join_all;

use super::convert::{self, Answer, Item};
use super::tallied;
use crate::grid::Grid;
use crate::solver::{Budget, Decision, Engine, Goal, Solved, StopFlag};
use crate::tally::SolvingRpc;
use crate::workers::{INLINE_GUESSES, Length, Overloaded, Patience, Workers};

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
    async fn solve(&self, grid: Grid, goal: Goal) -> Result<Solved, Overloaded> {
        let engine = self.engine;
        let solve = move |budget: &mut Budget<'_>| solve(engine, &grid, goal, budget);
        self.workers.run(self.guesses, solve).await
    }

    /// Tells how many solutions a grid has.
    pub(super) async fn decide(&self, grid: Grid) -> Result<Decision, Overloaded> {
        let engine = self.engine;
        let decide = move |budget: &mut Budget<'_>| engine.decide(&grid, budget);
        self.workers.run(self.guesses, decide).await
    }

    /// Answers the one item of a call.
    ///
    /// # Errors
    ///
    /// If it is hard and there is too much to do.
    pub(super) async fn answer_one(&self, item: Item) -> Result<Answer, Overloaded> {
        let answer = match item {
            Ok((grid, goal)) => {
                let solved = self.solve(grid, goal).await?;
                Ok(convert::solve_response(&grid, &solved))
            }
            Err(failure) => Err(failure),
        };
        tallied::count(
            self.workers.tally(),
            SolvingRpc::Solve,
            slice::from_ref(&answer),
        );
        Ok(answer)
    }

    /// Answers `items` in their order, spread over the cores.
    ///
    /// # Errors
    ///
    /// If they belong to a call that can go elsewhere and there is too much to do.
    pub(super) async fn answer(
        &self,
        rpc: SolvingRpc,
        items: Vec<Item>,
        patience: Patience,
    ) -> Result<Vec<Answer>, Overloaded> {
        let answers = self.answer_uncounted(items, patience).await?;
        tallied::count(self.workers.tally(), rpc, &answers);
        Ok(answers)
    }

    async fn answer_uncounted(
        &self,
        items: Vec<Item>,
        patience: Patience,
    ) -> Result<Vec<Answer>, Overloaded> {
        if items.len() <= MOST_INLINE
            && let Some(answers) = self.answer_inline(&items)
        {
            return Ok(answers);
        }
        let parts = parts(items.len(), self.workers.cores());
        let items = Arc::new(items);
        let answer = |part| self.answer_part(Arc::clone(&items), part, patience);
        let answers = try_join_all(parts.map(answer)).await?;
        Ok(answers.into_iter().flatten().collect())
    }

    /// Answers a few items where the call is handled, unless one is too hard for that.
    fn answer_inline(&self, items: &[Item]) -> Option<Vec<Answer>> {
        let never = StopFlag::new();
        let answers = items.iter().map(|item| match item {
            Ok((grid, goal)) => {
                let mut budget = Budget::strict(self.guesses.min(INLINE_GUESSES), &never);
                let solved = solve(self.engine, grid, *goal, &mut budget);
                (!budget.has_ended()).then(|| Ok(convert::solve_response(grid, &solved)))
            }
            Err(failure) => Some(Err(failure.clone())),
        });
        answers.collect()
    }

    async fn answer_part(
        &self,
        items: Arc<Vec<Item>>,
        part: Range<usize>,
        patience: Patience,
    ) -> Result<Vec<Answer>, Overloaded> {
        let (engine, guesses) = (self.engine, self.guesses);
        let answer = move |stop: &StopFlag| answer_all(engine, &items[part], guesses, stop);
        self.workers
            .run_in_pool(Length::Bounded, patience, answer)
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
