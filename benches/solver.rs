//! Times the solver on seeded sets: every engine, one puzzle a call and many.
//!
//! ```text
//! cargo bench --bench solver [-- FILTER]
//! ```
//!
//! A sample is one pass over a set, so the column of the items a second is what to read.
//! Every answer is checked before it is timed.

#[path = "support/sets.rs"]
mod sets;

#[path = "../tests/solver"]
#[allow(dead_code, unused_imports, reason = "the tests use more of it")]
mod from_tests {
    pub(crate) mod boards;
    pub(crate) mod oracle;
}

use std::fmt;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use sudoku_service::grid::Grid;
use sudoku_service::rules::is_solution_of;
use sudoku_service::solver::{Budget, Decision, Engine, Goal, Outcome, Solved, StopFlag};

use from_tests::{boards, oracle}; // by these names they know each other
use sets::Set;

/// No budget ends a measurement.
const GUESSES: u64 = u64::MAX;

fn main() {
    divan::main();
}

/// A set and who solves it.
#[derive(Clone, Copy)]
struct Case {
    set: Set,
    engine: Engine,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.set, self.engine)
    }
}

fn cases() -> Vec<Case> {
    let with_engines = |set| Engine::all().map(move |engine| Case { set, engine });
    Set::ALL.into_iter().flat_map(with_engines).collect()
}

/// Those where a decision is less work than the full answer.
fn ambiguous_cases() -> Vec<Case> {
    let mut cases = cases();
    cases.retain(|case| case.set == Set::Ambiguous);
    cases
}

/// The full answer, one puzzle a call.
#[divan::bench(args = cases(), max_time = 1.5)]
fn solve(bencher: Bencher, case: Case) {
    case.check(|grid| case.solve(grid));
    bencher.counter(case.puzzles()).bench_local(|| {
        for grid in case.set.grids() {
            black_box(case.solve(black_box(grid)));
        }
    });
}

/// The full answer, all puzzles in one call.
#[divan::bench(args = cases(), max_time = 1.5)]
fn solve_batch(bencher: Bencher, case: Case) {
    let grids = case.set.grids();
    let solve = || case.engine.solve_batch(grids, GUESSES, &StopFlag::new());
    let mut answers = solve().into_iter();
    case.check(|_| {
        let Solved { outcome, .. } = answers.next().expect("an answer for each");
        outcome
    });
    bencher.counter(case.puzzles()).bench_local(solve);
}

/// Only how many solutions there are, one puzzle a call.
#[divan::bench(args = ambiguous_cases(), max_time = 1.5)]
fn decide(bencher: Bencher, case: Case) {
    case.check_decisions(|grid| case.decide(grid));
    bencher.counter(case.puzzles()).bench_local(|| {
        for grid in case.set.grids() {
            black_box(case.decide(black_box(grid)));
        }
    });
}

/// Only how many solutions there are, all puzzles in one call.
#[divan::bench(args = ambiguous_cases(), max_time = 1.5)]
fn decide_batch(bencher: Bencher, case: Case) {
    let grids = case.set.grids();
    let decide = |decisions: &mut [Decision]| {
        let keep = |index: usize, decision, _| decisions[index] = decision;
        let stop = StopFlag::new();
        case.engine.decide_batch(grids, GUESSES, &stop, keep);
    };
    let mut decisions = vec![Decision::Open; grids.len()];
    decide(&mut decisions);
    let mut answers = decisions.iter().copied();
    case.check_decisions(|_| answers.next().expect("an answer for each"));
    let puzzles = bencher.counter(case.puzzles());
    puzzles.bench_local(|| decide(black_box(&mut decisions)));
}

impl Case {
    fn puzzles(self) -> ItemsCount {
        ItemsCount::new(self.set.grids().len())
    }

    fn solve(self, grid: &Grid) -> Outcome {
        let stop = StopFlag::new();
        let mut budget = Budget::new(GUESSES, &stop);
        self.engine.solve(grid, Goal::Uniqueness, &mut budget)
    }

    fn decide(self, grid: &Grid) -> Decision {
        let stop = StopFlag::new();
        self.engine.decide(grid, &mut Budget::new(GUESSES, &stop))
    }

    /// Panics unless `solve` gives each puzzle of the set an answer that is right.
    fn check(self, mut solve: impl FnMut(&Grid) -> Outcome) {
        let has_one = matches!(self.set, Set::Easy | Set::Minimal | Set::Hard);
        for grid in self.set.grids() {
            let outcome = solve(grid);
            let is_right = match outcome {
                Outcome::Unsolvable => self.set == Set::Unsolvable,
                Outcome::Unique(only) => has_one && is_solution_of(&only, grid),
                Outcome::Multiple { smallest, second } => {
                    self.set == Set::Ambiguous
                        && smallest < second
                        && is_solution_of(&smallest, grid)
                        && is_solution_of(&second, grid)
                }
                Outcome::Clash | Outcome::Smallest(_) | Outcome::Limit { .. } => false,
            };
            assert!(is_right, "{self} {grid}: {outcome:?}");
        }
    }

    /// Panics unless `decide` finds several solutions of each puzzle of the set.
    fn check_decisions(self, mut decide: impl FnMut(&Grid) -> Decision) {
        assert_eq!(self.set, Set::Ambiguous);
        for grid in self.set.grids() {
            assert_eq!(decide(grid), Decision::Many, "{self} {grid}");
        }
    }
}
