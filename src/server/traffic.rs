//! The bytes of an HTTP/2 connection, watched: what is of no call has its limit, and what
//! is written is noted.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::flood::{Allowance, Flood};
use super::frames::Frames;
use super::open_calls::OpenCalls;
use super::preface::Begun;
use crate::metrics::Metrics;

/// A connection whose frames are counted.
pub(super) struct Traffic {
    stream: Begun,
    frames: Frames,
    allowance: Allowance,
    calls: OpenCalls,
    metrics: Arc<Metrics>,
}

impl Traffic {
    pub(super) fn new(stream: Begun, calls: OpenCalls, metrics: Arc<Metrics>) -> Self {
        Self {
            stream,
            frames: Frames::new(),
            allowance: Allowance::new(),
            calls,
            metrics,
        }
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), Flood> {
        let (allowance, mut is_within) = (&mut self.allowance, Ok(()));
        self.frames.pass(bytes, |frame| {
            is_within = is_within.and_then(|()| allowance.read(frame));
        });
        is_within
    }

    fn wrote(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(bytes)) = written {
            self.allowance.wrote(bytes);
            self.calls.wrote();
        }
        written
    }
}

impl AsyncRead for Traffic {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        std::task::ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        if let Err(flood) = self.read(&buffer.filled()[before..]) {
            self.metrics.flooding_connections.increment();
            return Poll::Ready(Err(io::Error::other(flood)));
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Traffic {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.wrote(written)
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
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.wrote(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
