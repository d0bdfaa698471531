//! The puzzles whose search is under way: who they are and what is known about them.

use super::board::{Loose, solution};
use crate::solver::answer::Decision;

/// The number of a puzzle under way.
pub(crate) type Owner = u16;

/// A puzzle under way, spread over any number of boards.
#[derive(Clone, Debug)]
pub(crate) struct Puzzle {
    /// Its place in the input.
    pub(crate) index: usize,
    /// How many of its boards are open, in lanes or in the pool.
    pub(crate) open: u32,
    /// The assumptions made so far.
    pub(crate) guesses: u64,
    /// The solution, once one is found.
    pub(crate) solution: Option<[u8; 81]>,
}

impl Puzzle {
    /// The decision when no board of the puzzle is open any more.
    pub(crate) fn decision(&self) -> Decision {
        match self.solution {
            Some(digits) => Decision::One(crate::solver::solution(digits)),
            None => Decision::None,
        }
    }

    /// Keeps a first solution, or tells that it was not the first.
    pub(crate) fn found(&mut self, board: &Loose) -> bool {
        let first = self.solution.is_none();
        if first {
            self.solution = Some(solution(board));
        }
        first
    }
}

/// The puzzles under way, by a number that boards carry.
#[derive(Debug, Default)]
pub(crate) struct Puzzles {
    places: Vec<Puzzle>,
    free: Vec<Owner>,
}

impl Puzzles {
    /// Takes a puzzle in, with one open board.
    pub(crate) fn start(&mut self, index: usize) -> Owner {
        let puzzle = Puzzle {
            index,
            open: 1,
            guesses: 0,
            solution: None,
        };
        if let Some(owner) = self.free.pop() {
            self.places[usize::from(owner)] = puzzle;
            owner
        } else {
            self.places.push(puzzle);
            (self.places.len() - 1) as u16
        }
    }

    /// The puzzle of a number.
    pub(crate) fn get(&mut self, owner: Owner) -> &mut Puzzle {
        &mut self.places[usize::from(owner)]
    }

    /// Frees a puzzle's number.
    pub(crate) fn end(&mut self, owner: Owner) {
        self.free.push(owner);
    }
}
