//! One round of the [rules](crate::solver::explained#the-rules) R0-R3 on a board in registers, without a branch.
//!
//! A round begins in one frame (the words OR to minirows, say) and ends in the other (they OR to minicolumns), so a board
//! is turned once a round and no more; the next round goes back. What cells say of digits (naked singles) and what
//! digits say of cells (hidden singles) is found side by side, from the same board: a hidden single is already alone in
//! its box, so its cell has nothing new to say.

use super::board::Loaded;
use super::crowd;
use super::lanes::Lanes;
use super::layout::FULL;
use super::turns::{bands, down, permutable, stacks, turn, turn_nine, up};

/// A board in one of the frames, and for each miniline whether its box has another one with the digit.
#[derive(Debug)]
pub(crate) struct Framed<L: Lanes> {
    pub(crate) board: Loaded<L>,
    others: L::V,
    nine_others: L::V,
    /// Has all of `FULL` unless a box lacks a digit.
    boxes: L::V,
}

/// What a round leaves.
#[derive(Debug)]
pub(crate) struct Round<L: Lanes> {
    /// In the other frame.
    pub(crate) next: Framed<L>,
    /// Has all of `FULL` unless a cell or a box was found to lack something.
    pub(crate) alive: L::V,
    /// Has a bit of `FULL` if anything changed.
    pub(crate) changed: L::V,
    /// Cells (a word a lane) that had two candidates when the round began.
    pub(crate) twice: L::V,
    /// Cells that were the only place of some digit in its box when the round began.
    pub(crate) claimed: L::V,
}

/// A board in the frame of rows.
#[inline(always)]
pub(crate) fn framed<L: Lanes>(l: L, board: Loaded<L>) -> Framed<L> {
    let minirows = l.or3(board.x[0], board.x[1], board.x[2]);
    let nine_minirows = l.or3(board.nine, l.next_word(board.nine), l.last_word(board.nine));
    around(l, board, minirows, nine_minirows)
}

#[inline(always)]
fn around<L: Lanes>(l: L, board: Loaded<L>, minilines: L::V, nine_minilines: L::V) -> Framed<L> {
    let others = l.or(up(l, minilines), down(l, minilines));
    let nine_others = l.or(up(l, nine_minilines), down(l, nine_minilines));
    let boxes = l.and(l.or(others, minilines), l.or(nine_others, nine_minilines));
    Framed {
        board,
        others,
        nine_others,
        boxes,
    }
}

/// The round that begins with lines `COLUMNS` (rows or columns) and ends with the others.
#[inline(always)]
pub(crate) fn round<L: Lanes, const COLUMNS: bool>(l: L, start: &Framed<L>) -> Round<L> {
    let [once, twice] = crowd::one_and_two(l, start.board);
    let claims = claims(l, start);
    let claimed = crowd::any(l, claims);
    let first = lines::<L, COLUMNS>(l, start.board, l.without(once, twice), claims, claimed);
    let turned = Loaded {
        x: turn::<L, COLUMNS>(l, first.x),
        nine: turn_nine::<L, COLUMNS>(l, first.nine),
    };
    let next = crossing::<L, COLUMNS>(l, turned);
    let changed = l.or(
        difference(l, start.board, first),
        difference(l, turned, next.board),
    );
    Round {
        alive: l.and(once, next.boxes),
        next,
        changed,
        twice,
        claimed,
    }
}

#[inline(always)]
fn difference<L: Lanes>(l: L, a: Loaded<L>, b: Loaded<L>) -> L::V {
    let words = l.xor_or(
        a.x[0],
        b.x[0],
        l.xor_or(a.x[1], b.x[1], l.xor(a.x[2], b.x[2])),
    );
    l.xor_or(a.nine, b.nine, words)
}

/// The candidates that are their digit's only place in the box.
#[inline(always)]
fn claims<L: Lanes>(l: L, at: &Framed<L>) -> Loaded<L> {
    let Loaded {
        x: [x0, x1, x2],
        nine,
    } = at.board;
    let sole = l.without(l.exactly_one(x0, x1, x2), at.others);
    let nine_sole = l.without(
        l.exactly_one(nine, l.next_word(nine), l.last_word(nine)),
        at.nine_others,
    );
    Loaded {
        x: [l.and(x0, sole), l.and(x1, sole), l.and(x2, sole)],
        nine: l.and(nine, nine_sole),
    }
}

/// The part of a matrix that fits a permutation, in the frame of rows or of columns.
#[inline(always)]
fn fitting<L: Lanes, const COLUMNS: bool>(l: L, matrix: L::V) -> L::V {
    permutable(
        l,
        matrix,
        if COLUMNS {
            bands(l, matrix)
        } else {
            stacks(l, matrix)
        },
    )
}

/// Claimed cells lose their other digits, boxes the digits of their singles elsewhere; then minilines that fit no
/// permutation go.
#[inline(always)]
fn lines<L: Lanes, const COLUMNS: bool>(
    l: L,
    b: Loaded<L>,
    single: L::V,
    claims: Loaded<L>,
    claimed: L::V,
) -> Loaded<L> {
    let s = [
        l.and(b.x[0], l.spread::<0>(single)),
        l.and(b.x[1], l.spread::<1>(single)),
        l.and(b.x[2], l.spread::<2>(single)),
    ];
    let kept = [
        l.keep_or_without(b.x[0], claims.x[0], l.spread::<0>(claimed)),
        l.keep_or_without(b.x[1], claims.x[1], l.spread::<1>(claimed)),
        l.keep_or_without(b.x[2], claims.x[2], l.spread::<2>(claimed)),
    ];
    let y = [
        l.without_either(kept[0], s[1], s[2]),
        l.without_either(kept[1], s[2], s[0]),
        l.without_either(kept[2], s[0], s[1]),
    ];
    let allowed = fitting::<L, COLUMNS>(
        l,
        beside(l, l.or3(s[0], s[1], s[2]), l.or3(y[0], y[1], y[2])),
    );

    let s = l.and(b.nine, single);
    let (next, last) = (l.next_word(s), l.last_word(s));
    let nine = l.without_either(l.keep_or_without(b.nine, claims.nine, claimed), next, last);
    let minilines = l.or3(nine, l.next_word(nine), l.last_word(nine));
    let nine_allowed = fitting::<L, COLUMNS>(l, beside(l, l.or3(s, next, last), minilines));
    Loaded {
        x: [
            l.and(y[0], allowed),
            l.and(y[1], allowed),
            l.and(y[2], allowed),
        ],
        nine: l.and(nine, nine_allowed),
    }
}

/// The minilines without those that share a box with a single, but for the single's own.
#[inline(always)]
fn beside<L: Lanes>(l: L, singles: L::V, minilines: L::V) -> L::V {
    let others = l.or3(
        l.shl::<9>(singles),
        l.shr::<18>(singles),
        l.shl::<18>(singles),
    );
    l.without_either(minilines, others, l.shr::<9>(singles))
}

/// Minilines of the other kind that fit no permutation go.
#[inline(always)]
fn crossing<L: Lanes, const COLUMNS: bool>(l: L, b: Loaded<L>) -> Framed<L> {
    let full = l.splat(FULL);
    let matrix = l.and(l.or3(b.x[0], b.x[1], b.x[2]), full);
    let allowed = if COLUMNS {
        fitting::<L, false>(l, matrix)
    } else {
        fitting::<L, true>(l, matrix)
    };
    let matrix = l.and(
        l.or3(b.nine, l.next_word(b.nine), l.last_word(b.nine)),
        full,
    );
    let nine_allowed = if COLUMNS {
        fitting::<L, false>(l, matrix)
    } else {
        fitting::<L, true>(l, matrix)
    };
    let x = [
        l.and(b.x[0], allowed),
        l.and(b.x[1], allowed),
        l.and(b.x[2], allowed),
    ];
    around(
        l,
        Loaded {
            x,
            nine: l.and(b.nine, nine_allowed),
        },
        allowed,
        nine_allowed,
    )
}
