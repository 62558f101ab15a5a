//! Records of the `.2cbh`: games, guiding texts and analyses.

use super::layout::{HEADER_MARK, RECORD_SIZE, VERSION};
use crate::header::put;
use crate::layout::{TYPE_DELETED, TYPE_PRESENT, TYPE_TEXT};

/// Returns the bytes at an offset. The caller asks only for bytes of the record.
#[inline(always)]
pub(super) fn field<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or([0; N])
}

#[inline(always)]
pub(super) fn long(bytes: &[u8], at: usize) -> i64 {
    i64::from_le_bytes(field(bytes, at))
}

#[inline(always)]
fn short(bytes: &[u8], at: usize) -> i16 {
    i16::from_le_bytes(field(bytes, at))
}

/// The header of the file, without its unused bytes.
// cbh2 §3.1 "Header of the file"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FileHeader {
    /// 38.
    pub mark: i16,
    /// The size of a record in bytes: 192.
    pub record_size: i16,
    /// 5.
    pub version: u8,
    /// The number of the next record, from 1.
    pub next: i32,
}

pub(crate) fn parse_file_header(bytes: &[u8]) -> Option<FileHeader> {
    let bytes = bytes.first_chunk::<RECORD_SIZE>()?;
    let [version] = field(bytes, 13);
    let next = i32::from_le_bytes(field(bytes, 16));
    Some(FileHeader { mark: short(bytes, 8), record_size: short(bytes, 10), version, next })
}

impl FileHeader {
    pub(crate) fn new(next: i32) -> FileHeader {
        let record_size = i16::try_from(RECORD_SIZE).unwrap_or(0);
        FileHeader { mark: HEADER_MARK, record_size, version: VERSION, next }
    }

    pub(crate) fn encode(self) -> [u8; RECORD_SIZE] {
        let mut bytes = [0; RECORD_SIZE];
        put(&mut bytes, 8, &self.mark.to_le_bytes());
        put(&mut bytes, 10, &self.record_size.to_le_bytes());
        put(&mut bytes, 13, &[self.version]);
        put(&mut bytes, 16, &self.next.to_le_bytes());
        bytes
    }
}

/// The kind of a record.
// cbh2 §3.2 "Kinds of records"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum RecordKind {
    /// A game.
    #[default]
    Game,
    /// A guiding text.
    Text,
    /// An analysis.
    Analysis,
    /// A kind that is not known.
    Unknown,
}

/// Returns the kind of a record from its first bytes.
pub(crate) fn kind_of(record: &[u8]) -> RecordKind {
    let [flags, _, kind] = field(record, 0);
    match kind {
        1 if flags & TYPE_TEXT != 0 => RecordKind::Text,
        1 => RecordKind::Game,
        2 => RecordKind::Analysis,
        _ => RecordKind::Unknown,
    }
}

/// A rating with its type.
// cbh2 §3.4 "Rating type"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rating {
    /// The rating; 0 if unknown.
    pub elo: i16,
    /// Bits 0 to 2: 1 international, 2 national, 3 of a server. Above: the speed.
    pub kind: i16,
    /// The rating list.
    pub list: i16,
    /// The nation.
    pub nation: i16,
    /// The name of the list, padded with zeros.
    pub name: [u8; 8],
}

impl Rating {
    /// The type of an international rating, as in most games.
    pub(crate) const FIDE: Rating =
        Rating { elo: 0, kind: 1, list: 1, nation: 0, name: *b"FIDE\0\0\0\0" };

    #[inline(always)]
    fn parse(bytes: &[u8], at: usize) -> Rating {
        let number = |place: usize| short(bytes, at.wrapping_add(place));
        Rating {
            elo: number(0),
            kind: number(2),
            list: number(4),
            nation: number(6),
            name: field(bytes, at.wrapping_add(8)),
        }
    }

    fn encode(&self, bytes: &mut [u8], at: usize) {
        for (place, value) in [(0, self.elo), (2, self.kind), (4, self.list), (6, self.nation)] {
            put(bytes, at.wrapping_add(place), &value.to_le_bytes());
        }
        put(bytes, at.wrapping_add(8), &self.name);
    }
}

/// The record of a game with the stored values.
// cbh2 §3.3 "Game record"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameRecord {
    /// Bit 0 is always set, bit 1 marks a guiding text, bit 7 a deleted record.
    pub flags_byte: u8,
    /// The kind of the record.
    pub kind: RecordKind,
    /// The offset of the moves in the `.2cbg`.
    pub moves: i64,
    /// The offset of the annotations in the `.2cba`.
    pub annotations: i64,
    /// The ids of White, Black, tournament, annotator and source.
    pub names: [i64; 5],
    /// The ids of the teams; -1 for none.
    pub teams: [i64; 2],
    /// The id of the title; -1 for none.
    pub title: i64,
    /// The result code.
    pub result: u8,
    /// The evaluation of a line, if the result is 3.
    pub evaluation: u8,
    /// The round; 0 if unknown.
    pub round: i16,
    /// The subround; 0 if there is none.
    pub subround: i16,
    /// The board; 0 if unknown.
    pub board: i16,
    /// The ratings of White and Black.
    pub ratings: [Rating; 2],
    /// The opening, or the start position of Chess960.
    pub eco: u16,
    /// Medals, one bit each.
    pub medals: u16,
    /// The kinds of annotations, one bit each.
    pub flags: u32,
    /// The magnitudes of some counts.
    pub magnitudes: u16,
    /// The number of moves in the main line.
    pub length: i16,
    /// The final material, the greater side first.
    pub material: [u32; 2],
    /// The time of creation.
    pub created: i64,
    /// The time of the last change.
    pub changed: i64,
    /// The endgames of the main line, one bit each.
    pub endgames: u64,
    /// The number of times the game was saved.
    pub version: i32,
    /// Bits 0 to 4 hold the day, 5 to 8 the month, 9 to 20 the year.
    pub date: u32,
}

/// The offset of the [`Links`] in a record.
const LINKS: usize = 0x08;

/// A constant in the record of an analysis. Its meaning is unknown.
const ANALYSIS_38: i64 = 776;

#[inline]
pub(crate) fn parse_game_record(bytes: &[u8; RECORD_SIZE]) -> GameRecord {
    let [flags_byte] = field(bytes, 0);
    let kind = kind_of(bytes);
    let (moves, annotations) = (long(bytes, 0x08), long(bytes, 0x10));
    if kind == RecordKind::Analysis {
        let (title, source, annotator) = (long(bytes, 0x18), long(bytes, 0x20), long(bytes, 0x28));
        return GameRecord {
            flags_byte,
            kind,
            moves,
            annotations,
            names: [-1, -1, -1, annotator, source],
            teams: [-1; 2],
            title,
            result: 3,
            ..GameRecord::default()
        };
    }
    if kind == RecordKind::Text {
        let names = [-1, -1, long(bytes, 0x10), long(bytes, 0x20), long(bytes, 0x18)];
        let (teams, title) = ([-1; 2], long(bytes, 0x28));
        return GameRecord {
            flags_byte,
            kind,
            moves,
            names,
            teams,
            title,
            ..GameRecord::default()
        };
    }
    let raw = RawRecord(bytes);
    let ([white, black, tournament], [round, subround]) = (raw.names(), raw.round());
    let [evaluation] = field(bytes, 0x59);
    let mut endgames = [0; 8];
    put(&mut endgames, 0, &field::<6>(bytes, 0xa8));
    GameRecord {
        flags_byte,
        kind,
        moves,
        annotations,
        names: [white, black, tournament, long(bytes, 0x30), long(bytes, 0x38)],
        teams: [long(bytes, 0x40), long(bytes, 0x48)],
        title: long(bytes, 0x50),
        result: raw.result(),
        evaluation,
        round,
        subround,
        board: short(bytes, 0x5e),
        ratings: [Rating::parse(bytes, 0x60), Rating::parse(bytes, 0x70)],
        eco: raw.eco(),
        medals: u16::from_le_bytes(field(bytes, 0x82)),
        flags: raw.flags(),
        magnitudes: u16::from_le_bytes(field(bytes, 0x88)),
        length: raw.length(),
        material: [u32::from_le_bytes(field(bytes, 0x8c)), u32::from_le_bytes(field(bytes, 0x90))],
        created: long(bytes, 0x98),
        changed: long(bytes, 0xa0),
        endgames: u64::from_le_bytes(endgames),
        version: i32::from_le_bytes(field(bytes, 0xb8)),
        date: raw.date(),
    }
}

/// The record of a game whose fields are parsed one by one. A search needs few of them.
#[derive(Clone, Copy)]
pub(crate) struct RawRecord<'a>(pub(crate) &'a [u8; RECORD_SIZE]);

impl RawRecord<'_> {
    #[inline]
    pub(crate) fn kind(self) -> RecordKind {
        kind_of(self.0)
    }

    /// Returns the offset of the moves.
    #[inline]
    pub(crate) fn moves(self) -> i64 {
        long(self.0, 0x08)
    }

    #[inline]
    pub(crate) fn is_deleted(self) -> bool {
        let [flags] = field(self.0, 0);
        flags & TYPE_DELETED != 0
    }

    /// Returns the ids of White, Black and the tournament.
    #[inline]
    pub(crate) fn names(self) -> [i64; 3] {
        [long(self.0, 0x18), long(self.0, 0x20), long(self.0, 0x28)]
    }

    /// Returns the code of the result.
    #[inline]
    pub(crate) fn result(self) -> u8 {
        let [result] = field(self.0, 0x58);
        result
    }

    /// Returns the round and the subround.
    #[inline]
    pub(crate) fn round(self) -> [i16; 2] {
        [short(self.0, 0x5a), short(self.0, 0x5c)]
    }

    /// Returns the ratings of White and Black.
    #[inline]
    pub(crate) fn elo(self) -> [i16; 2] {
        [short(self.0, 0x60), short(self.0, 0x70)]
    }

    #[inline]
    pub(crate) fn eco(self) -> u16 {
        u16::from_le_bytes(field(self.0, 0x80))
    }

    #[inline]
    pub(crate) fn flags(self) -> u32 {
        u32::from_le_bytes(field(self.0, 0x84))
    }

    #[inline]
    pub(crate) fn length(self) -> i16 {
        short(self.0, 0x8a)
    }

    #[inline]
    pub(crate) fn date(self) -> u32 {
        u32::from_le_bytes(field(self.0, 0xbc))
    }
}

impl GameRecord {
    /// Encodes the record.
    pub(crate) fn encode(&self) -> [u8; RECORD_SIZE] {
        let mut bytes = self.encode_facts();
        let GameRecord { moves, annotations, names, teams, title, .. } = *self;
        Links { moves, annotations, names, teams, title }.put(self.kind, &mut bytes);
        bytes
    }

    /// Encodes the record without its [`Links`].
    pub(crate) fn encode_facts(&self) -> [u8; RECORD_SIZE] {
        let mut bytes = [0; RECORD_SIZE];
        let mut put = |at, what: &[u8]| put(&mut bytes, at, what);
        let kind = if self.kind == RecordKind::Analysis { 2 } else { 1 };
        put(0x00, &[self.flags_byte, 0, kind, self.flags_byte & !TYPE_DELETED]);
        match self.kind {
            RecordKind::Text => {
                put(0x40, &self.version.to_le_bytes());
                return bytes;
            }
            RecordKind::Analysis => {
                put(0x30, &self.created.to_le_bytes());
                put(0x38, &ANALYSIS_38.to_le_bytes());
                return bytes;
            }
            _ => {}
        }
        put(0x58, &[self.result, self.evaluation]);
        put(0x5a, &self.round.to_le_bytes());
        put(0x5c, &self.subround.to_le_bytes());
        put(0x5e, &self.board.to_le_bytes());
        put(0x80, &self.eco.to_le_bytes());
        put(0x82, &self.medals.to_le_bytes());
        put(0x84, &self.flags.to_le_bytes());
        put(0x88, &self.magnitudes.to_le_bytes());
        put(0x8a, &self.length.to_le_bytes());
        for (at, material) in [0x8c, 0x90].into_iter().zip(self.material) {
            put(at, &material.to_le_bytes());
        }
        put(0x98, &self.created.to_le_bytes());
        put(0xa0, &self.changed.to_le_bytes());
        put(0xa8, &field::<6>(&self.endgames.to_le_bytes(), 0));
        put(0xb8, &self.version.to_le_bytes());
        put(0xbc, &self.date.to_le_bytes());
        for (at, rating) in [0x60, 0x70].into_iter().zip(&self.ratings) {
            rating.encode(&mut bytes, at);
        }
        bytes
    }

    /// Whether the record is marked as deleted.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.flags_byte & TYPE_DELETED != 0
    }
}

/// The fields of a record that depend on the games before it: offsets and ids. The others can be
/// [encoded](GameRecord::encode_facts) in any order.
pub(crate) struct Links {
    pub(crate) moves: i64,
    pub(crate) annotations: i64,
    pub(crate) names: [i64; 5],
    pub(crate) teams: [i64; 2],
    pub(crate) title: i64,
}

impl Links {
    /// Writes the links into a record.
    pub(crate) fn put(&self, kind: RecordKind, record: &mut [u8; RECORD_SIZE]) {
        let Links { moves, annotations, title, .. } = *self;
        let ([white, black, tournament, annotator, source], [one, two]) = (self.names, self.teams);
        // Each kind is a list of fields of eight bytes.
        let fields: &[i64] = match kind {
            RecordKind::Text => &[moves, tournament, source, annotator, title],
            RecordKind::Analysis => &[moves, annotations, title, source, annotator],
            _ => {
                &[moves, annotations, white, black, tournament, annotator, source, one, two, title]
            }
        };
        let (_, places) = record.split_at_mut(LINKS);
        for (place, field) in places.as_chunks_mut::<8>().0.iter_mut().zip(fields) {
            *place = field.to_le_bytes();
        }
    }
}

/// Returns the first byte of a guiding text.
pub(crate) const fn text_flags(deleted: bool) -> u8 {
    game_flags(deleted) | TYPE_TEXT
}

/// Returns the first byte of a game.
pub(crate) const fn game_flags(deleted: bool) -> u8 {
    if deleted { TYPE_PRESENT | TYPE_DELETED } else { TYPE_PRESENT }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_record_example_round_trips() {
        // The second game of a sample, by offset.
        let mut bytes = [0u8; RECORD_SIZE];
        for (at, what) in [
            (0x00, &[0x01, 0x00, 0x01, 0x01][..]), // a game
            (0x08, &[0x52]),                       // moves
            (0x10, &[0x32]),                       // annotations
            (0x18, &[2]),                          // White
            (0x20, &[1]),                          // Black
            (0x30, &[3]),                          // annotator
            (0x38, &[1]),                          // source
            (0x40, &[0xff; 16]),                   // no teams
            (0x58, &[1, 0, 2, 0, 3, 0, 4, 0]),     // 1/2-1/2, round 2.3, board 4
            (0x60, &[0x60, 0x09, 1, 0, 1, 0, 0, 0, b'F', b'I', b'D', b'E']), // 2400
            (0x80, &[0x80, 0x00]),                 // A00
            (0x8a, &[3, 0, 0x92, 0x72, 0, 0, 0x92, 0x72]), // three moves, material
            (0xa8, &[0, 0, 0, 0, 0, 8]),           // rook against rook
            (0xb8, &[1, 0, 0, 0, 0xa0, 0xce, 0x0f]), // version 1, May 2023
        ] {
            bytes[at..at + what.len()].copy_from_slice(what);
        }
        for kind in [RecordKind::Text, RecordKind::Analysis] {
            let flags_byte =
                if kind == RecordKind::Text { text_flags(true) } else { game_flags(true) };
            let names =
                if kind == RecordKind::Text { [-1, -1, 3, 4, 5] } else { [-1, -1, -1, 4, 5] };
            let (teams, title) = ([-1; 2], 6);
            let record = GameRecord {
                flags_byte,
                kind,
                moves: 38,
                names,
                teams,
                title,
                ..Default::default()
            };
            let read = parse_game_record(&record.encode());
            assert_eq!(GameRecord { result: 0, ..read }, record);
        }
        let record = parse_game_record(&bytes);
        assert_eq!((record.round, record.subround, record.board), (2, 3, 4));
        assert_eq!(record.names, [2, 1, 0, 3, 1]);
        assert_eq!(record.ratings[0], Rating { elo: 2400, ..Rating::FIDE });
        assert_eq!((record.material[1], record.endgames), (0x7292, 1 << 43));
        assert_eq!(record.encode(), bytes);
        bytes[0] = 0x83;
        assert_eq!(kind_of(&bytes), RecordKind::Text);
        assert!(parse_game_record(&bytes).is_deleted());
        bytes[2] = 2;
        assert_eq!(parse_game_record(&bytes).title, 2);
        let header = parse_file_header(&FileHeader::new(9).encode()).unwrap();
        assert_eq!((header.mark, header.record_size, header.version, header.next), (38, 192, 5, 9));
    }

    #[test]
    fn parse_records_of_case_match_snapshot() {
        let cases = testkit::cases("cbh2");
        let case = cases.iter().find(|case| case.name == "games").unwrap();
        let bytes = case.bytes("base.2cbh");
        let (records, _) = bytes.as_chunks::<RECORD_SIZE>();
        let games: Vec<_> = records.iter().skip(1).take(2).map(parse_game_record).collect();
        insta::assert_debug_snapshot!((parse_file_header(&bytes), games));
    }
}
