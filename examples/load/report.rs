//! The outcome of a run, as one line of JSON.

use std::fmt;
use std::time::Duration;

use crate::server_cost::Usage;
use crate::tally::Tally;

/// What a run found out.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) tally: Tally,
    pub(crate) elapsed: Duration,
    /// What the server had used before and after.
    pub(crate) cost: Option<(Usage, Usage)>,
}

impl Report {
    /// Whether every answer came and was right.
    pub(crate) fn is_clean(&self) -> bool {
        self.tally.wrong == 0 && self.tally.failed.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally {
            calls,
            puzzles,
            wrong,
            failed,
            latency,
        } = &self.tally;
        let failed = failed
            .iter()
            .map(|(code, count)| format!(r#""{code}":{count}"#));
        let failed = failed.collect::<Vec<_>>().join(",");
        let seconds = self.elapsed.as_secs_f64();
        let per_second = |count| ratio(count, seconds, 0);
        write!(
            f,
            r#"{{"calls":{calls},"puzzles":{puzzles},"failed":{{{failed}}},"wrong":{wrong}"#
        )?;
        write!(f, r#","seconds":{seconds:.3}"#)?;
        write!(f, r#","calls_per_second":{}"#, per_second(*calls))?;
        write!(f, r#","puzzles_per_second":{}"#, per_second(*puzzles))?;
        let quantile = |per_mille| {
            let microseconds = |d: Duration| format!("{:.1}", d.as_secs_f64() * 1e6);
            latency
                .quantile(per_mille)
                .map_or("null".into(), microseconds)
        };
        let (p50, p90, p99, p999) = (quantile(500), quantile(900), quantile(990), quantile(999));
        write!(
            f,
            r#","latency_us":{{"p50":{p50},"p90":{p90},"p99":{p99},"p999":{p999}}}"#
        )?;
        if let Some((before, after)) = self.cost {
            let used = after.cpu_us - before.cpu_us;
            let per = |count| ratio(used, float(count), 3);
            write!(f, r#","server_cpu_us_per_call":{}"#, per(*calls))?;
            write!(f, r#","server_cpu_us_per_puzzle":{}"#, per(*puzzles))?;
            write!(f, r#","server_peak_rss_kib":{}"#, after.peak_rss_kib)?;
        }
        f.write_str("}")
    }
}

/// A quotient as JSON; `null` if it is none.
fn ratio(count: u64, by: f64, decimals: usize) -> String {
    let ratio = float(count) / by;
    if ratio.is_finite() {
        format!("{ratio:.decimals$}")
    } else {
        "null".into()
    }
}

#[expect(clippy::cast_precision_loss, reason = "no run counts to 2^52")]
fn float(count: u64) -> f64 {
    count as f64
}
