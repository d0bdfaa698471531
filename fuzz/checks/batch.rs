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
pub fn check(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let guesses = match bytes.below(3) {
        0 => MOST_GUESSES,
        1 => u64::from(bytes.byte()),
        _ => u64::from(bytes.byte() % 4),
    };
    let grids = grids(&mut bytes);
    let alone = |engine: Engine| grids.iter().map(move |grid| solved(engine, grid, guesses));
    let first = Engine::all().next().expect("portable");
    let expected: Vec<Solved> = alone(first).collect();
    for engine in Engine::all() {
        let together = engine.solve_batch(&grids, guesses, &GO);
        assert_eq!(together.len(), grids.len());
        for (index, (found, expected)) in together.iter().zip(&expected).enumerate() {
            let place = format!("{engine}, {guesses} guesses, {index} of {}", grids.len());
            assert_eq!(found, expected, "{place}: {}", grids[index]);
        }
        check_decided(engine, &grids, guesses, &expected);
    }
    check_stopped(&grids);
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

/// The decisions on boards together, each once.
fn decided(engine: Engine, grids: &[Grid], guesses: u64, stop: &StopFlag) -> Vec<(Decision, u64)> {
    let mut answers = vec![None; grids.len()];
    engine.decide_batch(grids, guesses, stop, |index, decision, guesses| {
        let earlier = answers[index].replace((decision, guesses));
        assert_eq!(earlier, None, "two answers for {}", grids[index]);
    });
    let answer = |answer: Option<_>| answer.expect("an answer for each");
    answers.into_iter().map(answer).collect()
}

fn check_decided(engine: Engine, grids: &[Grid], guesses: u64, alone: &[Solved]) {
    let decided = decided(engine, grids, guesses, &GO);
    for ((grid, (decision, taken)), alone) in grids.iter().zip(decided).zip(alone) {
        let case = format!("{engine}, {guesses} guesses, {grid}: {decision:?}, {alone:?}");
        assert!(taken <= guesses, "{case}");
        // A search to the end takes its guesses in any order; one that is left open was
        // for want of them, or of room for boards that wait.
        let is_so = match (decision, alone.outcome) {
            (Decision::None, Outcome::Clash | Outcome::Unsolvable) => taken == alone.guesses,
            (Decision::One(one), Outcome::Unique(other)) => one == other && taken == alone.guesses,
            (Decision::Many, outcome) => !matches!(
                outcome,
                Outcome::Clash | Outcome::Unsolvable | Outcome::Unique(_)
            ),
            (Decision::Open, outcome) => outcome != Outcome::Clash,
            _ => false,
        };
        assert!(is_so, "{case}");
    }
}

/// A batch that is told to stop at once still answers for each board, and what it says is
/// right.
fn check_stopped(grids: &[Grid]) {
    let stop = StopFlag::new();
    stop.stop();
    for engine in Engine::all() {
        for solved in engine.solve_batch(grids, MOST_GUESSES, &stop) {
            assert_eq!(solved.guesses, 0, "{engine}: {solved:?}");
        }
        let decided = decided(engine, grids, MOST_GUESSES, &stop);
        assert!(decided.iter().all(|(_, guesses)| *guesses == 0), "{engine}");
    }
    // Nothing of it is left for the next.
    let grid = grids[0];
    for engine in Engine::all() {
        let expected = solved(engine, &grid, MOST_GUESSES);
        let together = engine.solve_batch(&[grid; 33], MOST_GUESSES, &GO);
        assert!(
            together.iter().all(|solved| *solved == expected),
            "{engine}: {grid}"
        );
    }
}
