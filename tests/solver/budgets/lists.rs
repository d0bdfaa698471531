//! Counts with a limit, and enumerations that stop and go on.

use sudoku_service::solver::LimitReached;

use super::*;
use crate::judge::GUESSES;
use crate::oracle::exact_cover;

/// Boards with up to some hundred solutions, and how many.
fn ambiguous() -> Vec<(Board, Vec<Board>)> {
    let open_rows = |rows: usize| {
        let mut board = board(samples::SOLUTION);
        board[9 * (9 - rows)..].fill(0);
        board
    };
    let mut several = vec![
        open_rows(3),
        open_rows(4),
        board(samples::TWO_SOLUTIONS),
        board(samples::PUZZLE),
        board(samples::HARD),
        board(samples::IMPOSSIBLE),
        board(samples::CLASH_IN_BOX),
    ];
    let of_kind = boards(63).map(|(_, board)| board);
    several.extend(of_kind.take(60));
    let mut all: Vec<_> = several
        .into_iter()
        .map(|board| (board, exact_cover::solutions(&board, 1_001)))
        .filter(|(_, solutions)| solutions.len() <= 1_000)
        .collect();
    for (_, solutions) in &mut all {
        solutions.sort_unstable();
    }
    let most = all.iter().map(|(_, solutions)| solutions.len()).max();
    assert!(most > Some(200), "hardly a choice: {most:?}");
    all
}

#[test]
fn counts_stop_at_their_limit() {
    for (board, solutions) in ambiguous() {
        let total = solutions.len() as u64;
        for engine in engines() {
            for limit in [0, 1, total.saturating_sub(1), total, total + 1, u64::MAX] {
                let mut budget = Budget::new(1_000_000, &GO);
                let count = engine.count(&grid(&board), limit, &mut budget);
                let expected = Count {
                    solutions: total.min(limit),
                    exact: total <= limit,
                };
                assert_eq!(count, expected, "{engine}, {limit} {}", line(&board));
            }
        }
    }
}

/// All solutions, with as many calls as it takes if each may guess this often.
fn in_steps(engine: Engine, board: &Board, mut guesses: impl FnMut() -> u64) -> Vec<Board> {
    let mut solutions = engine.enumerate(&grid(board));
    let mut found = Vec::new();
    for _ in 0..100_000 {
        match solutions.next(&mut Budget::new(guesses(), &GO)) {
            Ok(Some(solution)) => found.push(*solution.values()),
            Ok(None) => return found,
            Err(LimitReached) => {}
        }
    }
    panic!("{engine} gets nowhere with {}", line(board));
}

#[test]
fn enumerations_go_on_where_they_stopped() {
    let mut random = Random::new(64);
    for (board, solutions) in ambiguous() {
        for engine in engines() {
            let at_once = in_steps(engine, &board, || 1_000_000);
            assert_eq!(at_once, solutions, "{engine} {}", line(&board));
            let one_by_one = in_steps(engine, &board, || 1);
            assert_eq!(one_by_one, solutions, "{engine} {}", line(&board));
            let at_random = in_steps(engine, &board, || random.below(4) as u64);
            assert_eq!(at_random, solutions, "{engine} {}", line(&board));
        }
    }
}

#[test]
fn the_empty_grid_begins_the_same_for_all() {
    let first = |engine: Engine| -> Vec<Grid> {
        let mut solutions = engine.enumerate(&Grid::BLANK);
        let mut budget = Budget::new(GUESSES, &GO);
        let next = || solutions.next(&mut budget).expect("guesses enough");
        std::iter::from_fn(next).take(2_000).collect()
    };
    let expected = first(engines()[0]);
    assert_eq!(expected[0].to_string(), samples::SMALLEST);
    assert!(expected.is_sorted_by(|a, b| a < b));
    for engine in engines() {
        assert_eq!(first(engine), expected, "{engine}");
    }
}
