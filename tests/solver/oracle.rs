//! Solvers as a textbook prints them, against which the engines are held.
//!
//! They know nothing of the crate: their boards are plain arrays, their
//! constants their own. [`row_major`], [`first_blank`] and [`used_tables`] find
//! the smallest solution in reading order, [`column_major`] the smallest in
//! column order. [`exact_cover`] is another method altogether, for counts, and
//! [`ascending`] puts its answers in order. [`reference`] concludes and guesses as
//! the engines do. [`rules`] judges them all.

pub(crate) mod ascending;
pub(crate) mod column_major;
pub(crate) mod exact_cover;
pub(crate) mod first_blank;
pub(crate) mod reference;
pub(crate) mod row_major;
pub(crate) mod rules;
pub(crate) mod samples;
pub(crate) mod used_tables;

/// Eighty-one cells in reading order, 0 for a blank.
pub(crate) type Board = [u8; 81];

/// The same as nine rows of nine.
pub(crate) type Rows = [[u8; 9]; 9];

/// What a textbook solver has to say of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The board now holds a solution.
    Solved,
    /// No clash among the givens, and yet no solution: the board is as it was.
    Unsolvable,
    /// Ill-formed, two equal givens in a unit: the board is as it was.
    Refused,
    /// The steps were used up: the board is as it was.
    GaveUp,
}

/// The search has used up its steps.
pub(crate) struct GaveUp;

/// How many more digits a search may try.
pub(crate) struct Steps(u32);

impl Steps {
    /// Some boards take a plain backtracker minutes; a million tries take it
    /// some hundredths of a second.
    pub(crate) fn a_million() -> Self {
        Steps(1_000_000)
    }

    pub(crate) fn take(&mut self) -> Result<(), GaveUp> {
        self.0 = self.0.checked_sub(1).ok_or(GaveUp)?;
        Ok(())
    }
}

impl From<Result<bool, GaveUp>> for Verdict {
    fn from(found: Result<bool, GaveUp>) -> Self {
        match found {
            Ok(true) => Verdict::Solved,
            Ok(false) => Verdict::Unsolvable,
            Err(GaveUp) => Verdict::GaveUp,
        }
    }
}

pub(crate) fn to_rows(board: &Board) -> Rows {
    std::array::from_fn(|row| std::array::from_fn(|column| board[9 * row + column]))
}

pub(crate) fn from_rows(rows: &Rows) -> Board {
    std::array::from_fn(|cell| rows[cell / 9][cell % 9])
}

/// The board with rows and columns exchanged.
pub(crate) fn transposed(board: &Board) -> Board {
    std::array::from_fn(|cell| board[cell % 9 * 9 + cell / 9])
}

/// Reads eighty-one characters; whatever is no digit is a blank.
pub(crate) fn board(text: &str) -> Board {
    let cells: Vec<u8> = text
        .bytes()
        .map(|byte| {
            if byte.is_ascii_digit() {
                byte - b'0'
            } else {
                0
            }
        })
        .collect();
    cells.try_into().expect("a board has 81 characters")
}

/// The board in one line, for messages: a dot for a blank.
pub(crate) fn line(board: &Board) -> String {
    let cell = |&digit: &u8| {
        if digit == 0 {
            '.'
        } else {
            char::from(b'0' + digit)
        }
    };
    board.iter().map(cell).collect()
}

#[test]
fn a_board_survives_every_change_of_form() {
    let puzzle = board(samples::PUZZLE);
    assert_eq!(line(&puzzle), samples::PUZZLE);
    assert_eq!(from_rows(&to_rows(&puzzle)), puzzle);
    assert_eq!(to_rows(&transposed(&puzzle))[3][1], to_rows(&puzzle)[1][3]);
}

#[test]
fn steps_run_out() {
    let mut steps = Steps(2);
    assert!(steps.take().is_ok());
    assert!(steps.take().is_ok());
    assert!(steps.take().is_err());
}
