//! Assembles the column chunk of a row group, page by page, as it will be in the file.

use chess_store::field_size;
use std::collections::VecDeque;
use std::io::Read;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{CompressedPage, Page, PageWriter as _};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, OffsetIndexBuilder, PageEncodingStats};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

/// Why lengths and counts fit their fields.
const PAGES_ARE_LIMITED: &str = "a page holds a limited number of rows and bytes";

/// The maximum number of rows in a page, the same as in other writers.
pub(crate) const PAGE_ROWS: usize = 20_000;
/// The approximate maximum size of a page header.
const MAX_PAGE_HEADER: usize = 64;

/// The pages of a column except its dictionary. The dictionary comes before them, but is complete
/// only at the end.
pub(crate) struct Chunk {
    descr: ColumnDescPtr,
    compression: Compression,
    kinds: Vec<PageEncodingStats>,
    /// Each page as it is in the file, with its number of rows. They are separate, because a single
    /// growing vector would be copied repeatedly.
    pages: Vec<(Bytes, usize)>,
    levels: usize,
    /// The number of bytes saved by compression.
    saved: usize,
}

/// A data page: its encoding, its bytes, which may be compressed, and its statistics.
pub(crate) struct Data {
    pub(crate) encoding: Encoding,
    pub(crate) bytes: Vec<u8>,
    /// The size before compression.
    pub(crate) raw: usize,
    pub(crate) rows: usize,
    /// The number of values, including nulls.
    pub(crate) levels: usize,
}

/// A dictionary: its values in plain encoding, possibly compressed.
pub(crate) struct Entries {
    pub(crate) bytes: Vec<u8>,
    pub(crate) raw: usize,
    pub(crate) count: usize,
}

impl Chunk {
    pub(crate) fn new(descr: ColumnDescPtr, compression: Compression) -> Chunk {
        Chunk { descr, compression, kinds: Vec::new(), pages: Vec::new(), levels: 0, saved: 0 }
    }

    pub(crate) fn add(&mut self, data: Data) -> Result<()> {
        let page = Page::DataPage {
            buf: data.bytes.into(),
            num_values: field_size(data.levels, PAGES_ARE_LIMITED),
            encoding: data.encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        self.note(&page, data.raw);
        self.levels = self.levels.saturating_add(data.levels);
        self.pages.push((in_file(page, data.raw)?, data.rows));
        Ok(())
    }

    /// Adds the page to the statistics of its encoding.
    fn note(&mut self, page: &Page, raw: usize) {
        let (page_type, encoding) = (page.page_type(), page.encoding());
        let of_kind = |pages: &&mut PageEncodingStats| {
            pages.page_type == page_type && pages.encoding == encoding
        };
        match self.kinds.iter_mut().find(of_kind) {
            Some(pages) => pages.count += 1,
            None => self.kinds.push(PageEncodingStats { page_type, encoding, count: 1 }),
        }
        // An incompressible page grows by a few bytes; wrapping arithmetic keeps the sum correct.
        self.saved = self.saved.wrapping_add(raw.wrapping_sub(page.buffer().len()));
    }

    /// Returns the column and its entry in the file's footer.
    pub(crate) fn close(
        mut self,
        dictionary: Option<Entries>,
        statistics: Statistics,
    ) -> Result<(Written, ColumnCloseResult)> {
        let mut pages = Vec::with_capacity(self.pages.len().saturating_add(1));
        let has_dictionary = dictionary.is_some();
        if let Some(entries) = dictionary {
            let page = Page::DictionaryPage {
                buf: entries.bytes.into(),
                num_values: field_size(entries.count, PAGES_ARE_LIMITED),
                encoding: Encoding::PLAIN,
                is_sorted: false,
            };
            self.note(&page, entries.raw);
            pages.push(in_file(page, entries.raw)?);
        }
        let head = pages.first().map_or(0, Bytes::len);
        let (mut index, mut length, mut all_rows) = (OffsetIndexBuilder::new(), head, 0usize);
        for (page, rows) in self.pages {
            let size = field_size(page.len(), PAGES_ARE_LIMITED);
            index.append_offset_and_size(whole(length), size);
            index.append_row_count(whole(rows));
            length += page.len();
            all_rows = all_rows.saturating_add(rows);
            pages.push(page);
        }
        let encodings = self.kinds.iter().map(|pages| pages.encoding).chain([Encoding::RLE]);
        let metadata = ColumnChunkMetaData::builder(self.descr)
            .set_compression(self.compression)
            .set_encodings(encodings.collect())
            .set_page_encoding_stats(self.kinds)
            .set_total_compressed_size(whole(length))
            .set_total_uncompressed_size(whole(length.wrapping_add(self.saved)))
            .set_num_values(whole(self.levels))
            .set_dictionary_page_offset(has_dictionary.then_some(0))
            .set_data_page_offset(whole(head))
            .set_statistics(statistics)
            .build()?;
        let result = ColumnCloseResult {
            bytes_written: count(length),
            rows_written: count(all_rows),
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: Some(index.build()),
        };
        Ok((Written { pages, length }, result))
    }
}

/// Returns a page with its header.
fn in_file(page: Page, raw: usize) -> Result<Bytes> {
    let room = page.buffer().len().saturating_add(MAX_PAGE_HEADER);
    let mut file = TrackedWrite::new(Vec::with_capacity(room));
    SerializedPageWriter::new(&mut file).write_page(CompressedPage::new(page, raw))?;
    Ok(file.into_inner()?.into())
}

/// The bytes of a column: its dictionary, if any, and its pages.
pub(crate) struct Written {
    pages: Vec<Bytes>,
    length: usize,
}

impl Length for Written {
    fn len(&self) -> u64 {
        count(self.length)
    }
}

impl ChunkReader for Written {
    type T = RemainingPages;

    fn get_read(&self, start: u64) -> Result<RemainingPages> {
        let mut pages = RemainingPages(self.pages.clone().into());
        let passed = std::io::copy(&mut pages.by_ref().take(start), &mut std::io::sink())?;
        if passed < start { Err(ended()) } else { Ok(pages) }
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let mut bytes = Vec::new();
        self.get_read(start)?.take(count(length)).read_to_end(&mut bytes)?;
        if bytes.len() < length { Err(ended()) } else { Ok(bytes.into()) }
    }
}

fn ended() -> ParquetError {
    ParquetError::EOF("a column ends before its end".to_owned())
}

/// The pages that are yet to be read; none is empty.
pub(crate) struct RemainingPages(VecDeque<Bytes>);

impl Read for RemainingPages {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let Some(page) = self.0.front_mut() else { return Ok(0) };
        let part = page.split_to(page.len().min(to.len()));
        to.iter_mut().zip(&part).for_each(|(to, byte)| *to = *byte);
        if page.is_empty() {
            self.0.pop_front();
        }
        Ok(part.len())
    }
}

fn whole(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(crate) fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
