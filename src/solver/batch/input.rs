//! The puzzles that have not been started: a block of them in the lanes of vectors, the rest as they came.

use super::board::Cells;
use super::lanes::{LaneSet, MOST, PuzzleLanes, members};
use super::naked::{Digits, Line, Load};
use crate::grid::Grid;
use crate::solver::answer::Decision;

/// A block of puzzles that naked singles did not decide, to be started one after the other.
#[derive(Debug)]
pub(crate) struct Block<P: PuzzleLanes> {
    /// The candidates, a puzzle a lane.
    pub(crate) cells: Cells<P>,
    /// The lanes whose puzzle has not been started.
    ready: LaneSet,
    /// The index of the puzzle in lane 0.
    first: usize,
    /// The index of the first puzzle after the block.
    next: usize,
    lines: [Line; MOST],
}

impl<P: PuzzleLanes> Block<P> {
    pub(crate) fn new(lanes: P) -> Self {
        Self {
            cells: [lanes.splat(0); 81],
            ready: 0,
            first: 0,
            next: 0,
            lines: [[0; 128]; MOST],
        }
    }

    /// Goes back to the first puzzle of an input.
    pub(crate) fn rewind(&mut self) {
        (self.ready, self.first, self.next) = (0, 0, 0);
    }

    /// Whether no puzzle is left.
    pub(crate) fn is_over(&self, grids: &[Grid]) -> bool {
        self.ready == 0 && self.next == grids.len()
    }

    /// Whether the block has no puzzle left, so that another may be loaded.
    pub(crate) fn is_used_up(&self) -> bool {
        self.ready == 0
    }

    /// The next puzzle of the block: its lane and its index.
    pub(crate) fn take(&mut self) -> Option<(usize, usize)> {
        let lane = members(self.ready).next()?;
        self.ready &= self.ready - 1;
        Some((lane, self.first + lane))
    }

    /// Loads puzzles until naked singles leave some undecided, or none is left.
    pub(crate) fn load(
        &mut self,
        lanes: P,
        grids: &[Grid],
        out: &mut impl FnMut(usize, Decision, u64),
    ) {
        while self.ready == 0 && self.next < grids.len() {
            let rest = &grids[self.next..];
            let grids = &rest[..rest.len().min(P::LANES)];
            self.first = self.next;
            self.next += grids.len();
            let loaded = lanes.run(Load {
                grids,
                cells: &mut self.cells,
            });
            for lane in members(loaded.clashing) {
                out(self.first + lane, Decision::None, 0);
            }
            if loaded.solved != 0 {
                lanes.run(Digits {
                    cells: &self.cells,
                    lines: &mut self.lines,
                });
            }
            for lane in members(loaded.solved) {
                let (solution, _) = self.lines[lane]
                    .split_first_chunk()
                    .expect("a line has 81 digits");
                out(
                    self.first + lane,
                    Decision::One(crate::solver::solution(*solution)),
                    0,
                );
            }
            self.ready = LaneSet::MAX >> (LaneSet::BITS as usize - grids.len())
                & !loaded.clashing
                & !loaded.solved;
        }
    }

    /// Hands all puzzles that are left to `out` as given up.
    pub(crate) fn abandon(&mut self, grids: &[Grid], out: &mut impl FnMut(usize, Decision, u64)) {
        while let Some((_, index)) = self.take() {
            out(index, Decision::Open, 0);
        }
        for index in self.next..grids.len() {
            out(index, Decision::Open, 0);
        }
        self.next = grids.len();
    }
}
