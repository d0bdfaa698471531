//! Calls each method of the service once and prints an answer a line.
//!
//! ```text
//! cargo run --example methods -- 127.0.0.1:50051
//! cargo run --example methods -- --ca ca.crt sudoku.example.org:50051
//! cargo run --example methods -- unix:/run/sudoku/socket
//! ```

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use sudoku_service::grpc::v1::sudoku_service_client::SudokuServiceClient;
use sudoku_service::grpc::v1::{
    BatchSolveRequest, CountSolutionsRequest, EnumerateSolutionsRequest, ItemError, SolveRequest,
    SolveResponse, StreamSolveRequest, ValidateRequest, batch_solve_result, stream_solve_response,
};
use tonic::transport::{self, Certificate, Channel, ClientTlsConfig, Endpoint};
use tonic::{Request, Status};

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// Filled in so far; the 1 in row 1 is wrong.
const GRID: &str =
    "534.7.1..6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// The puzzle without one of its givens.
const AMBIGUOUS: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8...9";
/// No grid.
const UNREADABLE: &str = "123";
const DEADLINE: Duration = Duration::from_secs(5);

type Client = SudokuServiceClient<Channel>;

/// Calls each method of a running sudoku-service once.
#[derive(Debug, Parser)]
struct Arguments {
    /// File of the authority of the server's certificate; turns TLS on
    #[arg(long)]
    ca: Option<PathBuf>,

    /// Where the server is, as 127.0.0.1:50051 or unix:PATH
    address: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut client = Client::new(endpoint(&Arguments::parse())?.connect().await?);
    println!("Solve {}", solve(&mut client).await?);
    println!("Validate {}", validate(&mut client).await?);
    println!("BatchSolve {}", batch_solve(&mut client).await?);
    println!("StreamSolve {}", stream_solve(&mut client).await?);
    println!("CountSolutions {}", count_solutions(&mut client).await?);
    println!("EnumerateSolutions {}", enumerate(&mut client).await?);
    Ok(())
}

fn endpoint(arguments: &Arguments) -> Result<Endpoint, Box<dyn Error>> {
    let address = &arguments.address;
    Ok(match &arguments.ca {
        Some(file) => secure(address, &fs::read(file)?)?,
        None if address.starts_with("unix:") => Endpoint::from_shared(address.clone())?,
        None => Endpoint::from_shared(format!("http://{address}"))?,
    })
}

fn secure(address: &str, ca: &[u8]) -> Result<Endpoint, transport::Error> {
    let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(ca));
    Endpoint::from_shared(format!("https://{address}"))?.tls_config(tls)
}

async fn solve(client: &mut Client) -> Result<String, Status> {
    let answer = client.solve(timely(puzzle(PUZZLE))).await?.into_inner();
    let (status, uniqueness) = (answer.status(), answer.uniqueness());
    let names = [status.as_str_name(), uniqueness.as_str_name()];
    Ok(format!("{} {}", names.join(" "), answer.solution))
}

async fn validate(client: &mut Client) -> Result<String, Status> {
    let request = ValidateRequest {
        grid: GRID.to_owned(),
        puzzle: PUZZLE.to_owned(),
        ..Default::default()
    };
    let answer = client.validate(timely(request)).await?.into_inner();
    let wrong = answer.wrong_cells.iter();
    let wrong: Vec<_> = wrong.map(|c| format!("{}:{}", c.row, c.column)).collect();
    let (state, filled) = (answer.state(), answer.filled_cell_count);
    Ok(format!(
        "{} {filled} {}",
        state.as_str_name(),
        wrong.join(" ")
    ))
}

async fn batch_solve(client: &mut Client) -> Result<String, Status> {
    use batch_solve_result::Outcome;
    let requests = [PUZZLE, UNREADABLE].map(puzzle).to_vec();
    let request = timely(BatchSolveRequest { requests });
    let results = client.batch_solve(request).await?.into_inner().results;
    let results = results.into_iter().map(|result| match result.outcome {
        Some(Outcome::Response(answer)) => found(&answer),
        Some(Outcome::Error(error)) => refused(&error),
        None => "?".to_owned(),
    });
    Ok(results.collect::<Vec<_>>().join(" "))
}

async fn stream_solve(client: &mut Client) -> Result<String, Status> {
    use stream_solve_response::Outcome;
    let items = [("a", PUZZLE), ("b", UNREADABLE), ("c", PUZZLE)];
    let requests = items.map(|(id, grid)| StreamSolveRequest {
        id: id.to_owned(),
        request: Some(puzzle(grid)),
    });
    let request = timely(tokio_stream::iter(requests));
    let mut answers = client.stream_solve(request).await?.into_inner();
    let mut lines = Vec::new();
    while let Some(answer) = answers.message().await? {
        let outcome = match answer.outcome {
            Some(Outcome::Response(answer)) => found(&answer),
            Some(Outcome::Error(error)) => refused(&error),
            None => "?".to_owned(),
        };
        lines.push(format!(
            "{}:{}:{outcome}",
            answer.sequence_number, answer.id
        ));
    }
    Ok(lines.join(" "))
}

async fn count_solutions(client: &mut Client) -> Result<String, Status> {
    let request = timely(CountSolutionsRequest {
        grid: AMBIGUOUS.to_owned(),
        limit: 10,
    });
    let answer = client.count_solutions(request).await?.into_inner();
    Ok(format!("{} {}", answer.solution_count, answer.exact))
}

/// Of the blank grid, so that it takes several messages.
async fn enumerate(client: &mut Client) -> Result<String, Status> {
    let request = timely(EnumerateSolutionsRequest {
        grid: ".".repeat(81),
        limit: 250,
    });
    let mut answers = client.enumerate_solutions(request).await?.into_inner();
    let (mut solutions, mut exhaustive) = (Vec::new(), false);
    while let Some(answer) = answers.message().await? {
        solutions.extend(answer.solutions);
        exhaustive = answer.exhaustive;
    }
    let ends = [solutions.first(), solutions.last()].map(|s| s.map_or("?", String::as_str));
    Ok(format!(
        "{} {exhaustive} {}",
        solutions.len(),
        ends.join(" ")
    ))
}

fn puzzle(grid: &str) -> SolveRequest {
    SolveRequest {
        grid: grid.to_owned(),
        ..Default::default()
    }
}

/// The request with the deadline that every call should have.
fn timely<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.set_timeout(DEADLINE);
    request
}

fn found(answer: &SolveResponse) -> String {
    answer.solution.clone()
}

fn refused(error: &ItemError) -> String {
    error.reason.clone()
}
