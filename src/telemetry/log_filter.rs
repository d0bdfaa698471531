//! What is logged: set at the start, changed while the program runs.

use std::fmt;

use tracing_subscriber::reload::{self, Handle};
use tracing_subscriber::{EnvFilter, Registry};

use crate::config::log_filter;

/// What is logged.
#[derive(Clone)]
pub struct LogFilter {
    filter: Handle<EnvFilter, Registry>,
}

/// A text that is no filter of log lines.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UnreadableFilter(String);

impl LogFilter {
    /// The filter that `text` describes, as a layer, and what changes it. Parts of the
    /// text that cannot be read are left out.
    #[must_use]
    pub fn new(text: &str) -> (reload::Layer<EnvFilter, Registry>, Self) {
        let (layer, filter) = reload::Layer::new(EnvFilter::new(text));
        (layer, Self { filter })
    }

    /// What is logged now.
    #[must_use]
    pub fn get(&self) -> String {
        let text = self.filter.with_current(ToString::to_string);
        text.unwrap_or_else(|gone| gone.to_string())
    }

    /// Logs what `text` says from now on: a level, or levels for targets.
    ///
    /// # Errors
    ///
    /// If the text cannot be read; then all stays as it is.
    pub fn set(&self, text: &str) -> Result<(), UnreadableFilter> {
        let filter = log_filter(text).map_err(UnreadableFilter)?;
        if let Err(error) = self.filter.reload(filter) {
            tracing::warn!(%error, "what is logged cannot be changed");
        }
        Ok(())
    }
}

impl fmt::Debug for LogFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LogFilter").field(&self.get()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_that_cannot_be_read_changes_nothing() {
        let (_layer, filter) = LogFilter::new("info");
        assert_eq!(filter.get(), "info");
        filter.set("warn,sudoku_service=debug").expect("a filter");
        assert_eq!(filter.get(), "sudoku_service=debug,warn");
        let error = filter.set("warn,tonic=loud").expect_err("no filter");
        assert!(error.to_string().contains("target=level"), "{error}");
        assert_eq!(filter.get(), "sudoku_service=debug,warn");
    }
}
