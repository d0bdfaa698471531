//! Every board is what its kind says, by the word of the oracles.

use std::collections::HashSet;

use super::{Kind, boards};
use crate::oracle::{exact_cover, line, rules};

const SEED: u64 = 20_120_101;

#[test]
fn boards_are_what_their_kind_says() {
    for (kind, board) in boards(SEED).take(2_000) {
        let clash = rules::has_clash(&board);
        let solutions = exact_cover::count(&board, 2);
        let givens = board.iter().filter(|&&digit| digit != 0).count();
        let so = match kind {
            Kind::Minimal => solutions == 1 && (17..41).contains(&givens),
            Kind::Easy => solutions == 1 && (20..81).contains(&givens),
            Kind::Several => solutions == 2 && givens < 81,
            Kind::Contradictory => solutions == 0 && !clash && givens < 81,
            Kind::Clashing => clash && givens > 0,
            Kind::NearlyEmpty => solutions != 1 && !clash && givens <= 16,
            Kind::Complete => solutions == 1 && givens == 81,
            Kind::WronglyComplete => clash && givens == 81,
        };
        assert!(so, "{kind:?} {}", line(&board));
    }
}

#[test]
fn a_minimal_puzzle_needs_every_given() {
    let minimal = boards(SEED).filter(|(kind, _)| *kind == Kind::Minimal);
    for (_, board) in minimal.take(50) {
        for cell in (0..81).filter(|&cell| board[cell] != 0) {
            let mut without = board;
            without[cell] = 0;
            assert_eq!(exact_cover::count(&without, 2), 2, "{}", line(&board));
        }
    }
}

#[test]
fn a_seed_means_the_same_boards_again() {
    assert!(boards(1).take(100).eq(boards(1).take(100)));
    assert!(boards(1).take(100).ne(boards(2).take(100)));
}

#[test]
fn hardly_a_board_comes_twice() {
    let different: HashSet<_> = boards(SEED).take(2_000).map(|(_, board)| board).collect();
    assert!(different.len() > 1_950, "{}", different.len());
}

#[test]
fn twenty_boards_have_every_kind() {
    assert_eq!(Kind::ALL.iter().map(|kind| kind.share()).sum::<usize>(), 20);
    for kind in Kind::ALL {
        let of_kind = boards(SEED).take(20).filter(|(k, _)| *k == kind).count();
        assert_eq!(of_kind, kind.share(), "{kind:?}");
    }
}
