//! The solver: every question about the solutions of a grid, answered the same on
//! every machine.
//!
//! The engines are free in their order of search, the answers are not: of several
//! solutions the lexicographically smallest come first, as textbook backtracking
//! (row by row, digits ascending) would find them. The engines differ in the CPU that
//! they are for, and nothing else: they draw the same conclusions before each guess
//! and guess the same, so that even the number of guesses is the same for all.
//! [`explained`] tells how they do it, with drawings.
//!
//! - One grid: [`Engine::solve`], [`Engine::decide`], [`Engine::count`],
//!   [`Engine::enumerate`]. Its digits are spread over the lanes of a few vectors.
//! - Many grids: [`Engine::decide_batch`], [`Engine::solve_batch`]. Each has a lane.
//!
//! Architecture invariant: the solver knows grids and nothing else. It has no clock,
//! no threads of its own and no I/O; a [`Budget`] bounds its work and a [`StopFlag`]
//! ends it from outside. It never sees its judge, [`rules`](crate::rules).

mod answer;
mod batch;
mod budget;
mod cpu;
mod engine;
mod enumeration;
pub mod explained;
mod givens;
mod single;
#[cfg(test)]
mod tests;

pub use answer::{Count, Decision, Goal, Outcome, Solved};
pub use budget::{Budget, LimitReached, StopFlag};
pub use engine::{Engine, UnknownEngine};
pub use enumeration::Enumeration;

use std::cell::{Cell, RefCell};

use crate::grid::Grid;
use batch::{PuzzleLanes, Workspace};
use engine::with_lanes;
use single::{Board, Ordered, Search};

thread_local! {
    /// Room for a search: too large to be cleared for every puzzle.
    static SEARCH: RefCell<Search> = const { RefCell::new(Search::new()) };
    /// Room for an enumeration.
    static ORDERED: RefCell<Ordered> = RefCell::new(Ordered::new());
}

impl Engine {
    /// Solves `grid`.
    ///
    /// ```
    /// use sudoku_service::grid::Grid;
    /// use sudoku_service::solver::{Budget, Engine, Goal, Outcome, StopFlag};
    ///
    /// let grid: Grid =
    ///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ///         .parse()?;
    /// let stop = StopFlag::new();
    /// let outcome = Engine::detect().solve(&grid, Goal::Uniqueness, &mut Budget::new(1_000, &stop));
    /// let Outcome::Unique(solution) = outcome else { panic!("a proper puzzle") };
    /// assert!(solution.to_string().starts_with("534678912"));
    /// # Ok::<(), sudoku_service::grid::ParseGridError>(())
    /// ```
    #[must_use]
    pub fn solve(self, grid: &Grid, goal: Goal, budget: &mut Budget<'_>) -> Outcome {
        let outcome = match goal {
            Goal::Uniqueness => self.unique_or_two_smallest(grid, budget),
            Goal::Smallest => self.smallest(grid, budget),
        };
        match outcome {
            // A clash ends the search in its first round, so it is looked for only now.
            Outcome::Unsolvable if givens::clash(grid) => Outcome::Clash,
            outcome => outcome,
        }
    }

    /// Solves each of `grids` with a budget of `guesses` of its own: the same answers as
    /// from [`solve`](Self::solve) for [`Goal::Uniqueness`], in the same order.
    #[must_use]
    pub fn solve_batch(self, grids: &[Grid], guesses: u64, stop: &StopFlag) -> Vec<Solved> {
        let undecided = Solved {
            outcome: Outcome::Limit { multiple: false },
            guesses: 0,
        };
        let mut answers = vec![undecided; grids.len()];
        let mut rest = Vec::new();
        self.decide_batch(
            grids,
            guesses,
            stop,
            |index, decision, guesses| match outcome(&grids[index], decision) {
                Some(outcome) => answers[index] = Solved { outcome, guesses },
                None => rest.push(index),
            },
        );
        for index in rest {
            let mut budget = Budget::new(guesses, stop);
            let outcome = self.solve(&grids[index], Goal::Uniqueness, &mut budget);
            let guesses = budget.spent();
            answers[index] = Solved { outcome, guesses };
        }
        answers
    }

    /// Tells whether `grid` has no solution, one or several.
    #[must_use]
    pub fn decide(self, grid: &Grid, budget: &mut Budget<'_>) -> Decision {
        match self.two_solutions(grid, budget) {
            Ok((None, _)) => Decision::None,
            Ok((Some(solution), None)) => Decision::One(solution),
            Ok((Some(_), Some(_))) => Decision::Many,
            Err(LimitReached) => Decision::Open,
        }
    }

    /// Tells for each of `grids` whether it has no solution, one or several, with a budget
    /// of `guesses` for each; `answer` gets their indices, decisions and guesses, in any
    /// order.
    ///
    /// A grid may be left [`Open`](Decision::Open) although [`decide`](Self::decide) has an
    /// answer: one that needs very many guesses is not to hold up the others.
    pub fn decide_batch(
        self,
        grids: &[Grid],
        guesses: u64,
        stop: &StopFlag,
        mut answer: impl FnMut(usize, Decision, u64),
    ) {
        with_lanes!(self, lanes: Lanes => {
            if grids.len() >= <Lanes as PuzzleLanes>::LANES {
                thread_local! {
                    static WORKSPACE: Cell<Option<Box<Workspace<Lanes>>>> = const { Cell::new(None) };
                }
                let kept = WORKSPACE.take();
                let mut workspace = kept.unwrap_or_else(|| Workspace::new(lanes));
                workspace.decide(grids, guesses, stop, answer);
                WORKSPACE.set(Some(workspace));
                return;
            }
        });
        // Too few to fill the lanes: one after the other is faster.
        for (index, grid) in grids.iter().enumerate() {
            let mut budget = Budget::new(guesses, stop);
            let decision = self.decide(grid, &mut budget);
            answer(index, decision, budget.spent());
        }
    }

    /// Counts the solutions of `grid` up to `limit`; of a grid whose givens clash there
    /// are none.
    #[must_use]
    pub fn count(self, grid: &Grid, limit: u64, budget: &mut Budget<'_>) -> Count {
        SEARCH.with_borrow_mut(|search| {
            with_lanes!(self, lanes => {
                search.start(lanes, grid.values());
                let mut solutions = 0;
                let exact = loop {
                    match search.next(lanes, budget) {
                        Ok(Some(_)) if solutions < limit => {
                            solutions += 1;
                            budget.reward_solution();
                        }
                        Ok(None) => break true,
                        Ok(Some(_)) | Err(LimitReached) => break false,
                    }
                };
                Count { solutions, exact }
            })
        })
    }

    /// The solutions of `grid` in ascending order; of a grid whose givens clash there
    /// are none.
    #[must_use]
    pub fn enumerate(self, grid: &Grid) -> Enumeration {
        Enumeration::new(self, grid)
    }

    /// Most puzzles have one solution, so the search that proves it runs first, in the
    /// order that is fastest; only where it finds two are the smallest looked for.
    fn unique_or_two_smallest(self, grid: &Grid, budget: &mut Budget<'_>) -> Outcome {
        match self.two_solutions(grid, budget) {
            Ok((None, _)) => Outcome::Unsolvable,
            Ok((Some(solution), None)) => Outcome::Unique(solution),
            Ok((Some(one), Some(other))) => self.two_smallest(grid, &[one, other], budget),
            Err(LimitReached) => Outcome::Limit { multiple: false },
        }
    }

    /// Two solutions of `grid`, or as many as there are.
    fn two_solutions(
        self,
        grid: &Grid,
        budget: &mut Budget<'_>,
    ) -> Result<(Option<Grid>, Option<Grid>), LimitReached> {
        SEARCH.with_borrow_mut(|search| {
            with_lanes!(self, lanes => {
                search.start(lanes, grid.values());
                let mut next = || {
                    let board = search.next(lanes, budget)?;
                    Ok(board.map(|board| solution(board.grid(lanes))))
                };
                match next()? {
                    None => Ok((None, None)),
                    first => Ok((first, next()?)),
                }
            })
        })
    }

    /// The two smallest solutions of `grid`, of which two are `known`.
    fn two_smallest(self, grid: &Grid, known: &[Grid], budget: &mut Budget<'_>) -> Outcome {
        self.in_order(grid, known, |next| match next(budget) {
            Ok(Some(smallest)) => match next(budget) {
                Ok(Some(second)) => Outcome::Multiple { smallest, second },
                Ok(None) | Err(LimitReached) => Outcome::Smallest(smallest),
            },
            Ok(None) | Err(LimitReached) => Outcome::Limit { multiple: true },
        })
    }

    fn smallest(self, grid: &Grid, budget: &mut Budget<'_>) -> Outcome {
        self.in_order(grid, &[], |next| match next(budget) {
            Ok(Some(solution)) => Outcome::Smallest(solution),
            Ok(None) => Outcome::Unsolvable,
            Err(LimitReached) => Outcome::Limit { multiple: false },
        })
    }

    /// What `take` makes of the solutions of `grid`, of which some are `known`, when it
    /// can ask for them in ascending order.
    fn in_order<T>(
        self,
        grid: &Grid,
        known: &[Grid],
        take: impl FnOnce(&mut NextSolution<'_>) -> T,
    ) -> T {
        ORDERED.with_borrow_mut(|ordered| {
            with_lanes!(self, lanes => {
                ordered.start(&Board::of(lanes, grid.values()), known);
                take(&mut |budget: &mut Budget<'_>| {
                    Ok(ordered.next(lanes, budget)?.map(solution))
                })
            })
        })
    }
}

/// The answer for a grid, if the decision says enough.
fn outcome(grid: &Grid, decision: Decision) -> Option<Outcome> {
    match decision {
        Decision::One(solution) => Some(Outcome::Unique(solution)),
        Decision::None if givens::clash(grid) => Some(Outcome::Clash),
        Decision::None => Some(Outcome::Unsolvable),
        Decision::Many | Decision::Open => None,
    }
}

/// Gives the next solution, or nothing when there are no more.
type NextSolution<'a> = dyn FnMut(&mut Budget<'_>) -> Result<Option<Grid>, LimitReached> + 'a;

/// The grid with these digits.
fn solution(digits: [u8; 81]) -> Grid {
    Grid::from_values(digits).expect("an engine writes digits")
}
