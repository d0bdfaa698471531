//! Requests out of arbitrary bytes.

use prost::Message;
use sudoku_service::grpc::v1;

use crate::checks::bytes::Bytes;
use crate::checks::{boards, grid_text};
use crate::oracle::{line, samples};

/// The rest of the bytes as they are, or a message made of them.
pub(super) fn encoded<M: Message>(
    bytes: &mut Bytes<'_>,
    is_made: bool,
    make: impl FnOnce(&mut Bytes<'_>) -> M,
) -> Vec<u8> {
    if is_made {
        make(bytes).encode_to_vec()
    } else {
        bytes.rest().to_vec()
    }
}

/// A grid that can be read, or any text.
pub(super) fn grid(bytes: &mut Bytes<'_>) -> String {
    match bytes.below(3) {
        0 => {
            let length = bytes.below(100);
            grid_text::text(bytes.take(length))
        }
        1 => line(&boards::board(bytes)),
        _ => {
            // As a batch has them: the same, or nearly.
            let mut board = crate::oracle::board(samples::PUZZLE);
            board[bytes.below(81)] = bytes.below(10) as u8;
            line(&board)
        }
    }
}

pub(super) fn limit(bytes: &mut Bytes<'_>) -> i32 {
    match bytes.below(4) {
        0 => bytes.number().cast_signed(),
        1 => bytes.pick(&[0, -1, 1, 1_000_000, 1_000_001, i32::MIN, i32::MAX]),
        _ => i32::from(bytes.byte()),
    }
}

pub(super) fn solve_request(bytes: &mut Bytes<'_>) -> v1::SolveRequest {
    v1::SolveRequest {
        skip_uniqueness_check: bytes.below(4) == 3,
        grid: grid(bytes),
    }
}

pub(super) fn validate_request(bytes: &mut Bytes<'_>) -> v1::ValidateRequest {
    let has_puzzle = bytes.coin();
    v1::ValidateRequest {
        skip_uniqueness_check: bytes.below(4) == 3,
        grid: grid(bytes),
        puzzle: if has_puzzle {
            grid(bytes)
        } else {
            String::new()
        },
    }
}

pub(super) fn batch_request(bytes: &mut Bytes<'_>) -> v1::BatchSolveRequest {
    let mut requests = Vec::new();
    while !bytes.is_empty() {
        requests.push(solve_request(bytes));
    }
    if requests.len() > 20 && requests[0].skip_uniqueness_check {
        // More than a batch may have.
        requests = requests.into_iter().cycle().take(1001).collect();
    }
    v1::BatchSolveRequest { requests }
}

pub(super) fn stream_request(bytes: &mut Bytes<'_>) -> v1::StreamSolveRequest {
    let length = 1 + bytes.below(20);
    let id = grid_text::text(bytes.take(length));
    let has_request = bytes.below(8) != 7;
    v1::StreamSolveRequest {
        id: id.chars().take(60 + bytes.below(8)).collect(),
        request: has_request.then(|| solve_request(bytes)),
    }
}

/// A message behind the five bytes that gRPC puts before it.
pub(super) fn framed(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).expect("a short message");
    [&[0], &length.to_be_bytes()[..], message].concat()
}
