//! Several books become one.

use chess_store::io::{Appender, ReadAt, WriteAt};

use super::book::{Book, Entries, at};
use super::entry::Entry;
use crate::error::{Error, ErrorKind};

/// The treatment of a position that several books have. The enum is complete: callers may match all
/// variants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merging {
    /// The moves of all books, with the sums of their weights. Where a sum exceeds 65,535, the
    /// weights of the position are scaled.
    Add,
    /// The moves of the first book that has the position.
    First,
    /// The moves of all books, with the greatest of their weights.
    Greatest,
}

/// Merges sorted books into an empty file and returns the file.
///
/// The moves of a position are in the order of the first book, followed by the moves that only
/// later books have. That is the order of `polyglot merge-book`. A move has the learning data of
/// the first book that has the move.
///
/// # Errors
/// I/O errors; a book that is not sorted.
// books §2.6 "Merging"
pub fn merge<R: ReadAt, W: WriteAt>(
    books: &[Book<R>],
    merging: Merging,
    file: W,
) -> Result<W, Error> {
    let mut inputs = Vec::with_capacity(books.len());
    for book in books {
        let mut entries = book.entries();
        let head = entries.next().transpose()?;
        inputs.push(Input { entries, head });
    }
    let mut out = Appender::new(file);
    let mut group = Group::default();
    while let Some(key) = inputs.iter().filter_map(|input| Some(input.head?.1.key)).min() {
        for input in &mut inputs {
            let is_first = group.entries.is_empty();
            while let Some(entry) = input.take(key)? {
                if is_first || merging != Merging::First {
                    group.add(entry, merging);
                }
            }
        }
        group.write(&mut out)?;
    }
    out.finish().map_err(Error::io(at(0)))
}

/// A book that is merged, and its next entry.
struct Input<'a, R> {
    entries: Entries<'a, R>,
    head: Option<(u64, Entry)>,
}

impl<R: ReadAt> Input<'_, R> {
    /// Returns the next entry if it has this key.
    fn take(&mut self, key: u64) -> Result<Option<Entry>, Error> {
        let Some((_, entry)) = self.head.filter(|(_, entry)| entry.key == key) else {
            return Ok(None);
        };
        self.head = self.entries.next().transpose()?;
        match self.head {
            Some((number, next)) if next.key < key => Err(ErrorKind::Unsorted.at(at(number))),
            _ => Ok(Some(entry)),
        }
    }
}

/// The entries of one position.
#[derive(Default)]
struct Group {
    entries: Vec<(Entry, u64)>,
    /// The place in `entries`, plus one, of each move; hostile books have all 65,536 of them.
    places: Vec<u32>,
}

impl Group {
    fn add(&mut self, entry: Entry, merging: Merging) {
        self.places.resize(1 << 16, 0);
        let weight = u64::from(entry.weight);
        let Some(place) = self.places.get_mut(usize::from(entry.code)) else { return };
        let known = (*place as usize).checked_sub(1).and_then(|at| self.entries.get_mut(at));
        match (known, merging) {
            (Some((_, sum)), Merging::Add) => *sum = sum.saturating_add(weight),
            (Some((_, sum)), Merging::Greatest) => *sum = weight.max(*sum),
            (Some(_), Merging::First) => {}
            (None, _) => {
                self.entries.push((entry, weight));
                *place = u32::try_from(self.entries.len()).unwrap_or(0);
            }
        }
    }

    fn write<W: WriteAt>(&mut self, out: &mut Appender<W>) -> Result<(), Error> {
        scale(&mut self.entries);
        for (entry, _) in self.entries.drain(..) {
            if let Some(place) = self.places.get_mut(usize::from(entry.code)) {
                *place = 0;
            }
            out.push(&entry.encode()).map_err(Error::io(at(0)))?;
        }
        Ok(())
    }
}

/// Sets the weights of the entries of a position. They keep their proportions where they exceed
/// the field; a weight above 0 stays above 0.
// books §2.5.5
pub(super) fn scale(entries: &mut [(Entry, u64)]) {
    let most = u64::from(u16::MAX);
    let greatest = entries.iter().map(|(_, weight)| *weight).max().unwrap_or(0);
    for (entry, weight) in entries {
        let scaled = if greatest <= most {
            *weight
        } else {
            let wide = u128::from(*weight).saturating_mul(most.into()).div_euclid(greatest.into());
            u64::try_from(wide).unwrap_or(most).max(u64::from(*weight > 0))
        };
        entry.weight = u16::try_from(scaled).unwrap_or(u16::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(entries: &[(u64, u16, u16)]) -> Book<Vec<u8>> {
        let entry = |(key, code, weight)| Entry { key, code, weight, learn: 0 };
        let bytes = entries.iter().flat_map(|fields| entry(*fields).encode()).collect();
        Book::new(bytes).unwrap()
    }

    fn merged(merging: Merging) -> Vec<(u64, u16, u16)> {
        let one = book(&[(1, 10, 5), (1, 11, 65_535), (3, 10, 1)]);
        let two = book(&[(1, 12, 7), (1, 11, 65_535), (2, 10, 0)]);
        let bytes = merge(&[one, two], merging, Vec::new()).unwrap();
        let entries = bytes.chunks(16).map(|bytes| Entry::parse(bytes).unwrap());
        entries.map(|entry| (entry.key, entry.code, entry.weight)).collect()
    }

    #[test]
    fn merge_position_of_both_books_follows_choice() {
        let others = [(2, 10, 0), (3, 10, 1)];
        let with = |moves: &[(u64, u16, u16)]| [moves, &others].concat();
        assert_eq!(merged(Merging::First), with(&[(1, 10, 5), (1, 11, 65_535)]));
        let greatest = with(&[(1, 10, 5), (1, 11, 65_535), (1, 12, 7)]);
        assert_eq!(merged(Merging::Greatest), greatest);
        assert_eq!(merged(Merging::Add), with(&[(1, 10, 2), (1, 11, 65_535), (1, 12, 3)]));
    }

    #[test]
    fn merge_unsorted_book_is_error() {
        let books = [book(&[(2, 10, 5), (1, 11, 6)])];
        let error = merge(&books, Merging::Add, Vec::new()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Unsorted), "{error}");
    }
}
