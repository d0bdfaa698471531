//! What every engine has to conclude, and where it has to guess.
//!
//! All engines close a board under the same rules before they guess, and the guess
//! depends on the closed board alone; so they all make the same number of guesses.
//! Here the rules stand one after the other, each as it would be explained.
//!
//! A minirow is the three cells that a row and a box share. Three rows are a band;
//! bands 3 to 5 are three columns each, with the columns for rows.

type Board = [u8; 81];

/// The digits that may stand in each cell, bit 0 for the digit 1.
pub(crate) type Candidates = [u16; 81];

const ALL: u16 = 0x1ff;
const DIGITS: std::ops::Range<usize> = 0..9;
#[rustfmt::skip]
const PERMUTATIONS: [[usize; 3]; 6] = [
    [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0],
];

/// What the rules make of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Contradiction,
    Open,
    Solved,
}

struct Contradiction;

/// Nothing concluded yet; clashing givens are left for the rules to find.
pub(crate) fn load(board: &Board) -> Candidates {
    board.map(|given| if given == 0 { ALL } else { 1 << (given - 1) })
}

/// Applies the rules until nothing changes.
pub(crate) fn close(cells: &mut Candidates) -> State {
    loop {
        let before = *cells;
        if apply_every_rule(cells).is_err() {
            return State::Contradiction;
        }
        if *cells == before {
            let solved = cells.iter().all(|digits| digits.is_power_of_two());
            return if solved { State::Solved } else { State::Open };
        }
    }
}

fn apply_every_rule(cells: &mut Candidates) -> Result<(), Contradiction> {
    every_digit_has_a_place(cells)?;
    naked_singles(cells);
    locked_candidates(cells)?;
    hidden_singles(cells)?;
    locked_triples(cells)
}

/// A cell has a candidate, and a unit a place for each digit.
fn every_digit_has_a_place(cells: &Candidates) -> Result<(), Contradiction> {
    let is_whole = |unit: [usize; 9]| unit.into_iter().fold(0, |all, c| all | cells[c]) == ALL;
    must(!cells.contains(&0) && units().all(is_whole))
}

/// A cell's only candidate stands nowhere else in its units.
fn naked_singles(cells: &mut Candidates) {
    for unit in units() {
        for cell in unit {
            let digits = cells[cell];
            let others = unit.into_iter().filter(|&other| other != cell);
            if digits.is_power_of_two() {
                others.for_each(|other| cells[other] &= !digits);
            }
        }
    }
}

/// In a band a digit stands once in each row and once in each box. It leaves the
/// minirows where this cannot be.
fn locked_candidates(cells: &mut Candidates) -> Result<(), Contradiction> {
    for (band, digit) in (0..6).flat_map(|band| DIGITS.map(move |digit| (band, digit))) {
        let ways = ways(cells, band, digit);
        for (row, square) in nine_minirows() {
            if !ways.iter().any(|squares| squares[row] == square) {
                strike(cells, minirow(band, row, square), 1 << digit);
            }
        }
        must(!ways.is_empty())?;
    }
    Ok(())
}

/// A digit's only place in a unit is for no other digit.
fn hidden_singles(cells: &mut Candidates) -> Result<(), Contradiction> {
    let mut claims = [0u16; 81];
    for unit in units() {
        for digit in DIGITS {
            let mut places = unit.into_iter().filter(|&cell| has(cells, cell, digit));
            if let (Some(only), None) = (places.next(), places.next()) {
                claims[only] |= 1 << digit;
            }
        }
    }
    for (cell, claimed) in claims.into_iter().enumerate() {
        must(claimed.count_ones() <= 1)?;
        if claimed != 0 {
            cells[cell] &= claimed;
        }
    }
    Ok(())
}

/// Three digits that have to stand in one minirow fill it; four do not fit.
fn locked_triples(cells: &mut Candidates) -> Result<(), Contradiction> {
    for band in 0..6 {
        let before = *cells;
        for (row, square) in nine_minirows() {
            let open = |square, digit| is_open(&before, minirow(band, row, square), digit);
            let is_locked = |&digit: &usize| (0..3).all(|s| open(s, digit) == (s == square));
            let locked: u16 = DIGITS.filter(is_locked).map(|digit| 1 << digit).sum();
            must(locked.count_ones() <= 3)?;
            if locked.count_ones() == 3 {
                strike(cells, minirow(band, row, square), ALL & !locked);
            }
        }
    }
    Ok(())
}

/// A digit that is assumed to stand in a minirow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) band: usize,
    pub(crate) row: usize,
    pub(crate) square: usize,
    /// 0 for the digit 1.
    pub(crate) digit: usize,
}

/// The undecided band with the fewest ways to place its digits; in it the first
/// digit with two ways, else with three, else with more; of this the first minirow
/// in the first row that has several.
pub(crate) fn choose(cells: &Candidates) -> Choice {
    let ways_of = |band, digit| ways(cells, band, digit).len();
    let ways_in = |&band: &usize| DIGITS.map(|digit| ways_of(band, digit)).sum::<usize>();
    let undecided = (0..6).filter(|band| ways_in(band) > 9);
    let band = undecided.min_by_key(ways_in).expect("an open board");
    let undecided = DIGITS.filter(|&digit| ways_of(band, digit) > 1);
    let readiest = undecided.min_by_key(|&digit| ways_of(band, digit).min(4));
    let digit = readiest.expect("more ways than digits");
    let is_open = |row, square| is_open(cells, minirow(band, row, square), digit);
    let open = |row| (0..3).filter(move |&square| is_open(row, square));
    let mut rows = (0..3).filter(|&row| open(row).count() > 1);
    let row = rows.next().expect("a digit with several ways");
    let square = open(row).next().expect("several minirows");
    Choice {
        band,
        row,
        square,
        digit,
    }
}

/// The digit stands in the minirow, so not in the others of its row and its box.
pub(crate) fn assume(cells: &Candidates, choice: Choice) -> Candidates {
    let mut assumed = *cells;
    for (row, square) in nine_minirows() {
        if (row == choice.row) != (square == choice.square) {
            let other = minirow(choice.band, row, square);
            strike(&mut assumed, other, 1 << choice.digit);
        }
    }
    assumed
}

/// The digit does not stand in the minirow.
pub(crate) fn negate(cells: &Candidates, choice: Choice) -> Candidates {
    let mut negated = *cells;
    let here = minirow(choice.band, choice.row, choice.square);
    strike(&mut negated, here, 1 << choice.digit);
    negated
}

/// The first solutions, at most `limit`, with the guesses that were made until then:
/// depth first, and the assumption before its negation, which is no guess.
pub(crate) fn solutions(board: &Board, limit: usize) -> (Vec<Board>, u64) {
    let (mut found, mut guesses, mut waiting) = (Vec::new(), 0, vec![load(board)]);
    while let Some(mut cells) = waiting.pop().filter(|_| found.len() < limit) {
        match close(&mut cells) {
            State::Contradiction => {}
            State::Solved => found.push(cells.map(|digit| digit.ilog2() as u8 + 1)),
            State::Open => {
                let choice = choose(&cells);
                guesses += 1;
                waiting.extend([negate(&cells, choice), assume(&cells, choice)]);
            }
        }
    }
    (found, guesses)
}

/// The ways to place a digit in the rows of a band: a box for each row.
fn ways(cells: &Candidates, band: usize, digit: usize) -> Vec<[usize; 3]> {
    let open = |row, square| is_open(cells, minirow(band, row, square), digit);
    let mut ways = PERMUTATIONS.to_vec();
    ways.retain(|squares| (0..3).all(|row| open(row, squares[row])));
    ways
}

/// The cells of the rows, the columns and the boxes.
pub(crate) fn units() -> impl Iterator<Item = [usize; 9]> {
    (0..9).flat_map(|u| {
        let corner = 27 * (u / 3) + 3 * (u % 3);
        [
            std::array::from_fn(|k| 9 * u + k),
            std::array::from_fn(|k| 9 * k + u),
            std::array::from_fn(|k| corner + 9 * (k / 3) + k % 3),
        ]
    })
}

pub(crate) fn minirow(band: usize, row: usize, square: usize) -> [usize; 3] {
    let along = 3 * (band % 3) + row;
    [0, 1, 2].map(|k| {
        let across = 3 * square + k;
        if band < 3 {
            9 * along + across
        } else {
            9 * across + along
        }
    })
}

fn nine_minirows() -> impl Iterator<Item = (usize, usize)> {
    (0..9).map(|k| (k / 3, k % 3))
}

fn has(cells: &Candidates, cell: usize, digit: usize) -> bool {
    cells[cell] >> digit & 1 == 1
}

fn is_open(cells: &Candidates, minirow: [usize; 3], digit: usize) -> bool {
    minirow.into_iter().any(|cell| has(cells, cell, digit))
}

fn strike(cells: &mut Candidates, minirow: [usize; 3], digits: u16) {
    for cell in minirow {
        cells[cell] &= !digits;
    }
}

fn must(hold: bool) -> Result<(), Contradiction> {
    hold.then_some(()).ok_or(Contradiction)
}

#[cfg(test)]
#[path = "reference/tests.rs"]
mod tests;
