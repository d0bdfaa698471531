//! The items of a batch or of a stream, handed to the engine together.

use std::iter;
use std::ops::Range;
use std::sync::Arc;

use futures_util::future::try_join_all;
use futures_util::stream::{self, StreamExt, TryStreamExt};

use super::convert::{self, Answer, Item};
use super::solving::{Solving, solve};
use super::status::Failure;
use super::tallied;
use crate::grid::Grid;
use crate::solver::{Budget, Engine, Goal, StopFlag};
use crate::tally::SolvingRpc;
use crate::workers::{INLINE_GUESSES, Length, Overloaded, Patience};

/// Fewer items than this are not worth another thread.
const FEWEST_FOR_A_THREAD: usize = 64;

/// More items than this are not done in one turn, so that others have theirs in between.
const MOST_FOR_A_TURN: usize = 512;

/// The most items that are answered without another thread.
const MOST_INLINE: usize = 8;

/// The guesses that an item may take together with others; nearly all puzzles take fewer.
/// A part that is full of those that need more is through in some ten milliseconds.
const SHORT_GUESSES: u64 = 100;

impl Solving {
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
        let items = Arc::new(items);
        let (mut answers, open) = self.answer_parts(&items, patience).await?;
        // The hard ones start again one by one, so that they hold up neither each other
        // nor other calls for longer than each takes.
        let hard = open
            .into_iter()
            .zip(iter::once(patience).chain(iter::repeat(Patience::Begun)));
        let hard = hard.filter_map(|(place, patience)| {
            let (grid, goal) = *items[place].as_ref().ok()?;
            let solved = self.solve_long(grid, goal, patience);
            Some(async move { Ok((place, grid, solved.await?)) })
        });
        let mut hard = stream::iter(hard).buffer_unordered(self.workers.cores());
        while let Some((place, grid, solved)) = hard.try_next().await? {
            answers[place] = Ok(convert::solve_response(&grid, &solved));
        }
        Ok(answers)
    }

    /// Answers `items` as far as few guesses go, each part in a turn of its own; with the
    /// places of those that more guesses could tell more of. Once the first part is
    /// admitted, the others wait.
    async fn answer_parts(
        &self,
        items: &Arc<Vec<Item>>,
        patience: Patience,
    ) -> Result<(Vec<Answer>, Vec<usize>), Overloaded> {
        let (engine, all) = (self.engine, self.guesses);
        let guesses = all.min(SHORT_GUESSES);
        let answer = |part: Range<usize>| {
            let is_first = part.start == 0;
            let patience = if is_first { patience } else { Patience::Begun };
            let items = Arc::clone(items);
            let answer = move |stop: &StopFlag| answer_all(engine, &items[part], guesses, stop);
            self.workers.run_in_pool(Length::Bounded, patience, answer)
        };
        let parts = parts(items.len(), self.workers.cores());
        let done = try_join_all(parts.map(answer)).await?;
        let (mut answers, mut open) = (Vec::with_capacity(items.len()), vec![]);
        for (some, places) in done {
            open.extend(places.into_iter().map(|place| answers.len() + place));
            answers.extend(some);
        }
        if guesses == all {
            open.clear();
        }
        Ok((answers, open))
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
}

/// The ranges into which `len` items are split for `threads` threads.
fn parts(len: usize, threads: usize) -> impl Iterator<Item = Range<usize>> {
    let size = len.div_ceil(threads);
    let size = size.clamp(FEWEST_FOR_A_THREAD, MOST_FOR_A_TURN);
    let starts = (0..len).step_by(size);
    starts.map(move |start| start..len.min(start + size))
}

/// Answers `items` in their order; those that ask for uniqueness, nearly all, as one batch.
/// With the places of those that more guesses could tell more of.
fn answer_all(
    engine: Engine,
    items: &[Item],
    guesses: u64,
    stop: &StopFlag,
) -> (Vec<Answer>, Vec<usize>) {
    let in_batch = |item: &Item| match item {
        Ok((grid, Goal::Uniqueness)) => Some(*grid),
        _ => None,
    };
    let grids: Vec<Grid> = items.iter().filter_map(in_batch).collect();
    let mut batch = engine.solve_batch(&grids, guesses, stop).into_iter();
    let mut open = vec![];
    let answer = |(place, item): (usize, &Item)| {
        let (grid, goal) = item.as_ref().map_err(Failure::clone)?;
        let solved = match goal {
            Goal::Uniqueness => batch.next().expect("one for each grid of the batch"),
            Goal::Smallest => solve(engine, grid, *goal, &mut Budget::new(guesses, stop)),
        };
        if !solved.outcome.is_final(*goal) {
            open.push(place);
        }
        Ok(convert::solve_response(grid, &solved))
    };
    let answers = items.iter().enumerate().map(answer).collect();
    (answers, open)
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
            assert!(parts.len() <= threads.max(len.div_ceil(MOST_FOR_A_TURN)));
            let covered: Vec<usize> = parts.into_iter().flatten().collect();
            assert!(covered.into_iter().eq(0..len), "{len} by {threads}");
        }
    }
}
