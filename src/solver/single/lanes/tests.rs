//! Every operation of every engine, held against its meaning lane by lane.

use super::{Bytes, Lanes, Task};
use crate::solver::engine::{Engine, with_lanes};
use crate::solver::single::layout::{bit, word};
use crate::solver::tests::{Random, engines};

type Words = [u32; 8];

/// Three vectors: any bits, few bits, and small numbers.
fn inputs() -> impl Iterator<Item = [Words; 3]> {
    let mut random = Random::new(1);
    let mut words = move |round: usize| {
        std::array::from_fn(|_| match round % 3 {
            0 => random.next(),
            1 => random.next() & random.next() & random.next(),
            _ => random.next() % 40,
        })
    };
    (0..999).map(move |round| [words(round), words(round / 3), words(round / 9)])
}

/// A test for each operation: what it does to the vectors `a`, `b` and `c`, and what
/// that means for one lane.
macro_rules! operations {
    (|$l:ident, $a:ident, $b:ident, $c:ident, $lane:ident|
     $($name:ident: $operation:expr => $meaning:expr;)*) => {$(
        #[test]
        #[allow(unused_variables, reason = "few operations take three vectors")]
        fn $name() {
            struct Operation<'a>(&'a [Words; 3]);
            impl Task for Operation<'_> {
                type Output = Words;
                #[inline(always)]
                fn on<L: Lanes>(self, $l: L) -> Words {
                    let [$a, $b, $c] = self.0;
                    let ($a, $b, $c) = ($l.load($a), $l.load($b), $l.load($c));
                    let mut result = [0; 8];
                    $l.store($operation, &mut result);
                    result
                }
            }
            for input in inputs() {
                let [$a, $b, $c] = input;
                let meaning: Words = std::array::from_fn(|$lane| $meaning);
                for engine in engines() {
                    let result = with_lanes!(engine, lanes => lanes.run(Operation(&input)));
                    assert_eq!(result, meaning, "{engine} {input:x?}");
                }
            }
        }
    )*};
}

/// The lane of `a`, `a`, `b`, `b` (or `a` alone) that lies where `order` says, in the
/// same half.
fn shuffled(vectors: [Words; 4], order: [usize; 4], lane: usize) -> u32 {
    vectors[lane % 4][lane / 4 * 4 + order[lane % 4]]
}

operations! { |l, a, b, c, i|
    load_and_store: a => a[i];
    splat: l.splat(0x89ab_cdef) => 0x89ab_cdef;
    quad: l.quad([1, 2, 3, u32::MAX]) => [1, 2, 3, u32::MAX][i % 4];
    and: l.and(a, b) => a[i] & b[i];
    or: l.or(a, b) => a[i] | b[i];
    xor: l.xor(a, b) => a[i] ^ b[i];
    without: l.without(a, b) => a[i] & !b[i];
    sub: l.sub(a, b) => a[i].wrapping_sub(b[i]);
    shl_1: l.shl::<1>(a) => a[i] << 1;
    shl_9: l.shl::<9>(a) => a[i] << 9;
    shl_18: l.shl::<18>(a) => a[i] << 18;
    shr_1: l.shr::<1>(a) => a[i] >> 1;
    shr_9: l.shr::<9>(a) => a[i] >> 9;
    shr_18: l.shr::<18>(a) => a[i] >> 18;
    shl_each: l.shl_each(a, b) => if b[i] < 32 { a[i] << b[i] } else { 0 };
    shr_each: l.shr_each(a, b) => if b[i] < 32 { a[i] >> b[i] } else { 0 };
    or3: l.or3(a, b, c) => a[i] | b[i] | c[i];
    and3: l.and3(a, b, c) => a[i] & b[i] & c[i];
    and_or: l.and_or(a, b, c) => (a[i] & b[i]) | c[i];
    xor_or: l.xor_or(a, b, c) => (a[i] ^ b[i]) | c[i];
    without_either: l.without_either(a, b, c) => a[i] & !b[i] & !c[i];
    exactly_one: l.exactly_one(a, b, c) =>
        (a[i] & !b[i] & !c[i]) | (!a[i] & b[i] & !c[i]) | (!a[i] & !b[i] & c[i]);
    keep_or_without: l.keep_or_without(a, l.and(a, b), c) => a[i] & ((a[i] & b[i]) | !c[i]);
    select: l.select(a, b, c) => (a[i] & b[i]) | (!a[i] & c[i]);
    low_pairs: l.low_pairs(a, b) => shuffled([a, a, b, b], [0, 1, 0, 1], i);
    high_pairs: l.high_pairs(a, b) => shuffled([a, a, b, b], [2, 3, 2, 3], i);
    evens: l.evens(a, b) => shuffled([a, a, b, b], [0, 2, 0, 2], i);
    odds: l.odds(a, b) => shuffled([a, a, b, b], [1, 3, 1, 3], i);
    swap_pairs: l.swap_pairs(a) => shuffled([a; 4], [2, 3, 0, 1], i);
    swap_neighbours: l.swap_neighbours(a) => shuffled([a; 4], [1, 0, 3, 2], i);
    swap_halves: l.swap_halves(a) => a[(i + 4) % 8];
    next_word: l.next_word(a) => shuffled([a; 4], [1, 2, 0, 0], i);
    last_word: l.last_word(a) => shuffled([a; 4], [2, 0, 1, 1], i);
    spread_0: l.spread::<0>(a) => shuffled([a; 4], [0; 4], i);
    spread_1: l.spread::<1>(a) => shuffled([a; 4], [1; 4], i);
    spread_2: l.spread::<2>(a) => shuffled([a; 4], [2; 4], i);
    spread_3: l.spread::<3>(a) => shuffled([a; 4], [3; 4], i);
    equal: l.equal(l.and(a, l.splat(3)), l.and(b, l.splat(3))) =>
        if a[i] & 3 == b[i] & 3 { u32::MAX } else { 0 };
    pairs: {
        let words = l.pairs(a).map(|pair| [pair as u32, (pair >> 32) as u32]);
        l.load(words.as_flattened().first_chunk().expect("four pairs"))
    } => a[i];
    top_bits: l.splat(l.top_bits(a)) => (0..8).map(|lane| a[lane] >> 31 << lane).sum();
}

/// Whether a vector meets another one, and whether it has all of it.
struct Compare<'a>(&'a Words, &'a Words);

impl Task for Compare<'_> {
    type Output = (bool, bool);

    #[inline(always)]
    fn on<L: Lanes>(self, l: L) -> (bool, bool) {
        let (a, b) = (l.load(self.0), l.load(self.1));
        (!l.disjoint(a, b), l.covers(a, b))
    }
}

#[test]
fn a_single_bit_makes_the_difference() {
    for bit in 0..256 {
        let mut only = [0; 8];
        only[bit / 32] = 1 << (bit % 32);
        let rest = only.map(|word: u32| !word);
        for engine in engines() {
            let compare = |a, b| with_lanes!(engine, lanes => lanes.run(Compare(a, b)));
            assert_eq!(compare(&only, &only), (true, true), "{engine} {bit}");
            assert_eq!(compare(&only, &rest), (false, false), "{engine} {bit}");
            assert_eq!(compare(&rest, &rest), (true, true), "{engine} {bit}");
            assert_eq!(
                compare(&rest, &[u32::MAX; 8]),
                (true, false),
                "{engine} {bit}"
            );
            assert_eq!(compare(&only, &[0; 8]), (false, true), "{engine} {bit}");
        }
    }
}

/// A grid's bit planes, and the grid that they make.
struct ThereAndBack<'a>(&'a [u8; 81]);

impl Task for ThereAndBack<'_> {
    type Output = ([[u32; 4]; 3], [u8; 81]);

    #[inline(always)]
    fn on<L: Lanes>(self, l: L) -> Self::Output {
        let l = l.bytes();
        let words = l.planes(self.0);
        // The fourth word is of no account.
        let plane = |plane: usize| l.quad([words[0][plane], words[1][plane], words[2][plane], 7]);
        (words, l.digits([plane(0), plane(1), plane(2), plane(3)]))
    }
}

#[test]
fn grids_go_in_and_out() {
    let mut random = Random::new(2);
    for _ in 0..999 {
        let grid: [u8; 81] = std::array::from_fn(|_| random.below(10) as u8);
        let mut planes = [[0; 4]; 3];
        for (cell, digit) in grid.into_iter().enumerate() {
            for (plane, bits) in planes[word(cell)].iter_mut().enumerate() {
                *bits |= u32::from(digit >> plane & 1) << bit(cell);
            }
        }
        for engine in engines() {
            let back = with_lanes!(engine, lanes => lanes.run(ThereAndBack(&grid)));
            assert_eq!(back, (planes, grid), "{engine}");
        }
    }
}
