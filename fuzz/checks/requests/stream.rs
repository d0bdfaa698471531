//! Several messages in one body, of which some may be no messages.

use prost::Message;
use sudoku_service::grpc::v1;
use tonic::Code;

use super::answers::check_solved;
use super::call::{Call, MOST_MESSAGES, decoded};
use super::errors::check_item_error;
use super::made::{framed, stream_request};
use crate::checks::bytes::Bytes;

/// Several messages, of which some may be no messages, in one body that may end too soon.
pub(super) fn check_stream(bytes: &mut Bytes<'_>, is_made: bool) {
    let mut body = Vec::new();
    let mut requests = Vec::new();
    let mut is_whole = true;
    while !bytes.is_empty() && requests.len() < MOST_MESSAGES - 1 {
        let message = if is_made {
            stream_request(bytes).encode_to_vec()
        } else {
            let length = bytes.below(200);
            bytes.take(length).to_vec()
        };
        body.extend(framed(&message));
        let Some(request) = decoded::<v1::StreamSolveRequest>(&message) else {
            is_whole = false;
            break;
        };
        requests.push(request);
    }
    // What follows a message that cannot be read is not looked at any more.
    let tail = bytes.rest();
    body.extend(tail);
    let is_all = is_whole && tail.is_empty();
    let called: Call<v1::StreamSolveResponse> = Call::made("StreamSolve", body);
    let answered = called.messages.iter().zip(&requests).zip(1..);
    for ((response, request), number) in answered {
        assert_eq!(response.sequence_number, number);
        check_in_stream(request, response);
    }
    let Some(status) = called.status else {
        // The rest had so many messages that the call was taken back.
        return assert!(is_whole && called.messages.len() >= MOST_MESSAGES);
    };
    let answered = called.messages.len();
    let is_enough = answered == requests.len() || is_whole && answered > requests.len();
    assert!(is_enough, "{answered} of {}: {status:?}", requests.len());
    match status.code() {
        Code::Ok => assert!(is_whole),
        Code::Internal | Code::ResourceExhausted => assert!(!is_all, "{status:?}"),
        _ => panic!("{status:?}"),
    }
}

fn check_in_stream(request: &v1::StreamSolveRequest, response: &v1::StreamSolveResponse) {
    use v1::stream_solve_response::Outcome;
    let echoed: String = request.id.chars().take(64).collect();
    assert_eq!(response.id, echoed);
    let is_long = request.id.chars().count() > 64;
    match (
        response.outcome.as_ref().expect("an outcome"),
        &request.request,
    ) {
        (Outcome::Error(error), _) if is_long => {
            assert_eq!(
                (&*error.reason, &*error.field),
                ("FIELD_OUT_OF_RANGE", "id")
            );
        }
        (Outcome::Error(error), None) => {
            assert_eq!(
                (&*error.reason, &*error.field),
                ("FIELD_MISSING", "request")
            );
        }
        (Outcome::Error(error), Some(request)) => {
            check_item_error(&request.grid, error, "request.grid");
        }
        (Outcome::Response(response), Some(request)) if !is_long => {
            check_solved(request, response);
        }
        _ => panic!("{request:?}: {response:?}"),
    }
}
