//! `/loglevel`: what is logged, seen and changed while the server runs.

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};

use crate::telemetry::LogFilter;

/// The longest filter that is read, in bytes.
const LONGEST: usize = 4096;

/// GET tells the filter; PUT takes a new one, written as for `--log`.
pub(super) fn route(filter: LogFilter) -> MethodRouter {
    let current = filter.clone();
    get(async move || format!("{}\n", current.get()))
        .put(async move |text: String| set(&filter, &text))
        .layer(DefaultBodyLimit::max(LONGEST))
}

fn set(filter: &LogFilter, text: &str) -> Response {
    match filter.set(text.trim()) {
        Ok(()) => {
            tracing::warn!(log = text.trim(), "what is logged has changed");
            format!("{}\n", filter.get()).into_response()
        }
        Err(error) => (StatusCode::BAD_REQUEST, format!("{error}\n")).into_response(),
    }
}
