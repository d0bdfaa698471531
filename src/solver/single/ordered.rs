//! All solutions in ascending order (row by row, digits ascending), however wild the search below them is.
//!
//! The tree here fixes cells in their order. A node is entered only when a solution in it is known, or after the fast
//! search was asked for one; so no time is ever spent in a part without solutions, but for one question. What is known
//! is handed down: on the way to a known solution only lower digits than its own need a question.

use super::board::Board;
use super::close::{Closed, close};
use super::lanes::Lanes;
use super::search::Search;
use crate::grid::Grid;
use crate::solver::budget::{Budget, LimitReached};

/// The digits of a solution, row by row.
type Values = [u8; 81];

/// Each node fixes a cell more than the one below it.
const DEPTH: usize = 81 + 1;

/// A part of the solutions: those of a board.
#[derive(Clone, Debug)]
struct Node {
    board: Board,
    /// The smallest solutions known, ascending.
    known: [Values; 2],
    count: usize,
}

/// An enumeration of solutions in ascending order.
#[derive(Clone, Debug)]
pub(crate) struct Ordered {
    search: Search,
    /// Whether the search in the last node is under way: it was cut short by a budget.
    searching: bool,
    nodes: Vec<Node>,
}

impl Node {
    fn new(board: Board) -> Self {
        Self {
            board,
            known: [[0; 81]; 2],
            count: 0,
        }
    }

    /// Learns of a solution; of three it keeps the two smaller ones.
    fn learn(&mut self, solution: Values) {
        let known = &self.known[..self.count];
        let at = known
            .iter()
            .position(|other| *other >= solution)
            .unwrap_or(self.count);
        if at == 2 || known.get(at) == Some(&solution) {
            return;
        }
        if at == 0 {
            self.known[1] = self.known[0];
        }
        self.known[at] = solution;
        self.count = (self.count + 1).min(2);
    }

    /// Splits off the lowest digit of the first open cell.
    fn lowest(&mut self) -> Self {
        let (cell, digits) = self.board.first_open();
        self.split(cell, digits.trailing_zeros() as usize)
    }

    /// Splits off the node in which the cell has the digit (counted from 0), with what is known of it.
    fn split(&mut self, cell: usize, digit: usize) -> Self {
        let mut child = Self::new(self.board);
        child.board.assign(cell, digit);
        self.board.remove(cell, digit);
        let (known, count) = (self.known, self.count);
        self.count = 0;
        for solution in known.into_iter().take(count) {
            let node = if usize::from(solution[cell]) == digit + 1 {
                &mut child
            } else {
                &mut *self
            };
            node.learn(solution);
        }
        child
    }
}

impl Ordered {
    /// An enumeration that has nothing to do.
    pub(crate) fn new() -> Self {
        Self {
            search: Search::new(),
            searching: false,
            nodes: Vec::with_capacity(DEPTH),
        }
    }

    /// Begins with the solutions of a board, of which some may be known.
    pub(crate) fn start(&mut self, board: &Board, known: &[Grid]) {
        let mut root = Node::new(*board);
        for solution in known {
            root.learn(*solution.values());
        }
        self.searching = false;
        self.nodes.clear();
        self.nodes.push(root);
    }

    /// The next solution in ascending order, or nothing when there are no more. After
    /// `LimitReached` it can go on with another budget.
    pub(crate) fn next<L: Lanes>(
        &mut self,
        l: L,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Values>, LimitReached> {
        while let Some(node) = self.nodes.last_mut() {
            if node.count == 0 {
                if !self.searching {
                    self.search.start_at(&node.board);
                }
                self.searching = true;
                let found = self.search.next(l, budget)?;
                self.searching = false;
                match found {
                    Some(solution) => node.learn(solution.grid(l)),
                    None => {
                        self.nodes.pop();
                    }
                }
            } else if close(l, &mut node.board) == Closed::Solved {
                let solution = node.known[0];
                self.nodes.pop();
                return Ok(Some(solution));
            } else {
                budget.take()?;
                let child = node.lowest();
                self.nodes.push(child);
            }
        }
        Ok(None)
    }
}
