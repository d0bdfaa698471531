//! The paths that a Rust source names: enough of a parser for rules about names.

use std::iter::Peekable;
use std::vec::IntoIter;

/// Every path in the code, groups written out: `use a::{b, c::d}` gives `a::b`
/// and `a::c::d`. A macro's name ends in `!`.
pub(crate) fn paths(source: &str) -> Vec<String> {
    let mut tokens = tokens(&code_only(source)).into_iter().peekable();
    let mut found = Vec::new();
    while let Some(token) = tokens.peek() {
        if is_name(token) {
            read_path("", &mut tokens, &mut found);
        } else {
            tokens.next();
        }
    }
    found
}

fn read_path(prefix: &str, tokens: &mut Peekable<IntoIter<String>>, found: &mut Vec<String>) {
    let mut path = prefix.to_owned();
    while let Some(token) = tokens.next_if(|token| is_name(token) || token == "{") {
        if token == "{" {
            return read_group(&path, tokens, found);
        }
        path.push_str(&token);
        if tokens.next_if_eq("::").is_none() {
            break;
        }
        path.push_str("::");
    }
    found.push(path.trim_end_matches("::").to_owned());
}

/// What stands between the braces after `prefix`.
fn read_group(prefix: &str, tokens: &mut Peekable<IntoIter<String>>, found: &mut Vec<String>) {
    while let Some(token) = tokens.peek() {
        if is_name(token) {
            read_path(prefix, tokens, found);
            // `a as b` would else be two of them.
            while tokens
                .next_if(|token| token != "," && token != "}")
                .is_some()
            {}
        } else if tokens.next().is_some_and(|token| token == "}") {
            break;
        }
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Names, `::`, and every other character by itself.
fn tokens(code: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let after_name = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
        let length = match rest.len() - after_name.len() {
            0 if rest.starts_with("::") => 2,
            0 => first.len_utf8(),
            name if after_name.starts_with('!') && !after_name.starts_with("!=") => name + 1,
            name => name,
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    tokens
}

/// The source with a blank for every comment, string and character.
fn code_only(source: &str) -> String {
    let mut code = String::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let skipped = comment(rest)
            .or_else(|| string(rest))
            .or_else(|| character(rest));
        code.push(if skipped.is_some() { ' ' } else { first });
        rest = &rest[skipped.unwrap_or(first.len_utf8())..];
    }
    code
}

/// The length of the comment that begins here.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if !text.starts_with("/*") {
        return None;
    }
    let mut depth = 0;
    for (at, pair) in text.as_bytes().windows(2).enumerate() {
        match pair {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 2);
        }
    }
    Some(text.len())
}

/// The length of the string that begins here, plain or raw.
fn string(text: &str) -> Option<usize> {
    if let Some(inner) = text.strip_prefix('"') {
        return Some(1 + closed_by('"', inner));
    }
    let hashes = text.strip_prefix('r')?;
    let inner = hashes.trim_start_matches('#');
    let close = format!("\"{}", &hashes[..hashes.len() - inner.len()]);
    let body = inner.strip_prefix('"')?;
    let end = body.find(&close).map_or(body.len(), |at| at + close.len());
    Some(text.len() - body.len() + end)
}

/// The length of the character that begins here; a lifetime is none.
fn character(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('\'')?;
    let first = inner.chars().next()?;
    let is_closed = inner[first.len_utf8()..].starts_with('\'');
    (first == '\\' || is_closed).then(|| 1 + closed_by('\'', inner))
}

/// The length up to and with the first quote that no backslash escapes.
fn closed_by(quote: char, text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

#[test]
fn paths_are_written_out() {
    let source = "use a::{b, c::{self, d as e}, f::*}; #[g::h] fn i() { j!(k::l::<m>(n)) != o }";
    let expected = [
        "use",
        "a::b",
        "a::c::self",
        "a::c::d",
        "a::f",
        "g::h",
        "fn",
        "i",
        "j!",
        "k::l",
        "m",
        "n",
        "o",
    ];
    assert_eq!(paths(source), expected);
}

#[test]
fn comments_strings_and_characters_are_no_code() {
    let source = r##"
        a /* b /* c */ d */ // e
        "f \" g" h r#"i " j"# 'k' '\'' '"' l::<'m>
    "##;
    assert_eq!(paths(source), ["a", "h", "l", "m"]);
}
