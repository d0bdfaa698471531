//! One connection, from its first byte to its last.

use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, Response};
use http_body_util::Either;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tonic::body::Body;

use super::call::Calls;
use super::closing::Notice;
use super::followed::FollowedBody;
use super::lifetime::Lifetime;
use super::listener::{Address, Socket};
use super::open_calls::OpenCalls;
use super::peer::Peer;
use super::preface::{self, Begun, Mistake};
use super::requests::RequestBody;
use super::tls::Tls;
use super::traffic::Traffic;
use super::web::{Web, is_web};
use super::{foreign, headers};
use crate::config::ConnectionSettings;
use crate::metrics::Metrics;

/// How long a peer may take to say what it wants. One that says nothing must not hold a
/// connection for ever.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(10);
/// The same when the server drains: long enough for those that were about to.
const LAST_HANDSHAKE_LIMIT: Duration = Duration::from_secs(1);

/// How many bytes of a request may be on their way before the server has read any of
/// them: more than a batch of a thousand puzzles.
pub(super) const STREAM_WINDOW: u32 = 256 * 1024;
/// The same for all requests of a connection, so that a few calls that are not read, as
/// streams whose client reads no answers, do not hold up the others.
const CONNECTION_WINDOW: u32 = 16 * STREAM_WINDOW;

/// How many bytes of an answer wait to be sent before no more of it is made.
const SEND_BUFFER: usize = 64 * 1024;

type Failed = Box<dyn Error + Send + Sync>;

/// An answer to a call, or to what is none.
type Answer = Response<Either<FollowedBody, Body>>;

/// How connections are served.
#[derive(Debug)]
pub(super) struct Manner {
    calls: Arc<Calls>,
    settings: ConnectionSettings,
    lifetime: Lifetime,
    tls: Option<Arc<Tls>>,
    web: Option<Web>,
}

impl Manner {
    pub(super) fn new(
        calls: Arc<Calls>,
        settings: ConnectionSettings,
        tls: Option<Arc<Tls>>,
        web: Option<Web>,
    ) -> Self {
        Self {
            calls,
            lifetime: Lifetime::new(&settings),
            settings,
            tls,
            web,
        }
    }

    /// What is counted.
    pub(super) fn metrics(&self) -> &Arc<Metrics> {
        self.calls.metrics()
    }

    /// Serves one connection until it ends or all its calls have ended while draining.
    pub(super) async fn serve(
        self: &Arc<Self>,
        socket: Socket,
        address: Address,
        draining: watch::Receiver<Option<Instant>>,
    ) -> Result<(), Failed> {
        let handshake = timeout(HANDSHAKE_LIMIT, self.begin(socket, address));
        let begun = tokio::select! {
            biased;
            begun = handshake => begun.map_err(Failed::from).flatten(),
            () = last_handshake(draining.clone()) => Err("draining".into()),
        };
        let (begun, peer) = begun.inspect_err(|_| self.metrics().failed_handshakes.increment())?;
        if begun.mistake().is_some() {
            self.serve_http1(begun, peer, draining).await
        } else {
            self.serve_http2(begun, peer, draining).await
        }
    }

    /// Learns who the peer is and what it wants, and tells it if it cannot have that.
    async fn begin(&self, socket: Socket, address: Address) -> Result<(Begun, Peer), Failed> {
        let mut stream = socket.moved_here()?;
        let mut is_allowed = true;
        if let Some(tls) = &self.tls {
            let secured = tls.accept(stream).await?;
            (stream, is_allowed) = (secured.stream, secured.is_allowed);
        }
        let peer = Peer {
            address,
            is_allowed,
        };
        let begun = preface::read(stream).await?;
        match begun.mistake() {
            None => Ok((begun, peer)),
            Some(Mistake::Http1) if self.web.is_some() => Ok((begun, peer)),
            Some(mistake) => {
                if mistake == Mistake::Http1 {
                    begun.refuse().await?;
                }
                Err(mistake.into())
            }
        }
    }

    async fn serve_http2(
        self: &Arc<Self>,
        stream: Begun,
        peer: Peer,
        draining: watch::Receiver<Option<Instant>>,
    ) -> Result<(), Failed> {
        let (visit, notice) = Visit::begin(self, peer);
        // Boxed, since hyper moves it several times before it runs.
        let service = service_fn(|request| Box::pin(Arc::clone(&visit).answer(request)));
        let calls = OpenCalls::new();
        let traffic = Traffic::new(stream, calls.clone(), Arc::clone(self.metrics()));
        let connection = http2::Builder::new(calls.clone())
            .timer(TokioTimer::new())
            .keep_alive_interval(self.settings.keepalive_interval.get())
            .keep_alive_timeout(self.settings.keepalive_timeout)
            .max_concurrent_streams(self.settings.max_concurrent_streams)
            .max_header_list_size(self.settings.max_header_size * headers::LET_IN)
            .max_pending_accept_reset_streams(self.settings.max_reset_streams as usize)
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .max_send_buf_size(SEND_BUFFER)
            .serve_connection(TokioIo::new(traffic), service);
        let lifetime = self.lifetime;
        let ended = lifetime.limit(connection, &calls, &notice, draining);
        Ok(ended.await.inspect_err(|error| {
            if breaks_http2(error) {
                self.metrics().broken_connections.increment();
            }
        })?)
    }

    /// The same for browsers, which without TLS speak nothing newer.
    async fn serve_http1(
        self: &Arc<Self>,
        stream: Begun,
        peer: Peer,
        draining: watch::Receiver<Option<Instant>>,
    ) -> Result<(), Failed> {
        let (visit, notice) = Visit::begin(self, peer);
        let service = service_fn(|request| Arc::clone(&visit).answer(request));
        let calls = OpenCalls::new();
        // hyper does not tell calls apart here, but has its own limit for idle times.
        let _open = calls.open();
        // A call has no task of its own here that could be given up: a peer that does not
        // read is hung up on.
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(self.settings.keepalive_timeout));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HANDSHAKE_LIMIT)
            .max_header_size((self.settings.max_header_size * headers::LET_IN) as usize)
            .serve_connection(TokioIo::new(Box::pin(stream)), service);
        let lifetime = self.lifetime;
        Ok(lifetime
            .limit(connection, &calls, &notice, draining)
            .await?)
    }
}

/// A peer that makes calls.
struct Visit {
    manner: Arc<Manner>,
    peer: Peer,
    /// Which of its calls have to end.
    notice: watch::Receiver<Notice>,
}

impl Visit {
    /// A visit, and what tells its calls to end.
    fn begin(manner: &Arc<Manner>, peer: Peer) -> (Arc<Self>, watch::Sender<Notice>) {
        let (sender, notice) = watch::channel(Notice::None);
        let visit = Self {
            manner: Arc::clone(manner),
            peer,
            notice,
        };
        (Arc::new(visit), sender)
    }

    async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Result<Answer, Infallible> {
        match &self.manner.web {
            Some(web) if is_web(&request) => {
                let call = |request| {
                    let visit = Arc::clone(&self);
                    async move { Ok(visit.call(request).await.map(Body::new)) }
                };
                let answer = Box::pin(web.answer(request, call));
                Ok(answer.await.map(Either::Right))
            }
            _ => Ok(self.call(request).await),
        }
    }

    async fn call<B: RequestBody>(&self, request: Request<B>) -> Answer {
        let calls = &self.manner.calls;
        if let Some(refusal) = foreign::refusal(&request) {
            calls.metrics().refused_requests.increment();
            return refusal.map(Either::Right);
        }
        let answer = calls.answer(request, self.peer, &self.notice).await;
        answer.map(Either::Left)
    }
}

/// Whether the connection ended because its peer did what HTTP/2 does not allow, and not
/// because it went away.
fn breaks_http2(error: &hyper::Error) -> bool {
    let cause = error.source().and_then(<dyn Error>::downcast_ref);
    cause.is_some_and(h2::Error::is_library)
}

/// When a connection that has not begun yet is given up because the server drains.
async fn last_handshake(mut draining: watch::Receiver<Option<Instant>>) {
    // An error means that the server is gone, as good a reason.
    drop(draining.wait_for(Option::is_some).await);
    sleep(LAST_HANDSHAKE_LIMIT).await;
}
