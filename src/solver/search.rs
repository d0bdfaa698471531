//! The search for solutions in whatever order is fastest.

use super::budget::{Budget, LimitReached};
use super::scalar::Board;
use crate::grid::Grid;

/// A guess settles a cell for good or is taken back, so a path has at most one board
/// that waits for each cell and candidate.
const DEPTH: usize = 81 * 8 + 1;

/// The boards that a depth-first search has still to look at.
pub(super) struct Search {
    waiting: Vec<Board>,
}

impl Search {
    pub(super) fn new(board: Board) -> Self {
        let mut waiting = Vec::with_capacity(64.min(DEPTH));
        waiting.push(board);
        Self { waiting }
    }

    /// The next solution, or nothing when there are no more.
    pub(super) fn next(&mut self, budget: &mut Budget<'_>) -> Result<Option<Grid>, LimitReached> {
        while let Some(mut board) = self.waiting.pop() {
            if board.propagate().is_err() {
                continue;
            }
            let Some(cell) = board.most_constrained() else {
                return Ok(Some(board.solution()));
            };
            if let Err(limit) = budget.take() {
                self.waiting.push(board);
                return Err(limit);
            }
            let guess = board.candidates(cell) & board.candidates(cell).wrapping_neg();
            let mut rest = board;
            rest.remove(cell, guess);
            self.waiting.push(rest);
            board.keep(cell, guess);
            self.waiting.push(board);
        }
        Ok(None)
    }
}
