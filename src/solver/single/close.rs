//! Closing a board under the rules.

use super::board::{Board, Loaded};
use super::lanes::{Lanes, Task};
use super::layout::FULL;
use super::round::{Round, framed, round};
use super::triple::triple;
use super::turns::{turn, turn_nine};

/// What the rules make of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closed {
    /// They contradict each other.
    Dead,
    /// They stall.
    Open,
    /// One candidate a cell: a solution.
    Solved,
}

/// Rounds until they stall, without the triple rule.
pub(crate) struct Rounds<'a>(pub(crate) &'a mut Board);

impl Task for Rounds<'_> {
    type Output = Closed;

    #[inline(always)]
    fn on<L: Lanes>(self, l: L) -> Closed {
        let mut rows = framed(l, self.0.load(l));
        loop {
            let there = round::<L, false>(l, &rows);
            if let Some(end) = ending(l, &there) {
                self.0.store(l, back(l, there.next.board));
                return end;
            }
            let again = round::<L, true>(l, &there.next);
            if let Some(end) = ending(l, &again) {
                self.0.store(l, again.next.board);
                return end;
            }
            rows = again.next;
        }
    }
}

/// What ends the rounds with this one, if anything does.
#[inline(always)]
fn ending<L: Lanes>(l: L, round: &Round<L>) -> Option<Closed> {
    let full = l.splat(FULL);
    if !l.covers(round.alive, full) {
        return Some(Closed::Dead);
    }
    // Each cell had one candidate or was claimed, and each box still has each digit.
    if l.covers(round.claimed, round.twice) {
        return Some(Closed::Solved);
    }
    if l.disjoint(round.changed, full) {
        // Two digits with the same only place: nothing else has noticed.
        let clash = !l.disjoint(round.claimed, round.twice);
        return Some(if clash { Closed::Dead } else { Closed::Open });
    }
    None
}

/// A board from the frame of columns to that of rows.
#[inline(always)]
fn back<L: Lanes>(l: L, b: Loaded<L>) -> Loaded<L> {
    let full = l.splat(FULL);
    let [x0, x1, x2] = turn::<L, true>(l, b.x);
    Loaded {
        x: [x0, l.and(x1, full), l.and(x2, full)],
        nine: l.and(turn_nine::<L, true>(l, b.nine), full),
    }
}

#[inline(always)]
pub(crate) fn same<L: Lanes>(l: L, a: Loaded<L>, b: Loaded<L>) -> bool {
    let words = l.xor_or(
        a.x[0],
        b.x[0],
        l.xor_or(a.x[1], b.x[1], l.xor(a.x[2], b.x[2])),
    );
    let all = l.xor_or(a.nine, b.nine, words);
    l.disjoint(all, all)
}

/// The triple rule once; `Solved` says that it changed something.
struct Triple<'a>(&'a mut Board);

impl Task for Triple<'_> {
    type Output = Closed;

    #[inline(always)]
    fn on<L: Lanes>(self, l: L) -> Closed {
        let board = self.0.load(l);
        let (next, alive) = triple(l, board);
        if !alive {
            return Closed::Dead;
        }
        if same(l, board, next) {
            return Closed::Open;
        }
        self.0.store(l, next);
        Closed::Solved
    }
}

/// All rules until nothing changes.
#[inline(always)]
pub(crate) fn close<L: Lanes>(l: L, board: &mut Board) -> Closed {
    loop {
        match l.run(Rounds(board)) {
            Closed::Open => match l.run(Triple(board)) {
                Closed::Solved => {}
                other => return other,
            },
            other => return other,
        }
    }
}
