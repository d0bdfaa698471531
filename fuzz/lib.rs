//! The checks, as a library that the fuzz targets share.

/// The textbook solvers of the solver's tests.
#[path = "../tests/solver"]
#[allow(
    dead_code,
    unused_imports,
    reason = "the solver's tests use more of it"
)]
mod from_solver {
    pub(crate) mod oracle;
}
use from_solver::oracle;

pub mod checks;
