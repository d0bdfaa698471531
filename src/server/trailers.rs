//! The trailers that end a stream.

use http::HeaderMap;
use tonic::Status;

/// The trailers that end a stream with `status`.
pub(super) fn trailers(status: &Status) -> HeaderMap {
    let mut trailers = HeaderMap::new();
    let added = status.add_header(&mut trailers);
    added.expect("tonic escapes what no header may hold");
    trailers
}
