//! The request of a call, counted and kept in bounds while it is read.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll};

use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Sleep, sleep};
use tonic::Status;
use tonic::codegen::Bytes;
use tower::BoxError;

use super::leftover::Leftover;
use super::messages::Messages;
use super::room::{Held, Room};
use crate::grpc::Failure;
use crate::metrics::{Metrics, Series};

/// The body of a request, as it came or unwrapped from gRPC-Web.
pub(super) trait RequestBody:
    HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + Unpin + 'static
{
}

impl<B> RequestBody for B where
    B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + Unpin + 'static
{
}

/// What has been read of a request. The call looks at it while the request is read,
/// maybe after its body is gone.
#[derive(Debug)]
pub(super) struct Received {
    pub(super) metrics: Arc<Metrics>,
    /// The number of the method.
    method: usize,
    messages: AtomicU64,
    bytes: AtomicU64,
    /// Whether the caller went away before the request was complete.
    is_broken: AtomicBool,
}

impl Received {
    pub(super) const fn new(metrics: Arc<Metrics>, method: usize) -> Self {
        Self {
            metrics,
            method,
            messages: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            is_broken: AtomicBool::new(false),
        }
    }

    /// The series of the call's method.
    pub(super) fn series(&self) -> &Series {
        self.metrics.calls.series(self.method)
    }

    pub(super) fn messages(&self) -> u64 {
        self.messages.load(Relaxed)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    /// Whether the caller went away before the request was complete.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken.load(Relaxed)
    }

    fn add(&self, messages: u64, bytes: u64) {
        self.messages.fetch_add(messages, Relaxed);
        self.bytes.fetch_add(bytes, Relaxed);
        self.series().received.add(messages);
    }
}

/// A request body that is counted while it is read.
pub(super) struct CountedRequests<B: RequestBody> {
    inner: Leftover<B>,
    messages: Messages,
    received: Arc<Received>,
    held: Held,
    /// When the call has to end that has taken room, which others want, too.
    end: Option<Pin<Box<Sleep>>>,
}

impl<B: RequestBody> CountedRequests<B> {
    pub(super) fn new(inner: B, received: Arc<Received>, room: &Arc<Room>) -> Self {
        Self {
            inner: Leftover::new(inner),
            messages: Messages::default(),
            received,
            held: Held::none(Arc::clone(room)),
            end: None,
        }
    }

    /// Counts what has been read.
    fn read(&mut self, data: &Bytes) -> Result<(), Failure> {
        let messages = self.messages.ended_in(data);
        self.received.add(messages, data.len() as u64);
        let unfinished = self.messages.unfinished();
        if Held::needs_room(unfinished) && self.end.is_none() {
            self.end = Some(Box::pin(sleep(self.held.room().patience)));
        }
        let held = self.held.hold(unfinished);
        held.inspect_err(|_| self.received.metrics.refused_messages.increment())
    }
}

impl<B: RequestBody> HttpBody for CountedRequests<B> {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = &mut *self;
        let Poll::Ready(frame) = Pin::new(&mut *this.inner).poll_frame(cx) else {
            let Some(end) = &mut this.end else {
                return Poll::Pending;
            };
            std::task::ready!(end.as_mut().poll(cx));
            return Poll::Ready(Some(Err(Status::from(Failure::Deadline).into())));
        };
        let frame = frame.map(|frame| frame.map_err(Into::into));
        match &frame {
            Some(Ok(frame)) => {
                if let Some(data) = frame.data_ref()
                    && let Err(failure) = this.read(data)
                {
                    return Poll::Ready(Some(Err(Status::from(failure).into())));
                }
            }
            // hyper's own: other errors are of what was sent, and its sender is there.
            Some(Err(error)) if error.is::<hyper::Error>() => {
                this.received.is_broken.store(true, Relaxed);
            }
            Some(Err(_)) | None => {}
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
