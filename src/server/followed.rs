//! A call, followed from its first byte to its end.
//!
//! The one place that sees every call end, whichever way: answered, failed, or with its
//! caller gone. The counters and the access log are told from here.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{HeaderMap, Request, Response};
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::Instant;
use tonic::body::Body;
use tonic::codegen::Bytes;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::access_log::{Ended, Line};
use super::closing::Closing;
use super::deadline::{Deadline, DeadlineBody};
use super::messages::Messages;
use super::panics::{self, Panicked};
use super::requests::{CountedRequests, Received, RequestBody};
use super::room::Room;
use super::spans::Span;
use super::trailers::trailers;
use crate::grpc::Failure;
use crate::metrics::{Calls, Metrics};

/// A call that has begun. If it is dropped before its end was seen, its caller went away.
pub(super) struct Call {
    begun: Instant,
    received: Arc<Received>,
    sent: u64,
    sent_bytes: u64,
    /// The line to write at the end, unless no call gets one.
    line: Option<Box<Line>>,
    deadline: Deadline,
    closing: Closing,
    /// The span to end, unless no call has one.
    span: Option<Span>,
    has_ended: bool,
}

impl Call {
    /// The call that `request` begins, and the request, counted while it is read.
    pub(super) fn begin<B: RequestBody>(
        metrics: &Arc<Metrics>,
        line: Option<Line>,
        span: Option<Span>,
        room: &Arc<Room>,
        closing: Closing,
        request: Request<B>,
    ) -> (Self, Request<CountedRequests<B>>) {
        let method = Calls::number(request.uri().path());
        let received = Arc::new(Received::new(Arc::clone(metrics), method));
        received.series().started.increment();
        metrics.inflight.rise();
        let call = Self {
            begun: Instant::now(),
            received: Arc::clone(&received),
            sent: 0,
            sent_bytes: 0,
            line: line.map(Box::new),
            deadline: Deadline::NONE,
            closing,
            span,
            has_ended: false,
        };
        (
            call,
            request.map(|body| CountedRequests::new(body, received, room)),
        )
    }

    /// When the call began.
    pub(super) const fn begun(&self) -> Instant {
        self.begun
    }

    /// The end of its connection.
    pub(super) const fn closing(&mut self) -> &mut Closing {
        &mut self.closing
    }

    /// The call has this deadline. If it is dropped after that, it was not its caller who
    /// left first.
    pub(super) const fn has_until(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }

    /// The response, followed to its end.
    pub(super) fn follow(mut self, response: Response<Body>) -> Response<FollowedBody> {
        if response.headers().contains_key(Status::GRPC_STATUS) {
            self.end_with(response.headers());
        } else if response.body().is_end_stream() {
            self.end(Code::Unknown, "");
        }
        response.map(|body| FollowedBody {
            inner: DeadlineBody::new(body, self.deadline),
            messages: Messages::default(),
            call: self,
        })
    }

    /// The call ends with the status in these headers or trailers.
    fn end_with(&mut self, headers: &HeaderMap) {
        let code = headers.get(Status::GRPC_STATUS);
        let code = code.map_or(Code::Unknown, |code| Code::from_bytes(code.as_bytes()));
        if code == Code::Ok || self.line.is_none() {
            return self.end(code, "");
        }
        let status = Status::from_header_map(headers);
        let info = status.and_then(|status| status.get_details_error_info());
        self.end(code, &info.map(|info| info.reason).unwrap_or_default());
    }

    /// Tells of the end, before the caller can see it: who counts what it saw finds the
    /// same here.
    fn end(&mut self, code: Code, reason: &str) {
        if self.has_ended {
            return;
        }
        self.has_ended = true;
        // Nobody hears what became of the half that came.
        let (code, reason) = match code {
            Code::Unknown | Code::Internal if self.received.is_broken() => (Code::Cancelled, ""),
            _ => (code, reason),
        };
        let elapsed = self.begun.elapsed();
        self.received.series().ended(code, elapsed);
        self.received.metrics.inflight.fall();
        if let Some(span) = self.span.take() {
            span.end(code);
        }
        if let Some(line) = &self.line {
            line.write(&Ended {
                code,
                reason,
                elapsed,
                received: self.received.messages(),
                received_bytes: self.received.bytes(),
                sent: self.sent,
                sent_bytes: self.sent_bytes,
            });
        }
    }

    fn sent(&mut self, messages: u64, bytes: u64) {
        self.sent += messages;
        self.sent_bytes += bytes;
        self.received.series().sent.add(messages);
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        let failure = if self.deadline.has_passed() {
            Failure::Deadline
        } else if self.closing.has_come() {
            Failure::Draining
        } else {
            return self.end(Code::Cancelled, "");
        };
        self.end(failure.code(), failure.reason());
    }
}

/// A response body whose trailers tell how the call ended.
pub(super) struct FollowedBody {
    inner: DeadlineBody,
    messages: Messages,
    call: Call,
}

impl FollowedBody {
    /// The end of an answer that is not to go on.
    fn broken_off(&mut self, failure: Failure) -> Frame<Bytes> {
        self.inner = DeadlineBody::new(Body::empty(), Deadline::NONE);
        Frame::trailers(trailers(&failure.into()))
    }
}

impl HttpBody for FollowedBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = &mut *self;
        let polled = panics::caught_step(|| Pin::new(&mut this.inner).poll_frame(cx));
        let frame = match polled {
            Ok(Poll::Ready(frame)) => frame,
            Ok(Poll::Pending) => {
                std::task::ready!(this.call.closing.poll(cx));
                Some(Ok(this.broken_off(Failure::Draining)))
            }
            // The connection has other calls.
            Err(Panicked) => {
                this.call.received.metrics.panics.increment();
                Some(Ok(this.broken_off(Failure::Internal)))
            }
        };
        match &frame {
            Some(Ok(frame)) => {
                if let Some(data) = frame.data_ref() {
                    let messages = this.messages.ended_in(data);
                    this.call.sent(messages, data.len() as u64);
                } else if let Some(trailers) = frame.trailers_ref() {
                    this.call.end_with(trailers);
                }
            }
            Some(Err(status)) => this.call.end(status.code(), ""),
            None => this.call.end(Code::Unknown, ""),
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::{BodyExt, StreamBody};

    use tokio::sync::watch;

    use super::*;
    use crate::config::Config;
    use crate::server::closing::Notice;

    /// A call whose connection has given `notice`.
    fn begun(notice: Notice) -> (Arc<Metrics>, Call) {
        let metrics = Arc::default();
        let room = Arc::new(Room::new(&Config::default()));
        let closing = Closing::new(watch::Sender::new(notice).subscribe());
        let request = Request::new(Body::empty());
        let (call, _request) = Call::begin(&metrics, None, None, &room, closing, request);
        (metrics, call)
    }

    async fn status_of(response: Response<FollowedBody>) -> Status {
        let answer = response.into_body().collect().await.expect("an end");
        let trailers = answer.trailers().expect("trailers");
        Status::from_header_map(trailers).expect("a status")
    }

    /// The answer of a call that panics when it has begun.
    struct Panics;

    impl HttpBody for Panics {
        type Data = Bytes;
        type Error = Status;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
            panic!("on purpose")
        }
    }

    #[tokio::test]
    async fn a_panic_in_an_answer_ends_its_call_alone() {
        let (metrics, call) = begun(Notice::None);
        let response = call.follow(Response::new(Body::new(Panics)));
        assert_eq!(status_of(response).await.code(), Code::Internal);
        assert_eq!((metrics.panics.get(), metrics.inflight.get()), (1, 0));
    }

    #[tokio::test]
    async fn an_answer_that_goes_on_ends_with_its_connection() {
        let (metrics, call) = begun(Notice::All);
        let never = StreamBody::new(futures_util::stream::pending::<Result<_, Status>>());
        let status = status_of(call.follow(Response::new(Body::new(never)))).await;
        let reason = status.get_details_error_info().map(|info| info.reason);
        assert_eq!(status.code(), Code::Unavailable);
        assert_eq!(reason.as_deref(), Some("DRAINING"));
        assert_eq!(metrics.inflight.get(), 0);
    }

    #[test]
    fn a_call_that_is_dropped_is_not_in_flight() {
        let (metrics, call) = begun(Notice::None);
        assert_eq!(metrics.inflight.get(), 1);
        drop(call);
        assert_eq!(metrics.inflight.get(), 0);
    }
}
