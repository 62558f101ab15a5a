//! The name tables: players (and annotators), events, places, sources.

use chess_core::Date;
use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Location, field_size};
use nom::IResult;
use nom::Parser as _;
use nom::bytes::complete::take;
use nom::number::complete::{le_i32, le_u16, le_u24, le_u32, u8 as byte};

use crate::date::{decode_date, encode_date};
use crate::error::{Error, ErrorKind, NAME};
use crate::layout::{MAX_REDIRECTS, PLAYER_INFO_SIZE};
use crate::quirk::Quirk;
use crate::volume::{InnerFile, Volume, first_overlap};

/// The four tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NameKind {
    /// Players and annotators.
    Players,
    /// Tournaments and matches.
    Events,
    /// The places of the games.
    Places,
    /// The sources of the games.
    Sources,
}

impl NameKind {
    /// All tables, in root folder order.
    pub const ALL: [NameKind; 4] =
        [NameKind::Players, NameKind::Events, NameKind::Places, NameKind::Sources];

    /// The stem of its file names.
    #[must_use]
    pub const fn stem(self) -> &'static str {
        match self {
            NameKind::Players => "Players",
            NameKind::Events => "Events",
            NameKind::Places => "Places",
            NameKind::Sources => "Sources",
        }
    }

    /// The display name of its entries.
    pub(crate) const fn plural(self) -> &'static str {
        match self {
            NameKind::Players => "players",
            NameKind::Events => "events",
            NameKind::Places => "places",
            NameKind::Sources => "sources",
        }
    }
}

/// A stored name, with the data of `Players.d00` for a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct RawName<'a> {
    /// The name, in the encoding of the base.
    pub name: &'a [u8],
    /// A player's title; empty for other kinds.
    pub title: &'a [u8],
    /// More data on a player.
    pub info: PlayerInfo,
}

/// The data on a player in `Players.d00`.
// chessassistant §4.3 "Players.d00"
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct PlayerInfo {
    /// Elo rating; 0 for none.
    pub rating: u16,
    /// The player's FIDE number, as the description supposes; 0 for none.
    pub fide_id: u32,
    /// The date of birth.
    pub born: Date,
    /// 0 unknown, 1 male, 2 female.
    pub gender: u8,
}

pub(crate) fn parse_player_info(input: &[u8]) -> IResult<&[u8], PlayerInfo> {
    (le_u16, le_u32, le_u24, byte)
        .map(|(rating, fide_id, born, gender)| {
            let born = decode_date(born).unwrap_or_default();
            PlayerInfo { rating, fide_id, born, gender }
        })
        .parse(input)
}

pub(crate) fn encode_player_info(info: &PlayerInfo, out: &mut Vec<u8>) {
    out.extend_from_slice(&info.rating.to_le_bytes());
    out.extend_from_slice(&info.fide_id.to_le_bytes());
    out.extend_from_slice(&encode_date(info.born));
    out.push(info.gender);
}

// chessassistant §4.2 "Name records"
fn parse_player(input: &[u8]) -> IResult<&[u8], RawName<'_>> {
    let (rest, (name_length, title_length)) = (byte, byte).parse(input)?;
    let (rest, (name, title)) = (take(name_length), take(title_length)).parse(rest)?;
    Ok((rest, RawName { name, title, ..RawName::default() }))
}

fn parse_name(input: &[u8]) -> IResult<&[u8], RawName<'_>> {
    let (rest, length) = byte(input)?;
    let (rest, name) = take(length)(rest)?;
    Ok((rest, RawName { name, ..RawName::default() }))
}

/// Appends the record of a name. Texts longer than 255 bytes are truncated.
pub(crate) fn encode_name(kind: NameKind, name: &[u8], title: &[u8], out: &mut Vec<u8>) {
    let [name, title] = [name, title].map(|text| text.get(..255).unwrap_or(text));
    let length = |text: &[u8]| field_size::<u8, _>(text.len(), "it is cut to 255 bytes");
    out.push(length(name));
    if kind == NameKind::Players {
        out.push(length(title));
    }
    out.extend_from_slice(name);
    if kind == NameKind::Players {
        out.extend_from_slice(title);
    }
}

/// Follows redirects through a table of addresses: a negative entry is the negated id to follow.
/// Returns the last id and its address. `entry` returns the value of an id, or `None` beyond the
/// end.
// chessassistant §4.1 "Addresses and redirects"
pub(crate) fn resolve(
    id: u64,
    entries: u64,
    mut entry: impl FnMut(u64) -> Result<Option<i32>, Error>,
) -> Result<Result<(u64, u64), ErrorKind>, Error> {
    let mut at = id;
    for _ in 0..MAX_REDIRECTS {
        let Some(value) = entry(at)? else {
            return Ok(Err(ErrorKind::IdOutOfRange { id: at, entries }));
        };
        match u64::try_from(value) {
            Ok(address) => return Ok(Ok((at, address))),
            Err(_) => at = u64::from(value.unsigned_abs()),
        }
    }
    Ok(Err(ErrorKind::IdCycle(id)))
}

/// One table, in memory: addresses, records, the sorted order, and the info for players.
#[derive(Debug)]
pub struct NameTable {
    kind: NameKind,
    addresses: InnerFile,
    records: InnerFile,
    order: InnerFile,
    info: InnerFile,
}

impl NameTable {
    /// The kind of the table.
    #[must_use]
    pub fn kind(&self) -> NameKind {
        self.kind
    }

    /// The number of ids.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.addresses.bytes().len() / 4).unwrap_or(u32::MAX)
    }

    /// Whether the table is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of an id, after following redirects.
    ///
    /// # Errors
    /// The id or a redirect target is out of range; the redirects form a cycle; the record lies
    /// outside its file.
    pub fn get(&self, id: u32) -> Result<RawName<'_>, Error> {
        let (last, address) = self.locate(id)?;
        let fail = |kind| Error::new(kind, self.place(&self.records, address));
        let start = usize::try_from(address).unwrap_or(usize::MAX);
        let record = self.records.bytes().get(start..).unwrap_or_default();
        let parsed = match self.kind {
            NameKind::Players => parse_player(record),
            _ => parse_name(record),
        };
        let (_, mut name) = parsed.map_err(|_| fail(ErrorKind::Truncated(NAME)))?;
        // Use the info of the last id, because it belongs to the same player as the name.
        let at = usize::try_from(last).unwrap_or(usize::MAX).saturating_mul(PLAYER_INFO_SIZE);
        if let Some(info) = self.info.bytes().get(at..)
            && let Ok((_, info)) = parse_player_info(info)
        {
            name.info = info;
        }
        Ok(name)
    }

    /// The ids in the program's sort order of the names, from `.iii`.
    pub fn sorted_ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.order.bytes().chunks_exact(4).filter_map(|bytes| {
            let (_, id) = le_i32::<_, nom::error::Error<&[u8]>>(bytes).ok()?;
            u32::try_from(id).ok()
        })
    }

    /// The id at the end of the redirects, and the address of its record.
    fn locate(&self, id: u32) -> Result<(u64, u64), Error> {
        let found = resolve(id.into(), self.len().into(), |id| Ok(self.address(id)))?;
        let entry = u64::from(id).saturating_mul(4);
        found.map_err(|kind| Error::new(kind, self.place(&self.addresses, entry)))
    }

    fn address(&self, id: u64) -> Option<i32> {
        let start = usize::try_from(id).ok()?.checked_mul(4)?;
        let bytes = self.addresses.bytes().get(start..)?;
        le_i32::<_, nom::error::Error<&[u8]>>(bytes).ok().map(|(_, value)| value)
    }

    fn place(&self, file: &InnerFile, position: u64) -> Location {
        let here = Location::file("emb");
        file.absolute(position).map_or(here, |offset| here.at(offset))
    }

    /// The stored record of an id and its location in the EMB, for a dump.
    pub(crate) fn raw_record(&self, id: u32) -> Option<(u64, &[u8])> {
        let name = self.get(id).ok()?;
        let (_, address) = self.locate(id).ok()?;
        let lengths = if self.kind == NameKind::Players { 2 } else { 1 };
        let size = name.name.len().saturating_add(name.title.len()).saturating_add(lengths);
        let start = usize::try_from(address).ok()?;
        let bytes = self.records.bytes().get(start..start.checked_add(size)?)?;
        Some((self.records.absolute(address)?, bytes))
    }

    fn extents(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        [&self.addresses, &self.records, &self.order, &self.info]
            .into_iter()
            .flat_map(InnerFile::extents)
    }
}

/// The four tables. An unreadable table is missing.
#[derive(Debug, Default)]
pub(crate) struct Names {
    tables: [Option<NameTable>; 4],
}

impl Names {
    pub(crate) fn table(&self, kind: NameKind) -> Option<&NameTable> {
        self.tables.iter().flatten().find(|table| table.kind == kind)
    }

    pub(crate) fn tables(&self) -> impl Iterator<Item = &NameTable> {
        self.tables.iter().flatten()
    }

    /// Reads all tables of a volume. They share a budget of the volume's size, which bounds memory
    /// even if tables overlap.
    pub(crate) fn read<R: ReadAt>(
        volume: &Volume<R>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Names, Error> {
        let mut budget = volume.size();
        let mut names = Names::default();
        for (place, kind) in names.tables.iter_mut().zip(NameKind::ALL) {
            match read_table(volume, kind, &mut budget) {
                Ok(Some(table)) => *place = Some(table),
                Ok(None) => diagnostics.note(Quirk::NoTable, Location::file("emb"))?,
                Err(error) => {
                    let Some(cause) = Quirk::of_names(error.kind()) else { return Err(error) };
                    diagnostics.note(cause, error.location())?;
                    diagnostics.note(Quirk::NoTable, Location::file("emb"))?;
                }
            }
        }
        if let Some(offset) = first_overlap(names.tables().flat_map(NameTable::extents)) {
            let at = Location::file("emb").at(offset);
            diagnostics.note(Quirk::SharedBytes, at)?;
        }
        Ok(names)
    }
}

/// Reads a table. Returns `None` if its addresses or records are missing. The sorted order and the
/// player info are optional.
fn read_table<R: ReadAt>(
    volume: &Volume<R>,
    kind: NameKind,
    budget: &mut u64,
) -> Result<Option<NameTable>, Error> {
    let mut file = |extension: &str| {
        let name = format!("{}.{extension}", kind.stem());
        let entry = volume.entries().iter().find(|e| e.name().eq_ignore_ascii_case(&name));
        let Some(entry) = entry else { return Ok(None) };
        *budget = budget.checked_sub(entry.length().into()).ok_or_else(|| {
            Error::new(ErrorKind::Overlap, Location::file("emb").at(entry.offset().into()))
        })?;
        volume.read(entry).map(Some)
    };
    let (Some(addresses), Some(records)) = (file("a01")?, file("d01")?) else { return Ok(None) };
    let order = file("iii").ok().flatten().unwrap_or_default();
    let info = match kind {
        NameKind::Players => file("d00").ok().flatten().unwrap_or_default(),
        _ => InnerFile::default(),
    };
    Ok(Some(NameTable { kind, addresses, records, order, info }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_name_reads_each_field() {
        let player = [
            4, // length of the name
            2, // length of the title
            b'R', 0xe9, b't', b'i', // name, in windows-1252
            b'G', b'M', // title
        ];
        let (rest, name) = parse_player(&player).unwrap();
        assert_eq!((rest, name.name, name.title), (&b""[..], &b"R\xe9ti"[..], &b"GM"[..]));
        let mut out = Vec::new();
        encode_name(NameKind::Players, name.name, name.title, &mut out);
        assert_eq!(out, player);
        assert!(parse_player(&player[..7]).is_err());

        let place = [
            5, // length
            b'P', b'a', b'r', b'i', b's', // name
        ];
        let (_, name) = parse_name(&place).unwrap();
        assert_eq!((name.name, name.title), (&b"Paris"[..], &b""[..]));
        let mut out = Vec::new();
        encode_name(NameKind::Places, name.name, b"ignored", &mut out);
        assert_eq!(out, place);
        assert!(parse_name(&place[..5]).is_err() && parse_name(&[]).is_err());
    }

    #[test]
    fn parse_player_info_reads_each_field() {
        let bytes = [
            0xaf, 0x0a, // 0 rating 2735
            0xa6, 0xae, 0x0a, 0x00, // 2 FIDE number 700070
            0xf7, 0x8b, 0x0c, // 6 born 1976.07.23
            2,    // 9 female
        ];
        let born = Date::new(1976, 7, 23).unwrap();
        let info = PlayerInfo { rating: 2735, fide_id: 700_070, born, gender: 2 };
        assert_eq!(parse_player_info(&bytes), Ok((&b""[..], info)));
        let mut out = Vec::new();
        encode_player_info(&info, &mut out);
        assert_eq!(out, bytes);
    }

    #[test]
    fn redirects_are_bounded() {
        let find = |entries: &[i32], id| {
            let count = entries.len() as u64;
            resolve(id, count, |id| Ok(entries.get(id as usize).copied())).unwrap()
        };
        assert!(matches!(find(&[4, -2, 9], 1), Ok((2, 9))));
        assert!(matches!(find(&[0], 0), Ok((0, 0))), "zero is an address");
        assert!(matches!(find(&[4, -1], 1), Err(ErrorKind::IdCycle(1))));
        assert!(matches!(find(&[4, -2, -1], 1), Err(ErrorKind::IdCycle(1))));
        assert!(matches!(find(&[4], 1), Err(ErrorKind::IdOutOfRange { id: 1, entries: 1 })));
        let minimum = find(&[i32::MIN], 0);
        assert!(matches!(minimum, Err(ErrorKind::IdOutOfRange { id: 2_147_483_648, .. })));
    }
}
