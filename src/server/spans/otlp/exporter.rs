//! Sends spans to a collector, over gRPC.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use http::Uri;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_client::TraceServiceClient;
use opentelemetry_proto::transform::common::tonic::ResourceAttributesWithSchema;
use opentelemetry_proto::transform::trace::tonic::group_spans_by_resource_and_scope;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::trace::{SpanData, SpanExporter};
use tonic::Status;
use tonic::transport::{Channel, Endpoint};

/// How long a batch may take to be sent.
const LIMIT: Duration = Duration::from_secs(2);

/// Sends spans to a collector. Those that it does not take are lost.
pub(super) struct Exporter {
    endpoint: Uri,
    client: TraceServiceClient<Channel>,
    resource: ResourceAttributesWithSchema,
    /// Whether the last batch was lost: only changes are told.
    is_failing: AtomicBool,
}

impl Exporter {
    /// Connects with the first batch.
    pub(super) fn new(endpoint: Uri) -> Self {
        let channel = Endpoint::from(endpoint.clone())
            .connect_timeout(LIMIT)
            .timeout(LIMIT);
        Self {
            endpoint,
            client: TraceServiceClient::new(channel.connect_lazy()),
            resource: ResourceAttributesWithSchema::default(),
            is_failing: AtomicBool::new(false),
        }
    }

    fn tell(&self, lost: Option<&Status>) {
        let was_failing = self.is_failing.swap(lost.is_some(), Relaxed);
        match lost {
            Some(error) if !was_failing => {
                tracing::warn!(endpoint = %self.endpoint, %error, "spans are lost");
            }
            None if was_failing => {
                tracing::info!(endpoint = %self.endpoint, "spans are sent again");
            }
            Some(_) | None => {}
        }
    }
}

impl fmt::Debug for Exporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Exporter").field(&self.endpoint).finish()
    }
}

impl SpanExporter for Exporter {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let request = ExportTraceServiceRequest {
            resource_spans: group_spans_by_resource_and_scope(batch, &self.resource),
        };
        let sent = self.client.clone().export(request).await;
        self.tell(sent.as_ref().err());
        sent.map(drop)
            .map_err(|status| OTelSdkError::InternalFailure(status.to_string()))
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.resource = resource.into();
    }
}
