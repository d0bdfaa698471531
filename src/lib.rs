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
//! # Where to begin
//!
//! 1. [`grid::Grid`], what everything is about, and [`rules`], which says in plain words what
//!    is right.
//! 2. [`solver`], what can be asked of it, and [`solver::explained`], how it finds the
//!    answers: the rules, the choice, and the two ways to put boards into vectors.
//! 3. [`workers`], which keeps long searches from holding up short ones.
//! 4. [`grpc`], then [`server`]: what becomes of a call.
//!
//! A call goes through all of them, from the last to the first and back. [`server`] takes
//! a connection and gives each call its deadline; [`grpc`] decodes the request wholly and
//! turns it into grids; [`workers`] runs the search, at once or in its pool; [`solver`]
//! searches until it knows, or its [budget](solver::Budget) ends. What comes back is
//! encoded by [`grpc`], counted in the [`tally`], and followed to its last byte by
//! [`server`].
//!
//! `cargo doc --no-deps --document-private-items` shows the private modules too, each with
//! what it is for.
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
