//! Every engine gives every board the same answer with the same guesses: alone, in any
//! company, and on several threads at once.
//!
//! `SUDOKU_TEST_BOARDS=100000` tries that many boards instead of a few thousand.

mod threads;

use std::sync::LazyLock;

use sudoku_service::grid::Grid;
use sudoku_service::solver::{Count, Decision, Engine, Outcome, Solved};

use crate::boards::{Kind, Random, boards, how_many};
use crate::judge::{GO, GOALS, GUESSES, count, decided, decided_batch, engines, grid, solved};
use crate::oracle::{Board, exact_cover, line};

const SEED: u64 = 31;
const MOST_IN_BATCH: usize = 200;

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let boards = boards(SEED).take(how_many("SUDOKU_TEST_BOARDS", 3_000));
    boards.map(|(kind, board)| Case::new(kind, board)).collect()
});

/// A board, and what the first engine makes of it alone.
struct Case {
    kind: Kind,
    board: Board,
    grid: Grid,
    /// In the order of [`GOALS`].
    solved: [Solved; 2],
    decided: (Decision, u64),
}

impl Case {
    fn new(kind: Kind, board: Board) -> Self {
        let first = engines()[0];
        Self {
            kind,
            board,
            grid: grid(&board),
            solved: GOALS.map(|goal| solved(first, &board, goal)),
            decided: decided(first, &board),
        }
    }

    fn describe(&self, engine: Engine) -> String {
        format!("{engine} on {:?} {}", self.kind, line(&self.board))
    }
}

#[test]
fn the_first_engine_finds_as_many_solutions_as_there_are() {
    for case in CASES.iter() {
        let [uniqueness, smallest] = case.solved.map(|solved| solved.outcome);
        let truth = exact_cover::count(&case.board, 2);
        let is_so = match (truth, uniqueness, smallest) {
            (0, Outcome::Clash | Outcome::Unsolvable, _) => smallest == uniqueness,
            (1, Outcome::Unique(only), Outcome::Smallest(first)) => only == first,
            (2, Outcome::Multiple { smallest, .. }, Outcome::Smallest(first)) => smallest == first,
            _ => false,
        };
        assert!(is_so, "{truth}: {}", case.describe(engines()[0]));
        let decision = match uniqueness {
            Outcome::Unique(only) => Decision::One(only),
            Outcome::Multiple { .. } => Decision::Many,
            _ => Decision::None,
        };
        assert_eq!(case.decided.0, decision, "{}", line(&case.board));
        for engine in engines() {
            let solutions = truth.min(1) as u64;
            let exact = truth < 2;
            let expected = Count { solutions, exact };
            let counted = count(engine, &case.board, 1);
            assert_eq!(counted, expected, "{}", case.describe(engine));
        }
    }
}

#[test]
fn each_board_alone() {
    for engine in engines() {
        for case in CASES.iter() {
            let description = case.describe(engine);
            let solved = GOALS.map(|goal| solved(engine, &case.board, goal));
            assert_eq!(solved, case.solved, "{description}");
            assert_eq!(decided(engine, &case.board), case.decided, "{description}");
        }
    }
}

/// Draws of cases in batches of 1 to 200, in random order: all of them at least once,
/// and every size of batch.
fn batches(seed: u64) -> Vec<Vec<&'static Case>> {
    let mut random = Random::new(seed);
    let mut left: Vec<&Case> = CASES.iter().collect();
    random.shuffle(&mut left);
    let mut batches = Vec::new();
    while batches.is_empty() || !left.is_empty() {
        for size in random.order::<MOST_IN_BATCH>() {
            let draw = |_| {
                left.pop()
                    .unwrap_or_else(|| &CASES[random.below(CASES.len())])
            };
            batches.push((0..=size).map(draw).collect());
        }
    }
    batches
}

fn check_solved(engine: Engine, batch: &[&Case]) {
    let grids: Vec<Grid> = batch.iter().map(|case| case.grid).collect();
    let answers = engine.solve_batch(&grids, GUESSES, &GO);
    assert_eq!(answers.len(), batch.len());
    for (index, (case, answer)) in batch.iter().zip(answers).enumerate() {
        let place = format!("{} at {index} of {}", case.describe(engine), batch.len());
        assert_eq!(answer, case.solved[0], "{place}");
    }
}

fn check_decided(engine: Engine, batch: &[&Case]) {
    let grids: Vec<Grid> = batch.iter().map(|case| case.grid).collect();
    let answers = decided_batch(engine, &grids);
    for (index, (case, answer)) in batch.iter().zip(answers).enumerate() {
        let place = format!("{} at {index} of {}", case.describe(engine), batch.len());
        assert_eq!(answer.0, case.decided.0, "{place}");
        // A second solution may be found sooner or later.
        if answer.0 != Decision::Many {
            assert_eq!(answer.1, case.decided.1, "{place}");
        }
    }
}

#[test]
fn batches_of_every_size() {
    for batch in batches(33) {
        for engine in engines() {
            check_solved(engine, &batch);
            check_decided(engine, &batch);
        }
    }
}

#[test]
fn all_boards_in_one_batch() {
    let mut batch: Vec<&Case> = CASES.iter().collect();
    Random::new(35).shuffle(&mut batch);
    for engine in engines() {
        check_solved(engine, &batch);
        check_decided(engine, &batch);
    }
}

/// Many copies of one board have nothing else in the other lanes.
#[test]
fn batches_of_one_kind() {
    for kind in Kind::ALL {
        let of_kind = CASES.iter().filter(|case| case.kind == kind).take(40);
        let of_kind: Vec<&Case> = of_kind.collect();
        for engine in engines() {
            check_decided(engine, &of_kind);
            for case in of_kind.iter().step_by(8) {
                check_decided(engine, &[*case; 70]);
            }
        }
    }
}

#[test]
fn no_batch_is_a_batch_too() {
    for engine in engines() {
        assert_eq!(engine.solve_batch(&[], GUESSES, &GO), []);
        engine.decide_batch(&[], GUESSES, &GO, |_, _, _| panic!("an answer"));
    }
}

/// As many boards with very many solutions as an engine has lanes, or more, and then boards
/// that are solved already: the lanes come free all at once, there is nothing left to start,
/// and some boards wait.
#[test]
fn nothing_waits_when_all_lanes_come_free_before_boards_that_are_solved() {
    let afterwards: Vec<&Case> = CASES.iter().take(MOST_IN_BATCH).collect();
    for (open, seed) in [8, 16, 32]
        .into_iter()
        .flat_map(|open| (0..120).map(move |seed| (open, seed)))
    {
        let mut random = Random::new(seed);
        let boards = (0..open).map(|_| Kind::NearlyEmpty.board(&mut random));
        let mut grids: Vec<Grid> = boards.map(|board| grid(&board)).collect();
        let solved = grid(&Kind::Complete.board(&mut random));
        grids.resize(3 * open, solved);
        for engine in engines() {
            let answers = decided_batch(engine, &grids);
            for (grid, (decision, _)) in grids.iter().zip(answers) {
                let alone = decided(engine, grid.values()).0;
                assert_eq!(decision, alone, "{engine}, {open}, {seed}: {grid}");
            }
        }
    }
    for engine in engines() {
        check_decided(engine, &afterwards);
    }
}
