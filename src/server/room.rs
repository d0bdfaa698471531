//! Room for large requests: how much memory messages that arrive may take, all together.
//!
//! A message is held until it is whole, and a client that sends most of many messages
//! and then nothing more could fill the memory with them. So what a call holds of
//! messages beyond [`SMALL`] bytes comes out of one room for all; where that is full,
//! calls that want more are refused, and small ones, nearly all, do not even ask.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::config::Config;
use crate::grpc::Failure;

/// Messages up to this many bytes need no room: any one grid, or a batch of 200.
const SMALL: u64 = 16 * 1024;
/// The room is for so many messages of the largest size.
const LARGEST_MESSAGES: u64 = 8;

/// The room that is left, in bytes.
#[derive(Debug)]
pub(super) struct Room {
    left: AtomicU64,
    /// How long a call may last that has taken room, even if it could last longer.
    pub(super) patience: Duration,
}

/// What one call holds of the room; it is given back when this is dropped.
#[derive(Debug)]
pub(super) struct Held {
    room: Arc<Room>,
    bytes: u64,
}

impl Room {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            left: AtomicU64::new(LARGEST_MESSAGES * u64::from(config.connections.max_message_size)),
            patience: config.max_deadline,
        }
    }
}

impl Held {
    /// No room yet.
    pub(super) const fn none(room: Arc<Room>) -> Self {
        Self { room, bytes: 0 }
    }

    pub(super) fn room(&self) -> &Room {
        &self.room
    }

    /// Whether a message of which `bytes` have arrived is so large that it needs room.
    pub(super) const fn needs_room(bytes: u64) -> bool {
        bytes > SMALL
    }

    /// Takes the room for a message of which `bytes` have arrived. It is kept until the
    /// call ends, since the memory is.
    ///
    /// # Errors
    ///
    /// If there is not so much left.
    pub(super) fn hold(&mut self, bytes: u64) -> Result<(), Failure> {
        if !Self::needs_room(bytes) || bytes <= self.bytes {
            return Ok(());
        }
        let more = bytes - self.bytes;
        let taken = self
            .room
            .left
            .fetch_update(Relaxed, Relaxed, |left| left.checked_sub(more));
        taken.map_err(|_| Failure::Overloaded)?;
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.room.left.fetch_add(self.bytes, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room() -> (Arc<Room>, u64) {
        let room = Room::new(&Config::default());
        let size = room.left.load(Relaxed);
        (Arc::new(room), size)
    }

    #[test]
    fn small_messages_need_none() {
        let (room, size) = room();
        let mut held = Held::none(Arc::clone(&room));
        assert_eq!(held.hold(SMALL), Ok(()));
        assert_eq!(room.left.load(Relaxed), size);
        // One byte more, and all of them count.
        assert_eq!(held.hold(SMALL + 1), Ok(()));
        assert_eq!(room.left.load(Relaxed), size - SMALL - 1);
    }

    #[test]
    fn the_largest_message_of_a_call_counts() {
        let (room, size) = room();
        let mut held = Held::none(Arc::clone(&room));
        for bytes in [20_000, 50_000, 100, 30_000] {
            assert_eq!(held.hold(bytes), Ok(()));
        }
        assert_eq!(room.left.load(Relaxed), size - 50_000);
        drop(held);
        assert_eq!(room.left.load(Relaxed), size);
    }

    #[test]
    fn a_full_room_refuses_and_loses_nothing() {
        let (room, size) = room();
        let mut held = Held::none(Arc::clone(&room));
        let mut other = Held::none(Arc::clone(&room));
        assert_eq!(held.hold(size - SMALL), Ok(()));
        assert_eq!(other.hold(SMALL + 1), Err(Failure::Overloaded));
        assert_eq!(other.hold(SMALL), Ok(()));
        assert_eq!(held.hold(size), Ok(()));
        drop(held);
        assert_eq!(other.hold(SMALL + 1), Ok(()));
    }
}
