//! Calls that no gRPC client would make: any bytes, and no clock of the client's own.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;
use tonic::Status;

/// Sends `body` to a method and gives the status that the call ended with.
pub(crate) async fn call(
    address: SocketAddr,
    method: &str,
    timeout: Option<&str>,
    body: &[u8],
) -> Status {
    let stream = TcpStream::connect(address).await.unwrap();
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .unwrap();
    tokio::spawn(connection);
    let mut request =
        http::Request::post(format!("http://{address}/sudoku.v1.SudokuService/{method}"))
            .header("content-type", "application/grpc")
            .header("te", "trailers");
    if let Some(timeout) = timeout {
        request = request.header("grpc-timeout", timeout);
    }
    let request = request.body(Full::new(Bytes::copy_from_slice(body)));
    let response = sender.send_request(request.unwrap()).await.unwrap();
    if let Some(status) = Status::from_header_map(response.headers()) {
        return status;
    }
    let body = response.into_body().collect().await.unwrap();
    Status::from_header_map(body.trailers().unwrap()).unwrap()
}

/// A message behind the five bytes that gRPC puts before it.
pub(crate) fn framed(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).unwrap().to_be_bytes();
    [&[0], &length[..], message].concat()
}
