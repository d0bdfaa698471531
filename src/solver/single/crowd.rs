//! Counting over the nine digits of a cell: three words of eight lanes and the nines, folded into one vector.

use super::board::Loaded;
use super::lanes::Lanes;

/// The cells (a word a lane, as the nines are) that have any of the digits.
#[inline(always)]
pub(crate) fn any<L: Lanes>(l: L, b: Loaded<L>) -> L::V {
    let [x0, x1, x2] = b.x;
    let fours = l.or(l.low_pairs(x0, x1), l.high_pairs(x0, x1));
    let others = l.or(x2, l.swap_pairs(x2));
    let twos = l.or(l.evens(fours, others), l.odds(fours, others));
    l.or3(twos, l.swap_halves(twos), b.nine)
}

/// The cells that have at least one, and at least two digits.
#[inline(always)]
pub(crate) fn one_and_two<L: Lanes>(l: L, b: Loaded<L>) -> [L::V; 2] {
    let [x0, x1, x2] = b.x;
    let (low, high) = (l.low_pairs(x0, x1), l.high_pairs(x0, x1));
    let (fours, fours_twice) = (l.or(low, high), l.and(low, high));
    let swapped = l.swap_pairs(x2);
    let (others, others_twice) = (l.or(x2, swapped), l.and(x2, swapped));
    let (evens, odds) = (l.evens(fours, others), l.odds(fours, others));
    let (evens_twice, odds_twice) = (
        l.evens(fours_twice, others_twice),
        l.odds(fours_twice, others_twice),
    );
    let half = l.or(evens, odds);
    let half_twice = l.or(l.and_or(evens, odds, evens_twice), odds_twice);
    let (swap, swap_twice) = (l.swap_halves(half), l.swap_halves(half_twice));
    let eight = l.or(half, swap);
    let eight_twice = l.or(l.and_or(half, swap, half_twice), swap_twice);
    [l.or(eight, b.nine), l.and_or(eight, b.nine, eight_twice)]
}
