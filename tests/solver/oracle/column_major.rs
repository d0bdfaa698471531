//! Backtracking down the first column, then down the second, and so on; a
//! separate `ok` looks at column, row and box at once.

use super::{Board, GaveUp, Rows, Steps, Verdict, from_rows, to_rows};

pub(crate) fn solve(board: &mut Board) -> Verdict {
    let mut rows = to_rows(board);
    if !givens_ok(&mut rows) {
        return Verdict::Refused;
    }
    let verdict = solve_from(0, 0, &mut rows, &mut Steps::a_million()).into();
    if verdict == Verdict::Solved {
        *board = from_rows(&rows);
    }
    verdict
}

fn solve_from(
    row: usize,
    column: usize,
    board: &mut Rows,
    steps: &mut Steps,
) -> Result<bool, GaveUp> {
    if row == 9 {
        return solve_from(0, column + 1, board, steps);
    }
    if column == 9 {
        return Ok(true);
    }
    if board[row][column] != 0 {
        return solve_from(row + 1, column, board, steps);
    }
    for digit in 1..=9 {
        steps.take()?;
        if ok(board, row, column, digit) {
            board[row][column] = digit;
            if solve_from(row + 1, column, board, steps)? {
                return Ok(true);
            }
        }
    }
    board[row][column] = 0;
    Ok(false)
}

fn ok(board: &Rows, row: usize, column: usize, digit: u8) -> bool {
    let (top, left) = (row / 3 * 3, column / 3 * 3);
    for i in 0..9 {
        let in_column = board[i][column] == digit;
        let in_row = board[row][i] == digit;
        let in_box = board[top + i % 3][left + i / 3] == digit;
        if in_column || in_row || in_box {
            return false;
        }
    }
    true
}

/// Lifts every given and asks whether it may go back: the search itself never
/// looks at one again.
fn givens_ok(board: &mut Rows) -> bool {
    (0..81).all(|cell| {
        let (row, column) = (cell % 9, cell / 9);
        let given = std::mem::take(&mut board[row][column]);
        let fine = given == 0 || given <= 9 && ok(board, row, column, given);
        board[row][column] = given;
        fine
    })
}

#[cfg(test)]
mod tests {
    use super::super::{board, line, samples, transposed};
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
    fn finds_the_smallest_of_several_solutions_in_column_order() {
        let mut empty = board(samples::EMPTY);
        assert_eq!(solve(&mut empty), Verdict::Solved);
        assert_eq!(line(&transposed(&empty)), samples::SMALLEST);
    }

    #[test]
    fn gives_up_in_the_end() {
        let puzzle = transposed(&board(samples::AGAINST_BRUTE_FORCE));
        let mut solved = puzzle;
        assert_eq!(solve(&mut solved), Verdict::GaveUp);
        assert_eq!(solved, puzzle);
    }
}
