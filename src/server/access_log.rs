//! One log line for each call, or for each that failed.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use http::header::USER_AGENT;
use http::{HeaderMap, HeaderValue, Request, Response, Uri};
use http_body::{Body as HttpBody, Frame, SizeHint};
use tonic::body::Body;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::listener::Address;
use crate::config::AccessLog;
use crate::grpc::SERVICE_NAME;

/// A call that has begun. Its line is written when it has ended, or when its caller
/// went away, which shows in the record being dropped without a code.
#[derive(Debug)]
pub(super) struct Record {
    log: AccessLog,
    peer: Address,
    uri: Uri,
    user_agent: Option<HeaderValue>,
    request_id: Option<HeaderValue>,
    begun: Instant,
    code: Option<Code>,
    reason: String,
}

impl Record {
    pub(super) fn new<B>(log: AccessLog, request: &Request<B>, peer: Address) -> Self {
        let headers = request.headers();
        Self {
            log,
            peer,
            uri: request.uri().clone(),
            user_agent: headers.get(USER_AGENT).cloned(),
            request_id: headers.get("x-request-id").cloned(),
            begun: Instant::now(),
            code: None,
            reason: String::new(),
        }
    }

    /// The response, followed to its end.
    pub(super) fn follow(mut self, response: Response<Body>) -> Response<Body> {
        self.note_status(response.headers());
        if self.code.is_some() || self.log == AccessLog::Off {
            return response;
        }
        response.map(|inner| {
            Body::new(FollowedBody {
                inner,
                record: self,
            })
        })
    }

    fn note_status(&mut self, headers: &HeaderMap) {
        let Some(status) = headers.get(Status::GRPC_STATUS) else {
            return;
        };
        self.code = Some(Code::from_bytes(status.as_bytes()));
        if self.code != Some(Code::Ok) {
            let status = Status::from_header_map(headers);
            let info = status.and_then(|status| status.get_details_error_info());
            self.reason = info.map(|info| info.reason).unwrap_or_default();
        }
    }

    fn write(&self, code: Code) {
        let method = self.uri.path().trim_start_matches('/');
        let text = |value: &Option<HeaderValue>| {
            let text = value
                .as_ref()
                .map(|v| String::from_utf8_lossy(v.as_bytes()));
            text.unwrap_or_default().into_owned()
        };
        macro_rules! line {
            ($level:expr) => {
                tracing::event!(
                    target: "sudoku_service::access",
                    $level,
                    method,
                    code = ?code,
                    reason = self.reason,
                    elapsed_us = self.begun.elapsed().as_micros() as u64,
                    peer = %self.peer,
                    user_agent = text(&self.user_agent),
                    request_id = text(&self.request_id),
                    "call"
                )
            };
        }
        // Health checks and reflection come all the time and tell nothing.
        if method.starts_with(SERVICE_NAME) {
            line!(tracing::Level::INFO);
        } else {
            line!(tracing::Level::DEBUG);
        }
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        let code = self.code.unwrap_or(Code::Cancelled);
        match self.log {
            AccessLog::Off => {}
            AccessLog::Errors if code == Code::Ok => {}
            AccessLog::Errors | AccessLog::All => self.write(code),
        }
    }
}

/// A response body whose trailers tell how the call ended.
struct FollowedBody {
    inner: Body,
    record: Record,
}

impl HttpBody for FollowedBody {
    type Data = tonic::codegen::Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Status>>> {
        let frame = std::task::ready!(Pin::new(&mut self.inner).poll_frame(cx));
        if let Some(Ok(frame)) = &frame
            && let Some(trailers) = frame.trailers_ref()
        {
            self.record.note_status(trailers);
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
