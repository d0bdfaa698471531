//! The solver against textbook solvers, on boards of every kind.

mod boards;
mod differential;
mod oracle;
