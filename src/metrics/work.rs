//! The work of the solver, exported.

use std::fmt;
use std::iter::once;
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;

use super::export;
use crate::tally::Tally;

/// The tally of a solver, for export.
#[derive(Debug)]
pub(super) struct Work(pub(super) Arc<Tally>);

impl Collector for Work {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let (encoder, tally) = (&mut encoder, &self.0);
        let puzzles = tally.puzzles.named();
        let puzzles = puzzles.map(|(rpc, status, n)| ([("rpc", rpc), ("status", status)], n));
        export::counters(
            encoder,
            "sudoku_puzzles",
            "Puzzles of the methods that solve",
            puzzles,
        )?;
        export::sizes(
            encoder,
            "sudoku_guesses",
            "Guesses that a puzzle took",
            &tally.guesses,
        )?;
        export::times(
            encoder,
            "sudoku_solve",
            "Time that a search took, of one grid or of a part of a batch",
            once(([], &tally.solve_time)),
        )?;
        export::times(
            encoder,
            "sudoku_queue",
            "Time that a long search waited for its turn",
            once(([], &tally.queue_time)),
        )?;
        export::counters(
            encoder,
            "sudoku_shed",
            "Work that was refused",
            once(([("reason", "overloaded")], &tally.overloaded)),
        )
    }
}
