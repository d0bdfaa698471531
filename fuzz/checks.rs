//! What must hold for any bytes whatever: one check a module, with a `check` that panics
//! if it does not.
//!
//! The same checks run in the tests, on seeded bytes, and as fuzz targets, on bytes that
//! a fuzzer finds by looking at what they reach.

pub(crate) mod boards;
pub(crate) mod bytes;
pub(crate) mod reader;

pub mod batch;
pub mod grid_text;
pub mod http2;
pub mod requests;
pub mod solver;
