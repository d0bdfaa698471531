//! TLS: the handshake, and certificates that change while the server runs.

mod clients;
mod files;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::preface::Stream;
use crate::config::TlsSettings;
use crate::tally::Gauge;
use clients::Clients;
use files::{Files, Loaded};

pub use files::TlsError;

/// How often the files are looked at. Kubernetes changes them by turning a symbolic
/// link, which not every way to watch a file notices; to read them is cheap.
const LOOK_INTERVAL: Duration = Duration::from_secs(2);

/// TLS as it is now.
#[derive(Debug)]
pub(super) struct Tls {
    settings: TlsSettings,
    /// Whether HTTP/1.1 is spoken too.
    is_web: bool,
    first: Files,
    clients: Clients,
    current: watch::Sender<Arc<Loaded>>,
}

/// A connection with TLS.
pub(super) struct Secured {
    pub(super) stream: Box<dyn Stream>,
    /// Whether the client may call.
    pub(super) is_allowed: bool,
}

impl Tls {
    /// Reads the files of `settings`, if they ask for TLS.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or used.
    pub(super) fn load(settings: &TlsSettings, is_web: bool) -> Result<Option<Self>, TlsError> {
        let Some(files) = Files::read(settings)? else {
            return Ok(None);
        };
        let loaded = files.load(is_web)?;
        loaded.warn_if_expired();
        Ok(Some(Self {
            clients: Clients::new(&settings.tls_client_allow),
            settings: settings.clone(),
            is_web,
            first: files,
            current: watch::Sender::new(Arc::new(loaded)),
        }))
    }

    /// Keeps `gauge` at the time until which the certificate is valid, in seconds of Unix
    /// time, now and whenever another is taken up.
    pub(super) async fn tell_expiry(&self, gauge: &Gauge) {
        let mut current = self.current.subscribe();
        loop {
            gauge.set(current.borrow_and_update().expiry);
            if current.changed().await.is_err() {
                return;
            }
        }
    }

    pub(super) async fn accept(&self, stream: Box<dyn Stream>) -> io::Result<Secured> {
        let config = Arc::clone(&self.current.borrow().config);
        let stream: TlsStream<_> = TlsAcceptor::from(config).accept(stream).await?;
        let certificates = stream.get_ref().1.peer_certificates();
        let is_allowed = self.clients.allow(certificates.and_then(<[_]>::first));
        Ok(Secured {
            stream: Box::new(stream),
            is_allowed,
        })
    }

    /// Takes up the files whenever they have changed, for ever. Bad ones are told of once
    /// and change nothing.
    pub(super) async fn follow_files(&self) {
        let mut ticks = interval(LOOK_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut last = Ok(Some(self.first.clone()));
        loop {
            ticks.tick().await;
            let found = self.look().await;
            if found != last {
                self.take_up(&found);
                last = found;
            }
        }
    }

    /// The files as they are. Reading waits where it stops nobody: files may be remote.
    async fn look(&self) -> Result<Option<Files>, TlsError> {
        let settings = self.settings.clone();
        let reading = tokio::task::spawn_blocking(move || Files::read(&settings));
        reading.await.expect("reading files does not panic")
    }

    fn take_up(&self, found: &Result<Option<Files>, TlsError>) {
        let loaded = match found {
            Ok(Some(files)) => files.load(self.is_web),
            Ok(None) => return,
            Err(error) => Err(error.clone()),
        };
        match loaded {
            Ok(loaded) => {
                loaded.warn_if_expired();
                tracing::info!(valid_until = loaded.expiry, "new TLS files are in use");
                self.current.send_replace(Arc::new(loaded));
            }
            Err(error) => tracing::error!(%error, "the TLS files from before stay in use"),
        }
    }
}
