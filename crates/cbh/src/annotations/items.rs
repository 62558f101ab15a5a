//! Records and items of the `.cba` file.

use chess_store::{Diagnostics, Location};
use nom::bytes::complete::tag;
use nom::number::complete::{be_i24, be_u16, be_u24, be_u32, u8 as byte};
use nom::{IResult, Parser};

use crate::error::Error;
use crate::layout::{ANNOTATIONS_HEADER, ANNOTATIONS_MARK, ITEM_HEADER};
use crate::quirk::Quirk;

/// The header of a record, before its items.
// cbh §5.1 "Record"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AnnotationsHeader {
    /// The game number, from 1.
    pub(crate) game: u32,
    /// The number of items plus 1.
    pub(crate) count: u32,
    /// The size of the record in bytes, header included.
    pub(crate) size: u32,
}

pub(crate) fn parse_annotations_header(bytes: &[u8]) -> Option<AnnotationsHeader> {
    fn header(input: &[u8]) -> IResult<&[u8], AnnotationsHeader> {
        let mark = tag(&ANNOTATIONS_MARK[..2]);
        let (rest, (game, _, _, count, size)) =
            (be_u24, mark, be_u16, be_u24, be_u32).parse(input)?;
        Ok((rest, AnnotationsHeader { game, count, size }))
    }
    header(bytes).ok().map(|(_, header)| header)
}

impl AnnotationsHeader {
    pub(crate) fn encode(self) -> [u8; ANNOTATIONS_HEADER] {
        let [_, g1, g2, g3] = self.game.to_be_bytes();
        let [m1, m2, m3, m4] = ANNOTATIONS_MARK;
        let [_, c1, c2, c3] = self.count.to_be_bytes();
        let [s1, s2, s3, s4] = self.size.to_be_bytes();
        [g1, g2, g3, m1, m2, m3, m4, c1, c2, c3, s1, s2, s3, s4]
    }
}

/// One annotation item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Item<'a> {
    /// The move it belongs to, counted from 0 in stored order; -1 for the game.
    pub(crate) position: i32,
    /// The type of the annotation; see [`crate::layout::item`].
    pub(crate) kind: u8,
    pub(crate) data: &'a [u8],
}

/// Parses the item at the start of `bytes`. Returns it and the rest.
pub(crate) fn parse_item(bytes: &[u8]) -> Option<(Item<'_>, &[u8])> {
    fn header(input: &[u8]) -> IResult<&[u8], (i32, u8, u16)> {
        (be_i24, byte, be_u16).parse(input)
    }
    let (rest, (position, kind, size)) = header(bytes).ok()?;
    let size = usize::from(size).checked_sub(ITEM_HEADER)?;
    let (data, rest) = rest.split_at_checked(size)?;
    Some((Item { position, kind, data }, rest))
}

/// Appends an item. Returns `false` if `data` is too long for one.
pub(crate) fn encode_item(position: i32, kind: u8, data: &[u8], out: &mut Vec<u8>) -> bool {
    let size = data.len().saturating_add(ITEM_HEADER);
    let Ok(size) = u16::try_from(size) else { return false };
    let [_, a, b, c] = position.to_be_bytes();
    out.extend_from_slice(&[a, b, c, kind]);
    out.extend_from_slice(&size.to_be_bytes());
    out.extend_from_slice(data);
    true
}

/// Iterates over adjacent items.
pub(crate) struct ItemBytes<'a> {
    rest: &'a [u8],
}

impl<'a> ItemBytes<'a> {
    pub(crate) fn new(items: &'a [u8]) -> ItemBytes<'a> {
        ItemBytes { rest: items }
    }
}

impl<'a> Iterator for ItemBytes<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        let (item, rest) = parse_item(self.rest)?;
        self.rest = rest;
        Some(item)
    }
}

/// The index of a game's items within the bytes of its record.
#[derive(Debug, Default)]
pub(crate) struct Items {
    spans: Vec<ItemSpan>,
}

#[derive(Clone, Copy, Debug)]
struct ItemSpan {
    position: i32,
    kind: u8,
    start: u32,
    end: u32,
}

impl ItemSpan {
    fn item(self, record: &[u8]) -> Item<'_> {
        let data = record.get(self.start as usize..self.end as usize).unwrap_or_default();
        Item { position: self.position, kind: self.kind, data }
    }
}

impl Items {
    pub(crate) fn clear(&mut self) {
        self.spans.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Indexes the items of the record of game `number`, counted from 1.
    ///
    /// Items of missing moves go to the move `end`, counted from 0, or to the game if `end` is -1.
    pub(crate) fn read(
        &mut self,
        record: &[u8],
        game: u32,
        (moves, end): (u32, i32),
        diagnostics: &mut Diagnostics,
        at: Location,
    ) -> Result<(), Error> {
        self.spans.clear();
        let Some(header) = parse_annotations_header(record) else {
            diagnostics.note(Quirk::NoAnnotations, at)?;
            return Ok(());
        };
        if header.game != game {
            diagnostics.note(Quirk::AnnotationGame, at)?;
        }
        let all = record.get(ANNOTATIONS_HEADER..).unwrap_or_default();
        let mut rest = all;
        let mut sorted = true;
        while !rest.is_empty() {
            let offset = record.len().saturating_sub(rest.len());
            let place = at.at(at.offset.unwrap_or(0).saturating_add(offset as u64));
            let Some((item, after)) = parse_item(rest) else {
                diagnostics.note(Quirk::AnnotationsCut, place)?;
                break;
            };
            rest = after;
            // cbh §5.1.5
            let mut position = item.position;
            if position < -1 || i64::from(position) >= i64::from(moves) {
                diagnostics.note(Quirk::AnnotationPlace, place)?;
                position = end;
            }
            sorted &= self.spans.last().is_none_or(|last| last.position <= position);
            let end = record.len().saturating_sub(rest.len());
            let start = end.saturating_sub(item.data.len());
            // Fails only if the record lies beyond 32-bit sizes, which its size field cannot
            // express.
            let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end)) else { break };
            self.spans.push(ItemSpan { position, kind: item.kind, start, end });
        }
        if !sorted {
            diagnostics.note(Quirk::AnnotationOrder, at)?;
            self.spans.sort_by_key(|place| place.position);
        }
        let count = u64::from(header.count);
        if count != (self.spans.len() as u64).saturating_add(1) {
            diagnostics.note(Quirk::AnnotationCount, at)?;
        }
        Ok(())
    }

    /// Adds an item whose data is at `span` of the record.
    pub(crate) fn push(&mut self, position: i32, kind: u8, (start, end): (usize, usize)) {
        // Fails only for records beyond 4 GiB, which are not read.
        if let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end)) {
            self.spans.push(ItemSpan { position, kind, start, end });
        }
    }

    /// Sorts the items by position. Returns whether they were sorted before.
    pub(crate) fn sort(&mut self) -> bool {
        let sorted = self.spans.is_sorted_by_key(|span| span.position);
        if !sorted {
            self.spans.sort_by_key(|span| span.position);
        }
        sorted
    }

    /// Iterates over all items in order.
    pub(crate) fn all<'a>(&'a self, record: &'a [u8]) -> impl Iterator<Item = Item<'a>> {
        self.spans.iter().map(|place| place.item(record))
    }

    /// Iterates over the items of one move, counted from 0, or of the game if the number is -1.
    pub(crate) fn of<'a>(
        &'a self,
        position: i32,
        record: &'a [u8],
    ) -> impl Iterator<Item = Item<'a>> + Clone {
        let start = self.spans.partition_point(|place| place.position < position);
        let spans = self.spans.get(start..).unwrap_or_default();
        spans
            .iter()
            .take_while(move |place| place.position == position)
            .map(|place| place.item(record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotation_record_example_parses_items() {
        #[rustfmt::skip]
        let bytes = [
            0x00, 0x00, 0x02,       // game 2
            0x01, 0x00, 0x0e, 0x0e, // always
            0x00, 0x00, 0x03,       // two items
            0x00, 0x00, 0x00, 0x1e, // 30 bytes
            0xff, 0xff, 0xff,       // the game
            0x82,                   // text
            0x00, 0x09, 0x00, 0x00, b'a',
            0x00, 0x00, 0x01,       // the second move
            0x03,                   // a symbol
            0x00, 0x07, 0x01,
        ];
        let mut items = Items::default();
        let mut diagnostics = Diagnostics::strict();
        items.read(&bytes, 2, (2, 1), &mut diagnostics, Location::file("cba")).unwrap();
        let of = |position| items.of(position, &bytes).collect::<Vec<_>>();
        assert_eq!(of(-1), [Item { position: -1, kind: 0x82, data: b"\0\0a" }]);
        assert_eq!(of(0), []);
        assert_eq!(of(1), [Item { position: 1, kind: 3, data: &[1] }]);
        let mut again = AnnotationsHeader { game: 2, count: 3, size: 30 }.encode().to_vec();
        assert!(encode_item(-1, 0x82, b"\0\0a", &mut again) && encode_item(1, 3, &[1], &mut again));
        assert_eq!(again, bytes);
    }
}
