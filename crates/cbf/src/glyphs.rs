//! Evaluation codes and the glyphs they are. cbf §7.2 "Evaluation codes"
//!
//! A comment record has three codes: of the move, of the position, and one more. Most are a NAG
//! each. Where the NAGs do not tell the codes, a command in the comment after them does:
//! `[%cbf 7,0,0]`.

use std::fmt::Write as _;

use chess_core::{Color, Nag};

/// The three codes of a record.
pub(crate) type Codes = [u8; 3];

/// NAGs by code from 1; 0 where there is none.
const MOVE: [u16; 9] = [1, 2, 5, 6, 3, 4, 0, 140, 142];
/// The same for positions. Those of 11 to 14 are White's; Black's are one more.
const POSITION: [u16; 15] = [18, 16, 14, 10, 13, 15, 17, 19, 44, 45, 132, 36, 40, 138, 8];
/// The same for the third code.
const EXTRA: [u16; 7] = [145, 142, 140, 144, 142, 143, 0];

/// NAGs without a code of their own, and the code that comes closest: NAG, slot, code.
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

/// The NAG that says what a code says, for a move of this colour.
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

/// Whether the code's NAG is read back as this code. The third table's "better" and "with the
/// idea" leave the first code free for a `!` or `?`.
fn owns_its_nag(slot: usize, code: u8) -> bool {
    !matches!((slot, code), (0, 8 | 9) | (2, 5))
}

/// The NAGs of a record's codes.
pub(crate) fn nags(codes: Codes, mover: Color) -> impl Iterator<Item = Nag> {
    let slots = codes.into_iter().enumerate();
    slots.filter_map(move |(slot, code)| semantic(slot, code, mover).map(Nag))
}

/// Whether the NAGs alone tell these codes.
fn are_told_by_nags(codes: Codes, mover: Color) -> bool {
    codes.into_iter().enumerate().all(|(slot, code)| {
        code == 0 || owns_its_nag(slot, code) && semantic(slot, code, mover).is_some()
    })
}

/// What the command that tells all three codes begins with.
const COMMAND: &str = "[%cbf ";

/// The command that goes before a comment's text, if the NAGs do not tell the codes, or if the
/// text itself looks as if it had one.
pub(crate) fn command(codes: Codes, mover: Color, text: &str) -> Option<String> {
    if are_told_by_nags(codes, mover) && !text.starts_with(COMMAND) {
        return None;
    }
    let [first, second, third] = codes;
    let mut command = format!("{COMMAND}{first},{second},{third}]");
    if !text.is_empty() {
        // Writing to a string does not fail.
        let _ = write!(command, " {text}");
    }
    Some(command)
}

/// The codes that the command at the start of a comment tells, and the text after it. `None`
/// without one, or if the NAGs before the comment are not those of its codes: somebody has
/// changed them.
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

/// Slot and code of a NAG, and whether the code says the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Coded {
    pub(crate) slot: usize,
    pub(crate) code: u8,
    pub(crate) exact: bool,
}

/// The code of a NAG on a move of this colour, if any comes near.
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

    /// The codes a writer makes of NAGs and the comment after them.
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
    fn every_code_comes_back() {
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
    fn known_glyphs() {
        let read = |codes, mover| {
            let nags: Vec<u16> = nags(codes, mover).map(|nag| nag.0).collect();
            (nags, command(codes, mover, ""))
        };
        let told = |codes: &str| Some(format!("[%cbf {codes}]"));
        assert_eq!(read([1, 0, 0], Color::White), (vec![1], None));
        assert_eq!(read([5, 8, 1], Color::White), (vec![3, 19, 145], None));
        assert_eq!(read([0, 13, 0], Color::Black), (vec![41], None));
        assert_eq!(read([1, 0, 3], Color::White), (vec![1, 140], None));
        assert_eq!(read([8, 0, 3], Color::White), (vec![140, 140], told("8,0,3")));
        assert_eq!(read([7, 0, 0], Color::White), (vec![], told("7,0,0")));
        assert_eq!(read([0, 99, 0], Color::White), (vec![], told("0,99,0")));
    }

    #[test]
    fn commands_that_are_none() {
        let parse = |text| parse_command(text, &[Nag(140)], Color::White);
        assert_eq!(parse("[%cbf 8,0,0] x"), Some(([8, 0, 0], "x")));
        for text in [
            "[%cbf 8,0,0]x",
            "[%cbf 8,0]",
            "[%cbf 8,0,0,0]",
            "[%cbf 8,0,256]",
            "[%cbf 8,0,0",
            "x [%cbf 8,0,0]",
            // Not the NAG that stands before it.
            "[%cbf 9,0,0]",
            "[%cbf 0,0,0]",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn foreign_glyphs() {
        for nag in [0, 146, 263, 771, 0x0401] {
            assert_eq!(code_of(Nag(nag), Color::White), None);
        }
        // Black's initiative on a move of White's loses its side.
        let found = code_of(Nag(37), Color::White).unwrap();
        assert_eq!(found, Coded { slot: 1, code: 12, exact: false });
    }
}
