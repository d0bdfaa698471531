//! Calls that last as long as their callers want, when the server or their connection
//! is to end.
//!
//! A stream of requests is cut where nothing more has arrived, or behind the last whole
//! message of what can have arrived: that is answered, and then the stream ends with
//! `UNAVAILABLE`, so that its client can go on elsewhere behind the last answer. A watch
//! ends as soon as it has told that the server drains.

use std::error::Error;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use http::{HeaderMap, Request, Response};
use http_body::{Body as HttpBody, Frame};
use tokio::sync::watch;
use tonic::body::Body;
use tonic::codegen::Bytes;
use tonic::{Code, Status};

use super::closing::{Notice, Told, told};
use super::connection::STREAM_WINDOW;
use super::messages::Messages;
use super::trailers::trailers;
use crate::grpc::{Failure, SERVICE_NAME};

/// What of a lasting call is cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lasting {
    Requests,
    Responses,
}

fn lasting(path: &str) -> Option<Lasting> {
    let (service, method) = path.strip_prefix('/')?.split_once('/')?;
    match (service, method) {
        (SERVICE_NAME, "StreamSolve") | (_, "ServerReflectionInfo") => Some(Lasting::Requests),
        ("grpc.health.v1.Health", "Watch") => Some(Lasting::Responses),
        _ => None,
    }
}

/// A call that lasts, between its request and its response.
pub(super) struct LastingCall {
    lasting: Lasting,
    notice: watch::Receiver<Notice>,
    is_cut: Arc<AtomicBool>,
}

/// The request, its messages cut off at the drain if it is one that lasts.
pub(super) fn prepare<B>(
    request: Request<B>,
    notice: &watch::Receiver<Notice>,
) -> (Request<Body>, Option<LastingCall>)
where
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let Some(lasting) = lasting(request.uri().path()) else {
        return (request.map(Body::new), None);
    };
    let call = LastingCall {
        lasting,
        notice: notice.clone(),
        is_cut: Arc::default(),
    };
    let request = match lasting {
        Lasting::Responses => request.map(Body::new),
        Lasting::Requests => request.map(|inner| {
            Body::new(CutRequests {
                inner,
                drain: told(notice.clone(), Notice::Lasting),
                notice: notice.clone(),
                messages: Messages::default(),
                read_since: 0,
                is_cut: Arc::clone(&call.is_cut),
            })
        }),
    };
    (request, Some(call))
}

impl LastingCall {
    /// The response, which tells at its end if the call was cut off.
    pub(super) fn follow(self, response: Response<Body>) -> Response<Body> {
        if response.body().is_end_stream() {
            return response;
        }
        let is_watch = self.lasting == Lasting::Responses;
        response.map(|inner| {
            Body::new(CutResponses {
                inner: Some(inner),
                drain: is_watch.then(|| told(self.notice, Notice::Lasting)),
                is_cut: self.is_cut,
            })
        })
    }
}

/// Requests that end at the drain.
struct CutRequests<B> {
    inner: B,
    drain: Told,
    notice: watch::Receiver<Notice>,
    messages: Messages,
    /// How many bytes have been read since the drain began.
    read_since: usize,
    is_cut: Arc<AtomicBool>,
}

impl<B: HttpBody<Data = Bytes>> CutRequests<B> {
    /// The data, or what of it still belongs to the call: a client that goes on sending
    /// does not keep its stream.
    fn cut(&mut self, data: Bytes) -> Bytes {
        let last_end = self.messages.last_end_in(&data);
        if *self.notice.borrow() < Notice::Lasting {
            return data;
        }
        // As much was allowed to be on its way when the drain began.
        self.read_since += data.len();
        match last_end {
            Some(end) if self.read_since > STREAM_WINDOW as usize => {
                self.is_cut.store(true, Ordering::Relaxed);
                data.slice(..end)
            }
            _ => data,
        }
    }
}

impl<B: HttpBody<Data = Bytes> + Unpin> HttpBody for CutRequests<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        if self.is_cut.load(Ordering::Relaxed) {
            return Poll::Ready(None);
        }
        if let Poll::Ready(frame) = Pin::new(&mut self.inner).poll_frame(cx) {
            let cut = |frame: Frame<Bytes>| frame.map_data(|data| self.cut(data));
            return Poll::Ready(frame.map(|frame| frame.map(cut)));
        }
        std::task::ready!(self.drain.as_mut().poll(cx));
        self.is_cut.store(true, Ordering::Relaxed);
        Poll::Ready(None)
    }
}

/// Responses that tell at their end whether the call was cut off.
struct CutResponses {
    /// Nothing once it was ended here.
    inner: Option<Body>,
    /// When to end it here: only a watch has no requests to be cut.
    drain: Option<Told>,
    is_cut: Arc<AtomicBool>,
}

impl CutResponses {
    /// The trailers of a call that was cut off, in place of those that say it went well
    /// or that its last message was but half there.
    fn told(&self, frame: Frame<Bytes>) -> Frame<Bytes> {
        let is_cut = self.is_cut.load(Ordering::Relaxed);
        match frame.trailers_ref() {
            Some(ended) if is_cut && comes_of_the_cut(ended) => draining(),
            _ => frame,
        }
    }
}

fn draining() -> Frame<Bytes> {
    Frame::trailers(trailers(&Failure::Draining.into()))
}

fn comes_of_the_cut(trailers: &HeaderMap) -> bool {
    let code = trailers.get(Status::GRPC_STATUS);
    let code = code.map(|code| Code::from_bytes(code.as_bytes()));
    matches!(code, Some(Code::Ok | Code::Internal))
}

impl HttpBody for CutResponses {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let Some(inner) = &mut self.inner else {
            return Poll::Ready(None);
        };
        if let Poll::Ready(frame) = Pin::new(inner).poll_frame(cx) {
            return Poll::Ready(frame.map(|frame| frame.map(|frame| self.told(frame))));
        }
        let Some(drain) = &mut self.drain else {
            return Poll::Pending;
        };
        std::task::ready!(drain.as_mut().poll(cx));
        self.inner = None;
        Poll::Ready(Some(Ok(draining())))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(HttpBody::is_end_stream)
    }
}
