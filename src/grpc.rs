//! The edge: the only place that knows generated code.
//!
//! Requests are decoded wholly first (`convert`), then handled, then encoded; what
//! is wrong with one becomes a [`Failure`], and that a gRPC status.
//!
//! Architecture invariant: the edge knows the domain and the workers, never the server
//! that carries it, its configuration or its exporters.

mod batch_request;
mod bulk;
mod convert;
mod enumerate;
mod mend;
mod service;
mod solving;
mod status;
mod stream;
mod tallied;

pub use batch_request::BatchSolveRequest;
pub use mend::mended;
pub use service::{MessageSettings, Service};
pub use status::Failure;

/// The messages, the client and the server stub of `sudoku.v1`.
#[expect(
    clippy::pedantic,
    clippy::allow_attributes_without_reason,
    reason = "generated from the proto, which has the comments"
)]
pub mod v1 {
    pub use super::BatchSolveRequest;

    tonic::include_proto!("sudoku.v1");
}

/// The descriptor set of `sudoku.v1`, for reflection.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sudoku.v1.bin"));

/// The name of the service in health checks and paths.
pub const SERVICE_NAME: &str = v1::sudoku_service_server::SERVICE_NAME;
