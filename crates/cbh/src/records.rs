//! The records of a file of headers: games, and guiding texts among them. Both formats number them
//! in the same way.

use std::cmp::Ordering;
use std::ops::Range;

use chess_store::io::{ReadAhead, ReadAt};
use chess_store::{Diagnostics, Location, Quirk};

use crate::error::{Error, ErrorKind};

/// The number of bytes that one read takes, roughly. They stay in the cache of the processor.
const AT_ONCE: usize = 1 << 17;

/// The numbers of the records of a base.
///
/// Records count from 1. Games count from 0 and leave guiding texts out.
#[derive(Clone, Debug)]
pub(crate) struct Records {
    /// The extension of the file of headers.
    file: &'static str,
    /// The size of a record in bytes. Record *n* begins at *n* times this size.
    size: usize,
    /// The number of records, guiding texts included.
    pub(crate) count: u64,
    /// The record numbers of guiding texts in ascending order.
    pub(crate) texts: Vec<u32>,
}

impl Records {
    /// Counts the records of a file. `next` is the number of the next record according to the
    /// header of the file, and its offset there. `quirks` are a file that ends inside a record, a
    /// header that counts too many records, and one that counts too few.
    ///
    /// # Errors
    /// I/O errors. In strict mode, any quirk is an error.
    pub(crate) fn count<R: ReadAt, Q: Quirk>(
        (file, name): (&R, &'static str),
        size: usize,
        (next, next_at): (u64, u64),
        [short, missing, more]: [Q; 3],
        diagnostics: &mut Diagnostics,
    ) -> Result<Records, Error> {
        let at = Location::file(name);
        let length = file.size().map_err(Error::io(at.at(0)))?;
        let count = length.checked_div(size as u64).unwrap_or(0).saturating_sub(1);
        if length.checked_rem(size as u64) != Some(0) {
            diagnostics.note(short, at.at(length))?;
        }
        match next.cmp(&count.saturating_add(1)) {
            Ordering::Greater => diagnostics.note(missing, at.at(next_at))?,
            Ordering::Less => diagnostics.note(more, at.at(next_at))?,
            Ordering::Equal => {}
        }
        let count = count.min(u64::from(u32::MAX));
        Ok(Records { file: name, size, count, texts: Vec::new() })
    }

    /// Finds the guiding texts by reading all records.
    pub(crate) fn find_texts<R: ReadAt>(
        &mut self,
        file: &R,
        is_text: impl Fn(&[u8]) -> bool,
    ) -> Result<(), Error> {
        let at_once = AT_ONCE.checked_div(self.size).unwrap_or(0).max(1);
        let (mut bytes, mut first) = (Vec::new(), 1u64);
        while first <= self.count {
            let at = self.place_of(first);
            let offset = at.offset.unwrap_or(0);
            let size = at_once.saturating_mul(self.size);
            file.read_into(offset, size, &mut bytes).map_err(Error::io(at))?;
            for (number, record) in (first..=self.count).zip(bytes.chunks_exact(self.size)) {
                if let (true, Ok(number)) = (is_text(record), u32::try_from(number)) {
                    self.texts.push(number);
                }
            }
            first = first.saturating_add(at_once as u64);
        }
        Ok(())
    }

    /// Returns the number of games.
    pub(crate) fn games(&self) -> u64 {
        self.count.saturating_sub(self.texts.len() as u64)
    }

    /// Returns the record number of a game.
    ///
    /// # Errors
    /// If there is no such game.
    pub(crate) fn number_of(&self, game: u64) -> Result<u32, Error> {
        let games = self.games();
        if game >= games {
            return Err(ErrorKind::NoSuchGame(games).at(Location::file(self.file).in_game(game)));
        }
        // Binary search for the number of texts before the game. The text with this index precedes
        // the game if at most `game` games precede the text.
        let (mut low, mut high) = (0, self.texts.len());
        while low < high {
            let middle = low.midpoint(high);
            let number = self.texts.get(middle).copied().map_or(0, u64::from);
            let before = number.saturating_sub(1).saturating_sub(middle as u64);
            if before <= game {
                low = middle.saturating_add(1);
            } else {
                high = middle;
            }
        }
        let number = game.saturating_add(1).saturating_add(low as u64);
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// Calls `each` with the number and the record of each game in `games`, in order. The bytes of a
    /// record that cannot be read are empty.
    #[inline]
    pub(crate) fn each_game<R: ReadAt + ?Sized>(
        &self,
        read_ahead: &mut ReadAhead,
        file: &R,
        games: Range<u64>,
        mut each: impl FnMut(u64, &[u8]),
    ) {
        let mut game = games.start;
        let last = games.end.min(self.games()).checked_sub(1).filter(|last| *last >= game);
        let ends = last.and_then(|last| self.number_of(game).ok().zip(self.number_of(last).ok()));
        if let Some((first, last)) = ends {
            let before = self.texts.partition_point(|text| *text < first);
            let texts = self.texts.get(before..).unwrap_or_default();
            let mut texts = texts.iter().map(|text| u64::from(*text));
            let mut next_text = texts.next();
            let offset = u64::from(first).saturating_mul(self.size as u64);
            let numbers = u64::from(first)..u64::from(last).saturating_add(1);
            read_ahead.each_entry(file, (offset, self.size), numbers, |number, bytes| {
                if next_text == Some(number) {
                    next_text = texts.next();
                } else {
                    each(game, bytes);
                    game = game.saturating_add(1);
                }
            });
        }
        (game..games.end).for_each(|game| each(game, &[]));
    }

    /// Iterates over all records, guiding texts included. Returns what `parse` makes of each.
    /// A record that cannot be read ends the iteration.
    pub(crate) fn each_record<'a, R: ReadAt + ?Sized, T>(
        &'a self,
        file: &'a R,
        parse: impl Fn(&[u8]) -> T + 'a,
    ) -> impl Iterator<Item = T> + 'a {
        let (mut number, mut bytes, mut at) = (1u64, Vec::new(), 0usize);
        std::iter::from_fn(move || {
            if number > self.count {
                return None;
            }
            if at >= bytes.len() {
                at = 0;
                let offset = number.saturating_mul(self.size as u64);
                let size = AT_ONCE.checked_div(self.size).unwrap_or(0).saturating_mul(self.size);
                file.read_into(offset, size, &mut bytes).ok()?;
            }
            let record = bytes.get(at..at.checked_add(self.size)?)?;
            at = at.saturating_add(self.size);
            number = number.saturating_add(1);
            Some(parse(record))
        })
    }

    /// Returns the number of games before the record of a guiding text.
    pub(crate) fn games_before(&self, text: u32) -> u64 {
        let texts = self.texts.partition_point(|known| *known < text);
        u64::from(text).saturating_sub(1).saturating_sub(texts as u64)
    }

    /// Returns the game of a record. Returns `None` if the record is a text or does not exist.
    #[cfg(test)]
    pub(crate) fn game_of(&self, number: u64) -> Option<u64> {
        if number == 0 || number > self.count {
            return None;
        }
        match self.texts.binary_search(&u32::try_from(number).ok()?) {
            Ok(_) => None,
            Err(texts) => number.checked_sub(1)?.checked_sub(texts as u64),
        }
    }

    /// Returns the location of a record.
    pub(crate) fn place(&self, number: u32) -> Location {
        self.place_of(u64::from(number))
    }

    fn place_of(&self, number: u64) -> Location {
        Location::file(self.file).at(number.saturating_mul(self.size as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_game_after_texts_skips_them() {
        let texts = vec![1, 2, 5, 8];
        let records = Records { file: "cbh", size: 46, count: 8, texts };
        let numbers: Vec<_> = (0..4).map(|game| records.number_of(game).unwrap()).collect();
        assert_eq!(numbers, [3, 4, 6, 7]);
        assert!(records.number_of(4).is_err());
        assert_eq!([1, 2, 5, 8].map(|text| records.games_before(text)), [0, 0, 2, 4]);
        let games: Vec<_> = (0..10).map(|number| records.game_of(number)).collect();
        let (bytes, mut read) =
            ((0..9 * 46).map(|n| (n / 46) as u8).collect::<Vec<_>>(), Vec::new());
        let mut read_ahead = ReadAhead::default();
        records.each_game(&mut read_ahead, &bytes, 1..5, |game, record| {
            read.push((game, record.first().copied()));
        });
        assert_eq!(read, [(1, Some(4)), (2, Some(6)), (3, Some(7)), (4, None)]);
        records.each_game(&mut read_ahead, &bytes, 7..8, |game, record| {
            assert_eq!((game, record.len()), (7, 0));
        });
        let none = None;
        assert_eq!(games, [none, none, none, Some(0), Some(1), none, Some(2), Some(3), none, none]);
    }
}
