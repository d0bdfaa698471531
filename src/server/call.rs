//! One call: what happens around its answer, in order.

use std::pin::pin;
use std::sync::Arc;

use futures_util::TryFutureExt;
use http::{Request, Response};
use tokio::sync::watch;
use tonic::Status;
use tonic::body::Body;
use tonic::service::Routes;
use tower::Service;

use super::access_log::Line;
use super::closing::{Closing, Notice};
use super::deadline::{Deadline, Deadlines};
use super::followed::{Call, FollowedBody};
use super::panics::{Panicked, caught};
use super::peer::Peer;
use super::requests::{CountedRequests, RequestBody};
use super::room::Room;
use super::spans::Spans;
use super::{draining, headers};
use crate::config::{AccessLog, Config};
use crate::grpc::{Failure, mended};
use crate::metrics::Metrics;

/// How calls are answered.
#[derive(Debug)]
pub(super) struct Calls {
    routes: Routes,
    deadlines: Deadlines,
    access_log: AccessLog,
    metrics: Arc<Metrics>,
    max_header_size: usize,
    max_message_size: usize,
    room: Arc<Room>,
    spans: Option<Spans>,
}

impl Calls {
    pub(super) fn new(routes: Routes, config: &Config, metrics: Arc<Metrics>) -> Self {
        Self {
            routes,
            deadlines: Deadlines::new(config),
            access_log: config.access_log,
            metrics,
            room: Arc::new(Room::new(config)),
            max_header_size: config.connections.max_header_size as usize,
            max_message_size: config.connections.max_message_size as usize,
            spans: Spans::new(&config.traces),
        }
    }

    /// Sends the spans that have not been sent. There are none after that.
    pub(super) async fn flush(&self) {
        if let Some(spans) = &self.spans {
            spans.flush().await;
        }
    }

    /// What is counted.
    pub(super) const fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// Answers one call, whatever happens, and ends it when `notice` says so.
    pub(super) async fn answer<B: RequestBody>(
        &self,
        request: Request<B>,
        peer: Peer,
        notice: &watch::Receiver<Notice>,
    ) -> Response<FollowedBody> {
        let line = Line::new(self.access_log, &request, peer.address);
        let span = self.spans.as_ref().and_then(|spans| spans.begin(&request));
        let (mut call, request) = Call::begin(
            &self.metrics,
            line,
            span,
            &self.room,
            Closing::new(notice.clone()),
            request,
        );
        if !peer.is_allowed {
            return call.follow(Status::from(Failure::NotAllowed).into_http());
        }
        let deadline = headers::check(&request, self.max_header_size)
            .and_then(|()| self.deadlines.of(&request, call.begun()));
        let response = match deadline {
            Ok(deadline) if deadline.has_passed() => Status::from(Failure::Deadline).into_http(),
            Ok(deadline) => {
                call.has_until(deadline);
                self.answer_until(request, deadline, call.closing()).await
            }
            Err(refused) => Status::from(refused).into_http(),
        };
        call.follow(response)
    }

    async fn answer_until<B: RequestBody>(
        &self,
        request: Request<CountedRequests<B>>,
        deadline: Deadline,
        closing: &mut Closing,
    ) -> Response<Body> {
        let (request, lasting) = draining::prepare(request, closing.notice());
        let mut routes = self.routes.clone();
        let answer = caught(async move {
            let Ok(response) = routes.call(request).await;
            response
        });
        let answer = pin!(answer.map_err(|Panicked| {
            self.metrics.panics.increment();
            Failure::Internal
        }));
        let answer = pin!(closing.limit(answer));
        match deadline.limit(answer).await.flatten().flatten() {
            Ok(response) => {
                let response = mended(response, self.max_message_size);
                match lasting {
                    Some(call) => call.follow(response),
                    None => response,
                }
            }
            Err(failure) => Status::from(failure).into_http(),
        }
    }
}
