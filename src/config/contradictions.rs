//! Settings that cannot hold together.

use std::fmt;
use std::time::Duration;

/// Settings that cannot hold together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// The default deadline is over the limit.
    #[error("--deadline is {deadline:?}, longer than --max-deadline, {max_deadline:?}")]
    Deadline {
        /// The default.
        deadline: Duration,
        /// The limit.
        max_deadline: Duration,
    },
    /// A setting means nothing without another one.
    #[error("{setting} needs {needed}, which is not set")]
    Missing {
        /// The setting.
        setting: &'static str,
        /// The other one.
        needed: &'static str,
    },
    /// A setting means nothing to this program, as it was built.
    #[error("{setting} needs a program that was built with --features {feature}")]
    NotBuilt {
        /// The setting.
        setting: &'static str,
        /// What the program lacks.
        feature: &'static str,
    },
}

impl Contradiction {
    /// Each of the settings that is set without the one that it needs.
    pub(super) fn missing<const N: usize>(
        needs: [[(&'static str, bool); 2]; N],
    ) -> impl Iterator<Item = Self> {
        needs.into_iter().filter_map(|[setting, needed]| {
            let is_missing = setting.1 && !needed.1;
            is_missing.then_some(Self::Missing {
                setting: setting.0,
                needed: needed.0,
            })
        })
    }
}

/// All contradictions between settings, at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradictions(Vec<Contradiction>);

impl Contradictions {
    /// Nothing is wrong with no contradiction.
    pub(super) fn of(found: Vec<Contradiction>) -> Result<(), Self> {
        if found.is_empty() {
            Ok(())
        } else {
            Err(Self(found))
        }
    }
}

impl fmt::Display for Contradictions {
    /// One line for each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Contradictions {}
