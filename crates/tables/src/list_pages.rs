//! Encodes lists of 16-bit numbers, the columns of moves, as pages.
//!
//! A game has eighty moves, and there are few different ones. A table finds the number of a move in
//! the dictionary, where the parquet crate would hash its value. Moves are never compared for the
//! least and the greatest: no search asks for them.
//!
//! ```text
//! page:   repetition levels   0 at the first item of a list, 1 at the others
//!         definition levels   1 at an item, 0 at an empty list
//!         numbers             the width in one byte; numbers of values in the dictionary
//! ```
//!
//! Each part is a [`Hybrid`]; the size of levels stands before them in four bytes.

use std::ops::Range;

use chess_store::field_size;
use parquet::basic::{Compression, Encoding};
use parquet::errors::ParquetError;

use crate::column::{Codes, Kind};
use crate::page_write::{PAGE_ROWS, PageChunk, StoredPage};
use crate::rle::Hybrid;
use crate::uci::with_text;

/// The number of items at which a page is full: less than a megabyte.
const PAGE_ITEMS: usize = 1 << 19;

/// The number of a code that is not in the dictionary, or that is its last one of all codes.
const UNKNOWN: u16 = u16::MAX;

/// Encodes the lists of a row group.
pub(crate) struct ListWriter {
    kind: Kind,
    /// The number of each code in `distinct`, or [`UNKNOWN`].
    numbers: Box<[u16; 1 << 16]>,
    /// The dictionary. Its bytes stay below a megabyte, because there are 65,536 codes.
    distinct: Vec<u16>,
    page: ListPage,
    pages: Vec<StoredPage>,
}

/// The page that is not full.
struct ListPage {
    rows: usize,
    /// The number of items and of empty lists.
    values: usize,
    repetitions: Hybrid,
    definitions: Hybrid,
    numbers: Vec<u16>,
}

impl ListPage {
    fn new() -> ListPage {
        // The size of the levels is written later.
        let levels = || Hybrid::new(1, vec![0; 4]);
        ListPage {
            rows: 0,
            values: 0,
            repetitions: levels(),
            definitions: levels(),
            numbers: Vec::new(),
        }
    }
}

impl ListWriter {
    /// Creates a writer of lists of moves ([`Kind::UciList`]) or numbers ([`Kind::UInt16List`]).
    pub(crate) fn new(kind: Kind) -> ListWriter {
        let numbers = Box::new([UNKNOWN; 1 << 16]);
        ListWriter { kind, numbers, distinct: Vec::new(), page: ListPage::new(), pages: Vec::new() }
    }

    /// Adds the lists `rows`.
    pub(crate) fn write(&mut self, lists: &Codes, rows: Range<usize>) -> Result<(), ParquetError> {
        for list in lists.range(rows) {
            self.add(list);
            if self.page.numbers.len() >= PAGE_ITEMS || self.page.rows >= PAGE_ROWS {
                self.end_page()?;
            }
        }
        Ok(())
    }

    #[inline]
    fn add(&mut self, list: &[u16]) {
        let page = &mut self.page;
        page.rows += 1;
        page.values += list.len().max(1);
        page.repetitions.put(0);
        page.repetitions.put_run(1, list.len().saturating_sub(1));
        match list.len() {
            0 => page.definitions.put(0),
            items => page.definitions.put_run(1, items),
        }
        let (numbers, distinct) = (&mut self.numbers, &mut self.distinct);
        let number = |code: &u16| match numbers.get(usize::from(*code)) {
            None | Some(&UNKNOWN) => add_code(*code, numbers, distinct),
            Some(number) => *number,
        };
        page.numbers.extend(list.iter().map(number));
    }

    fn end_page(&mut self) -> Result<(), ParquetError> {
        let page = std::mem::replace(&mut self.page, ListPage::new());
        let mut bytes = with_size(page.repetitions.finish());
        bytes.extend(with_size(page.definitions.finish()));
        let width = Hybrid::width_of(self.distinct.len().saturating_sub(1));
        bytes.extend(width.to_le_bytes().first());
        let mut numbers = Hybrid::new(width, bytes);
        numbers.put_all(&page.numbers);
        let bytes = numbers.finish();
        let (size, counts) = (bytes.len(), (page.values, page.rows));
        self.pages.push(StoredPage::data(bytes, size, Encoding::RLE_DICTIONARY, counts)?);
        Ok(())
    }

    /// Ends the row group.
    pub(crate) fn finish(mut self) -> Result<PageChunk, ParquetError> {
        if self.page.rows > 0 {
            self.end_page()?;
        }
        let mut values = Vec::new();
        for code in &self.distinct {
            match self.kind {
                Kind::UciList => with_text(*code, |text| push_text(&mut values, text)),
                _ => values.extend(u32::from(*code).to_le_bytes()),
            }
        }
        Ok(PageChunk {
            dictionary: Some(StoredPage::dictionary(values, self.distinct.len())?),
            pages: self.pages,
            encoding: Encoding::RLE_DICTIONARY,
            compression: Compression::UNCOMPRESSED,
        })
    }
}

/// Returns the number of `code`, and adds it to the dictionary if it is not there.
#[cold]
fn add_code(code: u16, numbers: &mut [u16; 1 << 16], distinct: &mut Vec<u16>) -> u16 {
    if distinct.get(usize::from(UNKNOWN)) == Some(&code) {
        return UNKNOWN;
    }
    // There are not more codes than numbers.
    let number = u16::try_from(distinct.len()).unwrap_or(UNKNOWN);
    distinct.push(code);
    if let Some(place) = numbers.get_mut(usize::from(code)) {
        *place = number;
    }
    number
}

/// Adds a text as Parquet stores it without an encoding: its length, and its bytes.
pub(crate) fn push_text(to: &mut Vec<u8>, text: &[u8]) {
    let length: u32 = field_size(text.len(), "the encoder refuses rows that are longer");
    to.extend(length.to_le_bytes());
    to.extend_from_slice(text);
}

/// Writes the size of levels to the four bytes before them.
fn with_size(mut levels: Vec<u8>) -> Vec<u8> {
    let size: u32 = field_size(levels.len() - 4, "a page has fewer levels than bytes");
    if let Some(place) = levels.get_mut(..4) {
        place.copy_from_slice(&size.to_le_bytes());
    }
    levels
}
