//! Each rule on a board where it alone has something to say.

use super::*;

/// Any digit in any cell.
const BLANK: Candidates = [ALL; 81];

/// The board with these candidates only in the cells.
fn with(cells: &[usize], digits: u16) -> Candidates {
    let mut board = BLANK;
    for &cell in cells {
        board[cell] = digits;
    }
    board
}

/// The board without these candidates in the cells.
fn without(cells: &[usize], digits: u16) -> Candidates {
    with(cells, ALL & !digits)
}

/// The cells that have lost a digit.
fn losers(before: &Candidates, after: &Candidates) -> Vec<usize> {
    (0..81)
        .filter(|&cell| before[cell] != after[cell])
        .collect()
}

#[test]
fn every_cell_is_in_three_units_and_two_minirows() {
    let mut in_units = [0; 81];
    units().flatten().for_each(|cell| in_units[cell] += 1);
    assert_eq!(in_units, [3; 81]);
    let mut in_minirows = [0; 81];
    for band in 0..6 {
        for (row, square) in nine_minirows() {
            let cells = minirow(band, row, square);
            for cell in cells {
                in_minirows[cell] += 1;
            }
            let both = |unit: &[usize; 9]| cells.iter().all(|cell| unit.contains(cell));
            assert_eq!(units().filter(both).count(), 2, "a line and a box");
        }
    }
    assert_eq!(in_minirows, [2; 81]);
}

#[test]
fn a_blank_board_says_nothing() {
    let mut cells = BLANK;
    assert_eq!(close(&mut cells), State::Open);
    assert_eq!(cells, BLANK);
    let first = Choice {
        band: 0,
        row: 0,
        square: 0,
        digit: 0,
    };
    assert_eq!(choose(&cells), first);
}

#[test]
fn a_naked_single_leaves_its_twenty_peers() {
    let before = with(&[40], 1 << 4);
    let mut cells = before;
    naked_singles(&mut cells);
    let losers = losers(&before, &cells);
    assert_eq!(losers.len(), 20);
    assert!(losers.iter().all(|&cell| cells[cell] == ALL & !(1 << 4)));
}

#[test]
fn a_digit_locked_in_a_row_leaves_the_rest_of_it() {
    // In the first box the digit has its places in the first row.
    let before = without(&[9, 10, 11, 18, 19, 20], 1);
    let mut cells = before;
    assert!(locked_candidates(&mut cells).is_ok());
    assert_eq!(losers(&before, &cells), [3, 4, 5, 6, 7, 8]);
    // In all three boxes in the same two rows: nothing is left for the third.
    let third_row: Vec<usize> = (18..27).collect();
    assert!(locked_candidates(&mut without(&third_row, 1)).is_err());
}

#[test]
fn a_hidden_single_has_its_cell_for_itself() {
    let before = without(&[1, 2, 3, 4, 5, 6, 7, 8], 1);
    let mut cells = before;
    assert!(hidden_singles(&mut cells).is_ok());
    assert_eq!((losers(&before, &cells), cells[0]), (vec![0], 1));
    assert!(hidden_singles(&mut without(&[1, 2, 3, 4, 5, 6, 7, 8], 3)).is_err());
}

#[test]
fn three_locked_digits_fill_a_minirow() {
    let rest_of_row = [3, 4, 5, 6, 7, 8];
    let before = without(&rest_of_row, 0b111);
    let mut cells = before;
    assert!(locked_triples(&mut cells).is_ok());
    assert_eq!(losers(&before, &cells), [0, 1, 2]);
    assert_eq!(cells[1], 0b111);
    assert!(locked_triples(&mut without(&rest_of_row, 0b11)).is_ok());
    assert!(locked_triples(&mut without(&rest_of_row, 0b1111)).is_err());
}

#[test]
fn the_choice_is_the_readiest_digit_of_the_tightest_band() {
    // The digit 9 alone makes the last stack the tightest, but is not the readiest.
    let mut cells = without(&minirow(5, 0, 0), 1 << 8);
    assert_eq!((choose(&cells).band, choose(&cells).digit), (5, 0));
    // The digit 5 is decided in the first row of the stack, and not in the others.
    for (row, square) in [(0, 0), (0, 1), (1, 2), (2, 2)] {
        strike(&mut cells, minirow(5, row, square), 1 << 4);
    }
    let choice = choose(&cells);
    assert_eq!((choice.band, choice.digit), (5, 4));
    assert_eq!((choice.row, choice.square), (1, 0));
    let mut others = [minirow(5, 1, 1), minirow(5, 2, 0)].concat();
    others.sort_unstable();
    assert_eq!(losers(&cells, &assume(&cells, choice)), others);
    assert_eq!(losers(&cells, &negate(&cells, choice)), minirow(5, 1, 0));
}

#[test]
fn solutions_come_with_their_guesses() {
    let line = |text: &str| -> Board {
        let digits: Vec<u8> = text.bytes().map(|b| b.saturating_sub(b'0')).collect();
        digits.try_into().expect("81 cells")
    };
    let puzzle =
        line("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79");
    let solved =
        line("534678912672195348198342567859761423426853791713924856961537284287419635345286179");
    assert_eq!(solutions(&puzzle, 2), (vec![solved], 0));
    // In two rows 1 and 3 can change places.
    let mut two = solved;
    for cell in [32, 35, 41, 44] {
        two[cell] = 0;
    }
    let (found, guesses) = solutions(&two, 9);
    assert_eq!((found.len(), guesses), (2, 1), "{found:?}");
    assert!(found.contains(&solved));
    assert_eq!(solutions(&two, 1).0.len(), 1);
    let (found, _) = solutions(&[0; 81], 3);
    assert_eq!(found.len(), 3);
}
