//! Those who call: each method's way to send puzzles and take answers.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use sudoku_service::grpc::v1;
use sudoku_service::grpc::v1::sudoku_service_client::SudokuServiceClient;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Channel;
use tonic::{Request, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::judge;
use crate::tally::Tally;
use crate::work::{Puzzle, Work};

/// The method to call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rpc {
    /// Solve, one puzzle a call.
    Solve,
    /// Validate, one puzzle a call.
    Validate,
    /// `BatchSolve`, many puzzles a call.
    Batch,
    /// `StreamSolve`, one stream a connection.
    Stream,
    /// The health check, to see what a call costs that solves nothing.
    Health,
}

/// How long to wait after a failed call before the next.
const PAUSE: Duration = Duration::from_millis(10);

/// One who calls over a connection, again and again until there is no work.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) client: SudokuServiceClient<Channel>,
    pub(crate) health: HealthClient<Channel>,
    pub(crate) work: Arc<Work>,
    pub(crate) tally: Arc<Mutex<Tally>>,
    pub(crate) deadline: Duration,
    pub(crate) batch_size: usize,
    pub(crate) in_flight: usize,
}

impl Caller {
    pub(crate) async fn run(mut self, rpc: Rpc) {
        let work = Arc::clone(&self.work);
        let size = match rpc {
            Rpc::Solve | Rpc::Validate | Rpc::Health => 1,
            Rpc::Batch => self.batch_size,
            Rpc::Stream => self.in_flight,
        };
        loop {
            let puzzles = work.batch(size);
            let called = match (rpc, puzzles.as_slice()) {
                (_, []) => return,
                (Rpc::Batch, puzzles) => self.batch(puzzles).await,
                (Rpc::Stream, puzzles) => self.stream(puzzles).await,
                (Rpc::Solve, [puzzle, ..]) => self.solve(puzzle).await,
                (Rpc::Validate, [puzzle, ..]) => self.validate(puzzle).await,
                (Rpc::Health, _) => self.check_health().await,
            };
            if let Err(status) = called {
                self.tally().failed(status.code(), status.message());
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    async fn solve(&mut self, puzzle: &Puzzle) -> Result<(), Status> {
        let request = self.request(solve_request(puzzle));
        let sent = Instant::now();
        let answer = self.client.solve(request).await?;
        let mut tally = self.answered(sent);
        tally.judged(puzzle, judge::solved(puzzle, answer.get_ref()));
        Ok(())
    }

    async fn validate(&mut self, puzzle: &Puzzle) -> Result<(), Status> {
        let request = self.request(v1::ValidateRequest {
            grid: puzzle.text.clone(),
            ..v1::ValidateRequest::default()
        });
        let sent = Instant::now();
        let answer = self.client.validate(request).await?;
        let mut tally = self.answered(sent);
        tally.judged(puzzle, judge::validated(puzzle, answer.get_ref()));
        Ok(())
    }

    async fn check_health(&mut self) -> Result<(), Status> {
        let request = self.request(HealthCheckRequest::default());
        let sent = Instant::now();
        let answer = self.health.check(request).await?;
        let mut tally = self.answered(sent);
        if answer.get_ref().status() != ServingStatus::Serving {
            tally.wrong("the server says that it is not serving");
        }
        Ok(())
    }

    async fn batch(&mut self, puzzles: &[&Puzzle]) -> Result<(), Status> {
        use v1::batch_solve_result::Outcome;
        let requests = puzzles.iter().map(|puzzle| solve_request(puzzle)).collect();
        let request = self.request(v1::BatchSolveRequest { requests });
        let sent = Instant::now();
        let results = self.client.batch_solve(request).await?.into_inner().results;
        let mut tally = self.answered(sent);
        if results.len() != puzzles.len() {
            tally.wrong("the number of results of a batch");
            return Ok(());
        }
        for (puzzle, result) in puzzles.iter().zip(&results) {
            match &result.outcome {
                Some(Outcome::Response(answer)) => {
                    tally.judged(puzzle, judge::solved(puzzle, answer));
                }
                Some(Outcome::Error(error)) => tally.failed(error.code.into(), &error.message),
                None => tally.judged(puzzle, Err("no outcome")),
            }
        }
        Ok(())
    }

    /// Begins a stream with `puzzles` and sends one more for each answer.
    async fn stream(&mut self, puzzles: &[&Puzzle]) -> Result<(), Status> {
        let work = Arc::clone(&self.work);
        let (mut line, requests) = Line::new(self.in_flight);
        for puzzle in puzzles {
            line.send(puzzle);
        }
        let requests = ReceiverStream::new(requests);
        let mut answers = self.client.stream_solve(requests).await?.into_inner();
        while let Some(answer) = answers.message().await? {
            self.note_item(line.take().as_ref(), &answer);
            match work.next() {
                Some(puzzle) => line.send(puzzle),
                None => line.end(),
            }
        }
        let mut tally = self.tally();
        tally.calls += 1;
        if !line.waiting.is_empty() {
            tally.wrong("the stream ended before its last answer");
        }
        Ok(())
    }

    fn note_item(&self, sent: Option<&Sent<'_>>, answer: &v1::StreamSolveResponse) {
        use v1::stream_solve_response::Outcome;
        let mut tally = self.tally();
        let Some(&Sent { number, puzzle, at }) = sent else {
            return tally.wrong("an answer without a request");
        };
        tally.latency.record(at.elapsed());
        if answer.sequence_number != number || answer.id != number.to_string() {
            return tally.judged(puzzle, Err("the number or the id"));
        }
        match &answer.outcome {
            Some(Outcome::Response(answer)) => {
                tally.judged(puzzle, judge::solved(puzzle, answer));
            }
            Some(Outcome::Error(error)) => tally.failed(error.code.into(), &error.message),
            None => tally.judged(puzzle, Err("no outcome")),
        }
    }

    fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        request.set_timeout(self.deadline);
        request
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call that was answered.
    fn answered(&self, sent: Instant) -> MutexGuard<'_, Tally> {
        let elapsed = sent.elapsed();
        let mut tally = self.tally();
        tally.calls += 1;
        tally.latency.record(elapsed);
        tally
    }
}

fn solve_request(puzzle: &Puzzle) -> v1::SolveRequest {
    v1::SolveRequest {
        grid: puzzle.text.clone(),
        skip_uniqueness_check: false,
    }
}

/// The puzzles of a stream that have no answer yet, in the order in which they were sent.
#[derive(Debug)]
struct Line<'a> {
    /// Nothing once the stream has its last request.
    requests: Option<mpsc::Sender<v1::StreamSolveRequest>>,
    waiting: VecDeque<Sent<'a>>,
    last_number: i64,
}

#[derive(Debug)]
struct Sent<'a> {
    number: i64,
    puzzle: &'a Puzzle,
    at: Instant,
}

impl<'a> Line<'a> {
    fn new(in_flight: usize) -> (Self, mpsc::Receiver<v1::StreamSolveRequest>) {
        let (requests, sending) = mpsc::channel(in_flight);
        let line = Self {
            requests: Some(requests),
            waiting: VecDeque::with_capacity(in_flight),
            last_number: 0,
        };
        (line, sending)
    }

    /// Sends a puzzle; there must be fewer than `in_flight` waiting.
    fn send(&mut self, puzzle: &'a Puzzle) {
        let Some(requests) = &self.requests else {
            return;
        };
        self.last_number += 1;
        let number = self.last_number;
        let at = Instant::now();
        self.waiting.push_back(Sent { number, puzzle, at });
        let request = v1::StreamSolveRequest {
            id: number.to_string(),
            request: Some(solve_request(puzzle)),
        };
        // Refused only if the stream has failed, which its next answer will say.
        let _ = requests.try_send(request);
    }

    /// The puzzle whose answer comes next.
    fn take(&mut self) -> Option<Sent<'a>> {
        self.waiting.pop_front()
    }

    /// Sends nothing more, which ends the stream behind the last answer.
    fn end(&mut self) {
        self.requests = None;
    }
}
