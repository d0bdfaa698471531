//! Numbers of connections, for whoever wants to look.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What has become of connections.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) open: Count,
    /// Refused because there were too many.
    pub(super) refused: Count,
    /// Given up because the peer did not say in time, or not rightly, what it wants.
    pub(super) failed_handshakes: Count,
    /// Times that no connection could be accepted.
    pub(super) failed_accepts: Count,
}

/// A number that is counted on any thread.
#[derive(Debug, Default)]
pub(super) struct Count(AtomicU64);

impl Count {
    pub(super) fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    #[cfg_attr(not(test), expect(dead_code, reason = "for the metrics"))]
    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// An open connection, counted until this is dropped.
#[derive(Debug)]
pub(super) struct Counted(Arc<Tally>);

impl Counted {
    pub(super) fn new(tally: &Arc<Tally>) -> Self {
        tally.open.add();
        Self(Arc::clone(tally))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.open.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_counted_as_long_as_it_is_open() {
        let tally = Arc::default();
        let connections = [Counted::new(&tally), Counted::new(&tally)];
        assert_eq!(tally.open.get(), 2);
        drop(connections);
        assert_eq!(tally.open.get(), 0);
    }
}
