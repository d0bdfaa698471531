//! Spans that are sent to an OpenTelemetry collector.

mod exporter;

use std::time::Duration;

use http::{HeaderMap, Request};
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{Span as _, SpanBuilder, SpanKind, Status, Tracer, TracerProvider};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracer, SdkTracerProvider, SpanLimits,
};
use tonic::Code;

use crate::config::TraceSettings;
use crate::metrics::{Calls, METHODS, code_name};
use exporter::Exporter;

/// How many spans may wait to be sent; more are left out.
const LONGEST_QUEUE: usize = 8192;
/// How many are sent together, and how long a lone one may wait for others.
const BATCH: usize = 512;
const DELAY: Duration = Duration::from_secs(1);
/// How long the last ones may take to be sent.
const FLUSH_LIMIT: Duration = Duration::from_secs(3);

/// Where spans are made and sent.
#[derive(Debug)]
pub(in crate::server) struct Spans {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
    parents: TraceContextPropagator,
}

/// The span of a call.
#[derive(Debug)]
pub(in crate::server) struct Span(opentelemetry_sdk::trace::Span);

impl Spans {
    /// Nothing, if `settings` name no collector. It need not be there yet.
    pub(in crate::server) fn new(settings: &TraceSettings) -> Option<Self> {
        let endpoint = settings.otlp_endpoint.clone()?;
        // All limits are said here: those that are not come from the environment.
        let batches = BatchConfigBuilder::default()
            .with_max_queue_size(LONGEST_QUEUE)
            .with_max_export_batch_size(BATCH)
            .with_scheduled_delay(DELAY)
            .build();
        let processor = BatchSpanProcessor::builder(Exporter::new(endpoint));
        let by_ratio = Sampler::TraceIdRatioBased(settings.trace_ratio);
        let provider = SdkTracerProvider::builder()
            .with_span_processor(processor.with_batch_config(batches).build())
            .with_sampler(Sampler::ParentBased(Box::new(by_ratio)))
            .with_span_limits(SpanLimits::default())
            .with_resource(this_program())
            .build();
        Some(Self {
            tracer: provider.tracer(env!("CARGO_PKG_NAME")),
            provider,
            parents: TraceContextPropagator::new(),
        })
    }

    /// The span of the call that `request` begins. Health checks and reflection have none.
    pub(in crate::server) fn begin<B>(&self, request: &Request<B>) -> Option<Span> {
        let method = METHODS[Calls::number(request.uri().path())];
        if method.service.starts_with("grpc.") {
            return None;
        }
        let name = format!("{}/{}", method.service, method.name);
        let builder = SpanBuilder::from_name(name)
            .with_kind(SpanKind::Server)
            .with_attributes([
                KeyValue::new("rpc.system", "grpc"),
                KeyValue::new("rpc.service", method.service),
                KeyValue::new("rpc.method", method.name),
            ]);
        let headers = Headers(request.headers());
        let parent = self.parents.extract_with_context(&Context::new(), &headers);
        Some(Span(self.tracer.build_with_context(builder, &parent)))
    }

    /// Sends what has not been sent. There are no spans after that.
    pub(in crate::server) async fn flush(&self) {
        let provider = self.provider.clone();
        // It waits for what this event loop has to do.
        let flushing =
            tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(FLUSH_LIMIT));
        if let Ok(Err(error)) = flushing.await {
            tracing::warn!(%error, "the last spans are lost");
        }
    }
}

impl Span {
    /// The call has ended.
    pub(in crate::server) fn end(mut self, code: Code) {
        let number = i64::from(code as i32);
        self.0
            .set_attribute(KeyValue::new("rpc.grpc.status_code", number));
        if is_fault(code) {
            self.0.set_status(Status::error(code_name(code)));
        }
        self.0.end();
    }
}

/// Whether the server, and not the caller, is the cause. OpenTelemetry's conventions
/// list these.
const fn is_fault(code: Code) -> bool {
    use Code::{DataLoss, DeadlineExceeded, Internal, Unavailable, Unimplemented, Unknown};
    matches!(
        code,
        Unknown | DeadlineExceeded | Unimplemented | Internal | Unavailable | DataLoss
    )
}

fn this_program() -> Resource {
    Resource::builder_empty()
        .with_service_name(env!("CARGO_PKG_NAME"))
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build()
}

/// The headers of a request, where its parent is looked up.
struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(http::HeaderName::as_str).collect()
    }
}
