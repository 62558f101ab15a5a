//! The index: its header and its entries.

use chess_store::Location;
use chess_store::io::ReadAt;
use nom::bytes::complete::{tag, take};
use nom::number::complete::{be_u16, be_u32, be_u64, u8 as byte};
use nom::{IResult, Parser};

use crate::error::{Error, ErrorKind};
use crate::layout::{
    ENTRY_SIZE, INDEX_MAGIC, Layout, OPEN_DEFAULT_COMPLEMENT, STATUS_DELETED, VERSION,
};

/// The header of the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct IndexHeader {
    /// The version byte; 0 in every known file.
    pub version: u8,
    /// The number, from zero, of the game to show first. The description calls it an offset. The
    /// author's reader takes it as a number, and his writer always writes 0. Here it may be the
    /// complement of a number. // dcg §3.5
    pub open_default: u64,
}

impl IndexHeader {
    /// The number or offset that `open_default` states, and whether it is stated as a complement,
    /// which says that the numbering of the promotions is the program's.
    pub(crate) const fn default_game(self) -> (u64, bool) {
        let complement = self.open_default >= OPEN_DEFAULT_COMPLEMENT;
        (if complement { !self.open_default } else { self.open_default }, complement)
    }

    /// Encodes the header of an index of the current layout.
    // dcg §3 "Index header"
    pub(crate) fn encode(self, out: &mut Vec<u8>) {
        out.extend_from_slice(INDEX_MAGIC);
        out.push(self.version);
        out.extend_from_slice(&self.open_default.to_be_bytes());
    }
}

/// Parses the header of an index. Returns `None` if the bytes are too few or not an index.
// dcg §3 "Index header"
pub(crate) fn parse_header(bytes: &[u8]) -> Option<IndexHeader> {
    fn header(input: &[u8]) -> IResult<&[u8], IndexHeader> {
        let (input, _) = tag(INDEX_MAGIC.as_slice())(input)?;
        let (input, (version, open_default)) = (byte, be_u64).parse(input)?;
        Ok((input, IndexHeader { version, open_default }))
    }
    header(bytes).ok().map(|(_, header)| header)
}

/// An index entry as stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct IndexEntry {
    /// 0x00, or 0xFF for a game marked as deleted.
    pub status: u8,
    /// The offset of the game's length in the `.dcg` file.
    pub offset: u64,
    /// The offset of White's name in the `.dcn` file; 0 for none.
    pub white: u32,
    /// The offset of Black's name in the `.dcn` file; 0 for none.
    pub black: u32,
    /// The round; 0 if unknown.
    pub round: u16,
    /// The offset of the site in the `.dcs` file; 0 for none.
    pub site: u32,
    /// The offset of the event in the `.dce` file; 0 for none, and in the old layout.
    pub event: u32,
    /// White's Elo; 0 if unknown.
    pub white_elo: u16,
    /// Black's Elo; 0 if unknown.
    pub black_elo: u16,
    /// 0 unknown, 1 White wins, 2 Black wins, 3 drawn.
    pub result: u8,
    /// Three letters, or three zero bytes.
    pub eco: [u8; 3],
    /// Year; 0 if unknown.
    pub year: u16,
    /// Month; 0 if unknown.
    pub month: u8,
    /// Day; 0 if unknown.
    pub day: u8,
}

impl IndexEntry {
    /// Parses the entry at the start of `bytes`. Returns `None` if they are too few.
    // dcg §4 "Index entry"
    #[must_use]
    pub fn parse(bytes: &[u8], layout: Layout) -> Option<IndexEntry> {
        parse_entry(bytes, layout).ok().map(|(_, entry)| entry)
    }

    /// Appends the bytes of the entry.
    // dcg §4 "Index entry"
    pub fn encode(&self, layout: Layout, out: &mut Vec<u8>) {
        out.push(self.status);
        out.extend_from_slice(&self.offset.to_be_bytes());
        out.extend_from_slice(&self.white.to_be_bytes());
        out.extend_from_slice(&self.black.to_be_bytes());
        out.extend_from_slice(&self.round.to_be_bytes());
        out.extend_from_slice(&self.site.to_be_bytes());
        if layout == Layout::Current {
            out.extend_from_slice(&self.event.to_be_bytes());
        }
        out.extend_from_slice(&self.white_elo.to_be_bytes());
        out.extend_from_slice(&self.black_elo.to_be_bytes());
        out.push(self.result);
        out.extend_from_slice(&self.eco);
        out.extend_from_slice(&self.year.to_be_bytes());
        out.push(self.month);
        out.push(self.day);
    }

    /// Whether the game is marked as deleted.
    #[must_use]
    pub const fn is_deleted(&self) -> bool {
        self.status == STATUS_DELETED
    }

    /// Whether the fields are plausible for a games file of this size.
    pub(crate) fn is_plausible(&self, games_size: Option<u64>) -> bool {
        matches!(self.status, 0 | STATUS_DELETED)
            && self.offset >= 10
            && games_size.is_none_or(|size| self.offset < size.max(11))
            && self.result <= 3
            && self.month <= 12
            && self.day <= 31
    }
}

fn parse_entry(input: &[u8], layout: Layout) -> IResult<&[u8], IndexEntry> {
    let (input, (status, offset)) = (byte, be_u64).parse(input)?;
    let (input, (white, black, round, site)) = (be_u32, be_u32, be_u16, be_u32).parse(input)?;
    let (input, event) = match layout {
        Layout::Current => be_u32(input)?,
        Layout::Old => (input, 0),
    };
    let (input, (white_elo, black_elo, result)) = (be_u16, be_u16, byte).parse(input)?;
    let (input, eco) = take(3usize)(input)?;
    let (input, (year, month, day)) = (be_u16, byte, byte).parse(input)?;
    let eco = <[u8; 3]>::try_from(eco).unwrap_or_default();
    let entry = IndexEntry {
        status,
        offset,
        white,
        black,
        round,
        site,
        event,
        white_elo,
        black_elo,
        result,
        eco,
        year,
        month,
        day,
    };
    Ok((input, entry))
}

/// The entries of an index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entries {
    pub(crate) layout: Layout,
    pub(crate) count: u64,
}

impl Entries {
    /// The offset of the entry of a game, numbered from zero.
    pub(crate) fn location(self, game: u64) -> Location {
        Location::file("dci").at(self.layout.entry_offset(game)).in_game(game)
    }

    /// The game whose entry begins at an offset of the `.dci` file.
    pub(crate) fn game_at(self, offset: u64) -> Option<u64> {
        let (game, rest) =
            self.layout.count_entries(offset.checked_sub(self.layout.header_size())?);
        (rest == 0 && game < self.count).then_some(game)
    }

    /// The location of a game's entry.
    ///
    /// # Errors
    /// No such game.
    pub(crate) fn find(self, game: u64) -> Result<(u64, Location), Error> {
        let at = self.location(game);
        if game >= self.count {
            return Err(ErrorKind::NoSuchGame(self.count).at(at));
        }
        Ok((self.layout.entry_offset(game), at))
    }

    /// Reads the entry of a game.
    ///
    /// # Errors
    /// I/O errors; no such game.
    pub(crate) fn read(self, index: &impl ReadAt, game: u64) -> Result<IndexEntry, Error> {
        let (offset, at) = self.find(game)?;
        let mut bytes = [0; ENTRY_SIZE];
        let count = index.read_full(offset, &mut bytes).map_err(Error::io(at))?;
        let entry = bytes.get(..count).and_then(|bytes| IndexEntry::parse(bytes, self.layout));
        entry.ok_or_else(|| ErrorKind::Cut("the index").at(at))
    }
}

/// Detects the layout of an index of `size` bytes from its first bytes, the presence of an events
/// file, and the size of the games file, if present.
///
/// The plausibility of the first entries under either layout decides. If neither or both are
/// plausible, as in an empty base, the size decides. The last criterion is the events file, which
/// only the current layout has.
// dcg §2 "Versions"
pub(crate) fn detect_layout(
    size: u64,
    start: &[u8],
    events: bool,
    games_size: Option<u64>,
) -> Layout {
    let score = |layout: Layout| {
        let body = size.checked_sub(layout.header_size());
        let fits = body.is_some_and(|body| layout.count_entries(body).1 == 0);
        let step = usize::try_from(layout.entry_size()).unwrap_or(1);
        let entries = usize::try_from(layout.header_size()).ok().and_then(|at| start.get(at..));
        let mut entries = entries.unwrap_or_default().chunks_exact(step).take(SAMPLED).peekable();
        let nothing_to_see = entries.peek().is_none();
        let plausible = entries.all(|bytes| {
            IndexEntry::parse(bytes, layout).is_some_and(|entry| entry.is_plausible(games_size))
        });
        let version = match (layout, start.get(10)) {
            (Layout::Current, Some(&version)) => version == VERSION,
            _ => true,
        };
        let entries = match (nothing_to_see, plausible && version) {
            (true, _) => 1,
            (false, true) => 2,
            (false, false) => 0,
        };
        let companion = events == (layout == Layout::Current);
        // The most telling criterion first.
        (entries, fits, companion)
    };
    if score(Layout::Old) > score(Layout::Current) { Layout::Old } else { Layout::Current }
}

/// The number of entries that [`detect_layout`] examines, and their bytes.
const SAMPLED: usize = 16;
pub(crate) const SAMPLE_SIZE: usize = 19 + 39 * SAMPLED;

#[cfg(test)]
mod tests {
    use super::*;

    /// The first entry of fixtures/dcg/basic, at byte 19 of its index.
    #[rustfmt::skip]
    const ENTRY: [u8; 39] = [
        0x00,                                           // status: live
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0a, // offset of the game: 10
        0x00, 0x00, 0x00, 0x2e,                         // White: 46, the second name
        0x00, 0x00, 0x00, 0x76,                         // Black: 118, the fourth
        0x00, 0x01,                                     // round 1
        0x00, 0x00, 0x00, 0x2e,                         // site: 46
        0x00, 0x00, 0x00, 0x0a,                         // event: 10
        0x0a, 0x28,                                     // White's Elo 2600
        0x09, 0xb0,                                     // Black's Elo 2480
        0x01,                                           // White wins
        0x43, 0x33, 0x33,                               // C33
        0x07, 0x3b,                                     // year 1851
        0x06,                                           // June
        0x15,                                           // 21st
    ];

    fn entry() -> IndexEntry {
        IndexEntry {
            status: 0,
            offset: 10,
            white: 46,
            black: 118,
            round: 1,
            site: 46,
            event: 10,
            white_elo: 2600,
            black_elo: 2480,
            result: 1,
            eco: *b"C33",
            year: 1851,
            month: 6,
            day: 21,
        }
    }

    #[test]
    fn parse_entry_39_bytes_reads_each_field() {
        assert_eq!(IndexEntry::parse(&ENTRY, Layout::Current), Some(entry()));
        let mut out = Vec::new();
        entry().encode(Layout::Current, &mut out);
        assert_eq!(out, ENTRY);
        assert_eq!(IndexEntry::parse(&ENTRY[..38], Layout::Current), None);
    }

    #[test]
    fn parse_entry_35_bytes_has_no_event() {
        let old: Vec<u8> = [&ENTRY[..23], &ENTRY[27..]].concat();
        let expected = IndexEntry { event: 0, ..entry() };
        assert_eq!(IndexEntry::parse(&old, Layout::Old), Some(expected));
        let mut out = Vec::new();
        entry().encode(Layout::Old, &mut out);
        assert_eq!(out, old);
    }

    #[test]
    fn parse_header_reads_each_field() {
        #[rustfmt::skip]
        let bytes = [
            b'S', b'i', b'm', b'p', b'l', b'e', b'C', b'D', b'b', b'i', // magic
            0x00,                                                       // version
            0, 0, 0, 0, 0, 0, 0x01, 0x02,                               // game 258 is shown first
        ];
        let header = IndexHeader { version: 0, open_default: 258 };
        assert_eq!(parse_header(&bytes), Some(header));
        let mut out = Vec::new();
        header.encode(&mut out);
        assert_eq!(out, bytes);
        assert_eq!(parse_header(&bytes[..18]), None);
        assert_eq!(parse_header(b"SimpleCDbg\0\0\0\0\0\0\0\0\0"), None);
    }

    #[test]
    fn detect_layout_distinguishes_layouts() {
        let index = |layout: Layout, count: usize| {
            let mut bytes = Vec::new();
            match layout {
                Layout::Current => IndexHeader::default().encode(&mut bytes),
                Layout::Old => bytes.extend_from_slice(INDEX_MAGIC),
            }
            for number in 0..count {
                let offset = 10 + 50 * number as u64;
                IndexEntry { offset, ..entry() }.encode(layout, &mut bytes);
            }
            bytes
        };
        let detect = |bytes: &[u8], events, games_size| {
            detect_layout(bytes.len() as u64, bytes, events, games_size)
        };
        for (layout, size) in [
            (Layout::Current, Some(1_000_000)),
            (Layout::Current, None),
            (Layout::Old, Some(1_000_000)),
            (Layout::Old, None),
        ] {
            for count in 1..90 {
                let bytes = index(layout, count);
                for cut in [0, 1, 20] {
                    let bytes = &bytes[..bytes.len() - cut];
                    if bytes.len() as u64 >= layout.header_size() + layout.entry_size() {
                        assert_eq!(detect(bytes, true, size), layout, "{count} entries");
                        assert_eq!(detect(bytes, false, size), layout, "{count} entries");
                    }
                }
            }
            let empty = index(layout, 0);
            assert_eq!(detect(&empty, layout == Layout::Current, size), layout);
        }
    }
}
