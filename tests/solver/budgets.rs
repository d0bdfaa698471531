//! Whatever the budget, no engine claims what it has not found out; and the more there
//! is to spend, the more it says.

mod lists;
mod stopped;

use std::collections::BTreeSet;

use sudoku_service::grid::Grid;
use sudoku_service::solver::{Budget, Count, Decision, Engine, Goal, Outcome, Solved, StopFlag};

use crate::boards::{Random, boards};
use crate::judge::{GO, GOALS, decided, engines, grid, solve, solved};
use crate::oracle::{Board, board, line, samples};

const MOST: u64 = 300;

/// Boards that take guesses: with no solution, with one and with several.
const COSTLY: [&str; 8] = [
    samples::UNSOLVABLE_WITH_10,
    samples::HARD_AND_UNSOLVABLE,
    samples::HARD,
    samples::TWO_SOLUTIONS,
    samples::EMPTY,
    ".....6....59.....82....8....45........3........6..3.54...325..6..................",
    ".........319..8..4.72......2...1.43..5...2...8...7....1....7.49..82417.....6.9..1",
    ".9.2..8..5.27...........512......2.1..1.7.48..89..6....7.61.325.2.8.........32...",
];

fn costly() -> impl Iterator<Item = Board> + Clone {
    COSTLY.into_iter().map(board)
}

/// How much an outcome says.
fn rank(outcome: &Outcome, goal: Goal) -> usize {
    match (outcome, goal) {
        (Outcome::Limit { multiple: false }, _) => 0,
        (Outcome::Limit { multiple: true }, _) => 1,
        (Outcome::Smallest(_), Goal::Uniqueness) => 2,
        _ => 3,
    }
}

/// The lesser claims that are true when the full answer is this.
fn is_true(claim: &Outcome, answer: &Outcome, goal: Goal) -> bool {
    match (claim, answer) {
        (Outcome::Limit { multiple }, _) => !multiple || matches!(answer, Outcome::Multiple { .. }),
        (Outcome::Smallest(first), Outcome::Multiple { smallest, .. }) => {
            goal == Goal::Uniqueness && first == smallest
        }
        _ => claim == answer,
    }
}

#[test]
fn a_greater_budget_says_more_and_never_anything_wrong() {
    let mut seen = [0; 4];
    for engine in engines() {
        for (board, goal) in costly().flat_map(|b| GOALS.map(|goal| (b, goal))) {
            let full = solved(engine, &board, goal);
            let mut last = 0;
            let enough = [full.guesses.saturating_sub(1), full.guesses];
            let budgets: BTreeSet<u64> = (0..=MOST).chain(enough).collect();
            for guesses in budgets {
                let mut budget = Budget::new(guesses, &GO);
                let outcome = engine.solve(&grid(&board), goal, &mut budget);
                let case = format!("{engine}, {goal:?}, {guesses} {}", line(&board));
                assert!(
                    is_true(&outcome, &full.outcome, goal),
                    "{case}: {outcome:?}"
                );
                // The answer is there as soon as it can be paid for.
                let is_full = guesses >= full.guesses;
                assert_eq!(rank(&outcome, goal) == 3, is_full, "{case}: {outcome:?}");
                assert_eq!(budget.spent(), guesses.min(full.guesses), "{case}");
                assert_eq!(budget.left(), guesses - budget.spent(), "{case}");
                assert_eq!(budget.has_ended(), !is_full, "{case}");
                let rank = rank(&outcome, goal);
                assert!(rank >= last, "{case}: {outcome:?}");
                last = rank;
                seen[rank] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&times| times > 20), "{seen:?}");
}

#[test]
fn a_decision_is_open_until_it_can_be_paid_for() {
    for engine in engines() {
        for board in costly() {
            let (decision, full) = decided(engine, &board);
            for guesses in 0..=MOST {
                let mut budget = Budget::new(guesses, &GO);
                let answer = engine.decide(&grid(&board), &mut budget);
                let expected = if guesses < full {
                    Decision::Open
                } else {
                    decision
                };
                assert_eq!(answer, expected, "{engine}, {guesses} {}", line(&board));
                assert_eq!(budget.spent(), guesses.min(full));
            }
        }
    }
}

/// All of these among others, each more than once.
fn mixed() -> Vec<Grid> {
    let others = boards(61).map(|(_, board)| board).take(30);
    let mut grids: Vec<Grid> = costly().chain(others).map(|b| grid(&b)).collect();
    grids.extend_from_within(..);
    Random::new(62).shuffle(&mut grids);
    grids
}

#[test]
fn a_batch_says_with_any_budget_what_single_calls_say() {
    let grids = mixed();
    for engine in engines() {
        for guesses in (0..=60).chain((61..=MOST).step_by(17)) {
            let answers = engine.solve_batch(&grids, guesses, &GO);
            for (grid, answer) in grids.iter().zip(answers) {
                let mut budget = Budget::new(guesses, &GO);
                let outcome = engine.solve(grid, Goal::Uniqueness, &mut budget);
                let guesses = budget.spent();
                assert_eq!(answer, Solved { outcome, guesses }, "{engine} {grid}");
            }
            check_decisions(engine, &grids, guesses);
        }
    }
}

/// A board that has at most one solution is decided in a batch if and only if it is
/// decided alone; and nobody spends more than there is.
fn check_decisions(engine: Engine, grids: &[Grid], guesses: u64) {
    engine.decide_batch(grids, guesses, &GO, |index, decision, spent| {
        let grid = &grids[index];
        let full = engine.decide(grid, &mut Budget::new(u64::MAX, &GO));
        let mut budget = Budget::new(guesses, &GO);
        let alone = engine.decide(grid, &mut budget);
        let case = format!("{engine}, {guesses} {grid}: {decision:?}, {spent}");
        assert!(spent <= guesses, "{case}");
        if full == Decision::Many {
            assert!([Decision::Open, full].contains(&decision), "{case}");
        } else {
            assert_eq!((decision, spent), (alone, budget.spent()), "{case}");
        }
    });
}

#[test]
fn a_count_is_never_too_great() {
    for engine in engines() {
        for board in costly() {
            let grid = grid(&board);
            let total = engine.count(&grid, 500, &mut Budget::new(u64::MAX, &GO));
            let mut last = 0;
            for guesses in 0..=MOST {
                let mut budget = Budget::new(guesses, &GO);
                let Count { solutions, exact } = engine.count(&grid, 500, &mut budget);
                let case = format!("{engine}, {guesses} {grid}: {solutions}, {exact}");
                assert!((last..=total.solutions).contains(&solutions), "{case}");
                let is_whole = Count { solutions, exact } == total;
                assert!(!exact || is_whole, "{case}");
                // Each solution pays for a guess.
                let paid = budget.spent() + budget.left();
                assert_eq!(paid, guesses + solutions, "{case}");
                assert!(is_whole || budget.has_ended(), "{case}");
                last = solutions;
            }
        }
    }
}

#[test]
fn a_solution_pays_for_a_guess_unless_the_budget_is_strict() {
    let several = grid(&board(samples::EMPTY));
    let listed = |engine: Engine, budget: &mut Budget| {
        let mut solutions = engine.enumerate(&several);
        (0..40)
            .take_while(|_| matches!(solutions.next(budget), Ok(Some(_))))
            .count() as u64
    };
    for engine in engines() {
        for guesses in (0..=3 * MOST).step_by(9) {
            let mut budget = Budget::new(guesses, &GO);
            let found = listed(engine, &mut budget);
            let total = budget.spent() + budget.left();
            assert_eq!(total, guesses + found, "{engine}");
            let mut strict = Budget::strict(guesses, &GO);
            listed(engine, &mut strict);
            assert_eq!(strict.spent() + strict.left(), guesses, "{engine}");
            let mut strict = Budget::strict(guesses, &GO);
            let count = engine.count(&several, u64::MAX, &mut strict);
            let spent = (strict.spent(), strict.left());
            assert_eq!(spent, (guesses, 0), "{engine} {count:?}");
        }
    }
}

#[test]
fn one_budget_pays_for_several_searches() {
    for engine in engines() {
        let hard = board(samples::HARD);
        let (_, guesses) = decided(engine, &hard);
        let mut budget = Budget::new(3 * guesses - 1, &GO);
        let mut decide = || engine.decide(&grid(&hard), &mut budget);
        let answers = [decide(), decide(), decide()];
        assert_eq!(answers[0], answers[1], "{engine}");
        assert_eq!(answers[2], Decision::Open, "{engine}");
        assert_eq!(budget.left(), 0);
        let Outcome::Unique(solution) = solve(engine, &hard, Goal::Uniqueness) else {
            panic!("a proper puzzle");
        };
        assert_eq!(answers[0], Decision::One(solution), "{engine}");
    }
}
