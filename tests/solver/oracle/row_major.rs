//! Backtracking in reading order, on characters: the exercise every student
//! meets first. One loop tests row, column and box, thanks to an index trick.

use super::{Board, GaveUp, Steps, Verdict};

type Chars = [[char; 9]; 9];

pub(crate) fn solve(board: &mut Board) -> Verdict {
    let mut chars = to_chars(board);
    if !is_well_formed(&mut chars) {
        return Verdict::Refused;
    }
    let verdict = place_from(0, &mut chars, &mut Steps::a_million()).into();
    if verdict == Verdict::Solved {
        *board = from_chars(&chars);
    }
    verdict
}

fn place_from(cell: usize, board: &mut Chars, steps: &mut Steps) -> Result<bool, GaveUp> {
    if cell == 81 {
        return Ok(true);
    }
    let (row, column) = (cell / 9, cell % 9);
    if board[row][column] != '.' {
        return place_from(cell + 1, board, steps);
    }
    for digit in '1'..='9' {
        steps.take()?;
        if fits(board, row, column, digit) {
            board[row][column] = digit;
            if place_from(cell + 1, board, steps)? {
                return Ok(true);
            }
            board[row][column] = '.';
        }
    }
    Ok(false)
}

fn fits(board: &Chars, r: usize, c: usize, digit: char) -> bool {
    (0..9).all(|k| {
        board[r][k] != digit
            && board[k][c] != digit
            && board[(r / 3) * 3 + k / 3][(c / 3) * 3 + k % 3] != digit
    })
}

/// The search never looks at the givens again, so each is lifted here and must
/// fit into the place it came from.
fn is_well_formed(board: &mut Chars) -> bool {
    (0..81).all(|cell| {
        let (row, column) = (cell / 9, cell % 9);
        let given = std::mem::replace(&mut board[row][column], '.');
        let fine = match given {
            '.' => true,
            '1'..='9' => fits(board, row, column, given),
            _ => false,
        };
        board[row][column] = given;
        fine
    })
}

fn to_chars(board: &Board) -> Chars {
    let char_at = |cell: usize| match board[cell] {
        0 => '.',
        digit => char::from(b'0' + digit),
    };
    std::array::from_fn(|row| std::array::from_fn(|column| char_at(9 * row + column)))
}

fn from_chars(chars: &Chars) -> Board {
    // Only a solved board comes back, and that is all ASCII digits.
    std::array::from_fn(|cell| chars[cell / 9][cell % 9] as u8 - b'0')
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
