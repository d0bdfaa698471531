//! Calls that no gRPC client would make: any bytes, and no clock of the client's own.

use std::convert::Infallible;
use std::error::Error;
use std::net::SocketAddr;

use bytes::Bytes;
use http_body::{Body, Frame};
use http_body_util::{BodyExt, Full, StreamBody};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;
use tokio_stream::StreamExt;
use tonic::Status;

/// Sends `body` to a method and gives the status that the call ended with.
pub(crate) async fn call(
    address: SocketAddr,
    method: &str,
    timeout: Option<&str>,
    body: &[u8],
) -> Status {
    let body = Full::new(Bytes::copy_from_slice(body));
    exchange(address, method, timeout, body).await.1
}

/// Sends `body` to `StreamSolve` and gives the number of responses and the last status.
pub(crate) async fn stream(address: SocketAddr, body: &[u8]) -> (usize, Status) {
    let body = Full::new(Bytes::copy_from_slice(body));
    let (mut bytes, status) = exchange(address, "StreamSolve", None, body).await;
    let mut messages = 0;
    while !bytes.is_empty() {
        let prefix = bytes.split_to(5);
        let length = u32::from_be_bytes(prefix[1..].try_into().unwrap());
        drop(bytes.split_to(length as usize));
        messages += 1;
    }
    (messages, status)
}

/// Opens a `StreamSolve` that sends nothing, with this `grpc-timeout`.
pub(crate) async fn open_stream(address: SocketAddr, timeout: &str) -> Status {
    let (_open, silence) = tokio::sync::mpsc::channel::<Result<Frame<Bytes>, Infallible>>(1);
    let body = StreamBody::new(tokio_stream::wrappers::ReceiverStream::new(silence));
    exchange(address, "StreamSolve", Some(timeout), body)
        .await
        .1
}

/// Begins a message of `length` bytes, stops before its end, and gives the status that the
/// call ended with all the same.
pub(crate) async fn stalled(address: SocketAddr, method: &str, length: u32) -> Status {
    let begun = [
        &[0],
        &length.to_be_bytes()[..],
        &vec![b'.'; length as usize - 1],
    ]
    .concat();
    let begun = tokio_stream::once(Ok(Frame::data(begun.into())));
    let body = StreamBody::new(begun.chain(tokio_stream::pending()));
    exchange(address, method, None, body).await.1
}

/// Sends a message to a method, of which the end is missing, and waits for the status
/// that the call ends with.
pub(crate) async fn half(address: SocketAddr, method: &str) -> Status {
    let (open, frames) = tokio::sync::mpsc::channel::<Result<Frame<Bytes>, Infallible>>(1);
    let message = framed(&[0; 100])[..50].to_vec();
    open.send(Ok(Frame::data(message.into()))).await.unwrap();
    let body = StreamBody::new(tokio_stream::wrappers::ReceiverStream::new(frames));
    exchange(address, method, None, body).await.1
}

/// Calls a method and reads nothing of its answer, until the server gives the call up.
/// Tells whether it did so by a reset.
pub(crate) async fn unread(
    address: SocketAddr,
    method: &str,
    timeout: &str,
    message: &[u8],
) -> bool {
    let stream = TcpStream::connect(address).await.unwrap();
    let (mut sender, connection) = hyper::client::conn::http2::Builder::new(TokioExecutor::new())
        .initial_stream_window_size(0)
        .handshake(TokioIo::new(stream))
        .await
        .unwrap();
    tokio::spawn(connection);
    let request = request(address, method).header("grpc-timeout", timeout);
    let request = request
        .body(Full::new(Bytes::from(framed(message))))
        .unwrap();
    let response = sender.send_request(request).await.unwrap();
    let ended = response.into_body().collect().await;
    ended.is_err_and(|error| {
        let cause = error.source().and_then(<dyn Error>::downcast_ref);
        cause.and_then(h2::Error::reason) == Some(h2::Reason::CANCEL)
    })
}

fn request(address: SocketAddr, method: &str) -> http::request::Builder {
    http::Request::post(format!("http://{address}/sudoku.v1.SudokuService/{method}"))
        .header("content-type", "application/grpc")
        .header("te", "trailers")
}

async fn exchange<B>(
    address: SocketAddr,
    method: &str,
    timeout: Option<&str>,
    body: B,
) -> (Bytes, Status)
where
    B: Body<Data = Bytes, Error = Infallible> + Send + Unpin + 'static,
{
    let stream = TcpStream::connect(address).await.unwrap();
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .unwrap();
    tokio::spawn(connection);
    let mut request = request(address, method);
    if let Some(timeout) = timeout {
        request = request.header("grpc-timeout", timeout);
    }
    let request = request.body(body).unwrap();
    let response = sender.send_request(request).await.unwrap();
    if let Some(status) = Status::from_header_map(response.headers()) {
        return (Bytes::new(), status);
    }
    let body = response.into_body().collect().await.unwrap();
    let status = Status::from_header_map(body.trailers().unwrap()).unwrap();
    (body.to_bytes(), status)
}

/// A message behind the five bytes that gRPC puts before it.
pub(crate) fn framed(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).unwrap().to_be_bytes();
    [&[0], &length[..], message].concat()
}
