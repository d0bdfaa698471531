//! A small bit-mask backtracker of the generator's own: a random solution, and
//! whether there is any.

use super::random::Random;
use crate::oracle::Board;

/// Row, column and box of every cell, as places in [`Used`].
static UNITS_OF: [[usize; 3]; 81] = {
    let mut units = [[0; 3]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, column) = (cell / 9, cell % 9);
        units[cell] = [row, 9 + column, 18 + row / 3 * 3 + column / 3];
        cell += 1;
    }
    units
};

/// The digits used in each row, column and box; bit 0 is the digit 1.
struct Used([u16; 27]);

impl Used {
    /// The digits of a board, none if some clash.
    fn of(board: &Board) -> Option<Self> {
        let mut used = Self([0; 27]);
        for cell in (0..81).filter(|&cell| board[cell] != 0) {
            let bit = 1 << (board[cell] - 1);
            if used.free(cell) & bit == 0 {
                return None;
            }
            used.flip(cell, bit);
        }
        Some(used)
    }

    fn free(&self, cell: usize) -> u16 {
        let [row, column, square] = UNITS_OF[cell];
        !(self.0[row] | self.0[column] | self.0[square]) & 0x1ff
    }

    /// Marks a digit, or takes the mark back.
    fn flip(&mut self, cell: usize, bit: u16) {
        for unit in UNITS_OF[cell] {
            self.0[unit] ^= bit;
        }
    }
}

/// The digits that clash with nothing in the cell, which is blank.
pub(super) fn candidates(board: &Board, cell: usize) -> Vec<u8> {
    let free = Used::of(board).map_or(0, |used| used.free(cell));
    (1..=9)
        .filter(|digit| (free >> (digit - 1)) & 1 == 1)
        .collect()
}

/// Fills the blanks at random; none if the board has no solution.
pub(super) fn completed(board: &Board, random: &mut Random) -> Option<Board> {
    let mut used = Used::of(board)?;
    let mut board = *board;
    let mut blanks: Vec<usize> = (0..81).filter(|&cell| board[cell] == 0).collect();
    fill(&mut board, &mut blanks, &mut used, random).then_some(board)
}

fn fill(board: &mut Board, blanks: &mut Vec<usize>, used: &mut Used, random: &mut Random) -> bool {
    let Some((place, mut left)) = narrowest(blanks, used) else {
        return true;
    };
    let cell = blanks.swap_remove(place);
    while left != 0 {
        let bit = any_bit(left, random);
        left ^= bit;
        used.flip(cell, bit);
        if fill(board, blanks, used, random) {
            board[cell] = digit(bit);
            return true;
        }
        used.flip(cell, bit);
    }
    blanks.push(cell);
    false
}

/// The place of a blank with the fewest candidates, and those that are worth a
/// try.
fn narrowest(blanks: &[usize], used: &Used) -> Option<(usize, u16)> {
    let mut best = None;
    let mut fewest = u32::MAX;
    for (place, &cell) in blanks.iter().enumerate() {
        let free = used.free(cell);
        if free.count_ones() < fewest {
            fewest = free.count_ones();
            best = Some((place, free));
            if fewest < 2 {
                return best;
            }
        }
    }
    only_place_for_a_digit(blanks, used).or(best)
}

/// A blank that alone in one of its units can take a digit, and that digit. It
/// is looked for only where a guess would be due, and saves most guesses.
fn only_place_for_a_digit(blanks: &[usize], used: &Used) -> Option<(usize, u16)> {
    let (mut once, mut twice) = ([0; 27], [0; 27]);
    for &cell in blanks {
        let free = used.free(cell);
        for unit in UNITS_OF[cell] {
            twice[unit] |= once[unit] & free;
            once[unit] |= free;
        }
    }
    blanks.iter().enumerate().find_map(|(place, &cell)| {
        let alone = UNITS_OF[cell].map(|unit| once[unit] & !twice[unit]);
        let digits = used.free(cell) & (alone[0] | alone[1] | alone[2]);
        (digits != 0).then_some((place, digits & digits.wrapping_neg()))
    })
}

fn any_bit(mut bits: u16, random: &mut Random) -> u16 {
    if bits.count_ones() > 1 {
        for _ in 0..random.below(bits.count_ones() as usize) {
            bits &= bits - 1;
        }
    }
    bits & bits.wrapping_neg()
}

fn digit(bit: u16) -> u8 {
    u8::try_from(bit.trailing_zeros() + 1).expect("a bit of nine")
}
