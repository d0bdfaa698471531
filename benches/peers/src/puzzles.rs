//! Puzzles from a file: one a line, as 81 characters.

use std::fs::read_to_string;
use std::io;
use std::path::Path;

use sudoku_service::grid::{Grid, ParseGridError};

use crate::relabel::Relabelling;

/// A file of puzzles.
pub(crate) struct Puzzles {
    /// The file's name without folder and ending.
    pub(crate) name: String,
    pub(crate) grids: Vec<Grid>,
}

/// Why a file cannot be measured.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PuzzlesError {
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    #[error("line {line}: {error}")]
    NoGrid { line: usize, error: ParseGridError },
    #[error("no puzzle in it")]
    Empty,
}

impl Puzzles {
    /// Reads a file. Empty lines and those that begin with `#` are passed over.
    pub(crate) fn read(file: &Path) -> Result<Self, PuzzlesError> {
        let text = read_to_string(file)?;
        let lines = text.lines().enumerate();
        let grids: Vec<Grid> = lines
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
            .map(|(index, line)| {
                line.parse().map_err(|error| PuzzlesError::NoGrid {
                    line: index + 1,
                    error,
                })
            })
            .collect::<Result<_, _>>()?;
        let name = file.file_stem().unwrap_or_default();
        match grids.len() {
            0 => Err(PuzzlesError::Empty),
            _ => Ok(Self {
                name: name.to_string_lossy().into_owned(),
                grids,
            }),
        }
    }

    /// The same puzzles in other clothes, each in its own.
    pub(crate) fn relabel(&mut self, seed: u64) {
        let mut relabelling = Relabelling::new(seed);
        for grid in &mut self.grids {
            *grid = relabelling.of(grid);
        }
    }

    /// The places of `size` puzzles, evenly spread; of all if there are no more.
    pub(crate) fn sample(&self, size: usize) -> Vec<usize> {
        let all = self.grids.len();
        let size = size.min(all);
        (0..size).map(|k| k * all / size).collect()
    }
}
