//! gRPC-Web: calls that browsers can make, whose trailers come in the body.

use std::convert::Infallible;
use std::time::Duration;

use http::header::{CONTENT_TYPE, HeaderName, ORIGIN};
use http::{HeaderValue, Method, Request, Response, Version};
use hyper::body::Incoming;
use tonic::body::Body;
use tonic_web::GrpcWebLayer;
use tower::{Layer, ServiceExt, service_fn};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

use crate::config::WebSettings;

/// How long a browser may remember what it was allowed.
const REMEMBERED: Duration = Duration::from_secs(3600);

/// What a page may read of an answer that is an error from its beginning.
const READABLE: [HeaderName; 3] = [
    HeaderName::from_static("grpc-status"),
    HeaderName::from_static("grpc-message"),
    HeaderName::from_static("grpc-status-details-bin"),
];

/// How browsers are answered.
#[derive(Debug, Clone)]
pub(super) struct Web {
    cors: CorsLayer,
}

impl Web {
    /// Nothing, if `settings` do not ask for it.
    pub(super) fn new(settings: &WebSettings) -> Option<Self> {
        let origins = &settings.grpc_web_origins;
        let origins = if origins.iter().any(|origin| origin == "*") {
            AllowOrigin::any()
        } else {
            AllowOrigin::list(origins.iter().cloned())
        };
        let cors = CorsLayer::new()
            .allow_origin(origins)
            .allow_methods([Method::POST])
            .allow_headers(AllowHeaders::mirror_request())
            .expose_headers(READABLE)
            .max_age(REMEMBERED);
        settings.grpc_web.then_some(Self { cors })
    }

    /// Answers a browser's request with what `call` answers to the same as gRPC.
    pub(super) async fn answer<F>(
        &self,
        request: Request<Incoming>,
        call: impl FnMut(Request<Body>) -> F + Clone,
    ) -> Response<Body>
    where
        F: Future<Output = Result<Response<Body>, Infallible>>,
    {
        let service = GrpcWebLayer::new().layer(service_fn(call));
        match self.cors.layer(service).oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }
}

/// Whether `request` may be a browser's. Those of gRPC clients pass by all of this.
pub(super) fn is_web<B>(request: &Request<B>) -> bool {
    let is_grpc_web = |kind: &HeaderValue| kind.as_bytes().starts_with(b"application/grpc-web");
    let headers = request.headers();
    request.version() < Version::HTTP_2
        || headers.contains_key(ORIGIN)
        || headers.get(CONTENT_TYPE).is_some_and(is_grpc_web)
}
