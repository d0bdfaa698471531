//! The methods of `sudoku.v1.SudokuService`.

use std::pin::Pin;

use futures_util::{Stream, TryStreamExt};
use tonic::codec::CompressionEncoding;
use tonic::{Request, Response, Status, Streaming};

use super::mend::mended_status;
use super::solving::Solving;
use super::v1::sudoku_service_server::{SudokuService, SudokuServiceServer};
use super::{convert, enumerate, stream, v1};
use crate::grid::Grid;
use crate::rules;
use crate::solver::{Budget, Count, Decision, Engine};
use crate::tally::SolvingRpc;
use crate::workers::{BOUNDED_GUESSES, Overloaded, Patience, Workers};

/// Answers calls with an engine.
#[derive(Debug, Clone)]
pub struct Service {
    solving: Solving,
    messages: MessageSettings,
}

/// How messages are read and written.
#[derive(Debug, Clone, Copy)]
pub struct MessageSettings {
    /// The bytes of the largest that is read.
    pub max_size: usize,
    /// Whether those that are written may be compressed.
    pub compression: bool,
}

impl Service {
    /// A service that lets `engine` spend `guesses` on each grid of a call.
    #[must_use]
    pub const fn new(
        engine: Engine,
        workers: Workers,
        guesses: u64,
        messages: MessageSettings,
    ) -> Self {
        Self {
            solving: Solving {
                engine,
                workers,
                guesses,
            },
            messages,
        }
    }

    /// The service as a part of a server's routes.
    #[must_use]
    pub fn routed(self) -> SudokuServiceServer<Self> {
        let MessageSettings {
            max_size,
            compression,
        } = self.messages;
        let server = SudokuServiceServer::new(self).max_decoding_message_size(max_size);
        if compression {
            // Answers only: of a compressed request few bytes can become megabytes, and
            // tonic keeps the memory for as long as its stream lasts.
            server.send_compressed(CompressionEncoding::Gzip)
        } else {
            server
        }
    }

    async fn completions(
        &self,
        grid: Grid,
        is_conflicting: bool,
        skip: bool,
    ) -> Result<v1::Uniqueness, Overloaded> {
        Ok(if is_conflicting {
            v1::Uniqueness::None
        } else if skip {
            v1::Uniqueness::Unknown
        } else {
            convert::uniqueness(&self.solving.decide(grid).await?)
        })
    }

    /// The mistakes in `grid`, if the solution of `puzzle` is unique and so known.
    async fn wrong_cells(&self, grid: &Grid, puzzle: &Grid) -> Result<Vec<v1::Cell>, Overloaded> {
        Ok(match self.solving.decide(*puzzle).await? {
            Decision::One(solution) => convert::cells(&rules::wrong_cells(grid, puzzle, &solution)),
            Decision::None | Decision::Many | Decision::Open => vec![],
        })
    }
}

type Answers<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

#[tonic::async_trait]
impl SudokuService for Service {
    async fn solve(
        &self,
        request: Request<v1::SolveRequest>,
    ) -> Result<Response<v1::SolveResponse>, Status> {
        let item = convert::solve_request(request.get_ref());
        Ok(Response::new(self.solving.answer_one(item).await??))
    }

    async fn validate(
        &self,
        request: Request<v1::ValidateRequest>,
    ) -> Result<Response<v1::ValidateResponse>, Status> {
        let request = request.get_ref();
        let (grid, puzzle) = convert::validate_request(request)?;
        let conflicts = convert::conflicts(&grid);
        let state = match (conflicts.is_empty(), grid.is_complete()) {
            (false, _) => v1::GridState::Conflicting,
            (true, false) => v1::GridState::Incomplete,
            (true, true) => v1::GridState::Solved,
        };
        let (changed_givens, wrong_cells) = match puzzle {
            Some(puzzle) => (
                convert::cells(&rules::changed_givens(&grid, &puzzle)),
                self.wrong_cells(&grid, &puzzle).await?,
            ),
            None => (vec![], vec![]),
        };
        let uniqueness =
            self.completions(grid, !conflicts.is_empty(), request.skip_uniqueness_check);
        Ok(Response::new(v1::ValidateResponse {
            state: state.into(),
            conflicts,
            uniqueness: uniqueness.await?.into(),
            filled_cell_count: i32::try_from(grid.filled()).unwrap_or(i32::MAX),
            changed_givens,
            wrong_cells,
            normalized_grid: String::from(&grid),
        }))
    }

    async fn batch_solve(
        &self,
        request: Request<v1::BatchSolveRequest>,
    ) -> Result<Response<v1::BatchSolveResponse>, Status> {
        let items = convert::batch_request(request.get_ref())?;
        let answers = self
            .solving
            .answer(SolvingRpc::BatchSolve, items, Patience::Call);
        let answers = answers.await?;
        Ok(Response::new(convert::batch_response(answers)))
    }

    type StreamSolveStream = Answers<v1::StreamSolveResponse>;

    async fn stream_solve(
        &self,
        request: Request<Streaming<v1::StreamSolveRequest>>,
    ) -> Result<Response<Self::StreamSolveStream>, Status> {
        let limit = self.messages.max_size;
        let requests = request.into_inner();
        let requests = requests.map_err(move |status| mended_status(status, limit));
        let responses = stream::responses(requests, self.solving.clone());
        Ok(Response::new(Box::pin(responses)))
    }

    async fn count_solutions(
        &self,
        request: Request<v1::CountSolutionsRequest>,
    ) -> Result<Response<v1::CountSolutionsResponse>, Status> {
        let request = request.get_ref();
        let (grid, limit) = convert::solutions_request(&request.grid, request.limit)?;
        let Solving {
            engine,
            workers,
            guesses,
        } = &self.solving;
        let engine = *engine;
        // Where there are solutions at once there are mostly many, each a guess or more.
        let takes_long = |found: &Count| limit > BOUNDED_GUESSES && found.solutions > 0;
        let count = move |budget: &mut Budget<'_>| engine.count(&grid, limit, budget);
        let count = workers.run_foreseen(*guesses, takes_long, count).await?;
        Ok(Response::new(convert::count_response(count)))
    }

    type EnumerateSolutionsStream = Answers<v1::EnumerateSolutionsResponse>;

    async fn enumerate_solutions(
        &self,
        request: Request<v1::EnumerateSolutionsRequest>,
    ) -> Result<Response<Self::EnumerateSolutionsStream>, Status> {
        let request = request.get_ref();
        let (grid, limit) = convert::solutions_request(&request.grid, request.limit)?;
        let responses = enumerate::responses(&self.solving, &grid, limit).await?;
        Ok(Response::new(Box::pin(responses)))
    }
}
