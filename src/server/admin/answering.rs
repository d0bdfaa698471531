//! How the admin port answers: each connection once, and not for long.
//!
//! Whoever reaches the port can open connections and say nothing on them, or take an
//! answer and not read it. So few are open at a time, and each has some seconds for all
//! that it does.

use std::convert::Infallible;
use std::io;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tower::ServiceExt;

/// How many connections may be open; more are closed at once.
const MOST: usize = 64;
/// How long a connection may last.
const LIMIT: Duration = Duration::from_secs(10);
/// How long to wait when no connection can be accepted, as when the process has no file
/// descriptor left.
const PAUSE: Duration = Duration::from_millis(50);

/// Answers for ever.
pub(super) async fn answer(listener: TcpListener, router: Router) {
    let mut open = JoinSet::new();
    loop {
        let accepted: io::Result<_> = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_closed) = open.join_next() => continue,
        };
        match accepted {
            Ok((stream, _peer)) if open.len() < MOST => {
                open.spawn(timeout(LIMIT, exchange(stream, router.clone())));
            }
            Ok(_too_many) => tracing::debug!("an admin connection is refused"),
            Err(error) => {
                tracing::debug!(%error, "cannot accept admin connections");
                sleep(PAUSE).await;
            }
        }
    }
}

/// One request and its answer.
async fn exchange(stream: TcpStream, router: Router) {
    let service = service_fn(async |request: Request<Incoming>| {
        let answer = router.clone().oneshot(request.map(Body::new));
        Ok::<_, Infallible>(answer.await.unwrap_or_else(|never| match never {}))
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(LIMIT)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = connection.await {
        tracing::debug!(%error, "admin connection failed");
    }
}
