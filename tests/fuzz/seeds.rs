//! Strings of bytes: random ones, and known ones with a few changes.

use crate::from_solver::boards::Random;
use crate::oracle::samples;

/// An endless row of them, the same each time.
pub(crate) fn strings(longest: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut random = Random::new(22);
    let mut known = known();
    std::iter::repeat_with(move || {
        let bytes = if random.below(4) == 0 {
            changed(&known[random.below(known.len())], &mut random)
        } else {
            any(longest, &mut random)
        };
        // So that changes add up.
        if random.below(4) == 0 && !bytes.is_empty() {
            let place = random.below(known.len());
            known[place].clone_from(&bytes);
        }
        bytes
    })
}

/// What a reader of grid text, or of messages, takes for nearly right.
fn known() -> Vec<Vec<u8>> {
    let puzzle = samples::PUZZLE;
    let rows: Vec<&str> = (0..9).map(|row| &puzzle[9 * row..9 * row + 9]).collect();
    let texts = [
        puzzle.to_owned(),
        rows.join("\n"),
        rows.join("\r\n|"),
        format!("[{}]", rows.join(", ")),
        puzzle.replace('.', "-"),
        puzzle.replace('.', "+0"),
        puzzle.replace('.', "\u{3000}"),
        puzzle.replace('5', "\u{665}"),
    ];
    let message = |text: &String| [&[0x0a, text.len() as u8], text.as_bytes()].concat();
    let messages = texts.iter().filter(|text| text.len() < 128).map(message);
    let batch = |text: &String| [&[0x0a, text.len() as u8 + 2], &*message(text)].concat();
    let batches = texts.iter().filter(|text| text.len() < 126).map(batch);
    let plain = texts.iter().map(|text| text.as_bytes().to_vec());
    // The first bytes say what the rest is taken for.
    let heads = (0..6).map(|method| vec![method, 0]);
    let headless: Vec<Vec<u8>> = plain.chain(messages).chain(batches).collect();
    let with_head = |head: Vec<u8>| headless.iter().map(move |rest| [&*head, rest].concat());
    heads.flat_map(with_head).collect()
}

/// One to four changes of a byte or a piece.
fn changed(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(4) {
        let place = random.below(bytes.len() + 1);
        let byte = random.below(256) as u8;
        match random.below(5) {
            0 => bytes.insert(place, byte),
            1 => bytes.truncate(place),
            2 if bytes.len() < 4_000 => bytes.extend_from_within(place..),
            _ if place == bytes.len() => bytes.push(byte),
            3 => drop(bytes.remove(place)),
            _ => bytes[place] = byte,
        }
    }
    bytes
}

fn any(longest: usize, random: &mut Random) -> Vec<u8> {
    let length = random.below(longest + 1);
    (0..length).map(|_| random.below(256) as u8).collect()
}
