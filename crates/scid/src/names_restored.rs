//! Restores names files in which version control or a text-mode transfer converted CR LF to LF.
//! (scid §3.1.16)
//!
//! Such a file lacks single bytes. The record with the first lost byte is invalid, or the record
//! after it. The search tries a CR before each LF near that offset and keeps the one that lets the
//! parser get farthest. Then it continues from there. The result counts only if the whole file
//! verifies: all records are valid, the lists are sorted, every id has one name, and nothing
//! follows the last name.

use chess_store::Diagnostics;

use crate::names::RawNames;
use crate::names_4::parse_names_4;
use crate::quirk::Quirk;

/// The largest file that is tried: each attempt parses the file from its beginning.
const LARGEST: usize = 4 << 20;
/// The most CR that are restored, and the most places tried.
const MOST: usize = 16;
const ATTEMPTS: usize = 64;
/// The distance from the first invalid record back to the lost byte: at most two of the longest
/// records.
const BEFORE: usize = 2 * 263;
/// The distance forward: within the record.
const AFTER: usize = 263;

/// Restores the names of a damaged version 3 or 4 file. Returns `None` unless the result verifies.
pub(crate) fn restore_names(bytes: &[u8], name: &'static str) -> Option<RawNames> {
    if bytes.len() > LARGEST {
        return None;
    }
    let (mut bytes, mut attempts) = (bytes.to_vec(), 0usize);
    for _ in 0..MOST {
        let Outcome::Damaged(at) = read(&bytes, name) else { return None };
        // The invalid record first, then the bytes before it, nearest first.
        let within = at..at.saturating_add(AFTER).min(bytes.len());
        let places = within.chain((at.saturating_sub(BEFORE)..at).rev());
        let mut best: Option<(usize, Vec<u8>)> = None;
        for place in places.filter(|place| is_lone_line_feed(&bytes, *place)) {
            attempts = attempts.saturating_add(1);
            if attempts > ATTEMPTS {
                return None;
            }
            let mut tried = bytes.clone();
            tried.insert(place, b'\r');
            match read(&tried, name) {
                Outcome::Sound(names) => return Some(*names),
                Outcome::Damaged(reached) if reached > at.saturating_add(1) => {
                    if best.as_ref().is_none_or(|(farthest, _)| reached > *farthest) {
                        best = Some((reached, tried));
                    }
                }
                Outcome::Damaged(_) | Outcome::Odd => {}
            }
        }
        bytes = best?.1;
    }
    None
}

fn is_lone_line_feed(bytes: &[u8], place: usize) -> bool {
    let before = place.checked_sub(1).and_then(|before| bytes.get(before));
    bytes.get(place) == Some(&b'\n') && before != Some(&b'\r')
}

/// The result of parsing a names file.
enum Outcome {
    Sound(Box<RawNames>),
    /// The record at this offset is invalid.
    Damaged(usize),
    /// The file parses, with deviations.
    Odd,
}

fn read(bytes: &[u8], name: &'static str) -> Outcome {
    let mut diagnostics = Diagnostics::lenient();
    let Ok(names) = parse_names_4(bytes, name, &mut diagnostics) else { return Outcome::Odd };
    let damage = diagnostics.warnings().iter().find(|odd| odd.quirk() == Some(Quirk::NamesDamaged));
    match damage {
        Some(damage) => {
            Outcome::Damaged(damage.at.offset.and_then(|at| usize::try_from(at).ok()).unwrap_or(0))
        }
        None if diagnostics.warnings().is_empty() => Outcome::Sound(Box::new(names)),
        None => Outcome::Odd,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A names file of 13 players. One name has 13 bytes and shares its first ten with the previous
    /// name, so that its record contains the bytes CR LF.
    fn converted() -> (Vec<u8>, Vec<u8>) {
        let mut bytes = b"Scid.sn\0".to_vec(); // 0 magic
        bytes.extend_from_slice(&[0; 4]); // 8 time stamp
        for count in [3, 0, 0, 0, 1, 0, 0, 0] {
            bytes.extend_from_slice(&[0, 0, count]); // 12 numbers of names, 24 highest frequencies
        }
        bytes.extend_from_slice(&[0, 0, 1, 10]); // id 0, frequency 1, length 10
        bytes.extend_from_slice(b"Abcdefghij");
        bytes.extend_from_slice(&[0, 1, 1, 13, 10]); // id 1, frequency 1, length 13, prefix 10: CR LF
        bytes.extend_from_slice(b"klm");
        bytes.extend_from_slice(&[0, 2, 1, 4, 0]); // id 2, frequency 1, length 4, prefix 0
        bytes.extend_from_slice(b"Euwe");
        let mut converted = bytes.clone();
        converted.remove(bytes.windows(2).position(|pair| pair == b"\r\n").unwrap());
        (bytes, converted)
    }

    #[test]
    fn restore_names_converted_line_ends_are_restored() {
        let (whole, converted) = converted();
        assert!(matches!(read(&whole, "sn4"), Outcome::Sound(_)));
        assert!(matches!(read(&converted, "sn4"), Outcome::Damaged(_)));
        let names = restore_names(&converted, "sn4").unwrap();
        let players = &names[0];
        assert_eq!(players.get(1), Some(&b"Abcdefghijklm"[..]));
        assert_eq!(players.get(2), Some(&b"Euwe"[..]));
    }

    #[test]
    fn restore_names_truncated_file_is_not_restored() {
        let (whole, converted) = converted();
        assert!(restore_names(&whole[..whole.len() - 2], "sn4").is_none());
        assert!(restore_names(&converted[..converted.len() - 2], "sn4").is_none());
    }
}
