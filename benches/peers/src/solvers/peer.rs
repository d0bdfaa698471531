//! The crate `sudoku`.

use std::ops::Range;

use sudoku::Sudoku;
use sudoku_service::grid::Grid;

use super::Solver;
use crate::judge::Answer;

/// The fastest of its calls that count up to two and hand out a solution.
pub(crate) struct Peer {
    puzzles: Vec<Sudoku>,
    answers: Vec<PeerAnswer>,
}

/// How many solutions, up to two, and the first.
#[derive(Clone, Copy)]
struct PeerAnswer {
    count: usize,
    first: [[u8; 81]; 1],
}

const NO_ANSWER: PeerAnswer = PeerAnswer {
    count: usize::MAX,
    first: [[0; 81]],
};

/// The puzzles in the crate's own form.
fn read(puzzles: &[Grid]) -> Vec<Sudoku> {
    let read = |grid: &Grid| Sudoku::from_bytes(*grid.values()).expect("no value above 9");
    puzzles.iter().map(read).collect()
}

impl Peer {
    pub(crate) fn new(puzzles: &[Grid]) -> Self {
        Self {
            puzzles: read(puzzles),
            answers: vec![NO_ANSWER; puzzles.len()],
        }
    }
}

impl Solver for Peer {
    fn name(&self) -> &'static str {
        "sudoku"
    }

    fn forget(&mut self, slice: Range<usize>) {
        self.answers[slice].fill(NO_ANSWER);
    }

    fn solve(&mut self, slice: Range<usize>) {
        let puzzles = &self.puzzles[slice.clone()];
        for (puzzle, answer) in puzzles.iter().zip(&mut self.answers[slice]) {
            answer.count = puzzle.solutions_up_to_buffer(&mut answer.first, 2);
        }
    }

    fn answer(&self, index: usize) -> Answer {
        let PeerAnswer {
            count,
            first: [first],
        } = self.answers[index];
        match count {
            0 => Answer::None,
            1 => Grid::from_values(first).map_or(Answer::Open, Answer::One),
            2 => Answer::Several,
            _ => Answer::Open,
        }
    }
}

/// The call that its documentation shows first. It takes longer
/// than that of [`Peer`], and does not tell "none" from "several".
pub(crate) struct PeerSolution {
    puzzles: Vec<Sudoku>,
    solutions: Vec<Option<Sudoku>>,
}

impl PeerSolution {
    pub(crate) fn new(puzzles: &[Grid]) -> Self {
        Self {
            puzzles: read(puzzles),
            solutions: vec![None; puzzles.len()],
        }
    }
}

impl Solver for PeerSolution {
    fn name(&self) -> &'static str {
        "sudoku, by solution()"
    }

    fn forget(&mut self, slice: Range<usize>) {
        self.solutions[slice].fill(None);
    }

    fn solve(&mut self, slice: Range<usize>) {
        let puzzles = &self.puzzles[slice.clone()];
        for (puzzle, solution) in puzzles.iter().zip(&mut self.solutions[slice]) {
            *solution = puzzle.solution();
        }
    }

    fn answer(&self, index: usize) -> Answer {
        let values = self.solutions[index].map(Sudoku::to_bytes);
        values.map_or(Answer::NotOne, |values| {
            Grid::from_values(values).map_or(Answer::Open, Answer::One)
        })
    }
}
