//! The boards of all lanes, and the edits that branching makes in them.

use super::lanes::{ALL, MOST, PuzzleLanes, Task};

/// One board a lane: 81 candidate sets.
pub(crate) type Cells<P> = [<P as PuzzleLanes>::Words; 81];

/// The cells of one lane, apart.
pub(crate) type Loose = [u16; 81];

/// The boards of all lanes with what a sweep keeps about them.
#[derive(Debug)]
pub(crate) struct Boards<P: PuzzleLanes> {
    /// The candidates.
    pub cells: Cells<P>,
    /// The naked singles of every minicolumn, when the rows were last swept: column by column in a row of boxes.
    pub fixed: [P::Words; 27],
    /// The sum of a board's candidate sets, which falls with every candidate that goes.
    pub sums: P::Words,
}

impl<P: PuzzleLanes> Boards<P> {
    /// Boards without a candidate, which no search goes on with.
    pub(crate) fn empty(lanes: P) -> Self {
        let nothing = lanes.splat(0);
        Self {
            cells: [nothing; 81],
            fixed: [nothing; 27],
            sums: nothing,
        }
    }

    /// Puts a board into a lane.
    #[inline]
    pub(crate) fn insert(&mut self, lane: usize, loose: &Loose) {
        for (word, cell) in loose.iter().zip(&mut self.cells) {
            P::words_mut(cell)[lane] = *word;
        }
        self.forget(lane);
    }

    /// Makes sure that the next sweep does not take a new board for one that it could not change.
    #[inline]
    pub(crate) fn forget(&mut self, lane: usize) {
        P::words_mut(&mut self.sums)[lane] = 0;
    }
}

/// The boards by lanes: in runs of eight words, so that a board is taken out with few loads.
pub(crate) type Runs<P> = [[<P as PuzzleLanes>::Words; 8]; 11];

/// Prepares [`take_out`] for all lanes.
#[derive(Debug)]
pub(crate) struct Unzip<'a, P: PuzzleLanes> {
    /// The boards of the search.
    pub cells: &'a Cells<P>,
    /// The same by lanes.
    pub runs: &'a mut Runs<P>,
}

impl<P: PuzzleLanes> Task<P> for Unzip<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: P) {
        if !P::UNZIPS {
            return;
        }
        let (eights, last) = self.cells.as_chunks::<8>();
        for (run, eight) in self.runs.iter_mut().zip(eights) {
            let mut block = *eight;
            lanes.transpose_eights(&mut block);
            *run = block;
        }
        let mut block = [last[0]; 8];
        lanes.transpose_eights(&mut block);
        self.runs[10] = block;
    }
}

/// Takes one lane's board out, by way of the runs where these are used.
pub(crate) fn take_out<P: PuzzleLanes>(
    cells: &Cells<P>,
    runs: &Runs<P>,
    lane: usize,
    loose: &mut Loose,
) {
    if !P::UNZIPS {
        for (word, cell) in loose.iter_mut().zip(cells) {
            *word = P::words(cell)[lane];
        }
        return;
    }
    let (eights, last) = loose.as_chunks_mut::<8>();
    for (words, run) in eights.iter_mut().zip(runs) {
        let (run, _) = P::words(&run[lane % 8]).as_chunks::<8>();
        *words = run[lane / 8];
    }
    last[0] = P::words(&runs[10][lane % 8])[lane / 8 * 8];
}

/// The digit of every cell of a solved board.
#[must_use]
pub(crate) fn solution(loose: &Loose) -> [u8; 81] {
    let mut digits = [0; 81];
    for (digit, word) in digits.iter_mut().zip(loose) {
        *digit = word.trailing_zeros() as u8 + 1;
    }
    digits
}

/// A minirow (or, in a stack, a minicolumn): three cells that share a line and a box; `9 * band + 3 * line + box`.
pub(crate) type Minirow = u16;

/// The three cells of every minirow: bands 0-2 are rows, 3-5 columns.
pub(crate) const MINIROWS: [[u8; 3]; 54] = {
    let mut all = [[0; 3]; 54];
    let mut minirow = 0;
    while minirow < 54 {
        let (band, line, across) = (minirow / 9, minirow / 3 % 3, minirow % 3);
        let mut place = 0;
        while place < 3 {
            let (along, across) = (3 * (band % 3) + line, 3 * across + place);
            all[minirow][place] = (if band < 3 {
                9 * along + across
            } else {
                9 * across + along
            }) as u8;
            place += 1;
        }
        minirow += 1;
    }
    all
};

/// A digit leaves a minirow of one lane.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Edit {
    /// Whose board.
    pub lane: u8,
    /// Which minirow.
    pub minirow: Minirow,
    /// Which digit, as a set.
    pub digit: u16,
}

/// Moves boards between lanes, and in from a block of new ones, all in one pass.
#[derive(Debug)]
pub(crate) struct Move<'a, P: PuzzleLanes> {
    /// The boards of the search.
    pub cells: &'a mut Cells<P>,
    /// Boards to take from.
    pub block: &'a Cells<P>,
    /// Where each lane's board comes from, see [`PuzzleLanes::pick`].
    pub from: &'a [u16; MOST],
}

impl<P: PuzzleLanes> Task<P> for Move<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: P) {
        for (cell, new) in self.cells.iter_mut().zip(self.block) {
            *cell = lanes.pick(*cell, *new, self.from);
        }
    }
}

/// Carries out edits.
#[derive(Debug)]
pub(crate) struct Strike<'a, P: PuzzleLanes> {
    /// The boards of the search.
    pub cells: &'a mut Cells<P>,
    /// What leaves them.
    pub edits: &'a [Edit],
}

impl<P: PuzzleLanes> Task<P> for Strike<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: P) {
        for edit in self.edits {
            // Whole vectors, not one lane's word: the sweep that follows loads vectors, and a load of what
            // was stored in parts has to wait.
            let gone = lanes.only(usize::from(edit.lane), edit.digit & ALL);
            for &cell in &MINIROWS[usize::from(edit.minirow)] {
                let cell = &mut self.cells[usize::from(cell)];
                *cell = lanes.without(*cell, gone);
            }
        }
    }
}
