//! Boards with blanks, made from complete grids by taking cells away.

use super::grids;
use super::random::Random;
use super::search::{candidates, completed};
use crate::oracle::Board;

pub(super) fn minimal(random: &mut Random) -> Board {
    let mut puzzle = grids::any(random);
    dig(&mut puzzle, 0, random);
    puzzle
}

pub(super) fn easy(random: &mut Random) -> Board {
    let mut puzzle = grids::any(random);
    dig(&mut puzzle, 30 + random.below(50), random);
    puzzle
}

/// Takes givens away until two solutions are left, and then up to three more.
pub(super) fn several(random: &mut Random) -> Board {
    let mut puzzle = grids::any(random);
    dig(&mut puzzle, random.below(60), random);
    let mut givens = filled(&puzzle);
    random.shuffle(&mut givens);
    let mut ambiguous = false;
    while let Some(cell) = givens.pop().filter(|_| !ambiguous) {
        ambiguous = !is_redundant(&mut puzzle, cell, random);
        puzzle[cell] = 0;
    }
    for cell in givens.into_iter().take(random.below(4)) {
        puzzle[cell] = 0;
    }
    puzzle
}

/// A puzzle with one solution, and in a blank of it a digit that clashes with
/// nothing but is not the solution's.
pub(super) fn contradictory(random: &mut Random) -> Board {
    loop {
        let solution = grids::any(random);
        let mut puzzle = solution;
        dig(&mut puzzle, random.below(45), random);
        let mut blanks: Vec<usize> = (0..81).filter(|&cell| puzzle[cell] == 0).collect();
        random.shuffle(&mut blanks);
        for cell in blanks {
            let mut wrong = candidates(&puzzle, cell);
            wrong.retain(|&digit| digit != solution[cell]);
            if !wrong.is_empty() {
                puzzle[cell] = random.pick(&wrong);
                return puzzle;
            }
        }
        // All that is left is forced cell by cell: a grid too full to spoil.
    }
}

/// Any other board, with a given's digit repeated in one of the given's units.
pub(super) fn clashing(random: &mut Random) -> Board {
    let mut board = match random.below(4) {
        0 => minimal(random),
        1 => easy(random),
        2 => several(random),
        _ => nearly_empty(random),
    };
    let mut givens = filled(&board);
    if givens.is_empty() {
        board[40] = 5;
        givens.push(40);
    }
    let cell = random.pick(&givens);
    let peers: Vec<usize> = (0..81)
        .filter(|&other| see_each_other(cell, other))
        .collect();
    board[random.pick(&peers)] = board[cell];
    board
}

/// Up to 16 givens: those of a grid, so that there are many solutions, or any
/// that do not clash, so that there may be none.
pub(super) fn nearly_empty(random: &mut Random) -> Board {
    let grid = random.coin().then(|| grids::any(random));
    let cells: [usize; 81] = random.order();
    let mut board = [0; 81];
    for &cell in &cells[..random.below(17)] {
        let digits = grid.map_or_else(|| candidates(&board, cell), |grid| vec![grid[cell]]);
        if !digits.is_empty() {
            board[cell] = random.pick(&digits);
        }
    }
    board
}

/// Takes every given away that the others imply, in random order, as long as
/// more than `keep` are left.
fn dig(puzzle: &mut Board, keep: usize, random: &mut Random) {
    let mut left = 81;
    for cell in random.order::<81>() {
        if left > keep && is_redundant(puzzle, cell, random) {
            puzzle[cell] = 0;
            left -= 1;
        }
    }
}

/// Whether the board has no solution with another digit in the cell.
fn is_redundant(puzzle: &mut Board, cell: usize, random: &mut Random) -> bool {
    let given = std::mem::take(&mut puzzle[cell]);
    let redundant = candidates(puzzle, cell)
        .into_iter()
        .filter(|&digit| digit != given)
        .all(|digit| {
            puzzle[cell] = digit;
            completed(puzzle, random).is_none()
        });
    puzzle[cell] = given;
    redundant
}

fn filled(board: &Board) -> Vec<usize> {
    (0..81).filter(|&cell| board[cell] != 0).collect()
}

/// Whether two cells share a row, a column or a box.
fn see_each_other(one: usize, other: usize) -> bool {
    let (r, c) = (one / 9, one % 9);
    let (s, d) = (other / 9, other % 9);
    one != other && (r == s || c == d || (r / 3, c / 3) == (s / 3, d / 3))
}
