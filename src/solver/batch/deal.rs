//! What the lanes are to get before the next sweep: planned while the events are looked at, carried out at once.

use super::board::{Boards, Cells, Edit, Minirow, Move, Strike};
use super::lanes::{MOST, PuzzleLanes};
use super::pool::{Place, Pool};

/// No lane takes another's board.
const STAY: [u16; MOST] = {
    let mut from = [0; MOST];
    let mut lane = 0;
    while lane < MOST {
        from[lane] = lane as u16;
        lane += 1;
    }
    from
};

/// Planned moves, edits and boards out of the pool.
#[derive(Debug)]
pub(crate) struct Deal {
    from: [u16; MOST],
    edits: Vec<Edit>,
    pops: Vec<(usize, Place)>,
}

impl Deal {
    pub(crate) fn new() -> Self {
        Self {
            from: STAY,
            edits: Vec::with_capacity(3 * MOST),
            pops: Vec::with_capacity(MOST),
        }
    }

    /// A lane takes a copy of another lane's board.
    pub(crate) fn copy(&mut self, lane: usize, from: usize) {
        self.from[lane] = from as u16;
    }

    /// A lane takes a board of the block.
    pub(crate) fn start(&mut self, lane: usize, from: usize) {
        self.from[lane] = (MOST + from) as u16;
    }

    /// A lane takes a board out of the pool.
    pub(crate) fn pop(&mut self, lane: usize, place: Place) {
        self.pops.push((lane, place));
    }

    /// A digit leaves a minirow of a lane.
    pub(crate) fn strike(&mut self, lane: usize, minirow: Minirow, digit: u16) {
        self.edits.push(Edit {
            lane: lane as u8,
            minirow,
            digit,
        });
    }

    /// Whether a lane waits for a board out of the pool.
    pub(crate) fn has_pops(&self) -> bool {
        !self.pops.is_empty()
    }

    /// Drops what was planned for some lanes.
    pub(crate) fn drop_lanes(&mut self, pool: &mut Pool, dropped: impl Fn(usize) -> bool) {
        self.edits.retain(|edit| !dropped(usize::from(edit.lane)));
        self.pops.retain(|&(lane, place)| {
            if dropped(lane) {
                pool.free(place);
            }
            !dropped(lane)
        });
    }

    /// Carries out the moves, then the edits.
    pub(crate) fn move_and_strike<P: PuzzleLanes>(
        &mut self,
        lanes: P,
        cells: &mut Cells<P>,
        block: &Cells<P>,
    ) {
        if self.from != STAY {
            lanes.run(Move {
                cells,
                block,
                from: &self.from,
            });
            self.from = STAY;
        }
        lanes.run(Strike {
            cells,
            edits: &self.edits,
        });
        self.edits.clear();
    }

    /// Fetches the boards out of the pool.
    pub(crate) fn fetch<P: PuzzleLanes>(&mut self, boards: &mut Boards<P>, pool: &mut Pool) {
        for (lane, place) in self.pops.drain(..) {
            boards.insert(lane, pool.board(place));
            pool.free(place);
        }
    }
}
