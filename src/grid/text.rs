//! Grid text: what is a given, what is a blank, what is passed over, and what is
//! refused.
//!
//! | | characters |
//! |---|---|
//! | givens | `1`-`9` |
//! | blanks | `.` `0` `_` `*` `x` `X` `?` |
//! | ignored | Unicode white space, U+FEFF, `\|` `!` `+` `-` `=` `,` `[` `]` `"` `'`, box drawing U+2500-U+257F |
//! | anything else | refused |
//!
//! A `-` or `+` directly before `0`-`9` is refused too: elsewhere `-1` means a
//! blank and `+5` a digit of the player's, and reading either as a given would be
//! a silent lie.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use super::{Cell, Grid};

/// The greatest length of a grid text, in characters.
pub const MAX_TEXT_LENGTH: usize = 1024;

/// Why a text is no grid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseGridError {
    /// The text has more than [`MAX_TEXT_LENGTH`] characters.
    #[error("the grid has {length} characters; at most {MAX_TEXT_LENGTH} are allowed")]
    TooLong {
        /// The length in characters.
        length: usize,
    },
    /// The text has characters that have no place in a grid.
    #[error("{}", .0[0])]
    Characters(
        /// The first ten of them, at least one.
        Vec<RefusedCharacter>,
    ),
    /// The text has too few or too many cells.
    #[error(
        "the grid has {found} cells instead of 81; \
         a blank is one of . 0 _ * x X ? and never a space or a dash"
    )]
    CellCount {
        /// The number of cells in the text.
        found: usize,
    },
}

/// A character that has no place in a grid, or a digit with a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefusedCharacter {
    /// Its place in the text, in characters, from 1.
    pub position: usize,
    /// The character.
    pub character: char,
    /// The sign directly before it, if it is a digit.
    pub sign: Option<char>,
}

impl RefusedCharacter {
    /// The character as it can be shown: itself, or `U+XXXX` if it is invisible.
    #[must_use]
    pub fn shown(&self) -> String {
        let c = self.character;
        // Format characters (bidirectional marks, joiners) would garble the line they
        // are shown in; `escape_debug` knows them, and combining marks, as unprintable.
        let visible = c == '"' || c == '\'' || c == '\\' || c.escape_debug().len() == 1;
        if visible {
            c.to_string()
        } else {
            format!("U+{:04X}", u32::from(c))
        }
    }
}

impl fmt::Display for RefusedCharacter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut shown, position) = (self.shown(), self.position);
        // A digit of another script looks as if it were right.
        if !self.character.is_ascii() && !shown.starts_with("U+") {
            write!(shown, " (U+{:04X})", u32::from(self.character))?;
        }
        match self.sign {
            Some(sign) => write!(
                f,
                "digit {shown} at position {position} has a sign {sign} directly before it; \
                 givens are 1-9 and blanks . 0 _ * x X ?, without a sign"
            ),
            None => write!(
                f,
                "character {shown} at position {position} is neither a given 1-9 \
                 nor a blank . 0 _ * x X ?"
            ),
        }
    }
}

impl FromStr for Grid {
    type Err = ParseGridError;

    /// Reads grid text.
    ///
    /// # Errors
    ///
    /// If the text is too long, has a refused character, or has not exactly 81
    /// cells; checked in this order.
    fn from_str(text: &str) -> Result<Self, ParseGridError> {
        match plain(text.as_bytes()) {
            Some(grid) => Ok(grid),
            None => general(text),
        }
    }
}

/// What a character means in grid text.
enum Meaning {
    Cell(u8),
    Sign,
    Ignored,
    Refused,
}

const fn meaning(character: char) -> Meaning {
    match character {
        '1'..='9' => Meaning::Cell(character as u8 - b'0'),
        '.' | '0' | '_' | '*' | 'x' | 'X' | '?' => Meaning::Cell(0),
        '-' | '+' => Meaning::Sign,
        '|' | '!' | '=' | ',' | '[' | ']' | '"' | '\'' | '\u{FEFF}' | '\u{2500}'..='\u{257F}' => {
            Meaning::Ignored
        }
        _ if character.is_whitespace() => Meaning::Ignored,
        _ => Meaning::Refused,
    }
}

/// Reads the usual form, 81 cells and nothing else, in a tenth of the time: without a
/// branch, so that the compiler can look at many bytes at once.
fn plain(text: &[u8]) -> Option<Grid> {
    let text: &[u8; 81] = text.try_into().ok()?;
    let mut values = [0; 81];
    let mut is_plain = true;
    for (value, &byte) in values.iter_mut().zip(text) {
        let digit = byte.wrapping_sub(b'0');
        let is_given = (1..=9).contains(&digit);
        is_plain &= is_given | is_blank(byte);
        *value = if is_given { digit } else { 0 };
    }
    is_plain.then_some(Grid { values })
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b'.' | b'0' | b'_' | b'*' | b'x' | b'X' | b'?')
}

fn general(text: &str) -> Result<Grid, ParseGridError> {
    let length = text.chars().count();
    if length > MAX_TEXT_LENGTH {
        return Err(ParseGridError::TooLong { length });
    }
    let refused = refused(text);
    if !refused.is_empty() {
        return Err(ParseGridError::Characters(refused));
    }
    let (mut values, mut found) = ([0; 81], 0);
    for character in text.chars() {
        if let Meaning::Cell(value) = meaning(character) {
            if let Some(slot) = values.get_mut(found) {
                *slot = value;
            }
            found += 1;
        }
    }
    if found == Cell::COUNT {
        Ok(Grid { values })
    } else {
        Err(ParseGridError::CellCount { found })
    }
}

/// The first ten characters that have no place in a grid.
fn refused(text: &str) -> Vec<RefusedCharacter> {
    let before = [None].into_iter().chain(text.chars().map(Some));
    let refused = |(index, (before, character)): (usize, (Option<char>, char))| {
        let is_digit = character.is_ascii_digit();
        let sign = before.filter(|b| is_digit && matches!(meaning(*b), Meaning::Sign));
        let is_refused = sign.is_some() || matches!(meaning(character), Meaning::Refused);
        is_refused.then_some(RefusedCharacter {
            position: index + 1,
            character,
            sign,
        })
    };
    let places = before.zip(text.chars()).enumerate();
    places.filter_map(refused).take(10).collect()
}

impl From<&Grid> for String {
    /// 81 characters, `.` for a blank.
    fn from(grid: &Grid) -> Self {
        let text = grid.values.map(|v| if v == 0 { b'.' } else { b'0' + v });
        Self::from_utf8(text.into()).expect("digits and dots")
    }
}

#[cfg(test)]
mod tests;
