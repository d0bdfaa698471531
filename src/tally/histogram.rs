//! How often values of each size came.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Bounds for times, in nanoseconds: 1 us to 60 s. A usual puzzle takes some
/// microseconds, and no call takes longer than the longest deadline by default.
#[rustfmt::skip]
pub const SECONDS: &[u64] = &[
    1_000, 2_500, 5_000,
    10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
    100_000_000, 250_000_000, 500_000_000,
    1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000, 60_000_000_000,
];

/// Values, counted by their size.
#[derive(Debug)]
pub struct Histogram {
    bounds: &'static [u64],
    /// One for each bound, and one for what is beyond the last.
    counts: Box<[AtomicU64]>,
    sum: AtomicU64,
}

impl Histogram {
    /// Counts values up to each of these ascending bounds.
    #[must_use]
    pub fn new(bounds: &'static [u64]) -> Self {
        Self {
            bounds,
            counts: (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect(),
            sum: AtomicU64::new(0),
        }
    }

    /// Counts a value.
    pub fn observe(&self, value: u64) {
        self.observe_often(value, 1);
    }

    /// Counts a value that came so many times.
    pub fn observe_often(&self, value: u64, times: u64) {
        let place = self.bounds.partition_point(|bound| *bound < value);
        self.counts[place].fetch_add(times, Relaxed);
        self.sum.fetch_add(value.saturating_mul(times), Relaxed);
    }

    /// Counts a time in nanoseconds.
    pub fn observe_time(&self, time: Duration) {
        self.observe(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }

    /// The bounds, each with the number of values up to it and above the one before, and
    /// last the number of those beyond.
    pub fn counts(&self) -> impl Iterator<Item = (Option<u64>, u64)> {
        let bounds = self.bounds.iter().copied().map(Some).chain([None]);
        bounds.zip(self.counts.iter().map(|count| count.load(Relaxed)))
    }

    /// The sum of all values.
    #[must_use]
    pub fn sum(&self) -> u64 {
        self.sum.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_counts_at_the_first_bound_that_holds_it() {
        let histogram = Histogram::new(&[0, 10, 100]);
        for value in [0, 1, 10, 11, 100, 101] {
            histogram.observe(value);
        }
        histogram.observe_often(5, 3);
        let counts: Vec<_> = histogram.counts().collect();
        assert_eq!(
            counts,
            [(Some(0), 1), (Some(10), 5), (Some(100), 2), (None, 1)]
        );
        assert_eq!(histogram.sum(), 223 + 15);
    }

    #[test]
    fn bounds_ascend() {
        assert!(SECONDS.is_sorted());
    }
}
