//! One log line for each call, or for each that failed.

use std::time::Duration;

use http::header::{HeaderName, USER_AGENT};
use http::{HeaderValue, Request, Uri};
use tonic::Code;

use super::listener::Address;
use crate::config::AccessLog;
use crate::grpc::SERVICE_NAME;
use crate::metrics::code_name;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");

/// How many bytes of what a caller sent, which is ASCII, go into a line.
const LONGEST: usize = 256;

/// What the beginning of a call puts into its line.
#[derive(Debug)]
pub(super) struct Line {
    log: AccessLog,
    peer: Address,
    uri: Uri,
    user_agent: Option<HeaderValue>,
    request_id: Option<HeaderValue>,
    trace_parent: Option<HeaderValue>,
}

/// How a call ended.
#[derive(Debug)]
pub(super) struct Ended<'a> {
    pub(super) code: Code,
    pub(super) reason: &'a str,
    pub(super) elapsed: Duration,
    pub(super) received: u64,
    pub(super) received_bytes: u64,
    pub(super) sent: u64,
    pub(super) sent_bytes: u64,
}

impl Line {
    /// The line of a call, if calls get one.
    pub(super) fn new<B>(log: AccessLog, request: &Request<B>, peer: Address) -> Option<Self> {
        let header = |name: HeaderName| request.headers().get(name).cloned();
        (log != AccessLog::Off).then(|| Self {
            log,
            peer,
            uri: request.uri().clone(),
            user_agent: header(USER_AGENT),
            request_id: header(REQUEST_ID),
            trace_parent: header(TRACE_PARENT),
        })
    }

    /// Writes the line of a call that has ended, if such calls get one.
    pub(super) fn write(&self, ended: &Ended<'_>) {
        if self.log == AccessLog::Errors && ended.code == Code::Ok {
            return;
        }
        let method = bounded(self.uri.path().trim_start_matches('/'));
        macro_rules! line {
            ($level:expr) => {
                tracing::event!(
                    target: "sudoku_service::access",
                    $level,
                    method,
                    code = code_name(ended.code),
                    reason = ended.reason,
                    elapsed_us = ended.elapsed.as_micros() as u64,
                    peer = %self.peer,
                    user_agent = text(self.user_agent.as_ref()),
                    request_id = text(self.request_id.as_ref()),
                    trace_id = trace_id(text(self.trace_parent.as_ref())),
                    received = ended.received,
                    received_bytes = ended.received_bytes,
                    sent = ended.sent,
                    sent_bytes = ended.sent_bytes,
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

/// A header as text; one that is no text tells nothing.
fn text(header: Option<&HeaderValue>) -> &str {
    bounded(header.and_then(|value| value.to_str().ok()).unwrap_or(""))
}

/// The beginning of what a caller sent: lines wait in memory until they are written.
fn bounded(text: &str) -> &str {
    text.get(..LONGEST).unwrap_or(text)
}

/// The trace in a W3C `traceparent`: version, trace, parent and flags in hex digits.
fn trace_id(trace_parent: &str) -> &str {
    let mut parts = trace_parent.split('-');
    let is_hex = |part: &&str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let version = parts.next().filter(is_hex).filter(|part| part.len() == 2);
    let trace = parts.next().filter(is_hex).filter(|part| part.len() == 32);
    version.and(trace).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;

    #[test]
    fn the_trace_is_the_second_part_of_its_header() {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        assert_eq!(trace_id(&format!("00-{trace}-00f067aa0ba902b7-01")), trace);
        for none in [
            "",
            "00",
            "00-4bf92f35-00f067aa0ba902b7-01",
            "xx-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ] {
            assert_eq!(trace_id(none), "", "{none}");
        }
    }

    #[test]
    fn without_an_access_log_there_is_no_line() {
        let request = Request::new(());
        let peer = Address::Ip(SocketAddr::from(([127, 0, 0, 1], 1)));
        assert!(Line::new(AccessLog::Off, &request, peer).is_none());
        assert!(Line::new(AccessLog::Errors, &request, peer).is_some());
    }
}
