//! Boards out of arbitrary bytes: any at all, sparse ones, and such as are near a
//! solution.

use super::bytes::Bytes;
use crate::oracle::{Board, samples};

/// The next board.
pub(crate) fn board(bytes: &mut Bytes<'_>) -> Board {
    match bytes.below(8) {
        0 => any(bytes),
        1 => sparse(bytes),
        2 => sample(bytes),
        3 => holed(bytes, 3, true),
        // Between a third and a half of the cells: most have one solution or a few.
        chosen => holed(bytes, 1 + chosen % 3, false),
    }
}

/// Any digits, and mostly blanks: they clash as a rule.
fn any(bytes: &mut Bytes<'_>) -> Board {
    std::array::from_fn(|_| match bytes.byte() {
        given @ 1..=9 => given,
        other if other % 16 == 15 => other / 16 % 10,
        _ => 0,
    })
}

/// A few givens at places of their own.
fn sparse(bytes: &mut Bytes<'_>) -> Board {
    let mut board = [0; 81];
    for _ in 0..bytes.below(24) {
        board[bytes.below(81)] = bytes.below(10) as u8;
    }
    board
}

/// A known board, hard or hopeless, with up to three cells changed.
fn sample(bytes: &mut Bytes<'_>) -> Board {
    let mut board = crate::oracle::board(bytes.pick(&[
        samples::PUZZLE,
        samples::HARD,
        samples::HARD_AND_UNSOLVABLE,
        samples::AGAINST_BRUTE_FORCE,
        samples::IMPOSSIBLE,
        samples::UNSOLVABLE,
        samples::TWO_SOLUTIONS,
        samples::FOUR_FOR_THREE,
        samples::SMALLEST,
        samples::EMPTY,
    ]));
    for _ in 0..bytes.below(4) {
        board[bytes.below(81)] = bytes.below(10) as u8;
    }
    board
}

/// A solved grid in one of its other looks, of which the bytes blank cells, and spoil one
/// if that is wanted.
fn holed(bytes: &mut Bytes<'_>, of_four: usize, spoilt: bool) -> Board {
    let solution = crate::oracle::board(samples::SOLUTION);
    let shift = bytes.below(9) as u8;
    let (band, stack) = (bytes.below(3), bytes.below(3));
    let turned = bytes.coin();
    let mut board: Board = std::array::from_fn(|cell| {
        let (row, column) = ((cell / 9 + 3 * band) % 9, (cell + 3 * stack) % 9);
        let from = if turned {
            9 * column + row
        } else {
            9 * row + column
        };
        let is_kept = bytes.below(4) < of_four;
        if is_kept {
            (solution[from] + shift - 1) % 9 + 1
        } else {
            0
        }
    });
    if spoilt {
        board[bytes.below(81)] = bytes.below(10) as u8;
    }
    board
}
