//! The names of players, sites and events: records of 36 bytes, addressed by offset.

use std::borrow::Cow;
use std::io;
use std::sync::OnceLock;

use chess_store::io::ReadAt;
use chess_store::{Diagnostics, EncodingSurvey, Location, TextDecoder};

use crate::error::Error;
use crate::layout::{
    EVENTS_MAGIC, MAGIC_SIZE, NAME_SIZE, NAME_STEP, NO_NAME, PLAYERS_MAGIC, SITES_MAGIC,
};
use crate::quirk::Quirk;

/// A name as stored in a file.
pub(crate) type NameRecord = [u8; NAME_SIZE];

/// The three lists of names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NameKind {
    Players,
    Sites,
    Events,
}

impl NameKind {
    pub(crate) const ALL: [NameKind; 3] = [NameKind::Players, NameKind::Sites, NameKind::Events];

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

/// Encodes the record of a name, padded with spaces. Returns whether the name fitted; a longer name
/// is truncated between two characters.
// dcg §5 "Names"
pub(crate) fn encode_name(text: &str) -> (NameRecord, bool) {
    let mut record = [b' '; NAME_SIZE];
    let mut length = text.len().min(NAME_SIZE);
    while !text.is_char_boundary(length) {
        length = length.saturating_sub(1);
    }
    if let (Some(from), Some(to)) = (text.as_bytes().get(..length), record.get_mut(..length)) {
        to.copy_from_slice(from);
    }
    // Trailing spaces and zeros cannot be distinguished from padding.
    let fits = length == text.len() && !text.ends_with([' ', '\0']);
    (record, fits)
}

/// Decodes the text of a record, without padding and without a character that the 36 bytes
/// truncate.
// dcg §5 "Names"
pub(crate) fn parse_name<'a>(
    record: &'a [u8],
    decoder: TextDecoder,
    mut odd: impl FnMut(Quirk) -> Result<(), Error>,
) -> Result<Cow<'a, str>, Error> {
    let text = trim_end(record, b' ');
    let unpadded = trim_end(text, 0);
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

/// Removes the padding at the end.
pub(crate) fn trim_end(mut bytes: &[u8], padding: u8) -> &[u8] {
    while let [rest @ .., last] = bytes
        && *last == padding
    {
        bytes = rest;
    }
    bytes
}

/// The three name files. Bases of the old layout have no events file.
pub(crate) struct NameFiles<R> {
    pub(crate) players: NameFile<R>,
    pub(crate) sites: NameFile<R>,
    pub(crate) events: Option<NameFile<R>>,
}

impl<R: ReadAt> NameFiles<R> {
    /// Collects the names to detect their encoding.
    // dcg §5.3.6
    pub(crate) fn survey(&self) -> Result<EncodingSurvey, Error> {
        /// The number of bytes of each file that are examined.
        const SURVEYED: usize = NAME_SIZE * 8192;
        let mut survey = EncodingSurvey::default();
        let mut bytes = Vec::new();
        for file in [&self.players, &self.sites].into_iter().chain(&self.events) {
            let at = Location::file(file.kind.file()).at(MAGIC_SIZE);
            let Some(source) = &file.source else { continue };
            source.read_into(MAGIC_SIZE, SURVEYED, &mut bytes).map_err(Error::io(at))?;
            bytes.chunks(NAME_SIZE).for_each(|name| survey.add(trim_end(name, b' ')));
        }
        Ok(survey)
    }
}

/// A name file, open for reading.
pub(crate) struct NameFile<R> {
    kind: NameKind,
    /// `None` if the file is missing.
    source: Option<R>,
    size: u64,
    /// The whole file, loaded with the first name unless it is too large.
    loaded: OnceLock<Vec<u8>>,
}

/// The largest name file held in memory: nearly two million names.
const LOADED_MAX: u64 = 64 << 20;

impl<R: ReadAt> NameFile<R> {
    pub(crate) fn new(kind: NameKind, source: Option<R>) -> Result<NameFile<R>, Error> {
        let size = source.as_ref().map_or(Ok(0), ReadAt::size);
        let size = size.map_err(Error::io(Location::file(kind.file())))?;
        Ok(NameFile { kind, source, size, loaded: OnceLock::new() })
    }

    pub(crate) fn kind(&self) -> NameKind {
        self.kind
    }

    /// Notes deviations of the file as a whole.
    pub(crate) fn check(&self, diagnostics: &mut Diagnostics) -> Result<(), Error> {
        let at = Location::file(self.kind.file());
        let Some(source) = &self.source else {
            return Ok(diagnostics.note(Quirk::MissingFile, at)?);
        };
        check_magic(source, self.size, self.kind.magic(), at.at(0), diagnostics)?;
        // dcg §5.1.5
        let is_cut = match self.size.checked_sub(MAGIC_SIZE) {
            None => self.size > 0,
            Some(names) => names.checked_rem(NAME_STEP) != Some(0),
        };
        if is_cut {
            diagnostics.note(Quirk::ShortName, at.at(self.size))?;
        }
        Ok(())
    }

    /// Reads the record at a reference: fewer than 36 bytes at the end of the file, none beyond it.
    pub(crate) fn record<'a>(
        &'a self,
        reference: u32,
        buffer: &'a mut NameRecord,
    ) -> io::Result<&'a [u8]> {
        let offset = u64::from(reference);
        let Some(source) = &self.source else { return Ok(&[]) };
        if self.size > LOADED_MAX {
            let count = source.read_full(offset, buffer)?;
            return Ok(buffer.get(..count).unwrap_or_default());
        }
        let loaded = self.load(source)?;
        let rest = usize::try_from(offset).ok().and_then(|offset| loaded.get(offset..));
        let rest = rest.unwrap_or_default();
        Ok(rest.get(..NAME_SIZE).unwrap_or(rest))
    }

    fn load(&self, source: &R) -> io::Result<&[u8]> {
        if let Some(bytes) = self.loaded.get() {
            return Ok(bytes);
        }
        let mut bytes = Vec::new();
        source.read_into(0, usize::try_from(self.size).unwrap_or(usize::MAX), &mut bytes)?;
        Ok(self.loaded.get_or_init(|| bytes))
    }

    /// Replaces `text` with the name at a reference, if there is one.
    // dcg §5.1 "References"
    pub(crate) fn read(
        &self,
        reference: u32,
        text: &mut String,
        decoder: TextDecoder,
        diagnostics: &mut Diagnostics,
        game: u64,
    ) -> Result<(), Error> {
        if reference == NO_NAME {
            return Ok(());
        }
        let offset = u64::from(reference);
        let at = Location::file(self.kind.file()).at(offset).in_game(game);
        let mut buffer = [0; NAME_SIZE];
        let bytes = self.record(reference, &mut buffer).map_err(Error::io(at))?;
        if bytes.is_empty() || offset < MAGIC_SIZE {
            return Ok(diagnostics.note(Quirk::DanglingName, at)?);
        }
        if offset % NAME_STEP != MAGIC_SIZE {
            diagnostics.note(Quirk::MisalignedName, at)?;
        }
        if bytes.len() < NAME_SIZE {
            diagnostics.note(Quirk::ShortName, at)?;
        }
        let name = parse_name(bytes, decoder, |quirk| Ok(diagnostics.note(quirk, at)?))?;
        text.clear();
        text.push_str(&name);
        Ok(())
    }
}

/// Notes a non-empty file that does not start with its magic.
pub(crate) fn check_magic<R: ReadAt>(
    file: &R,
    size: u64,
    magic: &[u8; 10],
    at: Location,
    diagnostics: &mut Diagnostics,
) -> Result<(), Error> {
    let mut start = [0; 10];
    file.read_full(0, &mut start).map_err(Error::io(at))?;
    if size > 0 && start != *magic {
        // A crash of the system can leave zeros in place of what was written.
        let is_zeroed = start == [0; 10];
        let quirk = if is_zeroed { Quirk::ZeroedFile } else { Quirk::WrongMagic };
        diagnostics.note(quirk, at)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    use chess_store::Encoding;

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
    fn parse_name_reads_36_bytes() {
        let (record, fits) = encode_name("Alpha, A");
        assert_eq!(&record, b"Alpha, A                            ");
        assert!(fits);
        assert_eq!(parse(&record), ("Alpha, A".into(), vec![]));
        assert_eq!(parse(b"                                    "), (String::new(), vec![]));
        assert_eq!(parse(b" Leading Space                      ").0, " Leading Space");
    }

    #[test]
    fn encode_long_name_is_cut_between_characters() {
        let (record, fits) = encode_name(&format!("x{}", "É".repeat(18)));
        assert_eq!(parse(&record).0, format!("x{}", "É".repeat(17)));
        assert!(!fits);
        assert!(encode_name(&"É".repeat(18)).1, "36 bytes fit");
        assert!(!encode_name("Trailing Space ").1);
    }

    #[test]
    fn parse_name_cut_character_is_dropped() {
        // "x" and 18 times É, truncated by the author's program after 36 bytes: ends in a lone c3.
        let long = format!("x{}", "É".repeat(18));
        let record = &long.as_bytes()[..36];
        assert_eq!(parse(record), (format!("x{}", "É".repeat(17)), vec![Quirk::SplitCharacter]));
    }

    #[test]
    fn parse_odd_name_is_quirk() {
        assert_eq!(parse(b"Abc\0\0\0"), ("Abc".into(), vec![Quirk::ZeroPadding]));
        assert_eq!(parse(b"M\xfcller    "), ("Müller".into(), vec![Quirk::NotUtf8]));
    }
}
