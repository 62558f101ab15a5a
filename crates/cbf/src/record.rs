//! A record and its parts. cbf §2 "Records"

use std::ops::Range;

use crate::error::{Error, ErrorKind};
use crate::header::{RecordHeader, parse_header};
use crate::layout::{HEADER_SIZE, SETUP_SIZE};
use crate::names;
use crate::place::Place;

/// Where the parts of a record lie in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) players: Range<usize>,
    pub(crate) source: Range<usize>,
    pub(crate) moves: Range<usize>,
    pub(crate) comments: Range<usize>,
    /// Empty without a set-up.
    pub(crate) setup: Range<usize>,
}

impl Layout {
    pub(crate) fn new(header: &RecordHeader) -> Layout {
        let mut end = HEADER_SIZE;
        let mut part = |length: usize| {
            let start = end;
            end = end.saturating_add(length);
            start..end
        };
        Layout {
            players: part(header.players_len()),
            source: part(header.source_len()),
            moves: part(header.moves_len()),
            comments: part(usize::from(header.comments_size)),
            setup: part(if header.has_setup() { SETUP_SIZE } else { 0 }),
        }
    }
}

/// A record without its masks. Parts that the file cuts short hold what is there.
#[derive(Debug)]
pub(crate) struct Record<'a> {
    pub(crate) header: RecordHeader,
    pub(crate) layout: Layout,
    bytes: &'a [u8],
    /// Bytes that are there.
    found: usize,
}

impl<'a> Record<'a> {
    /// Takes the masks off a record, which `buffer` holds as it stands in the file, from its
    /// first byte to its last or to the end of the file.
    pub(crate) fn unmask(buffer: &'a mut Vec<u8>, place: Place) -> Result<Record<'a>, Error> {
        let found = buffer.len();
        let header = parse_header(buffer)
            .ok_or_else(|| truncated("header", HEADER_SIZE, found))
            .map_err(|kind| Error::new(kind, place.record()))?;
        let layout = Layout::new(&header);
        // The masks run from the end to the start; zeros stand in for bytes that are missing.
        buffer.resize(layout.setup.end, 0);
        let texts = layout.players.start..layout.source.end;
        if let Some(texts) = buffer.get_mut(texts) {
            names::mask(texts);
        }
        if let Some(moves) = buffer.get_mut(layout.moves.clone()) {
            mask_moves(moves);
        }
        Ok(Record { header, layout, bytes: buffer, found })
    }

    fn part(&self, range: &Range<usize>) -> &'a [u8] {
        let end = range.end.min(self.found);
        self.bytes.get(range.start.min(end)..end).unwrap_or_default()
    }

    pub(crate) fn players(&self) -> &'a [u8] {
        self.part(&self.layout.players)
    }

    pub(crate) fn source(&self) -> &'a [u8] {
        self.part(&self.layout.source)
    }

    pub(crate) fn moves(&self) -> &'a [u8] {
        self.part(&self.layout.moves)
    }

    pub(crate) fn comments(&self) -> &'a [u8] {
        self.part(&self.layout.comments)
    }

    /// The set-up block, if there is one and all of it.
    pub(crate) fn setup(&self) -> Option<&'a [u8; SETUP_SIZE]> {
        self.part(&self.layout.setup).try_into().ok()
    }

    /// The first part that is not all there.
    pub(crate) fn missing(&self) -> Option<(usize, ErrorKind)> {
        let parts = [
            ("player text", &self.layout.players),
            ("source text", &self.layout.source),
            ("move section", &self.layout.moves),
            ("comment section", &self.layout.comments),
            ("set-up", &self.layout.setup),
        ];
        let (name, range) = parts.into_iter().find(|(_, range)| range.end > self.found)?;
        let there = self.found.saturating_sub(range.start);
        let kind = truncated(name, range.end.saturating_sub(range.start), there);
        Some((range.start, kind))
    }
}

fn truncated(part: &'static str, needed: usize, found: usize) -> ErrorKind {
    ErrorKind::Truncated { part, needed, found }
}

/// Puts the mask on a move section or takes it off; the first byte has none. cbf §5.1 "Mask"
pub(crate) fn mask_moves(moves: &mut [u8]) {
    let [.., size] = moves.len().wrapping_add(1).to_be_bytes();
    let mut key = size.wrapping_mul(49);
    for byte in moves.iter_mut().skip(1).rev() {
        *byte ^= key;
        key = key.wrapping_mul(7);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_a_record() {
        // Record 1 of fixtures/cbf/tiny: 1. e4 e5! 2. Nf3 (2. f4 exf4) (2. Bc4) Nc6 3. Bb5!!
        #[rustfmt::skip]
        let plain = [
            0x0b, // e4, move number 11
            0x8b, // e5, move number 11, commented
            0x18, // Nf3
            0xff, // (
            0x95, // f4, commented
            0x0f, // exf4
            0x80, // )
            0xff, // (
            0x12, // Bc4
            0x80, // )
            0x06, // Nc6
            0x90, // Bb5, commented
        ];
        let mut moves = [0x0b, 0x26, 0xb3, 0xc2, 0x0e, 0xc2, 0x0b, 0xa2, 0x69, 0x6d, 0x6d, 0xed];
        mask_moves(&mut moves);
        assert_eq!(moves, plain);
    }

    #[test]
    fn empty_and_single() {
        mask_moves(&mut []);
        let mut one = [5];
        mask_moves(&mut one);
        assert_eq!(one, [5]);
    }
}
