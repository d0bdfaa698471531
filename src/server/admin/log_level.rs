//! `/loglevel`: what is logged, seen and changed while the server runs.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};

use crate::telemetry::LogFilter;

/// GET tells the filter; PUT takes a new one, written as for `--log`.
pub(super) fn route(filter: LogFilter) -> MethodRouter {
    let current = filter.clone();
    get(async move || format!("{}\n", current.get()))
        .put(async move |text: String| set(&filter, &text))
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
