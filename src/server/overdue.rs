//! Calls whose deadline passed and whose client does not read.
//!
//! A body that is over its deadline says so in its trailers. But hyper asks a body for
//! more only when its client takes more, and a client that reads nothing would keep its
//! call for ever. So the task of a call, which hyper starts for each, is given up a moment
//! after the call's deadline; its client gets a reset (CANCEL).

use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// What a client has after the deadline to take the trailers that tell of it.
const MOMENT: Duration = Duration::from_millis(100);

thread_local! {
    /// The deadline of the call whose task this thread runs at the moment, once it is known.
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Lets the task that this is called in be given up a moment after `deadline`.
pub(super) fn give_up_after(deadline: Instant) {
    // Calls over HTTP/1.1 have no task of their own, and then nobody looks; there a
    // client that does not read is hung up on.
    DEADLINE.set(Some(deadline));
}

/// The task of a call, which ends with the call or is given up.
pub(super) struct Task<F> {
    /// Boxed: the task is moved several times before it runs.
    call: Pin<Box<F>>,
    deadline: Option<Instant>,
    end: Option<Pin<Box<Sleep>>>,
}

impl<F: Future> Task<F> {
    pub(super) fn new(call: F) -> Self {
        Self {
            call: Box::pin(call),
            deadline: None,
            end: None,
        }
    }
}

impl<F: Future> Future for Task<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        DEADLINE.set(this.deadline);
        // Most calls end here, at the first poll, and never have a timer.
        if this.call.as_mut().poll(cx).is_ready() {
            return Poll::Ready(());
        }
        this.deadline = DEADLINE.get();
        let Some(deadline) = this.deadline else {
            return Poll::Pending;
        };
        let end = || Box::pin(sleep_until(deadline + MOMENT));
        this.end.get_or_insert_with(end).as_mut().poll(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_task_ends_a_moment_after_its_deadline() {
        let begun = Instant::now();
        Task::new(async {
            give_up_after(begun + Duration::from_secs(3));
            pending::<()>().await;
        })
        .await;
        assert_eq!(begun.elapsed(), Duration::from_secs(3) + MOMENT);
    }

    #[tokio::test(start_paused = true)]
    async fn the_deadline_of_one_task_is_not_that_of_another() {
        let second = Duration::from_secs(1);
        let begun = Instant::now();
        let ends = |after: u32| {
            Task::new(async move {
                give_up_after(begun + second * after);
                pending::<()>().await;
            })
        };
        let no_deadline = Task::new(tokio::time::sleep(5 * second));
        let elapsed = async |task: &mut (dyn Future<Output = ()> + Unpin)| {
            task.await;
            begun.elapsed()
        };
        let (mut one, mut two, mut three) = (ends(2), ends(1), no_deadline);
        let ended = tokio::join!(elapsed(&mut one), elapsed(&mut two), elapsed(&mut three));
        assert_eq!(ended, (2 * second + MOMENT, second + MOMENT, 5 * second));
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_ends_by_itself_is_not_kept() {
        let begun = Instant::now();
        Task::new(async { give_up_after(begun + Duration::from_secs(3)) }).await;
        assert_eq!(begun.elapsed(), Duration::ZERO);
    }
}
