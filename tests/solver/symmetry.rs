//! What changes nothing about a puzzle moves its answer along, and what does change it
//! changes the answer as it must.

use sudoku_service::solver::{Decision, Goal, Outcome};

use crate::boards::{Kind, Random};
use crate::judge::{count, decided, decided_batch, engines, grid, solve};
use crate::oracle::{Board, exact_cover, line, transposed};

/// Another look of the same puzzle: digits renamed, bands, stacks and lines in other
/// places, and perhaps rows for columns.
struct Change {
    names: [usize; 9],
    rows: [usize; 9],
    columns: [usize; 9],
    turned: bool,
}

impl Change {
    fn new(random: &mut Random) -> Self {
        Self {
            names: random.order(),
            rows: lines(random),
            columns: lines(random),
            turned: random.coin(),
        }
    }

    fn of(&self, board: &Board) -> Board {
        let board = if self.turned {
            transposed(board)
        } else {
            *board
        };
        std::array::from_fn(|cell| {
            let (row, column) = (self.rows[cell / 9], self.columns[cell % 9]);
            match board[9 * row + column] {
                0 => 0,
                digit => self.names[usize::from(digit) - 1] as u8 + 1,
            }
        })
    }
}

/// An order of nine lines that keeps threes together.
fn lines(random: &mut Random) -> [usize; 9] {
    let threes: [usize; 3] = random.order();
    let within: [[usize; 3]; 3] = std::array::from_fn(|_| random.order());
    std::array::from_fn(|line| 3 * threes[line / 3] + within[line / 3][line % 3])
}

/// Puzzles and their only solutions, by the first engine; others see to it that these
/// are right.
fn puzzles(seed: u64, how_many: usize) -> Vec<(Board, Board)> {
    let mut random = Random::new(seed);
    let puzzles = std::iter::repeat_with(|| Kind::Minimal.board(&mut random));
    let solved = puzzles.map(|puzzle| {
        let solution = exact_cover::solutions(&puzzle, 2);
        assert_eq!(solution.len(), 1, "{}", line(&puzzle));
        (puzzle, solution[0])
    });
    solved.take(how_many).collect()
}

#[test]
fn another_look_of_a_puzzle_has_the_same_look_of_its_solution() {
    let mut random = Random::new(81);
    for (puzzle, solution) in puzzles(82, 60) {
        let changes: Vec<Change> = (0..40).map(|_| Change::new(&mut random)).collect();
        let grids: Vec<_> = changes.iter().map(|c| grid(&c.of(&puzzle))).collect();
        for engine in engines() {
            let batch = decided_batch(engine, &grids);
            for ((change, board), (decision, _)) in changes.iter().zip(&grids).zip(batch) {
                let moved = grid(&change.of(&solution));
                let alone = solve(engine, board.values(), Goal::Uniqueness);
                assert_eq!(alone, Outcome::Unique(moved), "{engine} {board}");
                assert_eq!(decision, Decision::One(moved), "{engine} {board}");
            }
        }
    }
}

#[test]
fn a_correct_digit_changes_nothing_and_a_wrong_one_leaves_nothing() {
    let mut random = Random::new(83);
    for (puzzle, solution) in puzzles(84, 60) {
        let only = Decision::One(grid(&solution));
        for cell in (0..81).filter(|&cell| puzzle[cell] == 0) {
            let mut more = puzzle;
            more[cell] = solution[cell];
            let mut spoilt = puzzle;
            let others = 1 + random.below(8) as u8;
            spoilt[cell] = (solution[cell] + others - 1) % 9 + 1;
            for engine in engines() {
                assert_eq!(decided(engine, &more).0, only, "{engine} {}", line(&more));
                let none = decided(engine, &spoilt).0;
                assert_eq!(none, Decision::None, "{engine} {}", line(&spoilt));
            }
        }
    }
}

#[test]
fn a_given_less_leaves_more_solutions_and_the_old_one_among_them() {
    for (puzzle, solution) in puzzles(85, 60) {
        for cell in (0..81).filter(|&cell| puzzle[cell] != 0) {
            let mut less = puzzle;
            less[cell] = 0;
            for engine in engines() {
                let outcome = solve(engine, &less, Goal::Uniqueness);
                let Outcome::Multiple { smallest, .. } = outcome else {
                    panic!("{engine} {}: {outcome:?}", line(&less));
                };
                assert!(smallest <= grid(&solution), "{engine} {}", line(&less));
            }
        }
    }
}

#[test]
fn a_count_is_the_sum_over_the_digits_of_a_blank() {
    const MOST: usize = 3_000;
    let mut random = Random::new(86);
    let mut several = 0;
    for _ in 0..150 {
        let mut board = Kind::Several.board(&mut random);
        let cells: [usize; 81] = random.order();
        cells.iter().take(12).for_each(|&cell| board[cell] = 0);
        let blank = cells[random.below(12)];
        let total = |board: &Board| {
            let counts = engines()
                .into_iter()
                .map(|engine| count(engine, board, MOST));
            let counts: Vec<_> = counts.collect();
            assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
            counts[0].exact.then_some(counts[0].solutions)
        };
        let Some(whole) = total(&board) else {
            continue;
        };
        let parts = (1..=9).map(|digit| {
            let mut part = board;
            part[blank] = digit;
            total(&part).expect("a part of the whole")
        });
        assert_eq!(
            parts.sum::<u64>(),
            whole,
            "cell {blank} of {}",
            line(&board)
        );
        several += usize::from(whole > 10);
    }
    assert!(several > 30, "{several}");
}
