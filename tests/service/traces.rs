//! Traces: a collector in this process gets a span for each call that is to have one.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use http::Uri;
use hyper::server::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::service::TowerToHyperService;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, Span};
use sudoku_service::grpc::v1::SolveRequest;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::support::{PUZZLE, TestServer};

struct Collector(UnboundedSender<ResourceSpans>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        for spans in request.into_inner().resource_spans {
            self.0.send(spans).unwrap();
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

async fn collector() -> (SocketAddr, UnboundedReceiver<ResourceSpans>) {
    let (spans, received) = mpsc::unbounded_channel();
    let routes = Routes::new(TraceServiceServer::new(Collector(spans))).into_axum_router();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let service = TowerToHyperService::new(routes.clone());
            let builder = http2::Builder::new(TokioExecutor::new());
            tokio::spawn(builder.serve_connection(TokioIo::new(stream), service));
        }
    });
    (address, received)
}

async fn start(collector: SocketAddr, ratio: f64) -> TestServer {
    let endpoint: Uri = format!("http://{collector}").parse().unwrap();
    TestServer::start_with(|config| {
        config.traces.otlp_endpoint = Some(endpoint);
        config.traces.trace_ratio = ratio;
    })
    .await
}

/// All spans of a server, which ends.
async fn spans(server: TestServer, mut received: UnboundedReceiver<ResourceSpans>) -> Vec<Span> {
    server.stop().await;
    let mut spans = vec![];
    while let Ok(of_resource) = received.try_recv() {
        let resource = of_resource.resource.unwrap();
        let name = resource.attributes.iter().find(|a| a.key == "service.name");
        let name = name.unwrap().value.clone().unwrap().value.unwrap();
        assert_eq!(name, Value::StringValue("sudoku-service".into()));
        spans.extend(of_resource.scope_spans.into_iter().flat_map(|s| s.spans));
    }
    spans
}

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

fn solve(grid: &str, flags: &str) -> Request<SolveRequest> {
    let mut request = Request::new(SolveRequest {
        grid: grid.into(),
        ..Default::default()
    });
    let parent = format!("00-{TRACE}-{PARENT}-{flags}").parse().unwrap();
    request.metadata_mut().insert("traceparent", parent);
    request
}

fn hex(bytes: &[u8]) -> String {
    let digits: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.concat()
}

fn attributes(span: &Span) -> BTreeMap<&str, Value> {
    let all = span.attributes.iter();
    let all = all.map(|a| (a.key.as_str(), a.value.clone().unwrap().value.unwrap()));
    all.collect()
}

#[tokio::test]
async fn a_call_is_a_span_of_its_callers_trace() {
    let (collector, received) = collector().await;
    let server = start(collector, 0.0).await;
    let mut client = server.client.clone();
    client.solve(solve(PUZZLE, "01")).await.unwrap();
    client.solve(solve("nonsense", "01")).await.unwrap_err();
    let spans = spans(server, received).await;
    assert_eq!(spans.len(), 2, "{spans:?}");
    for (span, code) in spans.iter().zip([0, 3]) {
        assert_eq!(hex(&span.trace_id), TRACE);
        assert_eq!(hex(&span.parent_span_id), PARENT);
        assert_eq!(span.name, "sudoku.v1.SudokuService/Solve");
        assert_eq!(span.kind(), SpanKind::Server);
        assert!(span.start_time_unix_nano < span.end_time_unix_nano);
        let text = |text: &str| Value::StringValue(text.into());
        let expected = BTreeMap::from([
            ("rpc.system", text("grpc")),
            ("rpc.service", text("sudoku.v1.SudokuService")),
            ("rpc.method", text("Solve")),
            ("rpc.grpc.status_code", Value::IntValue(code)),
        ]);
        assert_eq!(attributes(span), expected);
        // The caller's mistakes are no faults of the server.
        let status = span.status.clone().unwrap_or_default();
        assert_eq!(status.code(), StatusCode::Unset);
    }
}

#[tokio::test]
async fn the_caller_decides_which_calls_are_traced_and_else_the_ratio() {
    for (ratio, flags, expected) in [(1.0, "00", 1), (0.0, "01", 1)] {
        let (collector, received) = collector().await;
        let server = start(collector, ratio).await;
        server
            .client
            .clone()
            .solve(solve(PUZZLE, flags))
            .await
            .unwrap();
        server.assert_alive().await;
        let mut health = HealthClient::new(server.connect().await);
        health.check(HealthCheckRequest::default()).await.unwrap();
        drop(health);
        let spans = spans(server, received).await;
        assert_eq!(spans.len(), expected, "{spans:?}");
        let is_of_the_trace = hex(&spans[0].trace_id) == TRACE;
        assert_eq!(is_of_the_trace, flags == "01");
    }
}

#[tokio::test]
async fn a_collector_that_is_not_there_holds_nothing_up() {
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = nobody.local_addr().unwrap();
    drop(nobody);
    let server = start(address, 1.0).await;
    server.assert_alive().await;
    server.stop().await;
}
