//! The state of a search: the candidates of every cell, as bit masks.

use crate::grid::Grid;

/// The candidates of the 81 cells, bit `d - 1` for digit `d`.
#[derive(Clone, Copy)]
pub(super) struct Board {
    candidates: [u16; 81],
    /// The cells whose digit is known and has left their peers.
    settled: u128,
}

/// No cell can be settled in this way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Contradiction;

const ALL: u16 = 0x1FF;

/// The cells of the 27 units: rows, columns, boxes.
static UNITS: [[u8; 9]; 27] = {
    let mut units = [[0; 9]; 27];
    let mut n = 0;
    while n < 81 {
        let (i, k) = (n / 9, n % 9);
        units[i][k] = n as u8;
        units[9 + k][i] = n as u8;
        units[18 + i / 3 * 3 + k / 3][i % 3 * 3 + k % 3] = n as u8;
        n += 1;
    }
    units
};

/// The 20 other cells in the units of each cell.
static PEERS: [[u8; 20]; 81] = {
    let mut peers = [[0; 20]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (mut other, mut found) = (0, 0);
        while other < 81 {
            let row = cell / 9 == other / 9;
            let column = cell % 9 == other % 9;
            let in_box = cell / 27 == other / 27 && cell % 9 / 3 == other % 9 / 3;
            if cell != other && (row || column || in_box) {
                peers[cell][found] = other as u8;
                found += 1;
            }
            other += 1;
        }
        cell += 1;
    }
    peers
};

impl Board {
    /// The board with the givens of `grid` and nothing concluded from them, or nothing
    /// if two of them clash.
    pub(super) fn new(grid: &Grid) -> Option<Self> {
        let values = grid.values();
        let clash = UNITS.iter().any(|unit| {
            let mut seen = 0u16;
            unit.iter().any(|&cell| {
                let bit = (1 << values[usize::from(cell)]) & !1;
                let clash = seen & bit != 0;
                seen |= bit;
                clash
            })
        });
        let candidates = values.map(|v| if v == 0 { ALL } else { 1 << (v - 1) });
        (!clash).then_some(Self {
            candidates,
            settled: 0,
        })
    }

    /// The candidates of `cell` as a mask.
    pub(super) const fn candidates(&self, cell: usize) -> u16 {
        self.candidates[cell]
    }

    /// Leaves `cell` the candidate `bit` alone.
    pub(super) const fn keep(&mut self, cell: usize, bit: u16) {
        self.candidates[cell] = bit;
    }

    /// Takes the candidate `bit` from `cell`.
    pub(super) const fn remove(&mut self, cell: usize, bit: u16) {
        self.candidates[cell] &= !bit;
    }

    /// Draws the conclusions from naked and hidden singles until there are no more.
    pub(super) fn propagate(&mut self) -> Result<(), Contradiction> {
        loop {
            self.naked_singles()?;
            if !self.hidden_singles()? {
                return Ok(());
            }
        }
    }

    /// Settles every cell with one candidate.
    fn naked_singles(&mut self) -> Result<(), Contradiction> {
        let mut open: u128 = !self.settled & ((1 << 81) - 1);
        while open != 0 {
            let cell = open.trailing_zeros() as usize;
            open &= open - 1;
            let bit = self.candidates[cell];
            if bit == 0 {
                return Err(Contradiction);
            }
            if bit.is_power_of_two() {
                self.settled |= 1 << cell;
                for &peer in &PEERS[cell] {
                    let peer = usize::from(peer);
                    let before = self.candidates[peer];
                    self.candidates[peer] = before & !bit;
                    if before & bit != 0 && self.candidates[peer].count_ones() < 2 {
                        open |= 1 << peer;
                    }
                }
            }
        }
        Ok(())
    }

    /// Finds the digits with one place in a unit; tells whether there were new ones.
    fn hidden_singles(&mut self) -> Result<bool, Contradiction> {
        let mut found = false;
        for unit in &UNITS {
            let (mut once, mut twice) = (0, 0);
            for &cell in unit {
                let candidates = self.candidates[usize::from(cell)];
                twice |= once & candidates;
                once |= candidates;
            }
            if once != ALL {
                return Err(Contradiction);
            }
            let singles = once & !twice;
            if singles == 0 {
                continue;
            }
            for &cell in unit {
                let cell = usize::from(cell);
                let here = self.candidates[cell] & singles;
                if here != 0 && here != self.candidates[cell] {
                    if !here.is_power_of_two() {
                        return Err(Contradiction);
                    }
                    self.candidates[cell] = here;
                    found = true;
                }
            }
        }
        Ok(found)
    }

    /// The unsettled cell with the fewest candidates, or nothing if all are settled.
    pub(super) fn most_constrained(&self) -> Option<usize> {
        let mut open: u128 = !self.settled & ((1 << 81) - 1);
        let mut best = None;
        let mut fewest = u32::MAX;
        while open != 0 {
            let cell = open.trailing_zeros() as usize;
            open &= open - 1;
            let count = self.candidates[cell].count_ones();
            if count < fewest {
                (best, fewest) = (Some(cell), count);
                if count == 2 {
                    break;
                }
            }
        }
        best
    }

    /// The digits of a board on which every cell is settled.
    pub(super) fn solution(&self) -> Grid {
        let digits = self.candidates.map(|bit| bit.trailing_zeros() as u8 + 1);
        Grid::from_values(digits).unwrap_or(Grid::BLANK)
    }
}
