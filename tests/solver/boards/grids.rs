//! Complete grids.

use super::random::Random;
use super::search;
use crate::oracle::Board;

/// A solved grid, of one pattern's many shuffles or filled at random.
pub(super) fn any(random: &mut Random) -> Board {
    if random.coin() {
        shuffled(&pattern(), random)
    } else {
        search::completed(&[0; 81], random).expect("an empty board has solutions")
    }
}

/// A complete grid with an error: two cells changed places, or one changed.
pub(super) fn wrong(random: &mut Random) -> Board {
    let mut grid = any(random);
    let cell = random.below(81);
    if random.coin() {
        grid[cell] = grid[cell] % 9 + 1;
    } else {
        let others: Vec<usize> = (0..81).filter(|&k| grid[k] != grid[cell]).collect();
        grid.swap(cell, random.pick(&others));
    }
    grid
}

const DIGITS: [u8; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/// Within a band every row is the one above moved by three, and the bands are
/// moved by one.
fn pattern() -> Board {
    std::array::from_fn(|cell| {
        let (row, column) = (cell / 9, cell % 9);
        DIGITS[(3 * row + row / 3 + column) % 9]
    })
}

/// The same grid in other clothes: digits renamed, bands, stacks and lines in
/// other places, and perhaps turned over. None of this breaks a rule.
fn shuffled(grid: &Board, random: &mut Random) -> Board {
    let names: [usize; 9] = random.order();
    let (rows, columns) = (lines(random), lines(random));
    let turned = random.coin();
    std::array::from_fn(|cell| {
        let (row, column) = (rows[cell / 9], columns[cell % 9]);
        let from = if turned {
            9 * column + row
        } else {
            9 * row + column
        };
        DIGITS[names[usize::from(grid[from]) - 1]]
    })
}

/// An order of the nine rows, or columns, that keeps threes together.
fn lines(random: &mut Random) -> [usize; 9] {
    let bands: [usize; 3] = random.order();
    let within: [[usize; 3]; 3] = std::array::from_fn(|_| random.order());
    std::array::from_fn(|line| 3 * bands[line / 3] + within[line / 3][line % 3])
}
