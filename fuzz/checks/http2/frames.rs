//! Frames out of arbitrary bytes: calls, and whatever else a client may say.

use prost::Message;
use sudoku_service::grpc::v1;

use super::headers::headers;
use crate::checks::boards;
use crate::checks::bytes::Bytes;
use crate::oracle::line;

/// What every HTTP/2 client sends first.
pub(super) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The types of frames, by their numbers.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Data,
    Headers,
    Priority,
    Reset,
    Settings,
    PushPromise,
    Ping,
    GoAway,
    WindowUpdate,
    Continuation,
}

pub(super) const END_STREAM: u8 = 1;
pub(super) const ACKNOWLEDGED: u8 = 1;
const END_HEADERS: u8 = 4;

pub(super) fn frame(kind: Kind, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len())
        .expect("a short payload")
        .to_be_bytes();
    let head = [length[1], length[2], length[3], kind as u8, flags];
    [&head, &stream.to_be_bytes()[..], payload].concat()
}

/// One or a few frames that make sense, by themselves at least.
pub(super) fn frames(bytes: &mut Bytes<'_>, next_stream: &mut u32) -> Vec<u8> {
    // A stream that may be open, closed, or not there yet.
    let stream = 2 * u32::from(bytes.byte() % 8) + 1;
    match bytes.below(16) {
        0..=4 => {
            let stream = *next_stream;
            *next_stream += 2;
            call(bytes, stream).0
        }
        5 => {
            let stream = *next_stream;
            *next_stream += 2;
            frame(Kind::Headers, END_HEADERS, stream, &headers(bytes))
        }
        6 => {
            let length = bytes.below(64);
            let flags = bytes.byte() & END_STREAM;
            frame(Kind::Data, flags, stream, bytes.take(length))
        }
        7 => frame(Kind::Reset, 0, stream, &bytes.number().to_be_bytes()),
        8 => {
            let id = u16::from(bytes.byte() % 10).to_be_bytes();
            let value = bytes.number().to_be_bytes();
            frame(Kind::Settings, 0, 0, &[&id[..], &value].concat())
        }
        9 => frame(Kind::Ping, bytes.byte() & 1, 0, &[7; 8]),
        10 => {
            let stream = if bytes.coin() { stream } else { 0 };
            frame(Kind::WindowUpdate, 0, stream, &bytes.number().to_be_bytes())
        }
        11 => {
            let fields = [bytes.number().to_be_bytes(), bytes.number().to_be_bytes()];
            frame(Kind::GoAway, 0, 0, &fields.concat())
        }
        12 => frame(
            Kind::Priority,
            0,
            stream,
            &[0, 0, 0, bytes.byte(), bytes.byte()],
        ),
        13 => {
            let (kind, length) = (bytes.coin(), bytes.below(64));
            let kind = if kind {
                Kind::Continuation
            } else {
                Kind::PushPromise
            };
            frame(kind, END_HEADERS, stream, bytes.take(length))
        }
        14 => {
            // A header in pieces.
            let stream = *next_stream;
            *next_stream += 2;
            let headers = headers(bytes);
            let (head, tail) = headers.split_at(bytes.below(headers.len()));
            let tail = frame(Kind::Continuation, END_HEADERS, stream, tail);
            [frame(Kind::Headers, 0, stream, head), tail].concat()
        }
        _ => {
            let length = bytes.below(32);
            let mut unknown = frame(Kind::Ping, bytes.byte(), stream, bytes.take(length));
            unknown[3] = bytes.byte();
            unknown
        }
    }
}

/// A whole call, and whether it is one that comes to an end.
pub(super) fn call(bytes: &mut Bytes<'_>, stream: u32) -> (Vec<u8>, bool) {
    let headers = headers(bytes);
    // This one goes on for as long as the connection.
    let is_watch = headers.windows(5).any(|word| word == b"Watch");
    let headers = frame(Kind::Headers, END_HEADERS, stream, &headers);
    let message = message(bytes);
    let prefix = u32::try_from(message.len())
        .expect("a short message")
        .to_be_bytes();
    let body = [&[bytes.byte() / 255], &prefix[..], &message].concat();
    let is_all = bytes.below(8) != 7;
    let body = frame(Kind::Data, u8::from(is_all) * END_STREAM, stream, &body);
    ([headers, body].concat(), is_all && !is_watch)
}

/// A message that some methods can read.
fn message(bytes: &mut Bytes<'_>) -> Vec<u8> {
    let grid = line(&boards::board(bytes));
    let request = v1::SolveRequest {
        grid,
        skip_uniqueness_check: bytes.coin(),
    };
    match bytes.below(4) {
        0 => {
            let requests = vec![request; bytes.below(100)];
            v1::BatchSolveRequest { requests }.encode_to_vec()
        }
        1 => {
            let request = Some(request);
            v1::StreamSolveRequest {
                id: String::new(),
                request,
            }
            .encode_to_vec()
        }
        2 => {
            let length = bytes.below(256);
            bytes.take(length).to_vec()
        }
        _ => request.encode_to_vec(),
    }
}

/// Changes some bytes, or leaves some out, or says some twice.
pub(super) fn spoil(frames: &mut Vec<u8>, bytes: &mut Bytes<'_>) {
    for _ in 0..=bytes.below(3) {
        // The heads of frames are where most harm is done.
        let within = if bytes.coin() {
            9
        } else {
            frames.len().min(255)
        };
        let place = bytes
            .below(within.max(1))
            .min(frames.len().saturating_sub(1));
        match bytes.below(4) {
            0 => frames.truncate(place),
            1 => frames.extend_from_within(place..),
            _ if frames.is_empty() => {}
            2 => frames[place] = bytes.byte(),
            _ => frames[place] ^= 1 << bytes.below(8),
        }
    }
}
