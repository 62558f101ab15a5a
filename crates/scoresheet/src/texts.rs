//! Texts of games that may be copied as they are.

use std::ops::Range;

use chess_store::Block;

/// Where the texts of games stand in a stream that has been read once, so that they can be copied
/// from it when it is read again: only those about which nothing was odd.
///
/// Memory: 24 bytes a game.
#[derive(Clone, Debug, Default)]
pub struct Texts(Vec<Passage>);

/// A stretch of a stream with one game, from where the parser began to look for it to where it
/// stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Passage {
    /// In the stream.
    from: u64,
    length: u32,
    /// Where in it the text begins and ends.
    start: u32,
    end: u32,
    /// The [`sum`] of its bytes.
    sum: u32,
}

impl Passage {
    /// The last stretch that was used of a block, from there on, with a text at these places.
    pub(crate) fn new(block: &Block, from: usize, text: &Range<usize>) -> Option<Passage> {
        let place = |at: usize| u32::try_from(at.checked_sub(from)?).ok();
        Some(Passage {
            from: block.place.offset.checked_add(u64::try_from(from).ok()?)?,
            length: place(block.used)?,
            start: place(text.start)?,
            end: place(text.end)?,
            sum: sum(block.bytes.get(from..block.used)?),
        })
    }

    pub(crate) fn length(&self) -> usize {
        self.length as usize
    }

    /// Its text, if it comes next in a block, and is still what it was.
    pub(crate) fn text<'b>(&self, block: &'b Block) -> Option<&'b [u8]> {
        let end = block.used.checked_add(self.length())?;
        let bytes = block.bytes.get(block.used..end).filter(|_| end <= block.end)?;
        let text = bytes.get(self.start as usize..self.end as usize)?;
        (self.from == block.used_place.offset && self.sum == sum(bytes)).then_some(text)
    }
}

impl Texts {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, passage: Passage) {
        self.0.push(passage);
    }
}

/// Goes through texts in the order of the stream, or nearly so.
pub(crate) struct Walk<'a> {
    passages: &'a [Passage],
    next: usize,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(texts: &'a Texts) -> Walk<'a> {
        Walk { passages: &texts.0, next: 0 }
    }

    /// The passage that begins at a place of the stream.
    pub(crate) fn at(&mut self, place: u64) -> Option<&'a Passage> {
        let here = |passage: &&Passage| passage.from == place;
        if self.passages.get(self.next).filter(here).is_none() {
            self.next = self.passages.partition_point(|passage| passage.from < place);
        }
        let found = self.passages.get(self.next).filter(here)?;
        self.next = self.next.saturating_add(1);
        Some(found)
    }
}

/// Tells bytes from others that came in their place.
#[allow(clippy::cast_possible_truncation, reason = "half of it is enough")]
fn sum(bytes: &[u8]) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |sum: u64, word: u64| (sum.rotate_left(29) ^ word).wrapping_mul(FACTOR);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words.iter().fold(FACTOR, |sum, word| mix(sum, u64::from_le_bytes(*word)));
    let sum = rest.iter().fold(sum, |sum, byte| mix(sum, u64::from(*byte)));
    (sum >> 32) as u32
}
