//! `EnumerateSolutions`: the solutions in ascending order, some at a time.

use futures_util::{Stream, stream};
use tonic::Status;

use super::solving::Solving;
use super::v1;
use crate::grid::Grid;
use crate::solver::{Budget, Enumeration, LimitReached, StopFlag};
use crate::workers::{Length, Overloaded, Patience, Workers};

/// The most solutions in one message.
const CHUNK: usize = 100;

/// An enumeration on its way: what is needed to go on with it.
struct Progress {
    enumeration: Enumeration,
    /// The solutions that may still be listed.
    solutions: u64,
    /// The guesses that may still be made.
    guesses: u64,
}

/// The messages that list at most `limit` solutions of `grid`.
///
/// Each message is a search of its own in the pool, begun when the client has taken
/// the one before, so a slow reader holds neither a thread nor memory. The first is made
/// here, so that the call can still be refused.
pub(super) async fn responses(
    solving: &Solving,
    grid: &Grid,
    limit: u64,
) -> Result<
    impl Stream<Item = Result<v1::EnumerateSolutionsResponse, Status>> + Send + use<>,
    Overloaded,
> {
    let start = Progress {
        enumeration: solving.engine.enumerate(grid),
        solutions: limit,
        guesses: solving.guesses,
    };
    let workers = solving.workers.clone();
    let first = start.run(&workers, Patience::Call).await?;
    let messages = stream::unfold(Some(first), move |message| {
        let workers = workers.clone();
        async move {
            let (response, rest) = message?;
            let next = match rest {
                Some(progress) => progress.run(&workers, Patience::Begun).await.ok(),
                None => None,
            };
            Some((Ok(response), next))
        }
    });
    Ok(messages)
}

/// A message, and how to go on if it is not the last.
type Message = (v1::EnumerateSolutionsResponse, Option<Progress>);

impl Progress {
    async fn run(self, workers: &Workers, patience: Patience) -> Result<Message, Overloaded> {
        let next = move |stop: &StopFlag| self.next(stop);
        workers.run_in_pool(Length::Bounded, patience, next).await
    }

    /// The next message.
    fn next(mut self, stop: &StopFlag) -> Message {
        let mut budget = Budget::new(self.guesses, stop);
        let mut solutions = Vec::new();
        let mut end = None;
        while end.is_none() && solutions.len() < CHUNK {
            end = match self.enumeration.next(&mut budget) {
                Ok(Some(_)) if self.solutions == 0 => Some(End::More),
                Ok(Some(solution)) => {
                    solutions.push(String::from(&solution));
                    self.solutions -= 1;
                    None
                }
                Ok(None) => Some(End::All),
                Err(LimitReached) => Some(End::More),
            };
        }
        self.guesses = budget.left();
        let response = v1::EnumerateSolutionsResponse {
            solutions,
            exhaustive: end == Some(End::All),
        };
        (response, end.is_none().then_some(self))
    }
}

/// How an enumeration ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// All solutions are listed.
    All,
    /// There are more, or may be.
    More,
}
