//! Calls whose deadline passed and whose client does not read.
//!
//! A body that is over its deadline says so in its trailers. But hyper asks a body for
//! more only when its client takes more, and a client that reads nothing would keep its
//! call for ever. So the task of a call, which hyper starts for each, is given up a moment
//! after the call's deadline; its client gets a reset (CANCEL).

use std::cell::Cell;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use tokio::task_local;
use tokio::time::{Instant, Sleep, sleep_until};

/// What a client has after the deadline to take the trailers that tell of it.
const MOMENT: Duration = Duration::from_millis(100);

task_local! {
    /// The deadline of the call that this task answers, once it is known.
    static DEADLINE: Cell<Option<Instant>>;
}

/// Lets the task that this is called in be given up a moment after `deadline`.
pub(super) fn give_up_after(deadline: Instant) {
    // Calls over HTTP/1.1 have no task of their own, but a connection.
    let _no_task = DEADLINE.try_with(|cell| cell.set(Some(deadline)));
}

/// Runs the task of a call until it ends or is given up.
pub(super) async fn run(call: impl Future) {
    let run = async move {
        let mut call = pin!(call);
        let mut end: Option<Pin<Box<Sleep>>> = None;
        poll_fn(|cx| {
            // Most calls end here, at the first poll, and never have a timer.
            if call.as_mut().poll(cx).is_ready() {
                return Poll::Ready(());
            }
            if end.is_none() {
                let deadline = DEADLINE.with(Cell::get);
                end = deadline.map(|at| Box::pin(sleep_until(at + MOMENT)));
            }
            match &mut end {
                Some(end) => end.as_mut().poll(cx),
                None => Poll::Pending,
            }
        })
        .await;
    };
    DEADLINE.scope(Cell::new(None), run).await;
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_task_ends_a_moment_after_its_deadline() {
        let begun = Instant::now();
        run(async {
            give_up_after(begun + Duration::from_secs(3));
            pending::<()>().await;
        })
        .await;
        assert_eq!(begun.elapsed(), Duration::from_secs(3) + MOMENT);
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_ends_by_itself_is_not_kept() {
        let begun = Instant::now();
        run(async { give_up_after(begun + Duration::from_secs(3)) }).await;
        assert_eq!(begun.elapsed(), Duration::ZERO);
    }
}
