//! Every engine against every oracle, on the same boards.
//!
//! Whatever an engine answers goes through the crate's judge, and through the
//! oracles' own, before it is compared.
//!
//! `SUDOKU_TEST_ORACLE_BOARDS=20000` tries that many boards instead of two thousand.

mod tally;
mod textbooks;

use sudoku_service::rules;
use sudoku_service::solver::{Count, Decision, Engine, Goal, Outcome};

use crate::boards::{Kind, boards, how_many};
use crate::judge::{count, decided, engines, grid, solve};
use crate::oracle::{self, Board, ascending, exact_cover, line};

const SEED: u64 = 2_026;

/// The boards of all tests here.
fn cases() -> impl Iterator<Item = (Kind, Board)> {
    boards(SEED).take(how_many("SUDOKU_TEST_ORACLE_BOARDS", 2_000))
}

fn describe(engine: Engine, kind: Kind, board: &Board) -> String {
    format!("{engine} on {kind:?} {}", line(board))
}

#[test]
fn the_two_smallest_come_first_of_all() {
    for (kind, board) in cases() {
        let (uniqueness, smallest, decision) = expected(&board);
        for engine in engines() {
            let case = describe(engine, kind, &board);
            let answer = solve(engine, &board, Goal::Uniqueness);
            assert_eq!(answer, uniqueness, "{case}");
            assert_eq!(solve(engine, &board, Goal::Smallest), smallest, "{case}");
            assert_eq!(decided(engine, &board).0, decision, "{case}");
        }
    }
}

/// The answers to both goals, and the decision.
fn expected(board: &Board) -> (Outcome, Outcome, Decision) {
    let first_two: Vec<_> = first_two(board).iter().map(grid).collect();
    match first_two[..] {
        [] if oracle::rules::has_clash(board) => (Outcome::Clash, Outcome::Clash, Decision::None),
        [] => (Outcome::Unsolvable, Outcome::Unsolvable, Decision::None),
        [only] => (
            Outcome::Unique(only),
            Outcome::Smallest(only),
            Decision::One(only),
        ),
        [smallest, second, ..] => (
            Outcome::Multiple { smallest, second },
            Outcome::Smallest(smallest),
            Decision::Many,
        ),
    }
}

/// The two smallest solutions, or as many as there are.
fn first_two(board: &Board) -> Vec<Board> {
    let any_two = exact_cover::solutions(board, 2);
    match any_two.len() {
        2 => ascending::solutions(board).take(2).collect(),
        _ => any_two,
    }
}

#[test]
fn counts_are_those_of_exact_cover() {
    for (kind, board) in cases() {
        // One above the greatest limit, to know whether there are more.
        let total = exact_cover::count(&board, 1_001);
        for engine in engines() {
            for limit in [0, 1, 2, 1_000, total.clamp(1, 1_000)] {
                let solutions = u64::try_from(total.min(limit)).expect("a small number");
                let exact = total <= limit;
                let case = describe(engine, kind, &board);
                let expected = Count { solutions, exact };
                assert_eq!(count(engine, &board, limit), expected, "{case}, {limit}");
            }
        }
    }
}

#[test]
fn both_judges_see_the_same_clashes() {
    for (kind, board) in cases() {
        let conflicts = rules::conflicts(&grid(&board));
        let clash = oracle::rules::has_clash(&board);
        assert_eq!(!conflicts.is_empty(), clash, "{kind:?} {}", line(&board));
    }
}
