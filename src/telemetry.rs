//! Logs: where they go, in which form, and which.

mod log_filter;

use std::io::{IsTerminal, stdout};

use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt, registry};

use crate::config::{Config, LogFormat};
pub use log_filter::{LogFilter, UnreadableFilter};

/// How many lines may wait to be written. A line has about a kilobyte at most.
const WAITING_LINES: usize = 10_000;

/// The logs of this process. What is still to be written when it is dropped, is written
/// then.
#[derive(Debug)]
pub struct Logs {
    filter: LogFilter,
    _written: WorkerGuard,
}

/// Sends the log lines of this process to standard output.
///
/// A thread of its own writes them: whoever reads them slowly holds up no call. Lines
/// that come faster than they are written, for long, are left out.
///
/// # Panics
///
/// If it is called twice in one process.
#[must_use = "logs end when this is dropped"]
pub fn start(config: &Config) -> Logs {
    let (writer, written) = NonBlockingBuilder::default()
        .buffered_lines_limit(WAITING_LINES)
        .finish(stdout());
    let lines = fmt::layer()
        .with_ansi(stdout().is_terminal())
        .with_writer(writer);
    let lines = match config.log_format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let (layer, filter) = LogFilter::new(&config.log);
    registry().with(layer).with(lines).init();
    Logs {
        filter,
        _written: written,
    }
}

impl Logs {
    /// What is logged, to be seen and changed.
    #[must_use]
    pub fn filter(&self) -> LogFilter {
        self.filter.clone()
    }
}
