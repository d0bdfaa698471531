//! The request of a call, counted while it is read.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll};

use http_body::{Body as HttpBody, Frame, SizeHint};
use tonic::codegen::Bytes;
use tower::BoxError;

use super::messages::Messages;
use crate::metrics::{Metrics, Series};

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
pub(super) struct CountedRequests<B> {
    inner: B,
    messages: Messages,
    received: Arc<Received>,
}

impl<B> CountedRequests<B> {
    pub(super) fn new(inner: B, received: Arc<Received>) -> Self {
        Self {
            inner,
            messages: Messages::default(),
            received,
        }
    }
}

impl<B> HttpBody for CountedRequests<B>
where
    B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Unpin,
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = &mut *self;
        let frame = std::task::ready!(Pin::new(&mut this.inner).poll_frame(cx));
        let frame = frame.map(|frame| frame.map_err(Into::into));
        match &frame {
            Some(Ok(frame)) => {
                if let Some(data) = frame.data_ref() {
                    let messages = this.messages.ended_in(data);
                    this.received.add(messages, data.len() as u64);
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
