//! An entry of the index: one set of fields, three layouts. (scid §2 "Index")

use nom::IResult;

use crate::bits::{low_8, low_16, low_32};
use crate::fields::{array, be_16, be_24, be_32, byte};
use crate::layout::Version;

/// The index entry of a game. Codes are kept as stored; reading a header converts them to tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct IndexEntry {
    /// The offset of the record in the games file.
    pub offset: u64,
    /// The length of the record, 17 bits.
    pub length: u32,
    /// Bits 0 to 21, see [`flag`](crate::layout::flag) and
    /// [`FLAG_LETTERS`](crate::layout::FLAG_LETTERS).
    pub flags: u32,
    /// The name ids.
    pub names: NameIds,
    /// The count codes of the whole game.
    pub counts: Counts,
    /// 0 `*`, 1 `1-0`, 2 `0-1`, 3 `1/2-1/2`.
    pub result: u8,
    /// 0 for none, else 1 + 131 × code + refinement.
    pub eco: u16,
    /// year << 9 | month << 5 | day.
    pub date: u32,
    /// The event date in the same form; 0 for none. Its year may exceed 2047 in versions 3 and 4.
    pub event_date: u32,
    /// White's rating.
    pub white_rating: Rating,
    /// Black's rating.
    pub black_rating: Rating,
    /// The fields that searches use, derived from the moves.
    pub derived: Derived,
    /// Whether the game is Chess960; version 5 only.
    pub chess960: bool,
}

impl IndexEntry {
    /// Whether the entry has no record.
    pub(crate) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The offset of the record's end.
    pub(crate) fn end(&self) -> u64 {
        self.offset.saturating_add(u64::from(self.length))
    }
}

/// Ids of a game's names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs, reason = "the names say it")]
#[non_exhaustive]
pub struct NameIds {
    pub white: u32,
    pub black: u32,
    pub event: u32,
    pub site: u32,
    pub round: u32,
}

/// How many variations, comments and NAGs a game has, as codes 0 to 15; see [`count_code`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs, reason = "the names say it")]
#[non_exhaustive]
pub struct Counts {
    pub variations: u8,
    pub comments: u8,
    pub nags: u8,
}

/// A rating: value and kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Rating {
    /// 0 for none.
    pub value: u16,
    /// See [`RATING_TYPES`](crate::layout::RATING_TYPES).
    pub kind: u8,
}

/// The fields derived from the moves, for Scid's searches. Reading never trusts them, because stale
/// ones are common. (scid §2.5 "Derived fields")
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct Derived {
    /// The code of the longest line of Scid's opening table that the game follows, 1 to 254; 0 for
    /// none.
    pub opening_line: u8,
    /// Piece counts at the end of the main line, 24 bits.
    pub material: u32,
    /// Plies of the main line, modulo 1024.
    pub plies: u16,
    /// The number of pawns that left their home squares, 0 to 16.
    pub home_pawn_count: u8,
    /// These pawns in order, a nibble each.
    pub home_pawns: [u8; 8],
}

/// Encodes a number: exact up to 10, then as a range. (scid §2.2 "Entry")
#[must_use]
pub fn count_code(count: u32) -> u8 {
    match count {
        0..=10 => low_8(count),
        11..=12 => 10,
        13..=17 => 11,
        18..=24 => 12,
        25..=34 => 13,
        35..=44 => 14,
        _ => 15,
    }
}

impl Version {
    /// Parses an entry. Returns `None` if there are too few bytes.
    #[must_use]
    #[inline(always)]
    pub fn parse_entry(self, bytes: &[u8]) -> Option<IndexEntry> {
        match self {
            Version::Si3 => parse_entry_3(bytes),
            Version::Si4 => parse_entry_4(bytes),
            Version::Si5 => parse_entry_5(bytes),
        }
    }

    /// Parses only the ids of the names.
    #[inline(always)]
    pub(crate) fn parse_ids(self, bytes: &[u8]) -> Option<NameIds> {
        match self {
            Version::Si3 => parse_ids_4(bytes.first_chunk::<46>()?.last_chunk()?),
            Version::Si4 => parse_ids_4(bytes.first_chunk::<47>()?.last_chunk()?),
            Version::Si5 => parse_ids_5(bytes.first_chunk::<56>()?.first_chunk()?),
        }
    }

    /// Parses only the fields that searches use: flags and derived fields.
    #[inline]
    pub(crate) fn parse_derived(self, bytes: &[u8]) -> Option<(u32, Derived)> {
        match self {
            Version::Si3 => parse_derived_4(bytes.get(6..)?),
            Version::Si4 => parse_derived_4(bytes.get(7..)?),
            Version::Si5 => parse_derived_5(bytes),
        }
    }
}

impl IndexEntry {
    /// Appends the entry as the version encodes it.
    pub(crate) fn encode(&self, version: Version, out: &mut Vec<u8>) {
        match version {
            Version::Si5 => out.extend_from_slice(&self.encode_5()),
            Version::Si3 | Version::Si4 => out.extend_from_slice(&self.encode_4()),
        }
    }

    /// Encodes the entry for version 4. Values wider than their fields are masked; the writer
    /// ensures that they fit.
    #[must_use]
    pub fn encode_4(&self) -> [u8; 47] {
        let (ids, derived) = (&self.names, &self.derived);
        let high = |id: u32, mask: u32| id >> 16 & mask;
        let players = high(ids.white, 15) << 4 | high(ids.black, 15);
        let places = high(ids.event, 7) << 5 | high(ids.site, 7) << 2 | high(ids.round, 3);
        let counts = u32::from(self.result & 15) << 12
            | u32::from(self.counts.nags & 15) << 8
            | u32::from(self.counts.comments & 15) << 4
            | u32::from(self.counts.variations & 15);
        let length_high = (self.length >> 16 & 1) << 7 | self.flags >> 16 & 63;
        let packed =
            u32::from(derived.plies >> 8 & 3) << 6 | u32::from(derived.home_pawn_count & 63);
        let [_, material @ ..] = derived.material.to_be_bytes();
        let two = |value: u32| low_16(value).to_be_bytes();
        let mut bytes = [0; 47];
        let mut fields = Fields { rest: &mut bytes };
        fields.put(low_32(self.offset).to_be_bytes());
        fields.put(two(self.length));
        fields.put([low_8(length_high)]);
        fields.put(two(self.flags));
        fields.put([low_8(players)]);
        fields.put(two(ids.white));
        fields.put(two(ids.black));
        fields.put([low_8(places)]);
        fields.put(two(ids.event));
        fields.put(two(ids.site));
        fields.put(two(ids.round));
        fields.put(two(counts));
        fields.put(self.eco.to_be_bytes());
        fields.put(dates(self.date, self.event_date).to_be_bytes());
        fields.put(two(stored_rating(self.white_rating)));
        fields.put(two(stored_rating(self.black_rating)));
        fields.put([derived.opening_line]);
        fields.put(material);
        fields.put([low_8(u32::from(derived.plies)), low_8(packed)]);
        fields.put(derived.home_pawns);
        bytes
    }

    /// Encodes the entry for version 5. For field widths see [`encode_4`](IndexEntry::encode_4).
    #[must_use]
    pub fn encode_5(&self) -> [u8; 56] {
        let (ids, derived) = (&self.names, &self.derived);
        let pair = |high: u32, bits: u32, low: u32| high << bits | low & !(u32::MAX << bits);
        let kinds = u32::from(self.white_rating.kind & 7) << 21
            | u32::from(self.black_rating.kind & 7) << 18
            | u32::from(self.result & 3) << 16;
        let mut bytes = [0; 56];
        let mut fields = Fields { rest: &mut bytes };
        for word in [
            pair(u32::from(self.counts.comments), 28, ids.white),
            pair(u32::from(self.counts.variations), 28, ids.black),
            pair(u32::from(self.counts.nags), 28, ids.event),
            ids.site,
            pair(u32::from(self.chess960), 31, ids.round),
            pair(u32::from(self.white_rating.value), 20, self.date),
            pair(u32::from(self.black_rating.value), 20, self.event_date),
            pair(u32::from(derived.plies), 22, self.flags),
            pair(self.length, 15, low_32(self.offset >> 32)),
            low_32(self.offset),
            pair(u32::from(derived.opening_line), 24, derived.material),
            u32::from(derived.home_pawn_count) << 24 | kinds | u32::from(self.eco),
        ] {
            fields.put(word.to_le_bytes());
        }
        fields.put(derived.home_pawns);
        bytes
    }
}

/// The remaining fields of an entry to write, in order.
struct Fields<'a> {
    rest: &'a mut [u8],
}

impl Fields<'_> {
    #[inline]
    fn put<const N: usize>(&mut self, field: [u8; N]) {
        if let Some((place, rest)) = std::mem::take(&mut self.rest).split_first_chunk_mut() {
            *place = field;
            self.rest = rest;
        }
    }
}

fn stored_rating(rating: Rating) -> u32 {
    u32::from(rating.kind & 15) << 12 | u32::from(rating.value & 0xfff)
}

/// Encodes date and event date together. Scid treats an unset event date as year zero and encodes
/// it like any other. A game of unknown date therefore stores the difference 4. (scid §2.2 "Entry")
fn dates(date: u32, event: u32) -> u32 {
    let (year, event_year) = (date >> 9, event >> 9);
    if event_year.abs_diff(year) > 3 {
        return date & 0xf_ffff;
    }
    let difference = event_year.saturating_add(4).saturating_sub(year) & 7;
    difference << 29 | (event & 0x1ff) << 20 | date & 0xf_ffff
}

#[inline(always)]
fn parse_entry_3(bytes: &[u8]) -> Option<IndexEntry> {
    let whole = bytes.first_chunk::<46>()?;
    let (input, offset) = be_32(whole).ok()?;
    let (input, length) = be_16(input).ok()?;
    let (_, shared) = shared_fields(input).ok()?;
    Some(IndexEntry { offset: offset.into(), length: length.into(), ..shared })
}

#[inline(always)]
fn parse_entry_4(bytes: &[u8]) -> Option<IndexEntry> {
    let whole = bytes.first_chunk::<47>()?;
    let (input, offset) = be_32(whole).ok()?;
    let (input, length) = be_16(input).ok()?;
    let (input, high) = byte(input).ok()?;
    let (_, shared) = shared_fields(input).ok()?;
    Some(IndexEntry {
        offset: offset.into(),
        length: u32::from(length) | u32::from(high >> 7) << 16,
        flags: shared.flags | u32::from(high & 63) << 16,
        ..shared
    })
}

/// As [`Version::parse_ids`], for the last 38 bytes of an entry, which versions 3 and 4 share.
#[inline(always)]
fn parse_ids_4(shared: &[u8; 38]) -> Option<NameIds> {
    let (input, players) = byte(shared).ok()?;
    let (input, white) = be_16(input).ok()?;
    let (input, black) = be_16(input).ok()?;
    let (input, places) = byte(input).ok()?;
    let (input, event) = be_16(input).ok()?;
    let (input, site) = be_16(input).ok()?;
    let (_, round) = be_16(input).ok()?;
    Some(name_ids(players, places, [white, black, event, site, round]))
}

/// The same for the first twenty bytes of an entry of version 5.
#[inline(always)]
fn parse_ids_5(words: &[u8; 20]) -> Option<NameIds> {
    let (input, white) = array(words).ok()?;
    let (input, black) = array(input).ok()?;
    let (input, event) = array(input).ok()?;
    let (input, site) = array(input).ok()?;
    let (_, round) = array(input).ok()?;
    let low = |word: [u8; 4], bits: u32| u32::from_le_bytes(word) & !(u32::MAX << bits);
    Some(NameIds {
        white: low(white, 28),
        black: low(black, 28),
        event: low(event, 28),
        site: u32::from_le_bytes(site),
        round: low(round, 31),
    })
}

/// Joins the low bits of the ids with their high bits, which share two bytes.
#[inline(always)]
fn name_ids(players: u8, places: u8, low: [u16; 5]) -> NameIds {
    let [white, black, event, site, round] = low;
    let id = |high: u8, bits: u8, low: u16| u32::from(high & bits) << 16 | u32::from(low);
    NameIds {
        white: id(players >> 4, 15, white),
        black: id(players, 15, black),
        event: id(places >> 5, 7, event),
        site: id(places >> 2, 7, site),
        round: id(places, 3, round),
    }
}

/// As [`Version::parse_derived`], for the forty bytes that versions 3 and 4 share. The plies are
/// left out.
#[inline]
fn parse_derived_4(bytes: &[u8]) -> Option<(u32, Derived)> {
    let whole = bytes.first_chunk::<40>()?;
    let (input, flags) = be_16(whole).ok()?;
    let (input, _) = array::<24>(input).ok()?;
    let (input, opening_line) = byte(input).ok()?;
    let (input, material) = be_24(input).ok()?;
    let (input, [_, packed]) = array(input).ok()?;
    let (_, home_pawns) = array(input).ok()?;
    let home_pawn_count = packed & 63;
    let derived = Derived { opening_line, material, plies: 0, home_pawn_count, home_pawns };
    Some((flags.into(), derived))
}

/// The same for version 5.
#[inline]
fn parse_derived_5(bytes: &[u8]) -> Option<(u32, Derived)> {
    let whole = bytes.first_chunk::<56>()?;
    let word = u32::from_le_bytes;
    let (input, _) = array::<28>(whole).ok()?;
    let (input, flags) = array(input).ok()?;
    let (input, _) = array::<8>(input).ok()?;
    let (input, line) = array(input).ok()?;
    let (input, [.., home_pawn_count]) = array::<4>(input).ok()?;
    let (_, home_pawns) = array(input).ok()?;
    let line = word(line);
    let derived = Derived {
        opening_line: low_8(line >> 24),
        material: line & 0xff_ffff,
        plies: 0,
        home_pawn_count,
        home_pawns,
    };
    Some((word(flags) & 0x3f_ffff, derived))
}

/// Parses the forty bytes that versions 3 and 4 share. (scid §2.2 "Entry")
// Always inlined, so that a search parses only the fields that it uses.
#[inline(always)]
fn shared_fields(input: &[u8]) -> IResult<&[u8], IndexEntry, ()> {
    let (input, flags) = be_16(input)?;
    let (input, players) = byte(input)?;
    let (input, white) = be_16(input)?;
    let (input, black) = be_16(input)?;
    let (input, places) = byte(input)?;
    let (input, event) = be_16(input)?;
    let (input, site) = be_16(input)?;
    let (input, round) = be_16(input)?;
    let (input, [result, counts]) = array(input)?;
    let (input, eco) = be_16(input)?;
    let (input, dates) = be_32(input)?;
    let (input, white_rating) = be_16(input)?;
    let (input, black_rating) = be_16(input)?;
    let (input, opening_line) = byte(input)?;
    let (input, material) = be_24(input)?;
    let (input, [plies, packed]) = array(input)?;
    let (input, home_pawns) = array(input)?;
    let date = dates & 0xf_ffff;
    let entry = IndexEntry {
        flags: flags.into(),
        names: name_ids(players, places, [white, black, event, site, round]),
        counts: Counts { variations: counts & 15, comments: counts >> 4, nags: result & 15 },
        result: result >> 4,
        eco,
        date,
        event_date: event_date(date, dates >> 20),
        white_rating: rating(white_rating),
        black_rating: rating(black_rating),
        derived: Derived {
            opening_line,
            material,
            plies: u16::from(plies) | u16::from(packed >> 6) << 8,
            home_pawn_count: packed & 63,
            home_pawns,
        },
        // The fields outside the forty shared bytes.
        offset: 0,
        length: 0,
        chess960: false,
    };
    Ok((input, entry))
}

fn rating(stored: u16) -> Rating {
    Rating { value: stored & 0xfff, kind: low_8(u32::from(stored >> 12)) }
}

/// Decodes the event date of versions 3 and 4: day, month, and the year relative to the game's
/// year. The year is up to 2050, so that the entry is encoded as it was. (scid §2.2 "Entry")
fn event_date(date: u32, code: u32) -> u32 {
    let (year, difference) = (date >> 9, code >> 9);
    if difference == 0 {
        return 0;
    }
    let year = year.saturating_add(difference).saturating_sub(4);
    year << 9 | code & 0x1ff
}

/// Version 5: fourteen little-endian words. (scid §5.2 "Entry of version 5")
#[inline]
fn parse_entry_5(bytes: &[u8]) -> Option<IndexEntry> {
    let whole = bytes.first_chunk::<56>()?;
    let (input, words) = array::<48>(whole).ok()?;
    let (_, home_pawns) = array(input).ok()?;
    let (words, _) = words.as_chunks::<4>();
    let [w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11] =
        words.first_chunk()?.map(u32::from_le_bytes);
    let top = |word: u32, bits: u32| low_8(word >> bits);
    let low = |word: u32, bits: u32| word & !(u32::MAX << bits);
    let rating = |word: u32, kind: u32| Rating { value: low_16(word >> 20), kind: low_8(kind & 7) };
    Some(IndexEntry {
        offset: u64::from(low(w8, 15)) << 32 | u64::from(w9),
        length: w8 >> 15,
        flags: low(w7, 22),
        names: NameIds {
            white: low(w0, 28),
            black: low(w1, 28),
            event: low(w2, 28),
            site: w3,
            round: low(w4, 31),
        },
        counts: Counts { comments: top(w0, 28), variations: top(w1, 28), nags: top(w2, 28) },
        result: low_8(w11 >> 16 & 3),
        eco: low_16(w11),
        date: low(w5, 20),
        event_date: low(w6, 20),
        white_rating: rating(w5, w11 >> 21),
        black_rating: rating(w6, w11 >> 18),
        derived: Derived {
            opening_line: top(w10, 24),
            material: low(w10, 24),
            plies: low_16(w7 >> 22),
            home_pawn_count: top(w11, 24),
            home_pawns,
        },
        chess960: w4 >> 31 != 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_ids_of_any_bytes_equals_those_of_entry() {
        let mut random = testkit::Random::new(4);
        for version in [Version::Si3, Version::Si4, Version::Si5] {
            for _ in 0..1000 {
                let bytes = random.bytes(version.entry_size());
                let entry = version.parse_entry(&bytes).unwrap();
                assert_eq!(version.parse_ids(&bytes), Some(entry.names), "{version:?}");
            }
            let short = random.bytes(version.entry_size() - 1);
            assert_eq!(version.parse_ids(&short), None);
        }
    }
}
