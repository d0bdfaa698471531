//! The puzzles, and which of them is next.

use std::iter::repeat_with;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use sudoku_service::grid::{Grid, ParseGridError};

/// A puzzle as it stands in the file, and as it is read.
#[derive(Debug)]
pub(crate) struct Puzzle {
    pub(crate) text: String,
    pub(crate) grid: Grid,
}

impl Puzzle {
    pub(crate) fn read(text: &str) -> Result<Self, ParseGridError> {
        let grid = text.parse()?;
        let text = text.to_owned();
        Ok(Self { text, grid })
    }
}

/// Why a text gives nothing to send.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WorkError {
    #[error("line {number}: {error}")]
    Line {
        number: usize,
        error: ParseGridError,
    },
    #[error("there is no puzzle in it")]
    Empty,
}

/// Puzzles that all callers share: each takes the next one, round and round or once.
#[derive(Debug)]
pub(crate) struct Work {
    puzzles: Vec<Puzzle>,
    once: bool,
    turn: AtomicUsize,
    is_stopped: AtomicBool,
}

impl Work {
    /// The puzzles of `text`, one a line; empty lines and those with `#` first are passed over.
    pub(crate) fn read(text: &str, once: bool) -> Result<Self, WorkError> {
        let lines = (1..).zip(text.lines());
        let puzzles = lines
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
            .map(|(number, line)| {
                Puzzle::read(line).map_err(|error| WorkError::Line { number, error })
            });
        let puzzles: Vec<Puzzle> = puzzles.collect::<Result<_, _>>()?;
        if puzzles.is_empty() {
            return Err(WorkError::Empty);
        }
        Ok(Self {
            puzzles,
            once,
            turn: AtomicUsize::new(0),
            is_stopped: AtomicBool::new(false),
        })
    }

    /// The next puzzle, or nothing if the run is over.
    pub(crate) fn next(&self) -> Option<&Puzzle> {
        if self.is_stopped.load(Relaxed) {
            return None;
        }
        let turn = self.turn.fetch_add(1, Relaxed);
        if self.once {
            self.puzzles.get(turn)
        } else {
            self.puzzles.get(turn % self.puzzles.len())
        }
    }

    /// The next puzzles, `size` of them or what is left.
    pub(crate) fn batch(&self, size: usize) -> Vec<&Puzzle> {
        repeat_with(|| self.next())
            .take(size)
            .map_while(|next| next)
            .collect()
    }

    /// Ends the run; tells whether it was over before.
    pub(crate) fn stop(&self) -> bool {
        self.is_stopped.swap(true, Relaxed)
    }
}
