//! One puzzle at a time, its digits in the lanes of a few vectors.
//!
//! A [`Board`] is 128 bytes: for each digit the 81 cells where it may still
//! stand. One round of rules is some 200 vector instructions without a branch, so what is
//! left to lose time on is the number of rounds. [`close`] runs rounds until they stall,
//! [`choice`] says what to assume then, [`search`] keeps the boards that wait, and
//! [`ordered`] asks it for the smallest solutions. The chapter with the drawings is
//! [here](crate::solver::explained#one-puzzle-its-digits-in-the-lanes).

#![expect(
    clippy::inline_always,
    reason = "a target feature reaches only what is inlined into its function"
)]

mod board;
mod choice;
mod close;
mod crowd;
mod grids;
mod lanes;
mod layout;
mod ordered;
mod round;
mod search;
#[cfg(test)]
mod tests;
mod triple;
mod turns;

pub(super) use board::Board;
pub(super) use ordered::Ordered;
pub(super) use search::Search;
