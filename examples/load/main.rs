//! A load generator that checks every answer: sends the puzzles of a file to a running
//! server and prints one line of JSON.
//!
//! ```text
//! cargo run --release --example load -- --in-flight 64 --seconds 10 puzzles.txt
//! cargo run --release --example load -- --rpc batch --once puzzles.txt
//! ```

mod caller;
mod judge;
mod report;
mod server_cost;
mod tally;
mod work;

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Parser;
use sudoku_service::grpc::v1::sudoku_service_client::SudokuServiceClient;
use tokio::task::JoinSet;
use tonic::transport::{self, Channel, Endpoint};
use tonic_health::pb::health_client::HealthClient;

use caller::{Caller, Rpc};
use report::Report;
use server_cost::Usage;
use tally::Tally;
use work::{Work, WorkError};

/// Sends puzzles to a sudoku-service, checks every answer, and prints one line of JSON.
///
/// Ctrl-C ends the run and prints what came until then; pressed again, it does not wait for
/// open calls. The exit code is 0 if all calls succeeded and no answer was wrong, 1 if not,
/// and 2 if the run could not begin.
#[derive(Debug, Parser)]
struct Arguments {
    /// The puzzles, one a line; empty lines and those that begin with # are passed over
    file: PathBuf,

    /// Where the server listens
    #[arg(long, default_value = "http://127.0.0.1:50051")]
    address: String,

    /// What to call
    #[arg(long, value_enum, default_value_t = Rpc::Solve)]
    rpc: Rpc,

    /// How many connections to open
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    connections: u16,

    /// How many calls are open on each connection; with stream, how many puzzles
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..))]
    in_flight: u16,

    /// How many puzzles a batch has
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u16).range(1..))]
    batch_size: u16,

    /// How long to go on, with the file from the start again as often as needed
    #[arg(long, default_value_t = 10)]
    seconds: u64,

    /// Send each puzzle once, however long it takes
    #[arg(long, conflicts_with = "seconds")]
    once: bool,

    /// The deadline of each call (a stream has none)
    #[arg(long, default_value = "10s", value_parser = humantime::parse_duration)]
    deadline: Duration,

    /// The server's process, on this machine, to tell what it costs (Linux only)
    #[arg(long)]
    pid: Option<u32>,
}

/// Why a run cannot begin.
#[derive(Debug, thiserror::Error)]
enum LoadError {
    #[error("{}: {error}", file.display())]
    File { file: PathBuf, error: io::Error },
    #[error("{}: {error}", file.display())]
    Work { file: PathBuf, error: WorkError },
    #[error("cannot connect to {address}: {}; is the server running?", root(.error))]
    Connection {
        address: String,
        error: transport::Error,
    },
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(&Arguments::parse()).await {
        Ok(report) => {
            println!("{report}");
            ExitCode::from(u8::from(!report.is_clean()))
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

async fn run(arguments: &Arguments) -> Result<Report, LoadError> {
    let work = Arc::new(read(&arguments.file, arguments.once)?);
    let callers = callers(arguments, &work).await?;
    let tallies: Vec<_> = callers.iter().map(|c| Arc::clone(&c.tally)).collect();
    let usage = || arguments.pid.and_then(usage);
    let before = usage();
    let begun = Instant::now();
    let mut calls: JoinSet<()> = callers.into_iter().map(|c| c.run(arguments.rpc)).collect();
    let end = (!arguments.once).then(|| Duration::from_secs(arguments.seconds));
    until_the_end(&mut calls, &work, end, || progress(begun, &sum(&tallies))).await;
    let elapsed = begun.elapsed();
    let cost = before.zip(usage());
    let tally = sum(&tallies);
    Ok(Report {
        tally,
        elapsed,
        cost,
    })
}

fn read(file: &Path, once: bool) -> Result<Work, LoadError> {
    let file = file.to_owned();
    match std::fs::read_to_string(&file) {
        Ok(text) => Work::read(&text, once).map_err(|error| LoadError::Work { file, error }),
        Err(error) => Err(LoadError::File { file, error }),
    }
}

/// Those who call: one for each call, or stream, that is to be open at a time.
async fn callers(arguments: &Arguments, work: &Arc<Work>) -> Result<Vec<Caller>, LoadError> {
    let per_connection = match arguments.rpc {
        Rpc::Stream => 1,
        Rpc::Solve | Rpc::Validate | Rpc::Batch | Rpc::Health => arguments.in_flight,
    };
    let mut callers = vec![];
    for _ in 0..arguments.connections {
        let channel = connect(&arguments.address).await;
        let channel = channel.map_err(|error| LoadError::Connection {
            address: arguments.address.clone(),
            error,
        })?;
        callers.extend((0..per_connection).map(|_| Caller {
            client: SudokuServiceClient::new(channel.clone()),
            health: HealthClient::new(channel.clone()),
            work: Arc::clone(work),
            tally: Arc::default(),
            deadline: arguments.deadline,
            batch_size: arguments.batch_size.into(),
            in_flight: arguments.in_flight.into(),
        }));
    }
    Ok(callers)
}

async fn connect(address: &str) -> Result<Channel, transport::Error> {
    let address = if address.contains("://") {
        address.to_owned()
    } else {
        format!("http://{address}")
    };
    let endpoint = Endpoint::from_shared(address)?;
    endpoint
        .connect_timeout(Duration::from_secs(5))
        .connect()
        .await
}

/// The cause that has no other, in words: those of the transport itself tell little.
fn root(error: &dyn Error) -> String {
    error.source().map_or_else(|| error.to_string(), root)
}

/// Waits until all `calls` have ended: because there is no more work, or the time is over,
/// or the user wants it.
async fn until_the_end(
    calls: &mut JoinSet<()>,
    work: &Work,
    end: Option<Duration>,
    progress: impl Fn(),
) {
    let end = end.and_then(|end| tokio::time::Instant::now().checked_add(end));
    let time_over = async {
        match end {
            Some(end) => tokio::time::sleep_until(end).await,
            None => std::future::pending().await,
        }
    };
    tokio::pin!(time_over);
    let mut is_over = false;
    let mut second = tokio::time::interval(Duration::from_secs(1));
    second.tick().await;
    loop {
        tokio::select! {
            ended = calls.join_next() => match ended {
                Some(ended) => ended.expect("no caller panics"),
                None => return,
            },
            () = &mut time_over, if !is_over => {
                is_over = true;
                work.stop();
            }
            _ = tokio::signal::ctrl_c() => {
                if work.stop() {
                    return;
                }
            }
            _ = second.tick() => progress(),
        }
    }
}

fn sum(tallies: &[Arc<Mutex<Tally>>]) -> Tally {
    let mut sum = Tally::default();
    for tally in tallies {
        sum.add(&tally.lock().unwrap_or_else(PoisonError::into_inner));
    }
    sum
}

fn progress(begun: Instant, tally: &Tally) {
    let seconds = begun.elapsed().as_secs();
    let (puzzles, wrong) = (tally.puzzles, tally.wrong);
    let failed: u64 = tally.failed.values().sum();
    eprintln!("{seconds} s: {puzzles} puzzles, {failed} failed, {wrong} wrong");
}

fn usage(pid: u32) -> Option<Usage> {
    let usage = Usage::of(pid);
    usage
        .inspect_err(|error| eprintln!("--pid {pid}: {error}; left out"))
        .ok()
}
