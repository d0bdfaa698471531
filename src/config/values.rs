//! Values of settings that need more than a number to write them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;

/// Something that is there or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// It is there.
    On,
    /// It is not.
    Off,
}

/// A time that something may last, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimit(Option<Duration>);

impl TimeLimit {
    /// No limit.
    pub const OFF: Self = Self(None);

    /// This many seconds.
    #[must_use]
    pub const fn seconds(seconds: u64) -> Self {
        Self(Some(Duration::from_secs(seconds)))
    }

    /// The limit, if there is one.
    #[must_use]
    pub const fn get(self) -> Option<Duration> {
        self.0
    }
}

impl From<Duration> for TimeLimit {
    fn from(limit: Duration) -> Self {
        Self(Some(limit).filter(|limit| !limit.is_zero()))
    }
}

impl FromStr for TimeLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if matches!(text, "0" | "off") {
            return Ok(Self::OFF);
        }
        let limit = duration(text).map_err(|hint| format!("{hint}, or as off"))?;
        Ok(limit.into())
    }
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(limit) => write!(f, "{}", humantime::format_duration(limit)),
            None => f.write_str("off"),
        }
    }
}

/// The longest duration that can be set: a year, which is as good as for ever. What is
/// added to the time of the clock must not go beyond its end.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Reads a duration.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let duration = humantime::parse_duration(text).ok();
    duration
        .filter(|duration| *duration <= LONGEST)
        .ok_or_else(|| "write it as 500ms, 10s or 1m 30s, up to 365d".into())
}

/// Reads a number from 1 to the largest that the type can hold.
pub(super) fn number<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    let most = u64::MAX >> (64 - 8 * size_of::<T>());
    number
        .and_then(|number: u64| number.try_into().ok())
        .ok_or_else(|| format!("write a number from 1 to {most}"))
}

/// Reads a number of bytes between `MIN` and `MAX`, with or without a unit.
pub(super) fn size<const MIN: u32, const MAX: u32>(text: &str) -> Result<u32, String> {
    let units = [("KiB", 1024), ("MiB", 1024 * 1024)];
    let unit = units.iter().find(|(name, _)| text.ends_with(name));
    let (name, factor) = unit.copied().unwrap_or(("", 1));
    let digits = text.strip_suffix(name).unwrap_or(text).trim_end();
    let size = digits.parse().ok().and_then(|n: u32| n.checked_mul(factor));
    size.filter(|size| (MIN..=MAX).contains(size))
        .ok_or_else(|| format!("write {MIN} to {MAX} bytes, as 65536, 64KiB or 4MiB"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_limit_reads_what_it_prints() {
        for text in ["off", "60s", "1m 30s", "250ms"] {
            let limit: TimeLimit = text.parse().expect(text);
            assert_eq!(limit.to_string().parse(), Ok(limit), "{text}");
        }
        for off in ["0", "0s", "off"] {
            assert_eq!(off.parse(), Ok(TimeLimit::OFF), "{off}");
        }
        for wrong in ["", "never", "5", "-1s", "366d", "18446744073709551615s"] {
            assert!(wrong.parse::<TimeLimit>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_number_is_positive_and_within_its_type() {
        assert_eq!(number::<u32>("4294967295"), Ok(u32::MAX));
        assert_eq!(number::<u64>("18446744073709551615"), Ok(u64::MAX));
        for wrong in ["", "0", "-1", "abc", "4294967296"] {
            let hint = "write a number from 1 to 4294967295".to_owned();
            assert_eq!(number::<u32>(wrong), Err(hint), "{wrong}");
        }
    }

    #[test]
    fn a_size_has_a_unit_or_none_and_stays_in_range() {
        let size = size::<1024, 0x0040_0000>;
        for (text, bytes) in [("1024", 1024), ("16KiB", 16_384), ("4 MiB", 0x0040_0000)] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for wrong in [
            "",
            "KiB",
            "1023",
            "5MiB",
            "4MB",
            "-1",
            "9999999999",
            "4096MiB",
        ] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
