//! The solver by its public face: against textbook solvers, and every engine against
//! the others, on boards of every kind.

mod boards;
mod budgets;
mod differential;
mod engines;
mod guesses;
mod hostile;
mod judge;
mod oracle;
mod symmetry;
