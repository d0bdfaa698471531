//! Seeded sets of puzzles, from the generator of the tests.

use std::fmt;
use std::sync::LazyLock;

use sudoku_service::grid::Grid;
use sudoku_service::solver::{Budget, Engine, StopFlag};

use crate::boards::{Kind, boards};

const SEED: u64 = 81;

/// A branch predictor learns a thousand puzzles by heart, and not these.
const PUZZLES: usize = 5_000;

/// So many of the puzzles with one solution are hard.
const HARD: usize = 500;

/// So many boards have as many puzzles of every kind.
const BOARDS: usize = 33_400;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    /// One solution, and more givens than are needed.
    Easy,
    /// One solution, and every given is needed.
    Minimal,
    /// Those of the minimal that take most guesses.
    Hard,
    /// Two solutions or more.
    Ambiguous,
    /// No clash, and no solution.
    Unsolvable,
}

impl Set {
    pub(crate) const ALL: [Self; 5] = [
        Self::Easy,
        Self::Minimal,
        Self::Hard,
        Self::Ambiguous,
        Self::Unsolvable,
    ];

    /// The puzzles of the set: always the same, but that the hard ones change with the
    /// guesses that they take.
    pub(crate) fn grids(self) -> &'static [Grid] {
        static SETS: LazyLock<[Vec<Grid>; 5]> = LazyLock::new(made);
        &SETS[self as usize]
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Easy => "easy",
            Self::Minimal => "minimal",
            Self::Hard => "hard",
            Self::Ambiguous => "ambiguous",
            Self::Unsolvable => "unsolvable",
        })
    }
}

fn made() -> [Vec<Grid>; 5] {
    let boards: Vec<_> = boards(SEED).take(BOARDS).collect();
    let all = |kind| -> Vec<Grid> {
        let of_kind = boards.iter().filter(|(of, _)| *of == kind);
        of_kind
            .map(|&(_, board)| Grid::from_values(board).expect("digits"))
            .collect()
    };
    Set::ALL.map(|set| {
        let (mut grids, size) = match set {
            Set::Easy => (all(Kind::Easy), PUZZLES),
            Set::Minimal => (all(Kind::Minimal), PUZZLES),
            Set::Hard => (hardest_first(all(Kind::Minimal)), HARD),
            Set::Ambiguous => (all(Kind::Several), PUZZLES),
            Set::Unsolvable => (all(Kind::Contradictory), PUZZLES),
        };
        assert!(grids.len() >= size, "too few are {set}");
        grids.truncate(size);
        grids
    })
}

fn hardest_first(mut grids: Vec<Grid>) -> Vec<Grid> {
    let stop = StopFlag::new();
    grids.sort_by_cached_key(|grid| {
        let mut budget = Budget::new(u64::MAX, &stop);
        let _ = Engine::detect().decide(grid, &mut budget);
        std::cmp::Reverse(budget.spent())
    });
    grids
}
