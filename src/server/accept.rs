//! Accepting connections, and letting go of them.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout_at};

use super::connection::Manner;
use super::cores::Cores;
use super::listener::{Address, Listener, Socket};
use crate::metrics::Metrics;

/// The open connections.
#[derive(Debug)]
pub(super) struct Connections {
    manner: Arc<Manner>,
    cores: Cores,
    open: JoinSet<()>,
    max: usize,
    is_full: bool,
    /// When all of them have to be closed, once that is known.
    draining: watch::Sender<Option<Instant>>,
}

/// How long to wait before the next try when no connection can be accepted, as when
/// the process has no file descriptor left. Trying on would keep a core busy.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

impl Connections {
    pub(super) fn new(manner: Manner, cores: Cores, max: u32) -> Self {
        Self {
            manner: Arc::new(manner),
            cores,
            open: JoinSet::new(),
            max: max as usize,
            is_full: false,
            draining: watch::Sender::default(),
        }
    }

    /// Accepts connections for ever.
    pub(super) async fn accept(&mut self, listener: &Listener) {
        loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((socket, peer)) => self.admit(socket, peer),
                    Err(error) => self.pause_after(&error).await,
                },
                Some(_closed) = self.open.join_next() => {}
            }
        }
    }

    /// Serves a connection, unless there are too many: it is closed then. Left waiting in
    /// the system's queue it would look open to its client, which would send its calls
    /// there and not to another server.
    fn admit(&mut self, socket: Socket, peer: Address) {
        while let Some(_closed) = self.open.try_join_next() {}
        if self.open.len() < self.max {
            self.is_full = false;
            self.serve(socket, peer);
            return;
        }
        self.manner.metrics().refused_connections.increment();
        if !self.is_full {
            tracing::warn!(open = self.open.len(), "more connections are refused");
        }
        self.is_full = true;
    }

    fn serve(&mut self, socket: Socket, peer: Address) {
        let manner = Arc::clone(&self.manner);
        let draining = self.draining.subscribe();
        let counted = Counted::new(manner.metrics());
        let place = self.cores.place();
        let handle = place.handle.clone();
        let connection = async move {
            let _held = (place, counted);
            if let Err(error) = manner.serve(socket, peer, draining).await {
                tracing::debug!(%peer, %error, "connection failed");
            }
        };
        self.open.spawn_on(connection, &handle);
    }

    async fn pause_after(&self, error: &io::Error) {
        // These concern the one connection that went away while it was waiting.
        use io::ErrorKind::{ConnectionAborted, ConnectionReset};
        if !matches!(error.kind(), ConnectionAborted | ConnectionReset) {
            self.manner.metrics().failed_accepts.increment();
            tracing::warn!(%error, "cannot accept connections");
            sleep(ACCEPT_PAUSE).await;
        }
    }

    /// Tells every peer to go, waits for the open calls up to `limit`, and gives the
    /// number of connections that had to be cut off.
    pub(super) async fn drain(mut self, limit: Duration) -> usize {
        let end = Instant::now() + limit;
        self.draining.send_replace(Some(end));
        while let Ok(Some(_closed)) = timeout_at(end, self.open.join_next()).await {}
        let cut_off = self.open.len();
        self.open.shutdown().await;
        cut_off
    }
}

/// A connection among the open ones.
struct Counted(Arc<Metrics>);

impl Counted {
    fn new(metrics: &Arc<Metrics>) -> Self {
        metrics.connections.rise();
        Self(Arc::clone(metrics))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.connections.fall();
    }
}
