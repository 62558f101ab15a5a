//! The record header: fourteen masked bytes. cbf §3 "Record header"

use chess_core::{Date, Eco, EcoSub, Elo, GameResult};
use nom::IResult;
use nom::Parser;
use nom::number::complete::{be_u8, be_u16, i8 as be_i8};

use crate::layout::{
    ELO_BASE, ELO_STEP, HEADER_SIZE, NAME_LIMIT, NO_YEAR, SETUP_SIZE, YEAR_BASE, flag, offset,
};
use crate::mask::mask;

/// A record's header, unmasked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct RecordHeader {
    /// Year minus 1900; 127 means none.
    pub year: i8,
    /// Result in bits 0 and 1, evaluation of a line in bits 2 to 5.
    pub result: u8,
    /// Length of the move section plus one.
    pub moves_size: u16,
    /// Length of the player text in bits 0 to 5; ECO bits 5 and 6 above.
    pub players: u8,
    /// Length of the source text in bits 0 to 5; ECO bits 7 and 8 above.
    pub source: u8,
    /// Length of the comment section.
    pub comments_size: u16,
    /// Steps of five above 1600; 0 means none.
    pub white_elo: u8,
    /// Steps of five above 1600; 0 means none.
    pub black_elo: u8,
    /// See [`flag`].
    pub flags_1: u8,
    /// ECO sub-code, or en passant file of a set-up; version bit.
    pub flags_2: u8,
    /// Full moves of the main line, modulo 256.
    pub move_count: u8,
    /// See [`Checksum`].
    pub checksum: u8,
}

/// The class of a checksum. cbf §3.3 "Checksum"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Checksum {
    /// The game is open to everyone.
    Public,
    /// The other value that readers accept.
    Second,
    /// The game is closed to other users, or the header is damaged.
    Foreign,
}

impl Checksum {
    /// Returns the value of the tag `CbfChecksum`, or `None` for public games.
    #[must_use]
    pub const fn tag(self) -> Option<&'static str> {
        match self {
            Checksum::Public => None,
            Checksum::Second => Some("second"),
            Checksum::Foreign => Some("foreign"),
        }
    }
}

/// Header bits without meaning in this game, from bytes 4, 5, 10 and 11.
pub(crate) type Spare = [u8; 4];

/// Masks or unmasks all fourteen bytes.
fn mask_all(bytes: &mut [u8; HEADER_SIZE]) {
    mask(bytes, HEADER_SIZE, 101, 3);
}

/// Masks or unmasks byte 11 with its second mask, which depends on the lengths of the names.
fn mask_flags(bytes: &mut [u8; HEADER_SIZE]) {
    let length = |at: usize| bytes.get(at).map_or(0, |byte| byte & 63);
    let key = 14u8.wrapping_add(length(offset::PLAYERS)).wrapping_add(length(offset::SOURCE));
    if let Some(byte) = bytes.get_mut(offset::FLAGS_2) {
        *byte ^= key;
    }
}

/// Removes both masks.
pub(crate) fn unmask(mut bytes: [u8; HEADER_SIZE]) -> [u8; HEADER_SIZE] {
    mask_all(&mut bytes);
    mask_flags(&mut bytes);
    bytes
}

/// Parses a masked header. Returns `None` for fewer than fourteen bytes.
#[must_use]
pub fn parse_header(masked: &[u8]) -> Option<RecordHeader> {
    let bytes = masked.get(..HEADER_SIZE)?.try_into().ok()?;
    fields(&unmask(bytes)).ok().map(|(_, header)| header)
}

fn fields(plain: &[u8]) -> IResult<&[u8], RecordHeader> {
    let (rest, (year, result, moves_size, players, source, comments_size)) =
        (be_i8, be_u8, be_u16, be_u8, be_u8, be_u16).parse(plain)?;
    let (rest, (white_elo, black_elo, flags_1, flags_2, move_count, checksum)) =
        (be_u8, be_u8, be_u8, be_u8, be_u8, be_u8).parse(rest)?;
    let header = RecordHeader {
        year,
        result,
        moves_size,
        players,
        source,
        comments_size,
        white_elo,
        black_elo,
        flags_1,
        flags_2,
        move_count,
        checksum,
    };
    Ok((rest, header))
}

/// Encodes a masked header.
#[must_use]
pub fn encode_header(header: &RecordHeader) -> [u8; HEADER_SIZE] {
    let mut bytes = plain(header);
    mask_flags(&mut bytes);
    mask_all(&mut bytes);
    bytes
}

/// Encodes a header without masks.
fn plain(header: &RecordHeader) -> [u8; HEADER_SIZE] {
    let [moves_high, moves_low] = header.moves_size.to_be_bytes();
    let [comments_high, comments_low] = header.comments_size.to_be_bytes();
    [
        header.year.cast_unsigned(),
        header.result,
        moves_high,
        moves_low,
        header.players,
        header.source,
        comments_high,
        comments_low,
        header.white_elo,
        header.black_elo,
        header.flags_1,
        header.flags_2,
        header.move_count,
        header.checksum,
    ]
}

impl RecordHeader {
    /// Returns the length of the player text in bytes.
    #[must_use]
    pub fn players_len(&self) -> usize {
        usize::from(self.players) & NAME_LIMIT
    }

    /// Returns the length of the source text in bytes.
    #[must_use]
    pub fn source_len(&self) -> usize {
        usize::from(self.source) & NAME_LIMIT
    }

    /// Returns the length of the move section in bytes.
    #[must_use]
    pub fn moves_len(&self) -> usize {
        usize::from(self.moves_size.saturating_sub(1))
    }

    /// Returns the length of the whole record in bytes. cbf §2 "Records"
    #[must_use]
    pub fn record_size(&self) -> usize {
        let setup = if self.has_setup() { SETUP_SIZE } else { 0 };
        [
            self.players_len(),
            self.source_len(),
            self.moves_len(),
            usize::from(self.comments_size),
            setup,
        ]
        .into_iter()
        .fold(HEADER_SIZE, usize::saturating_add)
    }

    /// Returns `true` if the game has a custom start position.
    #[must_use]
    pub fn has_setup(&self) -> bool {
        self.flags_1 & flag::SETUP != 0
    }

    /// Returns `true` if the game is marked.
    #[must_use]
    pub fn is_marked(&self) -> bool {
        self.flags_1 & flag::MARKED != 0
    }

    /// Returns `true` if the game is deleted.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.flags_1 & flag::DELETED != 0
    }

    /// Returns the year, 1772 to 2026, as a date.
    #[must_use]
    pub fn date(&self) -> Date {
        let year =
            (self.year != NO_YEAR).then(|| YEAR_BASE.saturating_add_signed(self.year.into()));
        year.and_then(|year| Date::new(year, 0, 0)).unwrap_or(Date::UNKNOWN)
    }

    /// Returns the result, and the evaluation code of a line.
    #[must_use]
    pub fn outcome(&self) -> (GameResult, u8) {
        match self.result & 3 {
            0 => (GameResult::Black, 0),
            1 => (GameResult::Draw, 0),
            2 => (GameResult::White, 0),
            _ => (GameResult::Unknown, self.result >> 2 & 15),
        }
    }

    /// Returns the ECO code. Sub-codes of zero and above 99 mean none. Games with a set-up have no
    /// code.
    /// cbf §3.4 "ECO code"
    #[must_use]
    pub fn eco(&self) -> Option<Eco> {
        let code = self.eco_bits().filter(|_| !self.has_setup())?.checked_sub(1)?;
        let sub = match self.eco_sub_bits() {
            number @ 1..=99 => EcoSub::Number(number),
            _ => EcoSub::None,
        };
        Eco::with_sub(code, sub)
    }

    fn eco_bits(&self) -> Option<u16> {
        let low = u16::from(self.flags_1 >> 1 & 31);
        let middle = u16::from(self.players >> 6) << 5;
        let high = u16::from(self.source >> 6) << 7;
        Some(low | middle | high)
    }

    fn eco_sub_bits(&self) -> u8 {
        self.flags_2 & 0x3f | self.flags_2 >> 1 & 0x40
    }

    /// Stores an ECO code as far as possible, and returns `true` if nothing was lost. The bits must be
    /// clear.
    pub(crate) fn set_eco(&mut self, eco: Eco) -> bool {
        let bits = eco.code().saturating_add(1);
        let sub = match eco.sub() {
            EcoSub::Number(number) => number,
            _ => 0,
        };
        let [high, low] = bits.to_be_bytes();
        if high > 1 {
            return false;
        }
        self.flags_1 |= (low & 31) << 1;
        self.players |= (low >> 5 & 3) << 6;
        self.source |= (low >> 7 | high << 1) << 6;
        self.flags_2 |= sub & 0x3f | (sub & 0x40) << 1;
        eco.sub() == EcoSub::None || matches!(eco.sub(), EcoSub::Number(1..))
    }

    /// Returns the bits without meaning: a sub-code above 99 or without a code, unused set-up bits.
    pub(crate) fn spare(&self) -> Spare {
        if self.has_setup() {
            // The state bits of a set-up are checked against its board.
            return [self.players & 0xc0, self.source & 0xc0, 0, self.flags_2 & 0xb0];
        }
        match self.eco_sub_bits() {
            0..=99 if self.eco().is_some() => return [0; 4],
            100.. if self.eco().is_some() => return [0, 0, 0, self.flags_2 & 0xbf],
            _ => {}
        }
        [self.players & 0xc0, self.source & 0xc0, self.flags_1 & 0x3e, self.flags_2 & 0xbf]
    }

    /// Restores bits without meaning.
    pub(crate) fn set_spare(&mut self, spare: Spare) {
        let [players, source, flags_1, flags_2] = spare;
        self.players |= players & 0xc0;
        self.source |= source & 0xc0;
        self.flags_1 |= flags_1 & 0x3e;
        self.flags_2 |= flags_2 & 0xbf;
    }

    /// Computes the checksum of a public game. cbf §3.3 "Checksum"
    #[must_use]
    pub fn public_checksum(&self) -> u8 {
        self.year
            .cast_unsigned()
            .wrapping_mul(0x25)
            .wrapping_add(self.source)
            .wrapping_add(self.black_elo)
    }

    /// Computes the other checksum that readers accept.
    fn second_checksum(&self) -> u8 {
        let [_, moves_low] = self.moves_size.to_be_bytes();
        moves_low
            .wrapping_mul(0xc1)
            .wrapping_mul(self.white_elo.wrapping_add(1))
            .wrapping_mul(self.year.cast_unsigned())
    }

    /// Classifies the checksum.
    #[must_use]
    pub fn check(&self) -> Checksum {
        if self.checksum == self.public_checksum() {
            Checksum::Public
        } else if self.checksum == self.second_checksum() {
            Checksum::Second
        } else {
            Checksum::Foreign
        }
    }

    /// Returns `true` if the bytes may be a header: the result is valid, and the size of the move
    /// section is not below its minimum.
    pub(crate) fn has_known_bits(&self) -> bool {
        self.result & 0xc0 == 0 && self.moves_size > 0
    }

    /// Like [`has_known_bits`](RecordHeader::has_known_bits), and the checksum must be known.
    pub(crate) fn is_sound(&self) -> bool {
        self.has_known_bits() && self.check() != Checksum::Foreign
    }
}

/// Parses a rating byte. cbf §3 "Record header"
#[must_use]
pub fn parse_elo(byte: u8) -> Option<Elo> {
    let points = u16::from(byte).saturating_mul(ELO_STEP).saturating_add(ELO_BASE);
    if byte == 0 { None } else { Elo::new(points) }
}

/// Encodes a rating rounded to five. The flag is `true` if the byte represents it exactly.
#[must_use]
pub fn encode_elo(elo: Elo) -> (u8, bool) {
    let above = elo.get().saturating_sub(ELO_BASE);
    let rounded = above.saturating_add(ELO_STEP / 2) / ELO_STEP;
    match u8::try_from(rounded) {
        Ok(byte) => (byte, parse_elo(byte) == Some(elo)),
        Err(_) => (0, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Record 1 of fixtures/cbf/tiny.
    #[rustfmt::skip]
    const PLAIN: [u8; 14] = [
        0x5a,       // year: 90 = 1990
        0x02,       // result: 2 = 1-0
        0x00, 0x0d, // moves_size: 13, so 12 bytes of moves
        0xd1,       // players: 17 letters; ECO bits 5 and 6 = 11
        0x48,       // source: 8 letters; ECO bits 7 and 8 = 01
        0x00, 0x29, // comments_size: 41
        0x82,       // white_elo: 130 = 1600 + 650
        0x78,       // black_elo: 120 = 1600 + 600
        0x66,       // flags_1: marked; ECO bits 0 to 4 = 10011
        0x07,       // flags_2: ECO sub-code 7
        0x03,       // move_count: 3
        0xc2,       // checksum: 0x5a * 0x25 + 0x48 + 0x78
    ];
    const MASKED: [u8; 14] =
        [0x65, 0x17, 0x07, 0xa0, 0x5e, 0xcd, 0xd7, 0xb4, 0x5d, 0x8d, 0xc1, 0xad, 0x2c, 0xa7];

    #[test]
    fn parse_header_masked_bytes_round_trip() {
        assert_eq!(unmask(MASKED), PLAIN);
        let header = parse_header(&MASKED).unwrap();
        assert_eq!(plain(&header), PLAIN);
        assert_eq!(encode_header(&header), MASKED);
        assert_eq!(parse_header(&MASKED[..13]), None);
    }

    #[test]
    fn outcome_agrees_with_table() {
        let rows = testkit::result_rows("cbf", "header");
        assert_eq!(rows.len(), 4);
        for [code, result, _] in rows {
            let header =
                RecordHeader { result: code.parse().unwrap(), ..parse_header(&MASKED).unwrap() };
            assert_eq!(header.outcome().0.as_str(), result, "code {code}");
        }
    }

    #[test]
    fn parse_header_sample_fields_are_decoded() {
        let header = parse_header(&MASKED).unwrap();
        assert_eq!(header.date().to_string(), "1990.??.??");
        assert_eq!(header.outcome(), (GameResult::White, 0));
        assert_eq!(header.eco().unwrap().to_string(), "C42/07");
        assert_eq!((header.players_len(), header.source_len(), header.moves_len()), (17, 8, 12));
        assert_eq!(header.record_size(), 14 + 17 + 8 + 12 + 41);
        assert_eq!(parse_elo(header.white_elo), Elo::new(2250));
        assert!(header.is_marked() && !header.is_deleted() && !header.has_setup());
        assert_eq!(header.check(), Checksum::Public);
        assert_eq!(header.spare(), [0; 4]);
    }

    #[test]
    fn date_year_byte_is_decoded() {
        for (byte, year) in [(-29, "1871.??.??"), (126, "2026.??.??"), (-128, "1772.??.??")] {
            let header = RecordHeader { year: byte, ..RecordHeader::default() };
            assert_eq!(header.date().to_string(), year);
        }
        let header = RecordHeader { year: 127, ..RecordHeader::default() };
        assert!(header.date().is_unknown());
    }

    #[test]
    fn set_eco_every_code_round_trips() {
        for code in 0..=510 {
            for sub in 0..100 {
                let sub = if sub == 0 { EcoSub::None } else { EcoSub::Number(sub) };
                let eco = Eco::with_sub(code, sub).unwrap();
                let mut header = RecordHeader::default();
                assert!(header.set_eco(eco));
                assert_eq!(header.eco(), Some(eco));
            }
        }
        assert!(!RecordHeader::default().set_eco(Eco::new(511).unwrap()));
    }

    #[test]
    fn encode_elo_inexact_is_reported() {
        for (elo, byte, exact) in
            [(1605, 1, true), (2875, 255, true), (2787, 237, false), (1600, 0, false)]
        {
            assert_eq!(encode_elo(Elo::new(elo).unwrap()), (byte, exact), "{elo}");
        }
        assert_eq!(encode_elo(Elo::new(2880).unwrap()), (0, false));
        assert_eq!(encode_elo(Elo::new(100).unwrap()), (0, false));
    }

    #[test]
    fn check_second_and_foreign_are_distinguished() {
        let mut header = parse_header(&MASKED).unwrap();
        // 0x0d * 0xc1 * 0x83 * 0x5a, modulo 256
        header.checksum = 0x36;
        assert_eq!(header.check(), Checksum::Second);
        header.checksum = 0x2f;
        assert_eq!(header.check(), Checksum::Foreign);
    }
}
