//! What tonic says of messages it cannot read, told as the contract tells it.

use http::Response;
use tonic::body::Body;
use tonic::{Code, Status};

use super::Failure;

/// The response, with the right code and with details if tonic refused its request; with
/// the size limit that it was held against.
///
/// tonic calls a message over the size limit `OUT_OF_RANGE`, where gRPC's table has
/// `RESOURCE_EXHAUSTED`, and gives none of its refusals details.
#[must_use]
pub fn mended(response: Response<Body>, max_message_size: usize) -> Response<Body> {
    // Nearly every response: it has no status yet, that comes behind the message.
    if !response.headers().contains_key(Status::GRPC_STATUS) {
        return response;
    }
    let status = Status::from_header_map(response.headers());
    match status.and_then(|status| refusal(&status, max_message_size)) {
        Some(failure) => Status::from(failure).into_http(),
        None => response,
    }
}

/// The same for the status of a stream whose next message cannot be read.
pub(super) fn mended_status(status: Status, max_message_size: usize) -> Status {
    refusal(&status, max_message_size).map_or(status, Status::from)
}

/// What tonic refused, if it was tonic and not a service that made this status.
fn refusal(status: &Status, max_message_size: usize) -> Option<Failure> {
    if !status.details().is_empty() {
        return None;
    }
    match status.code() {
        // No service here uses this code.
        Code::OutOfRange => Some(Failure::MessageTooLarge {
            limit: max_message_size,
        }),
        Code::Internal => Some(Failure::Malformed(status.message().to_owned())),
        _ => None,
    }
}
