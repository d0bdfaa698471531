//! Many puzzles at a time, a puzzle a lane of a vector.
//!
//! `lanes` are the vectors; `naked` loads puzzles and sets naked singles; `sweep` applies
//! every rule once to all boards; `choice` says where to branch; `search` does it, with
//! `input` (puzzles to start), `pool` (boards that wait), `puzzles` (what is known) and
//! `deal` (who gets what next). The chapter with the drawings is
//! [here](crate::solver::explained#many-puzzles-a-puzzle-a-lane).

#![expect(
    clippy::inline_always,
    reason = "a target feature reaches only what is inlined into its function"
)]
#![expect(
    clippy::many_single_char_names,
    reason = "the three cells, lines and boxes of a band"
)]
#![expect(
    clippy::needless_range_loop,
    reason = "nests of three that LLVM unrolls and keeps in registers"
)]

mod board;
mod choice;
mod deal;
mod input;
mod lanes;
mod naked;
mod pool;
mod puzzles;
mod search;
mod sweep;
#[cfg(test)]
mod tests;

pub(super) use lanes::PuzzleLanes;
pub(super) use search::Workspace;
