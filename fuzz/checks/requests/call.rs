//! Calls of the service without a server around it.

use std::sync::LazyLock;
use std::time::Duration;

use http::Request;
use http_body_util::{BodyExt, Full};
use prost::Message;
use prost::bytes::Bytes as Buffer;
use sudoku_service::grpc::{MessageSettings, Service, mended};
use sudoku_service::solver::Engine;
use sudoku_service::workers::Workers;
use tokio::runtime::Runtime;
use tonic::Status;
use tonic::body::Body;
use tonic_types::StatusExt;
use tower::ServiceExt;

use super::errors::check_status;
use super::made::framed;

/// A small limit, so that bytes can be over it.
const LARGEST_MESSAGE: usize = 64 * 1024;
const GUESSES: u64 = 2_000;
/// Of a long list so many messages are read, and then the call is taken back.
pub(super) const MOST_MESSAGES: usize = 40;
/// Long enough for whatever does not hang.
const PATIENCE: Duration = Duration::from_secs(60);

/// A service, and the threads that it runs on.
struct Bench {
    runtime: Runtime,
    service: Service,
}

static BENCH: LazyLock<Bench> = LazyLock::new(|| {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(1).enable_time().build();
    let messages = MessageSettings {
        max_size: LARGEST_MESSAGE,
        compression: false,
    };
    let workers = Workers::new().expect("threads");
    Bench {
        runtime: runtime.expect("a runtime"),
        service: Service::new(Engine::detect(), workers, GUESSES, messages),
    }
});

/// What a call ended with.
#[derive(Debug)]
struct Called {
    messages: Vec<Buffer>,
    status: Option<Status>,
}

/// The request that the bytes are, if they are one, and what became of the call.
pub(super) fn called<M, R>(method: &str, message: &[u8]) -> (Option<M>, Call<R>)
where
    M: Message + Default + PartialEq,
    R: Message + Default,
{
    let request = decoded::<M>(message);
    let call = Call::made(method, framed(message));
    let is_too_large = message.len() > LARGEST_MESSAGE;
    if is_too_large || request.is_none() {
        let status = call.status.as_ref().expect("it ended");
        let info = status.get_details_error_info().expect("an ErrorInfo");
        let was_too_large = info.reason == "MESSAGE_TOO_LARGE";
        assert!(was_too_large || info.reason == "MESSAGE_MALFORMED");
        assert_eq!(was_too_large, is_too_large, "{message:?}");
    }
    (request.filter(|_| !is_too_large), call)
}

/// The message that the bytes are; written again and read again it is the same.
pub(super) fn decoded<M: Message + Default + PartialEq>(bytes: &[u8]) -> Option<M> {
    let message = M::decode(bytes).ok()?;
    let again = message.encode_to_vec();
    assert_eq!(again.len(), message.encoded_len());
    assert!(M::decode(&*again).as_ref() == Ok(&message), "{bytes:?}");
    Some(message)
}

/// The messages and the status of a call.
pub(super) struct Call<R> {
    pub(super) messages: Vec<R>,
    /// None if it was taken back before its end.
    pub(super) status: Option<Status>,
}

impl<R: Message + Default> Call<R> {
    /// Makes a call with these bytes as its body.
    pub(super) fn made(method: &str, body: Vec<u8>) -> Self {
        let called = called_with(method, body);
        let message = |message| R::decode(message).expect("an answer that can be read");
        Self {
            messages: called.messages.into_iter().map(message).collect(),
            status: called.status,
        }
    }
}

fn called_with(method: &str, body: Vec<u8>) -> Called {
    let bench = &*BENCH;
    let request = Request::post(format!("/sudoku.v1.SudokuService/{method}"))
        .header("content-type", "application/grpc")
        .header("te", "trailers")
        .body(Body::new(Full::new(Buffer::from(body))))
        .expect("a request");
    let service = bench.service.clone().routed();
    let call = async move {
        let response = service.oneshot(request).await.expect("infallible");
        exchanged(mended(response, LARGEST_MESSAGE)).await
    };
    let ended = async { tokio::time::timeout(PATIENCE, call).await };
    let called = bench.runtime.block_on(ended).expect("it hangs");
    if let Some(status) = &called.status {
        check_status(status);
    }
    called
}

async fn exchanged(response: http::Response<Body>) -> Called {
    assert_eq!(response.status(), 200);
    if let Some(status) = Status::from_header_map(response.headers()) {
        let messages = vec![];
        return Called {
            messages,
            status: Some(status),
        };
    }
    let mut body = response.into_body();
    let (mut received, mut status, mut messages) = (Vec::new(), None, Vec::new());
    while let Some(frame) = body.frame().await {
        match frame.expect("a frame").into_data() {
            Ok(data) => received.extend_from_slice(&data),
            Err(frame) => {
                let trailers = frame.into_trailers().expect("trailers");
                status = Some(Status::from_header_map(&trailers).expect("a status"));
            }
        }
        while let Some(message) = first_message(&mut received) {
            messages.push(message);
        }
        if messages.len() >= MOST_MESSAGES {
            return Called { messages, status };
        }
    }
    assert!(received.is_empty() && status.is_some());
    Called { messages, status }
}

/// Takes a whole message out of what was received.
fn first_message(received: &mut Vec<u8>) -> Option<Buffer> {
    let prefix = received.first_chunk::<5>()?;
    assert_eq!(prefix[0], 0, "nobody asked for compression");
    let length = u32::from_be_bytes([prefix[1], prefix[2], prefix[3], prefix[4]]) as usize;
    if received.len() < 5 + length {
        return None;
    }
    let rest = received.split_off(5 + length);
    let message = std::mem::replace(received, rest);
    Some(Buffer::from(message).slice(5..))
}
