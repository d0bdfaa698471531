//! A gRPC service that solves and validates 9x9 Sudoku.
//!
//! # Code map
//!
//! From the ground up; nothing refers to what stands below it in this list:
//!
//! - [`grid`]: always-valid grids, read from text and printed.
//! - [`rules`]: the judge. Slow and obvious.
//! - [`solver`]: solve, decide, count, enumerate. Fast.
//! - [`tally`]: what has been done, counted.
//! - [`workers`]: where searches run, and how they are stopped.
//! - [`grpc`]: the edge. Messages in, domain values through, messages out.
//! - [`config`], [`telemetry`], [`shutdown`]: what the program is told.
//! - [`metrics`]: what the server counts, and how that and the tally are exported.
//! - [`server`]: sockets, services, deadlines, draining, the admin port.
//! - [`command_line`], [`healthcheck`]: what the program does, if not serve.
//!
//! # Invariants
//!
//! Architecture invariant: `grid`, `rules` and `solver` know no async code, no clock, no
//! environment and no I/O.
//!
//! Architecture invariant: `rules` and `solver` never see each other: the judged does
//! not know its judge.
//!
//! Architecture invariant: generated types stay inside `grpc`.
//!
//! Architecture invariant: `grpc` never sees the server that carries it.

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
compile_error!("sudoku-service runs on Linux and macOS only");

pub mod command_line;
pub mod config;
pub mod grid;
pub mod grpc;
pub mod healthcheck;
pub mod metrics;
pub mod rules;
pub mod server;
pub mod shutdown;
pub mod solver;
pub mod tally;
pub mod telemetry;
pub mod workers;
