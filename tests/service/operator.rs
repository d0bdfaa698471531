//! What operators ask, over plain HTTP.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::openmetrics::Exposition;
use crate::support::{PATIENCE, TestServer};

/// What the admin port answers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) text: String,
}

pub(crate) async fn get(admin: SocketAddr, path: &str) -> Answer {
    ask(admin, "GET", path, "").await
}

pub(crate) async fn ask(admin: SocketAddr, method: &str, path: &str, body: &str) -> Answer {
    let stream = TcpStream::connect(admin).await.unwrap();
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
        .await
        .unwrap();
    tokio::spawn(connection);
    let request = http::Request::builder()
        .method(method)
        .uri(path)
        .header("host", admin.to_string())
        .body(Full::new(Bytes::copy_from_slice(body.as_bytes())))
        .unwrap();
    let response = sender.send_request(request).await.unwrap();
    let content_type = response.headers().get("content-type");
    let content_type = content_type.map(|value| value.to_str().unwrap().to_owned());
    Answer {
        status: response.status().as_u16(),
        content_type: content_type.unwrap_or_default(),
        text: String::from_utf8(response.collect().await.unwrap().to_bytes().into()).unwrap(),
    }
}

impl TestServer {
    /// What the admin port answers to a GET.
    pub(crate) async fn told(&self, path: &str) -> Answer {
        get(self.admin.unwrap(), path).await
    }

    /// What is counted so far.
    pub(crate) async fn metrics(&self) -> Exposition {
        let answer = self.told("/metrics").await;
        assert_eq!(answer.status, 200);
        assert_eq!(
            answer.content_type,
            "application/openmetrics-text; version=1.0.0; charset=utf-8"
        );
        Exposition::parse(&answer.text)
    }

    /// What is counted once these series count something: a connection is closed before
    /// its end is counted, and a call is under way before it has begun here.
    pub(crate) async fn counted(&self, name: &str, labels: &[(&str, &str)]) -> Exposition {
        let counted = async {
            loop {
                let metrics = self.metrics().await;
                if metrics.sum(name, labels) > 0.0 {
                    return metrics;
                }
            }
        };
        let counted = timeout(PATIENCE, counted).await;
        counted.unwrap_or_else(|_| panic!("{name} {labels:?} count nothing"))
    }
}
