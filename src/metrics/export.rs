//! From numbers to the `OpenMetrics` text.

use std::fmt;

use prometheus_client::encoding::{DescriptorEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Unit;

use crate::tally::{Counter, Gauge, Histogram};

/// The names and the values that tell a series from others with its name.
pub(super) type Labels<const N: usize> = [(&'static str, &'static str); N];

pub(super) fn counter(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    counter: &Counter,
) -> fmt::Result {
    let mut series = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
    series.encode_counter::<NoLabelSet, _, u64>(&counter.get(), None)
}

pub(super) fn counters<'a, const N: usize>(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    counters: impl Iterator<Item = (Labels<N>, &'a Counter)>,
) -> fmt::Result {
    let mut family = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
    for (labels, counter) in counters {
        let mut series = family.encode_family(&labels)?;
        series.encode_counter::<NoLabelSet, _, u64>(&counter.get(), None)?;
    }
    Ok(())
}

pub(super) fn gauge(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    gauge: &Gauge,
) -> fmt::Result {
    let mut series = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
    series.encode_gauge(&gauge.get())
}

/// A histogram of plain numbers.
pub(super) fn sizes(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    histogram: &Histogram,
) -> fmt::Result {
    let mut series = encoder.encode_descriptor(name, help, None, MetricType::Histogram)?;
    let (sum, count, buckets) = scaled(histogram, 1.0);
    series.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)
}

/// Histograms of times, which are counted in nanoseconds and told in seconds: the name
/// gets `_seconds`.
pub(super) fn times<'a, const N: usize>(
    encoder: &mut DescriptorEncoder<'_>,
    name: &str,
    help: &str,
    histograms: impl Iterator<Item = (Labels<N>, &'a Histogram)>,
) -> fmt::Result {
    let unit = Unit::Seconds;
    let mut family = encoder.encode_descriptor(name, help, Some(&unit), MetricType::Histogram)?;
    for (labels, histogram) in histograms {
        let (sum, count, buckets) = scaled(histogram, 1e9);
        let mut series = family.encode_family(&labels)?;
        series.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)?;
    }
    Ok(())
}

/// The sum, the count and the buckets, with `scale` in place of 1. The count is that of
/// the buckets, so that they agree while calls go on.
#[expect(
    clippy::cast_precision_loss,
    reason = "bounds are round, and a sum of 2^53 ns is a hundred days"
)]
fn scaled(histogram: &Histogram, scale: f64) -> (f64, u64, Vec<(f64, u64)>) {
    let bound = |bound: Option<u64>| bound.map_or(f64::INFINITY, |bound| bound as f64 / scale);
    let counts = histogram.counts();
    let buckets: Vec<_> = counts.map(|(at, count)| (bound(at), count)).collect();
    let count = buckets.iter().map(|(_, count)| count).sum();
    (histogram.sum() as f64 / scale, count, buckets)
}
