//! Algorithm X on the exact cover problem that a Sudoku is.
//!
//! A row of the matrix says "this cell holds this digit". It satisfies four
//! columns: the cell is filled, and the digit is in its row, its column and its
//! box. A solution is a set of rows that satisfies every column once.

use std::ops::ControlFlow;

use super::Board;

const ROWS: usize = 9 * 9 * 9;
const COLUMNS: usize = 4 * 9 * 9;
const DIGITS: [u8; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/// The size of a column that has been satisfied: more than any other.
const SATISFIED: u8 = u8::MAX;

/// The columns that a row satisfies.
fn columns_of(row: usize) -> [usize; 4] {
    let (r, c, digit) = (row / 81, row / 9 % 9, row % 9);
    let b = r / 3 * 3 + c / 3;
    [
        9 * r + c,
        81 + 9 * r + digit,
        162 + 9 * c + digit,
        243 + 9 * b + digit,
    ]
}

/// The rows that satisfy a column.
fn rows_of(column: usize) -> [usize; 9] {
    let (unit, digit) = (column / 9 % 9, column % 9);
    std::array::from_fn(|k| match column / 81 {
        0 => 9 * column + k,
        1 => 81 * unit + 9 * k + digit,
        2 => 81 * k + 9 * unit + digit,
        _ => {
            let (r, c) = (unit / 3 * 3 + k / 3, unit % 3 * 3 + k % 3);
            81 * r + 9 * c + digit
        }
    })
}

/// The part of the matrix that is left. It is small, so that a search copies it
/// where the classic links would be taken out and put back.
#[derive(Clone)]
struct Matrix {
    live: [bool; ROWS],
    sizes: [u8; COLUMNS],
}

impl Matrix {
    /// What the givens leave; none if two of them want the same column.
    fn of(board: &Board) -> Option<Matrix> {
        let mut matrix = Matrix {
            live: [true; ROWS],
            sizes: [9; COLUMNS],
        };
        for (cell, &digit) in board.iter().enumerate() {
            if digit == 0 {
                continue;
            }
            let row = 9 * cell + usize::from(digit) - 1;
            if !matrix.live[row] {
                return None;
            }
            matrix.choose(row);
        }
        Some(matrix)
    }

    /// Satisfies the columns of a row, and drops every row that shares one.
    fn choose(&mut self, row: usize) {
        for column in columns_of(row) {
            for rival in rows_of(column) {
                if self.live[rival] {
                    self.live[rival] = false;
                    for lost in columns_of(rival) {
                        self.sizes[lost] -= 1;
                    }
                }
            }
            self.sizes[column] = SATISFIED;
        }
    }

    /// A column with the fewest rows left, and how many those are.
    fn smallest_column(&self) -> (usize, u8) {
        let smallest = self.sizes.iter().fold(SATISFIED, |a, &b| a.min(b));
        let column = self.sizes.iter().position(|&size| size == smallest);
        (column.expect("one has the smallest size"), smallest)
    }
}

/// Calls `visit` with every solution, in no particular order, until it breaks.
fn search(
    matrix: &Matrix,
    board: &mut Board,
    visit: &mut impl FnMut(&Board) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (column, size) = matrix.smallest_column();
    if size == SATISFIED {
        return visit(board);
    }
    if size == 0 {
        return ControlFlow::Continue(());
    }
    for row in rows_of(column) {
        if matrix.live[row] {
            let mut rest = matrix.clone();
            rest.choose(row);
            board[row / 9] = DIGITS[row % 9];
            search(&rest, board, visit)?;
        }
    }
    ControlFlow::Continue(())
}

/// The solutions, at most `limit` of them; none if givens clash.
pub(crate) fn solutions(puzzle: &Board, limit: usize) -> Vec<Board> {
    let mut found = Vec::new();
    let Some(matrix) = Matrix::of(puzzle).filter(|_| limit > 0) else {
        return found;
    };
    let _ = search(&matrix, &mut puzzle.clone(), &mut |solution| {
        found.push(*solution);
        stop_if(found.len() == limit)
    });
    found
}

/// The number of solutions, counted up to `limit`; 0 if givens clash.
pub(crate) fn count(puzzle: &Board, limit: usize) -> usize {
    let mut found = 0;
    let Some(matrix) = Matrix::of(puzzle).filter(|_| limit > 0) else {
        return found;
    };
    let _ = search(&matrix, &mut puzzle.clone(), &mut |_| {
        found += 1;
        stop_if(found == limit)
    });
    found
}

fn stop_if(enough: bool) -> ControlFlow<()> {
    if enough {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{board, line, samples};
    use super::*;

    #[test]
    fn every_column_has_nine_rows_that_have_it() {
        for (column, rows) in (0..COLUMNS).map(rows_of).enumerate() {
            assert!(rows.is_sorted_by(|a, b| a < b));
            assert!(rows.iter().all(|&row| columns_of(row).contains(&column)));
        }
    }

    #[test]
    fn a_puzzle_has_one_solution() {
        let puzzle = board(samples::PUZZLE);
        assert_eq!(count(&puzzle, 1000), 1);
        assert_eq!(solutions(&puzzle, 1000), [board(samples::SOLUTION)]);
        assert_eq!(count(&board(samples::AGAINST_BRUTE_FORCE), 2), 1);
    }

    #[test]
    fn a_contradictory_board_has_none() {
        assert_eq!(count(&board(samples::UNSOLVABLE), 2), 0);
    }

    #[test]
    fn clashing_givens_have_none() {
        for clash in [
            samples::CLASH_IN_ROW,
            samples::CLASH_IN_COLUMN,
            samples::CLASH_IN_BOX,
        ] {
            assert_eq!(count(&board(clash), 2), 0, "{clash}");
            assert!(solutions(&board(clash), 2).is_empty(), "{clash}");
        }
    }

    #[test]
    fn an_ambiguous_board_has_all_of_its_solutions() {
        let puzzle = board(samples::TWO_SOLUTIONS);
        let mut both = solutions(&puzzle, 1000);
        both.sort_unstable();
        let lines: Vec<String> = both.iter().map(line).collect();
        assert_eq!(lines, [samples::SOLUTION, samples::SECOND_SOLUTION]);
        assert_eq!(count(&puzzle, 1000), 2);
    }

    #[test]
    fn counts_stop_at_the_limit() {
        let empty = board(samples::EMPTY);
        for limit in [0, 1, 2, 500] {
            assert_eq!(count(&empty, limit), limit);
            assert_eq!(solutions(&empty, limit).len(), limit);
        }
    }
}
