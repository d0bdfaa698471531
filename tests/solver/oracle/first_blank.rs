//! Depth-first search: find the first blank, put a digit, look whether the cell
//! just filled is still legal, and start again from the top.

use super::{Board, GaveUp, Rows, Steps, Verdict, from_rows, to_rows};

pub(crate) fn solve(board: &mut Board) -> Verdict {
    let mut rows = to_rows(board);
    // The search tests only what it places: the givens are tested here.
    if !(0..81).all(|cell| is_legal(&rows, cell / 9, cell % 9)) {
        return Verdict::Refused;
    }
    let verdict = search(&mut rows, &mut Steps::a_million()).into();
    if verdict == Verdict::Solved {
        *board = from_rows(&rows);
    }
    verdict
}

fn search(board: &mut Rows, steps: &mut Steps) -> Result<bool, GaveUp> {
    let Some((row, column)) = first_blank(board) else {
        return Ok(true);
    };
    for digit in 1..=9 {
        steps.take()?;
        board[row][column] = digit;
        if is_legal(board, row, column) && search(board, steps)? {
            return Ok(true);
        }
    }
    board[row][column] = 0;
    Ok(false)
}

fn first_blank(board: &Rows) -> Option<(usize, usize)> {
    for (row, digits) in board.iter().enumerate() {
        for (column, &digit) in digits.iter().enumerate() {
            if digit == 0 {
                return Some((row, column));
            }
        }
    }
    None
}

/// Whether no other cell of the row, the column or the box holds the same
/// digit. A blank is no digit, so blanks are never duplicates of each other.
fn is_legal(board: &Rows, row: usize, column: usize) -> bool {
    let digit = board[row][column];
    if digit == 0 {
        return true;
    }
    if digit > 9 {
        return false;
    }
    let repeats = |r: usize, c: usize| (r, c) != (row, column) && board[r][c] == digit;
    let (top, left) = (row - row % 3, column - column % 3);
    let in_row = || (0..9).any(|c| repeats(row, c));
    let in_column = || (0..9).any(|r| repeats(r, column));
    let in_box = || (0..9).any(|k| repeats(top + k / 3, left + k % 3));
    !(in_row() || in_column() || in_box())
}

#[cfg(test)]
mod tests {
    use super::super::{board, line, samples};
    use super::*;

    #[test]
    fn solves_a_puzzle_in_place() {
        let mut puzzle = board(samples::PUZZLE);
        assert_eq!(solve(&mut puzzle), Verdict::Solved);
        assert_eq!(line(&puzzle), samples::SOLUTION);
    }

    #[test]
    fn leaves_a_contradictory_board_unsolved() {
        let mut puzzle = board(samples::UNSOLVABLE);
        assert_eq!(solve(&mut puzzle), Verdict::Unsolvable);
        assert_eq!(line(&puzzle), samples::UNSOLVABLE);
    }

    #[test]
    fn refuses_clashing_givens() {
        for clash in [
            samples::CLASH_IN_ROW,
            samples::CLASH_IN_COLUMN,
            samples::CLASH_IN_BOX,
        ] {
            let mut puzzle = board(clash);
            assert_eq!(solve(&mut puzzle), Verdict::Refused, "{clash}");
            assert_eq!(line(&puzzle), clash);
        }
        assert_eq!(solve(&mut [10; 81]), Verdict::Refused);
    }

    #[test]
    fn finds_the_smallest_of_several_solutions() {
        let mut two = board(samples::TWO_SOLUTIONS);
        assert_eq!(solve(&mut two), Verdict::Solved);
        assert_eq!(line(&two), samples::SOLUTION);
        let mut empty = board(samples::EMPTY);
        assert_eq!(solve(&mut empty), Verdict::Solved);
        assert_eq!(line(&empty), samples::SMALLEST);
    }

    #[test]
    fn gives_up_in_the_end() {
        let mut puzzle = board(samples::AGAINST_BRUTE_FORCE);
        assert_eq!(solve(&mut puzzle), Verdict::GaveUp);
        assert_eq!(line(&puzzle), samples::AGAINST_BRUTE_FORCE);
    }
}
