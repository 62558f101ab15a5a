//! The content of a `.2cba` record: blocks of annotations by position.

use chess_store::{Diagnostics, Location};

use super::layout::BLOCKS_END;
use super::quirk::Quirk;
use crate::annotations::items::{Item, Items};
use crate::annotations::modern::{is_known, size_of};
use crate::error::Error;
use crate::layout::item;

/// The bytes before the annotations of a position: the position and the number of annotations.
pub(super) const BLOCK_HEAD: usize = 8;
/// The bytes before the data of an annotation: its type and a zero.
pub(super) const ITEM_KIND: usize = 2;

/// Appends the annotations of a record to `items`, which must be empty.
///
/// `moves` is the number of moves and `end` the last move of the main line in PGN order; both are
/// used for annotations of missing moves. The bytes from an unknown type on become one item, which
/// is appended to `content`.
// cbh2 §5.1 "Record"
pub(crate) fn read_blocks(
    items: &mut Items,
    content: &mut Vec<u8>,
    (moves, end): (u32, i32),
    diagnostics: &mut Diagnostics,
    at: Location,
) -> Result<(), Error> {
    let mut reader = BlockReader { content, at: 0 };
    let place = |offset: usize| at.at(at.offset.unwrap_or(0).saturating_add(offset as u64));
    let mut rest = None;
    loop {
        let start = reader.at;
        let Some(position) = reader.int() else {
            diagnostics.note(Quirk::AnnotationsCut, place(start))?;
            break;
        };
        if position == BLOCKS_END {
            if reader.at < content.len() {
                diagnostics.note(Quirk::EndRubbish, place(reader.at))?;
            }
            break;
        }
        let Some(count) = reader.int() else {
            diagnostics.note(Quirk::AnnotationsCut, place(start))?;
            break;
        };
        let mut position = position;
        // cbh2 §5.1.5
        if position < -1 || i64::from(position) >= i64::from(moves) {
            diagnostics.note(Quirk::AnnotationPlace, place(start))?;
            position = end;
        }
        let mut left = u32::try_from(count).unwrap_or(0);
        while left > 0 {
            let start = reader.at;
            let Some((kind, span)) = reader.annotation() else { break };
            let data = content.get(span.0..span.1).unwrap_or_default();
            if !are_squares_sound(kind, data) {
                diagnostics.note(Quirk::AnnotationSquares, place(start))?;
            }
            items.push(position, kind, span);
            left = left.saturating_sub(1);
        }
        if left > 0 {
            let kind = content.get(reader.at..).and_then(<[u8]>::first_chunk).copied();
            let known = kind.is_none_or(|kind: [u8; 2]| kind[1] == 0 && is_known(kind[0]));
            let quirk = if known { Quirk::AnnotationsCut } else { Quirk::UnknownAnnotation };
            diagnostics.note(quirk, place(reader.at))?;
            rest = (!known).then_some((position, left, reader.at));
            break;
        }
    }
    if let Some((position, left, start)) = rest {
        let size = content.len();
        content.extend_from_slice(&left.to_le_bytes());
        content.extend_from_within(start..size);
        items.push(position, item::REST, (size, content.len()));
    }
    if !items.sort() {
        diagnostics.note(Quirk::AnnotationOrder, at)?;
    }
    Ok(())
}

/// Whether squares or arrows have whole entries and squares from 1 to 64.
fn are_squares_sound(kind: u8, data: &[u8]) -> bool {
    let size = match kind {
        item::SQUARES => 2,
        item::ARROWS => 3,
        _ => return true,
    };
    let entries = data.get(4..).unwrap_or_default().chunks(size);
    { entries }.all(|entry| {
        let squares = entry.get(1..).unwrap_or_default();
        entry.len() == size && squares.iter().all(|square| (1..=64).contains(square))
    })
}

/// Iterates over the annotations of a sound record, up to the first of an unknown type.
///
/// Needs no index. A game of millions of comments would need much memory for one.
pub(crate) fn annotations(content: &[u8]) -> impl Iterator<Item = Item<'_>> {
    let mut reader = BlockReader { content, at: 0 };
    let (mut position, mut left) = (-1, 0i32);
    std::iter::from_fn(move || {
        while left == 0 {
            position = reader.int().filter(|position| *position != BLOCKS_END)?;
            left = reader.int()?;
        }
        left = left.saturating_sub(1);
        let (kind, (start, end)) = reader.annotation()?;
        Some(Item { position, kind, data: content.get(start..end)? })
    })
}

struct BlockReader<'a> {
    content: &'a [u8],
    at: usize,
}

impl BlockReader<'_> {
    fn int(&mut self) -> Option<i32> {
        let bytes = self.content.get(self.at..)?.first_chunk()?;
        self.at = self.at.saturating_add(4);
        Some(i32::from_le_bytes(*bytes))
    }

    /// Reads an annotation. Returns its type and the place of its data.
    fn annotation(&mut self) -> Option<(u8, (usize, usize))> {
        let (kind, data) = self.content.get(self.at..)?.split_first_chunk()?;
        let kind = u8::try_from(i16::from_le_bytes(*kind)).ok()?;
        let size = size_of(kind, data)?;
        let start = self.at.saturating_add(2);
        self.at = start.saturating_add(size);
        Some((kind, (start, self.at)))
    }
}

/// Writes blocks. The annotations must come in the order of their positions.
#[derive(Debug, Default)]
pub(crate) struct BlockWriter {
    /// The position of the open block, and the place of its count.
    open: Option<(i32, usize)>,
    count: i32,
    /// Whether the rest of a record was written, after which nothing can follow.
    closed: bool,
}

impl BlockWriter {
    /// Appends an annotation. Returns `false` if it cannot be written, because it follows the rest
    /// of a record.
    pub(crate) fn push(&mut self, position: i32, kind: u8, data: &[u8], out: &mut Vec<u8>) -> bool {
        if self.closed {
            return false;
        }
        if self.open.is_none_or(|(open, _)| open != position) {
            self.finish_block(out);
            out.extend_from_slice(&position.to_le_bytes());
            self.open = Some((position, out.len()));
            out.extend_from_slice(&[0; 4]);
        }
        if kind == item::REST {
            let (left, bytes) = data.split_first_chunk().unwrap_or((&[0; 4], &[]));
            self.count = self.count.saturating_add_unsigned(u32::from_le_bytes(*left));
            self.finish_block(out);
            out.extend_from_slice(bytes);
            self.closed = true;
            return true;
        }
        self.count = self.count.saturating_add(1);
        out.extend_from_slice(&[kind, 0]);
        out.extend_from_slice(data);
        true
    }

    fn finish_block(&mut self, out: &mut [u8]) {
        if let Some((_, place)) = self.open.take() {
            crate::header::put(out, place, &self.count.to_le_bytes());
        }
        self.count = 0;
    }

    /// Ends the record.
    pub(crate) fn finish(mut self, out: &mut Vec<u8>) {
        self.finish_block(out);
        if !self.closed {
            out.extend_from_slice(&BLOCKS_END.to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Position, type and data.
    type Found = (i32, u8, Vec<u8>);

    fn read(content: &[u8], moves: u32, end: i32) -> (Vec<Found>, Vec<&'static str>) {
        let (mut items, mut content) = (Items::default(), content.to_vec());
        let mut diagnostics = Diagnostics::lenient();
        let at = Location::file("2cba").at(0);
        read_blocks(&mut items, &mut content, (moves, end), &mut diagnostics, at).unwrap();
        let found = items.all(&content).map(|item| (item.position, item.kind, item.data.to_vec()));
        (found.collect(), diagnostics.warnings().iter().map(|warning| warning.name).collect())
    }

    #[rustfmt::skip]
    const EXAMPLE: [u8; 46] = [
        0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, // the game, one annotation
        0x14, 0, 3,                         // a pawn structure
        1, 0, 0, 0, 2, 0, 0, 0,             // the second move, two annotations
        0x03, 0, 1, 14, 0,                  // symbols
        0x02, 0, 0, 0, 7, 0, 2, 0, 0, 0, b'a', b'b', // a text in any language
        0x44, 0, 9, 9,                      // replaced by the end below
        0xff, 0xff, 0xff, 0x7f, 0, 0,
    ];

    #[test]
    fn read_blocks_example_returns_items() {
        let mut content = EXAMPLE[..36].to_vec();
        content.extend_from_slice(&[0xff, 0xff, 0xff, 0x7f]);
        let (items, names) = read(&content, 2, 1);
        assert!(names.is_empty(), "{names:?}");
        assert_eq!(items[0], (-1, 0x14, vec![3]));
        assert_eq!(items[1], (1, 3, vec![1, 14, 0]));
        assert_eq!(items[2].1, 2);
        let (mut writer, mut again) = (BlockWriter::default(), Vec::new());
        for (position, kind, data) in &items {
            assert!(writer.push(*position, *kind, data, &mut again));
        }
        writer.finish(&mut again);
        assert_eq!(again, content);
        let listed = annotations(&content).map(|it| (it.position, it.kind, it.data.to_vec()));
        assert_eq!(listed.collect::<Vec<_>>(), items);
        for length in 0..content.len() {
            assert_eq!(read(&content[..length], 2, 1).1.last(), Some(&"cbh2-annotations-cut"));
        }
        assert_eq!(read(&[0xff, 0xff, 0xff, 0x7f], 0, -1), (vec![], vec![]));
    }

    #[test]
    fn read_blocks_unknown_type_keeps_rest() {
        let mut content = EXAMPLE.to_vec();
        content[15] = 3;
        let (items, names) = read(&content, 2, 1);
        assert_eq!(names, ["cbh2-unknown-annotation"]);
        let rest = items.last().unwrap();
        assert_eq!(
            (rest.0, rest.1, &rest.2[..8]),
            (1, item::REST, &[1, 0, 0, 0, 0x44, 0, 9, 9][..])
        );
        let (mut writer, mut again) = (BlockWriter::default(), Vec::new());
        for (position, kind, data) in &items {
            assert!(writer.push(*position, *kind, data, &mut again));
        }
        assert!(!writer.push(1, 3, &[1, 0, 0], &mut again));
        writer.finish(&mut again);
        assert_eq!(again, content);
        assert_eq!(annotations(&content).count(), items.len() - 1);
    }

    #[test]
    fn read_blocks_odd_positions_and_squares_are_quirks() {
        let block = |position: i32, bytes: &[u8]| {
            let mut block = position.to_le_bytes().to_vec();
            block.extend_from_slice(&[1, 0, 0, 0]);
            block.extend_from_slice(bytes);
            block
        };
        let end = BLOCKS_END.to_le_bytes();
        let critical = [0x18, 0, 1];
        let content = [block(5, &critical), block(0, &critical), end.to_vec()].concat();
        let (items, names) = read(&content, 2, 1);
        assert_eq!(names, ["cbh2-annotation-place", "cbh2-annotation-order"]);
        assert_eq!(items.iter().map(|item| item.0).collect::<Vec<_>>(), [0, 1]);
        for squares in
            [&[4, 0, 1, 0, 0, 0, 2][..], &[4, 0, 2, 0, 0, 0, 2, 65], &[4, 0, 2, 0, 0, 0, 2, 0]]
        {
            let content = [block(0, squares), end.to_vec()].concat();
            assert_eq!(read(&content, 2, 1).1, ["cbh2-annotation-squares"]);
        }
    }
}
