//! Long searches, counted as they come and go.

use tokio::sync::watch;

/// The searches that were handed to the pool since the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LongSearches {
    /// Those that were handed over.
    pub started: u64,
    /// Those that came to their end, or to that of their budget.
    pub finished: u64,
    /// Those that were refused because there was too much to do.
    pub refused: u64,
    /// Those that were stopped because nobody waited any more.
    pub stopped: u64,
}

/// A long search as it counts: once, however often it starts again, and as stopped if it
/// is dropped between two stages.
pub(super) struct Counted {
    long_searches: watch::Sender<LongSearches>,
    has_finished: bool,
}

impl Counted {
    /// A search that is handed over now.
    pub(super) fn begin(long_searches: &watch::Sender<LongSearches>) -> Self {
        long_searches.send_modify(|count| count.started += 1);
        Self {
            long_searches: long_searches.clone(),
            has_finished: false,
        }
    }

    /// It has come to its end.
    pub(super) fn finish(mut self) {
        self.has_finished = true;
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.long_searches.send_modify(|count| {
            let ended = if self.has_finished {
                &mut count.finished
            } else {
                &mut count.stopped
            };
            *ended += 1;
        });
    }
}
