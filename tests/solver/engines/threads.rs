//! Engines keep room for their searches: each thread its own, and nothing of one
//! search may be left to the next.

use std::sync::Barrier;
use std::thread;

use sudoku_service::grid::Grid;
use sudoku_service::solver::{Decision, StopFlag};

use super::{CASES, Case, batches, check_decided, check_solved};
use crate::boards::Random;
use crate::judge::{GO, GOALS, GUESSES, engines, solved};

#[test]
fn several_threads_at_once_get_the_same_answers() {
    let start = Barrier::new(4);
    thread::scope(|scope| {
        for seed in 0..4 {
            let start = &start;
            scope.spawn(move || {
                let batches = batches(40 + seed);
                let mut random = Random::new(seed);
                start.wait();
                // Batches and single boards in turn, by one engine and another.
                for batch in batches.iter().take(60) {
                    let engine = random.pick(&engines());
                    check_decided(engine, batch);
                    check_solved(engine, batch);
                    let engine = random.pick(&engines());
                    let alone = GOALS.map(|goal| solved(engine, &batch[0].board, goal));
                    assert_eq!(alone, batch[0].solved, "{engine}");
                }
            });
        }
    });
}

#[test]
fn a_batch_that_was_stopped_leaves_nothing_behind() {
    for engine in engines() {
        let mut left_open = 0;
        for (turn, batch) in batches(50).iter().filter(|b| b.len() > 90).enumerate() {
            let grids: Vec<Grid> = batch.iter().map(|case| case.grid).collect();
            let stop = StopFlag::new();
            let mut answers = vec![None; batch.len()];
            let mut answered = 0;
            engine.decide_batch(&grids, GUESSES, &stop, |index, decision, _| {
                assert_eq!(answers[index].replace(decision), None);
                answered += 1;
                if answered == turn {
                    stop.stop();
                }
            });
            for (case, answer) in batch.iter().zip(&answers) {
                let answer = answer.expect("an answer for every board");
                let is_true = [Decision::Open, case.decided.0].contains(&answer);
                assert!(is_true, "{}: {answer:?}", case.describe(engine));
                left_open += usize::from(answer == Decision::Open);
            }
            check_decided(engine, batch);
        }
        assert!(left_open > 0, "{engine} was never stopped");
    }
}

#[test]
fn an_answer_may_ask_again() {
    let (outer, inner): (Vec<&Case>, Vec<&Case>) = CASES.iter().take(200).partition(|case| {
        // The harder ones outside, so that much is under way when they ask.
        case.decided.1 > 0
    });
    for engine in engines() {
        let grids: Vec<Grid> = outer.iter().map(|case| case.grid).collect();
        let mut answered = 0;
        engine.decide_batch(&grids, GUESSES, &GO, |index, decision, _| {
            answered += 1;
            let case = outer[index];
            assert_eq!(decision, case.decided.0, "{}", case.describe(engine));
            check_decided(engine, &inner);
            assert_eq!(solved(engine, &case.board, GOALS[0]), case.solved[0]);
        });
        assert_eq!(answered, outer.len());
        check_decided(engine, &outer);
    }
}
