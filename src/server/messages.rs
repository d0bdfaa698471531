//! Messages in a body: each has five bytes before it, and frames end where they like.

/// Counts the messages of a body as its bytes go by.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// How many bytes of the next message's prefix have gone by.
    prefix: usize,
    /// What these bytes say, so far.
    length: u64,
    /// The bytes of the message that are still to come.
    left: u64,
}

/// One byte that says if it is compressed, and four with its length.
const PREFIX: usize = 5;

impl Messages {
    /// How many bytes have gone by of the message that has begun and not ended.
    pub(super) const fn unfinished(&self) -> u64 {
        if self.prefix < PREFIX {
            0
        } else {
            self.length - self.left
        }
    }

    /// The number of messages that end in `bytes`.
    pub(super) fn ended_in(&mut self, bytes: &[u8]) -> u64 {
        self.pass(bytes).0
    }

    /// Where in `bytes` the last message ends that ends there.
    pub(super) fn last_end_in(&mut self, bytes: &[u8]) -> Option<usize> {
        self.pass(bytes).1
    }

    /// How many messages end in `bytes`, and where the last of them does.
    fn pass(&mut self, mut bytes: &[u8]) -> (u64, Option<usize>) {
        let (length, mut ended, mut last_end) = (bytes.len(), 0, None);
        while !bytes.is_empty() {
            if self.prefix < PREFIX {
                let (prefix, rest) = bytes.split_at(bytes.len().min(PREFIX - self.prefix));
                for byte in prefix {
                    // The first of the five is shifted out.
                    self.length = self.length << 8 & u64::from(u32::MAX) | u64::from(*byte);
                }
                self.prefix += prefix.len();
                self.left = self.length;
                bytes = rest;
            }
            if self.prefix == PREFIX {
                let gone = self.left.min(bytes.len() as u64);
                self.left -= gone;
                // Not longer than `bytes`, so it fits.
                bytes = &bytes[gone as usize..];
                if self.left == 0 {
                    ended += 1;
                    last_end = Some(length - bytes.len());
                    *self = Self::default();
                }
            }
        }
        (ended, last_end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = &[
        0, 0, 0, 0, 2, 7, 7, // two bytes
        0, 0, 0, 0, 0, // none
        1, 0, 0, 1, 0, // 256, of which the last is missing
    ];

    fn body() -> Vec<u8> {
        [BODY, &[9; 255]].concat()
    }

    #[test]
    fn messages_are_counted_when_they_end() {
        let mut messages = Messages::default();
        assert_eq!(messages.ended_in(&body()), 2);
        assert_eq!(messages.unfinished(), 255);
        assert_eq!(messages.ended_in(&[]), 0);
        assert_eq!(messages.ended_in(&[9]), 1);
        assert_eq!(messages.unfinished(), 0);
        assert_eq!(messages.ended_in(BODY), 2);
    }

    #[test]
    fn the_last_end_is_behind_the_last_whole_message() {
        let mut messages = Messages::default();
        assert_eq!(messages.last_end_in(&body()), Some(12));
        assert_eq!(messages.last_end_in(&[]), None);
        assert_eq!(messages.last_end_in(&[9, 0]), Some(1));
    }

    #[test]
    fn it_does_not_matter_where_frames_end() {
        for size in 1..20 {
            let mut messages = Messages::default();
            let body = [body(), vec![9]].concat();
            let ended = body.chunks(size).map(|chunk| messages.ended_in(chunk));
            assert_eq!(ended.sum::<u64>(), 3, "{size}");
        }
    }
}
