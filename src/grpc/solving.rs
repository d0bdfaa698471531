//! Puzzles handed to the engine, one at a time.

use std::slice;

use super::convert::{self, Answer, Item};
use super::tallied;
use crate::grid::Grid;
use crate::solver::{Budget, Decision, Engine, Goal, Solved};
use crate::tally::SolvingRpc;
use crate::workers::{Overloaded, Patience, Workers};

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

    /// Solves one grid that is known to be hard.
    pub(super) async fn solve_long(
        &self,
        grid: Grid,
        goal: Goal,
        patience: Patience,
    ) -> Result<Solved, Overloaded> {
        let engine = self.engine;
        let solve = move |budget: &mut Budget<'_>| solve(engine, &grid, goal, budget);
        self.workers.run_long(self.guesses, patience, solve).await
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
}

/// Solves one grid within `budget`.
pub(super) fn solve(engine: Engine, grid: &Grid, goal: Goal, budget: &mut Budget<'_>) -> Solved {
    Solved {
        outcome: engine.solve(grid, goal, budget),
        guesses: budget.spent(),
    }
}
