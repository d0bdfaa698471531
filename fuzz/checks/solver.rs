//! Any board, with any budget: all engines give one answer, the judges let it pass, and
//! where the search is small the oracles find the same.

use sudoku_service::grid::Grid;
use sudoku_service::rules;
use sudoku_service::solver::{
    Budget, Count, Decision, Engine, Goal, LimitReached, Outcome, StopFlag,
};

use super::boards;
use super::bytes::Bytes;
use crate::oracle::{self, Board, ascending, exact_cover, line, reference};

/// A search of so few guesses is small enough for the oracles, which are slow.
const SMALL: u64 = 12;
/// Fewer givens than this leave the oracles too much to look through.
const FEWEST_GIVENS: usize = 21;
/// No board may hold up the others.
const MOST_GUESSES: u64 = 3_000;
/// So many solutions are counted and listed at most.
const MOST_SOLUTIONS: usize = 40;

static GO: StopFlag = StopFlag::new();

/// Checks what becomes of the board in `data`.
///
/// # Panics
///
/// If something is not as it must be.
pub fn check(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let guesses = bytes.budget(MOST_GUESSES, 8);
    let limit = bytes.below(MOST_SOLUTIONS + 1);
    let board = boards::board(&mut bytes);
    let answers = Engine::all().map(|engine| (engine, Answers::of(engine, &board, guesses, limit)));
    let answers: Vec<(Engine, Answers)> = answers.collect();
    let (_, first) = &answers[0];
    for (engine, others) in &answers {
        assert_eq!(others, first, "{engine}, {guesses}: {}", line(&board));
    }
    first.check(&board, guesses, limit);
}

/// All that an engine has to say of a board, and the guesses that each answer took.
#[derive(Debug, PartialEq)]
struct Answers {
    uniqueness: (Outcome, u64),
    smallest: (Outcome, u64),
    decision: (Decision, u64),
    count: (Count, u64),
    listed: (Vec<Grid>, Result<bool, LimitReached>, u64),
}

impl Answers {
    fn of(engine: Engine, board: &Board, guesses: u64, limit: usize) -> Self {
        let grid = Grid::from_values(*board).expect("digits");
        let budget = || Budget::new(guesses, &GO);
        let solved = |goal| {
            let mut budget = budget();
            let outcome = engine.solve(&grid, goal, &mut budget);
            (outcome, budget.spent())
        };
        let (mut deciding, mut counting, mut listing) = (budget(), budget(), budget());
        let mut enumeration = engine.enumerate(&grid);
        let mut listed = Vec::new();
        let is_all = loop {
            match enumeration.next(&mut listing) {
                Ok(Some(_)) if listed.len() == limit => break Ok(false),
                Ok(Some(solution)) => listed.push(solution),
                Ok(None) => break Ok(true),
                Err(ended) => break Err(ended),
            }
        };
        Self {
            uniqueness: solved(Goal::Uniqueness),
            smallest: solved(Goal::Smallest),
            decision: (engine.decide(&grid, &mut deciding), deciding.spent()),
            count: (
                engine.count(&grid, limit as u64, &mut counting),
                counting.spent(),
            ),
            listed: (listed, is_all, listing.spent()),
        }
    }

    fn check(&self, board: &Board, guesses: u64, limit: usize) {
        let case = format!("{guesses} guesses, {}: {self:?}", line(board));
        self.keep_to_the_budget(guesses, &case);
        self.pass_the_judges(board, &case);
        self.agree_with_each_other(limit, &case);
        let givens = board.iter().filter(|&&given| given > 0).count();
        let is_small = self.decision.1 <= SMALL && givens >= FEWEST_GIVENS;
        if is_small && self.decision.0 != Decision::Open {
            self.agree_with_the_oracles(board, limit, &case);
        }
    }

    fn keep_to_the_budget(&self, guesses: u64, case: &str) {
        let solutions = self.listed.0.len() as u64;
        assert!(self.uniqueness.1 <= guesses, "{case}");
        assert!(self.smallest.1 <= guesses, "{case}");
        assert!(self.decision.1 <= guesses, "{case}");
        assert!(self.count.1 <= guesses + self.count.0.solutions, "{case}");
        // One more may have been found behind the last that is listed.
        assert!(self.listed.2 <= guesses + solutions + 1, "{case}");
    }

    fn pass_the_judges(&self, board: &Board, case: &str) {
        let grid = Grid::from_values(*board).expect("digits");
        let mut solutions = self.listed.0.clone();
        for outcome in [self.uniqueness.0, self.smallest.0] {
            match outcome {
                Outcome::Unique(one) | Outcome::Smallest(one) => solutions.push(one),
                Outcome::Multiple { smallest, second } => {
                    assert!(smallest < second, "{case}");
                    solutions.extend([smallest, second]);
                }
                Outcome::Clash | Outcome::Unsolvable | Outcome::Limit { .. } => {}
            }
        }
        if let Decision::One(solution) = self.decision.0 {
            solutions.push(solution);
        }
        for solution in &solutions {
            assert!(rules::is_solution_of(solution, &grid), "{case}");
            let is_solution = oracle::rules::is_solution_of(solution.values(), board);
            assert!(is_solution, "{case}");
        }
        assert!(self.listed.0.is_sorted_by(|a, b| a < b), "{case}");
        // A clash is found at once, whatever the budget.
        let clashes = !rules::conflicts(&grid).is_empty();
        for outcome in [self.uniqueness.0, self.smallest.0] {
            assert_eq!(outcome == Outcome::Clash, clashes, "{case}");
        }
        assert_eq!(oracle::rules::has_clash(board), clashes, "{case}");
    }

    /// Each answer allows all the others.
    fn agree_with_each_other(&self, limit: usize, case: &str) {
        let is_so = match (self.uniqueness.0, self.decision.0) {
            (Outcome::Unique(one), Decision::One(other)) => one == other,
            (Outcome::Clash | Outcome::Unsolvable, Decision::None)
            | (Outcome::Multiple { .. } | Outcome::Smallest(_), Decision::Many) => true,
            (Outcome::Limit { multiple }, Decision::Many | Decision::Open) => {
                multiple == (self.decision.0 == Decision::Many)
            }
            _ => false,
        };
        assert!(is_so, "{case}");
        let first = match self.uniqueness.0 {
            Outcome::Unique(first)
            | Outcome::Smallest(first)
            | Outcome::Multiple {
                smallest: first, ..
            } => Some(first),
            Outcome::Clash | Outcome::Unsolvable | Outcome::Limit { .. } => None,
        };
        let is_open = matches!(self.uniqueness.0, Outcome::Limit { .. });
        let is_so = match (self.smallest.0, first) {
            (Outcome::Smallest(smallest), Some(first)) => smallest == first,
            (Outcome::Limit { multiple }, _) => !multiple,
            (found, None) => {
                let may_be = matches!(found, Outcome::Smallest(_) | Outcome::Unsolvable);
                found == self.uniqueness.0 || is_open && may_be
            }
            _ => false,
        };
        assert!(is_so, "{case}");
        let (listed, is_all, _) = &self.listed;
        if let (Some(listed), Some(first)) = (listed.first(), first) {
            assert_eq!(*listed, first, "{case}");
        }
        if let (Some(listed), Outcome::Multiple { second, .. }) = (listed.get(1), self.uniqueness.0)
        {
            assert_eq!(*listed, second, "{case}");
        }
        let Count { solutions, exact } = self.count.0;
        assert!(solutions <= limit as u64, "{case}");
        assert!(listed.len() <= limit, "{case}");
        if exact {
            assert!(listed.len() as u64 <= solutions, "{case}");
        }
        if let (true, Ok(all)) = (exact, is_all) {
            assert!(*all, "{case}");
            assert_eq!(listed.len() as u64, solutions, "{case}");
        }
    }

    fn agree_with_the_oracles(&self, board: &Board, limit: usize, case: &str) {
        let (found, guesses) = reference::solutions(board, 2);
        assert_eq!(guesses, self.decision.1, "{case}");
        assert_eq!(exact_cover::count(board, 2), found.len(), "{case}");
        let decision = match found[..] {
            [] => Decision::None,
            [only] => Decision::One(Grid::from_values(only).expect("digits")),
            _ => Decision::Many,
        };
        assert_eq!(self.decision.0, decision, "{case}");
        if self.count.0.exact {
            let count = exact_cover::count(board, limit + 1) as u64;
            assert_eq!(self.count.0.solutions, count, "{case}");
        }
        if let Outcome::Multiple { smallest, second } = self.uniqueness.0 {
            let two: Vec<Board> = ascending::solutions(board).take(2).collect();
            assert_eq!([*smallest.values(), *second.values()], two[..], "{case}");
        }
    }
}
