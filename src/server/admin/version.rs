//! `/version`: which program this is.

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value};

use crate::solver::Engine;

/// What is known of this program; the same is told by `sudoku_build_info`.
#[derive(Debug, Clone)]
pub(in crate::server) struct Version {
    facts: Vec<(&'static str, String)>,
}

impl Version {
    /// This program, solving with `engine`.
    pub(in crate::server) fn new(engine: Engine) -> Self {
        let facts = [
            ("version", env!("CARGO_PKG_VERSION")),
            // Set where the program is built for others.
            (
                "revision",
                option_env!("SUDOKU_REVISION").unwrap_or("unknown"),
            ),
            ("architecture", std::env::consts::ARCH),
            ("os", std::env::consts::OS),
        ];
        let facts = facts
            .into_iter()
            .map(|(name, fact)| (name, fact.to_owned()));
        Self {
            facts: facts.chain([("engine", engine.to_string())]).collect(),
        }
    }

    /// Each fact with its name.
    pub(in crate::server) fn facts(&self) -> &[(&'static str, String)] {
        &self.facts
    }

    pub(super) fn response(&self) -> Response {
        let fact = |(name, fact): &(&'static str, String)| {
            ((*name).to_owned(), Value::from(fact.as_str()))
        };
        let facts = Value::Object(self.facts.iter().map(fact).collect::<Map<_, _>>());
        ([(CONTENT_TYPE, "application/json")], format!("{facts}\n")).into_response()
    }
}
