//! Reading of an entity file.

use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Location};
use nom::number::complete::le_i32;
use nom::{IResult, Parser};

use super::kind::EntityKind;
use crate::error::Error;
use crate::layout::{ENTITY_DELETED, ENTITY_HEADER, ENTITY_LINKS, ENTITY_MAGIC};
use crate::quirk::Quirk;

/// The header of an entity file.
// cbh §6.1 "File and tree"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct EntityHeader {
    /// The number of records, deleted ones included.
    pub(crate) capacity: i32,
    pub(crate) root: i32,
    pub(crate) magic: i32,
    pub(crate) data_size: i32,
    pub(crate) first_deleted: i32,
    pub(crate) count: i32,
    /// The number of extra bytes before the first record.
    pub(crate) extra: i32,
}

pub(crate) fn parse_entity_header(bytes: &[u8]) -> Option<EntityHeader> {
    fn header(input: &[u8]) -> IResult<&[u8], EntityHeader> {
        let (rest, (capacity, root, magic, data_size)) =
            (le_i32, le_i32, le_i32, le_i32).parse(input)?;
        let (rest, (first_deleted, count, extra)) = (le_i32, le_i32, le_i32).parse(rest)?;
        let header = EntityHeader { capacity, root, magic, data_size, first_deleted, count, extra };
        Ok((rest, header))
    }
    header(bytes).ok().map(|(_, header)| header)
}

impl EntityHeader {
    /// Returns the header and the number of its extra bytes, if it fits an entity file of `kind`.
    fn checked(self, kind: EntityKind) -> Option<(EntityHeader, u64)> {
        let fits =
            self.magic == ENTITY_MAGIC && usize::try_from(self.data_size) == Ok(kind.data_size());
        let extra = u64::try_from(self.extra).ok().filter(|_| fits)?;
        Some((self, extra))
    }

    pub(crate) fn encode(self) -> [u8; ENTITY_HEADER] {
        let mut bytes = [0; ENTITY_HEADER];
        let fields = [
            self.capacity,
            self.root,
            self.magic,
            self.data_size,
            self.first_deleted,
            self.count,
            self.extra,
        ];
        for (place, field) in bytes.chunks_exact_mut(4).zip(fields) {
            place.copy_from_slice(&field.to_le_bytes());
        }
        bytes
    }
}

/// The tree links of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Links {
    pub(crate) left: i32,
    pub(crate) right: i32,
    /// The height of the right subtree minus the height of the left one.
    pub(crate) balance: i8,
}

/// The names of one kind, all of them in memory.
#[derive(Clone, Debug)]
pub(crate) struct EntityFile {
    pub(crate) kind: EntityKind,
    pub(crate) header: EntityHeader,
    /// The bytes of all records.
    records: Vec<u8>,
    /// The offset of the first record.
    start: u64,
}

impl EntityFile {
    /// Returns the substitute for a missing file.
    pub(crate) fn missing(kind: EntityKind) -> EntityFile {
        EntityFile { kind, header: EntityHeader::default(), records: Vec::new(), start: 0 }
    }

    pub(crate) fn read<R: ReadAt>(
        kind: EntityKind,
        file: &R,
        diagnostics: &mut Diagnostics,
    ) -> Result<EntityFile, Error> {
        let at = Location::file(kind.file());
        let mut start = [0; ENTITY_HEADER];
        let count = file.read_full(0, &mut start).map_err(Error::io(at))?;
        let header = parse_entity_header(start.get(..count).unwrap_or_default());
        let Some((header, extra)) = header.and_then(|header| header.checked(kind)) else {
            diagnostics.note(Quirk::NotEntities, at.at(0))?;
            return Ok(EntityFile::missing(kind));
        };
        let start = extra.saturating_add(ENTITY_HEADER as u64);
        let mut file_of = EntityFile { kind, header, records: Vec::new(), start };
        let wanted = usize::try_from(header.capacity).unwrap_or(0).saturating_mul(file_of.step());
        file.read_into(start, wanted, &mut file_of.records).map_err(Error::io(at))?;
        if file_of.records.len() != wanted || header.capacity < 0 {
            diagnostics.note(Quirk::EntitySize, at)?;
        }
        Ok(file_of)
    }

    fn step(&self) -> usize {
        self.kind.data_size().saturating_add(ENTITY_LINKS)
    }

    /// Returns the number of records, deleted ones included.
    pub(crate) fn len(&self) -> usize {
        self.records.len().checked_div(self.step()).unwrap_or(0)
    }

    /// Returns the location of a record.
    pub(crate) fn place(&self, id: u32) -> Location {
        let before = u64::from(id).saturating_mul(self.step() as u64);
        Location::file(self.kind.file()).at(self.start.saturating_add(before))
    }

    /// Returns the bytes of a record, links included.
    pub(crate) fn record(&self, id: u32) -> Option<&[u8]> {
        let start = usize::try_from(id).ok()?.checked_mul(self.step())?;
        self.records.get(start..)?.get(..self.step())
    }

    pub(crate) fn links(&self, id: u32) -> Option<Links> {
        fn links(input: &[u8]) -> IResult<&[u8], Links> {
            let (rest, (left, right, balance)) =
                (le_i32, le_i32, nom::number::complete::i8).parse(input)?;
            Ok((rest, Links { left, right, balance }))
        }
        links(self.record(id)?).ok().map(|(_, links)| links)
    }

    /// Returns the data of an entity, and whether it was deleted. // cbh §6.1.5
    pub(crate) fn data(&self, id: u32) -> Option<(&[u8], bool)> {
        let record = self.record(id)?;
        let (links, data) = record.split_at_checked(ENTITY_LINKS)?;
        let deleted = links.starts_with(&ENTITY_DELETED.to_le_bytes());
        Some((data, deleted))
    }

    /// Returns the number of references and the first game, as the record holds them.
    pub(crate) fn counts(&self, id: u32) -> Option<(u32, u32)> {
        let (data, _) = self.data(id)?;
        let (rest, first) = data.split_last_chunk::<4>()?;
        let references = rest.last_chunk::<4>()?;
        Some((u32::from_le_bytes(*references), u32::from_le_bytes(*first)))
    }
}
