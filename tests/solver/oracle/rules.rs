//! The rules of the game, for judging the other oracles and the engines.

use super::Board;

/// The cells of the nine rows, the nine columns and the nine boxes.
fn units() -> impl Iterator<Item = [usize; 9]> {
    const TOP_LEFT: [usize; 9] = [0, 3, 6, 27, 30, 33, 54, 57, 60];
    const IN_BOX: [usize; 9] = [0, 1, 2, 9, 10, 11, 18, 19, 20];
    let rows = (0..9).map(|row| std::array::from_fn(|k| 9 * row + k));
    let columns = (0..9).map(|column| std::array::from_fn(|k| column + 9 * k));
    let boxes = TOP_LEFT
        .into_iter()
        .map(|corner| IN_BOX.map(|k| corner + k));
    rows.chain(columns).chain(boxes)
}

/// Whether a digit stands twice in a row, a column or a box.
pub(crate) fn has_clash(board: &Board) -> bool {
    units().any(|unit| (1..=9).any(|digit| times(digit, &unit, board) > 1))
}

/// Whether every digit stands once in every unit, and every given of the puzzle
/// in its place.
pub(crate) fn is_solution_of(solution: &Board, puzzle: &Board) -> bool {
    let keeps_givens = (0..81).all(|cell| puzzle[cell] == 0 || puzzle[cell] == solution[cell]);
    keeps_givens && units().all(|unit| (1..=9).all(|digit| times(digit, &unit, solution) == 1))
}

fn times(digit: u8, unit: &[usize; 9], board: &Board) -> usize {
    unit.iter().filter(|&&cell| board[cell] == digit).count()
}

#[cfg(test)]
mod tests {
    use super::super::{board, samples};
    use super::*;

    #[test]
    fn every_cell_is_in_three_units() {
        let mut times = [0; 81];
        units().flatten().for_each(|cell| times[cell] += 1);
        assert_eq!(units().count(), 27);
        assert_eq!(times, [3; 81]);
    }

    #[test]
    fn a_solution_keeps_every_rule_and_given() {
        let solution = board(samples::SOLUTION);
        assert!(is_solution_of(&solution, &board(samples::PUZZLE)));
        assert!(is_solution_of(&solution, &solution));
        assert!(!is_solution_of(&solution, &board(samples::UNSOLVABLE)));
        assert!(!is_solution_of(&board(samples::SMALLEST), &solution));
    }

    #[test]
    fn no_change_of_one_cell_is_a_solution() {
        let empty = board(samples::EMPTY);
        for (cell, digit) in (0..81).flat_map(|cell| (0..=9).map(move |digit| (cell, digit))) {
            let mut changed = board(samples::SOLUTION);
            let same = changed[cell] == digit;
            changed[cell] = digit;
            assert_eq!(is_solution_of(&changed, &empty), same);
            assert_eq!(has_clash(&changed), !same && digit != 0);
        }
    }

    #[test]
    fn clashes_are_seen_in_rows_columns_and_boxes() {
        assert!(has_clash(&board(samples::CLASH_IN_ROW)));
        assert!(has_clash(&board(samples::CLASH_IN_COLUMN)));
        assert!(has_clash(&board(samples::CLASH_IN_BOX)));
        assert!(!has_clash(&board(samples::UNSOLVABLE)));
        assert!(!has_clash(&board(samples::EMPTY)));
    }
}
