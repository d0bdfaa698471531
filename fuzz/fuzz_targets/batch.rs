#![no_main]
#![expect(missing_docs, reason = "the check has them")]

use libfuzzer_sys::fuzz_target;
use sudoku_fuzz::checks::batch;

fuzz_target!(|data: &[u8]| batch::check(data));
