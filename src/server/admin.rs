//! The admin port: what operators and their machines ask, over plain HTTP.
//!
//! Served by axum, which tonic's router is made of: it is there anyway, and takes the
//! matching of paths and methods off our hands.

mod answering;
mod log_level;
mod version;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::telemetry::LogFilter;
pub(super) use version::Version;

/// What the admin port tells.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) is_ready: Arc<AtomicBool>,
    pub(super) registry: Registry,
    pub(super) version: Version,
    /// What is logged, if that is known and can be changed.
    pub(super) log_filter: Option<LogFilter>,
}

/// The admin port, listening.
#[derive(Debug)]
pub(super) struct Admin {
    listener: TcpListener,
    address: SocketAddr,
}

impl Admin {
    pub(super) async fn bind(address: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    pub(super) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until what is returned is dropped.
    pub(super) fn serve(self, told: Told) -> JoinSet<()> {
        let mut serving = JoinSet::new();
        serving.spawn(answering::answer(self.listener, router(told)));
        serving
    }
}

fn router(told: Told) -> Router {
    let Told {
        is_ready,
        registry,
        version,
        log_filter,
    } = told;
    let registry = Arc::new(registry);
    let router = Router::new()
        .route("/livez", get("ok\n"))
        .route("/readyz", get(async move || readiness(&is_ready)))
        .route("/metrics", get(async move || metrics(&registry)))
        .route("/version", get(async move || version.response()));
    match log_filter {
        Some(filter) => router.route("/loglevel", log_level::route(filter)),
        None => router,
    }
}

fn readiness(is_ready: &AtomicBool) -> Response {
    if is_ready.load(Relaxed) {
        "ok\n".into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "draining\n").into_response()
    }
}

fn metrics(registry: &Registry) -> Response {
    let form = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let mut text = String::new();
    encode(&mut text, registry).expect("a string takes any text");
    ([(CONTENT_TYPE, form)], text).into_response()
}
