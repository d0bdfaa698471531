//! The stage in front: puzzles come in as vectors, and naked singles alone are set until few boards gain by it.
//!
//! Many published puzzles need no other rule, and this one is cheap: the digits that are free in a cell are those that are free in its
//! row, its column and its box, and these 27 sets fit in registers.

use super::board::Cells;
use super::lanes::{ALL, LaneSet, MOST, PuzzleLanes, Task, all};
use crate::grid::Grid;

/// The bytes that [`Digits`] may write for one puzzle; the first 81 count.
pub(crate) type Line = [u8; 128];

/// Loads up to `LANES` puzzles and sets naked singles.
#[derive(Debug)]
pub(crate) struct Load<'a, P: PuzzleLanes> {
    /// The puzzles.
    pub grids: &'a [Grid],
    /// Their candidates after it, a puzzle a lane.
    pub cells: &'a mut Cells<P>,
}

/// What the stage decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loaded {
    /// Puzzles whose givens clash.
    pub clashing: LaneSet,
    /// Puzzles that are solved, the only way they can be.
    pub solved: LaneSet,
}

impl<P: PuzzleLanes> Task<P> for Load<'_, P> {
    type Output = Loaded;

    #[inline(always)]
    fn run(self, lanes: P) -> Loaded {
        let Self { grids, cells } = self;
        read(lanes, grids, cells);
        let mut free = Free::<P>::new(lanes);
        let mut clash = lanes.splat(0);
        free.each(lanes, cells, |lanes, given, candidates| {
            clash = lanes.or(clash, lanes.without(*given, candidates));
            *given
        });
        let present = LaneSet::MAX >> (LaneSet::BITS as usize - grids.len());
        let clashing = lanes.set(lanes.some(clash)) & present;
        let mut solved = 0;
        let mut gaining = present;
        while gaining.count_ones() as usize > P::LANES / 8 {
            let mut gain = lanes.splat(0);
            free.round(lanes, cells, &mut gain);
            solved = free.none(lanes) & present & !clashing;
            gaining = lanes.set(lanes.some(gain)) & present & !clashing & !solved;
        }
        free.each(lanes, cells, |lanes, cell, candidates| {
            *cell = lanes.select(lanes.some(*cell), *cell, candidates);
            lanes.splat(0)
        });
        Loaded { clashing, solved }
    }
}

/// The digits that are free in every row, column and box.
struct Free<P: PuzzleLanes> {
    rows: [P::Words; 9],
    columns: [P::Words; 9],
    boxes: [P::Words; 9],
}

impl<P: PuzzleLanes> Free<P> {
    #[inline(always)]
    fn new(lanes: P) -> Self {
        let full = [lanes.splat(ALL); 9];
        Self {
            rows: full,
            columns: full,
            boxes: full,
        }
    }

    /// Shows every cell and the candidates that it has left to `look`, and takes the digits that this returns away from the cell's units.
    #[inline(always)]
    fn each(
        &mut self,
        lanes: P,
        cells: &mut Cells<P>,
        mut look: impl FnMut(P, &mut P::Words, P::Words) -> P::Words,
    ) {
        for row in 0..9 {
            for column in 0..9 {
                let square = row / 3 * 3 + column / 3;
                let candidates =
                    lanes.all3(self.rows[row], self.columns[column], self.boxes[square]);
                let taken = look(lanes, &mut cells[9 * row + column], candidates);
                self.rows[row] = lanes.without(self.rows[row], taken);
                self.columns[column] = lanes.without(self.columns[column], taken);
                self.boxes[square] = lanes.without(self.boxes[square], taken);
            }
        }
    }

    /// Sets every naked single that it sees, each seen by the cells after it.
    ///
    /// Nine cells in turn share no unit, so that none waits for the one before.
    #[inline(always)]
    fn round(&mut self, lanes: P, cells: &mut Cells<P>, gain: &mut P::Words) {
        macro_rules! nine {
            ($turn:expr, $($row:expr)*) => { $( self.look::<$turn, $row>(lanes, cells, gain); )* };
        }
        macro_rules! turns {
            ($($turn:expr)*) => { $( nine!($turn, 0 1 2 3 4 5 6 7 8); )* };
        }
        turns!(0 1 2 3 4 5 6 7 8);
    }

    /// Sets a cell of a row if it is a naked single.
    #[inline(always)]
    fn look<const TURN: usize, const ROW: usize>(
        &mut self,
        lanes: P,
        cells: &mut Cells<P>,
        gain: &mut P::Words,
    ) {
        let column = const { (3 * (ROW % 3) + ROW / 3 + TURN) % 9 };
        let square = const { ROW / 3 * 3 + (3 * (ROW % 3) + ROW / 3 + TURN) % 9 / 3 };
        let candidates = lanes.all3(self.rows[ROW], self.columns[column], self.boxes[square]);
        let cell = &mut cells[9 * ROW + column];
        let found = lanes.select(lanes.some(*cell), lanes.splat(0), lanes.single(candidates));
        *cell = lanes.or(*cell, found);
        *gain = lanes.or(*gain, found);
        self.rows[ROW] = lanes.without(self.rows[ROW], found);
        self.columns[column] = lanes.without(self.columns[column], found);
        self.boxes[square] = lanes.without(self.boxes[square], found);
    }

    /// The lanes in which no row has a free digit.
    #[inline(always)]
    fn none(&self, lanes: P) -> LaneSet {
        let mut left = lanes.splat(0);
        for row in self.rows {
            left = lanes.or(left, row);
        }
        !lanes.set(lanes.some(left)) & all::<P>()
    }
}

/// Turns lines of digits into one vector a cell, the digit as a set.
#[inline(always)]
fn read<P: PuzzleLanes>(lanes: P, grids: &[Grid], cells: &mut Cells<P>) {
    let mut done = 0;
    while done < 81 {
        let first = done.min(81 - 2 * P::LANES);
        let mut pairs = [lanes.splat(0); MOST];
        for (pair, grid) in pairs.iter_mut().zip(grids) {
            *pair = lanes.load_pairs(&grid.values()[first..]);
        }
        lanes.transpose(&mut pairs[..P::LANES]);
        for cell in done..first + 2 * P::LANES {
            let pair = pairs[(cell - first) / 2];
            let digit = if (cell - first) % 2 == 0 {
                pair
            } else {
                lanes.high_byte(pair)
            };
            cells[cell] = lanes.one_hot(digit);
        }
        done = first + 2 * P::LANES;
    }
}

/// Turns solved boards into lines of digits.
#[derive(Debug)]
pub(crate) struct Digits<'a, P: PuzzleLanes> {
    /// The boards.
    pub cells: &'a Cells<P>,
    /// A line for every lane; nonsense for those that are not solved.
    pub lines: &'a mut [Line; MOST],
}

impl<P: PuzzleLanes> Task<P> for Digits<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: P) {
        let mut first = 0;
        while first < 81 {
            let mut pairs = [lanes.splat(0); MOST];
            for (pair, cells) in pairs[..P::LANES]
                .iter_mut()
                .zip(self.cells[first..].chunks(2))
            {
                let low = lanes.digit(cells[0]);
                *pair = if let Some(&high) = cells.get(1) {
                    lanes.pair(low, lanes.digit(high))
                } else {
                    low
                };
            }
            lanes.transpose(&mut pairs[..P::LANES]);
            for (line, &pair) in self.lines.iter_mut().zip(&pairs[..P::LANES]) {
                lanes.store_pairs(pair, &mut line[first..]);
            }
            first += 2 * P::LANES;
        }
    }
}
