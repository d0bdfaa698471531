//! Grid text read a second time, as the contract tells it and without any haste.

/// Eighty-one cells, 0 for a blank.
pub(crate) type Cells = [u8; 81];

/// Why a text is no grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    Length(usize),
    /// The position of each refused character, from 1.
    Characters(Vec<(usize, char)>),
    Cells(usize),
}

impl Refusal {
    pub(crate) const fn reason(&self) -> &'static str {
        match self {
            Self::Length(_) => "GRID_TOO_LONG",
            Self::Characters(_) => "GRID_CHARACTER",
            Self::Cells(_) => "GRID_CELL_COUNT",
        }
    }

    /// How many things are wrong; ten of them are told.
    pub(crate) fn violations(&self) -> usize {
        match self {
            Self::Characters(all) => all.len(),
            Self::Length(_) | Self::Cells(_) => 1,
        }
    }
}

/// The cells of a text: first its length is looked at, then each character, then the
/// number of cells.
pub(crate) fn read(text: &str) -> Result<Cells, Refusal> {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() > 1024 {
        return Err(Refusal::Length(characters.len()));
    }
    let mut cells = Vec::new();
    let mut refused = Vec::new();
    for (index, &character) in characters.iter().enumerate() {
        let has_sign = index > 0 && "+-".contains(characters[index - 1]);
        if has_sign && "0123456789".contains(character) {
            refused.push((index + 1, character));
        } else if let Some(digit) = "123456789".find(character) {
            cells.push(1 + digit as u8);
        } else if ".0_*xX?".contains(character) {
            cells.push(0);
        } else if !is_ignored(character) {
            refused.push((index + 1, character));
        }
    }
    if !refused.is_empty() {
        return Err(Refusal::Characters(refused));
    }
    let count = cells.len();
    cells.try_into().map_err(|_| Refusal::Cells(count))
}

fn is_ignored(character: char) -> bool {
    let is_frame = "|!+-=,[]\"'\u{FEFF}".contains(character);
    let is_box_drawing = ('\u{2500}'..='\u{257F}').contains(&character);
    is_frame || is_box_drawing || is_white_space(character)
}

/// The property `White_Space` of Unicode, typed in from its table.
const fn is_white_space(character: char) -> bool {
    matches!(
        character,
        '\u{9}'..='\u{D}'
            | '\u{20}'
            | '\u{85}'
            | '\u{A0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200A}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202F}'
            | '\u{205F}'
            | '\u{3000}'
    )
}
