//! A client of sudoku-service: solves one grid, or one grid for each line of standard input.
//!
//! ```text
//! cargo run --example client -- 127.0.0.1:50051 solve 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
//! cargo run --example client -- 127.0.0.1:50051 stream < puzzles.txt
//! ```

mod explain;
mod retry;
mod stream;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use std::{fs, io};

use clap::{Parser, Subcommand};
use sudoku_service::grpc::v1::sudoku_service_client::SudokuServiceClient;
use sudoku_service::grpc::v1::{SolveRequest, SolveResponse};
use tonic::transport::{self, Certificate, Channel, ClientTlsConfig, Endpoint};
use tonic::{Request, Status};

use retry::RetryPolicy;

type Client = SudokuServiceClient<Channel>;

/// How long one call may take.
const DEADLINE: Duration = Duration::from_secs(5);
/// An answer to a batch is larger than the usual 4 MiB.
const LARGEST_ANSWER: usize = 16 << 20;

/// Solves Sudoku by asking a running sudoku-service.
#[derive(Debug, Parser)]
struct Arguments {
    /// File of the authority of the server's certificate; turns TLS on
    #[arg(long)]
    ca: Option<PathBuf>,

    /// Where the server is, as 127.0.0.1:50051 or sudoku.example.org:50051
    address: String,

    #[command(subcommand)]
    todo: Todo,
}

#[derive(Debug, Subcommand)]
enum Todo {
    /// Solve one grid
    Solve {
        /// Its 81 cells, row by row, `.` for a blank
        grid: String,
    },
    /// Solve a grid for each line of standard input
    Stream,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("cannot connect: {0}")]
    Connection(#[from] transport::Error),
    #[error("{}", explain::status(.0))]
    Call(#[from] Status),
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<(), Failure> {
    let client = Client::new(channel(&arguments)?).max_decoding_message_size(LARGEST_ANSWER);
    match arguments.todo {
        Todo::Solve { grid } => println!("{}", shown(&solve(&client, grid).await?)),
        Todo::Stream => stream::solve_lines(client).await?,
    }
    Ok(())
}

/// A channel that connects when it is first used, and again when its connection is gone.
fn channel(arguments: &Arguments) -> Result<Channel, Failure> {
    let scheme = if arguments.ca.is_some() {
        "https"
    } else {
        "http"
    };
    let mut endpoint = Endpoint::from_shared(format!("{scheme}://{}", arguments.address))?
        .connect_timeout(DEADLINE)
        .http2_keep_alive_interval(Duration::from_secs(60));
    if let Some(file) = &arguments.ca {
        let ca = Certificate::from_pem(fs::read(file)?);
        endpoint = endpoint.tls_config(ClientTlsConfig::new().ca_certificate(ca))?;
    }
    Ok(endpoint.connect_lazy())
}

/// The call, tried again as the published service config says.
async fn solve(client: &Client, grid: String) -> Result<SolveResponse, Status> {
    let request = SolveRequest {
        grid,
        skip_uniqueness_check: false,
    };
    let call = || async {
        let mut request = Request::new(request.clone());
        request.set_timeout(DEADLINE);
        client.clone().solve(request).await
    };
    Ok(RetryPolicy::published().run(call).await?.into_inner())
}

fn shown(answer: &SolveResponse) -> String {
    let status = answer.status().as_str_name();
    let name = status.trim_start_matches("SOLVE_STATUS_");
    format!("{name} {}", answer.solution).trim_end().to_owned()
}
