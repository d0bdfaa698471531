//! Accepting connections, serving each, and letting go of them.

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout_at};

use super::call::Calls;
use super::cores::Cores;
use crate::metrics::Metrics;

/// The open connections.
#[derive(Debug)]
pub(super) struct Connections {
    calls: Arc<Calls>,
    cores: Cores,
    open: JoinSet<()>,
    draining: watch::Sender<bool>,
}

/// How long to wait before the next try when no connection can be accepted, as when
/// the process has no file descriptor left. Trying on would keep a core busy.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How many bytes of a request may be on their way before the server has read any of
/// them: more than a batch of a thousand puzzles.
const STREAM_WINDOW: u32 = 256 * 1024;
/// The same for all requests of a connection, so that a few calls that are not read, as
/// streams whose client reads no answers, do not hold up the others.
const CONNECTION_WINDOW: u32 = 16 * STREAM_WINDOW;
/// How many calls a connection may have open at one time; its peer holds back more.
const CONCURRENT_STREAMS: u32 = 200;

impl Connections {
    pub(super) fn new(calls: Arc<Calls>, cores: Cores, draining: watch::Sender<bool>) -> Self {
        Self {
            calls,
            cores,
            open: JoinSet::new(),
            draining,
        }
    }

    /// Accepts connections for ever.
    pub(super) async fn accept(&mut self, listener: &TcpListener) {
        loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, peer)) => self.serve(stream, peer),
                    Err(error) => pause_after(&error).await,
                },
                Some(_closed) = self.open.join_next() => {}
            }
        }
    }

    fn serve(&mut self, stream: TcpStream, peer: SocketAddr) {
        let calls = Arc::clone(&self.calls);
        let draining = self.draining.subscribe();
        let counted = Counted::new(Arc::clone(calls.metrics()));
        let place = self.cores.place();
        let handle = place.handle.clone();
        let connection = async move {
            let (_place, _counted) = (place, counted);
            if let Err(error) = serve(stream, peer, calls, draining).await {
                tracing::debug!(%peer, %error, "connection failed");
            }
        };
        self.open.spawn_on(connection, &handle);
    }

    /// Tells every peer to go, waits for the open calls up to `limit`, and gives the
    /// number of connections that had to be cut off.
    pub(super) async fn drain(mut self, limit: Duration) -> usize {
        self.draining.send_replace(true);
        let end = Instant::now() + limit;
        while let Ok(Some(_closed)) = timeout_at(end, self.open.join_next()).await {}
        let cut_off = self.open.len();
        self.open.shutdown().await;
        cut_off
    }
}

/// A connection among the open ones.
struct Counted(Arc<Metrics>);

impl Counted {
    fn new(metrics: Arc<Metrics>) -> Self {
        metrics.connections.rise();
        Self(metrics)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.connections.fall();
    }
}

async fn pause_after(error: &io::Error) {
    // These concern the one connection that went away while it was waiting.
    use io::ErrorKind::{ConnectionAborted, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionReset) {
        tracing::warn!(%error, "cannot accept connections");
        sleep(ACCEPT_PAUSE).await;
    }
}

/// Serves one connection until it ends or all its calls have ended while draining.
async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    calls: Arc<Calls>,
    mut draining: watch::Receiver<bool>,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    // It was accepted on another event loop than this one.
    let stream = TcpStream::from_std(stream.into_std()?)?;
    // Without it an answer of several packets waits for the peer's acknowledgement.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%peer, %error, "cannot set TCP_NODELAY");
    }
    let service = service_fn(|request| Arc::clone(&calls).answer(request, peer));
    let connection = http2::Builder::new(TokioExecutor::new())
        .timer(TokioTimer::new())
        .max_concurrent_streams(CONCURRENT_STREAMS)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    tokio::select! {
        ended = connection.as_mut() => return Ok(ended?),
        _ = draining.wait_for(|draining| *draining) => {}
    }
    connection.as_mut().graceful_shutdown();
    Ok(connection.await?)
}
