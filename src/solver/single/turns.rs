//! Turning the levels of a word, and the permutations of its matrices.

use super::lanes::Lanes;
use super::layout::FULL;

/// The same pattern of nine bits in all three slots.
const fn slots(slot: u32) -> u32 {
    slot | slot << 9 | slot << 18
}
/// Slot `r` to slot `r + 1`, the last to the first; leaves rubbish above bit 26.
#[inline(always)]
pub(crate) fn up<L: Lanes>(l: L, x: L::V) -> L::V {
    l.or(l.shl::<9>(x), l.shr::<18>(x))
}

/// Slot `r` to slot `r - 1`, the first to the last; leaves rubbish above bit 26.
#[inline(always)]
pub(crate) fn down<L: Lanes>(l: L, x: L::V) -> L::V {
    l.or(l.shr::<9>(x), l.shl::<18>(x))
}

/// The stacks (low level) turned by one and by two.
#[inline(always)]
pub(crate) fn stacks<L: Lanes>(l: L, x: L::V) -> [L::V; 2] {
    let (not_first, last) = (l.splat(slots(0b110_110_110)), l.splat(slots(0b100_100_100)));
    [
        l.select(not_first, l.shl::<1>(x), l.shr::<2>(x)),
        l.select(last, l.shl::<2>(x), l.shr::<1>(x)),
    ]
}

/// The bands (middle level) turned by one and by two.
#[inline(always)]
pub(crate) fn bands<L: Lanes>(l: L, x: L::V) -> [L::V; 2] {
    let (not_first, last) = (l.splat(slots(0b111_111_000)), l.splat(slots(0b111_000_000)));
    [
        l.select(not_first, l.shl::<3>(x), l.shr::<6>(x)),
        l.select(last, l.shl::<6>(x), l.shr::<3>(x)),
    ]
}

/// The words from the frame of rows to that of columns, or back; leaves rubbish above bit 26.
#[inline(always)]
pub(crate) fn turn<L: Lanes, const BACK: bool>(l: L, x: [L::V; 3]) -> [L::V; 3] {
    if BACK {
        [x[0], up(l, x[1]), down(l, x[2])]
    } else {
        [x[0], down(l, x[1]), up(l, x[2])]
    }
}

/// The same for the nine's words.
#[inline(always)]
pub(crate) fn turn_nine<L: Lanes, const BACK: bool>(l: L, nine: L::V) -> L::V {
    let (one, two) = (l.quad([0, 9, 18, 18]), l.quad([32, 18, 9, 9]));
    if BACK {
        l.or(l.shl_each(nine, one), l.shr_each(nine, two))
    } else {
        l.or(l.shr_each(nine, one), l.shl_each(nine, two))
    }
}

/// The nine's minicolumns, in every lane.
#[inline(always)]
pub(crate) fn nine_minicolumns<L: Lanes>(l: L, nine: L::V) -> L::V {
    let turned = turn_nine::<L, false>(l, nine);
    l.and(
        l.or3(turned, l.next_word(turned), l.last_word(turned)),
        l.splat(FULL),
    )
}

/// The minirows of a digit, from its three words.
#[inline(always)]
pub(crate) fn minirows<L: Lanes>(l: L, x: [L::V; 3]) -> L::V {
    l.or3(x[0], x[1], x[2])
}

/// The minicolumns of a digit: those of stack column 0, 2, 1 in slot 0, 1, 2.
#[inline(always)]
pub(crate) fn minicolumns<L: Lanes>(l: L, x: [L::V; 3]) -> L::V {
    l.and(minirows(l, turn::<L, false>(l, x)), l.splat(FULL))
}

/// The part of a matrix (slots by the level turned) that lies in one of its permutations.
#[inline(always)]
pub(crate) fn permutable<L: Lanes>(l: L, matrix: L::V, [by_one, by_two]: [L::V; 2]) -> L::V {
    let pairs = l.and_or(by_one, up(l, by_two), l.and(by_two, up(l, by_one)));
    l.and(matrix, up(l, pairs))
}
