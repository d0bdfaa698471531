//! The checks of the fuzz targets, on seeded bytes.
//!
//! A test takes about a second; `SUDOKU_FUZZ_SECONDS=600` makes each of them go on for
//! that long. What fails prints its bytes, and `SUDOKU_FUZZ_BYTES=0a1b…` tries them again.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed, wherever it is"
)]

mod seeds;

use std::env;
use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

/// The checks themselves.
#[path = "../../fuzz"]
#[allow(
    unreachable_pub,
    reason = "the fuzz targets see them from another crate"
)]
mod from_fuzz {
    pub(crate) mod checks;
}
use from_fuzz::checks;

/// The textbook solvers, and the seeded generator, of the solver's tests.
#[path = "../solver"]
#[allow(
    dead_code,
    unused_imports,
    reason = "the solver's tests use more of it"
)]
mod from_solver {
    pub(crate) mod boards;
    pub(crate) mod oracle;
}
use from_solver::oracle;

/// Runs a check on so many strings of bytes, or for as long as is asked for.
fn run(check: fn(&[u8]), cases: usize, longest: usize) {
    if let Ok(hex) = env::var("SUDOKU_FUZZ_BYTES") {
        return check(&from_hex(&hex));
    }
    let start = Instant::now();
    let seconds = env::var("SUDOKU_FUZZ_SECONDS").map(|text| text.parse().unwrap());
    let duration = seconds.ok().map(Duration::from_secs);
    let is_enough = |tried| match duration {
        Some(duration) => start.elapsed() >= duration,
        None => tried == cases,
    };
    let mut tried = 0;
    for bytes in seeds::strings(longest) {
        if is_enough(tried) {
            break;
        }
        if let Err(panic) = panic::catch_unwind(AssertUnwindSafe(|| check(&bytes))) {
            eprintln!("failed with SUDOKU_FUZZ_BYTES={}", to_hex(&bytes));
            panic::resume_unwind(panic);
        }
        tried += 1;
    }
    println!("{tried} strings of bytes in {:.1?}", start.elapsed());
}

fn to_hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(half.into(), 16).unwrap();
    let byte = |byte: &u8| [digit(byte / 16), digit(byte % 16)];
    bytes.iter().flat_map(byte).collect()
}

fn from_hex(hex: &str) -> Vec<u8> {
    let byte = |place| u8::from_str_radix(&hex[place..place + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(byte).collect()
}

#[test]
fn grid_text() {
    run(checks::grid_text::check, 20_000, 300);
}

#[test]
fn requests() {
    run(checks::requests::check, 2_000, 600);
}

#[test]
fn solver() {
    run(checks::solver::check, 500, 100);
}

#[test]
fn batch() {
    run(checks::batch::check, 60, 1_000);
}

#[test]
fn http2() {
    run(checks::http2::check, 500, 1_000);
    checks::http2::check_alive();
}
