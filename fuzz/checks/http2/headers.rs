//! Headers of calls out of arbitrary bytes.

use crate::checks::bytes::Bytes;

const CONTENT_TYPES: [&str; 4] = [
    "application/grpc+proto",
    "application/grpc-web",
    "text/html",
    "",
];

/// The header of a call, each field a literal; now and then one is wrong, missing or
/// there twice.
pub(super) fn headers(bytes: &mut Bytes<'_>) -> Vec<u8> {
    let path = match bytes.below(8) {
        0 => "/sudoku.v1.SudokuService/Validate",
        1 => "/sudoku.v1.SudokuService/BatchSolve",
        2 => "/sudoku.v1.SudokuService/StreamSolve",
        3 => "/sudoku.v1.SudokuService/CountSolutions",
        4 => "/sudoku.v1.SudokuService/EnumerateSolutions",
        5 => bytes.pick(&[
            "/",
            "",
            "*",
            "/sudoku.v1.SudokuService/",
            "/grpc.health.v1.Health/Check",
            "/grpc.health.v1.Health/Watch",
            "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
            "//?#",
        ]),
        _ => "/sudoku.v1.SudokuService/Solve",
    };
    let mut fields = vec![
        (":method", "POST"),
        (":scheme", "http"),
        (":path", path),
        (":authority", "localhost"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
    ];
    match bytes.below(16) {
        0 => fields.push((
            "grpc-timeout",
            bytes.pick(&["1S", "1n", "0m", "99999999H", "", "x", "-1S", "123456789S"]),
        )),
        1 => fields.push(("grpc-encoding", bytes.pick(&["gzip", "identity", "br", ""]))),
        2 => {
            fields.remove(bytes.below(fields.len()));
        }
        3 => fields.push(fields[bytes.below(6)]),
        4 => fields[0].1 = bytes.pick(&["GET", "PUT", "CONNECT", "OPTIONS", "", "post"]),
        5 => fields[4].1 = bytes.pick(&CONTENT_TYPES),
        6 => fields.push(("connection", "close")),
        7 => fields.push((
            "content-length",
            bytes.pick(&["0", "1", "86", "99999999999", "x"]),
        )),
        8 => fields.swap(2, 4),
        _ => {}
    }
    let literal = |(name, value): &(&str, &str)| {
        let lengths = [name.len(), value.len()].map(|length| length as u8);
        [
            &[0, lengths[0]],
            name.as_bytes(),
            &[lengths[1]],
            value.as_bytes(),
        ]
        .concat()
    };
    let mut block: Vec<u8> = fields.iter().flat_map(literal).collect();
    if bytes.below(8) == 7 {
        let length = bytes.below(40);
        block.extend(bytes.take(length));
    }
    block
}
