//! The service as its callers see it: a server in this process, on a free port.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed, wherever it is"
)]

mod admin;
mod authority;
mod batch;
mod compression;
mod connections;
mod deadlines;
mod deploy;
mod documents;
mod errors;
mod floods;
mod folder;
mod foreign;
mod gone;
mod health;
mod healthcheck;
mod lifetime;
mod metrics;
mod openmetrics;
mod operator;
mod overload;
mod program;
mod raw;
mod reflection;
mod room;
mod settings;
mod shutdown;
mod solutions;
mod solve;
mod stream;
mod support;
mod tls;
#[cfg(feature = "otlp")]
mod traces;
mod unix;
mod validate;
mod volume;
mod web;

/// The seeded boards of the solver's tests.
#[path = "../solver"]
#[allow(
    dead_code,
    unused_imports,
    reason = "the solver's tests use more of it"
)]
mod from_solver {
    pub(crate) mod boards;
    pub(crate) mod oracle;
}
use from_solver::oracle;
