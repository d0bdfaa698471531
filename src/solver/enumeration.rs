//! The solutions of a grid in ascending order, for callers that take their time.

use std::fmt;

use super::budget::{Budget, LimitReached};
use super::engine::{Engine, with_lanes};
use super::single::{Board, Ordered};
use super::solution;
use crate::grid::Grid;

/// The solutions of a grid, smallest first.
///
/// ```
/// use sudoku_service::grid::Grid;
/// use sudoku_service::solver::{Budget, Engine, StopFlag};
///
/// let stop = StopFlag::new();
/// let mut budget = Budget::new(1_000, &stop);
/// let mut solutions = Engine::detect().enumerate(&Grid::BLANK);
/// let first = solutions.next(&mut budget)?.expect("the blank grid has solutions");
/// let second = solutions.next(&mut budget)?.expect("very many of them");
/// assert!(first < second);
/// # Ok::<(), sudoku_service::solver::LimitReached>(())
/// ```
pub struct Enumeration {
    engine: Engine,
    ordered: Box<Ordered>,
}

impl Enumeration {
    pub(super) fn new(engine: Engine, grid: &Grid) -> Self {
        let mut ordered = Box::new(Ordered::new());
        with_lanes!(engine, lanes => ordered.start(&Board::of(lanes, grid.values()), &[]));
        Self { engine, ordered }
    }

    /// The next solution, or nothing when there are no more.
    ///
    /// # Errors
    ///
    /// If the budget ends first. The enumeration can go on with another budget.
    pub fn next(&mut self, budget: &mut Budget<'_>) -> Result<Option<Grid>, LimitReached> {
        let next = with_lanes!(self.engine, lanes => self.ordered.next(lanes, budget))?;
        if next.is_some() {
            budget.reward_solution();
        }
        Ok(next.map(solution))
    }
}

impl fmt::Debug for Enumeration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Enumeration")
            .field("engine", &self.engine)
            .finish_non_exhaustive()
    }
}
