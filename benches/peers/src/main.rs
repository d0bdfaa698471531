//! Measures the solver against the crate `sudoku`, or against textbook backtracking, on files of puzzles.
//!
//! ```text
//! cargo run --release --manifest-path benches/peers/Cargo.toml -- [--seconds N] FILE…
//! cargo run --release --manifest-path benches/peers/Cargo.toml -- --textbooks FILE…
//! ```

#![allow(
    clippy::cast_precision_loss,
    reason = "rates for readers: no count of puzzles is so large"
)]

mod clock;
mod judge;
mod puzzles;
mod race;
mod relabel;
mod solvers;
mod textbooks;

#[path = "../../../tests/solver"]
#[allow(dead_code, reason = "the tests use more of it")]
mod from_tests {
    pub(crate) mod oracle;
}

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use sudoku_service::solver::Engine;

use from_tests::oracle;
use judge::Judge;
use puzzles::Puzzles;
use race::race;
use solvers::{Batch, Ordered, Peer, PeerSolution, Single, Solver};

/// Measures the solver against the crate sudoku on files of puzzles, one a line.
#[derive(Debug, Parser)]
struct Arguments {
    /// Files of puzzles, one a line
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// CPU time for each file
    #[arg(long, default_value = "10", value_parser = seconds)]
    seconds: Duration,

    /// Our engine, auto for the fastest of this machine
    #[arg(long, value_name = "NAME", default_value = "auto")]
    engine: Engine,

    /// Renames the digits and moves the lines of each puzzle at random
    #[arg(long, value_name = "SEED")]
    relabel: Option<u64>,

    /// Times `solution()` of the crate, not its fastest call that tells as much as ours
    #[arg(long)]
    solution: bool,

    /// Measures textbook backtracking instead
    #[arg(long)]
    textbooks: bool,

    /// How many puzzles of a file the textbooks get
    #[arg(long, default_value_t = 1_000, requires = "textbooks")]
    sample: usize,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number is meant")?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let engine = arguments.engine;
    let mut wrong = 0;
    for file in &arguments.files {
        let mut puzzles = match Puzzles::read(file) {
            Ok(puzzles) => puzzles,
            Err(error) => {
                eprintln!("{}: {error}", file.display());
                return ExitCode::FAILURE;
            }
        };
        if let Some(seed) = arguments.relabel {
            puzzles.relabel(seed);
        }
        wrong += if arguments.textbooks {
            textbooks::compare(&puzzles, engine, arguments.sample, arguments.seconds)
        } else {
            let peer: &mut dyn Solver = if arguments.solution {
                &mut PeerSolution::new(&puzzles.grids)
            } else {
                &mut Peer::new(&puzzles.grids)
            };
            compare(&puzzles, engine, peer, arguments.seconds)
        };
    }
    ExitCode::from(u8::from(wrong > 0))
}

/// Prints a line for a file, and tells how many puzzles got a wrong answer.
fn compare(puzzles: &Puzzles, engine: Engine, peer: &mut dyn Solver, limit: Duration) -> usize {
    let grids = &puzzles.grids;
    let mut judge = Judge::new(grids);
    let times = race(
        grids.len(),
        &mut [
            &mut Batch::new(engine, grids),
            &mut Single::new(engine, grids),
            &mut Ordered::new(engine, grids),
            peer,
        ],
        &mut judge,
        limit,
    );
    let [batch, single, ordered, peer] = times.map(|time| grids.len() as f64 / time.as_secs_f64());
    println!(
        "{} puzzles={} ours_batch={batch:.0} ours_single={single:.0} sudoku={peer:.0} \
         batch_ratio={:.2} single_ratio={:.2} ordered_ratio={:.2} wrong={}",
        puzzles.name,
        grids.len(),
        batch / peer,
        single / peer,
        ordered / peer,
        judge.wrong()
    );
    judge.wrong()
}
