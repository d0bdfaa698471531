//! `BatchSolveRequest`, which is refused for its length without being held whole.
//!
//! An empty item takes two bytes on the wire and some thirty in memory, so a message of
//! 4 MiB could have two million of them. This one type is therefore written by hand: it
//! keeps one item more than are allowed, which is enough to be refused, and skips the
//! rest.

use prost::DecodeError;
use prost::bytes::{Buf, BufMut};
use prost::encoding::{DecodeContext, WireType, message, skip_field};

use super::v1::SolveRequest;

/// How many requests a batch has at most.
pub(super) const MAX_BATCH: usize = 1000;

/// The number of the field in the proto file.
const REQUESTS: u32 = 1;

/// Several grids to solve.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BatchSolveRequest {
    /// The grids, 1 to 1000. Of more than these, only one is kept when they are read.
    pub requests: Vec<SolveRequest>,
}

impl prost::Message for BatchSolveRequest {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        message::encode_repeated(REQUESTS, &self.requests, buf);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        context: DecodeContext,
    ) -> Result<(), DecodeError> {
        if tag == REQUESTS && self.requests.len() <= MAX_BATCH {
            message::merge_repeated(wire_type, &mut self.requests, buf, context)
        } else {
            skip_field(wire_type, tag, buf, context)
        }
    }

    fn encoded_len(&self) -> usize {
        message::encoded_len_repeated(REQUESTS, &self.requests)
    }

    fn clear(&mut self) {
        self.requests.clear();
    }
}

#[cfg(test)]
mod tests {
    use prost::Message;

    use super::*;

    fn batch(count: usize) -> BatchSolveRequest {
        let request = |index: usize| SolveRequest {
            grid: index.to_string(),
            skip_uniqueness_check: index.is_multiple_of(2),
        };
        BatchSolveRequest {
            requests: (0..count).map(request).collect(),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for count in [0, 1, 999, 1000, 1001] {
            let bytes = batch(count).encode_to_vec();
            assert_eq!(bytes.len(), batch(count).encoded_len());
            assert_eq!(BatchSolveRequest::decode(&*bytes), Ok(batch(count)));
        }
    }

    #[test]
    fn of_too_many_requests_one_is_kept() {
        let bytes = batch(5000).encode_to_vec();
        assert_eq!(BatchSolveRequest::decode(&*bytes), Ok(batch(1001)));
    }

    #[test]
    fn two_million_empty_requests_take_no_room() {
        let bytes = [0x0a, 0].repeat(2 * 1024 * 1024);
        let read = BatchSolveRequest::decode(&*bytes).expect("a message");
        assert_eq!(read.requests.len(), 1001);
        assert!(read.requests.capacity() <= 2048);
    }

    #[test]
    fn unknown_fields_are_skipped_and_broken_ones_refused() {
        let known = batch(3).encode_to_vec();
        let unknown = [&[0x12, 1, 7, 0x18, 5][..], &known].concat();
        assert_eq!(BatchSolveRequest::decode(&*unknown), Ok(batch(3)));
        for broken in [
            &[0x08, 1][..],
            &[0x0a, 9, 1],
            &[0x0a],
            &[0x0a, 2, 0xff, 0xff],
        ] {
            assert!(BatchSolveRequest::decode(broken).is_err(), "{broken:?}");
        }
    }
}
