//! Backtracking with tables of the digits used in each row, column and block,
//! so that a digit is tested by three look-ups; marks are set and taken back.

use super::{Board, GaveUp, Steps, Verdict};

/// `rows[r][d]`: digit `d` is used in row `r`; likewise the others.
#[derive(Default)]
struct Used {
    rows: [[bool; 10]; 9],
    columns: [[bool; 10]; 9],
    blocks: [[bool; 10]; 9],
}

impl Used {
    fn has(&self, cell: usize, digit: u8) -> bool {
        let (r, c, d) = (cell / 9, cell % 9, usize::from(digit));
        self.rows[r][d] || self.columns[c][d] || self.blocks[r / 3 * 3 + c / 3][d]
    }

    fn set(&mut self, cell: usize, digit: u8, used: bool) {
        let (r, c, d) = (cell / 9, cell % 9, usize::from(digit));
        self.rows[r][d] = used;
        self.columns[c][d] = used;
        self.blocks[r / 3 * 3 + c / 3][d] = used;
    }

    /// The tables of the givens; none if one of them is marked already, since
    /// the second mark would hide the clash from the search.
    fn by_givens(board: &Board) -> Option<Used> {
        let mut used = Used::default();
        for (cell, &digit) in board.iter().enumerate() {
            if digit == 0 {
                continue;
            }
            if digit > 9 || used.has(cell, digit) {
                return None;
            }
            used.set(cell, digit, true);
        }
        Some(used)
    }
}

pub(crate) fn solve(board: &mut Board) -> Verdict {
    let Some(mut used) = Used::by_givens(board) else {
        return Verdict::Refused;
    };
    let givens = *board;
    let first = next_blank(board, 0);
    let verdict = fill(first, board, &mut used, &mut Steps::a_million()).into();
    if verdict == Verdict::GaveUp {
        *board = givens;
    }
    verdict
}

fn fill(
    cell: usize,
    board: &mut Board,
    used: &mut Used,
    steps: &mut Steps,
) -> Result<bool, GaveUp> {
    if cell == 81 {
        return Ok(true);
    }
    let next = next_blank(board, cell + 1);
    for digit in 1..=9 {
        steps.take()?;
        if used.has(cell, digit) {
            continue;
        }
        board[cell] = digit;
        used.set(cell, digit, true);
        if fill(next, board, used, steps)? {
            return Ok(true);
        }
        used.set(cell, digit, false);
        board[cell] = 0;
    }
    Ok(false)
}

/// The first blank from `cell` on, 81 if there is none.
fn next_blank(board: &Board, mut cell: usize) -> usize {
    while cell < 81 && board[cell] != 0 {
        cell += 1;
    }
    cell
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
