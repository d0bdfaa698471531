//! The search over all lanes: sweep, look at the lanes with an event, deal boards to the free lanes, and again.
//!
//! A lane without a board takes, in this order: the negation of a board that branches at the same time (a copy
//! between lanes, in one pass for all of them), a board that waits in the pool, the next puzzle. So a puzzle may be
//! searched in several lanes at once; its guesses and solutions are counted with the puzzle, and their sum does not
//! depend on the order. Where a puzzle looks as if it had many solutions the order is nearer to depth first: that
//! finds the second one soonest.

use super::board::{Boards, MINIROWS, Minirow, Runs, Unzip, take_out};
use super::choice::{Choices, Choose};
use super::deal::Deal;
use super::input::Block;
use super::lanes::{LaneSet, MOST, PuzzleLanes, all, members};
use super::pool::Pool;
use super::puzzles::{Owner, Puzzles};
use super::sweep::{Sweep, Swept};
use crate::grid::Grid;
use crate::solver::answer::Decision;
use crate::solver::budget::StopFlag;

/// A puzzle that needs this many guesses is likely to have one solution, if any; its order need not be depth first.
const MANY_GUESSES: u64 = 16;

/// The fixed working set of a search.
#[derive(Debug)]
pub(crate) struct Workspace<P: PuzzleLanes> {
    lanes: P,
    boards: Boards<P>,
    /// The boards by lanes, once somebody asked for one after the last sweep.
    runs: Runs<P>,
    unzipped: bool,
    choices: Choices,
    block: Block<P>,
    deal: Deal,
    pool: Pool,
    puzzles: Puzzles,
    /// Whose board each lane has.
    owners: [Owner; MOST],
}

impl<P: PuzzleLanes> Workspace<P> {
    /// Room for a search on these lanes.
    #[must_use]
    pub(crate) fn new(lanes: P) -> Box<Self> {
        Box::new(Self {
            lanes,
            boards: Boards::empty(lanes),
            runs: [[lanes.splat(0); 8]; 11],
            unzipped: false,
            choices: Choices::default(),
            block: Block::new(lanes),
            deal: Deal::new(),
            pool: Pool::new(),
            puzzles: Puzzles::default(),
            owners: [0; MOST],
        })
    }

    /// Decides every puzzle and hands each decision out once, with the puzzle's index, in any order.
    ///
    /// A puzzle that needs more than `budget` guesses is given up, and so is all that is left when `stop` becomes true.
    pub(crate) fn decide(
        &mut self,
        grids: &[Grid],
        budget: u64,
        stop: &StopFlag,
        out: impl FnMut(usize, Decision, u64),
    ) {
        self.block.rewind();
        Search {
            work: self,
            grids,
            busy: 0,
            fresh: 0,
            budget,
            out,
        }
        .run(stop);
    }

    /// Makes the boards of the last sweep ready to be taken out, once.
    fn unzip(&mut self) {
        if !self.unzipped {
            self.unzipped = true;
            self.lanes.run(Unzip {
                cells: &self.boards.cells,
                runs: &mut self.runs,
            });
        }
    }
}

struct Search<'a, P: PuzzleLanes, F> {
    work: &'a mut Workspace<P>,
    grids: &'a [Grid],
    /// The lanes with an open board.
    busy: LaneSet,
    /// The free lanes that are to start a new puzzle.
    fresh: LaneSet,
    budget: u64,
    out: F,
}

impl<P: PuzzleLanes, F: FnMut(usize, Decision, u64)> Search<'_, P, F> {
    fn run(mut self, stop: &StopFlag) {
        self.fill();
        while self.busy != 0 {
            if stop.is_stopped() {
                return self.abandon();
            }
            let swept = self.work.lanes.run(Sweep(&mut self.work.boards));
            self.work.unzipped = false;
            self.settle(swept);
            let stalled = swept.stalled & self.busy & !swept.solved;
            if self.is_worth_a_stop(stalled) {
                self.branch(stalled);
                self.fill();
            }
        }
        debug_assert_eq!(self.work.pool.len(), 0, "boards are forgotten");
    }

    /// Whether so many lanes wait that they should be dealt with; a sweep does no harm to a board that stalls.
    fn is_worth_a_stop(&self, stalled: LaneSet) -> bool {
        let running = (self.busy & !stalled).count_ones() as usize;
        running <= P::LANES - P::LANES / 3 || self.work.deal.has_pops()
    }

    /// Books the lanes that came to an end.
    fn settle(&mut self, swept: Swept) {
        for lane in members(swept.solved & self.busy) {
            // An earlier lane may have ended the puzzle of this one.
            if self.busy >> lane & 1 == 1 {
                self.solved(lane);
            }
        }
        for lane in members(swept.dead & self.busy) {
            self.dead(lane);
        }
    }

    /// A lane's board is a solution.
    fn solved(&mut self, lane: usize) {
        let owner = self.work.owners[lane];
        self.work.unzip();
        let mut board = [0; 81];
        take_out::<P>(&self.work.boards.cells, &self.work.runs, lane, &mut board);
        if self.work.puzzles.get(owner).found(&board) {
            self.close(lane);
            // If there is a second solution, it is often close to the first.
            self.pop_of(owner, lane);
        } else {
            self.end(owner, Decision::Many);
        }
    }

    /// A lane's board has no solution.
    fn dead(&mut self, lane: usize) {
        let owner = self.work.owners[lane];
        let puzzle = self.work.puzzles.get(owner);
        let last_lane = puzzle.open == 1 + self.work.pool.len_of(owner);
        let few_guesses = puzzle.guesses < MANY_GUESSES;
        self.close(lane);
        if last_lane && few_guesses {
            self.pop_of(owner, lane);
        }
    }

    /// A lane's board has been searched.
    fn close(&mut self, lane: usize) {
        self.busy &= !(1 << lane);
        let owner = self.work.owners[lane];
        let puzzle = self.work.puzzles.get(owner);
        puzzle.open -= 1;
        if puzzle.open == 0 {
            (self.out)(puzzle.index, puzzle.decision(), puzzle.guesses);
            self.work.puzzles.end(owner);
        }
    }

    /// Gives a lane the newest waiting board of a puzzle, if there is one.
    fn pop_of(&mut self, owner: Owner, lane: usize) {
        if let Some(place) = self.work.pool.pop_of(owner) {
            self.work.deal.pop(lane, place);
            self.give(lane, owner);
        }
    }

    /// Ends a puzzle that has open boards, and drops them.
    fn end(&mut self, owner: Owner, decision: Decision) {
        let Workspace {
            deal,
            pool,
            puzzles,
            owners,
            ..
        } = &mut *self.work;
        deal.drop_lanes(pool, |lane| owners[lane] == owner);
        pool.purge(owner);
        let puzzle = puzzles.get(owner);
        (self.out)(puzzle.index, decision, puzzle.guesses);
        puzzles.end(owner);
        let freed = members(self.busy)
            .filter(|&lane| owners[lane] == owner)
            .fold(0, |set, lane| set | 1 << lane);
        self.busy &= !freed;
        // New puzzles rather than old boards, lest puzzles with many solutions are searched beside the shortest way; within bounds.
        if pool.len() < 8 * P::LANES {
            self.fresh |= freed;
        }
    }

    /// Branches closed boards.
    fn branch(&mut self, stalled: LaneSet) {
        if stalled == 0 {
            return;
        }
        let Workspace {
            lanes,
            boards,
            choices,
            pool,
            ..
        } = &mut *self.work;
        lanes.run(Choose {
            cells: &boards.cells,
            choices,
        });
        // A crowded pool is let down before it takes more: few lanes go on, each of them to the end.
        let most = if pool.crowded() { 2 } else { P::LANES };
        for lane in members(stalled).take(most) {
            // An earlier lane may have ended the puzzle of this one.
            if self.busy >> lane & 1 == 1 {
                self.guess(lane);
            }
        }
    }

    /// Leaves a lane with an assumption, and gives the negation to a free lane or to the pool.
    fn guess(&mut self, lane: usize) {
        let owner = self.work.owners[lane];
        let puzzle = self.work.puzzles.get(owner);
        if puzzle.guesses == self.budget {
            return self.end(owner, Decision::Open);
        }
        puzzle.guesses += 1;
        puzzle.open += 1;
        let (minirow, digit) = self.work.choices.of(lane);
        if !self.negate(lane, owner, minirow, digit) {
            return self.end(owner, Decision::Open);
        }
        for other in others(minirow) {
            self.work.deal.strike(lane, other, digit);
        }
    }

    /// Finds a place for a board without a digit in a minirow; false if there is none.
    fn negate(&mut self, lane: usize, owner: Owner, minirow: Minirow, digit: u16) -> bool {
        if let Some(free) = members(!self.busy & !self.fresh & all::<P>()).next() {
            self.work.deal.copy(free, lane);
            self.work.deal.strike(free, minirow, digit);
            self.give(free, owner);
            return true;
        }
        self.work.unzip();
        let Some(board) = self.work.pool.push(owner) else {
            return false;
        };
        take_out::<P>(&self.work.boards.cells, &self.work.runs, lane, board);
        for &cell in &MINIROWS[usize::from(minirow)] {
            board[usize::from(cell)] &= !digit;
        }
        true
    }

    /// Gives a lane to a puzzle.
    fn give(&mut self, lane: usize, owner: Owner) {
        self.busy |= 1 << lane;
        self.fresh &= !(1 << lane);
        self.work.owners[lane] = owner;
        self.work.boards.forget(lane);
    }

    /// Gives the free lanes new boards, and carries out all that was planned.
    fn fill(&mut self) {
        self.resume();
        for lane in members(!self.busy & all::<P>()) {
            let Some((new, index)) = self.next_puzzle() else {
                break;
            };
            let owner = self.work.puzzles.start(index);
            self.work.deal.start(lane, new);
            self.give(lane, owner);
        }
        // Where the last puzzles were decided as they were loaded, lanes that were to start
        // one are free, and there may be no others: boards that wait would be forgotten.
        self.resume();
        self.carry_out();
        let Workspace {
            deal, boards, pool, ..
        } = &mut *self.work;
        deal.fetch(boards, pool);
    }

    /// Gives boards of the pool to the free lanes, but for those that are to start a puzzle
    /// as long as there is one.
    fn resume(&mut self) {
        if self.work.block.is_over(self.grids) {
            self.fresh = 0;
        }
        for lane in members(!self.busy & !self.fresh & all::<P>()) {
            let Some((owner, place)) = self.work.pool.pop() else {
                break;
            };
            self.work.deal.pop(lane, place);
            self.give(lane, owner);
        }
    }

    /// The block's next puzzle, after another block has been loaded if need be.
    fn next_puzzle(&mut self) -> Option<(usize, usize)> {
        if self.work.block.is_used_up() && !self.work.block.is_over(self.grids) {
            // The moves out of the old block first.
            self.carry_out();
            self.work
                .block
                .load(self.work.lanes, self.grids, &mut self.out);
        }
        self.work.block.take()
    }

    fn carry_out(&mut self) {
        let Workspace {
            lanes,
            deal,
            boards,
            block,
            ..
        } = &mut *self.work;
        deal.move_and_strike(*lanes, &mut boards.cells, &block.cells);
    }

    /// Gives up all puzzles that are not decided.
    fn abandon(mut self) {
        while let Some(lane) = members(self.busy).next() {
            self.end(self.work.owners[lane], Decision::Open);
        }
        while let Some((owner, place)) = self.work.pool.pop() {
            self.work.pool.free(place);
            self.end(owner, Decision::Open);
        }
        self.work.block.abandon(self.grids, &mut self.out);
    }
}

/// The other two minirows of a minirow's line.
fn others(minirow: Minirow) -> [Minirow; 2] {
    let line = minirow / 3 * 3;
    [1, 2].map(|step| line + (minirow - line + step) % 3)
}
