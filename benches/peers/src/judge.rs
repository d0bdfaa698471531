//! Whether what a solver says is true. None of this is timed.

use sudoku_service::grid::Grid;
use sudoku_service::rules::is_solution_of;
use sudoku_service::solver::{Decision, Outcome};

/// What a solver says of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Nothing.
    Open,
    /// There is no solution.
    None,
    /// There is this one only.
    One(Grid),
    /// There are several.
    Several,
    /// There are several, and these two come first.
    Two(Grid, Grid),
    /// There is none, or there are several.
    NotOne,
    /// There is this one, and perhaps others.
    Some(Grid),
}

impl From<Decision> for Answer {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::None => Self::None,
            Decision::One(solution) => Self::One(solution),
            Decision::Many => Self::Several,
            Decision::Open => Self::Open,
        }
    }
}

impl From<Outcome> for Answer {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Clash | Outcome::Unsolvable => Self::None,
            Outcome::Unique(solution) => Self::One(solution),
            Outcome::Multiple { smallest, second } => Self::Two(smallest, second),
            Outcome::Smallest(solution) => Self::Some(solution),
            Outcome::Limit { .. } => Self::Open,
        }
    }
}

impl Answer {
    /// Whether every solution in it is one.
    fn is_true_of(&self, puzzle: &Grid) -> bool {
        match self {
            Self::Open => false,
            Self::None | Self::Several | Self::NotOne => true,
            Self::One(solution) | Self::Some(solution) => is_solution_of(solution, puzzle),
            Self::Two(smallest, second) => {
                smallest < second
                    && is_solution_of(smallest, puzzle)
                    && is_solution_of(second, puzzle)
            }
        }
    }

    /// Whether both can be true.
    fn agrees_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::One(a), Self::One(b) | Self::Some(b)) | (Self::Some(a), Self::One(b)) => a == b,
            _ => self.possible_counts() & other.possible_counts() != 0,
        }
    }

    /// The numbers of solutions that it leaves possible: bit 0 for none, bit 1 for one, bit
    /// 2 for several.
    const fn possible_counts(&self) -> u8 {
        match self {
            Self::Open => 0b000,
            Self::None => 0b001,
            Self::One(_) => 0b010,
            Self::Several | Self::Two(..) => 0b100,
            Self::NotOne => 0b101,
            Self::Some(_) => 0b110,
        }
    }
}

/// Looks at every answer of every solver, with the rules and beside what others said.
pub(crate) struct Judge<'p> {
    puzzles: &'p [Grid],
    /// The first answer to each puzzle, once it was found to keep the rules.
    first: Vec<Option<Answer>>,
    is_wrong: Vec<bool>,
}

impl<'p> Judge<'p> {
    pub(crate) fn new(puzzles: &'p [Grid]) -> Self {
        Self {
            puzzles,
            first: vec![None; puzzles.len()],
            is_wrong: vec![false; puzzles.len()],
        }
    }

    /// Judges an answer, and names the solver if it is wrong or not what another said.
    pub(crate) fn look_at(&mut self, solver: &str, index: usize, answer: Answer) {
        let puzzle = &self.puzzles[index];
        let first = &mut self.first[index];
        if *first == Some(answer) {
            return;
        }
        let is_true = answer.is_true_of(puzzle);
        if is_true && first.is_none_or(|first| first.agrees_with(&answer)) {
            first.get_or_insert(answer);
            return;
        }
        if !self.is_wrong[index] {
            eprintln!("{puzzle}: {solver} says {answer:?}, {first:?} was said before");
        }
        self.is_wrong[index] = true;
    }

    /// How many puzzles got a wrong answer, or different ones.
    pub(crate) fn wrong(&self) -> usize {
        self.is_wrong.iter().filter(|&&wrong| wrong).count()
    }
}
