//! One sweep: every rule once over the boards of all lanes, without a branch.
//!
//! A band is nine minirows (three rows in three boxes), a stack nine minicolumns; both are swept by the same code.
//! All nine digits go at once, so the [rules](crate::solver::explained#the-rules) cost a few operations a minirow:
//!
//! * R1: naked singles leave the other cells of the row and the box (in a stack: the column);
//! * R2: a digit's places in a band are permutations of the three rows and the three boxes, so a minirow allows a digit
//!   only if the other two rows can hold it in the other two boxes, one way or the other;
//! * R3: a digit that no other minirow of the row allows is locked here; if it has one place in the minirow, it is a hidden single;
//! * R4: three locked digits fill the minirow.

use super::board::Boards;
use super::lanes::{ALL, LaneSet, PuzzleLanes, Task, all};

/// The sum of the candidate sets of a solved board. No other board that has every digit in every row,
/// and a candidate in every cell, comes down to it.
const SOLVED: u16 = 9 * ALL;

/// What a sweep saw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Swept {
    /// Lanes whose board has no solution.
    pub dead: LaneSet,
    /// Lanes that are not dead, and whose board the sweep left as it was.
    pub stalled: LaneSet,
    /// Those of the stalled that are solved.
    pub solved: LaneSet,
}

/// Sweeps all boards once.
#[derive(Debug)]
pub(crate) struct Sweep<'a, P: PuzzleLanes>(pub &'a mut Boards<P>);

impl<P: PuzzleLanes> Task<P> for Sweep<'_, P> {
    type Output = Swept;

    #[inline(always)]
    fn run(self, lanes: P) -> Swept {
        let Boards { cells, fixed, sums } = self.0;
        let nothing = lanes.splat(0);
        let mut tally = Tally::<P> {
            places: lanes.splat(ALL),
            below: nothing,
            clash: nothing,
            unset: nothing,
            sum: nothing,
        };
        for band in 0..3 {
            sweep_band::<P, true, 27, 9>(
                lanes,
                window(cells, 27 * band),
                window(fixed, 9 * band),
                &mut tally,
            );
        }
        for stack in 0..3 {
            sweep_band::<P, false, 75, 21>(
                lanes,
                window(cells, 3 * stack),
                window(fixed, 3 * stack),
                &mut tally,
            );
        }
        let empty = lanes.and(tally.below, lanes.splat(1 << 15));
        let alive = lanes.set(lanes.same(tally.places, lanes.splat(ALL)));
        let unchanged = lanes.set(lanes.same(*sums, tally.sum));
        // A hidden single that a closed board has not set is one of two that want the same cell.
        let torn = unchanged & lanes.set(lanes.some(tally.unset));
        let dead =
            (!alive | lanes.set(lanes.some(lanes.or(tally.clash, empty))) | torn) & all::<P>();
        let stalled = unchanged & !dead;
        let solved = lanes.set(lanes.same(tally.sum, lanes.splat(SOLVED))) & stalled;
        *sums = tally.sum;
        Swept {
            dead,
            stalled,
            solved,
        }
    }
}

#[inline(always)]
fn window<T, const SIZE: usize, const SPAN: usize>(
    all: &mut [T; SIZE],
    first: usize,
) -> &mut [T; SPAN] {
    all[first..]
        .first_chunk_mut()
        .expect("a band lies inside the board")
}

/// What a sweep finds out about the lanes.
struct Tally<P: PuzzleLanes> {
    /// The digits that have a place in every band.
    places: P::Words,
    /// Some cell less one: the highest bit tells of an empty cell.
    below: P::Words,
    /// Not zero where four digits or more want the three cells of a minirow.
    clash: P::Words,
    /// Hidden singles that were not set in their cell before.
    unset: P::Words,
    /// The sum of the cells.
    sum: P::Words,
}

/// Sweeps a band of rows, or a stack if `ROWS` is false, whose cells lie `SPAN` apart at most.
///
/// `fixed` are the naked singles of every minicolumn: nine of a band, which are written, or those of a stack, which are read.
#[inline(always)]
fn sweep_band<P: PuzzleLanes, const ROWS: bool, const SPAN: usize, const FIXED: usize>(
    p: P,
    cells: &mut [P::Words; SPAN],
    columns: &mut [P::Words; FIXED],
    tally: &mut Tally<P>,
) {
    let at = |i: usize, j: usize| -> [usize; 3] {
        if ROWS {
            let first = 9 * i + 3 * j;
            [first, first + 1, first + 2]
        } else {
            let first = i + 27 * j;
            [first, first + 9, first + 18]
        }
    };
    let nothing = p.splat(0);
    let mut open = [[nothing; 3]; 3];
    let mut once = [[nothing; 3]; 3];
    let mut fixed = [[nothing; 3]; 3];
    for j in 0..3 {
        let mut single = [[nothing; 3]; 3];
        for i in 0..3 {
            let [x, y, z] = at(i, j);
            let (a, b, c) = (cells[x], cells[y], cells[z]);
            open[i][j] = p.any3(a, b, c);
            once[i][j] = p.one_of3(a, b, c);
            if ROWS {
                let below = p.any3(p.less_one(a), p.less_one(b), p.less_one(c));
                tally.below = p.or(tally.below, below);
                single[i] = [p.single(a), p.single(b), p.single(c)];
                fixed[i][j] = p.any3(single[i][0], single[i][1], single[i][2]);
            } else {
                fixed[i][j] = columns[i + 9 * j];
            }
        }
        if ROWS {
            for k in 0..3 {
                columns[3 * j + k] = p.any3(single[0][k], single[1][k], single[2][k]);
            }
        }
    }
    let mut free = open;
    for i in 0..3 {
        let (e, f) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (g, h) = ((j + 1) % 3, (j + 2) % 3);
            let taken = p.any3(fixed[i][g], fixed[i][h], fixed[e][j]);
            free[i][j] = p.without2(open[i][j], taken, fixed[f][j]);
        }
    }
    let mut allowed = free;
    for i in 0..3 {
        let (e, f) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (g, h) = ((j + 1) % 3, (j + 2) % 3);
            let others = p.crossing(free[e][g], free[e][h], free[f][g], free[f][h]);
            allowed[i][j] = p.and(free[i][j], others);
        }
    }
    let first = p.any3(allowed[0][0], allowed[0][1], allowed[0][2]);
    tally.places = p.and(tally.places, first);
    for i in 0..3 {
        for j in 0..3 {
            let (g, h) = ((j + 1) % 3, (j + 2) % 3);
            let locked = p.without2(allowed[i][j], allowed[i][g], allowed[i][h]);
            let hidden = p.and(locked, once[i][j]);
            tally.unset = p.or_without(tally.unset, hidden, fixed[i][j]);
            let kept = p.keep_triple(allowed[i][j], locked, &mut tally.clash);
            for x in at(i, j) {
                cells[x] = p.place(cells[x], kept, hidden);
                if !ROWS {
                    tally.sum = p.add(tally.sum, cells[x]);
                }
            }
        }
    }
}
