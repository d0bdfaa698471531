//! Answers, counted.

use super::convert::Answer;
use super::v1::SolveStatus;
use crate::tally::{PuzzleStatus, SolvingRpc, Tally};

/// Counts the puzzles that a call of `rpc` was asked to solve.
pub(super) fn count(tally: &Tally, rpc: SolvingRpc, answers: &[Answer]) {
    tally.puzzles.add(rpc, answers.iter().map(status));
    let mut without_guess = 0;
    for guesses in answers.iter().filter_map(guesses) {
        match guesses {
            // Nearly all: counted together.
            0 => without_guess += 1,
            guesses => tally.guesses.observe(guesses),
        }
    }
    if without_guess > 0 {
        tally.guesses.observe_often(0, without_guess);
    }
}

fn status(answer: &Answer) -> PuzzleStatus {
    let Ok(response) = answer else {
        return PuzzleStatus::Malformed;
    };
    match response.status() {
        SolveStatus::Solved => PuzzleStatus::Solved,
        SolveStatus::NoSolution => PuzzleStatus::NoSolution,
        SolveStatus::ConflictingGivens => PuzzleStatus::ConflictingGivens,
        SolveStatus::LimitReached => PuzzleStatus::LimitReached,
        SolveStatus::Unspecified => unreachable!("every answer has a status"),
    }
}

fn guesses(answer: &Answer) -> Option<u64> {
    let stats = answer.as_ref().ok()?.stats.as_ref()?;
    u64::try_from(stats.guess_count).ok()
}
