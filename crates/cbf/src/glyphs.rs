//! Evaluation codes and the NAGs that they correspond to. cbf §7.2 "Evaluation codes"
//!
//! A comment record has three codes: for the move, for the position, and an extra one. Most codes
//! correspond to one NAG. Codes that the NAGs do not determine are kept as a command at the start of
//! the comment: `[%cbf 7,0,0]`.

use std::fmt::Write as _;

use chess_core::{Color, Nag};

/// The three codes of a record.
pub(crate) type Codes = [u8; 3];

/// The NAGs of move codes, from code 1; 0 if there is none.
const MOVE: [u16; 9] = [1, 2, 5, 6, 3, 4, 0, 140, 142];
/// The NAGs of position codes. Codes 11 to 14 list White's NAG; Black's is one more.
const POSITION: [u16; 15] = [18, 16, 14, 10, 13, 15, 17, 19, 44, 45, 132, 36, 40, 138, 8];
/// The NAGs of extra codes.
const EXTRA: [u16; 7] = [145, 142, 140, 144, 142, 143, 0];

/// NAGs without a code, with the closest code: NAG, slot, code.
const NEAR: [(u16, usize, u8); 10] = [
    (7, 1, 15),   // forced move: only move
    (11, 1, 4),   // equal, quiet
    (12, 1, 4),   // equal, active
    (20, 1, 1),   // White crushes
    (21, 1, 8),   // Black crushes
    (136, 1, 14), // moderate time pressure
    (137, 1, 14),
    (130, 1, 11), // slight counterplay
    (131, 1, 11),
    (134, 1, 11), // strong counterplay
];

/// Returns the NAG of a code on a move by `mover`.
fn semantic(slot: usize, code: u8, mover: Color) -> Option<u16> {
    let table: &[u16] = match slot {
        0 => &MOVE,
        1 => &POSITION,
        _ => &EXTRA,
    };
    let nag = *table.get(usize::from(code.checked_sub(1)?))?;
    let sided = slot == 1 && (11..=14).contains(&code) && mover == Color::Black;
    (nag != 0).then(|| nag.saturating_add(u16::from(sided)))
}

/// Returns `true` if the code's NAG is encoded as this code. NAGs 140 and 142 prefer the third slot,
/// which leaves the first free for a `!` or `?`.
fn owns_its_nag(slot: usize, code: u8) -> bool {
    !matches!((slot, code), (0, 8 | 9) | (2, 5))
}

/// Returns the NAGs of a record's codes.
pub(crate) fn nags(codes: Codes, mover: Color) -> impl Iterator<Item = Nag> {
    let slots = codes.into_iter().enumerate();
    slots.filter_map(move |(slot, code)| semantic(slot, code, mover).map(Nag))
}

/// Returns `true` if the NAGs alone determine these codes.
fn are_determined_by_nags(codes: Codes, mover: Color) -> bool {
    codes.into_iter().enumerate().all(|(slot, code)| {
        code == 0 || owns_its_nag(slot, code) && semantic(slot, code, mover).is_some()
    })
}

/// Prefix of the command that holds all three codes.
const COMMAND: &str = "[%cbf ";

/// Prepends the command to a comment's text if the NAGs do not determine the codes, or if the text
/// itself starts like a command. Returns `None` if no command is needed.
pub(crate) fn command(codes: Codes, mover: Color, text: &str) -> Option<String> {
    if are_determined_by_nags(codes, mover) && !text.starts_with(COMMAND) {
        return None;
    }
    let [first, second, third] = codes;
    let mut command = format!("{COMMAND}{first},{second},{third}]");
    if !text.is_empty() {
        // Cannot fail: writing to a string.
        let _ = write!(command, " {text}");
    }
    Some(command)
}

/// Parses the glyph codes stored in the leading `[%cbf ...]` command, and returns them with the text
/// after it. Returns `None` without a command, or if `before` differs from the NAGs of the codes: the
/// game was edited since.
pub(crate) fn parse_command<'t>(
    comment: &'t str,
    before: &[Nag],
    mover: Color,
) -> Option<(Codes, &'t str)> {
    let (inside, after) = comment.strip_prefix(COMMAND)?.split_once(']')?;
    let text = if after.is_empty() { after } else { after.strip_prefix(' ')? };
    let mut numbers = inside.split(',').map(str::parse::<u8>);
    let mut number = || numbers.next()?.ok();
    let codes = [number()?, number()?, number()?];
    let complete = numbers.next().is_none();
    (complete && nags(codes, mover).eq(before.iter().copied())).then_some((codes, text))
}

/// The slot and code of a NAG. `exact` is `true` if the code means the same as the NAG.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Coded {
    pub(crate) slot: usize,
    pub(crate) code: u8,
    pub(crate) exact: bool,
}

/// Returns the same or closest code of a NAG on a move by `mover`.
pub(crate) fn code_of(nag: Nag, mover: Color) -> Option<Coded> {
    for slot in 0..3 {
        for code in (1..=15).filter(|code| owns_its_nag(slot, *code)) {
            if semantic(slot, code, mover) == Some(nag.0) {
                return Some(Coded { slot, code, exact: true });
            }
            if semantic(slot, code, !mover) == Some(nag.0) {
                return Some(Coded { slot, code, exact: false });
            }
        }
    }
    let near = NEAR.iter().find(|(known, _, _)| *known == nag.0);
    near.map(|(_, slot, code)| Coded { slot: *slot, code: *code, exact: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodes NAGs and the comment after them like the writer.
    fn codes_of(before: &[Nag], comment: Option<&str>, mover: Color) -> (Codes, String) {
        if let Some((codes, text)) = comment.and_then(|text| parse_command(text, before, mover)) {
            return (codes, text.to_owned());
        }
        let mut codes = [0; 3];
        for nag in before {
            let coded = code_of(*nag, mover).unwrap();
            assert_eq!(codes[coded.slot], 0);
            codes[coded.slot] = coded.code;
        }
        (codes, comment.unwrap_or_default().to_owned())
    }

    #[test]
    fn nags_every_code_round_trips() {
        for mover in Color::ALL {
            for slot in 0..3 {
                for code in 0..=255 {
                    for text in ["", "text", "[%cbf 1,0,0]", "[%cbf 0,0,0] x", "[%cbf ] "] {
                        let mut codes = [1, 4, 3];
                        codes[slot] = code;
                        let before: Vec<Nag> = nags(codes, mover).collect();
                        assert!(before.iter().all(|nag| nag.0 < 256), "{before:?}");
                        let command = command(codes, mover, text);
                        let comment = command.as_deref().unwrap_or(text);
                        let again = codes_of(&before, Some(comment), mover);
                        assert_eq!(again, (codes, text.to_owned()));
                    }
                }
            }
        }
    }

    #[test]
    fn nags_known_codes_are_mapped() {
        let read = |codes, mover| {
            let nags: Vec<u16> = nags(codes, mover).map(|nag| nag.0).collect();
            (nags, command(codes, mover, ""))
        };
        let command_of = |codes: &str| Some(format!("[%cbf {codes}]"));
        assert_eq!(read([1, 0, 0], Color::White), (vec![1], None));
        assert_eq!(read([5, 8, 1], Color::White), (vec![3, 19, 145], None));
        assert_eq!(read([0, 13, 0], Color::Black), (vec![41], None));
        assert_eq!(read([1, 0, 3], Color::White), (vec![1, 140], None));
        assert_eq!(read([8, 0, 3], Color::White), (vec![140, 140], command_of("8,0,3")));
        assert_eq!(read([7, 0, 0], Color::White), (vec![], command_of("7,0,0")));
        assert_eq!(read([0, 99, 0], Color::White), (vec![], command_of("0,99,0")));
    }

    #[test]
    fn parse_command_malformed_is_none() {
        let parse = |text| parse_command(text, &[Nag(140)], Color::White);
        assert_eq!(parse("[%cbf 8,0,0] x"), Some(([8, 0, 0], "x")));
        for text in [
            "[%cbf 8,0,0]x",
            "[%cbf 8,0]",
            "[%cbf 8,0,0,0]",
            "[%cbf 8,0,256]",
            "[%cbf 8,0,0",
            "x [%cbf 8,0,0]",
            // The preceding NAG differs from the codes.
            "[%cbf 9,0,0]",
            "[%cbf 0,0,0]",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn code_of_foreign_nag_is_none_or_inexact() {
        for nag in [0, 146, 263, 771, 0x0401] {
            assert_eq!(code_of(Nag(nag), Color::White), None);
        }
        // Black's initiative on a move of White's loses its side.
        let found = code_of(Nag(37), Color::White).unwrap();
        assert_eq!(found, Coded { slot: 1, code: 12, exact: false });
    }
}
