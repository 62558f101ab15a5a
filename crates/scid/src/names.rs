//! The namebase: every player, event, site and round once. (scid §3 "Names")

use std::cmp::Ordering;

use chess_store::{Diagnostics, Location, TextDecoder};
use nom::Parser as _;
use nom::bytes::complete::{tag, take};
use nom::number::complete::be_u24;

use crate::error::{Error, ErrorKind};
use crate::layout::{NAMES_HEADER_SIZE, NAMES_MAGIC};
use crate::quirk::Quirk;

/// The kinds of name, in the order of the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names say it")]
#[repr(u8)]
pub enum NameKind {
    Player = 0,
    Event = 1,
    Site = 2,
    Round = 3,
}

impl NameKind {
    /// All four.
    pub const ALL: [NameKind; 4] =
        [NameKind::Player, NameKind::Event, NameKind::Site, NameKind::Round];
}

/// The names of one kind by id, all in one buffer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NameList<T> {
    text: T,
    /// Where each id's name stands.
    spans: Vec<Span>,
    /// How many ids have a name.
    count: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    start: u32,
    length: u32,
}

impl Span {
    /// An id without a name.
    const NONE: Span = Span { start: u32::MAX, length: u32::MAX };

    fn range(self) -> Option<std::ops::Range<usize>> {
        let (start, length) = (self.start as usize, self.length as usize);
        (self != Span::NONE).then(|| start..start.saturating_add(length))
    }
}

/// Names as the file has them.
pub(crate) type RawNames = [NameList<Vec<u8>>; 4];
/// Names as text.
pub type Names = [NameList<String>; 4];

impl<T> NameList<T> {
    /// One more than the highest id.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there is no name.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// How many ids below [`len`](NameList::len) have a name.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    fn put(&mut self, id: usize, start: usize, length: usize) -> Result<bool, TooMuch> {
        let span = Span {
            start: u32::try_from(start).map_err(|_| TooMuch)?,
            length: u32::try_from(length).map_err(|_| TooMuch)?,
        };
        if id >= self.spans.len() {
            self.spans.resize(id.saturating_add(1), Span::NONE);
        }
        let Some(slot) = self.spans.get_mut(id) else { return Ok(true) };
        let fresh = *slot == Span::NONE;
        *slot = span;
        self.count = self.count.saturating_add(usize::from(fresh));
        Ok(fresh)
    }
}

/// More than 4 GiB of names of a kind.
pub(crate) struct TooMuch;

impl NameList<Vec<u8>> {
    /// The name of an id.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<&[u8]> {
        self.text.get(self.spans.get(id as usize)?.range()?)
    }

    /// Adds a name under the next id.
    pub(crate) fn push(&mut self, name: &[u8]) -> Result<bool, TooMuch> {
        let start = self.text.len();
        self.text.extend_from_slice(name);
        self.put(self.spans.len(), start, name.len())
    }

    /// Every name as text. The buffer is kept if it is text already.
    fn decode(mut self, decoder: &TextDecoder) -> Result<NameList<String>, TooMuch> {
        let text = std::mem::take(&mut self.text);
        // Nearly always all names are UTF-8, which is quickly seen of all at once.
        let whole = decoder.utf8_prefix(&text);
        let is_whole = |span: &Span| span.range().is_none_or(|range| whole.get(range).is_some());
        let are_whole = whole.len() == text.len() && self.spans.iter().all(is_whole);
        let sound = |span: &Span| match span.range().and_then(|range| text.get(range)) {
            Some(name) => match decoder.decode(name) {
                std::borrow::Cow::Borrowed(_) => true,
                std::borrow::Cow::Owned(same) => same.as_bytes() == name,
            },
            None => true,
        };
        if are_whole || self.spans.iter().all(sound) {
            match String::from_utf8(text) {
                Ok(text) => return Ok(NameList { text, spans: self.spans, count: self.count }),
                Err(error) => self.text = error.into_bytes(),
            }
        } else {
            self.text = text;
        }
        let mut decoded = NameList::<String>::default();
        for (id, span) in self.spans.iter().enumerate() {
            let Some(name) = span.range().and_then(|range| self.text.get(range)) else { continue };
            let start = decoded.text.len();
            decoded.text.push_str(&decoder.decode(name));
            decoded.put(id, start, decoded.text.len().saturating_sub(start))?;
        }
        Ok(decoded)
    }
}

impl NameList<String> {
    /// The name of an id.
    #[must_use]
    #[inline]
    pub fn get(&self, id: u32) -> Option<&str> {
        self.text.get(self.spans.get(id as usize)?.range()?)
    }
}

/// Makes text of all names.
pub(crate) fn decode_names(raw: RawNames, decoder: &TextDecoder) -> Result<Names, ErrorKind> {
    let [players, events, sites, rounds] = raw;
    let decode =
        |list: NameList<Vec<u8>>| list.decode(decoder).map_err(|TooMuch| ErrorKind::NamesTooLong);
    Ok([decode(players)?, decode(events)?, decode(sites)?, decode(rounds)?])
}

/// How Scid orders names: the first byte as a number, the others as *signed* ones, the end of
/// the shorter as zero. (scid §3.2 "Order")
#[must_use]
pub fn compare_names(a: &[u8], b: &[u8]) -> Ordering {
    let (Some((a0, a)), Some((b0, b))) = (a.split_first(), b.split_first()) else {
        return a.len().cmp(&b.len());
    };
    a0.cmp(b0).then_with(|| compare_signed(a, b))
}

/// As [`compare_names`], what follows the first byte.
fn compare_signed(a: &[u8], b: &[u8]) -> Ordering {
    let signed = |rest: &[u8], at: usize| rest.get(at).map_or(0, |byte| byte.cast_signed());
    let at = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    signed(a, at).cmp(&signed(b, at))
}

/// As [`compare_names`] of two that begin with the same bytes, so many.
fn compare_after(same: usize, a: &[u8], b: &[u8]) -> Ordering {
    match same {
        0 => compare_names(a, b),
        _ => compare_signed(a.get(same..).unwrap_or_default(), b.get(same..).unwrap_or_default()),
    }
}

/// Reads a names file of version 3 or 4. Damage ends it, and is a quirk: a game without names is
/// better than none.
pub(crate) fn parse_names_4(
    bytes: &[u8],
    file: &'static str,
    diagnostics: &mut Diagnostics,
) -> Result<RawNames, Error> {
    let at = Location::file(file);
    let mut names = RawNames::default();
    if tag::<_, _, ()>(&NAMES_MAGIC[..]).parse(bytes).is_err() {
        diagnostics.note(Quirk::NamesMagic, at.at(0))?;
    }
    let Some(header) = parse_header(bytes) else {
        diagnostics.note(Quirk::NamesDamaged, at.at(0))?;
        return Ok(names);
    };
    let mut reader = ListReader { bytes, position: NAMES_HEADER_SIZE, at };
    for (list, (count, max)) in names.iter_mut().zip(header) {
        if reader.read(list, count, max, diagnostics)?.is_none() {
            diagnostics.note(Quirk::NamesDamaged, at.at(reader.position as u64))?;
            return Ok(names);
        }
    }
    if reader.position < bytes.len() {
        diagnostics.note(Quirk::NamesTrailing, at.at(reader.position as u64))?;
    }
    Ok(names)
}

/// The number of names and the highest frequency of each kind. (scid §3.1 "Names of versions 3 and 4")
pub(crate) fn parse_header(bytes: &[u8]) -> Option<[(u32, u32); 4]> {
    let four = || (be_u24::<_, ()>, be_u24, be_u24, be_u24);
    let (_, (_, _unused, n, max)) =
        (take(8usize), take(4usize), four(), four()).parse(bytes).ok()?;
    Some([(n.0, max.0), (n.1, max.1), (n.2, max.2), (n.3, max.3)])
}

/// One record of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NameRecord<'a> {
    pub(crate) id: u32,
    pub(crate) frequency: u32,
    /// Of the whole name.
    pub(crate) length: u8,
    /// How many bytes are those of the name before.
    pub(crate) prefix: u8,
    pub(crate) rest: &'a [u8],
}

/// Reads a record; widths follow from the header of the file, not from the list.
pub(crate) fn parse_record(
    bytes: &[u8],
    count: u32,
    max: u32,
    first: bool,
) -> Option<(&[u8], NameRecord<'_>)> {
    // Without nom: this is done for every name on opening.
    let (id, bytes) = number(bytes, if count >= 0x1_0000 { 3 } else { 2 })?;
    let width = match max {
        0x1_0000.. => 3,
        0x100.. => 2,
        _ => 1,
    };
    let (frequency, bytes) = number(bytes, width)?;
    let (&length, bytes) = bytes.split_first()?;
    let (prefix, bytes) = match first {
        true => (0, bytes),
        false => bytes.split_first().map(|(prefix, bytes)| (*prefix, bytes))?,
    };
    let (rest, bytes) = bytes.split_at_checked(usize::from(length.checked_sub(prefix)?))?;
    Some((bytes, NameRecord { id, frequency, length, prefix, rest }))
}

/// A number of one to three bytes, and what follows.
#[inline]
fn number(bytes: &[u8], width: usize) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_at_checked(width)?;
    Some((number.iter().fold(0, |all, byte| all << 8 | u32::from(*byte)), rest))
}

/// The bytes of the shortest record, and of most names.
const LEAST_RECORD: usize = 5;
const USUAL_NAME: usize = 16;

struct ListReader<'a> {
    bytes: &'a [u8],
    position: usize,
    at: Location,
}

impl ListReader<'_> {
    /// Reads a list; `None` where a record makes no sense.
    fn read(
        &mut self,
        list: &mut NameList<Vec<u8>>,
        count: u32,
        max: u32,
        diagnostics: &mut Diagnostics,
    ) -> Result<Option<()>, Error> {
        let (mut one, mut other) = ([0u8; 255], [0u8; 255]);
        let (mut previous, mut name) = (&mut one, &mut other);
        let mut previous_length = 0usize;
        let mut ordered = true;
        let likely = (count as usize).min(self.bytes.len() / LEAST_RECORD);
        list.spans.reserve(likely);
        list.text.reserve(likely.saturating_mul(USUAL_NAME));
        for number in 0..count {
            let at = self.at.at(self.position as u64);
            let rest = self.bytes.get(self.position..).unwrap_or_default();
            let Some((rest, record)) = parse_record(rest, count, max, number == 0) else {
                return Ok(None);
            };
            let prefix = usize::from(record.prefix);
            if prefix > previous_length {
                return Ok(None);
            }
            self.position = self.bytes.len().saturating_sub(rest.len());
            let length = usize::from(record.length);
            if let (Some(place), Some(same)) = (name.get_mut(..prefix), previous.get(..prefix)) {
                place.copy_from_slice(same);
            }
            if let Some(tail) = name.get_mut(prefix..length) {
                tail.copy_from_slice(record.rest);
            }
            let (old, new) = (previous.get(..previous_length), name.get(..length));
            let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
            if ordered && number > 0 && compare_after(prefix, old, new) != Ordering::Less {
                ordered = false;
                diagnostics.note(Quirk::NamesOrder, at)?;
            }
            // An id beyond what a file of this size could hold would make the table larger than
            // the file.
            if record.id >= count || record.id as usize >= self.bytes.len() {
                diagnostics.note(Quirk::NameIdRange, at)?;
            } else {
                let start = list.text.len();
                list.text.extend_from_slice(new);
                let fresh = list
                    .put(record.id as usize, start, length)
                    .map_err(|TooMuch| Error::new(ErrorKind::NamesTooLong, at))?;
                if !fresh {
                    diagnostics.note(Quirk::DuplicateNameId, at)?;
                }
            }
            std::mem::swap(&mut previous, &mut name);
            previous_length = length;
        }
        Ok(Some(()))
    }
}

/// Where the record of a name stands in a file of version 3 or 4.
pub(crate) fn locate_name_4(
    file: &[u8],
    kind: NameKind,
    id: u32,
) -> Option<std::ops::Range<usize>> {
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
