//! What the engines' own tests share: the engines, the reference, and boards to try.

#[path = "../../tests/solver/oracle/reference.rs"]
pub(super) mod reference;

use super::engine::Engine;
use reference::{Candidates, State};

/// Every engine, so that a test can leave none out.
pub(super) fn engines() -> Vec<Engine> {
    let engines: Vec<Engine> = Engine::all().collect();
    let mut expected = vec!["portable"];
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2") {
            expected.push("avx2");
        }
        if is_x86_feature_detected!("avx512vbmi") && is_x86_feature_detected!("avx512bitalg") {
            expected.push("avx512");
        }
    }
    let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
    assert_eq!(names, expected, "an engine that this CPU has is left out");
    engines
}

/// Numbers that look random, the same in every run.
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The high half of a linear congruential generator with Knuth's constants.
    pub(super) fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.next() as usize % bound
    }
}

/// Boards with a few givens, or up to `most` of them, that seldom clash.
pub(super) fn boards(seed: u64, most: usize) -> impl Iterator<Item = [u8; 81]> {
    let mut random = Random::new(seed);
    std::iter::repeat_with(move || {
        let mut board = [0; 81];
        for _ in 0..random.below(most + 1) {
            let (cell, digit) = (random.below(81), random.below(9) as u8 + 1);
            let clash = (0..81).any(|other| board[other] == digit && share_unit(cell, other));
            if !clash || random.below(60) == 0 {
                board[cell] = digit;
            }
        }
        board
    })
}

fn share_unit(one: usize, other: usize) -> bool {
    let (row, column) = (one / 9, one % 9);
    let (other_row, other_column) = (other / 9, other % 9);
    row == other_row
        || column == other_column
        || (row / 3, column / 3) == (other_row / 3, other_column / 3)
}

/// Boards on which four digits have to stand in one minirow, each minirow in turn.
fn crowded() -> impl Iterator<Item = [u8; 81]> {
    (0..54).map(|minirow| {
        let (band, row, square) = (minirow / 9, minirow / 3 % 3, minirow % 3);
        let mut board = [0; 81];
        for (row_step, square_step, digit) in [(1, 1, 1), (2, 2, 1), (1, 2, 3), (2, 1, 3)] {
            let (row, square) = ((row + row_step) % 3, (square + square_step) % 3);
            let [one, other, _] = reference::minirow(band, row, square);
            (board[one], board[other]) = (digit, digit + 1);
        }
        board
    })
}

/// Boards on which two digits have their only place of a unit in one cell.
fn torn() -> impl Iterator<Item = Candidates> {
    let one_cell_of = |unit: [usize; 9]| {
        [0, 4, 8].map(|only| {
            let mut cells = reference::load(&[0; 81]);
            for other in (0..9).filter(|&other| other != only) {
                cells[unit[other]] &= !0b11;
            }
            cells
        })
    };
    reference::units().flat_map(one_cell_of)
}

/// Boards as a search meets them, not closed yet.
pub(super) fn states() -> Vec<Candidates> {
    let crowded = crowded().map(|board| reference::load(&board));
    let mut all: Vec<Candidates> = crowded.chain(torn()).collect();
    for board in boards(4, 81).take(900) {
        let mut waiting = vec![reference::load(&board)];
        for node in 0..20 {
            let Some(mut cells) = waiting.pop() else {
                break;
            };
            let before = cells;
            let state = reference::close(&mut cells);
            if state == State::Open {
                let choice = reference::choose(&cells);
                waiting.push(reference::negate(&cells, choice));
                waiting.push(reference::assume(&cells, choice));
            }
            // Most are open.
            if state != State::Open || node % 8 == 0 {
                all.push(before);
            }
        }
    }
    all
}

#[test]
fn the_states_are_of_every_kind() {
    let mut of_kind = [0; 3];
    for mut cells in states() {
        of_kind[reference::close(&mut cells) as usize] += 1;
    }
    assert!(of_kind.iter().all(|&states| states > 500), "{of_kind:?}");
}
