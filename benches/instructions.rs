//! Counts the instructions that a puzzle takes: the same on a busy machine as on a quiet one.
//!
//! ```text
//! cargo bench --bench instructions [-- --keep FOLDER]
//! ```
//!
//! The program runs itself in valgrind's callgrind, once with one pass over a set and once
//! with two: the difference is a pass, without the start.

#[path = "support/sets.rs"]
mod sets;

#[path = "../tests/solver"]
#[allow(dead_code, unused_imports, reason = "the tests use more of it")]
mod from_tests {
    pub(crate) mod boards;
    pub(crate) mod oracle;
}

use std::fmt::Write as _;
use std::io::{self, Read, Write as _, stdin};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};

use clap::{Parser, Subcommand, ValueEnum};
use sudoku_service::grid::Grid;
use sudoku_service::solver::{Budget, Engine, Goal, StopFlag};

use from_tests::{boards, oracle}; // by these names they know each other
use sets::Set;

/// Enough that the ends of a batch hardly count.
const PUZZLES: usize = 2_000;

/// No budget ends a measurement.
const GUESSES: u64 = u64::MAX;

/// Counts the instructions that a puzzle takes, for every set and engine.
#[derive(Debug, Parser)]
struct Arguments {
    /// Keeps callgrind's files here, for `callgrind_annotate`
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,

    /// What cargo says to a benchmark
    #[arg(long, hide = true)]
    bench: bool,

    #[command(subcommand)]
    counted: Option<Counted>,
}

/// What runs in valgrind.
#[derive(Debug, Subcommand)]
enum Counted {
    /// Names the engines that run there
    #[command(hide = true)]
    Engines,
    /// Solves the puzzles of the standard input
    #[command(hide = true)]
    Solve {
        engine: Engine,
        call: Call,
        passes: usize,
    },
}

/// How the puzzles are handed over.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Call {
    Single,
    Batch,
}

/// Why there is no count.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("valgrind does not start: {0}")]
    Valgrind(#[source] io::Error),
    #[error("{0}")]
    Stream(#[from] io::Error),
    #[error("valgrind counted nothing:\n{0}")]
    NoCount(String),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match &arguments.counted {
        None => count_all(arguments.keep.as_deref()),
        Some(Counted::Engines) => {
            name_engines();
            Ok(())
        }
        Some(Counted::Solve {
            engine,
            call,
            passes,
        }) => solve_input(*engine, *call, *passes),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

/// One line for every engine, set and call.
fn count_all(keep: Option<&Path>) -> Result<(), Failure> {
    if let Some(folder) = keep {
        std::fs::create_dir_all(folder)?;
    }
    let output = valgrind(&["--tool=none"], &["engines"], "")?;
    let known = String::from_utf8_lossy(&output.stdout);
    for engine in Engine::all() {
        if !known.lines().any(|name| name == engine.name()) {
            println!("{engine}: not counted, valgrind does not know its instructions");
            continue;
        }
        for set in Set::ALL {
            let grids = &set.grids()[..PUZZLES.min(set.grids().len())];
            for call in [Call::Single, Call::Batch] {
                let count = count_pass(engine, set, call, grids, keep)? / grids.len() as u64;
                let guesses = guesses(engine, grids);
                println!(
                    "{engine} {set} {} puzzles={} instructions={count} guesses={guesses:.2}",
                    call.name(),
                    grids.len(),
                );
            }
        }
    }
    Ok(())
}

impl Call {
    fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Batch => "batch",
        }
    }
}

/// The guesses that one of the puzzles takes.
fn guesses(engine: Engine, grids: &[Grid]) -> f64 {
    let solved = engine.solve_batch(grids, GUESSES, &StopFlag::new());
    let guesses: u64 = solved.iter().map(|solved| solved.guesses).sum();
    guesses as f64 / grids.len() as f64
}

/// The instructions of one pass.
fn count_pass(
    engine: Engine,
    set: Set,
    call: Call,
    grids: &[Grid],
    keep: Option<&Path>,
) -> Result<u64, Failure> {
    let file = keep.map_or_else(
        || PathBuf::from("/dev/null"),
        |folder| folder.join(format!("{engine}-{set}-{}.out", call.name())),
    );
    let file = format!("--callgrind-out-file={}", file.display());
    let mut text = String::new();
    for grid in grids {
        writeln!(text, "{grid}").expect("a string takes all");
    }
    let count = |passes: &str| {
        let arguments = ["solve", engine.name(), call.name(), passes];
        let output = valgrind(&["--tool=callgrind", &file], &arguments, &text)?;
        collected(&String::from_utf8_lossy(&output.stderr))
    };
    Ok(count("2")? - count("1")?)
}

/// Runs this program in valgrind.
fn valgrind(options: &[&str], arguments: &[&str], input: &str) -> Result<Output, Failure> {
    let mut child = Command::new("valgrind")
        .args(options)
        .arg(std::env::current_exe()?)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(Failure::Valgrind)?;
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(input.as_bytes())?;
    drop(stdin);
    Ok(child.wait_with_output()?)
}

/// The number in callgrind's line `==PID== Collected : NUMBER`.
fn collected(report: &str) -> Result<u64, Failure> {
    report
        .lines()
        .filter_map(|line| line.split_once("Collected :"))
        .find_map(|(_, number)| number.trim().parse().ok())
        .ok_or_else(|| Failure::NoCount(report.to_owned()))
}

fn name_engines() {
    for engine in Engine::all() {
        println!("{engine}");
    }
}

/// This is what is counted.
fn solve_input(engine: Engine, call: Call, passes: usize) -> Result<(), Failure> {
    let mut text = String::new();
    stdin().read_to_string(&mut text)?;
    let grid = |line: &str| line.parse().expect("a grid");
    let grids: Vec<Grid> = text.lines().map(grid).collect();
    let stop = StopFlag::new();
    for _ in 0..passes {
        match call {
            Call::Single => {
                for grid in &grids {
                    let mut budget = Budget::new(GUESSES, &stop);
                    std::hint::black_box(engine.solve(grid, Goal::Uniqueness, &mut budget));
                }
            }
            Call::Batch => {
                std::hint::black_box(engine.solve_batch(&grids, GUESSES, &stop));
            }
        }
    }
    Ok(())
}
