//! What has come back so far.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tonic::Code;

use crate::work::Puzzle;

/// Counts and latencies of answers.
#[derive(Debug, Default, Clone)]
pub(crate) struct Tally {
    /// Calls that were answered.
    pub(crate) calls: u64,
    /// Puzzles that were answered.
    pub(crate) puzzles: u64,
    /// Answers that the judge rejects.
    pub(crate) wrong: u64,
    /// Calls, and items of batches and streams, that failed: by code.
    pub(crate) failed: BTreeMap<String, u64>,
    /// How long calls took; in a stream, how long each puzzle took.
    pub(crate) latency: Histogram,
}

impl Tally {
    /// Counts an answer to `puzzle`.
    pub(crate) fn judged(&mut self, puzzle: &Puzzle, verdict: Result<(), &'static str>) {
        self.puzzles += 1;
        if let Err(fault) = verdict {
            self.wrong(&format!("{fault}, in the answer to {}", puzzle.text));
        }
    }

    /// Counts something that no right server does.
    pub(crate) fn wrong(&mut self, fault: &str) {
        self.wrong += 1;
        show(format!("wrong: {fault}"));
    }

    /// Counts a failure.
    pub(crate) fn failed(&mut self, code: Code, message: &str) {
        let name = name(code);
        show(format!("failed: {name}: {message}"));
        *self.failed.entry(name).or_default() += 1;
    }

    /// Adds what another caller counted.
    pub(crate) fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.puzzles += other.puzzles;
        self.wrong += other.wrong;
        for (code, count) in &other.failed {
            *self.failed.entry(code.clone()).or_default() += count;
        }
        self.latency.add(&other.latency);
    }
}

/// Tells the user of something amiss: once, and of ten such things at most.
fn show(line: String) {
    static SHOWN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if shown.len() < 10 && !shown.contains(&line) {
        eprintln!("{line}");
        shown.insert(line);
    }
}

/// The name of a code as gRPC writes it: `INVALID_ARGUMENT`.
fn name(code: Code) -> String {
    let mut name = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

/// Durations, sorted into bins less than 2 % wide.
#[derive(Debug, Clone)]
pub(crate) struct Histogram {
    counts: Vec<u64>,
}

/// 64 bins for each doubling; below 64 ns one for each nanosecond.
const BINS_LOG2: u32 = 6;
const BINS: u64 = 1 << BINS_LOG2;

impl Histogram {
    pub(crate) fn record(&mut self, duration: Duration) {
        let nanoseconds = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        self.counts[bin(nanoseconds)] += 1;
    }

    fn add(&mut self, other: &Self) {
        for (count, other) in self.counts.iter_mut().zip(&other.counts) {
            *count += other;
        }
    }

    /// The duration that `per_mille` of all do not exceed, if there is any.
    pub(crate) fn quantile(&self, per_mille: u64) -> Option<Duration> {
        let total: u64 = self.counts.iter().sum();
        let rank = (total * per_mille).div_ceil(1000).max(1);
        let mut seen = 0;
        let found = self.counts.iter().position(|count| {
            seen += count;
            seen >= rank
        });
        found.map(|bin| Duration::from_nanos(greatest_in(bin)))
    }
}

impl Default for Histogram {
    fn default() -> Self {
        let counts = vec![0; bin(u64::MAX) + 1];
        Self { counts }
    }
}

/// The bin of a value: its highest bits, and how many are left out.
const fn bin(value: u64) -> usize {
    let dropped = (u64::BITS - value.leading_zeros()).saturating_sub(BINS_LOG2 + 1);
    (dropped as u64 * BINS + (value >> dropped)) as usize
}

/// The greatest value of a bin.
const fn greatest_in(bin: usize) -> u64 {
    let bin = bin as u64;
    if bin < 2 * BINS {
        return bin;
    }
    let dropped = bin / BINS - 1;
    let first = (bin - dropped * BINS) << dropped;
    first + ((1 << dropped) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_lies_in_a_narrow_bin() {
        for value in (0..20_000).chain([1 << 40, u64::MAX - 1, u64::MAX]) {
            let greatest = greatest_in(bin(value));
            assert!(
                greatest >= value && greatest - value <= value / 63,
                "{value}"
            );
            assert!(greatest == u64::MAX || bin(greatest + 1) == bin(value) + 1);
        }
    }

    #[test]
    fn quantiles_count_from_below() {
        let mut histogram = Histogram::default();
        assert_eq!(histogram.quantile(500), None);
        for nanoseconds in 1..=100 {
            histogram.record(Duration::from_nanos(nanoseconds));
        }
        let nanoseconds = |q| histogram.quantile(q).map(|d| d.as_nanos());
        assert_eq!(nanoseconds(500), Some(50));
        assert_eq!(nanoseconds(990), Some(99));
        assert_eq!(nanoseconds(1000), Some(100));
    }

    #[test]
    fn codes_have_their_usual_names() {
        assert_eq!(name(Code::InvalidArgument), "INVALID_ARGUMENT");
        assert_eq!(name(Code::Unavailable), "UNAVAILABLE");
    }
}
