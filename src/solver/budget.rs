//! What a search may cost, and how it is told to stop.

use std::sync::atomic::{AtomicBool, Ordering};

/// Tells a running search, from another thread, that nobody waits for its answer.
#[derive(Debug, Default)]
pub struct StopFlag(AtomicBool);

impl StopFlag {
    /// A flag that is not raised.
    #[must_use]
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Raises the flag; searches that look at it end within microseconds.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is raised.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The guesses that a search may still make, and its stop flag.
///
/// One budget may pay for several searches, one after the other. A search that ends
/// for want of budget says so; it never takes that for "no solution".
#[derive(Debug)]
pub struct Budget<'s> {
    left: u64,
    spent: u64,
    ended: bool,
    /// What a solution adds to the guesses.
    reward: u64,
    stop: &'s StopFlag,
}

impl<'s> Budget<'s> {
    /// A budget of `guesses`, and one more for each solution that is counted or listed,
    /// that also ends when `stop` is raised.
    #[must_use]
    pub const fn new(guesses: u64, stop: &'s StopFlag) -> Self {
        Self {
            left: guesses,
            spent: 0,
            ended: false,
            reward: 1,
            stop,
        }
    }

    /// The same, but solutions that are counted or listed add nothing to it: it bounds the
    /// work, whatever the grid.
    #[must_use]
    pub const fn strict(guesses: u64, stop: &'s StopFlag) -> Self {
        Self {
            reward: 0,
            ..Self::new(guesses, stop)
        }
    }

    /// The guesses made so far.
    #[must_use]
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// The guesses that may still be made.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Whether a search ended for want of guesses, or because it was told to stop.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether no guess is left, or the stop flag is raised.
    #[inline]
    pub(super) fn is_used_up(&self) -> bool {
        self.left == 0 || self.stop.is_stopped()
    }

    /// Makes a guess, of a budget that is not used up.
    #[inline]
    pub(super) const fn spend(&mut self) {
        self.left -= 1;
        self.spent += 1;
    }

    /// Ends the search that the budget is used up for.
    pub(super) const fn end(&mut self) -> LimitReached {
        self.ended = true;
        LimitReached
    }

    /// Makes a guess, or ends the search.
    pub(super) fn take(&mut self) -> Result<(), LimitReached> {
        if self.is_used_up() {
            return Err(self.end());
        }
        self.spend();
        Ok(())
    }

    /// Adds a guess for a solution that was found: listing many is no hopeless search.
    pub(super) const fn reward_solution(&mut self) {
        self.left = self.left.saturating_add(self.reward);
    }
}

/// The budget ended before the search did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the search ended for want of guesses, or was told to stop")]
pub struct LimitReached;
