#![no_main]
#![expect(missing_docs, reason = "the check has them")]

use libfuzzer_sys::fuzz_target;
use sudoku_fuzz::checks::grid_text;

fuzz_target!(|data: &[u8]| grid_text::check(data));
