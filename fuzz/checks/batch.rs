//! Any boards together: each gets the answer, and takes the guesses, that it has alone.

use sudoku_service::grid::Grid;
use sudoku_service::solver::{Budget, Decision, Engine, Goal, Outcome, Solved, StopFlag};

use super::boards;
use super::bytes::Bytes;

/// Enough to fill all lanes more than four times over.
const MOST_BOARDS: usize = 300;
const MOST_GUESSES: u64 = 2_000;

static GO: StopFlag = StopFlag::new();

/// Checks what becomes of the boards in `data`.
///
/// # Panics
///
/// If something is not as it must be.
pub fn check(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let guesses = bytes.budget(MOST_GUESSES, 4);
    let answers_until_stop = bytes.below(64);
    let grids = grids(&mut bytes);
    let first = Engine::all().next().expect("portable");
    let alone = grids.iter().map(|grid| solved(first, grid, guesses));
    let alone: Vec<Solved> = alone.collect();
    for engine in Engine::all() {
        check_solved(engine, &grids, guesses, &alone);
        check_decided(engine, &grids, guesses, &alone);
        check_stopped(engine, &grids, guesses, &alone, answers_until_stop);
        // Nothing of it is left for the next.
        check_solved(engine, &grids, guesses, &alone);
    }
}

/// Some boards, with copies of them between: other boards, the same one many times, or a
/// few in turns.
fn grids(bytes: &mut Bytes<'_>) -> Vec<Grid> {
    let size = 1 + (bytes.number() as usize) % MOST_BOARDS;
    let different = 1 + bytes.below(24);
    let mut grids: Vec<Grid> = Vec::new();
    while grids.len() < size {
        let grid = if grids.len() < different && !bytes.is_empty() {
            Grid::from_values(boards::board(bytes)).expect("digits")
        } else {
            let stride = 1 + bytes.below(different);
            grids
                .get(grids.len().wrapping_sub(stride))
                .map_or(Grid::BLANK, |grid| *grid)
        };
        grids.push(grid);
    }
    grids
}

fn solved(engine: Engine, grid: &Grid, guesses: u64) -> Solved {
    let mut budget = Budget::new(guesses, &GO);
    let outcome = engine.solve(grid, Goal::Uniqueness, &mut budget);
    Solved {
        outcome,
        guesses: budget.spent(),
    }
}

fn check_solved(engine: Engine, grids: &[Grid], guesses: u64, alone: &[Solved]) {
    let together = engine.solve_batch(grids, guesses, &GO);
    assert_eq!(together.len(), grids.len());
    for (index, (found, alone)) in together.iter().zip(alone).enumerate() {
        let place = format!("{engine}, {guesses} guesses, {index} of {}", grids.len());
        assert_eq!(found, alone, "{place}: {}", grids[index]);
    }
}

fn check_decided(engine: Engine, grids: &[Grid], guesses: u64, alone: &[Solved]) {
    let decided = decided(engine, grids, guesses, |_| false);
    for ((grid, (decision, taken)), alone) in grids.iter().zip(decided).zip(alone) {
        let case = format!("{engine}, {guesses} guesses, {grid}: {decision:?}, {alone:?}");
        assert!(taken <= guesses, "{case}");
        // What clashes is left open by nobody; what else is was for want of guesses, or of
        // room for boards that wait.
        let is_open = decision == Decision::Open && alone.outcome != Outcome::Clash;
        assert!(is_open || is_true(decision, taken, alone), "{case}");
    }
}

/// A batch that is told to stop after some answers still gives one for each board, and what
/// it says is true.
fn check_stopped(engine: Engine, grids: &[Grid], guesses: u64, alone: &[Solved], until: usize) {
    let decided = decided(engine, grids, guesses, |answers| answers >= until);
    for ((grid, (decision, taken)), alone) in grids.iter().zip(decided).zip(alone) {
        let is_true = decision == Decision::Open || is_true(decision, taken, alone);
        let case = format!("{engine}, {guesses} guesses, stopped after {until}, {grid}");
        assert!(is_true, "{case}: {decision:?}, {alone:?}");
    }
}

/// Whether a decision is that of the board alone. A search to the end takes its guesses in
/// any order; a second solution may be found sooner or later.
fn is_true(decision: Decision, taken: u64, alone: &Solved) -> bool {
    use Outcome as O;
    match (decision, alone.outcome) {
        (Decision::None, O::Clash | O::Unsolvable) => taken == alone.guesses,
        (Decision::One(one), O::Unique(other)) => one == other && taken == alone.guesses,
        (Decision::Many, outcome) => !matches!(outcome, O::Clash | O::Unsolvable | O::Unique(_)),
        _ => false,
    }
}

/// The decisions on boards together, each given once, until it is time to stop by the
/// number of those given.
fn decided(
    engine: Engine,
    grids: &[Grid],
    guesses: u64,
    is_time: impl Fn(usize) -> bool,
) -> Vec<(Decision, u64)> {
    let stop = StopFlag::new();
    let mut answers = vec![None; grids.len()];
    let mut given = 0;
    if is_time(given) {
        stop.stop();
    }
    engine.decide_batch(grids, guesses, &stop, |index, decision, guesses| {
        let earlier = answers[index].replace((decision, guesses));
        assert_eq!(earlier, None, "two answers for {}", grids[index]);
        given += 1;
        if is_time(given) {
            stop.stop();
        }
    });
    let answer = |answer: Option<_>| answer.expect("an answer for each");
    answers.into_iter().map(answer).collect()
}
