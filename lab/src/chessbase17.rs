//! Compares the sample bases of ChessBase 17 with the PGN beside them, and checks them.

use std::path::Path;

use cbh::OpenOptions;
use cbh::v2::{Database, Parts, Writer};
use cbh::{Diagnostics, Losses};
use scoresheet::chess_core::{Game, Token};

use crate::Failure;

/// The PGN that a sample should equal.
const EXPECTED: &str = "expected.pgn";

/// Compares a base with the PGN beside it: trees, start positions, tags, glyphs and comments. Checks
/// everything derived, and that the base survives being written and read again.
///
/// [`comment`] and [`tags`] list the differences that are allowed.
pub(crate) fn compare(path: &Path) -> Result<String, Failure> {
    let twin = path.with_file_name(EXPECTED);
    if !twin.is_file() {
        return Ok("no PGN beside it".into());
    }
    let mut other = scoresheet::open(&twin)?;
    let mut others = other.games();
    let base = Database::open(path)?;
    let mut found = base.check()?;
    let (mut reader, mut diagnostics) = (base.reader(), Diagnostics::lenient());
    let mut writer = Writer::in_memory();
    let mut read = Vec::new();
    for number in 0..base.len() {
        let mut game = Game::new();
        reader.game(number, &mut game, &mut diagnostics)?;
        let other = others.next().ok_or("the PGN beside it has fewer games")??;
        for (ours, theirs) in comparable(&game).iter().zip(&comparable(&other)) {
            if ours != theirs {
                found.push(format!("game {}: {ours:?} should be {theirs:?}", number + 1));
            }
        }
        let derived = reader.verify(number, &game)?;
        if !derived.is_empty() {
            found.push(format!("game {}: {} should be otherwise", number + 1, derived.join(", ")));
        }
        let mut losses = Losses::new();
        writer.write(&game, &mut losses)?;
        found.extend(losses.iter().map(|loss| format!("game {}: lost {loss}", number + 1)));
        read.push(game);
    }
    if others.next().is_some() {
        found.push("the PGN beside it has more games".into());
    }
    found.extend(diagnostics.warnings().iter().map(ToString::to_string));
    found.extend(again(writer.into_bytes()?, &read)?);
    if found.is_empty() {
        return Ok("as in the PGN, written again without a loss".into());
    }
    Err(format!("{}: {}", path.display(), found.join("; ")).into())
}

/// Reads what was written again, and checks it.
fn again(written: Parts<Vec<u8>>, games: &[Game]) -> Result<Vec<String>, Failure> {
    let base = Database::from_parts(written, &OpenOptions::default())?;
    let mut found = base.check()?;
    for (number, (game, again)) in games.iter().zip(base.games()).enumerate() {
        if comparable(&again?) != comparable(game) {
            found.push(format!("game {} is another one after it was written", number + 1));
        }
    }
    Ok(found)
}

/// Returns start position, tags and tokens in a form that can be compared.
fn comparable(game: &Game) -> [Vec<String>; 3] {
    let start = vec![game.start_position().to_fen()];
    let tokens = game.tokens().map(|token| match token {
        Token::Move(m) => m.to_string(),
        Token::Nag(nag) => nag.to_string(),
        Token::Comment(text) => format!("{{{}}}", comment(text)),
        Token::VariationStart => "(".into(),
        Token::VariationEnd => ")".into(),
    });
    [start, tags(game), tokens.collect()]
}

/// Returns the tags in alphabetical order.
///
/// A result of `0-0` is a tag of its own here. The samples show titles in English only.
fn tags(game: &Game) -> Vec<String> {
    let mut tags = Vec::new();
    game.header.for_each_tag(|name, value| {
        let tag = match (name, value.to_string().as_str()) {
            ("ResultSpelling", "0-0") => "CbhResult both lost".into(),
            ("SetUp", _) => return,
            (name, value) => format!("{name} {value}"),
        };
        if !name.starts_with("CbhTitle_") {
            tags.push(tag);
        }
    });
    tags.sort();
    tags
}

/// Returns a comment as this project spells it.
///
/// The samples leave search depths out, keep figurines as ChessBase stores them, write three types
/// in hexadecimal that have named commands here, and break lines.
fn comment(text: &str) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (letter, piece) in ('\u{e024}'..).zip("♔♕♖♗♘".chars()) {
        text = text.replace(letter, &piece.to_string());
    }
    for (number, part) in (1..).zip(["opening", "middlegame", "endgame"]) {
        text = text.replace(&format!("[%cbh 18 {number:02x}]"), &format!("[%cbh critical {part}]"));
    }
    for (digits, command) in [TRAINING, QUOTATION, HEADER_QUOTATION] {
        text = text.replace(digits, command);
    }
    text = without(text, " [%cbh depths ", |_| String::new());
    without(text, "[%cbh 23 ", |digits| match digits.as_bytes() {
        [b'0', b'0', b1, b2, g1, g2, r1, r2] => {
            let digits = [*r1, *r2, *g1, *g2, *b1, *b2].map(char::from);
            format!("[%cbh colour {}]", digits.iter().collect::<String>())
        }
        _ => format!("[%cbh 23 {digits}]"),
    })
}

/// The training question of the samples in hexadecimal, and as a named command.
const TRAINING: (&str, &str) = (
    "[%cbh 09 0101010000003c0000000500010000000b0000005768696368206d6f76653f01000000020000004e6f00000200\
     00000400000048696e740000070000004772c3b6c39f65012123000001000000050000005269676874]",
    "[%cbh training 60 5 en \"Which move?\" | en \"No\" | | en \"Hint\" en \"Größe\" | e2e4 0 0 en \"Right\"]",
);

/// A quotation of the samples, likewise.
const QUOTATION: (&str, &str) = (
    "[%cbh 13 0102000000010000000006416c6465720004416e6e000642697263680004426f6200094f6c64204f7\
     0656e000a5465737476696c6c6500a63c0f0004000000000009000000000000000000000000000000000060092\
     e09807a02000000000000000003020000000000000000000000000000000000000000000000000000000000000\
     000000001000100000400000046494445010001000004000000464944450000000000000000000000000000000\
     0000000000000000000000100000300000021230000002624000000302a00000000000000]",
    "[%cbh quotation \"Alder\" \"Ann\" \"Birch\" \"Bob\" \"Old Open\" \"Testville\" 1-0 elo 2400 2350 \
     eco C44 date 1950.05.06 type 4 rounds 9 round 3 2 lists \"FIDE\" \"FIDE\" moves e2e4 e7e5 g1f3]",
);

/// A quotation of the samples without moves, likewise.
const HEADER_QUOTATION: (&str, &str) = (
    "[%cbh 13 0101000000010000000006416c6465720004416e6e000642697263680004426f6200094f6c64204f7\
     0656e000a5465737476696c6c6500a63c0f0004000000000009000000000000000000000000000000000060092\
     e09807a02000000000000000003020000000000000000000000000000000000000000000000000000000000000\
     000000001000100000400000046494445010001000004000000464944450000000000000000000000000000000\
     0000000000000000000000100000000000000000000]",
    "[%cbh quotation \"Alder\" \"Ann\" \"Birch\" \"Bob\" \"Old Open\" \"Testville\" 1-0 elo 2400 2350 \
     eco C44 date 1950.05.06 type 4 rounds 9 round 3 2 lists \"FIDE\" \"FIDE\"]",
);

/// Replaces the command that begins with `start`.
fn without(text: String, start: &str, replacement: impl Fn(&str) -> String) -> String {
    let Some((before, rest)) = text.split_once(start) else { return text };
    let Some((inside, after)) = rest.split_once(']') else { return text };
    format!("{before}{}{after}", replacement(inside))
}
