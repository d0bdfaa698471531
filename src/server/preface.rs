//! The first bytes of a connection: HTTP/2, or a mistake that gets a short answer.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};

/// What every HTTP/2 client sends first.
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The answer to HTTP/1, as from a browser or a health check of the wrong kind.
const NOT_HTTP2: &[u8] = b"HTTP/1.1 505 HTTP Version Not Supported\r\n\
    connection: close\r\n\
    content-type: text/plain\r\n\
    content-length: 42\r\n\r\n\
    This port speaks gRPC, which needs HTTP/2\n";

/// How much of what a peer sends is read while it takes that answer. What lies unread
/// when a connection is closed makes the system throw the answer away.
const MOST_IGNORED: u64 = 64 * 1024;

/// The bytes of a connection.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// A connection of which the first bytes are known, and come again when it is read.
pub(super) struct Begun {
    first: [u8; PREFACE.len()],
    known: usize,
    given: usize,
    stream: Box<dyn Stream>,
}

/// Reads what tells HTTP/2 from everything else, which is up to one byte after the two
/// begin to differ.
pub(super) async fn read(stream: Box<dyn Stream>) -> io::Result<Begun> {
    let mut begun = Begun {
        first: [0; PREFACE.len()],
        known: 0,
        given: 0,
        stream,
    };
    while begun.known < PREFACE.len() && begun.may_be_http2() {
        let read = begun.stream.read(&mut begun.first[begun.known..]).await?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        begun.known += read;
    }
    Ok(begun)
}

impl Begun {
    /// If this is no HTTP/2, what it is instead.
    pub(super) fn mistake(&self) -> Option<Mistake> {
        match &self.first[..self.known] {
            _ if self.may_be_http2() => None,
            // A TLS record: handshake, version 3.x.
            [0x16, 0x03, ..] => Some(Mistake::Tls),
            [b'A'..=b'Z', ..] => Some(Mistake::Http1),
            _ => Some(Mistake::Unknown),
        }
    }

    fn may_be_http2(&self) -> bool {
        PREFACE.starts_with(&self.first[..self.known])
    }

    /// Says in HTTP/1 that HTTP/2 is needed, and closes.
    pub(super) async fn refuse(mut self) -> io::Result<()> {
        self.stream.write_all(NOT_HTTP2).await?;
        self.stream.shutdown().await?;
        let mut ignored = self.stream.take(MOST_IGNORED);
        tokio::io::copy(&mut ignored, &mut tokio::io::sink()).await?;
        Ok(())
    }
}

/// What a connection speaks instead of HTTP/2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Mistake {
    #[error("the peer speaks HTTP/1, not HTTP/2")]
    Http1,
    #[error("the peer speaks TLS, and this port does not")]
    Tls,
    #[error("the peer does not speak HTTP/2")]
    Unknown,
}

impl AsyncRead for Begun {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.given == self.known {
            return Pin::new(&mut self.stream).poll_read(cx, buffer);
        }
        let end = self.known.min(self.given + buffer.remaining());
        buffer.put_slice(&self.first[self.given..end]);
        self.given = end;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Begun {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
