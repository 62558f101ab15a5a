//! Names of players, sites and events: records of 36 bytes, found by their offset.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::io;
use std::sync::OnceLock;

use chess_core::io::ReadAt;
use chess_core::{Diagnostics, Location, TextDecoder};

use crate::error::{Error, ErrorKind};
use crate::layout::{
    EVENTS_MAGIC, MAGIC_SIZE, NAME_SIZE, NAME_STEP, NO_NAME, PLAYERS_MAGIC, SITES_MAGIC,
};
use crate::quirk::{Quirk, note};

/// One name as it stands in a file.
pub(crate) type Record = [u8; NAME_SIZE];

/// The three lists of names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NameKind {
    Players,
    Sites,
    Events,
}

impl NameKind {
    /// The extension of its file.
    pub(crate) const fn file(self) -> &'static str {
        match self {
            NameKind::Players => "dcn",
            NameKind::Sites => "dcs",
            NameKind::Events => "dce",
        }
    }

    pub(crate) const fn magic(self) -> &'static [u8; 10] {
        match self {
            NameKind::Players => PLAYERS_MAGIC,
            NameKind::Sites => SITES_MAGIC,
            NameKind::Events => EVENTS_MAGIC,
        }
    }
}

/// The record of a name, padded with spaces, and whether it fitted. A longer name is cut between
/// two characters.
// dcg §5 "Names"
pub(crate) fn encode_name(text: &str) -> (Record, bool) {
    let mut record = [b' '; NAME_SIZE];
    let mut length = text.len().min(NAME_SIZE);
    while !text.is_char_boundary(length) {
        length = length.saturating_sub(1);
    }
    if let (Some(from), Some(to)) = (text.as_bytes().get(..length), record.get_mut(..length)) {
        to.copy_from_slice(from);
    }
    // Spaces and zeros at the end cannot be told from padding.
    let fits = length == text.len() && !text.ends_with([' ', '\0']);
    (record, fits)
}

/// The text of a record: up to the padding, without the piece of a character the 36 bytes cut.
// dcg §5 "Names"
pub(crate) fn parse_name<'a>(
    record: &'a [u8],
    decoder: TextDecoder,
    mut odd: impl FnMut(Quirk) -> Result<(), Error>,
) -> Result<Cow<'a, str>, Error> {
    let text = record.trim_ascii_end_of(b' ');
    let unpadded = text.trim_ascii_end_of(0);
    if unpadded.len() < text.len() {
        odd(Quirk::ZeroPadding)?;
    }
    match std::str::from_utf8(unpadded) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(error) if error.error_len().is_none() && text.len() == NAME_SIZE => {
            odd(Quirk::SplitCharacter)?;
            Ok(decoder.decode(unpadded.get(..error.valid_up_to()).unwrap_or_default()))
        }
        Err(_) => {
            odd(Quirk::NotUtf8)?;
            Ok(decoder.decode(unpadded))
        }
    }
}

trait TrimEnd {
    /// Without these bytes at the end.
    fn trim_ascii_end_of(&self, padding: u8) -> &Self;
}

impl TrimEnd for [u8] {
    fn trim_ascii_end_of(&self, padding: u8) -> &[u8] {
        let end = self.iter().rposition(|byte| *byte != padding).map_or(0, |at| at.wrapping_add(1));
        self.get(..end).unwrap_or_default()
    }
}

/// A name file, read.
pub(crate) struct NameFile<R> {
    kind: NameKind,
    source: R,
    size: u64,
    /// The whole file, once a name was asked for, if it is not too big.
    loaded: OnceLock<Vec<u8>>,
}

/// The biggest name file held in memory: nearly two million names.
const LOADED_MAX: u64 = 64 << 20;

impl<R: ReadAt> NameFile<R> {
    pub(crate) fn new(kind: NameKind, source: R) -> io::Result<NameFile<R>> {
        let size = source.size()?;
        Ok(NameFile { kind, source, size, loaded: OnceLock::new() })
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn into_source(self) -> R {
        self.source
    }

    /// Whether the file starts as it should.
    pub(crate) fn has_magic(&self) -> io::Result<bool> {
        let mut start = [0; 10];
        Ok(self.source.read_full(0, &mut start)? == 10 && start == *self.kind.magic())
    }

    /// Copies the record a reference points to, and says how many bytes there were.
    pub(crate) fn record(&self, reference: u32, record: &mut Record) -> io::Result<usize> {
        if self.size > LOADED_MAX {
            return self.source.read_full(u64::from(reference), record);
        }
        self.load()?.read_full(u64::from(reference), record)
    }

    fn load(&self) -> io::Result<&[u8]> {
        if let Some(bytes) = self.loaded.get() {
            return Ok(bytes);
        }
        let mut bytes = Vec::new();
        self.source.read_into(0, usize::try_from(self.size).unwrap_or(usize::MAX), &mut bytes)?;
        Ok(self.loaded.get_or_init(|| bytes))
    }

    /// Replaces `text` with the name a reference points to. `false` if there is none.
    // dcg §5.1 "References"
    pub(crate) fn read(
        &self,
        reference: u32,
        text: &mut String,
        decoder: TextDecoder,
        diagnostics: &mut Diagnostics,
        game: u64,
    ) -> Result<bool, Error> {
        if reference == NO_NAME {
            return Ok(false);
        }
        let offset = u64::from(reference);
        let at = Location::file(self.kind.file()).at(offset).in_game(game);
        let mut record = [0; NAME_SIZE];
        let count = self.record(reference, &mut record).map_err(|e| ErrorKind::Io(e).at(at))?;
        if count == 0 || offset < MAGIC_SIZE {
            note(diagnostics, Quirk::DanglingName, at)?;
            return Ok(false);
        }
        if offset.wrapping_sub(MAGIC_SIZE).checked_rem(NAME_STEP) != Some(0) {
            note(diagnostics, Quirk::MisalignedName, at)?;
        }
        if count < NAME_SIZE {
            note(diagnostics, Quirk::ShortName, at)?;
        }
        let bytes = record.get(..count).unwrap_or_default();
        let name = parse_name(bytes, decoder, |quirk| note(diagnostics, quirk, at))?;
        text.clear();
        text.push_str(&name);
        Ok(true)
    }
}

/// Names being written: each once, numbered in the order they came.
#[derive(Debug, Default)]
pub(crate) struct NameTable {
    records: Vec<Record>,
    numbers: HashMap<Record, u32>,
}

impl NameTable {
    /// The number of a name, new or known; `None` when references reach no further.
    pub(crate) fn intern(&mut self, record: Record) -> Option<u32> {
        if let Some(number) = self.number(&record) {
            return Some(number);
        }
        let number = self.next_number();
        reference(number)?;
        self.add(record);
        Some(number)
    }

    /// The number the next new name gets.
    pub(crate) fn next_number(&self) -> u32 {
        u32::try_from(self.records.len()).unwrap_or(u32::MAX)
    }

    /// Adds a record, a name or a repetition of one, whose first number stays.
    pub(crate) fn add(&mut self, record: Record) {
        let number = self.next_number();
        self.records.push(record);
        self.numbers.entry(record).or_insert(number);
    }

    /// The number of a known name.
    pub(crate) fn number(&self, record: &Record) -> Option<u32> {
        self.numbers.get(record).copied()
    }

    /// The records in the order of the author's program, and the reference of each number.
    // dcg §5.2 "Order"
    pub(crate) fn sorted(&self) -> (Vec<&Record>, Vec<u32>) {
        let mut order: Vec<(u32, &Record)> = (0..).zip(&self.records).collect();
        order.sort_unstable_by(|(_, a), (_, b)| compare(a, b));
        let mut references = vec![NO_NAME; self.records.len()];
        for (place, (number, _)) in (0..).zip(&order) {
            let slot = usize::try_from(*number).ok().and_then(|at| references.get_mut(at));
            if let (Some(slot), Some(reference)) = (slot, reference(place)) {
                *slot = reference;
            }
        }
        (order.into_iter().map(|(_, record)| record).collect(), references)
    }
}

/// The reference of a name by its number, if 32 bits reach so far.
pub(crate) fn reference(number: u32) -> Option<u32> {
    let offset = u64::from(number).checked_mul(NAME_STEP)?.checked_add(MAGIC_SIZE)?;
    u32::try_from(offset).ok()
}

/// The order of the author's program: by UTF-16 units, without padding.
fn compare(a: &Record, b: &Record) -> Ordering {
    let text = |record| String::from_utf8_lossy(TrimEnd::trim_ascii_end_of(record, b' '));
    let units = |a: &str, b: &str| a.encode_utf16().cmp(b.encode_utf16());
    units(&text(a.as_slice()), &text(b.as_slice())).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    use chess_core::Encoding;

    fn parse(record: &[u8]) -> (String, Vec<Quirk>) {
        let mut quirks = Vec::new();
        let decoder = TextDecoder::utf8_or(Encoding::WINDOWS_1252);
        let text = parse_name(record, decoder, |quirk| {
            quirks.push(quirk);
            Ok(())
        });
        (text.unwrap().into_owned(), quirks)
    }

    #[test]
    fn a_name_is_36_bytes() {
        let (record, fits) = encode_name("Alpha, A");
        assert_eq!(&record, b"Alpha, A                            ");
        assert!(fits);
        assert_eq!(parse(&record), ("Alpha, A".into(), vec![]));
        assert_eq!(parse(b"                                    "), (String::new(), vec![]));
        assert_eq!(parse(b" Leading Space                      ").0, " Leading Space");
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        let (record, fits) = encode_name(&format!("x{}", "É".repeat(18)));
        assert_eq!(parse(&record).0, format!("x{}", "É".repeat(17)));
        assert!(!fits);
        assert!(encode_name(&"É".repeat(18)).1, "36 bytes fit");
        assert!(!encode_name("Trailing Space ").1);
    }

    #[test]
    fn a_character_the_program_cut_is_dropped() {
        // "x" and 18 times É, cut by the author's program after 36 bytes: ends in a lone c3.
        let long = format!("x{}", "É".repeat(18));
        let record = &long.as_bytes()[..36];
        assert_eq!(parse(record), (format!("x{}", "É".repeat(17)), vec![Quirk::SplitCharacter]));
    }

    #[test]
    fn odd_names() {
        assert_eq!(parse(b"Abc\0\0\0"), ("Abc".into(), vec![Quirk::ZeroPadding]));
        assert_eq!(parse(b"M\xfcller    "), ("Müller".into(), vec![Quirk::NotUtf8]));
    }

    #[test]
    fn names_sort_as_utf16() {
        let mut table = NameTable::default();
        for name in ["é", "b", "\u{ff0b}", "😀", "", "B", "a b", "a"] {
            table.intern(encode_name(name).0).unwrap();
        }
        assert_eq!(table.intern(encode_name("b").0), Some(1), "each name once");
        let (sorted, references) = table.sorted();
        let sorted: Vec<String> = sorted.iter().map(|record| parse(&record[..]).0).collect();
        // The astral 😀 (d83d de00) before U+FF0B, which UTF-8 order would not do.
        assert_eq!(sorted, ["", "B", "a", "a b", "b", "é", "😀", "\u{ff0b}"]);
        assert_eq!(references[1], 10 + 4 * 36);
    }
}
