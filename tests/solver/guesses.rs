//! Every engine makes the guesses that the reference makes, alone and in batches.
//!
//! A number of guesses is the size of a search tree, so a rule that one engine leaves
//! out or draws too far shows here even where its answers are right.
//!
//! `SUDOKU_TEST_ORACLE_BOARDS=20000` tries that many boards instead of two thousand.

use sudoku_service::grid::Grid;
use sudoku_service::solver::Decision;

use crate::boards::{boards, how_many};
use crate::judge::{decided, decided_batch, engines, grid};
use crate::oracle::{Board, line, reference};

const SEED: u64 = 23;

/// Boards with what the reference makes of them.
fn cases() -> Vec<(Board, Decision, u64)> {
    let boards = boards(SEED).take(how_many("SUDOKU_TEST_ORACLE_BOARDS", 2_000));
    let cases = boards.map(|(_, board)| {
        let (solutions, guesses) = reference::solutions(&board, 2);
        let decision = match solutions[..] {
            [] => Decision::None,
            [only] => Decision::One(grid(&only)),
            _ => Decision::Many,
        };
        (board, decision, guesses)
    });
    cases.collect()
}

#[test]
fn each_board_takes_the_guesses_of_the_reference() {
    let cases = cases();
    for (board, decision, guesses) in &cases {
        for engine in engines() {
            let decided = decided(engine, board);
            assert_eq!(decided, (*decision, *guesses), "{engine} {}", line(board));
        }
    }
    let guessed = |most| cases.iter().filter(|case| case.2 > most).count();
    let (some, many) = (guessed(0), guessed(9));
    assert!(some > 300 && many > 30, "hardly a guess: {some}, {many}");
}

/// A batch may take other ways to a second solution; a tree that has one or none is
/// searched to its end, and so is the same for all.
#[test]
fn each_batch_takes_the_guesses_of_the_reference() {
    let cases = cases();
    let grids: Vec<Grid> = cases.iter().map(|(board, ..)| grid(board)).collect();
    for engine in engines() {
        for size in [32, 77, cases.len()] {
            let batches = cases.chunks(size).zip(grids.chunks(size));
            for (cases, grids) in batches {
                let answers = decided_batch(engine, grids);
                for ((board, decision, guesses), answer) in cases.iter().zip(answers) {
                    let case = format!("{engine}, {size} {}", line(board));
                    assert_eq!(answer.0, *decision, "{case}");
                    let is_whole_tree = *decision != Decision::Many;
                    assert!(!is_whole_tree || answer.1 == *guesses, "{case}: {answer:?}");
                }
            }
        }
    }
}
