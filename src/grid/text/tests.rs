use super::*;

const PLAIN: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn parse(text: &str) -> Result<String, ParseGridError> {
    text.parse::<Grid>().map(|grid| grid.to_string())
}

fn refused_at(text: &str) -> Vec<(usize, String)> {
    match parse(text) {
        Err(ParseGridError::Characters(refused)) => {
            refused.iter().map(|r| (r.position, r.shown())).collect()
        }
        other => panic!("{text:?} gave {other:?}"),
    }
}

#[test]
fn every_blank_is_a_blank() {
    for blank in ['.', '0', '_', '*', 'x', 'X', '?'] {
        assert_eq!(
            parse(&PLAIN.replace('.', &blank.to_string())),
            Ok(PLAIN.into())
        );
    }
}

#[test]
fn frames_lines_and_json_read_as_the_line_does() {
    let lines: Vec<&str> = (0..9).map(|row| &PLAIN[9 * row..9 * row + 9]).collect();
    let quoted = |line: &str| {
        let cells: Vec<String> = line.chars().map(|c| format!("\"{c}\"")).collect();
        format!("[{}]", cells.join(","))
    };
    let json: Vec<String> = lines.iter().map(|line| quoted(line)).collect();
    let box_drawing = format!("\u{FEFF}┏━━━┓\n┃{}┃\n┗━━━┛", lines.join("┃\r\n┃"));
    let texts = [
        lines.join("\n"),
        lines.join("\u{3000}\u{85}"),
        lines.join("|\n---+---+---\n|"),
        format!("[{}]", json.join(", ")),
        box_drawing,
        format!("'{}'!=", lines.join(",")),
    ];
    for text in texts {
        assert_eq!(parse(&text), Ok(PLAIN.into()), "{text}");
    }
}

#[test]
fn the_fast_and_the_general_reader_agree() {
    for byte in 0..=127u8 {
        let text = PLAIN.replacen('.', &char::from(byte).to_string(), 1);
        assert_eq!(
            plain(text.as_bytes()),
            general(&text).ok(),
            "{:?}",
            char::from(byte)
        );
    }
}

#[test]
fn refused_characters_are_named_with_their_place_in_characters() {
    assert_eq!(refused_at("┃53A"), [(4, "A".into())]);
    assert_eq!(refused_at("53\0.7"), [(3, "U+0000".into())]);
    assert_eq!(refused_at("5\u{7}"), [(2, "U+0007".into())]);
    assert_eq!(refused_at("💥٣"), [(1, "💥".into()), (2, "٣".into())]);
    assert_eq!(
        refused_at("\u{202E}\u{200B}"),
        [(1, "U+202E".into()), (2, "U+200B".into())]
    );
    assert_eq!(refused_at("\\;"), [(1, "\\".into()), (2, ";".into())]);
    assert_eq!(refused_at(&"a".repeat(30)).len(), 10);
}

#[test]
fn a_sign_before_a_digit_is_refused_and_elsewhere_ignored() {
    assert_eq!(refused_at("53+07"), [(4, "0".into())]);
    assert_eq!(refused_at("-1"), [(2, "1".into())]);
    assert_eq!(parse("-.+-x-"), Err(ParseGridError::CellCount { found: 2 }));
}

#[test]
fn the_count_must_be_81() {
    for (text, found) in [
        (String::new(), 0),
        (PLAIN[..80].into(), 80),
        (format!("{PLAIN}."), 82),
        (PLAIN.repeat(2), 162),
    ] {
        assert_eq!(parse(&text), Err(ParseGridError::CellCount { found }));
    }
}

#[test]
fn length_comes_before_characters_and_characters_before_the_count() {
    let long = format!("A{}", " ".repeat(1024));
    assert_eq!(parse(&long), Err(ParseGridError::TooLong { length: 1025 }));
    assert_eq!(refused_at("5A").len(), 1);
    // 1024 characters are not too many, also when they are more bytes.
    let wide = format!("{PLAIN}{}", "┃".repeat(1024 - 81));
    assert_eq!(parse(&wide), Ok(PLAIN.into()));
}

#[test]
fn messages_say_what_where_and_what_would_be_right() {
    let message = |text: &str| parse(text).expect_err("malformed").to_string();
    assert_eq!(
        message("53A"),
        "character A at position 3 is neither a given 1-9 nor a blank . 0 _ * x X ?"
    );
    assert_eq!(
        message("５"),
        "character ５ (U+FF15) at position 1 is neither a given 1-9 nor a blank . 0 _ * x X ?"
    );
    assert_eq!(
        message("5+3"),
        "digit 3 at position 3 has a sign + directly before it; \
         givens are 1-9 and blanks . 0 _ * x X ?, without a sign"
    );
    assert_eq!(
        message("53"),
        "the grid has 2 cells instead of 81; \
         a blank is one of . 0 _ * x X ? and never a space or a dash"
    );
    assert_eq!(
        message(&".".repeat(1025)),
        "the grid has 1025 characters; at most 1024 are allowed"
    );
}
