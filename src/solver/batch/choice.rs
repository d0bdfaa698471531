//! Where to branch: for the boards of all lanes at once, as told [here](crate::solver::explained#the-choice).

use super::board::{Cells, Minirow};
use super::lanes::{MOST, PuzzleLanes, Task};

/// A digit and the minirow that it is assumed to stand in, for every lane; nonsense for boards that are not closed.
#[derive(Clone, Debug)]
pub(crate) struct Choices {
    /// The minirow.
    minirow: [Minirow; MOST],
    /// The digit, as a set.
    digit: [u16; MOST],
}

impl Choices {
    /// The choice for a lane.
    #[must_use]
    pub(crate) fn of(&self, lane: usize) -> (Minirow, u16) {
        (self.minirow[lane], self.digit[lane])
    }
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            minirow: [0; MOST],
            digit: [0; MOST],
        }
    }
}

/// Chooses for all boards.
#[derive(Debug)]
pub(crate) struct Choose<'a, P: PuzzleLanes> {
    /// The closed boards.
    pub cells: &'a Cells<P>,
    /// The answer.
    pub choices: &'a mut Choices,
}

impl<P: PuzzleLanes> Task<P> for Choose<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: P) {
        let mut best = Best::<P> {
            ways: lanes.splat(9 * 6 + 1),
            minirow: lanes.splat(0),
            digit: lanes.splat(0),
        };
        for band in 0..3 {
            let cells = &self.cells[27 * band..];
            weigh::<P, true, 27>(
                lanes,
                cells.first_chunk().expect("three rows"),
                band,
                &mut best,
            );
        }
        for stack in 0..3 {
            let cells = &self.cells[3 * stack..];
            weigh::<P, false, 75>(
                lanes,
                cells.first_chunk().expect("three columns"),
                3 + stack,
                &mut best,
            );
        }
        self.choices.minirow[..P::LANES].copy_from_slice(P::words(&best.minirow));
        self.choices.digit[..P::LANES].copy_from_slice(P::words(&best.digit));
    }
}

/// The best band so far.
struct Best<P: PuzzleLanes> {
    ways: P::Words,
    minirow: P::Words,
    digit: P::Words,
}

/// Takes a band instead of the best so far where it has fewer ways, but more than one for some digit.
#[inline(always)]
fn weigh<P: PuzzleLanes, const ROWS: bool, const SPAN: usize>(
    p: P,
    cells: &[P::Words; SPAN],
    band: usize,
    best: &mut Best<P>,
) {
    let nothing = p.splat(0);
    let mut open = [[nothing; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            let (first, step) = if ROWS {
                (9 * i + 3 * j, 1)
            } else {
                (i + 27 * j, 9)
            };
            open[i][j] = p.any3(cells[first], cells[first + step], cells[first + 2 * step]);
        }
    }
    let [a, b, c] = open;
    // How many of the six permutations each digit has, as a binary number of three digits.
    let (p0, p1, p2) = (
        p.all3(a[0], b[1], c[2]),
        p.all3(a[1], b[2], c[0]),
        p.all3(a[2], b[0], c[1]),
    );
    let (p3, p4, p5) = (
        p.all3(a[0], b[2], c[1]),
        p.all3(a[1], b[0], c[2]),
        p.all3(a[2], b[1], c[0]),
    );
    let (s0, c0) = (p.odd3(p0, p1, p2), p.two_of3(p0, p1, p2));
    let (s1, c1) = (p.odd3(p3, p4, p5), p.two_of3(p3, p4, p5));
    let carry = p.and(s0, s1);
    let ones = p.odd3(s0, s1, nothing);
    let (twos, fours) = (p.odd3(c0, c1, carry), p.two_of3(c0, c1, carry));

    let (n0, n1, n2) = (p.count(ones), p.count(twos), p.count(fours));
    let high = p.add(n1, p.add(n2, n2));
    let ways = p.add(n0, p.add(high, high));

    let two = p.without2(twos, ones, fours);
    let three = p.and(twos, ones);
    let more = p.select(p.some(three), three, fours);
    let digits = p.select(p.some(two), two, more);
    // The lowest: what the set has, and the set less one has not.
    let digit = p.without(digits, p.less_one(digits));

    // The first line with more than one minirow for the digit, and the first such minirow.
    let mut minirow = nothing;
    for i in (0..3).rev() {
        let id = |j: usize| p.splat((9 * band + 3 * i + j) as u16);
        let here = p.select(p.some(p.and(open[i][0], digit)), id(0), id(1));
        let more = p.and(p.two_of3(open[i][0], open[i][1], open[i][2]), digit);
        minirow = p.select(p.some(more), here, minirow);
    }

    let ways = p.select(p.some(digits), ways, p.splat(u16::MAX >> 1));
    let fewer = p.less(ways, best.ways);
    best.ways = p.select(fewer, ways, best.ways);
    best.digit = p.select(fewer, digit, best.digit);
    best.minirow = p.select(fewer, minirow, best.minirow);
}
