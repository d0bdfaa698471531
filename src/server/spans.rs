//! One span for each call, for those who follow a request through many services.
//!
//! Made directly and not from the log lines of `tracing`: there is one span a call and
//! nothing below it, and what is logged must not decide what is traced.

#[cfg(not(feature = "otlp"))]
mod none;
#[cfg(feature = "otlp")]
mod otlp;

#[cfg(not(feature = "otlp"))]
pub(super) use none::{Span, Spans};
#[cfg(feature = "otlp")]
pub(super) use otlp::{Span, Spans};
