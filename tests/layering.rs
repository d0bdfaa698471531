//! Who may know whom: reads the sources, and names every file that breaks a rule.

#[path = "layering/orphans.rs"]
mod orphans;
#[path = "layering/paths.rs"]
mod paths;

use std::fs;
use std::path::{Path, PathBuf};

use paths::paths;

/// A place, and what it never names.
struct Rule {
    /// The folder that module paths start from.
    root: &'static str,
    /// The modules that are meant: `solver` is `solver.rs` and all of `solver/`.
    /// None means every file.
    within: &'static [&'static str],
    /// The modules among them that are not.
    except: &'static [&'static str],
    /// Paths as in a `use`, also those that begin so; macros end in `!`.
    never: &'static [&'static str],
    why: &'static str,
}

#[rustfmt::skip]
const RULES: [Rule; 8] = [
    Rule {
        root: "src", within: &["grid", "rules", "solver"], except: &[],
        never: &[
            "tonic", "tonic_prost", "tonic_types", "tonic_health", "tonic_reflection", "prost",
            "hyper", "hyper_util", "http", "http_body", "http_body_util", "tower", "tokio",
            "futures_util", "tracing", "tracing_subscriber", "clap", "humantime",
            "tokio_rustls", "x509_parser", "opentelemetry", "opentelemetry_sdk",
        ],
        why: "the domain knows no transport, no runtime and no program",
    },
    Rule {
        root: "src", within: &["grid", "rules", "solver"], except: &[],
        never: &[
            "std::env", "std::time", "std::fs", "std::io", "std::net", "std::process",
            "print!", "println!", "eprint!", "eprintln!", "dbg!",
        ],
        why: "the domain has no environment, no clock and no I/O",
    },
    Rule {
        root: "src", within: &["solver"], except: &[],
        never: &["crate::rules"],
        why: "the judged never sees its judge",
    },
    Rule {
        root: "src", within: &["rules"], except: &[],
        never: &["crate::solver"],
        why: "the judge never asks the judged",
    },
    Rule {
        root: "src", within: &[], except: &["solver::single::lanes", "solver::batch::lanes"],
        never: &["unsafe", "core::arch", "std::arch"],
        why: "unsafe code and CPU instructions stay in the lane files of the solver",
    },
    Rule {
        root: "src", within: &[], except: &["grpc"],
        never: &["include_proto!", "tonic::include_proto!", "crate::grpc::v1"],
        why: "only the edge knows generated types",
    },
    Rule {
        root: "src", within: &["grpc"], except: &[],
        never: &[
            "crate::server", "crate::config", "crate::telemetry", "crate::metrics",
            "prometheus_client", "axum", "opentelemetry", "opentelemetry_sdk",
        ],
        why: "the edge does not know how it is run",
    },
    Rule {
        root: "tests/solver", within: &["oracle", "boards"], except: &[],
        never: &["sudoku_service", "crate::differential"],
        why: "an oracle that shares code with the crate shares its errors",
    },
];

#[test]
fn every_place_keeps_its_rules() {
    let breaches: Vec<String> = RULES.iter().flat_map(breaches).collect();
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

/// One line for every forbidden path.
fn breaches(rule: &Rule) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(rule.root);
    let mut modules: Vec<(PathBuf, String)> = files(&root)
        .into_iter()
        .map(|file| {
            (
                file.clone(),
                module(file.strip_prefix(&root).expect("a file below")),
            )
        })
        .collect();
    modules.retain(|(_, module)| rule.concerns(module));
    for place in rule.within {
        let is_there = modules.iter().any(|(_, module)| lies_in(module, place));
        assert!(is_there, "{place} has left {}: mend the rule", rule.root);
    }
    let mut breaches = Vec::new();
    for (file, module) in modules {
        let source = fs::read_to_string(file).expect("a readable file");
        for path in rule.broken_by(&source, &module) {
            let Rule { root, why, .. } = rule;
            breaches.push(format!("{module} in {root} names {path}: {why}"));
        }
    }
    breaches
}

impl Rule {
    fn concerns(&self, module: &str) -> bool {
        let within =
            self.within.is_empty() || self.within.iter().any(|place| lies_in(module, place));
        within && !self.except.iter().any(|place| lies_in(module, place))
    }

    /// The paths that the source of a module should not name.
    fn broken_by(&self, source: &str, module: &str) -> Vec<String> {
        let mut named = paths(source);
        for path in &mut named {
            *path = absolute(path, module);
        }
        named.retain(|path| self.never.iter().any(|never| lies_in(path, never)));
        named
    }
}

/// Every Rust file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let below = entries.flat_map(|entry| {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            files(&path)
        } else {
            vec![path]
        }
    });
    below
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect()
}

/// `solver/scalar.rs` is `solver::scalar`.
fn module(file: &Path) -> String {
    let names: Vec<_> = file
        .with_extension("")
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.join("::")
}

fn lies_in(path: &str, place: &str) -> bool {
    path.strip_prefix(place)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The path from the crate down: `super::rules` in `solver::scalar` is
/// `crate::solver::rules`. The program itself calls the crate by its name.
fn absolute(path: &str, module: &str) -> String {
    if let Some(rest) = path
        .strip_prefix("sudoku_service::")
        .filter(|_| module == "main")
    {
        return format!("crate::{rest}");
    }
    let mut above: Vec<&str> = module.split("::").collect();
    let mut rest = path;
    while let Some(outer) = rest.strip_prefix("super::") {
        above.pop();
        rest = outer;
    }
    if rest.len() == path.len() {
        return path.to_owned();
    }
    let from_crate: Vec<&str> = ["crate"].into_iter().chain(above).chain([rest]).collect();
    from_crate.join("::")
}

/// Whether any rule forbids the module, under the root, to say this.
fn is_broken(root: &str, module: &str, source: &str) -> bool {
    let rules = RULES
        .iter()
        .filter(|rule| rule.root == root && rule.concerns(module));
    rules
        .into_iter()
        .any(|rule| !rule.broken_by(source, module).is_empty())
}

#[test]
fn breaches_are_seen() {
    for (root, module, source) in [
        ("src", "grid", "#[tracing::instrument] fn f() {}"),
        ("src", "rules", "println!()"),
        ("src", "rules", "use crate::solver;"),
        ("src", "solver", "use crate::{grid::Grid, rules::{self}};"),
        (
            "src",
            "solver::scalar",
            "use super::super::rules::conflicts;",
        ),
        ("src", "solver::search", "use std::{fmt, time::Instant};"),
        ("src", "workers", "fn f() { unsafe { g() } }"),
        ("src", "grpc::convert", "use crate::config::Config;"),
        ("src", "server", "use crate::grpc::v1::SolveRequest;"),
        ("src", "main", "use sudoku_service::grpc::v1;"),
        (
            "tests/solver",
            "oracle::rules",
            "use sudoku_service::rules;",
        ),
    ] {
        assert!(is_broken(root, module, source), "{module}: {source}");
    }
}

#[test]
fn what_is_allowed_is_no_breach() {
    for (root, module, source) in [
        ("src", "grid::text", "pub fn print() {} // println!()"),
        (
            "src",
            "solver",
            "/// [rules](crate::rules)\nuse crate::grid::Grid;",
        ),
        (
            "src",
            "solver::single::lanes::avx2",
            "use core::arch::x86_64::__m256i;",
        ),
        ("src", "lib", "#![deny(unsafe_code)] pub mod grpc;"),
        (
            "src",
            "grpc::convert",
            "use super::v1; use crate::solver::Outcome;",
        ),
        (
            "src",
            "server",
            "use crate::{config::Config, grpc::Service};",
        ),
        (
            "tests/solver",
            "oracle::ascending",
            "use super::{Board, rules};",
        ),
        ("tests/solver", "differential", "use sudoku_service::rules;"),
    ] {
        assert!(!is_broken(root, module, source), "{module}: {source}");
    }
}
