//! A book that is written from entries in any order.

use std::cmp::Reverse;

use chess_core::Move;
use chess_store::Location;
use chess_store::io::{Appender, WriteAt};

use super::entry::{Entry, encode_move};
use super::merge::scale;
use super::sorter::Sorter;
use crate::error::Error;

/// Writes a sorted book from entries in any order: by key, then the heaviest move first.
///
/// Entries of the same move become one with the sum of their weights and the learning data of the
/// heaviest of them. So a writer also repairs a book: push all of its entries.
///
/// ```
/// use books::polyglot::{Entry, Writer};
/// use books::{Position, zobrist};
///
/// let key = zobrist(&Position::start());
/// let mut writer = Writer::new();
/// writer.push(Entry::new(key, "e2e4".parse()?, 5))?;
/// writer.push(Entry::new(key, "d2d4".parse()?, 7))?;
/// writer.push(Entry::new(key, "e2e4".parse()?, 3))?;
/// let bytes = writer.finish(Vec::new())?;
/// assert_eq!(bytes[10..12], [0, 8]);
/// assert_eq!(bytes[26..28], [0, 7]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer {
    sorter: Sorter,
    /// Whether weights have 48 bits, and the learning data none.
    counts: bool,
}

/// The memory that is used before sorted runs go to a temporary file.
pub(super) const MEMORY: usize = 64 << 20;

impl Default for Writer {
    fn default() -> Writer {
        Writer::new()
    }
}

impl Writer {
    /// Creates a writer. It takes up to 64 MiB of memory; more is in a temporary file.
    #[must_use]
    pub fn new() -> Writer {
        Writer { sorter: Sorter::new(MEMORY), counts: false }
    }

    /// Creates a writer of moves that are [counted](Writer::count).
    #[must_use]
    pub fn of_counts() -> Writer {
        Writer { counts: true, ..Writer::new() }
    }

    /// Adds games, or another count, to a move. The counts of a position are scaled where their sum
    /// for a move exceeds 65,535.
    ///
    /// # Errors
    /// I/O errors of the temporary file.
    pub fn count(&mut self, key: u64, m: Move, count: u64) -> Result<(), Error> {
        if !self.counts {
            return self.push(Entry::new(key, m, u16::try_from(count).unwrap_or(u16::MAX)));
        }
        let most = (1 << 48) - 1;
        let code = u128::from(encode_move(m)) << 48;
        let number = u128::from(key) << 64 | code | u128::from(count.min(most));
        self.sorter.push(number).map_err(Error::io(Location::default()))
    }

    /// Adds an entry. An entry without a move, or with a promotion code above 4, is left out.
    ///
    /// # Errors
    /// I/O errors of the temporary file.
    pub fn push(&mut self, entry: Entry) -> Result<(), Error> {
        if entry.is_null() || entry.code >> 12 & 7 > 4 {
            return Ok(());
        }
        let entry = Entry { code: entry.code & 0x7fff, ..entry };
        if self.counts {
            let number = u128::from_be_bytes(entry.encode());
            let number = number >> 48 << 48 | u128::from(entry.weight);
            return self.sorter.push(number).map_err(Error::io(Location::default()));
        }
        let number = u128::from_be_bytes(entry.encode());
        self.sorter.push(number).map_err(Error::io(Location::default()))
    }

    /// Writes the book to an empty file and returns the file.
    ///
    /// # Errors
    /// I/O errors.
    pub fn finish<W: WriteAt>(self, file: W) -> Result<W, Error> {
        let disk = Error::io(Location::file("bin"));
        let mut out = Appender::new(file);
        let mut sorted = self.sorter.finish().map_err(Error::io(Location::default()))?;
        let mut group: Vec<(Entry, u64)> = Vec::new();
        loop {
            let next = sorted.next().map_err(Error::io(Location::default()))?;
            let entry = next.and_then(|number| Entry::parse(&number.to_be_bytes()));
            let weight = match (entry, next) {
                (Some(_), Some(number)) if self.counts => low_48(number),
                (Some(entry), _) => u64::from(entry.weight),
                _ => 0,
            };
            let entry =
                entry.map(|entry| if self.counts { Entry { learn: 0, ..entry } } else { entry });
            let last = group.last_mut();
            match (last, entry) {
                (Some((last, _)), next) if next.is_none_or(|next| next.key != last.key) => {
                    scale(&mut group);
                    group.sort_by_key(|(entry, _)| Reverse(entry.weight));
                    for (entry, _) in group.drain(..) {
                        out.push(&entry.encode()).map_err(&disk)?;
                    }
                }
                // The entries of a move come in order of their weights.
                (Some((last, sum)), Some(next)) if next.code == last.code => {
                    *last = next;
                    *sum = sum.saturating_add(weight);
                    continue;
                }
                _ => {}
            }
            let Some(entry) = entry else { break };
            group.push((entry, weight));
        }
        out.finish().map_err(disk)
    }
}

/// Returns the count of a number.
#[allow(clippy::cast_possible_truncation, reason = "48 bits")]
fn low_48(number: u128) -> u64 {
    number as u64 & ((1 << 48) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polyglot::Book;

    #[test]
    fn counts_above_field_keep_proportions() {
        let mut writer = Writer::of_counts();
        let [one, two]: [Move; 2] = ["e2e4", "d2d4"].map(|text| text.parse().unwrap());
        for (m, count) in [(one, 150_000), (two, 100_000), (one, 50_000)] {
            writer.count(1, m, count).unwrap();
        }
        writer.count(2, two, 3).unwrap();
        let book = Book::new(writer.finish(Vec::new()).unwrap()).unwrap();
        let weights: Vec<u16> = book.entries().map(|entry| entry.unwrap().1.weight).collect();
        assert_eq!(weights, [65_535, 32_767, 3]);
    }
}
