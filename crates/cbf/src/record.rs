//! A record and its parts. cbf §2 "Records"

use std::ops::Range;

use crate::error::{Error, ErrorKind};
use crate::header::{RecordHeader, parse_header};
use crate::layout::{HEADER_SIZE, SETUP_SIZE};
use crate::mask::mask;
use crate::names::mask_names;
use crate::place::Place;

/// Where the parts of a record lie in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) players: Range<usize>,
    pub(crate) source: Range<usize>,
    pub(crate) moves: Range<usize>,
    pub(crate) comments: Range<usize>,
    /// Empty if the game has no set-up.
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

/// An unmasked record. Parts that the file truncates hold the bytes present.
#[derive(Debug)]
pub(crate) struct Record<'a> {
    pub(crate) header: RecordHeader,
    pub(crate) layout: Layout,
    bytes: &'a [u8],
}

impl<'a> Record<'a> {
    /// Unmasks the bytes of a record in place. The end of the record may be missing.
    pub(crate) fn unmask(bytes: &'a mut [u8], place: Place) -> Result<Record<'a>, Error> {
        let header = parse_header(bytes).ok_or_else(|| {
            Error::new(truncated("header", HEADER_SIZE, bytes.len()), place.record())
        })?;
        let layout = Layout::new(&header);
        let names = layout.players.start..layout.source.end;
        let found = found(bytes.len(), &names);
        mask_names(bytes.get_mut(found).unwrap_or_default(), names.len());
        let found = self::found(bytes.len(), &layout.moves);
        mask_moves(bytes.get_mut(found).unwrap_or_default(), layout.moves.len());
        Ok(Record { header, layout, bytes })
    }

    fn part(&self, range: &Range<usize>) -> &'a [u8] {
        self.bytes.get(found(self.bytes.len(), range)).unwrap_or_default()
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

    /// Returns the set-up block if it is present and complete.
    pub(crate) fn setup(&self) -> Option<&'a [u8; SETUP_SIZE]> {
        self.part(&self.layout.setup).try_into().ok()
    }

    /// Returns the offset of the first truncated part, and the error that describes it.
    pub(crate) fn missing(&self) -> Option<(usize, ErrorKind)> {
        let parts = [
            ("player text", &self.layout.players),
            ("source text", &self.layout.source),
            ("move section", &self.layout.moves),
            ("comment section", &self.layout.comments),
            ("set-up", &self.layout.setup),
        ];
        let (name, range) = parts.into_iter().find(|(_, range)| range.end > self.bytes.len())?;
        let kind = truncated(name, range.len(), self.part(range).len());
        Some((range.start, kind))
    }
}

/// Clips `part` to the first `length` bytes of a record, which are present.
fn found(length: usize, part: &Range<usize>) -> Range<usize> {
    part.start.min(length)..part.end.min(length)
}

fn truncated(part: &'static str, needed: usize, found: usize) -> ErrorKind {
    ErrorKind::Truncated { part, needed, found }
}

/// Masks or unmasks the start of a move section of `length` bytes. Its first byte has no mask. cbf §5.1 "Mask"
pub(crate) fn mask_moves(moves: &mut [u8], length: usize) {
    let [low, ..] = length.to_le_bytes();
    if let Some((_, masked)) = moves.split_first_mut() {
        mask(masked, length.saturating_sub(1), low.wrapping_add(1).wrapping_mul(49), 7);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mask_moves_sample_is_unmasked() {
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
        mask_moves(&mut moves, 12);
        assert_eq!(moves, plain);
    }

    #[test]
    fn mask_moves_short_section_is_unchanged() {
        mask_moves(&mut [], 0);
        let mut one = [5];
        mask_moves(&mut one, 1);
        assert_eq!(one, [5]);
    }
}
