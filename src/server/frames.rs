//! HTTP/2 frames in the bytes of a peer: each has nine bytes before it, and reads end
//! where they like.

/// A frame, as its first bytes tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    length: u32,
    kind: u8,
    flags: u8,
}

/// Finds the frames in what a peer sends.
#[derive(Debug)]
pub(super) struct Frames {
    header: [u8; HEADER],
    /// How many bytes of the next frame's header have gone by.
    known: usize,
    /// The bytes that are still to come before that.
    left: usize,
}

/// Three bytes with the length, then kind, flags and stream.
const HEADER: usize = 9;
/// What every HTTP/2 client sends before its first frame.
const PREFACE: usize = 24;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const PING: u8 = 6;
const CONTINUATION: u8 = 9;

const ACK: u8 = 1;

impl Frame {
    /// Whether it begins a call or carries something for one. All others tell the
    /// connection something, or nothing.
    pub(super) const fn is_of_a_call(self) -> bool {
        matches!(self.kind, HEADERS | CONTINUATION) || (self.kind == DATA && self.length > 0)
    }

    /// Whether it answers a PING, which the server sends but seldom.
    pub(super) const fn is_pong(self) -> bool {
        self.kind == PING && self.flags & ACK != 0
    }
}

impl Frames {
    /// The frames of a peer that has sent nothing yet.
    pub(super) const fn new() -> Self {
        Self {
            header: [0; HEADER],
            known: 0,
            left: PREFACE,
        }
    }

    /// Tells `each` of the frames whose header ends in `bytes`.
    pub(super) fn pass(&mut self, mut bytes: &[u8], mut each: impl FnMut(Frame)) {
        loop {
            let gone = self.left.min(bytes.len());
            self.left -= gone;
            bytes = &bytes[gone..];
            if bytes.is_empty() {
                return;
            }
            let (header, rest) = bytes.split_at(bytes.len().min(HEADER - self.known));
            self.header[self.known..][..header.len()].copy_from_slice(header);
            self.known += header.len();
            bytes = rest;
            if self.known == HEADER {
                let [a, b, c, kind, flags, ..] = self.header;
                let length = u32::from_be_bytes([0, a, b, c]);
                (self.known, self.left) = (0, length as usize);
                each(Frame {
                    length,
                    kind,
                    flags,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent() -> Vec<u8> {
        let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
        bytes.extend([0, 0, 0, 4, 0, 0, 0, 0, 0]); // SETTINGS
        bytes.extend([0, 0, 3, 1, 4, 0, 0, 0, 1, 0x83, 0x86, 0x84]); // HEADERS
        bytes.extend([0, 1, 0, 0, 0, 0, 0, 0, 1]); // DATA
        bytes.extend([9; 256]);
        bytes.extend([0, 0, 0, 0, 1, 0, 0, 0, 1]); // DATA without any
        bytes.extend([0, 0, 8, 6, 1, 0, 0, 0, 0]); // PING, answered
        bytes.extend([9; 8]);
        bytes
    }

    #[test]
    fn it_does_not_matter_where_reads_end() {
        for size in [1, 2, 7, 9, 33, 1000] {
            let (mut frames, mut found) = (Frames::new(), vec![]);
            for bytes in sent().chunks(size) {
                frames.pass(bytes, |frame| {
                    let is = (frame.is_of_a_call(), frame.is_pong());
                    found.push((frame.kind, frame.length, is.0, is.1));
                });
            }
            let expected = [
                (4, 0, false, false),
                (1, 3, true, false),
                (0, 256, true, false),
                (0, 0, false, false),
                (6, 8, false, true),
            ];
            assert_eq!(found, expected, "{size}");
        }
    }
}
