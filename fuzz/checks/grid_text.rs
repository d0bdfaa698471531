//! Grid text: read exactly when the contract's own words say so, and printed so that it
//! is read as the same grid again.

use std::fmt::Write as _;

use sudoku_service::grid::{Grid, ParseGridError};

use super::bytes::Bytes;
use super::reader::{self, Refusal};

/// What texts that are nearly grids are made of. The first are the most frequent.
const PALETTE: &[&str] = &[
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    ".",
    "0",
    "_",
    "*",
    "x",
    "X",
    "?",
    ".",
    "5",
    ".",
    "7",
    " ",
    "\n",
    "\r\n",
    "\t",
    "|",
    "!",
    "+",
    "-",
    "=",
    ",",
    "[",
    "]",
    "\"",
    "'",
    "\u{FEFF}",
    "─",
    "║",
    "┼",
    "\u{257F}",
    "\u{2500}",
    "\u{A0}",
    "\u{85}",
    "\u{3000}",
    "\u{2003}",
    "\u{200B}",
    "\u{24FF}",
    "\u{2580}",
    "-1",
    "+0",
    "--",
    "+ 5",
    "٣",
    "４",
    "²",
    "💥",
    "A",
    "/",
    ":",
    "\0",
    "\u{7F}",
    "\u{202E}",
    "\u{301}",
    "\\",
    "\u{10FFFF}",
];

/// Checks what becomes of the text in `data`.
///
/// # Panics
///
/// If something is not as it must be.
pub fn check(data: &[u8]) {
    let text = text(data);
    check_text(&text);
}

/// Any text, or one of the palette's pieces, or a grid of them with a few bytes in it that
/// do not belong there.
pub(crate) fn text(data: &[u8]) -> String {
    let mut bytes = Bytes::new(data);
    match bytes.below(4) {
        0 => String::from_utf8_lossy(bytes.rest()).into_owned(),
        1 => pieces(bytes.rest(), PALETTE.len()),
        2 => nearly_a_grid(&mut bytes),
        _ => {
            // Long texts, on both sides of the limit.
            let times = 1 + bytes.below(40);
            let piece = pieces(bytes.rest(), PALETTE.len());
            piece.repeat(times).chars().take(1100).collect()
        }
    }
}

fn pieces(bytes: &[u8], of: usize) -> String {
    let piece = |byte: &u8| PALETTE[usize::from(*byte) % of];
    bytes.iter().map(piece).collect()
}

/// Eighty cells or a few more, behind every so-manieth of them any piece at all.
fn nearly_a_grid(bytes: &mut Bytes<'_>) -> String {
    let cells = 80 + bytes.below(3);
    let every = 1 + bytes.below(90);
    let mut text = String::new();
    for cell in 0..cells {
        text += bytes.pick(&PALETTE[..20]);
        if cell % every == every - 1 {
            text += bytes.pick(PALETTE);
        }
    }
    text
}

fn check_text(text: &str) {
    match (text.parse::<Grid>(), reader::read(text)) {
        (Ok(grid), Ok(cells)) => {
            assert_eq!(grid.values(), &cells, "{text:?}");
            check_printed(&grid);
        }
        (Err(error), Err(refusal)) => check_error(text, &error, &refusal),
        (parsed, read) => panic!("{parsed:?} where the contract says {read:?}: {text:?}"),
    }
}

fn check_printed(grid: &Grid) {
    let printed = grid.to_string();
    assert_eq!(printed.len(), 81);
    assert_eq!(printed.parse(), Ok(*grid));
    assert_eq!(String::from(grid), printed);
    assert_eq!(Grid::from_values(*grid.values()), Some(*grid));
    // The same cells in a frame, which takes the other way through the parser.
    let mut framed = String::new();
    for (index, cell) in printed.chars().enumerate() {
        let before = if index % 9 == 0 { "\n|" } else { " " };
        let _ = write!(framed, "{before}{cell}");
    }
    assert_eq!(framed.parse(), Ok(*grid), "{framed:?}");
}

fn check_error(text: &str, error: &ParseGridError, refusal: &Refusal) {
    match (error, refusal) {
        (ParseGridError::TooLong { length }, Refusal::Length(expected)) => {
            assert_eq!(length, expected);
        }
        (ParseGridError::CellCount { found }, Refusal::Cells(expected)) => {
            assert_eq!(found, expected, "{text:?}");
        }
        (ParseGridError::Characters(refused), Refusal::Characters(expected)) => {
            assert_eq!(refused.len(), expected.len().min(10), "{text:?}");
            for (found, (position, character)) in refused.iter().zip(expected) {
                assert_eq!((found.position, found.character), (*position, *character));
                let before = position.checked_sub(2).and_then(|k| text.chars().nth(k));
                let sign = before.filter(|b| "+-".contains(*b) && character.is_ascii_digit());
                assert_eq!(found.sign, sign, "{text:?}");
                check_words(&found.shown(), &found.to_string(), *character, *position);
            }
        }
        _ => panic!("{error:?} where the contract says {refusal:?}: {text:?}"),
    }
    // The text is not echoed: what it says is bounded, however long that is.
    let words = error.to_string();
    assert!(words.len() < 200, "{words}");
    assert!(!words.chars().any(char::is_control), "{words:?}");
}

fn check_words(shown: &str, words: &str, character: char, position: usize) {
    let code = format!("U+{:04X}", u32::from(character));
    if character.is_control() {
        assert_eq!(shown, code);
    }
    assert!(
        shown == code || shown == character.to_string(),
        "{shown} for {code}"
    );
    assert!(words.contains(&format!("position {position}")), "{words}");
}
