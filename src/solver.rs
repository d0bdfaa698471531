//! The solver: every question about the solutions of a grid, answered the same on
//! every machine.
//!
//! The engines are free in their order of search, the answers are not: of several
//! solutions the lexicographically smallest come first, as textbook backtracking
//! (row by row, digits ascending) would find them.
//!
//! Architecture invariant: the solver knows grids and nothing else. It has no clock,
//! no threads of its own and no I/O; a [`Budget`] bounds its work and a [`StopFlag`]
//! ends it from outside. It never sees its judge, [`rules`](crate::rules).

mod budget;
mod ordered;
mod scalar;
mod search;

pub use budget::{Budget, LimitReached, StopFlag};
pub use ordered::Enumeration;

use std::fmt;

use crate::grid::Grid;
use scalar::Board;
use search::Search;

/// What became of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Two givens clash in a unit.
    Clash,
    /// No givens clash, and yet there is no solution.
    Unsolvable,
    /// The only solution.
    Unique(Grid),
    /// Two or more solutions.
    Multiple {
        /// The lexicographically smallest.
        smallest: Grid,
        /// The one after it.
        second: Grid,
    },
    /// The smallest solution; whether there are others was not asked or not found out.
    Smallest(Grid),
    /// The budget ended before a solution was known to be the smallest.
    Limit {
        /// Whether several solutions have been seen.
        multiple: bool,
    },
}

/// How many solutions a grid has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// None; clashing givens are one reason.
    None,
    /// One: this.
    One(Grid),
    /// Two or more.
    Many,
    /// The budget ended before that was known.
    Open,
}

/// How far to look for solutions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The smallest solution, and whether it is the only one.
    Uniqueness,
    /// The smallest solution.
    Smallest,
}

/// What became of one grid of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solved {
    /// The answer.
    pub outcome: Outcome,
    /// The guesses that it took.
    pub guesses: u64,
}

/// A number of solutions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The solutions that were counted.
    pub solutions: u64,
    /// Whether there are no more.
    pub exact: bool,
}

/// A way to search. All engines give the same answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Bit masks in scalar registers; runs everywhere.
    Scalar,
}

impl Engine {
    /// The fastest engine that this machine can run.
    #[must_use]
    pub const fn detect() -> Self {
        Self::Scalar
    }

    /// The engine's name, as in flags and logs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
        }
    }

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
        let Some(board) = Board::new(grid) else {
            return Outcome::Clash;
        };
        match goal {
            Goal::Uniqueness => unique_or_two_smallest(board, budget),
            Goal::Smallest => smallest(board, budget),
        }
    }

    /// Solves each of `puzzles` with a budget of `guesses` of its own: the same answers as
    /// from [`solve`](Self::solve), in the same order.
    #[must_use]
    pub fn solve_batch(
        self,
        puzzles: &[(Grid, Goal)],
        guesses: u64,
        stop: &StopFlag,
    ) -> Vec<Solved> {
        let solve_one = |(grid, goal): &(Grid, Goal)| {
            let mut budget = Budget::new(guesses, stop);
            Solved {
                outcome: self.solve(grid, *goal, &mut budget),
                guesses: budget.spent(),
            }
        };
        puzzles.iter().map(solve_one).collect()
    }

    /// Tells whether `grid` has no solution, one or several.
    #[must_use]
    pub fn decide(self, grid: &Grid, budget: &mut Budget<'_>) -> Decision {
        Board::new(grid).map_or(Decision::None, |board| decide(board, budget))
    }

    /// Tells for each of `grids` whether it has no solution, one or several, with a budget
    /// of `guesses` for each; `answer` gets their indices, decisions and guesses, in any
    /// order.
    pub fn decide_batch(
        self,
        grids: &[Grid],
        guesses: u64,
        stop: &StopFlag,
        mut answer: impl FnMut(usize, Decision, u64),
    ) {
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
        let mut solutions = 0;
        let Some(board) = Board::new(grid) else {
            return Count {
                solutions,
                exact: true,
            };
        };
        let mut search = Search::new(board);
        loop {
            match search.next(budget) {
                Ok(Some(_)) if solutions < limit => {
                    solutions += 1;
                    budget.reward_solution();
                }
                Ok(Some(_)) | Err(LimitReached) => {
                    return Count {
                        solutions,
                        exact: false,
                    };
                }
                Ok(None) => {
                    return Count {
                        solutions,
                        exact: true,
                    };
                }
            }
        }
    }

    /// The solutions of `grid` in ascending order; of a grid whose givens clash there
    /// are none.
    #[must_use]
    pub fn enumerate(self, grid: &Grid) -> Enumeration {
        Enumeration::new(Board::new(grid))
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Most puzzles have one solution, so the search that proves it runs first, in the
/// order that is fastest; only where it finds two are the smallest looked for.
fn unique_or_two_smallest(board: Board, budget: &mut Budget<'_>) -> Outcome {
    match decide(board, budget) {
        Decision::None => Outcome::Unsolvable,
        Decision::One(solution) => Outcome::Unique(solution),
        Decision::Many => two_smallest(board, budget),
        Decision::Open => Outcome::Limit { multiple: false },
    }
}

fn decide(board: Board, budget: &mut Budget<'_>) -> Decision {
    let mut search = Search::new(board);
    let first = match search.next(budget) {
        Ok(Some(solution)) => solution,
        Ok(None) => return Decision::None,
        Err(LimitReached) => return Decision::Open,
    };
    match search.next(budget) {
        Ok(None) => Decision::One(first),
        Ok(Some(_)) => Decision::Many,
        Err(LimitReached) => Decision::Open,
    }
}

fn two_smallest(board: Board, budget: &mut Budget<'_>) -> Outcome {
    let mut ascending = Enumeration::new(Some(board));
    let Ok(Some(smallest)) = ascending.next(budget) else {
        return Outcome::Limit { multiple: true };
    };
    match ascending.next(budget) {
        Ok(Some(second)) => Outcome::Multiple { smallest, second },
        Ok(None) | Err(LimitReached) => Outcome::Smallest(smallest),
    }
}

fn smallest(board: Board, budget: &mut Budget<'_>) -> Outcome {
    match Enumeration::new(Some(board)).next(budget) {
        Ok(Some(solution)) => Outcome::Smallest(solution),
        Ok(None) => Outcome::Unsolvable,
        Err(LimitReached) => Outcome::Limit { multiple: false },
    }
}
