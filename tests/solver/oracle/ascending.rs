//! The solutions of a board in ascending order, by asking exact cover again and
//! again whether there is one that begins so.
//!
//! A textbook search that goes on after its first solution gives the same order,
//! but takes ages on some boards; this way takes a few hundred questions.

use super::{Board, exact_cover};

/// Every solution, the smallest in reading order first.
pub(crate) fn solutions(puzzle: &Board) -> impl Iterator<Item = Board> {
    let puzzle = *puzzle;
    std::iter::successors(smallest(puzzle), move |last| next(&puzzle, last))
}

/// Fills the blanks from the top, each with the least digit that leaves a
/// solution.
fn smallest(mut board: Board) -> Option<Board> {
    if !is_solvable(&board) {
        return None;
    }
    for cell in 0..81 {
        if board[cell] == 0 {
            board[cell] = least_digit(&mut board, cell, 1)?;
        }
    }
    Some(board)
}

/// The smallest solution above `last`: the two agree for as long as can be, so
/// the place where they part is looked for from the end.
fn next(puzzle: &Board, last: &Board) -> Option<Board> {
    let mut board = *last;
    for cell in (0..81).rev().filter(|&cell| puzzle[cell] == 0) {
        let above = last[cell] + 1;
        if let Some(digit) = least_digit(&mut board, cell, above) {
            board[cell] = digit;
            return smallest(board);
        }
        // Blank from here on when the cells before are looked at.
        board[cell] = 0;
    }
    None
}

/// The least digit from `from` on that can stand in the cell.
fn least_digit(board: &mut Board, cell: usize, from: u8) -> Option<u8> {
    let before = board[cell];
    let digit = (from..=9).find(|&digit| {
        board[cell] = digit;
        is_solvable(board)
    });
    board[cell] = before;
    digit
}

fn is_solvable(board: &Board) -> bool {
    exact_cover::count(board, 1) == 1
}

#[cfg(test)]
mod tests {
    use super::super::{board, line, samples};
    use super::*;

    fn lines(puzzle: &str) -> Vec<String> {
        solutions(&board(puzzle)).map(|s| line(&s)).collect()
    }

    #[test]
    fn knows_one_none_and_two() {
        assert_eq!(lines(samples::PUZZLE), [samples::SOLUTION]);
        assert!(lines(samples::UNSOLVABLE).is_empty());
        assert!(lines(samples::CLASH_IN_BOX).is_empty());
        assert_eq!(
            lines(samples::TWO_SOLUTIONS),
            [samples::SOLUTION, samples::SECOND_SOLUTION]
        );
    }

    #[test]
    fn begins_with_the_smallest_of_all() {
        let first: Vec<Board> = solutions(&board(samples::EMPTY)).take(3).collect();
        assert_eq!(line(&first[0]), samples::SMALLEST);
        assert!(first.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn agrees_with_sorting_what_exact_cover_finds() {
        // Without the lower three rows of a solved grid.
        let mut puzzle = board(samples::SOLUTION);
        puzzle[54..].fill(0);
        let mut all = exact_cover::solutions(&puzzle, 10_000);
        all.sort_unstable();
        assert!(all.len() > 20, "{}", all.len());
        assert!(solutions(&puzzle).eq(all));
    }
}
