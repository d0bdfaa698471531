//! A raised flag ends every search, and is never taken for an answer.

use std::thread;

use super::*;
use crate::judge::GUESSES;

fn raised() -> StopFlag {
    let stop = StopFlag::new();
    stop.stop();
    stop
}

#[test]
fn nobody_guesses_when_the_flag_is_raised() {
    let stop = raised();
    let grids = mixed();
    for engine in engines() {
        let batch = engine.solve_batch(&grids, GUESSES, &stop);
        let mut limits = 0;
        for (grid, answer) in grids.iter().zip(batch) {
            for goal in GOALS {
                let expected = engine.solve(grid, goal, &mut Budget::new(0, &GO));
                let mut budget = Budget::new(GUESSES, &stop);
                let alone = engine.solve(grid, goal, &mut budget);
                assert_eq!((alone, budget.spent()), (expected, 0), "{engine} {grid}");
                limits += usize::from(alone == Outcome::Limit { multiple: false });
                if goal == Goal::Uniqueness {
                    assert_eq!(answer.outcome, expected, "{engine} {grid}");
                    assert_eq!(answer.guesses, 0, "{engine} {grid}");
                }
            }
        }
        assert!(limits > 20, "{limits}");
    }
}

#[test]
fn a_batch_that_may_not_go_on_leaves_boards_open() {
    let grids: Vec<Grid> = costly()
        .map(|board| grid(&board))
        .cycle()
        .take(300)
        .collect();
    for engine in engines() {
        let mut answers = 0;
        engine.decide_batch(&grids, GUESSES, &raised(), |index, decision, guesses| {
            assert_eq!(decision, Decision::Open, "{engine} {}", grids[index]);
            assert_eq!(guesses, 0, "{engine} {}", grids[index]);
            answers += 1;
        });
        assert_eq!(answers, grids.len());
    }
}

#[test]
fn lists_and_counts_end_when_the_flag_is_raised() {
    let stop = raised();
    for engine in engines() {
        for board in costly() {
            let grid = grid(&board);
            let count = engine.count(&grid, 9, &mut Budget::new(GUESSES, &stop));
            assert!(!count.exact, "{engine} {grid}");
            assert_eq!(count.solutions, 0, "{engine} {grid}");
            let mut solutions = engine.enumerate(&grid);
            let mut stopped = Budget::new(GUESSES, &stop);
            assert!(solutions.next(&mut stopped).is_err(), "{engine} {grid}");
            assert!(stopped.has_ended() && stopped.spent() == 0);
            // Another budget, another try.
            let first = solutions.next(&mut Budget::new(GUESSES, &GO));
            let fresh = engine.enumerate(&grid).next(&mut Budget::new(GUESSES, &GO));
            assert_eq!(first, fresh, "{engine} {grid}");
            assert!(first.is_ok());
        }
    }
}

/// More than anybody could count, or decide, until the flag is raised elsewhere.
#[test]
fn another_thread_ends_a_search_without_end() {
    for engine in engines() {
        let stop = StopFlag::new();
        thread::scope(|scope| {
            let counting = scope
                .spawn(|| engine.count(&Grid::BLANK, u64::MAX, &mut Budget::new(u64::MAX, &stop)));
            let deciding = scope.spawn(|| {
                let grids: Vec<Grid> = costly()
                    .map(|board| grid(&board))
                    .cycle()
                    .take(100)
                    .collect();
                while !stop.is_stopped() {
                    engine.decide_batch(&grids, GUESSES, &stop, |index, decision, _| {
                        let board = grids[index].values();
                        let full = decided(engine, board).0;
                        assert!(decision == Decision::Open || decision == full);
                    });
                }
            });
            // Nothing is timed: whenever it comes, it ends them both.
            thread::yield_now();
            stop.stop();
            let count = counting.join().expect("a count");
            assert!(!count.exact);
            deciding.join().expect("no wrong decision");
        });
    }
}
