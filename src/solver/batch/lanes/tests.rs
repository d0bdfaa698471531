//! Every operation of every engine, held against its meaning lane by lane.

mod moves;

use super::{ALL, LaneSet, MOST, PuzzleLanes, Task, all, members};
use crate::solver::engine::{Engine, with_lanes};
use crate::solver::tests::{Random, engines};

/// A word for every lane of the widest engine.
type Wide = [u16; MOST];

/// Few members more often than many, as in searches.
fn word(random: &mut Random) -> u16 {
    let mut any = || random.next() as u16;
    match any() % 4 {
        0 => any(),
        1 => any() & any() & any(),
        2 => 1 << (any() % 9),
        _ => any() & any(),
    }
}

fn wide(random: &mut Random) -> Wide {
    std::array::from_fn(|_| word(random))
}

/// A vector of an engine, from as many words as it has lanes.
#[inline(always)]
fn vector<P: PuzzleLanes>(p: P, words: &[u16]) -> P::Words {
    let mut vector = p.splat(0);
    P::words_mut(&mut vector).copy_from_slice(&words[..P::LANES]);
    vector
}

/// Ones and zeros for the lanes where a mask holds and where not.
#[inline(always)]
fn truth<P: PuzzleLanes>(p: P, mask: P::Mask) -> P::Words {
    p.select(mask, p.splat(1), p.splat(0))
}

/// A test for each operation: what it does to the vectors `a`, `b`, `c` and `d`, whose
/// lanes have no bits but those of a mask, and what that means for one lane.
macro_rules! operations {
    (|$p:ident, $a:ident, $b:ident, $c:ident, $d:ident|
     $($name:ident($bits:expr): $operation:expr => $meaning:expr;)*) => {$(
        #[test]
        #[allow(unused_variables, reason = "few operations take four vectors")]
        fn $name() {
            struct Operation<'a>([&'a [u16]; 4]);
            impl<P: PuzzleLanes> Task<P> for Operation<'_> {
                type Output = P::Words;
                #[inline(always)]
                fn run(self, $p: P) -> P::Words {
                    let [$a, $b, $c, $d] = self.0;
                    let ($a, $b) = (vector($p, $a), vector($p, $b));
                    let ($c, $d) = (vector($p, $c), vector($p, $d));
                    $operation
                }
            }
            fn whole<P: PuzzleLanes>(p: P, input: &[Wide; 4]) -> Vec<u16> {
                let parts = (0..MOST).step_by(P::LANES).map(|first| {
                    let operation = Operation(input.each_ref().map(|words| &words[first..]));
                    P::words(&p.run(operation)).to_vec()
                });
                parts.collect::<Vec<_>>().concat()
            }
            let mut random = Random::new(3);
            for _ in 0..500 {
                let input = [(); 4].map(|()| wide(&mut random).map(|word| word & $bits));
                let meaning: Vec<u16> = (0..MOST).map(|lane| {
                    let [$a, $b, $c, $d] = input.map(|words| words[lane]);
                    $meaning
                }).collect();
                for engine in engines() {
                    let result = with_lanes!(engine, lanes => whole(lanes, &input));
                    assert_eq!(result, meaning, "{engine} {input:x?}");
                }
            }
        }
    )*};
}

const ANY: u16 = u16::MAX;

operations! { |p, a, b, c, d|
    splat(ANY): p.splat(0x9234) => 0x9234;
    and(ANY): p.and(a, b) => a & b;
    or(ANY): p.or(a, b) => a | b;
    without(ANY): p.without(a, b) => a & !b;
    add(ANY): p.add(a, b) => a.wrapping_add(b);
    less_one(ANY): p.less_one(a) => a.wrapping_sub(1);
    high_byte(ANY): p.high_byte(a) => a >> 8;
    pair(0xff): p.pair(a, b) => a | b << 8;
    any3(ANY): p.any3(a, b, c) => a | b | c;
    all3(ANY): p.all3(a, b, c) => a & b & c;
    odd3(ANY): p.odd3(a, b, c) => a ^ b ^ c;
    two_of3(ANY): p.two_of3(a, b, c) => a & b | a & c | b & c;
    one_of3(ANY): p.one_of3(a, b, c) => a & !b & !c | !a & b & !c | !a & !b & c;
    without2(ANY): p.without2(a, b, c) => a & !b & !c;
    or_without(ANY): p.or_without(a, b, c) => a | b & !c;
    crossing(ANY): p.crossing(a, b, c, d) => a & d | b & c;
    single(ALL): p.single(a) => if a.is_power_of_two() { a } else { 0 };
    // What is hidden was allowed.
    place(ALL): p.place(a, b, p.and(b, c)) => if a & b & c == 0 { a & b } else { a & b & c };
    // What is locked was allowed.
    keep_triple(ALL): p.keep_triple(a, p.and(a, b), &mut p.splat(0)) =>
        if (a & b).count_ones() < 3 { a } else { a & b };
    keep_triple_clash(ALL): {
        let mut clash = p.select(p.some(p.and(b, p.splat(1))), p.splat(1), p.splat(0));
        p.keep_triple(p.splat(ALL), a, &mut clash);
        truth(p, p.some(clash))
    } => u16::from(a.count_ones() > 3 || b & 1 == 1);
    count(ALL): p.count(a) => a.count_ones() as u16;
    digit(ALL): {
        let lowest = p.without(a, p.less_one(a));
        p.select(p.some(a), p.digit(lowest), p.splat(0))
    } => if a == 0 { 0 } else { a.trailing_zeros() as u16 + 1 };
    // The byte above is another cell's digit.
    one_hot(ANY): {
        let digit = p.select(p.less(p.and(a, p.splat(15)), p.splat(10)), a, p.splat(9));
        p.one_hot(p.and(digit, p.splat(0xff0f)))
    } => match a & 15 { 0 => 0, digit @ 1..=9 => 1 << (digit - 1), _ => 1 << 8 };
    some(ANY): truth(p, p.some(a)) => u16::from(a != 0);
    same(3): truth(p, p.same(a, b)) => u16::from(a == b);
    less(0x7fff): truth(p, p.less(a, b)) => u16::from(a < b);
    less_of_small(7): truth(p, p.less(a, b)) => u16::from(a < b);
    select(ANY): p.select(p.some(p.and(a, p.splat(1))), b, c) => if a & 1 == 1 { b } else { c };
    set(ALL): {
        let lanes: Vec<usize> = members(p.set(p.some(a))).collect();
        let mut result = p.splat(0);
        for lane in lanes {
            P::words_mut(&mut result)[lane] = 1;
        }
        result
    } => u16::from(a != 0);
}
