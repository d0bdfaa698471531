//! What is left of a request whose answer came before its end.
//!
//! A call that fails early, or a stream that ends while the server drains, leaves a
//! request that its client still sends. HTTP/2 lets a server say that it will not read
//! the rest (`RST_STREAM` with `NO_ERROR`), but some proxies, older `HAProxy` among them, make
//! of that a call that was cancelled, and its status is lost. So the client gets a moment
//! to see the answer and to end the request itself.

use std::ops::{Deref, DerefMut};
use std::pin::Pin;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::timeout;
use tonic::codegen::Bytes;

use super::requests::RequestBody;

/// How long the client may take.
const MOMENT: Duration = Duration::from_secs(1);
/// How many bytes are read meanwhile, and forgotten: flow control lets a client send as
/// many before it hears of anything.
const MOST: usize = super::connection::STREAM_WINDOW as usize;

/// A request body, the rest of which is read when it is dropped before its end.
pub(super) struct Leftover<B: RequestBody>(Option<B>);

impl<B: RequestBody> Leftover<B> {
    pub(super) const fn new(body: B) -> Self {
        Self(Some(body))
    }
}

impl<B: RequestBody> Deref for Leftover<B> {
    type Target = B;

    fn deref(&self) -> &B {
        self.0.as_ref().expect("it is taken only on drop")
    }
}

impl<B: RequestBody> DerefMut for Leftover<B> {
    fn deref_mut(&mut self) -> &mut B {
        self.0.as_mut().expect("it is taken only on drop")
    }
}

impl<B: RequestBody> Drop for Leftover<B> {
    fn drop(&mut self) {
        // Without a runtime, the connection is gone as well.
        if let Some(body) = self.0.take_if(|body| !body.is_end_stream())
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(timeout(MOMENT, read(body)));
        }
    }
}

/// Reads and forgets, until the client ends or resets the request, or has sent too much.
async fn read<B: RequestBody>(mut body: B) {
    let mut left = MOST;
    while left > 0 {
        let frame = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await;
        let Some(Ok(frame)) = frame else { return };
        left = left.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use http_body::Frame;
    use http_body_util::StreamBody;
    use tokio::sync::mpsc::{Sender, channel};
    use tokio::time::{Instant, sleep};
    use tokio_stream::wrappers::ReceiverStream;

    use super::*;

    /// A request of which frames are sent by hand, dropped.
    fn dropped() -> Sender<Result<Frame<Bytes>, Infallible>> {
        let (client, frames) = channel(1);
        drop(Leftover::new(StreamBody::new(ReceiverStream::new(frames))));
        client
    }

    fn data(bytes: usize) -> Frame<Bytes> {
        Frame::data(vec![0; bytes].into())
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_client_has_a_moment() {
        let begun = Instant::now();
        dropped().closed().await;
        assert_eq!(begun.elapsed(), MOMENT);
    }

    #[tokio::test(start_paused = true)]
    async fn what_it_sends_is_read_up_to_a_limit() {
        let client = dropped();
        let begun = Instant::now();
        for _ in 0..MOST / 1024 {
            client.send(Ok(data(1024))).await.expect("it is read");
        }
        client.closed().await;
        assert_eq!(begun.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_trickles_has_no_more_time() {
        let client = dropped();
        let begun = Instant::now();
        while client.send(Ok(data(1))).await.is_ok() {
            sleep(MOMENT / 10).await;
        }
        assert!(begun.elapsed() <= MOMENT * 11 / 10);
    }
}
