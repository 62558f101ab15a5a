//! Locates the games of a stream that can be copied as text.

use std::ops::Range;

use chess_store::Block;

/// Positions of games in a stream that has been read once. When it is read again, these games are copied
/// as text and not parsed. Holds only games that were read without warnings.
///
/// Memory: 32 bytes a game.
#[derive(Clone, Debug, Default)]
pub struct RawGames {
    /// With the number of each game.
    spans: Vec<(u64, Span)>,
    leaves_out: bool,
}

/// The bytes of a stream that hold one game, from where the parser began to look for the game to where
/// the parser stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    /// Offset in the stream.
    from: u64,
    length: u32,
    /// Start of the text, relative to `from`.
    start: u32,
    /// End of the text, relative to `from`.
    end: u32,
    /// The [checksum](sum) of the bytes.
    sum: u32,
}

impl Span {
    /// Creates the span of the game that the parser just read from `block`. The parser began at `from`;
    /// `text` is the range of the text in the block.
    pub(crate) fn new(block: &Block, from: usize, text: &Range<usize>) -> Option<Span> {
        let place = |at: usize| u32::try_from(at.checked_sub(from)?).ok();
        Some(Span {
            from: block.place.offset().checked_add(u64::try_from(from).ok()?)?,
            length: place(block.used)?,
            start: place(text.start)?,
            end: place(text.end)?,
            sum: sum(block.bytes.get(from..block.used)?),
        })
    }

    pub(crate) fn length(&self) -> usize {
        self.length as usize
    }

    /// Returns the text if the span comes next in `block` and its bytes have not changed.
    pub(crate) fn text<'b>(&self, block: &'b Block) -> Option<&'b [u8]> {
        let end = block.used.checked_add(self.length())?;
        let bytes = block.bytes.get(block.used..end).filter(|_| end <= block.end)?;
        let text = bytes.get(self.start as usize..self.end as usize)?;
        (self.from == block.used_place.offset() && self.sum == sum(bytes)).then_some(text)
    }
}

impl RawGames {
    pub(crate) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    pub(crate) fn push(&mut self, number: u64, span: Span) {
        self.spans.push((number, span));
    }

    /// Leaves out games that are parsed, because they change.
    pub(crate) fn leave_out(&mut self, is_changed: impl Fn(u64) -> bool) {
        self.spans.retain(|(number, _)| !is_changed(*number));
        self.leaves_out = true;
    }

    /// Returns whether games that change are left out.
    pub(crate) fn leaves_out(&self) -> bool {
        self.leaves_out
    }
}

/// Looks up spans by offset. Fast if the offsets are asked for in rising order.
pub(crate) struct Cursor<'a> {
    spans: &'a [(u64, Span)],
    next: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(raw_games: &'a RawGames) -> Cursor<'a> {
        Cursor { spans: &raw_games.spans, next: 0 }
    }

    /// Returns the span that begins at offset `place` of the stream.
    pub(crate) fn at(&mut self, place: u64) -> Option<&'a Span> {
        let here = |(_, span): &&(u64, Span)| span.from == place;
        if self.spans.get(self.next).filter(here).is_none() {
            self.next = self.spans.partition_point(|(_, span)| span.from < place);
        }
        let (_, found) = self.spans.get(self.next).filter(here)?;
        self.next += 1;
        Some(found)
    }
}

/// Checksum that detects changed bytes.
#[allow(clippy::cast_possible_truncation, reason = "keeps the upper half")]
fn sum(bytes: &[u8]) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |sum: u64, word: u64| (sum.rotate_left(29) ^ word).wrapping_mul(FACTOR);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words.iter().fold(FACTOR, |sum, word| mix(sum, u64::from_le_bytes(*word)));
    let sum = rest.iter().fold(sum, |sum, byte| mix(sum, u64::from(*byte)));
    (sum >> 32) as u32
}
