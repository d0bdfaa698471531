//! No spans, in a program that was built without the feature `otlp`.

use std::convert::Infallible;

use http::Request;
use tonic::Code;

use crate::config::TraceSettings;

/// Where spans are sent: nowhere.
#[derive(Debug)]
pub(in crate::server) struct Spans(Infallible);

/// The span of a call, which there is none of.
#[derive(Debug)]
pub(in crate::server) struct Span(Infallible);

impl Spans {
    pub(in crate::server) const fn new(_: &TraceSettings) -> Option<Self> {
        None
    }

    pub(in crate::server) const fn begin<B>(&self, _: &Request<B>) -> Option<Span> {
        match self.0 {}
    }

    #[expect(clippy::unused_async, reason = "the same as where there are spans")]
    pub(in crate::server) async fn flush(&self) {
        match self.0 {}
    }
}

impl Span {
    pub(in crate::server) const fn end(self, _: Code) {
        match self.0 {}
    }
}
