//! Questions about a grid, and their answers.

use crate::grid::Grid;

/// How far to look for solutions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The smallest solution, and whether it is the only one.
    Uniqueness,
    /// The smallest solution.
    Smallest,
}

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

impl Outcome {
    /// Whether a greater budget would not change it.
    #[must_use]
    pub const fn is_final(&self, goal: Goal) -> bool {
        match self {
            Self::Clash | Self::Unsolvable | Self::Unique(_) | Self::Multiple { .. } => true,
            Self::Smallest(_) => matches!(goal, Goal::Smallest),
            Self::Limit { .. } => false,
        }
    }
}

/// What became of a grid, and what that took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solved {
    /// The answer.
    pub outcome: Outcome,
    /// The guesses made for it.
    pub guesses: u64,
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

/// A number of solutions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The solutions that were counted.
    pub solutions: u64,
    /// Whether there are no more.
    pub exact: bool,
}
