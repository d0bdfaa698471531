//! Requests that are no gRPC calls, as of a browser or a probe of the wrong kind.
//!
//! They get a plain HTTP status, so that their senders cannot take gRPC's 200 with an
//! error in its trailers for success.

use http::header::{ALLOW, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use tonic::body::Body;

/// The answer to `request`, if it is no gRPC call.
pub(super) fn refusal<B>(request: &Request<B>) -> Option<Response<Body>> {
    let wrong = if request.method() != Method::POST {
        StatusCode::METHOD_NOT_ALLOWED
    } else if !is_grpc(request.headers()) {
        StatusCode::UNSUPPORTED_MEDIA_TYPE
    } else {
        return None;
    };
    let mut response = Response::new(Body::empty());
    *response.status_mut() = wrong;
    if wrong == StatusCode::METHOD_NOT_ALLOWED {
        let post = HeaderValue::from_static("POST");
        response.headers_mut().insert(ALLOW, post);
    }
    Some(response)
}

/// `application/grpc`, perhaps with how messages are written or parameters behind it.
fn is_grpc(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    let rest = kind.and_then(|kind| kind.strip_prefix(b"application/grpc"));
    matches!(rest, Some([] | [b'+' | b';', ..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(method: &str, kind: &str) -> Option<u16> {
        let request = Request::builder().method(method).header(CONTENT_TYPE, kind);
        let refusal = refusal(&request.body(()).expect("a request"));
        refusal.map(|response| response.status().as_u16())
    }

    #[test]
    fn only_a_post_of_grpc_is_a_call() {
        for kind in [
            "application/grpc",
            "application/grpc+proto",
            "application/grpc;charset=utf-8",
        ] {
            assert_eq!(status("POST", kind), None, "{kind}");
        }
        for kind in [
            "",
            "application/json",
            "application/grpc-web",
            "application/grpcx",
        ] {
            assert_eq!(status("POST", kind), Some(415), "{kind}");
        }
        for method in ["GET", "PUT", "HEAD", "CONNECT", "BREW"] {
            assert_eq!(status(method, "application/grpc"), Some(405), "{method}");
        }
    }
}
