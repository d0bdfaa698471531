//! What the server costs its machine, as Linux tells it in /proc.

use std::fs::read_to_string;
use std::io::{self, Error, ErrorKind};

/// The unit of times in `/proc/PID/stat`, the same on every Linux.
const MICROSECONDS_PER_TICK: u64 = 10_000;

/// What a process has used since it started.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usage {
    pub(crate) cpu_us: u64,
    pub(crate) peak_rss_kib: u64,
}

impl Usage {
    /// What the process `pid` has used until now.
    pub(crate) fn of(pid: u32) -> io::Result<Self> {
        let stat = read_to_string(format!("/proc/{pid}/stat"))?;
        let status = read_to_string(format!("/proc/{pid}/status"))?;
        let unreadable = || Error::new(ErrorKind::InvalidData, "/proc is not as expected");
        Ok(Self {
            cpu_us: ticks(&stat).ok_or_else(unreadable)? * MICROSECONDS_PER_TICK,
            peak_rss_kib: peak(&status).ok_or_else(unreadable)?,
        })
    }
}

/// Fields 14 and 15, user and system time. The name of the program, field 2, may hold anything
/// but ends at the last parenthesis.
fn ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11);
    let user: u64 = times.next()?.parse().ok()?;
    let system: u64 = times.next()?.parse().ok()?;
    Some(user + system)
}

fn peak(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
