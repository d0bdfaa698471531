//! Boards that ruin other solvers cost an engine little, alone and among others.

use sudoku_service::grid::Grid;
use sudoku_service::solver::{Budget, Decision, Engine, Goal, Outcome, Solved};

use crate::boards::{Kind, Random, boards};
use crate::judge::{GO, GUESSES, decided, decided_batch, engines, grid, judge, solve};
use crate::oracle::{
    Board, Verdict, board, exact_cover, line, reference, row_major, samples, transposed,
};

/// Boards, and the guesses that suffice for all there is to say of them.
fn hostile() -> Vec<(Board, u64)> {
    let mut hostile = vec![
        (board(samples::IMPOSSIBLE), 0),
        (board(samples::FOUR_FOR_THREE), 0),
        (board(samples::AGAINST_BRUTE_FORCE), 0),
        (board(samples::HARD), 91),
        (board(samples::HARD_AND_UNSOLVABLE), 64),
        (board(samples::UNSOLVABLE_WITH_10), 631),
        (board(samples::UNSOLVABLE_WITH_12), 6_779),
        (board(samples::UNSOLVABLE_WITH_14), 9_585),
        (board(samples::EMPTY), 526),
    ];
    hostile.push((transposed(&board(samples::FOUR_FOR_THREE)), 0));
    for cell in (0..81).step_by(20) {
        let mut one_given = board(samples::EMPTY);
        one_given[cell] = 9;
        hostile.push((one_given, 679));
    }
    hostile
}

/// What an engine makes of a board with a budget.
fn within(engine: Engine, board: &Board, goal: Goal, guesses: u64) -> Outcome {
    let outcome = engine.solve(&grid(board), goal, &mut Budget::new(guesses, &GO));
    judge(&outcome, board);
    outcome
}

#[test]
fn they_stay_within_their_guesses_alone() {
    for (board, guesses) in hostile() {
        let truth = exact_cover_or_none(&board);
        for engine in engines() {
            let case = format!("{engine} {}", line(&board));
            let uniqueness = within(engine, &board, Goal::Uniqueness, guesses);
            let smallest = within(engine, &board, Goal::Smallest, guesses);
            let is_so = match (truth, uniqueness, smallest) {
                (0, Outcome::Unsolvable, Outcome::Unsolvable) => true,
                (1, Outcome::Unique(only), Outcome::Smallest(first)) => only == first,
                (2, Outcome::Multiple { smallest, .. }, Outcome::Smallest(first)) => {
                    smallest == first
                }
                _ => false,
            };
            assert!(is_so, "{case}: {truth}, {uniqueness:?}, {smallest:?}");
        }
    }
}

/// How many solutions there are, up to two. Exact cover takes too long over the boards
/// that were made to have none.
fn exact_cover_or_none(board: &Board) -> usize {
    let made = [
        samples::FOUR_FOR_THREE,
        samples::UNSOLVABLE_WITH_10,
        samples::UNSOLVABLE_WITH_12,
        samples::UNSOLVABLE_WITH_14,
    ];
    let lines = [line(board), line(&transposed(board))];
    if lines.iter().any(|line| made.contains(&line.as_str())) {
        return 0;
    }
    exact_cover::count(board, 2)
}

#[test]
fn two_hundred_thousand_guesses_are_the_most_of_all() {
    let board = board(samples::UNSOLVABLE_WITH_16);
    let (most, guesses) = (Decision::None, 216_624);
    for engine in engines() {
        assert_eq!(decided(engine, &board), (most, guesses), "{engine}");
        let mut budget = Budget::new(guesses - 1, &GO);
        let decision = engine.decide(&grid(&board), &mut budget);
        assert_eq!(decision, Decision::Open, "{engine}");
    }
}

/// Boards on which the textbook gives up after a million steps.
#[test]
fn what_is_too_much_for_the_textbook_takes_a_few_guesses() {
    let mut random = Random::new(71);
    let puzzles = std::iter::repeat_with(|| Kind::Minimal.board(&mut random));
    let too_much = puzzles.filter(|puzzle| {
        let mut left = *puzzle;
        row_major::solve(&mut left) == Verdict::GaveUp
    });
    for puzzle in too_much.take(12) {
        for board in [puzzle, transposed(&puzzle)] {
            for engine in engines() {
                let outcome = within(engine, &board, Goal::Uniqueness, 40);
                let case = format!("{engine} {}: {outcome:?}", line(&board));
                assert!(matches!(outcome, Outcome::Unique(_)), "{case}");
            }
        }
    }
}

#[test]
fn few_givens_without_a_solution_take_a_few_guesses() {
    let mut random = Random::new(72);
    let few = std::iter::repeat_with(|| Kind::NearlyEmpty.board(&mut random));
    let givens = |board: &Board| board.iter().filter(|&&digit| digit != 0).count();
    let unsolvable = few.filter(|board| givens(board) >= 12 && exact_cover::count(board, 1) == 0);
    for board in unsolvable.take(30) {
        for engine in engines() {
            let outcome = within(engine, &board, Goal::Uniqueness, 10);
            assert_eq!(outcome, Outcome::Unsolvable, "{engine} {}", line(&board));
        }
    }
}

/// Boards that propagation alone solves.
fn easy(how_many: usize) -> Vec<Grid> {
    let easy = boards(73).filter(|(kind, board)| {
        let is_proper = [Kind::Easy, Kind::Complete].contains(kind);
        is_proper && reference::solutions(board, 2).1 == 0
    });
    let some: Vec<Grid> = easy.take(400).map(|(_, board)| grid(&board)).collect();
    some.into_iter().cycle().take(how_many).collect()
}

#[test]
fn sixteen_impossible_boards_change_nothing_for_ten_thousand_easy_ones() {
    let easy = easy(10_000);
    let impossible = grid(&board(samples::IMPOSSIBLE));
    let places: Vec<usize> = (0..16).map(|k| k * k * 39).collect();
    let mut mixed = easy.clone();
    for &place in &places {
        mixed.insert(place, impossible);
    }
    for engine in engines() {
        let without = engine.solve_batch(&easy, GUESSES, &GO);
        let with = engine.solve_batch(&mixed, GUESSES, &GO);
        let (impossible, others): (Vec<_>, Vec<_>) = with
            .into_iter()
            .enumerate()
            .partition(|(place, _)| places.contains(place));
        let others: Vec<Solved> = others.into_iter().map(|(_, solved)| solved).collect();
        assert_eq!(others.len(), easy.len());
        assert!(others == without, "{engine}");
        let unsolvable = Solved {
            outcome: Outcome::Unsolvable,
            guesses: 0,
        };
        assert!(impossible.iter().all(|(_, solved)| *solved == unsolvable));
        let solved = |solved: &Solved| matches!(solved.outcome, Outcome::Unique(_));
        assert!(without.iter().all(solved), "{engine}");
    }
}

/// In every number from one to as many as there are lanes, and more, beside easy ones:
/// a hostile board gets its own answer and leaves the others theirs.
#[test]
fn every_mix_of_lanes_gets_the_same_answers() {
    let easy = easy(100);
    let mut random = Random::new(74);
    let cheap = hostile()
        .into_iter()
        .filter(|(_, guesses)| *guesses < 5_000);
    for (board, guesses) in cheap {
        let hostile = grid(&board);
        let alone = solve(engines()[0], &board, Goal::Uniqueness);
        for copies in [1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 70] {
            let mut grids = vec![hostile; copies];
            grids.extend(&easy[..random.below(100)]);
            random.shuffle(&mut grids);
            for engine in engines() {
                let answers = engine.solve_batch(&grids, guesses, &GO);
                for (grid, answer) in grids.iter().zip(answers) {
                    if *grid == hostile {
                        let case = format!("{engine}, {copies} {grid}");
                        assert_eq!(answer.outcome, alone, "{case}");
                        assert!(answer.guesses <= guesses, "{case}");
                    } else {
                        let is_solved = matches!(answer.outcome, Outcome::Unique(_));
                        assert!(is_solved && answer.guesses == 0, "{engine} {grid}");
                    }
                }
            }
        }
    }
}

/// One that needs more room than a batch has for the boards that wait is left open,
/// and the others are not held up.
#[test]
fn a_crowd_of_the_worst_is_decided_or_left_open() {
    let worst = [
        samples::UNSOLVABLE_WITH_12,
        samples::UNSOLVABLE_WITH_14,
        samples::EMPTY,
    ];
    let worst = worst.map(|text| grid(&board(text)));
    let mut grids: Vec<Grid> = worst.into_iter().cycle().take(45).collect();
    grids.extend(easy(300));
    Random::new(75).shuffle(&mut grids);
    for engine in engines() {
        for (grid, (decision, _)) in grids.iter().zip(decided_batch(engine, &grids)) {
            let truth = decided(engine, grid.values()).0;
            let is_so = decision == truth || decision == Decision::Open && worst.contains(grid);
            assert!(is_so, "{engine} {grid}: {decision:?}");
        }
    }
}
