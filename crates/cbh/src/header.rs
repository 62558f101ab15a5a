//! Records of the `.cbh`: games and guiding texts.

use chess_core::Date;
use nom::number::complete::{be_u16, be_u32, u8 as byte};
use nom::{IResult, Parser};

use crate::layout::{RECORD_SIZE, TYPE_DELETED, TYPE_PRESENT, TYPE_TEXT};

/// The header of the file, without its unused bytes.
// cbh §3.1 "Header of the file"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct FileHeader {
    /// The number of header bytes in use: 44, or 36 in old bases.
    pub used: u16,
    /// The size of a record in bytes: 46.
    pub record_size: u16,
    /// 1, or 5 in bases that ChessBase 26 converted.
    pub version: u8,
    /// The number of the next record, from 1.
    pub next: u32,
}

pub(crate) fn parse_file_header(bytes: &[u8]) -> Option<FileHeader> {
    fn header(input: &[u8]) -> IResult<&[u8], FileHeader> {
        let (rest, (_, used, record_size, version, next)) =
            (byte, be_u16, be_u16, byte, be_u32).parse(input)?;
        Ok((rest, FileHeader { used, record_size, version, next }))
    }
    header(bytes.first_chunk::<RECORD_SIZE>()?).ok().map(|(_, header)| header)
}

impl FileHeader {
    pub(crate) fn encode(self) -> [u8; RECORD_SIZE] {
        let mut bytes = [0; RECORD_SIZE];
        let next = self.next.to_be_bytes();
        put(&mut bytes, 1, &self.used.to_be_bytes());
        put(&mut bytes, 3, &self.record_size.to_be_bytes());
        put(&mut bytes, 5, &[self.version]);
        put(&mut bytes, 6, &next);
        put(&mut bytes, 40, &next);
        bytes
    }
}

/// The record of a game with the stored values.
// cbh §3.2 "Game record"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct GameRecord {
    /// Bit 0 is always set, bit 1 marks a guiding text, bit 7 a deleted record.
    pub kind: u8,
    /// The offset of the moves in the `.cbg`.
    pub moves: u32,
    /// The offset of the annotations in the `.cba`; 0 for none.
    pub annotations: u32,
    /// The id of the player of the white pieces.
    pub white: u32,
    /// The id of the player of the black pieces.
    pub black: u32,
    /// The id of the tournament.
    pub tournament: u32,
    /// The id of the annotator.
    pub annotator: u32,
    /// The id of the source.
    pub source: u32,
    /// Bits 0 to 4 hold the day, 5 to 8 the month, 9 to 20 the year.
    pub date: u32,
    /// The result code.
    pub result: u8,
    /// The evaluation of a line, if the result is 3.
    pub evaluation: u8,
    /// The round; 0 if unknown.
    pub round: u8,
    /// The subround; 0 if there is none.
    pub subround: u8,
    /// White's Elo; 0 if unknown.
    pub white_elo: u16,
    /// Black's Elo; 0 if unknown.
    pub black_elo: u16,
    /// The opening, or the start position of Chess960.
    pub eco: u16,
    /// Medals, one bit each.
    pub medals: u16,
    /// The kinds of annotations, one bit each.
    pub flags: u32,
    /// The magnitudes of some counts.
    pub magnitudes: u16,
    /// The number of moves in the main line; 255 for 255 or more.
    pub length: u8,
}

pub(crate) fn parse_game_record(bytes: &[u8; RECORD_SIZE]) -> GameRecord {
    let long = u32::from_be_bytes;
    let id = |[a, b, c]: [u8; 3]| long([0, a, b, c]);
    let short = u16::from_be_bytes;
    // One pattern without branches, because every game needs this.
    let [kind, m1, m2, m3, m4, a1, a2, a3, a4, rest @ ..] = *bytes;
    let [w1, w2, w3, b1, b2, b3, t1, t2, t3, n1, n2, n3, s1, s2, s3, rest @ ..] = rest;
    let [d1, d2, d3, result, evaluation, round, subround, rest @ ..] = rest;
    let [we1, we2, be1, be2, e1, e2, md1, md2, f1, f2, f3, f4, mg1, mg2, length] = rest;
    GameRecord {
        kind,
        moves: long([m1, m2, m3, m4]),
        annotations: long([a1, a2, a3, a4]),
        white: id([w1, w2, w3]),
        black: id([b1, b2, b3]),
        tournament: id([t1, t2, t3]),
        annotator: id([n1, n2, n3]),
        source: id([s1, s2, s3]),
        date: id([d1, d2, d3]),
        result,
        evaluation,
        round,
        subround,
        white_elo: short([we1, we2]),
        black_elo: short([be1, be2]),
        eco: short([e1, e2]),
        medals: short([md1, md2]),
        flags: long([f1, f2, f3, f4]),
        magnitudes: short([mg1, mg2]),
        length,
    }
}

impl GameRecord {
    pub(crate) fn encode(&self) -> [u8; RECORD_SIZE] {
        let mut bytes = [0; RECORD_SIZE];
        put(&mut bytes, 0, &[self.kind]);
        put(&mut bytes, 1, &self.moves.to_be_bytes());
        put(&mut bytes, 5, &self.annotations.to_be_bytes());
        let ids = [self.white, self.black, self.tournament, self.annotator, self.source, self.date];
        for (at, id) in (9..).step_by(3).zip(ids) {
            let [_, a, b, c] = id.to_be_bytes();
            put(&mut bytes, at, &[a, b, c]);
        }
        put(&mut bytes, 27, &[self.result, self.evaluation, self.round, self.subround]);
        let words = [self.white_elo, self.black_elo, self.eco, self.medals];
        for (at, word) in (31..).step_by(2).zip(words) {
            put(&mut bytes, at, &word.to_be_bytes());
        }
        put(&mut bytes, 39, &self.flags.to_be_bytes());
        put(&mut bytes, 43, &self.magnitudes.to_be_bytes());
        put(&mut bytes, 45, &[self.length]);
        bytes
    }

    /// Whether the record is marked as deleted.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.kind & TYPE_DELETED != 0
    }
}

/// Returns the kind byte of a game.
pub(crate) const fn game_kind(deleted: bool) -> u8 {
    if deleted { TYPE_PRESENT | TYPE_DELETED } else { TYPE_PRESENT }
}

/// Whether a record of this kind is a guiding text.
pub(crate) const fn is_text(kind: u8) -> bool {
    kind & TYPE_TEXT != 0
}

/// Copies `what` to offset `at`, as far as it fits.
pub(crate) fn put(bytes: &mut [u8], at: usize, what: &[u8]) {
    if let Some(place) = bytes.get_mut(at..).and_then(|rest| rest.get_mut(..what.len())) {
        place.copy_from_slice(what);
    }
}

/// Decodes a date. Also returns whether all its parts were in range.
// cbh §2 "Conventions"
pub(crate) fn parse_date(bits: u32) -> (Date, bool) {
    let part = |shift: u32, mask: u32| u16::try_from(bits >> shift & mask).unwrap_or(0);
    let small = |shift: u32, mask: u32| u8::try_from(bits >> shift & mask).unwrap_or(0);
    let (year, month, day) = (part(9, 0xfff), small(5, 15), small(0, 31));
    match Date::new(year, month, day) {
        Some(date) => (date, true),
        None => (Date::new(year, 0, 0).unwrap_or_default(), bits == 0),
    }
}

/// Encodes a date. Returns `None` if its year is too high.
pub(crate) fn encode_date(date: Date) -> Option<u32> {
    let (year, month, day) = date.parts();
    if year > 0xfff {
        return None;
    }
    Some(u32::from(year) << 9 | u32::from(month) << 5 | u32::from(day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_record_example_round_trips() {
        #[rustfmt::skip]
        let bytes: [u8; 46] = [
            0x81,                   // a game, deleted
            0x00, 0x00, 0x00, 0x1a, // moves at byte 26
            0x00, 0x00, 0x01, 0x00, // annotations at byte 256
            0, 0, 1, 0, 0, 2,       // White, Black
            0, 0, 3, 0, 0, 4, 0, 0, 5, // tournament, annotator, source
            0x0f, 0xd2, 0xee,       // 14 July 2025
            0x02, 0x00,             // 1-0
            0x01, 0x02,             // round 1.2
            0x0a, 0x5a, 0x08, 0x5f, // 2650, 2143
            0x00, 0x80,             // A00
            0x00, 0x08,             // a novelty
            0x00, 0xc0, 0x00, 0x00, // both clocks
            0x00, 0x00,             // few annotations
            0x18,                   // 24 moves
        ];
        let record = parse_game_record(&bytes);
        assert!(record.is_deleted());
        assert_eq!(parse_date(record.date), (Date::new(2025, 7, 14).unwrap(), true));
        assert_eq!((record.source, record.white_elo, record.length), (5, 2650, 24));
        assert_eq!(record.encode(), bytes);
        assert_eq!(encode_date(Date::new(2025, 7, 14).unwrap()), Some(record.date));
        assert_eq!(encode_date(Date::new(4096, 1, 1).unwrap()), None);
    }

    #[test]
    fn parse_records_of_case_match_snapshot() {
        let cases = testkit::cases("cbh");
        let case = cases.iter().find(|case| case.name == "annotations").unwrap();
        let bytes = case.bytes("base.cbh");
        let (records, _) = bytes.as_chunks::<RECORD_SIZE>();
        let games: Vec<_> = records.iter().skip(1).take(2).map(parse_game_record).collect();
        insta::assert_debug_snapshot!((parse_file_header(&bytes), games));
    }
}
