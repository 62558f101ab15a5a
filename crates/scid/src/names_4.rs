//! The names file of versions 3 and 4: records in Scid's order, each without the prefix it shares
//! with the previous name. (scid §3.1 "Names of versions 3 and 4")

use std::cmp::Ordering;
use std::ops::Range;

use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Location};
use nom::bytes::complete::{tag, take};
use nom::number::complete::be_u24;
use nom::{IResult, Parser as _};

use crate::error::{Error, ErrorKind, size};
use crate::fields::{self, be_16, be_24, byte};
use crate::layout::{NAMES_HEADER_SIZE, NAMES_MAGIC};
use crate::names::{NameKind, NameList, RawNames, SHORT, TooMuch, compare_tails};
use crate::quirk::Quirk;

/// The size of the window into the file.
const WINDOW: usize = 1 << 16;
/// The sizes of the longest record, the shortest record, and most names.
const LONGEST_RECORD: usize = 3 + 3 + 1 + 1 + 255;
const LEAST_RECORD: usize = 5;
const USUAL_NAME: usize = 16;

/// Reads a names file of version 3 or 4. Damage ends the list and is a quirk, because a game
/// without names is better than none.
pub(crate) fn parse_names_4<R: ReadAt + ?Sized>(
    file: &R,
    name: &'static str,
    diagnostics: &mut Diagnostics,
) -> Result<RawNames, Error> {
    let at = Location::file(name);
    let mut names = RawNames::default();
    let size = size(file, name)?;
    let mut window = Window { file, size, at, start: 0, bytes: Vec::new(), place: 0 };
    let bytes = window.rest()?;
    if tag::<_, _, ()>(&NAMES_MAGIC[..]).parse(bytes).is_err() {
        diagnostics.note(Quirk::NamesMagic, at.at(0))?;
    }
    let Some(header) = parse_header(bytes) else {
        diagnostics.note(Quirk::NamesDamaged, at.at(0))?;
        return Ok(names);
    };
    window.pass(NAMES_HEADER_SIZE);
    for (list, header) in names.iter_mut().zip(header) {
        if !ListReader::new(list, header, size).read(&mut window, diagnostics)? {
            diagnostics.note(Quirk::NamesDamaged, window.location())?;
            return Ok(names);
        }
    }
    if window.position() < size {
        diagnostics.note(Quirk::NamesTrailing, window.location())?;
    }
    Ok(names)
}

/// The number of names of each kind, and the highest use count.
/// (scid §3.1 "Names of versions 3 and 4")
fn parse_header(bytes: &[u8]) -> Option<[(u32, u32); 4]> {
    let four = || (be_u24::<_, ()>, be_u24, be_u24, be_u24);
    let (_, (_, _unused, n, max)) =
        (take(8usize), take(4usize), four(), four()).parse(bytes).ok()?;
    Some([(n.0, max.0), (n.1, max.1), (n.2, max.2), (n.3, max.3)])
}

/// One record of a list.
struct NameRecord<'a> {
    id: u32,
    /// The length of the whole name.
    length: u8,
    /// The length of the prefix shared with the previous name.
    prefix: u8,
    rest: &'a [u8],
    /// The other bytes of the name, and everything after it in the window.
    tail: &'a [u8],
}

/// Parses a record. Field widths depend on the file header, not on the list.
#[inline]
fn parse_record(
    bytes: &[u8],
    count: u32,
    max: u32,
    first: bool,
) -> Option<(&[u8], NameRecord<'_>)> {
    let id_width = if count >= 0x1_0000 { 3 } else { 2 };
    let frequency_width = match max {
        0x1_0000.. => 3,
        0x100.. => 2,
        _ => 1,
    };
    let (input, id) = number(id_width, bytes).ok()?;
    let (input, _frequency) = number(frequency_width, input).ok()?;
    let (input, length) = byte(input).ok()?;
    let (tail, prefix) = if first { (input, 0) } else { byte(input).ok()? };
    let (input, rest) = fields::bytes(length.checked_sub(prefix)?.into(), tail).ok()?;
    Some((input, NameRecord { id, length, prefix, rest, tail }))
}

/// Parses a number of one to three bytes.
#[inline(always)]
fn number(width: usize, input: &[u8]) -> IResult<&[u8], u32, ()> {
    match width {
        1 => byte(input).map(|(input, one)| (input, one.into())),
        2 => be_16(input).map(|(input, two)| (input, two.into())),
        _ => be_24(input),
    }
}

/// Reads a file from start to end through a window.
struct Window<'a, R: ?Sized> {
    file: &'a R,
    size: u64,
    at: Location,
    /// The file offset of the window, and the number of its bytes already read.
    start: u64,
    bytes: Vec<u8>,
    place: usize,
}

impl<R: ReadAt + ?Sized> Window<'_, R> {
    /// The remaining bytes: enough for one record, unless the file ends.
    fn rest(&mut self) -> Result<&[u8], Error> {
        let end = self.start.saturating_add(self.bytes.len() as u64);
        if self.bytes.len().saturating_sub(self.place) < LONGEST_RECORD && end < self.size {
            self.start = self.position();
            self.place = 0;
            let read = self.file.read_into(self.start, WINDOW, &mut self.bytes);
            read.map_err(Error::io(self.location()))?;
        }
        Ok(self.bytes.get(self.place..).unwrap_or_default())
    }

    fn pass(&mut self, bytes: usize) {
        self.place = self.place.saturating_add(bytes);
    }

    fn position(&self) -> u64 {
        self.start.saturating_add(self.place as u64)
    }

    fn location(&self) -> Location {
        self.at.at(self.position())
    }
}

/// Parser of one list of names.
struct ListReader<'a> {
    list: &'a mut NameList<Vec<u8>>,
    /// The number of names, and the highest use count.
    count: u32,
    max: u32,
    /// An upper bound for ids. Without it, one id beyond the file's capacity could make the table
    /// larger than the file.
    end: u64,
    number: u32,
    /// The previous name, with [`SHORT`] spare bytes after it, and its length.
    name: [u8; 255 + SHORT],
    length: usize,
    ordered: bool,
}

impl<'a> ListReader<'a> {
    fn new(list: &'a mut NameList<Vec<u8>>, (count, max): (u32, u32), size: u64) -> Self {
        let most = usize::try_from(size).unwrap_or(usize::MAX) / LEAST_RECORD;
        list.reserve(most.min(count as usize), USUAL_NAME);
        let end = size.min(count.into());
        ListReader {
            list,
            count,
            max,
            end,
            number: 0,
            name: [0; 255 + SHORT],
            length: 0,
            ordered: true,
        }
    }

    /// Reads the list. Returns whether all its records are valid. If not, the window stands before
    /// the first invalid record.
    fn read<R: ReadAt + ?Sized>(
        mut self,
        window: &mut Window<'_, R>,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, Error> {
        while self.number < self.count {
            let at = window.location();
            let read = self.read_some(window.rest()?, at, diagnostics)?;
            window.pass(read);
            if read == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads records while they are valid and the next one is certainly complete. Returns the
    /// number of bytes read.
    fn read_some(
        &mut self,
        bytes: &[u8],
        at: Location,
        diagnostics: &mut Diagnostics,
    ) -> Result<usize, Error> {
        let (mut rest, mut read) = (bytes, 0);
        while self.number < self.count && (read == 0 || rest.len() >= LONGEST_RECORD) {
            let is_first = self.number == 0;
            let Some((next, record)) = parse_record(rest, self.count, self.max, is_first) else {
                break;
            };
            if usize::from(record.prefix) > self.length {
                break;
            }
            let at = || at.at(at.offset.unwrap_or(0).saturating_add(read as u64));
            self.take(&record, at, diagnostics)?;
            rest = next;
            read = bytes.len().saturating_sub(rest.len());
        }
        Ok(read)
    }

    /// Appends the unshared part of a name to the prefix shared with the previous name.
    // Most parts are short, so copying a fixed number of bytes is faster than checking the length.
    #[inline]
    fn copy_tail(&mut self, record: &NameRecord<'_>) {
        let (same, length) = (usize::from(record.prefix), usize::from(record.length));
        let place = self.name.get_mut(same..).unwrap_or_default();
        match (place.first_chunk_mut::<SHORT>(), record.tail.first_chunk::<SHORT>()) {
            (Some(place), Some(tail)) if record.rest.len() <= SHORT => *place = *tail,
            _ => {
                if let Some(place) = self.name.get_mut(same..length) {
                    place.copy_from_slice(record.rest);
                }
            }
        }
    }

    /// Adds a name.
    #[inline]
    fn take(
        &mut self,
        record: &NameRecord<'_>,
        at: impl Fn() -> Location,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let (same, length) = (usize::from(record.prefix), usize::from(record.length));
        let before = self.name.get(same..self.length).unwrap_or_default();
        let order = compare_tails(same, before, record.rest);
        if self.ordered && self.number > 0 && order != Ordering::Less {
            self.ordered = false;
            diagnostics.note(Quirk::NamesOrder, at())?;
        }
        self.copy_tail(record);
        self.length = length;
        self.number = self.number.saturating_add(1);
        if u64::from(record.id) >= self.end {
            diagnostics.note(Quirk::NameIdRange, at())?;
            return Ok(());
        }
        let added = match self.name.first_chunk() {
            Some(short) if length <= SHORT => {
                self.list.add_short(record.id as usize, short, length)
            }
            _ => self.list.add(record.id as usize, self.name.get(..length).unwrap_or_default()),
        };
        if !added.map_err(|TooMuch| Error::new(ErrorKind::NamesTooLong, at()))? {
            diagnostics.note(Quirk::DuplicateNameId, at())?;
        }
        Ok(())
    }
}

/// Finds the record of a name in a version 3 or 4 file.
pub(crate) fn locate_name_4(file: &[u8], kind: NameKind, id: u32) -> Option<Range<usize>> {
    let mut position = NAMES_HEADER_SIZE;
    for (list, (count, max)) in NameKind::ALL.into_iter().zip(parse_header(file)?) {
        for number in 0..count {
            let (rest, record) = parse_record(file.get(position..)?, count, max, number == 0)?;
            let end = file.len().saturating_sub(rest.len());
            if list == kind && record.id == id {
                return Some(position..end);
            }
            position = end;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Version;
    use crate::name_table::NameTable;
    use chess_store::names::NameHasher;

    /// Five thousand players in id order: more than two windows of a file.
    fn names() -> RawNames {
        let mut names = RawNames::default();
        for number in 0..5000u32 {
            let filler = "x".repeat(number as usize % 90);
            let name = format!("{:010}{filler}", number.wrapping_mul(2_654_435_761));
            assert!(names[0].push(name.as_bytes()).is_ok());
        }
        names
    }

    fn file(names: &RawNames) -> Vec<u8> {
        NameTable::of(Version::Si4, names, &NameHasher::default()).unwrap().encode_4()
    }

    fn read(file: &[u8]) -> (RawNames, Vec<u64>) {
        let mut diagnostics = Diagnostics::lenient();
        let names = parse_names_4(file, "sn4", &mut diagnostics).unwrap();
        (names, diagnostics.warnings().iter().filter_map(|warning| warning.at.offset).collect())
    }

    #[test]
    fn names_4_file_of_several_windows_is_read() {
        let names = names();
        let bytes = file(&names);
        assert!(bytes.len() > 3 * WINDOW, "{}", bytes.len());
        let (back, warnings) = read(&bytes);
        assert!(warnings.is_empty(), "{warnings:?}");
        for id in 0..5000 {
            assert_eq!(back[0].get(id), names[0].get(id), "{id}");
        }
        let longer = [&bytes[..], b"x"].concat();
        assert_eq!(read(&longer).1, [bytes.len() as u64]);
    }

    #[test]
    fn names_4_truncated_keeps_whole_names_and_offset() {
        let bytes = file(&names());
        let whole = |length: usize| read(&bytes[..length]).0[0].count();
        for length in [WINDOW - 1, WINDOW, WINDOW + 1, 2 * WINDOW + 5, bytes.len() - 1] {
            let (names, warnings) = read(&bytes[..length]);
            let [at] = warnings[..] else { panic!("{length}: {warnings:?}") };
            let at = usize::try_from(at).unwrap();
            assert!(at < length && length - at < LONGEST_RECORD, "{length}: {at}");
            assert_eq!(whole(at), names[0].count(), "{length}");
            assert!(whole(at - 1) < names[0].count(), "{length}");
        }
    }
}
