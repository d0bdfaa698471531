//! Seeded boards of every kind a caller may send.

mod grids;
mod puzzles;
mod random;
mod search;

use std::env;

use crate::oracle::Board;
pub(crate) use random::Random;

/// How many boards to try: what the environment says, for longer runs, or a number for
/// every day.
pub(crate) fn how_many(variable: &str, every_day: usize) -> usize {
    env::var(variable).map_or(every_day, |many| many.parse().expect("a number of boards"))
}

/// What is known of a board by the way it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// One solution, and every given is needed.
    Minimal,
    /// One solution, and more givens than are needed.
    Easy,
    /// Two solutions or more.
    Several,
    /// No clash, and no solution.
    Contradictory,
    /// Two equal givens in a unit.
    Clashing,
    /// At most 16 givens that do not clash: no solution, or several.
    NearlyEmpty,
    /// Solved already.
    Complete,
    /// No blank, but not solved.
    WronglyComplete,
}

impl Kind {
    pub(crate) const ALL: [Kind; 8] = [
        Kind::Minimal,
        Kind::Easy,
        Kind::Several,
        Kind::Contradictory,
        Kind::Clashing,
        Kind::NearlyEmpty,
        Kind::Complete,
        Kind::WronglyComplete,
    ];

    /// How many of every twenty boards are of the kind.
    const fn share(self) -> usize {
        match self {
            Kind::Minimal | Kind::Several => 5,
            Kind::Easy | Kind::Contradictory => 3,
            Kind::Clashing | Kind::NearlyEmpty | Kind::Complete | Kind::WronglyComplete => 1,
        }
    }

    /// A board of the kind.
    pub(crate) fn board(self, random: &mut Random) -> Board {
        match self {
            Kind::Minimal => puzzles::minimal(random),
            Kind::Easy => puzzles::easy(random),
            Kind::Several => puzzles::several(random),
            Kind::Contradictory => puzzles::contradictory(random),
            Kind::Clashing => puzzles::clashing(random),
            Kind::NearlyEmpty => puzzles::nearly_empty(random),
            Kind::Complete => grids::any(random),
            Kind::WronglyComplete => grids::wrong(random),
        }
    }
}

/// An endless mixture: the same for the same seed, and in every twenty boards
/// the same number of each kind.
pub(crate) fn boards(seed: u64) -> impl Iterator<Item = (Kind, Board)> {
    let kinds: Vec<Kind> = Kind::ALL
        .into_iter()
        .flat_map(|kind| std::iter::repeat_n(kind, kind.share()))
        .collect();
    let mut random = Random::new(seed);
    kinds
        .into_iter()
        .cycle()
        .map(move |kind| (kind, kind.board(&mut random)))
}

#[cfg(test)]
mod tests;
