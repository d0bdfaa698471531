//! What to assume when the rules stall, as told [here](crate::solver::explained#the-choice).

#![allow(
    clippy::cast_possible_truncation,
    reason = "numbers of bands and digits, and 27 bits"
)]

use super::board::Loaded;
use super::lanes::Lanes;
use super::turns::{bands, minicolumns, minirows, nine_minicolumns, stacks, turn, turn_nine, up};

/// A digit in a band, and the minirow (or minicolumn) where it is assumed to stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// 0-8 for digit 1-9.
    pub digit: usize,
    /// 0-2 are bands, 3-5 stacks.
    pub band: usize,
    /// The bit of the minirow in the digit's matrix (for stacks: of minicolumns).
    pub bit: u32,
}

/// The bits of one band in a matrix of minirows, and of one stack in a matrix of minicolumns.
const fn of_band(band: usize) -> u64 {
    let slot = if band < 3 {
        0b111 << (3 * band)
    } else {
        0b001_001_001 << (band - 3)
    };
    slot | slot << 9 | slot << 18
}

/// For minirows and for minicolumns: the matrices of digits 1-8 and of 9 (in every lane), and what `ways` makes of them.
struct Matrices<L: Lanes> {
    matrix: [[L::V; 2]; 2],
    ways: [[L::V; 2]; 2],
}

/// The permutations in a matrix, a bit each: the even ones in slot 0, the odd ones in slot 1.
#[inline(always)]
fn ways<L: Lanes>(l: L, matrix: L::V, [one, two]: [L::V; 2]) -> L::V {
    let even = l.and3(matrix, up(l, l.and(one, up(l, two))), l.splat(0x1FF));
    let odd = l.and3(matrix, up(l, l.and(two, up(l, one))), l.splat(0x1FF));
    l.or(even, l.shl::<9>(odd))
}

#[inline(always)]
fn matrices<L: Lanes>(l: L, b: Loaded<L>) -> Matrices<L> {
    let rows = [
        minirows(l, b.x),
        l.or3(b.nine, l.next_word(b.nine), l.last_word(b.nine)),
    ];
    let columns = [minicolumns(l, b.x), nine_minicolumns(l, b.nine)];
    Matrices {
        matrix: [rows, columns],
        ways: [
            [
                ways(l, rows[0], stacks(l, rows[0])),
                ways(l, rows[1], stacks(l, rows[1])),
            ],
            [
                ways(l, columns[0], bands(l, columns[0])),
                ways(l, columns[1], bands(l, columns[1])),
            ],
        ],
    }
}

/// The undecided band with the fewest ways.
#[inline(always)]
fn tightest<L: Lanes>(l: L, ways: &[[L::V; 2]; 2]) -> usize {
    let mut best = u32::MAX;
    for (i, [eight, nine]) in ways.iter().enumerate() {
        let pairs = l.pairs(*eight);
        let nine = l.pairs(*nine)[0] & 0xFFFF_FFFF;
        for band in 3 * i..3 * i + 3 {
            let mask = of_band(band) | of_band(band) << 32;
            let total = (nine & mask).count_ones()
                + pairs
                    .iter()
                    .map(|pair| (pair & mask).count_ones())
                    .sum::<u32>();
            // Nine ways, one a digit, are no choice: below zero, so beyond all others.
            best =
                best.min(total.wrapping_sub(10) << 3 | band as u32 | u32::from(total < 10) << 31);
        }
    }
    (best & 7) as usize
}

/// The lowest digit with two ways, else with three, else with more.
#[inline(always)]
fn readiest<L: Lanes>(l: L, [eight, nine]: [L::V; 2], band: usize) -> usize {
    let mask = l.splat(of_band(band) as u32);
    let (mut eight, mut nine) = (l.and(eight, mask), l.and(nine, mask));
    let mut beyond = [0; 3];
    for digits in &mut beyond {
        eight = l.and(eight, l.sub(eight, l.splat(1)));
        nine = l.and(nine, l.sub(nine, l.splat(1)));
        let done =
            l.top_bits(l.equal(eight, l.splat(0))) | l.top_bits(l.equal(nine, l.splat(0))) << 8;
        *digits = !done & 0x1FF;
    }
    let [two, three, more] = [beyond[0] & !beyond[1], beyond[1] & !beyond[2], beyond[2]];
    let digits = if two != 0 {
        two
    } else if three != 0 {
        three
    } else {
        more
    };
    digits.trailing_zeros() as usize
}

/// The undecided band with the fewest ways; in it the lowest digit with two ways, else three, else more; of that the first
/// undecided line and in it the first minirow.
#[inline(always)]
pub(crate) fn choose<L: Lanes>(l: L, b: Loaded<L>) -> Choice {
    let m = matrices(l, b);
    let band = tightest(l, &m.ways);
    let [ways, matrix] = if band < 3 {
        [m.ways[0], m.matrix[0]]
    } else {
        [m.ways[1], m.matrix[1]]
    };
    let digit = readiest(l, ways, band);
    let mut lanes = [0; 16];
    let (eight, nine) = lanes.split_at_mut(8);
    if let (Ok(eight), Ok(nine)) = (eight.try_into(), nine.try_into()) {
        l.store(matrix[0], eight);
        l.store(matrix[1], nine);
    }
    Choice {
        digit,
        band,
        bit: first_open(lanes[digit & 15], band),
    }
}

/// The first bit of the first line with more than one.
#[inline(always)]
fn first_open(matrix: u32, band: usize) -> u32 {
    for line in 0..3 {
        let bits = matrix & line_of(band, line) as u32;
        if bits & bits.wrapping_sub(1) != 0 {
            return bits.trailing_zeros();
        }
    }
    0
}

/// The bits of a line in its matrix: row `line` of a band, column `line` of a stack (which lies in slot 0, 2 or 1).
const fn line_of(band: usize, line: usize) -> u64 {
    let slot = if band < 3 { line } else { (3 - line) % 3 };
    of_band(band) & 0x1FF << (9 * slot)
}

impl Choice {
    /// What leaves the digit's words when it stands in the minirow, and when it does not.
    #[inline(always)]
    fn removals(self) -> [u32; 2] {
        let here = 1 << self.bit;
        let slot = self.bit / 9;
        let line = of_band(self.band) as u32 & 0x1FF << (9 * slot);
        let across = (1 << (self.bit % 9)) * (1 | 1 << 9 | 1 << 18);
        [(line ^ across) & !here, here]
    }

    /// The board with the assumption, and with its negation.
    #[inline(always)]
    pub(crate) fn split<L: Lanes>(self, l: L, b: Loaded<L>) -> [Loaded<L>; 2] {
        let [assumed, negated] = self.removals();
        [self.without(l, b, assumed), self.without(l, b, negated)]
    }

    #[inline(always)]
    fn without<L: Lanes>(self, l: L, b: Loaded<L>, bits: u32) -> Loaded<L> {
        let bits = l.splat(bits);
        let lane = l.equal(
            l.splat(self.digit as u32),
            l.load(&[0, 1, 2, 3, 4, 5, 6, 7]),
        );
        let nine = l.equal(l.splat(self.digit as u32), l.splat(8));
        let turned = if self.band < 3 {
            [bits; 3]
        } else {
            turn::<L, true>(l, [bits; 3])
        };
        let nine_turned = if self.band < 3 {
            bits
        } else {
            turn_nine::<L, true>(l, bits)
        };
        let x = [
            l.without(b.x[0], l.and(turned[0], lane)),
            l.without(b.x[1], l.and(turned[1], lane)),
            l.without(b.x[2], l.and(turned[2], lane)),
        ];
        Loaded {
            x,
            nine: l.without(b.nine, l.and(nine_turned, nine)),
        }
    }
}
