//! Frames that are of no call: how many a peer may send.
//!
//! PING, SETTINGS, PRIORITY, `WINDOW_UPDATE` and frames without meaning cost their sender
//! next to nothing and this server some work each, and HTTP/2 has no limit for them. A
//! peer that makes calls needs them, too, so calls and what is written for them earn
//! some, and a slow trickle is free.

use std::time::Duration;

use tokio::time::Instant;

use super::frames::Frame;

/// The frames that a peer may still send.
#[derive(Debug)]
pub(super) struct Allowance {
    left: u32,
    /// Up to when frames for the time gone by were added.
    until: Instant,
    /// The bytes written that have not earned a frame yet.
    written: usize,
}

/// More frames than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the peer floods the connection with frames that are of no call")]
pub(super) struct Flood;

/// The most that can be saved up: a hundredth of a second's work.
const MOST: u32 = 20_000;
/// What time adds, for clients that call seldom and look if the server is alive.
const A_SECOND: u32 = 1000;
/// What each frame of a call adds. Some clients send a PING for each answer, to measure
/// the line, and two updates of their windows.
const A_CALL_FRAME: u32 = 4;
/// What an answer to a PING costs. The server sends one in a minute, and the HTTP/2
/// library writes a line into the log for each answer to one that was not sent.
const A_PONG: u32 = 200;
/// Written bytes that add one: clients update their windows for what they have read.
const BYTES_A_FRAME: usize = 1024;

impl Allowance {
    pub(super) fn new() -> Self {
        Self {
            left: MOST,
            until: Instant::now(),
            written: 0,
        }
    }

    /// The peer has sent a frame.
    ///
    /// # Errors
    ///
    /// If it is of no call, and one too many.
    pub(super) fn read(&mut self, frame: Frame) -> Result<(), Flood> {
        if frame.is_of_a_call() {
            self.add(A_CALL_FRAME);
            return Ok(());
        }
        self.spend(if frame.is_pong() { A_PONG } else { 1 })
    }

    /// So many bytes were written to the peer.
    pub(super) const fn wrote(&mut self, bytes: usize) {
        self.written += bytes;
        let frames = self.written / BYTES_A_FRAME;
        self.written %= BYTES_A_FRAME;
        self.add(frames as u32);
    }

    fn spend(&mut self, frames: u32) -> Result<(), Flood> {
        if self.left < frames {
            self.add_for_time();
        }
        self.left = self.left.checked_sub(frames).ok_or(Flood)?;
        Ok(())
    }

    /// Looks at the clock, which is not done for every frame.
    fn add_for_time(&mut self) {
        let frames = self.until.elapsed().as_secs_f64() * f64::from(A_SECOND);
        // A number that is too large becomes the largest.
        #[expect(clippy::cast_sign_loss, reason = "time does not run backwards")]
        let frames = frames as u32;
        if frames > 0 {
            self.until += Duration::from_secs(1) * frames / A_SECOND;
            self.add(frames);
        }
    }

    const fn add(&mut self, frames: u32) {
        let sum = self.left.saturating_add(frames);
        self.left = if sum < MOST { sum } else { MOST };
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    fn spent(allowance: &mut Allowance, most: u32) -> u32 {
        let mut spent = 0;
        while spent < most && allowance.spend(1).is_ok() {
            spent += 1;
        }
        spent
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_ends_when_what_was_saved_is_spent() {
        let mut allowance = Allowance::new();
        assert_eq!(spent(&mut allowance, u32::MAX), MOST);
        assert_eq!(allowance.spend(1), Err(Flood));
    }

    #[tokio::test(start_paused = true)]
    async fn a_trickle_never_ends() {
        let mut allowance = Allowance::new();
        for _ in 0..1000 {
            advance(Duration::from_millis(100)).await;
            assert_eq!(spent(&mut allowance, A_SECOND / 10), A_SECOND / 10);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn calls_earn_what_they_need() {
        let mut allowance = Allowance::new();
        for _ in 0..100_000 {
            allowance.add(A_CALL_FRAME);
            allowance.wrote(200);
            assert_eq!(spent(&mut allowance, A_CALL_FRAME), A_CALL_FRAME);
        }
        // A long answer, and two updates for each of its frames.
        for _ in 0..100_000 {
            allowance.wrote(16_384);
            assert_eq!(spent(&mut allowance, 2), 2);
        }
        assert!(spent(&mut allowance, u32::MAX) >= MOST - 2);
    }
}
