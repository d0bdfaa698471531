//! `StreamSolve`: what has arrived is answered together, in order.

use futures_util::{Stream, StreamExt, stream};
use tonic::Status;

use super::convert::{Answer, Item};
use super::solving::Solving;
use super::status::Failure;
use super::{convert, v1};
use crate::tally::SolvingRpc;
use crate::workers::Patience;

/// The most requests that are answered together.
const LARGEST_CHUNK: usize = 256;
/// The chunks in work at one time: while one is solved, the next is read. More would
/// only keep more in memory; what the client sends beyond is held back by flow control.
const CHUNKS_IN_WORK: usize = 2;

/// The responses to `requests`, one for each, in their order.
///
/// A chunk is what has arrived when the one before it has been handed on, so a lone
/// request is answered at once and a full pipe in full chunks.
pub(super) fn responses<S>(
    requests: S,
    solving: Solving,
) -> impl Stream<Item = Result<v1::StreamSolveResponse, Status>> + Send
where
    S: Stream<Item = Result<v1::StreamSolveRequest, Status>> + Send,
{
    until_broken(requests)
        .ready_chunks(LARGEST_CHUNK)
        .map(move |chunk| respond(chunk, solving.clone()))
        .buffered(CHUNKS_IN_WORK)
        .flat_map(stream::iter)
        .scan(0, |sequence_number, response| {
            *sequence_number += 1;
            let numbered = response.map(|response| v1::StreamSolveResponse {
                sequence_number: *sequence_number,
                ..response
            });
            std::future::ready(Some(numbered))
        })
}

/// The requests up to the first that cannot be read: what follows it is no message.
fn until_broken<T: Send>(
    requests: impl Stream<Item = Result<T, Status>> + Send,
) -> impl Stream<Item = Result<T, Status>> + Send {
    requests.scan(false, |is_broken, request| {
        let request = (!*is_broken).then_some(request);
        *is_broken = matches!(request, Some(Err(_)));
        std::future::ready(request)
    })
}

/// The responses to one chunk, without their numbers. A request that cannot be read is
/// the last of its stream, and what came before it is still answered.
async fn respond(
    chunk: Vec<Result<v1::StreamSolveRequest, Status>>,
    solving: Solving,
) -> Vec<Result<v1::StreamSolveResponse, Status>> {
    let (mut ids, mut items, mut broken) = (vec![], vec![], None);
    for request in chunk {
        match request {
            Ok(request) => {
                items.push(item(&request));
                ids.push(convert::echoed_id(request.id));
            }
            Err(status) => broken = Some(Err(status)),
        }
    }
    let answers = solving.answer(SolvingRpc::StreamSolve, items, Patience::Begun);
    let answers = match answers.await {
        Ok(answers) => answers,
        Err(overloaded) => return vec![Err(overloaded.into())],
    };
    let responses = ids
        .into_iter()
        .zip(answers)
        .map(|(id, a)| Ok(response(id, a)));
    responses.chain(broken).collect()
}

fn item(request: &v1::StreamSolveRequest) -> Item {
    convert::check_id(&request.id)?;
    let request = request.request.as_ref();
    convert::solve_request(request.ok_or(Failure::Missing { field: "request" })?)
}

fn response(id: String, answer: Answer) -> v1::StreamSolveResponse {
    use v1::stream_solve_response::Outcome;
    let in_stream = |field| match field {
        "grid" => "request.grid",
        other => other,
    };
    v1::StreamSolveResponse {
        id,
        sequence_number: 0,
        outcome: Some(match answer {
            Ok(response) => Outcome::Response(response),
            Err(failure) => Outcome::Error(convert::item_error(&failure, in_stream)),
        }),
    }
}
