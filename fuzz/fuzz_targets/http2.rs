#![no_main]
#![expect(missing_docs, reason = "the check has them")]

use libfuzzer_sys::fuzz_target;
use sudoku_fuzz::checks::http2;

fuzz_target!(|data: &[u8]| http2::check(data));
