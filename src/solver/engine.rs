//! The one place that chooses an engine.

use std::fmt;
use std::str::FromStr;

use super::cpu::Portable;
#[cfg(target_arch = "x86_64")]
use super::cpu::{Avx2, Avx512};

/// A way to search. All engines give the same answers with the same number of guesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Plain arrays, for every CPU.
    Portable(Portable),
    /// AVX2, for x86-64.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// AVX-512, for x86-64.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

/// The same expression with the lanes, and if need be their type, of whichever engine it
/// is.
macro_rules! with_lanes {
    ($engine:expr, $lanes:ident $(: $type:ident)? => $do:expr) => {
        match $engine {
            Engine::Portable($lanes) => {
                $(type $type = crate::solver::cpu::Portable;)?
                $do
            }
            #[cfg(target_arch = "x86_64")]
            Engine::Avx2($lanes) => {
                $(type $type = crate::solver::cpu::Avx2;)?
                $do
            }
            #[cfg(target_arch = "x86_64")]
            Engine::Avx512($lanes) => {
                $(type $type = crate::solver::cpu::Avx512;)?
                $do
            }
        }
    };
}
pub(super) use with_lanes;

impl Engine {
    /// The fastest engine that this CPU can run.
    #[must_use]
    pub fn detect() -> Self {
        let slowest = Self::Portable(Portable);
        Self::all().last().unwrap_or(slowest)
    }

    /// All engines that this CPU can run, the fastest last.
    pub fn all() -> impl Iterator<Item = Self> {
        let portable = [Some(Self::Portable(Portable))];
        #[cfg(target_arch = "x86_64")]
        let special = [Avx2::new().map(Self::Avx2), Avx512::new().map(Self::Avx512)];
        #[cfg(not(target_arch = "x86_64"))]
        let special = [];
        portable.into_iter().chain(special).flatten()
    }

    /// The engine's name, as in flags and logs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable(_) => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no engine of this name on this CPU.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this CPU has no engine {name}; it has auto, {}", .available.join(", "))]
pub struct UnknownEngine {
    name: String,
    available: Vec<&'static str>,
}

impl FromStr for Engine {
    type Err = UnknownEngine;

    /// The engine with this name, or the fastest for `auto`.
    ///
    /// # Errors
    ///
    /// If this CPU cannot run an engine of this name.
    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        if name == "auto" {
            return Ok(Self::detect());
        }
        let unknown = || UnknownEngine {
            name: name.to_owned(),
            available: Self::all().map(Self::name).collect(),
        };
        Self::all()
            .find(|engine| engine.name() == name)
            .ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_is_found_by_its_name_and_auto_is_the_last() {
        for engine in Engine::all() {
            assert_eq!(engine.name().parse(), Ok(engine));
        }
        assert_eq!("auto".parse(), Ok(Engine::detect()));
        assert_eq!(Some(Engine::detect()), Engine::all().last());
    }

    #[test]
    fn an_unknown_engine_is_refused_with_those_there_are() {
        let error = "mmx".parse::<Engine>().expect_err("no such engine");
        let words = error.to_string();
        assert!(words.contains("mmx") && words.contains("auto, portable"));
    }
}
