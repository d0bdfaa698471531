//! Single numbers: those that only grow, and those that rise and fall.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Counts one more.
    pub fn increment(&self) {
        self.add(1);
    }

    /// Counts so many more.
    pub fn add(&self, count: u64) {
        self.0.fetch_add(count, Relaxed);
    }

    /// The count so far.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// A number that rises and falls.
#[derive(Debug, Default)]
pub struct Gauge(AtomicI64);

impl Gauge {
    /// One more is there.
    pub fn rise(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    /// It is this now.
    pub fn set(&self, value: i64) {
        self.0.store(value, Relaxed);
    }

    /// One has gone.
    pub fn fall(&self) {
        self.0.fetch_sub(1, Relaxed);
    }

    /// How many there are.
    #[must_use]
    pub fn get(&self) -> i64 {
        self.0.load(Relaxed)
    }
}
