//! Asks the engines, and lets no answer pass that the judges do not: the crate's
//! rules and the oracles' own.

use sudoku_service::grid::Grid;
use sudoku_service::rules;
use sudoku_service::solver::{Budget, Count, Decision, Engine, Goal, Outcome, Solved, StopFlag};

use crate::oracle::{self, Board, line};

/// Enough for every board here: one that it does not suffice for is a failure.
pub(crate) const GUESSES: u64 = 1_000_000;

/// A flag that nobody raises.
pub(crate) static GO: StopFlag = StopFlag::new();

pub(crate) const GOALS: [Goal; 2] = [Goal::Uniqueness, Goal::Smallest];

/// The engines, so that a test can leave none out.
pub(crate) fn engines() -> Vec<Engine> {
    let engines: Vec<Engine> = Engine::all().collect();
    let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
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
    assert_eq!(names, expected, "an engine that this CPU has is left out");
    engines
}

#[test]
fn every_engine_that_this_machine_has_is_tested() {
    println!("engines tested: {:?}", engines());
}

/// What an engine makes of a board alone.
pub(crate) fn solved(engine: Engine, board: &Board, goal: Goal) -> Solved {
    let mut budget = Budget::new(GUESSES, &GO);
    let outcome = engine.solve(&grid(board), goal, &mut budget);
    judge(&outcome, board);
    let guesses = budget.spent();
    Solved { outcome, guesses }
}

pub(crate) fn solve(engine: Engine, board: &Board, goal: Goal) -> Outcome {
    solved(engine, board, goal).outcome
}

/// The decision on a board alone, and the guesses that it took.
pub(crate) fn decided(engine: Engine, board: &Board) -> (Decision, u64) {
    let mut budget = Budget::new(GUESSES, &GO);
    let decision = engine.decide(&grid(board), &mut budget);
    (decision, budget.spent())
}

/// The decisions on boards together, and the guesses for each.
pub(crate) fn decided_batch(engine: Engine, grids: &[Grid]) -> Vec<(Decision, u64)> {
    let mut answers = vec![None; grids.len()];
    engine.decide_batch(grids, GUESSES, &GO, |index, decision, guesses| {
        let earlier = answers[index].replace((decision, guesses));
        assert_eq!(earlier, None, "two answers for {}", grids[index]);
    });
    let answers = answers.into_iter().zip(grids);
    answers
        .map(|(answer, grid)| answer.unwrap_or_else(|| panic!("no answer for {grid}")))
        .collect()
}

pub(crate) fn count(engine: Engine, board: &Board, limit: usize) -> Count {
    let limit = u64::try_from(limit).expect("a small number");
    engine.count(&grid(board), limit, &mut Budget::new(GUESSES, &GO))
}

pub(crate) fn judge(outcome: &Outcome, board: &Board) {
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

pub(crate) fn grid(board: &Board) -> Grid {
    Grid::from_values(*board).expect("digits")
}
