//! The methods of `sudoku.v1.SudokuService`.

use std::pin::Pin;

use futures_util::Stream;
use tonic::{Request, Response, Status, Streaming};

use super::v1::sudoku_service_server::{SudokuService, SudokuServiceServer};
use super::{MAX_MESSAGE_SIZE, convert, v1};
use crate::grid::Grid;
use crate::rules;
use crate::solver::{Decision, Engine, Goal, Outcome};
use crate::workers::Workers;

/// Answers calls with an engine.
#[derive(Debug, Clone)]
pub struct Service {
    engine: Engine,
    workers: Workers,
    max_guesses: u64,
}

impl Service {
    /// A service that lets `engine` spend `max_guesses` on each grid of a call.
    #[must_use]
    pub const fn new(engine: Engine, workers: Workers, max_guesses: u64) -> Self {
        Self {
            engine,
            workers,
            max_guesses,
        }
    }

    /// The service as a part of a server's routes.
    #[must_use]
    pub fn routed(self) -> SudokuServiceServer<Self> {
        SudokuServiceServer::new(self).max_decoding_message_size(MAX_MESSAGE_SIZE)
    }

    async fn outcome(&self, grid: Grid, goal: Goal) -> (Outcome, u64) {
        let engine = self.engine;
        self.workers
            .run(self.max_guesses, move |budget| {
                (engine.solve(&grid, goal, budget), budget.spent())
            })
            .await
    }

    async fn decision(&self, grid: Grid) -> Decision {
        let engine = self.engine;
        self.workers
            .run(self.max_guesses, move |budget| engine.decide(&grid, budget))
            .await
    }

    async fn completions(&self, grid: Grid, is_conflicting: bool, skip: bool) -> v1::Uniqueness {
        if is_conflicting {
            v1::Uniqueness::None
        } else if skip {
            v1::Uniqueness::Unknown
        } else {
            convert::uniqueness(&self.decision(grid).await)
        }
    }

    /// The mistakes in `grid`, if the solution of `puzzle` is unique and so known.
    async fn wrong_cells(&self, grid: &Grid, puzzle: &Grid) -> Vec<v1::Cell> {
        match self.decision(*puzzle).await {
            Decision::One(solution) => convert::cells(&rules::wrong_cells(grid, puzzle, &solution)),
            Decision::None | Decision::Many | Decision::Open => vec![],
        }
    }
}

type Answers<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

#[tonic::async_trait]
impl SudokuService for Service {
    async fn solve(
        &self,
        request: Request<v1::SolveRequest>,
    ) -> Result<Response<v1::SolveResponse>, Status> {
        let (grid, goal) = convert::solve_request(request.get_ref())?;
        let (outcome, guesses) = self.outcome(grid, goal).await;
        Ok(Response::new(convert::solve_response(
            &grid, &outcome, guesses,
        )))
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
                self.wrong_cells(&grid, &puzzle).await,
            ),
            None => (vec![], vec![]),
        };
        let uniqueness =
            self.completions(grid, !conflicts.is_empty(), request.skip_uniqueness_check);
        Ok(Response::new(v1::ValidateResponse {
            state: state.into(),
            conflicts,
            uniqueness: uniqueness.await.into(),
            filled_cell_count: i32::try_from(grid.filled()).unwrap_or(i32::MAX),
            changed_givens,
            wrong_cells,
            normalized_grid: grid.to_string(),
        }))
    }

    async fn batch_solve(
        &self,
        _request: Request<v1::BatchSolveRequest>,
    ) -> Result<Response<v1::BatchSolveResponse>, Status> {
        Err(Status::unimplemented("BatchSolve is not served yet"))
    }

    type StreamSolveStream = Answers<v1::StreamSolveResponse>;

    async fn stream_solve(
        &self,
        _request: Request<Streaming<v1::StreamSolveRequest>>,
    ) -> Result<Response<Self::StreamSolveStream>, Status> {
        Err(Status::unimplemented("StreamSolve is not served yet"))
    }

    async fn count_solutions(
        &self,
        request: Request<v1::CountSolutionsRequest>,
    ) -> Result<Response<v1::CountSolutionsResponse>, Status> {
        let (grid, limit) = convert::count_request(request.get_ref())?;
        let engine = self.engine;
        let count = self
            .workers
            .run(self.max_guesses, move |budget| {
                engine.count(&grid, limit, budget)
            })
            .await;
        Ok(Response::new(convert::count_response(count)))
    }

    type EnumerateSolutionsStream = Answers<v1::EnumerateSolutionsResponse>;

    async fn enumerate_solutions(
        &self,
        _request: Request<v1::EnumerateSolutionsRequest>,
    ) -> Result<Response<Self::EnumerateSolutionsStream>, Status> {
        Err(Status::unimplemented(
            "EnumerateSolutions is not served yet",
        ))
    }
}
