//! Logs: where they go and in which form.

use std::io::{IsTerminal, stdout};

use tracing_subscriber::EnvFilter;

use crate::config::{Config, LogFormat};

/// Sends the log lines of this process to standard output.
///
/// # Panics
///
/// If it is called twice in one process.
pub fn start(config: &Config) {
    let lines = tracing_subscriber::fmt()
        .with_ansi(stdout().is_terminal())
        .with_env_filter(EnvFilter::new(&config.log));
    match config.log_format {
        LogFormat::Text => lines.init(),
        LogFormat::Json => lines.json().flatten_event(true).init(),
    }
}
