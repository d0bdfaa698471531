//! A connection with the server under test, byte by byte.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};

use super::PATIENCE;
use super::frames::{ACKNOWLEDGED, END_STREAM, Kind, PREFACE, frame};

/// The largest frame that a server may send to who asked for nothing else.
const LARGEST_FRAME: usize = 16_384;

/// What no other ping here says.
const PING: [u8; 8] = *b"are here";

/// Sends all bytes, and perhaps tells that there are no more, and reads until the server
/// closes the connection.
pub(super) fn exchanged(address: SocketAddr, bytes: &[u8], is_all: bool) -> Vec<u8> {
    let mut connection = connected(address);
    let mut answer = Vec::new();
    let mut sent = connection.write_all(bytes);
    if is_all && sent.is_ok() {
        sent = connection.shutdown(Shutdown::Write);
    }
    let received = connection.read_to_end(&mut answer);
    for error in [sent.err(), received.err()].into_iter().flatten() {
        assert!(is_closed(&error), "{error}");
    }
    answer
}

fn connected(address: SocketAddr) -> TcpStream {
    let connection = TcpStream::connect(address).expect("a connection");
    connection
        .set_read_timeout(Some(PATIENCE))
        .expect("a timeout");
    connection
        .set_write_timeout(Some(PATIENCE))
        .expect("a timeout");
    connection.set_nodelay(true).expect("an option");
    connection
}

/// The server may close before it has read everything.
fn is_closed(error: &std::io::Error) -> bool {
    use std::io::ErrorKind as K;
    matches!(
        error.kind(),
        K::ConnectionReset
            | K::ConnectionAborted
            | K::BrokenPipe
            | K::NotConnected
            | K::UnexpectedEof
    )
}

/// What the server sends is whole frames, up to where it was cut off, or its words for
/// those who do not speak HTTP/2.
pub(super) fn check_frames(answer: &[u8]) {
    if answer.starts_with(b"HTTP/1.1 505 ") {
        return;
    }
    let mut rest = answer;
    while let Some((head, after)) = rest.split_first_chunk::<9>() {
        let Some((_, after)) = after.split_at_checked(checked_length(*head)) else {
            return;
        };
        rest = after;
    }
}

/// The length of the payload behind this head, which is that of a decent frame.
fn checked_length(head: [u8; 9]) -> usize {
    let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
    assert!(length <= LARGEST_FRAME, "{head:?}");
    assert!(head[3] <= Kind::Continuation as u8, "{head:?}");
    length
}

/// A connection, and what has come over it.
pub(super) struct Connection {
    stream: TcpStream,
    seen: Seen,
}

#[derive(Default)]
pub(super) struct Seen {
    /// The streams that the server has ended, well or not.
    pub(super) ended: HashSet<u32>,
    /// Whether the last ping was answered.
    pub(super) is_acknowledged: bool,
    is_closed: bool,
}

impl Connection {
    /// A connection over which the server may send as much as it likes.
    pub(super) fn open(address: SocketAddr) -> Self {
        let mut connection = Self {
            stream: connected(address),
            seen: Seen::default(),
        };
        let initial_window_size = [0, 4, 0x7f, 0xff, 0xff, 0xff];
        let room = 0x7fff_0000_u32.to_be_bytes();
        connection.send(PREFACE);
        connection.send(&frame(Kind::Settings, 0, 0, &initial_window_size));
        connection.send(&frame(Kind::WindowUpdate, 0, 0, &room));
        connection
    }

    pub(super) fn send(&mut self, bytes: &[u8]) {
        if let Err(error) = self.stream.write_all(bytes) {
            assert!(is_closed(&error), "{error}");
        }
    }

    pub(super) fn ping(&mut self) {
        self.seen.is_acknowledged = false;
        self.send(&frame(Kind::Ping, 0, 0, &PING));
    }

    /// Tells that no more will be sent.
    pub(super) fn end(&mut self) {
        if let Err(error) = self.stream.shutdown(Shutdown::Write) {
            assert!(is_closed(&error), "{error}");
        }
    }

    /// Reads frames until the condition holds or the server closes the connection.
    pub(super) fn receive_until(&mut self, condition: impl Fn(&Seen) -> bool) {
        while !self.seen.is_closed && !condition(&self.seen) {
            if let Err(error) = self.receive() {
                assert!(is_closed(&error), "{error}");
                self.seen.is_closed = true;
            }
        }
    }

    fn receive(&mut self) -> std::io::Result<()> {
        let mut head = [0; 9];
        self.stream.read_exact(&mut head)?;
        let mut payload = vec![0; checked_length(head)];
        self.stream.read_exact(&mut payload)?;
        let [_, _, _, kind, flags, stream @ ..] = head;
        let is_kind = |of: Kind| kind == of as u8;
        let may_end = is_kind(Kind::Data) || is_kind(Kind::Headers);
        if is_kind(Kind::Reset) || may_end && flags & END_STREAM != 0 {
            self.seen.ended.insert(u32::from_be_bytes(stream));
        }
        if is_kind(Kind::Ping) && flags & ACKNOWLEDGED != 0 && payload == PING {
            self.seen.is_acknowledged = true;
        }
        Ok(())
    }
}
