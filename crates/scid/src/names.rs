//! The namebase: every player, event, site and round, stored once. (scid §3 "Names")

use std::cmp::Ordering;
use std::ops::Range;

use chess_store::TextDecoder;

use crate::error::ErrorKind;

/// The kinds of names, in file order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names say it")]
#[repr(u8)]
#[non_exhaustive]
pub enum NameKind {
    Player = 0,
    Event = 1,
    Site = 2,
    Round = 3,
}

impl NameKind {
    /// All four kinds.
    pub const ALL: [NameKind; 4] =
        [NameKind::Player, NameKind::Event, NameKind::Site, NameKind::Round];
}

/// An upper bound for the length of most names.
pub(crate) const SHORT: usize = 32;

/// The names of one kind by id, in one buffer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NameList<T> {
    text: T,
    /// The range of each id's name.
    spans: Vec<Span>,
    /// The number of ids that have a name.
    count: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    start: u32,
    length: u32,
}

impl Span {
    /// Marks an id without a name.
    const NONE: Span = Span { start: u32::MAX, length: u32::MAX };

    fn range(self) -> Option<Range<usize>> {
        let (start, length) = (self.start as usize, self.length as usize);
        (self != Span::NONE).then(|| start..start.saturating_add(length))
    }
}

/// Names as stored in the file.
pub(crate) type RawNames = [NameList<Vec<u8>>; 4];
/// Names as text.
pub type Names = [NameList<String>; 4];

impl<T> NameList<T> {
    /// One more than the highest id.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether the list has no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// How many ids below [`len`](NameList::len) have a name.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    #[inline]
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

/// More than 4 GiB of names of one kind.
pub(crate) struct TooMuch;

impl NameList<Vec<u8>> {
    /// The name of an id.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<&[u8]> {
        self.text.get(self.spans.get(id as usize)?.range()?)
    }

    /// Adds a name under the next id.
    pub(crate) fn push(&mut self, name: &[u8]) -> Result<bool, TooMuch> {
        self.add(self.spans.len(), name)
    }

    /// Adds a name under an id. Returns whether the id had none.
    #[inline]
    pub(crate) fn add(&mut self, id: usize, name: &[u8]) -> Result<bool, TooMuch> {
        let start = self.text.len();
        self.text.extend_from_slice(name);
        self.put(id, start, name.len())
    }

    /// As [`add`](NameList::add), with the first `length` of these bytes as the name.
    #[inline]
    pub(crate) fn add_short(
        &mut self,
        id: usize,
        bytes: &[u8; SHORT],
        length: usize,
    ) -> Result<bool, TooMuch> {
        let start = self.text.len();
        self.text.extend_from_slice(bytes);
        self.text.truncate(start.saturating_add(length));
        self.put(id, start, length)
    }

    /// Reserves memory for `names` names of `length` bytes each.
    pub(crate) fn reserve(&mut self, names: usize, length: usize) {
        self.spans.reserve(names);
        self.text.reserve(names.saturating_mul(length));
    }

    /// Converts all names to text. The buffer is reused if it is already UTF-8.
    fn decode(mut self, decoder: &TextDecoder) -> Result<NameList<String>, TooMuch> {
        let text = std::mem::take(&mut self.text);
        // Nearly always all names are UTF-8, which one check of the whole buffer shows.
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

/// Decodes all names.
pub(crate) fn decode_names(raw: RawNames, decoder: &TextDecoder) -> Result<Names, ErrorKind> {
    let [players, events, sites, rounds] = raw;
    let decode =
        |list: NameList<Vec<u8>>| list.decode(decoder).map_err(|TooMuch| ErrorKind::NamesTooLong);
    Ok([decode(players)?, decode(events)?, decode(sites)?, decode(rounds)?])
}

/// Scid's order of names: the first byte compares unsigned, the others *signed*. The end of the
/// shorter name compares as zero. (scid §3.2 "Order")
#[must_use]
pub fn compare_names(a: &[u8], b: &[u8]) -> Ordering {
    let (Some((a0, a)), Some((b0, b))) = (a.split_first(), b.split_first()) else {
        return a.len().cmp(&b.len());
    };
    a0.cmp(b0).then_with(|| compare_signed(a, b))
}

/// Returns the first bytes of a name as a number that sorts like [`compare_names`]. Returns 0 for
/// an empty name or one with a zero among these bytes, which [`compare_names`] takes for its end.
pub(crate) fn name_key(name: &[u8]) -> u64 {
    // Maps signed bytes, which are all but the first, to unsigned bytes of the same order.
    const SIGNS: u64 = 0x0080_8080_8080_8080;
    const ONES: u64 = 0x0101_0101_0101_0101;
    if let Some(first) = name.first_chunk() {
        let first = u64::from_be_bytes(*first);
        let has_zero = first.wrapping_sub(ONES) & !first & (ONES << 7) != 0;
        return if has_zero { 0 } else { first ^ SIGNS };
    }
    if name.is_empty() || name.contains(&0) {
        return 0;
    }
    let mut first = [0; 8];
    first.iter_mut().zip(name).for_each(|(place, byte)| *place = *byte);
    u64::from_be_bytes(first) ^ SIGNS
}

/// As [`compare_names`], for the bytes after the first.
#[inline]
fn compare_signed(a: &[u8], b: &[u8]) -> Ordering {
    let signed = |rest: &[u8], at: usize| rest.get(at).map_or(0, |byte| byte.cast_signed());
    // Sorted names without their shared prefix differ in the first byte.
    let at = match (a, b) {
        ([one, ..], [other, ..]) if one == other => {
            a.iter().zip(b).take_while(|(a, b)| a == b).count()
        }
        _ => 0,
    };
    signed(a, at).cmp(&signed(b, at))
}

/// As [`compare_names`], for two names whose first `same` bytes are equal, given the other bytes.
#[inline]
pub(crate) fn compare_tails(same: usize, a: &[u8], b: &[u8]) -> Ordering {
    match same {
        0 => compare_names(a, b),
        _ => compare_signed(a, b),
    }
}
