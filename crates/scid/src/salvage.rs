//! Finds the records of a games file by their end markers, where the index is missing or wrong.
//! (scid §4.1 "Blocks")
//!
//! A record begins where the one before it ends, or at a block. So the bytes that belong to no sound
//! entry are decoded from their first byte on, and after a failure from the next. A decoded game tells
//! its entry by its place, or by the fields that the entry derives from the moves.

use std::collections::{HashMap, VecDeque};

use chess_core::{Game, Replay, Token};
use chess_store::io::{PageCache, ReadAt};
use chess_store::{Diagnostics, Encoding, Input, Location, Losses, TextDecoder};

use crate::database::Database;
use crate::decode::read_record;
use crate::encode::RecordEncoder;
use crate::error::{Error, ErrorKind};
use crate::header::{Info, encode_header};
use crate::index::{Derived, IndexEntry, NameIds};
use crate::layout::{Extensions, Version};
use crate::options::OpenOptions;
use crate::parts::Parts;
use crate::quirk::Quirk;
use crate::record::Record;
use crate::statistics::GameStatistics;
use crate::stream::{StreamItem, split_nul};
use crate::tags::RecordTag;

/// How often each byte of a block may be decoded in vain, on average.
const ATTEMPTS: usize = 64;

/// The fewest moves of a record that does not begin where another one ends. Fewer are often chance.
const LEAST_MOVES: usize = 2;

/// A record that belongs to no sound entry.
#[derive(Clone, Copy, Debug)]
struct Found {
    offset: u64,
    length: usize,
    statistics: GameStatistics,
}

/// Opens a base, and mends its index in memory if entries do not lead to their records.
pub(crate) fn open(parts: &Parts<Option<Input>>, options: &OpenOptions) -> Result<Database, Error> {
    let extensions = parts.extensions;
    let with = |index: Vec<u8>| {
        let index = Some(Input::from(index));
        Database::from_parts(Parts { index, ..parts.clone() }, options)
    };
    let opened = match Database::from_parts(parts.clone(), options) {
        Err(error) if is_lost(error.kind()) => with(empty_index(extensions))?,
        opened => opened?,
    };
    let Some(index) = opened.mended_index()? else { return Ok(opened) };
    let mut mended = with(index)?;
    mended.note(Quirk::RecordsFound, Location::file(extensions.games))?;
    Ok(mended)
}

fn is_lost(kind: &ErrorKind) -> bool {
    matches!(kind, ErrorKind::IndexMagic | ErrorKind::IndexHeader | ErrorKind::Version(_))
}

fn empty_index(extensions: Extensions) -> Vec<u8> {
    match extensions {
        Extensions::SI5 => Vec::new(),
        _ => encode_header(&Info::default()).to_vec(),
    }
}

impl<R: ReadAt> Database<R> {
    /// Returns an index with an entry for each record of the games file that an entry or nothing names.
    /// `None` if every entry leads to its record.
    fn mended_index(&self) -> Result<Option<Vec<u8>>, Error> {
        let (mut entries, mut taken, mut lost) = (Vec::new(), Vec::new(), Vec::new());
        let (mut game, mut record, mut last) = (Game::new(), Vec::new(), 0);
        let pages = (PageCache::default(), PageCache::default());
        let (index, games) = (pages.0.cached(&self.files.index), pages.1.cached(&self.files.games));
        for number in 0..self.entries() {
            let entry = self.read_entry(&index, number)?;
            match self.end_of_sound(&games, &entry, number, &mut record, &mut game) {
                Some(end) => {
                    taken.push((entry.offset, end));
                    last = last.max(entry.end());
                }
                None => lost.push(entries.len()),
            }
            entries.push(entry);
        }
        // A replaced game leaves dead space, but never at the end of the file.
        if lost.is_empty() && last >= self.games_size {
            return Ok(None);
        }
        let mut found = self.find_records(&mut taken)?;
        if found.is_empty() {
            return Ok(None);
        }
        // A record where the entry says: only the length was wrong.
        lost.retain(|place| {
            let Some(entry) = entries.get_mut(*place) else { return false };
            let at = found.binary_search_by_key(&entry.offset, |found| found.offset);
            let Ok(at) = at else { return true };
            lead(entry, &found.remove(at));
            false
        });
        // A record whose moves give what the entry says of them.
        let mut like: HashMap<Derived, VecDeque<usize>> = HashMap::new();
        for (at, found) in found.iter().enumerate() {
            like.entry(key(&found.statistics.derived)).or_default().push_back(at);
        }
        let mut named = vec![false; found.len()];
        for place in lost {
            let Some(entry) = entries.get_mut(place).filter(|entry| entry.derived.plies > 0) else {
                continue;
            };
            let at = like.get_mut(&key(&entry.derived)).and_then(VecDeque::pop_front);
            let Some((at, found)) = at.and_then(|at| Some((at, found.get(at)?))) else { continue };
            lead(entry, found);
            if let Some(named) = named.get_mut(at) {
                *named = true;
            }
        }
        let nameless = found.iter().zip(&named).filter(|(_, named)| !**named);
        entries.extend(nameless.map(|(found, _)| nameless_entry(found)));
        Ok(Some(self.encode_index(&entries)))
    }

    /// Returns where the record of an entry ends. `None` if it is damaged, or ends elsewhere.
    fn end_of_sound(
        &self,
        games: &impl ReadAt,
        entry: &IndexEntry,
        number: u64,
        record: &mut Vec<u8>,
        game: &mut Game,
    ) -> Option<u64> {
        let mut diagnostics = Diagnostics::lenient();
        let at = self.read_record(games, entry, number, record, &mut diagnostics).ok()?;
        self.check_length(entry, record, at).ok()?;
        read_record(record, at, &self.text, entry.chess960, game, &mut diagnostics).ok()?;
        let length = measure(record, &self.text).map_or(record.len(), |(length, _)| length);
        Some(entry.offset.saturating_add(length as u64))
    }

    /// Finds the records between the `taken` ranges of the games file, in order.
    fn find_records(&self, taken: &mut Vec<(u64, u64)>) -> Result<Vec<Found>, Error> {
        taken.sort_unstable();
        taken.push((self.games_size, self.games_size));
        let (mut found, mut block, mut from) = (Vec::new(), Vec::new(), 0);
        for (start, end) in taken {
            while from < *start {
                let boundary = from.checked_next_multiple_of(self.version.block_size());
                let boundary = boundary.filter(|boundary| *boundary > from);
                let next = from.saturating_add(self.version.block_size());
                let until = boundary.unwrap_or(next).min(*start);
                let length = usize::try_from(until.saturating_sub(from)).unwrap_or(0);
                let at = Location::file(self.files.extensions.games).at(from);
                self.files.games.read_into(from, length, &mut block).map_err(Error::io(at))?;
                find_in_block(&block, from, &self.text, &mut found);
                from = until;
            }
            from = from.max(*end);
        }
        Ok(found)
    }

    fn encode_index(&self, entries: &[IndexEntry]) -> Vec<u8> {
        // An entry of version 3 is one of version 4 without the custom flags.
        let (version, mut index) = match self.version {
            Version::Si5 => (Version::Si5, Vec::new()),
            Version::Si3 | Version::Si4 => {
                let games = u32::try_from(entries.len()).unwrap_or(u32::MAX);
                let info = Info { games, ..self.info().clone() };
                (Version::Si4, encode_header(&info).to_vec())
            }
        };
        entries.iter().for_each(|entry| entry.encode(version, &mut index));
        index
    }
}

/// Sets the place of an entry's record.
fn lead(entry: &mut IndexEntry, found: &Found) {
    entry.offset = found.offset;
    entry.length = u32::try_from(found.length).unwrap_or(u32::MAX);
}

/// The fields that tell which game an entry describes. Many programs write no opening line.
fn key(derived: &Derived) -> Derived {
    Derived { opening_line: 0, ..*derived }
}

/// Returns an entry without names for a record that no entry describes.
fn nameless_entry(found: &Found) -> IndexEntry {
    let none = u32::MAX;
    let names = NameIds { white: none, black: none, event: none, site: none, round: none };
    let GameStatistics { counts, derived, flags, chess960 } = found.statistics;
    let mut entry = IndexEntry { names, counts, derived, flags, chess960, ..IndexEntry::default() };
    lead(&mut entry, found);
    entry
}

/// Appends the records of a part of a block that begins at `offset`.
fn find_in_block(block: &[u8], offset: u64, text: &TextDecoder, found: &mut Vec<Found>) {
    let mut work = block.len().saturating_mul(ATTEMPTS);
    let (mut at, mut aligned) = (0usize, true);
    while let Some(bytes) = block.get(at..).filter(|bytes| !bytes.is_empty()) {
        match measure(bytes, text) {
            Ok((length, game)) if aligned || game.ply_count() >= LEAST_MOVES => {
                let statistics = statistics_of(&game);
                let offset = offset.saturating_add(at as u64);
                found.push(Found { offset, length, statistics });
                (at, aligned) = (at.saturating_add(length), true);
            }
            measured => {
                let used = measured.map_or_else(|used| used, |(length, _)| length).max(1);
                let Some(left) = work.checked_sub(used) else { return };
                (work, at, aligned) = (left, at.saturating_add(1), false);
            }
        }
    }
}

fn statistics_of(game: &Game) -> GameStatistics {
    let mut encoder = RecordEncoder::new(Encoding::UTF_8, true);
    let (tags, at) = (std::iter::empty(), Location::default());
    encoder.encode(game, tags, at, &mut Vec::new(), &mut Losses::new()).unwrap_or_default()
}

/// Returns the length of the record at the start of `bytes` and its moves. All must be legal, and the
/// first no null move, because zeros fill gaps. The error is the number of bytes that were read.
fn measure(bytes: &[u8], text: &TextDecoder) -> Result<(usize, Game), usize> {
    let record = Record { bytes, at: Location::default() };
    let mut rest = bytes;
    let mut game = Game::new();
    let length = measure_record(&record, text, &mut game, &mut rest);
    let used = bytes.len().saturating_sub(rest.len());
    length.map(|()| (used, game)).ok_or(used)
}

fn measure_record<'a>(
    record: &Record<'a>,
    text: &TextDecoder,
    game: &mut Game,
    rest: &mut &'a [u8],
) -> Option<()> {
    loop {
        let (next, tag) = record.tag(rest).ok()?;
        *rest = next;
        match tag {
            None => break,
            // Other bytes could take in whole records.
            Some(RecordTag::Text { name, value })
                if name.iter().any(|byte| !byte.is_ascii_graphic()) || value.contains(&0) =>
            {
                return None;
            }
            Some(RecordTag::Unassigned { value, .. }) if value.contains(&0) => return None,
            Some(_) => {}
        }
    }
    let (fen_place, flags) = record.flags(rest).ok()?;
    let (stream, fen) = record.fen(flags, fen_place).ok()?;
    *rest = stream;
    let mut stream = record.start(fen, fen_place, stream, text, game).ok()?;
    let mut replay = Replay::on(game.start_position(), true);
    let mut comments = 0usize;
    loop {
        let item = stream.next();
        *rest = stream.rest();
        let token = match item.ok()? {
            StreamItem::Move(m) => {
                let is_legal = match m.is_null() {
                    true => game.ply_count() > 0,
                    false => replay.position().is_legal(m),
                };
                is_legal.then_some(Token::Move(m))?
            }
            StreamItem::VariationStart => Token::VariationStart,
            StreamItem::VariationEnd => Token::VariationEnd,
            StreamItem::Nag(_) => continue,
            StreamItem::Comment => {
                comments = comments.saturating_add(1);
                continue;
            }
            StreamItem::OddMove(..) => return None,
            StreamItem::GameEnd => break,
        };
        game.push(token).ok()?;
        replay.step(token);
    }
    for _ in 0..comments {
        let (_, after) = split_nul(rest)?;
        *rest = after;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::CreateOptions;
    use crate::writer::Writer;
    use chess_store::Inputs;

    /// Three games of different lengths; the second has a tag of its own, a comment and a variation.
    fn games() -> Vec<Game> {
        let lines: [&[&str]; 3] = [
            &["e2e4", "e7e5", "g1f3", "b8c6"],
            &["d2d4", "d7d5", "c2c4", "d5c4", "e2e4", "b7b5"],
            &["c2c4", "g8f6"],
        ];
        let mut games = Vec::new();
        for (white, line) in ["Ash", "Elm", "Oak"].into_iter().zip(lines) {
            let mut game = Game::new();
            game.header.set("White", white);
            line.iter().for_each(|m| game.push_move(m.parse().unwrap()));
            games.push(game);
        }
        games[1].header.set("Annotator", "Kim");
        games[1].push_comment("the end").unwrap();
        games[1].start_variation().unwrap();
        games[1].push_move("a7a5".parse().unwrap());
        games[1].end_variation().unwrap();
        games
    }

    fn written(version: Version) -> Parts<Vec<u8>> {
        let options = CreateOptions { version, ..Default::default() };
        let mut writer = Writer::in_memory_with(&options).unwrap();
        games().iter().for_each(|game| writer.write(game, &mut Losses::new()).unwrap());
        writer.into_bytes().unwrap()
    }

    /// Opens a base, perhaps without an index. Returns White and the half-moves of each game, and
    /// whether records were found without the index.
    fn salvaged(parts: &Parts<Vec<u8>>, with_index: bool) -> (Vec<(String, usize)>, bool) {
        let mut inputs = Inputs::new(format!("base.{}", parts.extensions.games));
        if with_index {
            inputs.add(format!("base.{}", parts.extensions.index), parts.index.clone());
        }
        inputs.add(format!("base.{}", parts.extensions.games), parts.games.clone());
        inputs.add(format!("base.{}", parts.extensions.names), parts.names.clone());
        let options = OpenOptions { salvage: true, ..Default::default() };
        let base = Database::open_inputs(&inputs, &options).unwrap();
        let (mut game, mut reader) = (Game::new(), base.reader());
        let mut rows = Vec::new();
        for number in 0..base.len() {
            let _ = reader.game(number, &mut game, &mut Diagnostics::lenient());
            rows.push((game.header.white.clone(), game.tokens().count()));
        }
        let found = |odd: &chess_store::Warning| odd.quirk() == Some(Quirk::RecordsFound);
        (rows, base.warnings().iter().any(found))
    }

    fn rows(names: &[&str], lengths: &[usize]) -> Vec<(String, usize)> {
        names.iter().map(|name| (*name).to_owned()).zip(lengths.iter().copied()).collect()
    }

    #[test]
    fn salvage_sound_base_is_unchanged() {
        for version in [Version::Si4, Version::Si5] {
            let (games, found) = salvaged(&written(version), true);
            assert_eq!(games, rows(&["Ash", "Elm", "Oak"], &[4, 10, 2]));
            assert!(!found);
        }
    }

    #[test]
    fn salvage_wrong_places_and_lengths_are_mended() {
        for version in [Version::Si4, Version::Si5] {
            // The length of the first game is too short, so that all places behind it are wrong.
            for (wrong, cut) in [(1i64, 1), (-2, 2), (5, 0), (1 << 20, 0)] {
                let mut parts = written(version);
                for game in 0..3usize {
                    let at = version.entry_offset(game as u64) as usize;
                    let bytes = &mut parts.index[at..at + version.entry_size()];
                    let mut entry = version.parse_entry(bytes).unwrap();
                    match game {
                        0 => entry.length -= cut,
                        _ => entry.offset = entry.offset.saturating_add_signed(wrong),
                    }
                    let mut mended = Vec::new();
                    entry.encode(version, &mut mended);
                    bytes.copy_from_slice(&mended);
                }
                let (games, found) = salvaged(&parts, true);
                assert_eq!(games, rows(&["Ash", "Elm", "Oak"], &[4, 10, 2]), "{wrong} {cut}");
                assert!(found);
            }
        }
    }

    #[test]
    fn salvage_missing_or_cut_index_leaves_games_without_names() {
        for version in [Version::Si4, Version::Si5] {
            let mut parts = written(version);
            let expected = rows(&["?", "?", "?"], &[4, 10, 2]);
            assert_eq!(salvaged(&parts, false), (expected.clone(), true));
            let whole = std::mem::take(&mut parts.index);
            assert_eq!(salvaged(&parts, true), (expected, true));
            parts.index = whole[..version.entry_offset(1) as usize].to_vec();
            let expected = rows(&["Ash", "?", "?"], &[4, 10, 2]);
            assert_eq!(salvaged(&parts, true), (expected, true));
        }
    }

    #[test]
    fn salvage_bytes_between_records_are_passed_over() {
        let mut parts = written(Version::Si4);
        for (at, junk) in [(0, vec![0; 40]), (0, vec![0xff; 40]), (0, b"junk \x0f\0".to_vec())] {
            let mut games = parts.games.clone();
            games.splice(at..at, junk);
            parts.games.clone_from(&games);
            assert_eq!(salvaged(&parts, false).0, rows(&["?", "?", "?"], &[4, 10, 2]));
        }
    }

    #[test]
    fn salvage_large_file_without_records_is_fast() {
        let mut parts = written(Version::Si4);
        for byte in [0, 0x86, 0xff] {
            parts.games = vec![byte; 1 << 18];
            assert_eq!(salvaged(&parts, false).0, []);
        }
    }
}
