//! A stream of grids that goes on when its server ends.

use std::collections::VecDeque;
use std::io::stdin;
use std::time::Duration;

use sudoku_service::grpc::v1::stream_solve_response::Outcome;
use sudoku_service::grpc::v1::{SolveRequest, StreamSolveRequest, StreamSolveResponse};
use tokio::sync::mpsc;
use tokio::time::sleep;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Status};

use crate::retry::retry_delay;
use crate::{Client, shown};

/// The tries to go on with a stream, with no answer in between.
const MOST_TRIES: u32 = 10;
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// The grids that are sent and not answered.
const WINDOW: usize = 256;

/// Solves each line of standard input and prints its number and its answer.
///
/// What was sent and not answered is kept. When a server is about to end, it answers what
/// it has read and ends the stream with `UNAVAILABLE`; the next stream then begins with
/// the first grid that has no answer yet.
pub(crate) async fn solve_lines(mut client: Client) -> Result<(), Status> {
    let mut progress = Progress::default();
    let mut lines = lines();
    loop {
        let Err(status) = one_stream(&mut client, &mut progress, &mut lines).await else {
            return Ok(());
        };
        progress.tries += 1;
        if !is_passing(status.code()) || progress.tries > MOST_TRIES {
            return Err(status);
        }
        let backoff = Duration::from_millis(100) * 2_u32.pow(progress.tries);
        let pause = retry_delay(&status).unwrap_or(backoff.min(LONGEST_PAUSE));
        eprintln!(
            "interrupted after {} answers: {}; again in {pause:?}",
            progress.count,
            status.message()
        );
        sleep(pause).await;
    }
}

/// How far it has come, over all streams.
#[derive(Debug, Default)]
struct Progress {
    unanswered: VecDeque<StreamSolveRequest>,
    sent: usize,
    count: usize,
    tries: u32,
}

/// `UNAVAILABLE` is what the server says. When a connection breaks or ends at the wrong
/// moment, tonic's client may say `CANCELLED` or `UNKNOWN` of its own.
fn is_passing(code: Code) -> bool {
    matches!(code, Code::Unavailable | Code::Cancelled | Code::Unknown)
}

/// One stream: sends what is unanswered, then what is new, until all is answered.
async fn one_stream(
    client: &mut Client,
    progress: &mut Progress,
    lines: &mut mpsc::Receiver<String>,
) -> Result<(), Status> {
    // There is always room: no more than WINDOW are unanswered.
    let (sender, requests) = mpsc::channel(WINDOW);
    for request in &progress.unanswered {
        sender.try_send(request.clone()).expect("there is room");
    }
    let mut sender = Some(sender);
    let mut responses = client
        .stream_solve(ReceiverStream::new(requests))
        .await?
        .into_inner();
    let mut in_this_stream = 0;
    loop {
        let may_send = sender.is_some() && progress.unanswered.len() < WINDOW;
        tokio::select! {
            line = lines.recv(), if may_send => match line {
                Some(grid) => {
                    let request = progress.next(grid);
                    // If the stream has ended, the responses say why.
                    let _ = sender.as_ref().expect("may_send").try_send(request);
                }
                None => sender = None,
            },
            response = responses.message() => match response? {
                Some(response) => {
                    in_this_stream += 1;
                    assert_eq!(response.sequence_number, in_this_stream);
                    progress.take(&response);
                }
                None => return Ok(()),
            },
        }
    }
}

impl Progress {
    /// The request for one more grid.
    fn next(&mut self, grid: String) -> StreamSolveRequest {
        self.sent += 1;
        let request = StreamSolveRequest {
            id: self.sent.to_string(),
            request: Some(SolveRequest {
                grid,
                skip_uniqueness_check: false,
            }),
        };
        self.unanswered.push_back(request.clone());
        request
    }

    /// Takes and prints the answer to the first that had none.
    fn take(&mut self, response: &StreamSolveResponse) {
        let request = self.unanswered.pop_front().expect("it was asked");
        assert_eq!(request.id, response.id);
        self.count += 1;
        self.tries = 0;
        match &response.outcome {
            Some(Outcome::Response(answer)) => println!("{} {}", self.count, shown(answer)),
            Some(Outcome::Error(error)) => {
                println!("{} {} {}", self.count, error.reason, error.message);
            }
            None => println!("{} ?", self.count),
        }
    }
}

/// The lines of standard input, read by a thread, which the runtime need not wait for.
fn lines() -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel(WINDOW);
    std::thread::spawn(move || {
        for line in stdin().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
