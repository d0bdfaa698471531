use std::time::Duration;

use futures_util::future::join_all;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::*;
use crate::grid::Grid;
use crate::solver::{Engine, Goal};

/// A board without a solution, that takes very many guesses.
const HOSTILE: &str =
    ".4.....81...6..........84..1..5......84............5..............7...1.81.....4.";

#[tokio::test]
async fn a_search_that_is_dropped_before_it_goes_on_has_stopped() {
    let workers = Workers::new().expect("threads");
    let (ended, mut stages) = mpsc::unbounded_channel();
    let turns = (0..workers.cores()).map(|_| workers.open_ended.turn(Patience::Begun));
    let _taken = join_all(turns).await;
    let search = tokio::spawn({
        let workers = workers.clone();
        let grid: Grid = HOSTILE.parse().expect("a grid");
        async move {
            let search = move |budget: &mut Budget<'_>| {
                let solved = Engine::detect().solve(&grid, Goal::Uniqueness, budget);
                ended.send(()).expect("the test waits");
                solved
            };
            let guesses = 2 * BOUNDED_GUESSES;
            workers.run_long(guesses, Patience::Begun, search).await
        }
    });
    stages.recv().await.expect("a first stage");
    let mut long_searches = workers.long_searches();
    assert_eq!(long_searches.borrow().started, 1);
    search.abort();
    let stopped = long_searches.wait_for(|long| long.stopped == 1);
    let stopped = timeout(Duration::from_secs(30), stopped).await;
    let counted = *stopped
        .expect("not stopped")
        .expect("the workers are there");
    assert_eq!((counted.started, counted.finished), (1, 0));
}

#[tokio::test]
async fn who_is_not_asked_for_more_keeps_nobody_from_a_turn() {
    let workers = Workers::new().expect("threads");
    let cores = workers.cores();
    let taken = (0..cores).map(|_| workers.bounded.turn(Patience::Begun));
    let taken = join_all(taken).await;
    let run = || workers.run_in_pool(Length::Bounded, Patience::Begun, |_| 7);
    let mut waiting: Vec<_> = (0..cores).map(|_| Box::pin(run())).collect();
    for call in &mut waiting {
        assert!(call.as_mut().now_or_never().is_none());
    }
    drop(taken);
    let other = timeout(Duration::from_secs(30), run()).await;
    assert_eq!(other, Ok(Ok(7)));
    assert_eq!(join_all(waiting).await, vec![Ok(7); cores]);
}

#[tokio::test]
async fn what_is_foreseen_to_be_long_is_not_tried_as_bounded() {
    let workers = Workers::new().expect("threads");
    for (is_open_ended, expected) in [(false, 3), (true, 2)] {
        let (tried, mut calls) = mpsc::unbounded_channel();
        let count = move |budget: &mut Budget<'_>| {
            tried.send(()).expect("the test waits");
            let empty = Grid::from_values([0; 81]).expect("a grid");
            Engine::detect().count(&empty, 20_000, budget)
        };
        let count = workers.run_foreseen(1_000_000, |_| is_open_ended, count);
        assert_eq!(count.await.expect("nothing else to do").solutions, 20_000);
        let mut seen = 0;
        while calls.recv().await.is_some() {
            seen += 1;
        }
        assert_eq!(seen, expected);
    }
}
