//! A gRPC service that solves and validates 9x9 Sudoku.
//!
//! # Code map
//!
//! From the ground up:
//!
//! - [`grid`]: always-valid grids, read from text and printed.
//! - [`rules`]: the judge. Slow and obvious.
//! - [`solver`]: solve, count, enumerate. Fast.

pub mod grid;
pub mod rules;
pub mod solver;
