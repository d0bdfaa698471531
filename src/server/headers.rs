//! The size of a call's header.
//!
//! HTTP/2 refuses a header that is far too large by itself, with a status that gRPC does
//! not know and that no counter sees. What is a little too large, as with a token that
//! grew, is let in and refused here, in words.

use http::Request;

use crate::grpc::Failure;

/// How many times the limit HTTP/2 lets in.
pub(super) const LET_IN: u32 = 4;

/// What HTTP/2 adds for each field.
const FIELD_OVERHEAD: usize = 32;

/// Refuses a header of more than `limit` bytes.
///
/// # Errors
///
/// If it is larger.
pub(super) fn check<B>(request: &Request<B>, limit: usize) -> Result<(), Failure> {
    if size(request) > limit {
        return Err(Failure::HeaderTooLarge { limit });
    }
    Ok(())
}

/// The size as HTTP/2 counts it (RFC 9113, section 6.5.2), without the few bytes of
/// the method and the scheme.
fn size<B>(request: &Request<B>) -> usize {
    let uri = request.uri();
    let path = uri.path_and_query().map_or(0, |path| path.as_str().len());
    let authority = uri.authority().map_or(0, |host| host.as_str().len());
    let fields = request.headers().iter();
    let fields = fields.map(|(name, value)| FIELD_OVERHEAD + name.as_str().len() + value.len());
    path + authority + fields.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_counts_with_its_path_and_each_of_its_fields() {
        let request = Request::builder()
            .uri("http://host/service/method")
            .header("te", "trailers")
            .header("x-many", "1")
            .header("x-many", "23");
        let request = request.body(()).expect("a request");
        let expected = "host/service/methodtetrailersx-many1x-many23".len() + 3 * 32;
        assert_eq!(size(&request), expected);
        assert_eq!(check(&request, expected), Ok(()));
        let limit = expected - 1;
        let refused = Err(Failure::HeaderTooLarge { limit });
        assert_eq!(check(&request, limit), refused);
    }
}
