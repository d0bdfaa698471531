//! The smallest client: sends one grid to a running server and prints what it says.
//!
//! ```text
//! cargo run --release --example solve -- '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79'
//! cargo run --release --example solve -- - < puzzle.txt
//! ```

use std::error::Error;
use std::io::{self, IsTerminal, Read, stdout};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use sudoku_service::grid::{Cell, Grid};
use sudoku_service::grpc::v1;
use sudoku_service::grpc::v1::sudoku_service_client::SudokuServiceClient;
use tonic::transport::{self, Endpoint};
use tonic::{Code, Request, Status};
use tonic_types::StatusExt;

/// Solves a Sudoku by asking a running sudoku-service.
#[derive(Debug, Parser)]
struct Arguments {
    /// The 81 cells, row by row, `.` for a blank; - reads them from standard input
    grid: String,

    /// Where the server listens
    #[arg(long, default_value = "http://127.0.0.1:50051")]
    address: String,

    /// How long to wait for the answer
    #[arg(long, default_value = "5s", value_parser = humantime::parse_duration)]
    deadline: Duration,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("standard input cannot be read: {0}")]
    Input(#[from] io::Error),
    #[error("cannot reach the server: {}", causes(.0))]
    Connection(#[from] transport::Error),
    #[error("{}", words(.0))]
    Call(#[from] Status),
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run(&Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: &Arguments) -> Result<(), Failure> {
    let text = match arguments.grid.as_str() {
        "-" => io::read_to_string(io::stdin().lock().take(1_000_000))?,
        grid => grid.to_owned(),
    };
    let answer = solve(arguments, text.clone()).await?;
    // A newer server may read what this client cannot; then no digit counts as given.
    let puzzle = text.parse().unwrap_or(Grid::BLANK);
    print_answer(&puzzle, &answer);
    Ok(())
}

/// The call itself.
async fn solve(arguments: &Arguments, grid: String) -> Result<v1::SolveResponse, Failure> {
    let endpoint = Endpoint::from_shared(with_scheme(&arguments.address))?;
    let endpoint = endpoint.connect_timeout(arguments.deadline);
    let mut client = SudokuServiceClient::new(endpoint.connect().await?);
    let mut request = Request::new(v1::SolveRequest {
        grid,
        skip_uniqueness_check: false,
    });
    request.set_timeout(arguments.deadline);
    Ok(client.solve(request).await?.into_inner())
}

fn with_scheme(address: &str) -> String {
    if address.contains("://") {
        address.to_owned()
    } else {
        format!("http://{address}")
    }
}

fn print_answer(puzzle: &Grid, answer: &v1::SolveResponse) {
    let solution: Option<Grid> = answer.solution.parse().ok();
    let second: Option<Grid> = answer.alternative_solution.parse().ok();
    match solution {
        Some(solution) => print_side_by_side(&frame(puzzle, puzzle), &frame(&solution, puzzle)),
        None => println!("{}", frame(puzzle, puzzle).join("\n")),
    }
    println!("\n{}", verdict(answer));
    for conflict in &answer.conflicts {
        println!("  {}", clash(conflict));
    }
    if let Some(second) = second {
        println!("Here is another:\n\n{}", frame(&second, puzzle).join("\n"));
    }
}

/// What the answer says, in words.
fn verdict(answer: &v1::SolveResponse) -> &'static str {
    use v1::{SolveStatus as S, Uniqueness as U};
    match (answer.status(), answer.uniqueness()) {
        (S::Solved, U::Unique) => "Solved; ' marks the digits found. This is the only solution.",
        (S::Solved, U::Multiple) => {
            "Solved; ' marks the digits found. This is not the only solution."
        }
        (S::Solved, _) => "Solved. Whether there are other solutions was not found out.",
        (S::NoSolution, _) => "No solution: no digits clash, and yet it cannot be filled.",
        (S::ConflictingGivens, _) => "No solution, since givens clash:",
        (S::LimitReached, _) => "Not solved: the server's work limit was reached.",
        (S::Unspecified, _) => "The server answers in a way that this client does not know.",
    }
}

fn clash(conflict: &v1::Conflict) -> String {
    let unit = match conflict.unit() {
        v1::Unit::Row => "row",
        v1::Unit::Column => "column",
        v1::Unit::Box => "box",
        v1::Unit::Unspecified => "unit",
    };
    let place = |cell: &v1::Cell| format!("row {} column {}", cell.row, cell.column);
    let places: Vec<String> = conflict.cells.iter().map(place).collect();
    let (digit, number, places) = (conflict.digit, conflict.unit_number, places.join(" and "));
    format!("{digit} stands more than once in {unit} {number}: {places}")
}

/// The lines of a framed grid. A digit that is no given of `puzzle` has a `'` behind it,
/// and is bold and green on a terminal.
fn frame(grid: &Grid, puzzle: &Grid) -> Vec<String> {
    let is_coloured = stdout().is_terminal();
    let cell = |cell: Cell| match (grid.get(cell), puzzle.get(cell)) {
        (None, _) => " . ".into(),
        (Some(given), Some(_)) => format!(" {given} "),
        (Some(found), None) if is_coloured => format!(" \x1b[1;32m{found}'\x1b[0m"),
        (Some(found), None) => format!(" {found}'"),
    };
    let rule = |ends: [&str; 3]| {
        let [left, middle, right] = ends;
        let line = "─".repeat(9);
        format!("{left}{line}{middle}{line}{middle}{line}{right}")
    };
    let mut lines = vec![rule(["┌", "┬", "┐"])];
    for row in 0..9 {
        let cells: Vec<String> = (0..9).map(|column| cell(Cell::at(row, column))).collect();
        let boxes: Vec<String> = cells.chunks(3).map(<[String]>::concat).collect();
        lines.push(format!("│{}│", boxes.join("│")));
        if row == 2 || row == 5 {
            lines.push(rule(["├", "┼", "┤"]));
        }
    }
    lines.push(rule(["└", "┴", "┘"]));
    lines
}

fn print_side_by_side(left: &[String], right: &[String]) {
    for (left, right) in left.iter().zip(right) {
        println!("{left}   {right}");
    }
}

/// What a failed call said: code, message, and the violations that the message leaves out.
fn words(status: &Status) -> String {
    let mut lines = vec![format!("{:?}: {}", status.code(), status.message())];
    let details = status.get_details_bad_request();
    for violation in details.map_or(vec![], |bad_request| bad_request.field_violations) {
        if !status.message().contains(&violation.description) {
            lines.push(format!("{}: {}", violation.field, violation.description));
        }
    }
    if matches!(status.code(), Code::Cancelled | Code::DeadlineExceeded) {
        lines.push("Is --deadline too short?".into());
    }
    lines.join("\n")
}

/// The error with all its causes, and a hint if nobody listens.
fn causes(error: &transport::Error) -> String {
    let (mut words, mut hint) = (vec![error.to_string()], "");
    let mut next = error.source();
    while let Some(cause) = next {
        words.push(cause.to_string());
        let io_error = cause.downcast_ref::<io::Error>();
        if io_error.is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused) {
            hint = "\nIs the server running? `cargo run --release` starts it.";
        }
        next = cause.source();
    }
    words.dedup();
    words.join(": ") + hint
}
