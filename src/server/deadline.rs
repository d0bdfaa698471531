//! Deadlines: how long a call may take, before its answer begins and while it streams.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{HeaderMap, HeaderName, Request};
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until, timeout_at};
use tonic::Status;
use tonic::body::Body;

use super::overdue;
use super::trailers::trailers;
use crate::config::Config;
use crate::grpc::{Failure, SERVICE_NAME};

const GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");

/// The rules by which a call gets its deadline.
#[derive(Debug)]
pub(super) struct Deadlines {
    default: Duration,
    max: Duration,
}

impl Deadlines {
    pub(super) const fn new(config: &Config) -> Self {
        Self {
            default: config.deadline,
            max: config.max_deadline,
        }
    }

    /// The deadline of `request`, which came `now`.
    ///
    /// A stream of puzzles, a health watch and reflection last as long as their callers
    /// want; every other call has a deadline, asked for or not.
    ///
    /// # Errors
    ///
    /// If the caller's `grpc-timeout` is no timeout.
    pub(super) fn of<B>(&self, request: &Request<B>, now: Instant) -> Result<Deadline, Failure> {
        let asked = asked(request.headers())?;
        let timeout = if is_bounded(request.uri().path()) {
            Some(asked.unwrap_or(self.default).min(self.max))
        } else {
            asked
        };
        // A timeout beyond the end of the clock's time is none.
        Ok(Deadline(
            timeout.and_then(|timeout| now.checked_add(timeout)),
        ))
    }
}

fn is_bounded(path: &str) -> bool {
    let method = path.strip_prefix('/').and_then(|p| p.split_once('/'));
    matches!(method, Some((SERVICE_NAME, method)) if method != "StreamSolve")
}

/// The `grpc-timeout` that the caller set: at most eight digits and a unit.
fn asked(headers: &HeaderMap) -> Result<Option<Duration>, Failure> {
    let Some(value) = headers.get(GRPC_TIMEOUT) else {
        return Ok(None);
    };
    let timeout = value.to_str().ok().and_then(parse_timeout);
    let malformed = || {
        Failure::Malformed(
            "grpc-timeout is not 1 to 8 digits and one of the units H, M, S, m, u, n".into(),
        )
    };
    timeout.map(Some).ok_or_else(malformed)
}

fn parse_timeout(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let is_number = (1..=8).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    let value: u64 = digits.parse().ok().filter(|_| is_number)?;
    match unit {
        "H" => Some(Duration::from_secs(value * 3600)),
        "M" => Some(Duration::from_secs(value * 60)),
        "S" => Some(Duration::from_secs(value)),
        "m" => Some(Duration::from_millis(value)),
        "u" => Some(Duration::from_micros(value)),
        "n" => Some(Duration::from_nanos(value)),
        _ => None,
    }
}

/// When a call has to end, if it has to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline(Option<Instant>);

impl Deadline {
    /// The call may take as long as it likes.
    pub(super) const NONE: Self = Self(None);

    pub(super) fn has_passed(self) -> bool {
        self.0.is_some_and(|deadline| deadline <= Instant::now())
    }

    /// Runs `call`, which is pinned by the caller, until the deadline.
    ///
    /// Most calls are answered at the first poll and never meet a timer.
    pub(super) async fn limit<T>(
        self,
        mut call: impl Future<Output = T> + Unpin,
    ) -> Result<T, Failure> {
        if let Some(answer) = futures_util::FutureExt::now_or_never(&mut call) {
            return Ok(answer);
        }
        match self.0 {
            Some(deadline) => timeout_at(deadline, call)
                .await
                .map_err(|_| Failure::Deadline),
            None => Ok(call.await),
        }
    }
}

/// A response body that ends with `DEADLINE_EXCEEDED` when its time is over.
pub(super) struct DeadlineBody {
    /// Nothing once the deadline has passed: dropping the body stops its search.
    inner: Option<Body>,
    deadline: Deadline,
    /// Nothing before the body has to be waited for, which few have.
    timer: Option<Pin<Box<Sleep>>>,
}

impl DeadlineBody {
    /// `body`, which may be waited for until `deadline`.
    pub(super) fn new(body: Body, deadline: Deadline) -> Self {
        if let Some(deadline) = deadline.0
            && !body.is_end_stream()
        {
            overdue::give_up_after(deadline);
        }
        Self {
            inner: Some(body),
            deadline,
            timer: None,
        }
    }
}

impl HttpBody for DeadlineBody {
    type Data = tonic::codegen::Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Status>>> {
        let this = &mut *self;
        let Some(inner) = &mut this.inner else {
            return Poll::Ready(None);
        };
        if let Poll::Ready(frame) = Pin::new(inner).poll_frame(cx) {
            return Poll::Ready(frame);
        }
        let Some(deadline) = this.deadline.0 else {
            return Poll::Pending;
        };
        let timer = || Box::pin(sleep_until(deadline));
        std::task::ready!(this.timer.get_or_insert_with(timer).as_mut().poll(cx));
        this.inner = None;
        Poll::Ready(Some(Ok(Frame::trailers(trailers(
            &Failure::Deadline.into(),
        )))))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.inner
            .as_ref()
            .map_or_else(SizeHint::default, HttpBody::size_hint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Deadlines = Deadlines {
        default: Duration::from_secs(10),
        max: Duration::from_secs(60),
    };

    fn seconds(method: &str, timeout: Option<&str>) -> Option<f64> {
        let mut request = Request::builder().uri(method);
        if let Some(timeout) = timeout {
            request = request.header("grpc-timeout", timeout);
        }
        let request = request.body(()).expect("a request");
        let deadline = RULES.of(&request, Instant::now()).expect("a timeout");
        deadline
            .0
            .map(|at| (at - Instant::now()).as_secs_f64().round())
    }

    #[tokio::test(start_paused = true)]
    async fn every_bounded_call_has_a_deadline_within_the_maximum() {
        let solve = "/sudoku.v1.SudokuService/Solve";
        assert_eq!(seconds(solve, None), Some(10.0));
        assert_eq!(seconds(solve, Some("3S")), Some(3.0));
        assert_eq!(seconds(solve, Some("99999999H")), Some(60.0));
        let enumerate = "/sudoku.v1.SudokuService/EnumerateSolutions";
        assert_eq!(seconds(enumerate, None), Some(10.0));
    }

    #[tokio::test(start_paused = true)]
    async fn streams_of_puzzles_and_watches_last_as_their_callers_say() {
        for method in [
            "/sudoku.v1.SudokuService/StreamSolve",
            "/grpc.health.v1.Health/Watch",
        ] {
            assert_eq!(seconds(method, None), None);
            assert_eq!(seconds(method, Some("5M")), Some(300.0));
        }
    }

    #[test]
    fn timeouts_are_digits_and_a_unit() {
        for (text, timeout) in [
            ("1H", Duration::from_secs(3600)),
            ("2M", Duration::from_secs(120)),
            ("3S", Duration::from_secs(3)),
            ("4m", Duration::from_millis(4)),
            ("5u", Duration::from_micros(5)),
            ("00000006n", Duration::from_nanos(6)),
        ] {
            assert_eq!(parse_timeout(text), Some(timeout), "{text}");
        }
        for text in [
            "",
            "S",
            "1",
            "123456789S",
            "-1S",
            "+1S",
            "1s",
            "1é",
            "1 S",
            "0x1S",
        ] {
            assert_eq!(parse_timeout(text), None, "{text}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_ends_at_its_deadline() {
        let in_a_second = Deadline(Instant::now().checked_add(Duration::from_secs(1)));
        let never = std::future::pending::<()>();
        assert!(in_a_second.limit(never).await.is_err());
        assert!(in_a_second.has_passed());
        assert!(in_a_second.limit(std::future::ready(7)).await.is_ok());
    }
}
