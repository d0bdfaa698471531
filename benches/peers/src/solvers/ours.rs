//! The solver of the service.

use std::ops::Range;

use sudoku_service::grid::Grid;
use sudoku_service::solver::{Budget, Decision, Engine, Goal, Outcome, StopFlag};

use super::Solver;
use crate::judge::Answer;

/// No budget ends a measurement.
const GUESSES: u64 = u64::MAX;

/// Our decisions, one call a puzzle.
pub(crate) struct Single<'p> {
    engine: Engine,
    puzzles: &'p [Grid],
    decisions: Vec<Decision>,
}

impl<'p> Single<'p> {
    pub(crate) fn new(engine: Engine, puzzles: &'p [Grid]) -> Self {
        Self {
            engine,
            puzzles,
            decisions: vec![Decision::Open; puzzles.len()],
        }
    }
}

impl Solver for Single<'_> {
    fn name(&self) -> &'static str {
        "ours, single calls"
    }

    fn forget(&mut self, slice: Range<usize>) {
        self.decisions[slice].fill(Decision::Open);
    }

    fn solve(&mut self, slice: Range<usize>) {
        let stop = StopFlag::new();
        let puzzles = &self.puzzles[slice.clone()];
        for (puzzle, decision) in puzzles.iter().zip(&mut self.decisions[slice]) {
            *decision = self.engine.decide(puzzle, &mut Budget::new(GUESSES, &stop));
        }
    }

    fn answer(&self, index: usize) -> Answer {
        self.decisions[index].into()
    }
}

/// Our decisions, all of a slice in one call.
pub(crate) struct Batch<'p>(Single<'p>);

impl<'p> Batch<'p> {
    pub(crate) fn new(engine: Engine, puzzles: &'p [Grid]) -> Self {
        Self(Single::new(engine, puzzles))
    }
}

impl Solver for Batch<'_> {
    fn name(&self) -> &'static str {
        "ours, batches"
    }

    fn forget(&mut self, slice: Range<usize>) {
        self.0.forget(slice);
    }

    /// What a batch leaves open, which is a puzzle that needs very many guesses, is asked
    /// again alone.
    fn solve(&mut self, slice: Range<usize>) {
        let Single {
            engine,
            puzzles,
            ref mut decisions,
        } = self.0;
        let stop = StopFlag::new();
        let mut is_open = false;
        let first = slice.start;
        engine.decide_batch(
            &puzzles[slice.clone()],
            GUESSES,
            &stop,
            |index, decision, _| {
                is_open |= decision == Decision::Open;
                decisions[first + index] = decision;
            },
        );
        if is_open {
            for (puzzle, decision) in puzzles[slice.clone()].iter().zip(&mut decisions[slice]) {
                if *decision == Decision::Open {
                    *decision = engine.decide(puzzle, &mut Budget::new(GUESSES, &stop));
                }
            }
        }
    }

    fn answer(&self, index: usize) -> Answer {
        self.0.answer(index)
    }
}

/// Our full answers, one call a puzzle: of several solutions the two smallest.
pub(crate) struct Ordered<'p> {
    engine: Engine,
    puzzles: &'p [Grid],
    outcomes: Vec<Outcome>,
}

const NO_OUTCOME: Outcome = Outcome::Limit { multiple: false };

impl<'p> Ordered<'p> {
    pub(crate) fn new(engine: Engine, puzzles: &'p [Grid]) -> Self {
        Self {
            engine,
            puzzles,
            outcomes: vec![NO_OUTCOME; puzzles.len()],
        }
    }
}

impl Solver for Ordered<'_> {
    fn name(&self) -> &'static str {
        "ours, full answers"
    }

    fn forget(&mut self, slice: Range<usize>) {
        self.outcomes[slice].fill(NO_OUTCOME);
    }

    fn solve(&mut self, slice: Range<usize>) {
        let stop = StopFlag::new();
        let puzzles = &self.puzzles[slice.clone()];
        for (puzzle, outcome) in puzzles.iter().zip(&mut self.outcomes[slice]) {
            let mut budget = Budget::new(GUESSES, &stop);
            *outcome = self.engine.solve(puzzle, Goal::Uniqueness, &mut budget);
        }
    }

    fn answer(&self, index: usize) -> Answer {
        self.outcomes[index].into()
    }
}
