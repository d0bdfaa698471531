//! A panic ends its call, not the connection with the calls of others.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::{FutureExt, TryFutureExt};

/// The call panicked.
#[derive(Debug)]
pub(super) struct Panicked;

/// Runs `call`; a panic in it is logged and becomes an error.
pub(super) fn caught<T>(
    call: impl Future<Output = T>,
) -> impl Future<Output = Result<T, Panicked>> {
    // Unwind safe: what the call worked on is dropped with it.
    let done = AssertUnwindSafe(call).catch_unwind();
    done.map_err(|panic| logged(&*panic))
}

/// The same for one step of a call whose answer has begun.
pub(super) fn caught_step<T>(step: impl FnOnce() -> T) -> Result<T, Panicked> {
    // Unwind safe: who is told of the panic drops what the step worked on.
    catch_unwind(AssertUnwindSafe(step)).map_err(|panic| logged(&*panic))
}

fn logged(panic: &(dyn Any + Send)) -> Panicked {
    tracing::error!(panic = words(panic), "a call panicked");
    Panicked
}

fn words(panic: &(dyn Any + Send)) -> &str {
    let literal = panic.downcast_ref::<&str>().copied();
    let formatted = panic.downcast_ref::<String>().map(String::as_str);
    literal.or(formatted).unwrap_or("without a message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_becomes_an_error_and_an_answer_stays() {
        assert!(matches!(caught(async { 7 }).await, Ok(7)));
        let panics = caught(async { panic!("on purpose: {}", 1) });
        assert!(matches!(panics.await, Err::<(), _>(Panicked)));
    }

    #[test]
    fn the_words_of_a_panic_are_found() {
        assert_eq!(words(&"literal"), "literal");
        assert_eq!(words(&String::from("formatted")), "formatted");
        assert_eq!(words(&7), "without a message");
    }
}
