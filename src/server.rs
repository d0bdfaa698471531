//! The server: a listening socket, the services, and everything around a call that is
//! not its answer.
//!
//! The connections are hyper's and the services tonic's. tonic's own accept loop is not
//! used: it answers a passed deadline with `CANCELLED`, does not enforce one on
//! streams, and waits for open streams without end when it shuts down.

mod accept;
mod access_log;
mod admin;
mod call;
mod closing;
mod connection;
mod cores;
mod deadline;
mod draining;
mod faults;
mod flood;
mod followed;
mod foreign;
mod frames;
mod headers;
mod leftover;
mod lifetime;
mod listener;
mod messages;
mod open_calls;
mod overdue;
mod panics;
mod peer;
mod preface;
mod readiness;
mod reflection;
mod requests;
mod room;
mod spans;
mod tls;
mod traffic;
mod trailers;
mod web;

use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;
use tonic::service::Routes;

use crate::config::{self, Config, ConnectionSettings, Listen, Switch};
use crate::grpc;
use crate::metrics::{self, Metrics};
use crate::solver::Engine;
use crate::telemetry::LogFilter;
use crate::workers::{LongSearches, Workers};
use accept::Connections;
use admin::{Admin, Told, Version};
use call::Calls;
use connection::Manner;
use cores::Cores;
use listener::Listener;
use readiness::Readiness;
use tls::Tls;
use web::Web;

pub use faults::{Faults, StartError};
pub use tls::TlsError;

/// A server that listens and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: Listener,
    address: Listen,
    engine: Engine,
    workers: Workers,
    cores: Cores,
    admin: Option<Admin>,
    log_filter: Option<LogFilter>,
    readiness: Readiness,
    calls: Arc<Calls>,
    connections: ConnectionSettings,
    tls: Option<Arc<Tls>>,
    web: Option<Web>,
    drain_delay: Duration,
    drain_timeout: Duration,
}

impl Server {
    /// Listens to the address of `config`.
    ///
    /// # Errors
    ///
    /// If settings contradict each other, a file for TLS cannot be used, an address is
    /// taken or not this machine's, or threads cannot be started: all that is so.
    pub async fn bind(config: Config) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let (
            Some(()),
            Some(tls),
            Some((listener, address)),
            Some(admin),
            Some(workers),
            Some(cores),
        ) = (
            faults.note(config.check()),
            faults.note(Tls::load(&config.tls, config.web.grpc_web)),
            faults.note(listen(&config.listen).await),
            faults.note(listen_to_operators(config.admin).await),
            faults.note(Workers::new().map_err(StartError::Workers)),
            faults.note(Cores::start().map_err(StartError::Cores)),
        )
        else {
            return Err(faults);
        };
        let engine = config.engine;
        let (readiness, health_service) = Readiness::begin().await;
        let max_message = config.connections.max_message_size as usize;
        let messages = grpc::MessageSettings {
            max_size: max_message,
            compression: config.compression,
        };
        let service = grpc::Service::new(engine, workers.clone(), config.max_guesses, messages);
        let health_service = health_service.max_decoding_message_size(max_message);
        let routes = Routes::new(service.routed()).add_service(health_service);
        let routes = match config.reflection {
            Switch::On => reflection::added(routes, max_message),
            Switch::Off => routes,
        };
        let routes = routes.prepare();
        Ok(Self {
            listener,
            address,
            engine,
            workers,
            cores,
            admin,
            log_filter: None,
            readiness,
            drain_delay: config.drain_delay,
            drain_timeout: config.drain_timeout,
            calls: Arc::new(Calls::new(routes, &config, Arc::default())),
            connections: config.connections,
            tls: tls.map(Arc::new),
            web: Web::new(&config.web),
        })
    }

    /// Where the server listens, with the port that it got.
    #[must_use]
    pub const fn local_addr(&self) -> &Listen {
        &self.address
    }

    /// The address that operators are served on, if they are.
    #[must_use]
    pub fn admin_addr(&self) -> Option<SocketAddr> {
        self.admin.as_ref().map(Admin::address)
    }

    /// Lets operators see and change what is logged.
    #[must_use]
    pub fn with_log_filter(self, filter: LogFilter) -> Self {
        Self {
            log_filter: Some(filter),
            ..self
        }
    }

    /// The searches that take longer than an async thread can spare.
    #[must_use]
    pub fn long_searches(&self) -> watch::Receiver<LongSearches> {
        self.workers.long_searches()
    }

    /// Answers calls until `shutdown` comes, then drains: health turns to `NOT_SERVING`,
    /// and after `--drain-delay`, in which callers learn of that and all goes on, no
    /// connection is accepted, and open calls may go on for `--drain-timeout`.
    pub async fn run<T>(self, shutdown: impl Future<Output = T>) {
        tracing::info!(
            address = %self.address,
            tls = self.tls.is_some(),
            version = env!("CARGO_PKG_VERSION"),
            engine = %self.engine,
            admin = self.admin_addr().map(tracing::field::display),
            "listening"
        );
        let told = self.told();
        let _answering = self.admin.map(|admin| admin.serve(told));
        let max = self.connections.max_connections;
        let metrics = Arc::clone(self.calls.metrics());
        let calls = Arc::clone(&self.calls);
        let manner = Manner::new(self.calls, self.connections, self.tls.clone(), self.web);
        let mut connections = Connections::new(manner, self.cores, max);
        {
            let mut serving = pin!(async {
                tokio::join!(
                    connections.accept(&self.listener),
                    follow_files(self.tls.as_deref(), &metrics),
                )
            });
            tokio::select! {
                _ = serving.as_mut() => {}
                _ = shutdown => {}
            }
            self.readiness.end().await;
            // It never ends by itself.
            drop(timeout(self.drain_delay, serving).await);
        }
        drop(self.listener);
        let cut_off = connections.drain(self.drain_timeout).await;
        calls.flush().await;
        tracing::info!(cut_off, "stopped");
    }

    /// What operators are told.
    fn told(&self) -> Told {
        let version = Version::new(self.engine);
        let facts = version.facts().to_vec();
        Told {
            is_ready: self.readiness.is_ready(),
            registry: metrics::registry(self.calls.metrics(), self.workers.tally(), facts),
            version,
            log_filter: self.log_filter.clone(),
        }
    }
}

async fn listen(listen: &Listen) -> Result<(Listener, Listen), StartError> {
    let wrong = |error| StartError::Listen {
        address: listen.clone(),
        error,
    };
    let listener = Listener::bind(listen).await.map_err(wrong)?;
    let address = listener.address().map_err(wrong)?;
    Ok((listener, address))
}

async fn listen_to_operators(admin: config::Admin) -> Result<Option<Admin>, StartError> {
    let config::Admin::At(address) = admin else {
        return Ok(None);
    };
    let bound = Admin::bind(address).await;
    bound
        .map(Some)
        .map_err(|error| StartError::Admin { address, error })
}

/// Takes up new certificates, for ever.
async fn follow_files(tls: Option<&Tls>, metrics: &Metrics) {
    match tls {
        Some(tls) => {
            tokio::join!(
                tls.follow_files(),
                tls.tell_expiry(&metrics.certificate_expiry)
            );
        }
        None => std::future::pending().await,
    }
}
