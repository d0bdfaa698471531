//! gRPC-Web, for browsers.

use clap::Args;
use http::{HeaderValue, Uri};

use super::Contradiction;

/// gRPC-Web, for browsers.
#[derive(Debug, Clone, Default, Args)]
pub struct WebSettings {
    /// Serves gRPC-Web too, over HTTP/1.1 and HTTP/2
    #[arg(long, env = "SUDOKU_GRPC_WEB")]
    pub grpc_web: bool,

    /// The origins whose pages may call, as `https://example.org`; * for all
    #[arg(long, env = "SUDOKU_GRPC_WEB_ORIGINS", value_name = "ORIGIN", value_delimiter = ',',
          value_parser = origin)]
    pub grpc_web_origins: Vec<HeaderValue>,
}

impl WebSettings {
    pub(super) fn check(&self) -> impl Iterator<Item = Contradiction> {
        let origins = ("--grpc-web-origins", !self.grpc_web_origins.is_empty());
        Contradiction::missing([[origins, ("--grpc-web", self.grpc_web)]])
    }
}

/// An origin as browsers write it: no path, no slash at the end, lower case.
fn origin(text: &str) -> Result<HeaderValue, String> {
    let uri: Option<Uri> = text.parse().ok();
    let is_origin = uri.is_some_and(|uri| {
        let scheme = matches!(uri.scheme_str(), Some("http" | "https"));
        let again = |authority| format!("{}://{authority}", uri.scheme_str().unwrap_or_default());
        scheme
            && uri
                .authority()
                .is_some_and(|authority| again(authority) == text)
    });
    let is_lower = !text.bytes().any(|byte| byte.is_ascii_uppercase());
    if text == "*" || (is_origin && is_lower) {
        return text.parse().map_err(|_| "not a header value".into());
    }
    Err("write it as https://example.org or http://localhost:8080, or * for all".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_written_as_browsers_do() {
        for text in [
            "*",
            "https://example.org",
            "http://localhost:8080",
            "http://[::1]:80",
        ] {
            assert_eq!(origin(text).expect(text), text);
        }
        for wrong in [
            "",
            "example.org",
            "https://example.org/",
            "ftp://a",
            "https://A.org",
        ] {
            assert!(origin(wrong).is_err(), "{wrong}");
        }
    }
}
