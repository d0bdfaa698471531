//! The decision search: depth first on an explicit stack.

use super::board::Board;
use super::choice::choose;
use super::close::{Closed, Rounds, same};
use super::grids::Read;
use super::lanes::{Lanes, Task};
use super::triple::triple;
use crate::solver::budget::{Budget, LimitReached};

/// Assumptions on one path: each of the 54 pairs of a digit and a band or stack has at most six ways, one assumption
/// leaves at most two of them and a second one leaves one; and a decided pair is never chosen again.
pub(crate) const DEPTH: usize = 2 * 54;

/// A search that can be resumed.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    stack: [Board; DEPTH + 1],
    height: usize,
    /// The board of the last solution.
    solution: Board,
}

/// What follows when the rounds stall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stalled {
    Dead,
    /// The triple rule had something to say.
    Changed,
    /// The board is the negation now, the other one the assumption.
    Split,
    /// There was a choice to make, and no guess left.
    Limit,
}

/// The triple rule, and the choice if it brings nothing. Both look at the same matrices.
struct Stall<'a> {
    board: &'a mut Board,
    assumption: &'a mut Board,
    limit: bool,
}

impl Task for Stall<'_> {
    type Output = Stalled;

    #[inline(always)]
    fn on<L: Lanes>(self, l: L) -> Stalled {
        let board = self.board.load(l);
        let (next, alive) = triple(l, board);
        if !alive {
            return Stalled::Dead;
        }
        if !same(l, board, next) {
            self.board.store(l, next);
            return Stalled::Changed;
        }
        if self.limit {
            return Stalled::Limit;
        }
        let [assumed, negated] = choose(l, board).split(l, board);
        self.board.store(l, negated);
        self.assumption.store(l, assumed);
        Stalled::Split
    }
}

impl Search {
    /// A search that has nothing to do.
    pub(crate) const fn new() -> Self {
        Self {
            stack: [Board::EMPTY; DEPTH + 1],
            height: 0,
            solution: Board::EMPTY,
        }
    }

    /// Begins at a grid.
    #[inline(always)]
    pub(crate) fn start<L: Lanes>(&mut self, l: L, grid: &[u8; 81]) {
        l.bytes().run(Read {
            grid,
            board: &mut self.stack[0],
        });
        self.height = 1;
    }

    /// Begins at a board.
    pub(crate) fn start_at(&mut self, board: &Board) {
        self.stack[0] = *board;
        self.height = 1;
    }

    /// The board of the next solution, in no particular order, or nothing when there are
    /// no more. After `LimitReached` it can go on with another budget.
    #[inline(always)]
    pub(crate) fn next<L: Lanes>(
        &mut self,
        l: L,
        budget: &mut Budget<'_>,
    ) -> Result<Option<&Board>, LimitReached> {
        while self.height > 0 {
            let at = self.height - 1;
            let [board, assumption] = &mut self.stack[at..at + 2] else {
                unreachable!("the stack is deeper than any path");
            };
            match l.run(Rounds(board)) {
                Closed::Dead => self.height = at,
                Closed::Solved => {
                    self.solution = *board;
                    self.height = at;
                    return Ok(Some(&self.solution));
                }
                Closed::Open => {
                    let limit = budget.is_used_up();
                    match l.run(Stall {
                        board,
                        assumption,
                        limit,
                    }) {
                        Stalled::Dead => self.height = at,
                        Stalled::Changed => {}
                        Stalled::Limit => return Err(budget.end()),
                        Stalled::Split => {
                            budget.spend();
                            self.height = at + 2;
                        }
                    }
                }
            }
        }
        Ok(None)
    }
}
