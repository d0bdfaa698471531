//! Every engine against every oracle, on the same boards.
//!
//! Whatever an engine answers goes through the crate's judge, and through the
//! oracles' own, before it is compared.

mod tally;
mod textbooks;

use sudoku_service::grid::Grid;
use sudoku_service::rules;
use sudoku_service::solver::{Budget, Count, Decision, Engine, Goal, Outcome, StopFlag};

use crate::boards::{Kind, boards};
use crate::oracle::{self, Board, ascending, exact_cover, line};

const SEED: u64 = 2_026;
const BOARDS: usize = 2_000;

/// Enough for every board here: one that it does not suffice for is a failure.
const GUESSES: u64 = 1_000_000;

/// Every board with every engine, and what to say if the two fail.
fn cases() -> impl Iterator<Item = (Board, Engine, String)> {
    boards(SEED).take(BOARDS).flat_map(|(kind, board)| {
        Engine::all().map(move |engine| (board, engine, describe(engine, kind, &board)))
    })
}

fn describe(engine: Engine, kind: Kind, board: &Board) -> String {
    format!("{engine} on {kind:?} {}", line(board))
}

#[test]
fn every_engine_that_this_machine_has_is_tested() {
    let engines: Vec<&str> = Engine::all().map(Engine::name).collect();
    println!("engines tested: {engines:?}");
    let mut expected = vec!["portable"];
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2") {
            expected.push("avx2");
        }
        if is_x86_feature_detected!("avx512vbmi") && is_x86_feature_detected!("avx512bitalg") {
            expected.push("avx512");
        }
    }
    assert_eq!(engines, expected);
}

#[test]
fn the_two_smallest_come_first_of_all() {
    for (board, engine, case) in cases() {
        let first_two = first_two(&board);
        let (uniqueness, decision) = match first_two[..] {
            [] if oracle::rules::has_clash(&board) => (Outcome::Clash, Decision::None),
            [] => (Outcome::Unsolvable, Decision::None),
            [only] => (Outcome::Unique(grid(&only)), Decision::One(grid(&only))),
            [smallest, second, ..] => {
                let (smallest, second) = (grid(&smallest), grid(&second));
                let several = Outcome::Multiple { smallest, second };
                (several, Decision::Many)
            }
        };
        let smallest = first_two
            .first()
            .map_or(uniqueness, |first| Outcome::Smallest(grid(first)));
        assert_eq!(
            solve(engine, &board, Goal::Uniqueness),
            uniqueness,
            "{case}"
        );
        assert_eq!(solve(engine, &board, Goal::Smallest), smallest, "{case}");
        assert_eq!(decide(engine, &board), decision, "{case}");
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
    for (board, engine, case) in cases() {
        // One above the greatest limit, to know whether there are more.
        let total = exact_cover::count(&board, 1_001);
        for limit in [1, 2, 1_000, total.clamp(1, 1_000)] {
            let solutions = u64::try_from(total.min(limit)).expect("a small number");
            let exact = total <= limit;
            assert_eq!(
                count(engine, &board, limit),
                Count { solutions, exact },
                "{case}, {limit}"
            );
        }
    }
}

#[test]
fn both_judges_see_the_same_clashes() {
    for (kind, board) in boards(SEED).take(BOARDS) {
        let conflicts = rules::conflicts(&grid(&board));
        let clash = oracle::rules::has_clash(&board);
        assert_eq!(!conflicts.is_empty(), clash, "{kind:?} {}", line(&board));
    }
}

fn solve(engine: Engine, board: &Board, goal: Goal) -> Outcome {
    let outcome = engine.solve(
        &grid(board),
        goal,
        &mut Budget::new(GUESSES, &StopFlag::new()),
    );
    judge(&outcome, board);
    outcome
}

fn decide(engine: Engine, board: &Board) -> Decision {
    engine.decide(&grid(board), &mut Budget::new(GUESSES, &StopFlag::new()))
}

fn count(engine: Engine, board: &Board, limit: usize) -> Count {
    let limit = u64::try_from(limit).expect("a small number");
    engine.count(
        &grid(board),
        limit,
        &mut Budget::new(GUESSES, &StopFlag::new()),
    )
}

fn judge(outcome: &Outcome, board: &Board) {
    let solutions = match *outcome {
        Outcome::Unique(only) => vec![only],
        Outcome::Smallest(smallest) => vec![smallest],
        Outcome::Multiple { smallest, second } => vec![smallest, second],
        Outcome::Clash | Outcome::Unsolvable => vec![],
        Outcome::Limit { .. } => panic!("no answer on {}", line(board)),
    };
    assert!(solutions.is_sorted_by(|a, b| a < b), "{outcome:?}");
    for solution in &solutions {
        assert!(rules::is_solution_of(solution, &grid(board)), "{outcome:?}");
        assert!(
            oracle::rules::is_solution_of(solution.values(), board),
            "{outcome:?}"
        );
    }
}

fn grid(board: &Board) -> Grid {
    Grid::from_values(*board).expect("digits")
}
