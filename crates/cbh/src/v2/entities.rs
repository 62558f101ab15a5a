//! Entities in the `.2lid`: players, tournaments, sources, teams, titles.
//!
//! The file is a row of blocks. Block *i* has a container for entity *i* of each type, so a record
//! is found by multiplication and names are read when a game needs them.

use std::borrow::Cow;

use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Location, TextDecoder};

use super::header::field;
use super::layout::{CONTAINERS, ENTITY_DELETED, ENTITY_TYPES};
use super::quirk::Quirk;
use crate::error::Error;

/// A type of entity, in the order of the file.
// cbh2 §6.1 "File"
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum EntityType {
    /// Players and annotators.
    Player = 0,
    /// Tournaments.
    Tournament = 1,
    /// Sources.
    Source = 2,
    /// A type that is never used.
    Unused = 3,
    /// Teams.
    Team = 4,
    /// Titles of games, texts and analyses.
    Title = 5,
}

impl EntityType {
    /// All types in the order of the file.
    pub const ALL: [EntityType; ENTITY_TYPES] = [
        EntityType::Player,
        EntityType::Tournament,
        EntityType::Source,
        EntityType::Unused,
        EntityType::Team,
        EntityType::Title,
    ];
}

/// The header of a `.2lid`.
// cbh2 §6.1 "File"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct EntityHeader {
    /// The size of the header in bytes.
    pub(crate) size: u32,
    /// The sizes of the containers.
    pub(crate) containers: [u32; ENTITY_TYPES],
    /// The number of entities of each type, deleted ones included.
    pub(crate) counts: [i64; ENTITY_TYPES],
    /// The first deleted entity of each type, or -1.
    pub(crate) deleted: [i64; ENTITY_TYPES],
}

/// The largest container that is read. Known ones have at most 1,120 bytes.
const MAX_CONTAINER: u32 = 2048;

/// Parses the header. Returns `None` if it is not the header of such a file.
pub(crate) fn parse_entity_header(bytes: &[u8]) -> Option<EntityHeader> {
    let bytes = bytes.get(..8 + 20 * ENTITY_TYPES)?;
    let number = |at| u32::from_be_bytes(field(bytes, at));
    let mut header = EntityHeader { size: number(0), ..EntityHeader::default() };
    if number(4) as usize != ENTITY_TYPES || i32::try_from(header.size).is_err() {
        return None;
    }
    for (index, ((container, count), deleted)) in
        (header.containers.iter_mut().zip(&mut header.counts)).zip(&mut header.deleted).enumerate()
    {
        let at = index.saturating_mul(20).saturating_add(8);
        *container = number(at);
        *count = i64::from_be_bytes(field(bytes, at.saturating_add(4)));
        *deleted = i64::from_be_bytes(field(bytes, at.saturating_add(12)));
    }
    let sound = |size: &u32| (4..=MAX_CONTAINER).contains(size);
    header.containers.iter().all(sound).then_some(header)
}

impl EntityHeader {
    pub(crate) fn new(counts: [i64; ENTITY_TYPES]) -> EntityHeader {
        let size = u32::try_from(super::layout::ENTITY_HEADER).unwrap_or(0);
        EntityHeader { size, containers: CONTAINERS, counts, deleted: [-1; ENTITY_TYPES] }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = self.size.to_be_bytes().to_vec();
        out.extend_from_slice(&6u32.to_be_bytes());
        for ((container, count), deleted) in
            self.containers.iter().zip(self.counts).zip(self.deleted)
        {
            out.extend_from_slice(&container.to_be_bytes());
            out.extend_from_slice(&count.to_be_bytes());
            out.extend_from_slice(&deleted.to_be_bytes());
        }
        for first in -1i32..6 {
            out.extend_from_slice(&first.to_be_bytes());
            out.extend_from_slice(&1i32.to_be_bytes());
        }
        out
    }

    /// Returns the size of a block.
    pub(crate) fn block(&self) -> u64 {
        self.containers.iter().map(|size| u64::from(*size)).sum()
    }

    /// Returns the offset and the size of a container.
    pub(crate) fn place(&self, kind: EntityType, id: u64) -> (u64, u32) {
        let before = self.containers.iter().take(kind as usize).map(|size| u64::from(*size)).sum();
        let block = id.saturating_mul(self.block());
        let offset = u64::from(self.size).saturating_add(block).saturating_add(before);
        (offset, self.containers.get(kind as usize).copied().unwrap_or(0))
    }

    /// Limits the counts to the entities that a file of `size` bytes can hold. Returns whether it
    /// holds them all.
    pub(crate) fn limit_counts(&mut self, size: u64) -> bool {
        let mut all = true;
        for kind in EntityType::ALL {
            let (first, _) = self.place(kind, 0);
            // The last container may be cut to its used bytes.
            let room = size.saturating_sub(first).saturating_add(self.block()).saturating_sub(4);
            let most = room.checked_div(self.block()).unwrap_or(0);
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let Some(count) = self.counts.get_mut(kind as usize) else { continue };
            all &= *count <= most;
            *count = (*count).clamp(0, most);
        }
        all
    }

    pub(crate) fn count(&self, kind: EntityType) -> u64 {
        self.counts.get(kind as usize).map_or(0, |count| u64::try_from(*count).unwrap_or(0))
    }
}

/// The state of an entity record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// The record has fields.
    Fields,
    /// There is no such entity.
    Missing,
    /// The entity was deleted. The next deleted entity follows, or -1.
    Deleted(i64),
}

/// Reads the fields of an entity into `bytes`.
// cbh2 §6.2 "Records"
pub(crate) fn read_entity<R: ReadAt>(
    file: &R,
    header: &EntityHeader,
    kind: EntityType,
    id: i64,
    bytes: &mut Vec<u8>,
) -> Result<Found, Error> {
    bytes.clear();
    let Ok(id) = u64::try_from(id) else { return Ok(Found::Missing) };
    if id >= header.count(kind) {
        return Ok(Found::Missing);
    }
    let (offset, container) = header.place(kind, id);
    let at = Location::file("2lid").at(offset);
    // One read covers the size and the fields of most entities.
    let mut usual = [0; USUAL_ENTITY];
    let length = usize::try_from(container).unwrap_or(USUAL_ENTITY).min(USUAL_ENTITY);
    let usual = usual.get_mut(..length).unwrap_or_default();
    let count = file.read_full(offset, usual).map_err(Error::io(at))?;
    let usual = usual.get(..count).unwrap_or_default();
    let (size, fields) = usual.split_first_chunk().unwrap_or((&[0; 4], &[]));
    let size = u32::try_from(i32::from_le_bytes(*size)).unwrap_or(0);
    let size = size.min(container.saturating_sub(4));
    if size == 0 {
        return Ok(Found::Missing);
    }
    let size = usize::try_from(size).unwrap_or(0);
    match fields.get(..size) {
        Some(fields) => bytes.extend_from_slice(fields),
        None => file.read_into(offset.saturating_add(4), size, bytes).map_err(Error::io(at))?,
    }
    if let Some((mark, next)) = bytes.split_first_chunk()
        && *mark == ENTITY_DELETED
        && next.len() == 8
    {
        return Ok(Found::Deleted(super::header::long(next, 0)));
    }
    Ok(Found::Fields)
}

/// Reads consecutive fields. Missing fields are zero or empty.
#[derive(Clone, Debug)]
pub(crate) struct FieldReader<'a> {
    rest: &'a [u8],
    /// Whether a field was missing.
    pub(crate) cut: bool,
}

impl<'a> FieldReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> FieldReader<'a> {
        FieldReader { rest: bytes, cut: false }
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        self.next().unwrap_or([0; N])
    }

    /// Returns `None` if the field is missing. Then the fields have ended.
    fn next<const N: usize>(&mut self) -> Option<[u8; N]> {
        let Some((bytes, rest)) = self.rest.split_first_chunk() else {
            self.cut = true;
            self.rest = &[];
            return None;
        };
        self.rest = rest;
        Some(*bytes)
    }

    fn bytes(&mut self, size: usize) -> &'a [u8] {
        let Some((bytes, rest)) = self.rest.split_at_checked(size) else {
            self.cut = true;
            return std::mem::take(&mut self.rest);
        };
        self.rest = rest;
        bytes
    }

    /// Reads a string: its length and its bytes.
    pub(crate) fn string(&mut self) -> &'a [u8] {
        let length = self.int();
        match usize::try_from(length) {
            Ok(length) => self.bytes(length),
            Err(_) => {
                self.cut = true;
                &[]
            }
        }
    }

    pub(crate) fn int(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }

    /// Reads a number whose usual value is not zero.
    fn int_or(&mut self, usual: i32) -> i32 {
        self.next().map_or(usual, i32::from_le_bytes)
    }

    fn short(&mut self) -> i16 {
        i16::from_le_bytes(self.take())
    }

    fn byte(&mut self) -> u8 {
        let [byte] = self.take();
        byte
    }
}

/// The number of bytes that the first read of an entity takes.
const USUAL_ENTITY: usize = 192;

/// Decodes a name and notes one that is not UTF-8.
// cbh2 §2 "Conventions"
pub(crate) fn name_text<'a>(
    bytes: &'a [u8],
    text: &TextDecoder,
    diagnostics: &mut Diagnostics,
    at: Location,
) -> Result<Cow<'a, str>, Error> {
    if !bytes.is_ascii() && std::str::from_utf8(bytes).is_err() {
        diagnostics.note(Quirk::CodePage, at)?;
    }
    Ok(text.decode(bytes))
}

/// A player or annotator.
// cbh2 §6.4 "Fields"
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Player<'a> {
    pub(crate) last: &'a [u8],
    pub(crate) first: &'a [u8],
    /// Two unknown numbers, always 0.
    pub(crate) unknown: [i32; 2],
    /// The id in ChessBase's player base; -1 if not looked up, 0 for none.
    pub(crate) chessbase_id: i32,
    /// An unknown number, always 8.
    pub(crate) unknown_8: i32,
    /// The FIDE id; -1 or 0 for none.
    pub(crate) fide_id: i64,
}

impl<'a> Player<'a> {
    #[cfg(test)]
    pub(crate) const EMPTY: Player<'static> = Player {
        last: &[],
        first: &[],
        unknown: [0; 2],
        chessbase_id: -1,
        unknown_8: 8,
        fide_id: -1,
    };

    pub(crate) fn parse(fields: &mut FieldReader<'a>) -> Player<'a> {
        Player {
            last: fields.string(),
            first: fields.string(),
            unknown: [fields.int(), fields.int()],
            chessbase_id: fields.int(),
            unknown_8: fields.int_or(8),
            fide_id: i64::from_le_bytes(fields.take()),
        }
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        push_string(self.last, out);
        push_string(self.first, out);
        let [one, two] = self.unknown;
        for number in [one, two, self.chessbase_id, self.unknown_8] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&self.fide_id.to_le_bytes());
    }
}

/// The size of the unknown bytes of a tournament.
const UNKNOWN: usize = 37;
/// The unknown bytes as ChessBase writes them.
const USUAL_UNKNOWN: [u8; UNKNOWN] = {
    let mut bytes = [0; UNKNOWN];
    bytes[13] = 7;
    bytes[24] = 7;
    bytes[35] = 7;
    bytes
};
/// The zeros at the end of a tournament.
const TOURNAMENT_END: usize = 44;

/// A tournament.
// cbh2 §6.4 "Fields"
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tournament<'a> {
    pub(crate) place: &'a [u8],
    pub(crate) title: &'a [u8],
    pub(crate) date: u32,
    /// Type and speed, as in `.cbh`.
    pub(crate) kind: u8,
    pub(crate) team: u8,
    pub(crate) nation: u8,
    pub(crate) unknown_7: u8,
    pub(crate) category: u8,
    pub(crate) flags: u8,
    pub(crate) rounds: u8,
    pub(crate) unknown_11: u8,
    pub(crate) latitude: f32,
    pub(crate) longitude: f32,
    pub(crate) nation_now: u8,
    pub(crate) unknown: [u8; UNKNOWN],
    pub(crate) tiebreaks: Vec<i16>,
    pub(crate) end_date: u32,
}

impl Default for Tournament<'_> {
    fn default() -> Self {
        Tournament {
            place: &[],
            title: &[],
            date: 0,
            kind: 0,
            team: 0,
            nation: 0,
            unknown_7: 0,
            category: 0,
            flags: 0,
            rounds: 0,
            unknown_11: 0,
            latitude: 0.0,
            longitude: 0.0,
            nation_now: 0,
            unknown: USUAL_UNKNOWN,
            tiebreaks: Vec::new(),
            end_date: 0,
        }
    }
}

impl<'a> Tournament<'a> {
    pub(crate) fn parse(fields: &mut FieldReader<'a>) -> Tournament<'a> {
        let mut tournament = Tournament {
            place: fields.string(),
            title: fields.string(),
            date: fields.int().cast_unsigned(),
            kind: fields.byte(),
            team: fields.byte(),
            nation: fields.byte(),
            unknown_7: fields.byte(),
            category: fields.byte(),
            flags: fields.byte(),
            rounds: fields.byte(),
            unknown_11: fields.byte(),
            latitude: f32::from_le_bytes(fields.take()),
            longitude: f32::from_le_bytes(fields.take()),
            nation_now: fields.byte(),
            unknown: fields.take(),
            tiebreaks: Vec::new(),
            end_date: 0,
        };
        // A list ends with the fields, whatever its count is. cbh2 §6.2.2
        for _ in 0..fields.short() {
            let Some(tiebreak) = fields.next() else { break };
            tournament.tiebreaks.push(i16::from_le_bytes(tiebreak));
        }
        tournament.end_date = fields.int().cast_unsigned();
        fields.bytes(TOURNAMENT_END);
        tournament
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        push_string(self.place, out);
        push_string(self.title, out);
        out.extend_from_slice(&self.date.to_le_bytes());
        out.extend_from_slice(&[self.kind, self.team, self.nation, self.unknown_7]);
        out.extend_from_slice(&[self.category, self.flags, self.rounds, self.unknown_11]);
        out.extend_from_slice(&self.latitude.to_le_bytes());
        out.extend_from_slice(&self.longitude.to_le_bytes());
        out.push(self.nation_now);
        out.extend_from_slice(&self.unknown);
        let count = i16::try_from(self.tiebreaks.len()).unwrap_or(0);
        out.extend_from_slice(&count.to_le_bytes());
        for tiebreak in self.tiebreaks.iter().take(usize::from(count.unsigned_abs())) {
            out.extend_from_slice(&tiebreak.to_le_bytes());
        }
        out.extend_from_slice(&self.end_date.to_le_bytes());
        out.extend_from_slice(&[0; TOURNAMENT_END]);
    }

    /// Whether the unknown bytes differ from those that ChessBase writes.
    pub(crate) fn is_unusual(&self) -> bool {
        self.unknown != USUAL_UNKNOWN || (self.unknown_7, self.unknown_11) != (0, 0)
    }
}

/// A source.
// cbh2 §6.4 "Fields"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Source<'a> {
    pub(crate) title: &'a [u8],
    pub(crate) publisher: &'a [u8],
    pub(crate) publication: u32,
    pub(crate) date: u32,
    pub(crate) version: i16,
    pub(crate) quality: i16,
}

impl<'a> Source<'a> {
    pub(crate) fn parse(fields: &mut FieldReader<'a>) -> Source<'a> {
        Source {
            title: fields.string(),
            publisher: fields.string(),
            publication: fields.int().cast_unsigned(),
            date: fields.int().cast_unsigned(),
            version: fields.short(),
            quality: fields.short(),
        }
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        push_string(self.title, out);
        push_string(self.publisher, out);
        out.extend_from_slice(&self.publication.to_le_bytes());
        out.extend_from_slice(&self.date.to_le_bytes());
        out.extend_from_slice(&self.version.to_le_bytes());
        out.extend_from_slice(&self.quality.to_le_bytes());
    }
}

/// A team.
// cbh2 §6.4 "Fields"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Team<'a> {
    pub(crate) title: &'a [u8],
    pub(crate) number: u8,
    pub(crate) season: u8,
    pub(crate) year: i16,
    pub(crate) nation: u8,
}

impl<'a> Team<'a> {
    pub(crate) fn parse(fields: &mut FieldReader<'a>) -> Team<'a> {
        Team {
            title: fields.string(),
            number: fields.byte(),
            season: fields.byte(),
            year: fields.short(),
            nation: fields.byte(),
        }
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        push_string(self.title, out);
        out.extend_from_slice(&[self.number, self.season]);
        out.extend_from_slice(&self.year.to_le_bytes());
        out.push(self.nation);
    }
}

/// Parses the titles of a game: languages as nations, and texts.
// cbh2 §6.4 "Fields"
pub(crate) fn parse_titles<'a>(fields: &mut FieldReader<'a>) -> Vec<(i32, &'a [u8])> {
    let mut titles = Vec::new();
    let count = fields.int();
    for _ in 0..count {
        // A list ends with the fields, whatever its count is. cbh2 §6.2.2
        let Some(language) = fields.next() else { break };
        titles.push((i32::from_le_bytes(language), fields.string()));
    }
    titles
}

/// The languages that ChessBase writes for every title, as nations, in ascending order.
pub(crate) const TITLE_LANGUAGES: [i32; 7] = [42, 43, 49, 53, 70, 103, 117];

/// Encodes titles. Without a text there is no entry; else all seven languages have one.
pub(crate) fn encode_titles(titles: &[(i32, &[u8])], out: &mut Vec<u8>) {
    if titles.is_empty() {
        return out.extend_from_slice(&[0; 4]);
    }
    encode_by_language(titles, out);
}

/// Appends texts by language. The seven languages of titles always have an entry.
pub(crate) fn encode_by_language(texts: &[(i32, &[u8])], out: &mut Vec<u8>) {
    let mut all: Vec<(i32, &[u8])> = texts.to_vec();
    for language in TITLE_LANGUAGES {
        if all.iter().all(|(known, _)| *known != language) {
            all.push((language, &[]));
        }
    }
    all.sort_by_key(|(language, _)| *language);
    out.extend_from_slice(&i32::try_from(all.len()).unwrap_or(0).to_le_bytes());
    for (language, text) in all {
        out.extend_from_slice(&language.to_le_bytes());
        push_string(text, out);
    }
}

fn push_string(text: &[u8], out: &mut Vec<u8>) {
    // Longer texts do not fit a container.
    let length = i32::try_from(text.len()).unwrap_or(0);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(text.get(..usize::try_from(length).unwrap_or(0)).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entity_header_example_round_trips() {
        let header = EntityHeader::new([8, 7, 2, 0, 2, 2]);
        let bytes = header.encode();
        assert_eq!(bytes.len(), super::super::layout::ENTITY_HEADER);
        #[rustfmt::skip]
        assert_eq!(bytes[..28], [
            0, 0, 0, 184,           // size of the header
            0, 0, 0, 6,             // six types
            0, 0, 4, 0,             // players have containers of 1,024 bytes
            0, 0, 0, 0, 0, 0, 0, 8, // eight players
            0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, // none is deleted
        ]);
        assert_eq!(bytes[0x80..0x88], [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1]);
        assert_eq!(parse_entity_header(&bytes), Some(header));
        assert_eq!(header.place(EntityType::Team, 1), (184 + 4234 + 3388, 314));
        assert_eq!(parse_entity_header(&bytes[..100]), None);
        let mut limited = header;
        assert!(limited.limit_counts(184 + 7 * 4234 + 1024));
        assert_eq!(limited, header);
        assert!(!limited.limit_counts(184 + 5 * 4234 + 1024));
        assert_eq!(limited.counts, [6, 5, 2, 0, 2, 2]);
    }

    #[test]
    fn entity_fields_examples_round_trip() {
        let mut bytes = Vec::new();
        let player = Player { last: b"Tal", first: b"Mikhail", fide_id: 700_000, ..Player::EMPTY };
        player.encode(&mut bytes);
        #[rustfmt::skip]
        assert_eq!(bytes, [
            3, 0, 0, 0, b'T', b'a', b'l',
            7, 0, 0, 0, b'M', b'i', b'k', b'h', b'a', b'i', b'l',
            0, 0, 0, 0, 0, 0, 0, 0,             // unknown
            0xff, 0xff, 0xff, 0xff, 8, 0, 0, 0, // not looked up
            0x60, 0xae, 0x0a, 0, 0, 0, 0, 0,    // FIDE id
        ]);
        let mut fields = FieldReader::new(&bytes);
        assert_eq!((Player::parse(&mut fields), fields.cut), (player, false));
        let mut fields = FieldReader::new(&bytes[..10]);
        assert_eq!((Player::parse(&mut fields).first, fields.cut), (&[][..], true));
        // Missing numbers have their usual values.
        let cut = Player::parse(&mut FieldReader::new(&bytes[..22]));
        assert_eq!((cut.first, cut.unknown, cut.unknown_8), (&b"Mikhail"[..], [0, 0], 8));

        bytes.clear();
        let tournament = Tournament {
            title: b"Biel",
            latitude: 47.1,
            tiebreaks: vec![1, 2],
            end_date: 0x000f_d2f0,
            ..Tournament::default()
        };
        tournament.encode(&mut bytes);
        let mut fields = FieldReader::new(&bytes);
        assert_eq!((Tournament::parse(&mut fields), fields.cut), (tournament, false));
        assert!(fields.rest.is_empty());

        bytes.clear();
        let team = Team { title: b"Biel", number: 2, season: 1, year: 1988, nation: 135 };
        team.encode(&mut bytes);
        assert_eq!(Team::parse(&mut FieldReader::new(&bytes)), team);
        bytes.clear();
        let source =
            Source { title: b"CD", date: 3, version: 300, quality: 1, ..Source::default() };
        source.encode(&mut bytes);
        assert_eq!(Source::parse(&mut FieldReader::new(&bytes)), source);
    }

    #[test]
    fn titles_all_languages_are_written() {
        let mut bytes = Vec::new();
        encode_titles(&[(53, b"Titel"), (0, b"T")], &mut bytes);
        let titles = parse_titles(&mut FieldReader::new(&bytes));
        let languages: Vec<i32> = titles.iter().map(|(language, _)| *language).collect();
        assert_eq!(languages, [0, 42, 43, 49, 53, 70, 103, 117]);
        assert_eq!(titles[4].1, b"Titel");
        let hostile = [0xff, 0xff, 0xff, 0x7f, 1, 0];
        assert_eq!(parse_titles(&mut FieldReader::new(&hostile)).len(), 0);
    }
}
