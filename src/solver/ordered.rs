//! The solutions of a grid in ascending order.

use std::fmt;

use super::budget::{Budget, LimitReached};
use super::scalar::Board;
use super::search::Search;
use crate::grid::Grid;

/// The solutions of a grid, smallest first.
///
/// Blanks are filled in cell order, digits ascending. A board is only gone into if a
/// completion of it is known, so the search never loses itself below a wrong choice
/// far above: whether a board has any completion is a question for the fast search.
pub struct Enumeration {
    /// Boards in descending order, the next one last.
    waiting: Vec<Branch>,
}

/// A board to look at, and a completion of it if one is known.
struct Branch {
    board: Board,
    witness: Option<Grid>,
}

impl Enumeration {
    pub(super) fn new(board: Option<Board>) -> Self {
        let start = board.map(|board| Branch {
            board,
            witness: None,
        });
        Self {
            waiting: start.into_iter().collect(),
        }
    }

    /// The next solution, or nothing when there are no more.
    ///
    /// # Errors
    ///
    /// If the budget ends first. The enumeration can go on with another budget.
    pub fn next(&mut self, budget: &mut Budget<'_>) -> Result<Option<Grid>, LimitReached> {
        while let Some(mut branch) = self.waiting.pop() {
            if branch.board.propagate().is_err() {
                continue;
            }
            let Some(cell) = (0..81).find(|&c| branch.board.candidates(c).count_ones() > 1) else {
                return Ok(Some(branch.board.solution()));
            };
            let witness = match branch.witness {
                Some(witness) => witness,
                None => match Search::new(branch.board).next(budget) {
                    Ok(Some(witness)) => witness,
                    Ok(None) => continue,
                    Err(limit) => {
                        self.waiting.push(branch);
                        return Err(limit);
                    }
                },
            };
            if let Err(limit) = budget.take() {
                self.waiting.push(branch);
                return Err(limit);
            }
            self.go_into(&branch.board, cell, &witness);
        }
        Ok(None)
    }

    /// One branch for each candidate of `cell`, the smallest to be looked at first.
    fn go_into(&mut self, board: &Board, cell: usize, witness: &Grid) {
        for digit in (1..=9).rev() {
            let bit = 1 << (digit - 1);
            if board.candidates(cell) & bit != 0 {
                let mut board = *board;
                board.keep(cell, bit);
                let witness = (witness.values()[cell] == digit).then_some(*witness);
                self.waiting.push(Branch { board, witness });
            }
        }
    }
}

impl fmt::Debug for Enumeration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Enumeration")
            .field("waiting", &self.waiting.len())
            .finish()
    }
}
