//! The evaluations of all moves as a command of ChessBase, `[%evp 0,2,20,35,-12]`.
//!
//! The command has no room for search depths, which follow in a command of their own:
//! `[%cbh depths 12*3]`.

use std::fmt::Write as _;

/// An evaluation with a smaller absolute value is in centipawns; larger ones are mates.
const MATES: i16 = 29_000;
/// A mate in *n* plies is this value minus *n*.
const MATE: i16 = 30_000;
/// The value of a position without an evaluation.
const NO_VALUE: i16 = 32_767;
/// The flags of an entry: centipawns, mate, no evaluation.
const CENTIPAWNS: u8 = 0;
const MATE_FLAG: u8 = 1;
const NO_FLAG: u8 = 0xff;

/// The entry of a position without an evaluation.
const NO_ENTRY: [u8; 4] = [NO_FLAG, 0, 0, 0];

const DEPTHS: &str = " [%cbh depths ";

/// The value of an entry as the command writes it. Returns `None` if the command cannot tell it
/// from another entry.
fn value_of([flag, _, v1, v2]: [u8; 4]) -> Option<i16> {
    let value = i16::from_be_bytes([v1, v2]);
    match flag {
        CENTIPAWNS => (value.unsigned_abs() < MATES.unsigned_abs()).then_some(value),
        MATE_FLAG if (1..=MATE.saturating_sub(MATES)).contains(&value) => {
            Some(MATE.saturating_sub(value))
        }
        MATE_FLAG if (MATES.saturating_sub(MATE)..=-1).contains(&value) => {
            Some(MATE.saturating_neg().saturating_sub(value))
        }
        NO_FLAG => (value == 0).then_some(NO_VALUE),
        _ => None,
    }
}

fn entry_of(value: i16, depth: u8) -> Option<[u8; 4]> {
    let (value, flag) = match value {
        NO_VALUE => (0, NO_FLAG),
        value if value.unsigned_abs() < MATES.unsigned_abs() => (value, CENTIPAWNS),
        value if value > 0 => (MATE.checked_sub(value)?, MATE_FLAG),
        value => (MATE.saturating_neg().checked_sub(value)?, MATE_FLAG),
    };
    let [v1, v2] = value.to_be_bytes();
    Some([flag, depth, v1, v2])
}

/// Appends the command of the data of a `.cba`: u16 count, entries of kind, depth and value.
// cbh §5.3 "Annotations in PGN"
pub(super) fn push(data: &[u8], out: &mut String) -> Option<()> {
    let (count, entries) = data.split_first_chunk::<2>()?;
    if entries.len() != usize::from(u16::from_be_bytes(*count)).checked_mul(4)? {
        return None;
    }
    let (entries, _) = entries.as_chunks::<4>();
    let none = |entry: &&[u8; 4]| **entry == NO_ENTRY;
    let first = entries.iter().take_while(none).count();
    let last = entries.len().checked_sub(1).filter(|last| first <= *last)?;
    write!(out, "[%evp {first},{last}").ok()?;
    for entry in entries.get(first..)? {
        write!(out, ",{}", value_of(*entry)?).ok()?;
    }
    out.push(']');
    let depths = || entries.iter().skip(first).map(|[_, depth, ..]| *depth);
    if depths().all(|depth| depth == 0) {
        return Some(());
    }
    out.push_str(DEPTHS);
    let (mut depths, mut comma) = (depths().peekable(), "");
    while let Some(depth) = depths.next() {
        let mut times = 1u32;
        while depths.next_if_eq(&depth).is_some() {
            times = times.saturating_add(1);
        }
        write!(out, "{comma}{depth}").ok()?;
        if times > 1 {
            write!(out, "*{times}").ok()?;
        }
        comma = ",";
    }
    out.push(']');
    Some(())
}

/// Parses the arguments of the command, and the command of its depths at the start of `rest`.
/// Returns the text after both.
pub(super) fn parse<'t>(arguments: &str, rest: &'t str, data: &mut Vec<u8>) -> Option<&'t str> {
    let mut numbers = arguments.split(',');
    let first: usize = numbers.next()?.parse().ok()?;
    let last: usize = numbers.next()?.parse().ok()?;
    let count =
        last.checked_add(1).filter(|count| *count <= usize::from(i16::MAX.unsigned_abs()))?;
    let wanted = count.checked_sub(first).filter(|wanted| *wanted > 0)?;
    let with_depths = rest.strip_prefix(DEPTHS).and_then(|rest| rest.split_once(']'));
    let (depths, rest) = match with_depths {
        Some((depths, rest)) => (parse_depths(depths, wanted)?, rest),
        None => (vec![0; wanted], rest),
    };
    data.extend_from_slice(&u16::try_from(count).ok()?.to_be_bytes());
    (0..first).for_each(|_| data.extend_from_slice(&NO_ENTRY));
    for depth in depths {
        data.extend_from_slice(&entry_of(numbers.next()?.parse().ok()?, depth)?);
    }
    numbers.next().is_none().then_some(rest)
}

fn parse_depths(text: &str, wanted: usize) -> Option<Vec<u8>> {
    let mut depths = Vec::new();
    for run in text.split(',') {
        let (depth, times) = run.split_once('*').unwrap_or((run, "1"));
        let (depth, times): (u8, usize) = (depth.parse().ok()?, times.parse().ok()?);
        let end = depths.len().checked_add(times).filter(|end| *end <= wanted)?;
        depths.resize(end, depth);
    }
    (depths.len() == wanted).then_some(depths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_example_round_trip() {
        #[rustfmt::skip]
        let data = [
            0, 5,              // five entries
            0xff, 0, 0, 0,     // none for the start
            0, 12, 0, 20,      // 0.20
            0, 12, 0xff, 0xf4, // -0.12
            1, 12, 0, 5,       // White mates in 5 plies
            1, 9, 0xff, 0xfd,  // Black mates in 3
        ];
        let mut text = String::new();
        push(&data, &mut text).unwrap();
        assert_eq!(text, "[%evp 1,4,20,-12,29995,-29997] [%cbh depths 12*3,9]");
        let (arguments, rest) = text["[%evp ".len()..].split_once(']').unwrap();
        let mut back = Vec::new();
        assert_eq!(parse(arguments, rest, &mut back), Some(""));
        assert_eq!(back, data);
        for wrong in ["0,1,5", "0,0,5,6", "1,0", "0,0,x", "0,99999,1", ""] {
            assert_eq!(parse(wrong, "", &mut Vec::new()), None, "{wrong}");
        }
    }

    #[test]
    fn evaluations_ambiguous_value_has_no_command() {
        for entry in [[0, 0, 0x7f, 0xff], [0, 0, 0x75, 0x2b], [0xff, 0, 0, 1], [2, 0, 0, 1]] {
            let mut data = vec![0, 1];
            data.extend_from_slice(&entry);
            assert_eq!(push(&data, &mut String::new()), None, "{entry:?}");
        }
    }
}
