//! Any bytes as a request of any method, through the service itself: no fault of the
//! server's own, and no answer but one that the contract has.

mod answers;
mod call;
mod errors;
mod made;
mod solutions;
mod stream;

use std::fmt::Debug;

use prost::Message;
use sudoku_service::grpc::v1;
use tonic::{Code, Status};

use super::bytes::Bytes;
use answers::{check_batch, check_solve, check_validate};
use call::{Call, called};
use made::{batch_request, encoded, grid, limit, solve_request, validate_request};
use solutions::{check_count, check_enumerate};
use stream::check_stream;

/// Checks what becomes of the request in `data`.
///
/// # Panics
///
/// If something is not as it must be.
pub fn check(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let method = bytes.below(6);
    let is_made = bytes.coin();
    match method {
        0 => {
            let message = encoded(&mut bytes, is_made, solve_request);
            let (request, call) = called::<v1::SolveRequest, _>("Solve", &message);
            check_unary(request.as_ref(), &call, check_solve);
        }
        1 => {
            let message = encoded(&mut bytes, is_made, validate_request);
            let (request, call) = called::<v1::ValidateRequest, _>("Validate", &message);
            check_unary(request.as_ref(), &call, check_validate);
        }
        2 => {
            let message = encoded(&mut bytes, is_made, batch_request);
            check_twin(&message);
            let (request, call) = called::<v1::BatchSolveRequest, _>("BatchSolve", &message);
            check_unary(request.as_ref(), &call, check_batch);
        }
        3 => {
            let message = encoded(&mut bytes, is_made, |bytes| v1::CountSolutionsRequest {
                grid: grid(bytes),
                limit: limit(bytes),
            });
            let (request, call) =
                called::<v1::CountSolutionsRequest, _>("CountSolutions", &message);
            check_unary(request.as_ref(), &call, check_count);
        }
        4 => {
            let message = encoded(&mut bytes, is_made, |bytes| v1::EnumerateSolutionsRequest {
                grid: grid(bytes),
                limit: limit(bytes),
            });
            let (request, call) = called("EnumerateSolutions", &message);
            check_enumerate(request.as_ref(), &call);
        }
        _ => check_stream(&mut bytes, is_made),
    }
}

/// An answer to a request that is right, or the error that it deserves.
fn check_unary<M: Debug, R: Debug>(
    request: Option<&M>,
    call: &Call<R>,
    check: impl FnOnce(&M, Result<&R, &Status>),
) {
    let status = call.status.as_ref().expect("it ended");
    let Some(request) = request else {
        return;
    };
    match status.code() {
        Code::Unavailable => {}
        Code::Ok => {
            assert_eq!(call.messages.len(), 1);
            check(request, Ok(&call.messages[0]));
        }
        _ => {
            assert!(call.messages.is_empty());
            check(request, Err(status));
        }
    }
}

/// The same message as `BatchSolveRequest`, decoded by generated code alone.
#[derive(Clone, PartialEq, Message)]
struct Twin {
    #[prost(message, repeated, tag = "1")]
    requests: Vec<v1::SolveRequest>,
}

/// The message that is decoded by hand is read as generated code would read it.
fn check_twin(bytes: &[u8]) {
    let by_hand = v1::BatchSolveRequest::decode(bytes);
    match Twin::decode(bytes) {
        Ok(twin) => {
            let kept = &twin.requests[..twin.requests.len().min(1001)];
            let by_hand = by_hand.expect("it can be read");
            assert_eq!(by_hand.requests, kept);
        }
        // Requests behind those that are kept are not looked into.
        Err(error) => {
            let is_long = |request: v1::BatchSolveRequest| request.requests.len() > 1000;
            assert!(by_hand.map_or(true, is_long), "{error}: {bytes:?}");
        }
    }
}
