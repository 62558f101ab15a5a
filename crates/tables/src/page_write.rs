//! Column chunks of pages that this crate encodes itself.
//!
//! The parquet crate encodes and compresses the pages of a column one after the other. Where that
//! would set the pace, the pages are made here; the parquet crate writes their headers and appends
//! them to the file.

use std::io::{self, Read};

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, PageType};
use parquet::column::page::{CompressedPage, Page, PageWriter as _};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, PageEncodingStats};
use parquet::file::page_index::offset_index::{OffsetIndexMetaData, PageLocation};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

/// The number of rows and the size in bytes at which a page is full, as in the parquet crate.
pub(crate) const PAGE_ROWS: usize = 20_000;
pub(crate) const PAGE_BYTES: usize = 1 << 20;

/// A page as it stands in the file, with its header.
pub(crate) struct StoredPage {
    bytes: Bytes,
    /// The size before compression, with the header.
    unpacked: usize,
    values: u32,
    rows: usize,
}

impl StoredPage {
    /// Writes the header of a data page. Its levels are run lengths.
    pub(crate) fn data(
        packed: Vec<u8>,
        unpacked: usize,
        encoding: Encoding,
        (values, rows): (usize, usize),
    ) -> Result<StoredPage, ParquetError> {
        let page = Page::DataPage {
            buf: packed.into(),
            num_values: count(values)?,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        StoredPage::new(page, unpacked, rows)
    }

    /// Writes the header of a dictionary page that is not compressed.
    pub(crate) fn dictionary(plain: Vec<u8>, values: usize) -> Result<StoredPage, ParquetError> {
        let unpacked = plain.len();
        let page = Page::DictionaryPage {
            buf: plain.into(),
            num_values: count(values)?,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        StoredPage::new(page, unpacked, 0)
    }

    fn new(page: Page, unpacked: usize, rows: usize) -> Result<StoredPage, ParquetError> {
        let values = page.num_values();
        let mut sink = TrackedWrite::new(Vec::with_capacity(page.buffer().len() + 64));
        let mut writer = SerializedPageWriter::new(&mut sink);
        let written = writer.write_page(CompressedPage::new(page, unpacked))?;
        let bytes = sink.into_inner()?.into();
        Ok(StoredPage { bytes, unpacked: written.uncompressed_size, values, rows })
    }
}

fn count(values: usize) -> Result<u32, ParquetError> {
    let too_many = |_| ParquetError::General(format!("{values} values are too many for a page"));
    u32::try_from(values).map_err(too_many)
}

/// The pages of a column in a row group.
pub(crate) struct PageChunk {
    pub(crate) dictionary: Option<StoredPage>,
    pub(crate) pages: Vec<StoredPage>,
    pub(crate) encoding: Encoding,
    pub(crate) compression: Compression,
}

impl PageChunk {
    /// Appends the pages to the file as the next column.
    pub(crate) fn append_to<W: io::Write + Send>(
        self,
        group: &mut SerializedRowGroupWriter<'_, W>,
        column: ColumnDescPtr,
    ) -> Result<(), ParquetError> {
        let stored = || self.dictionary.iter().chain(&self.pages);
        let start = self.dictionary.as_ref().map_or(0, |page| page.bytes.len());
        let (mut places, mut offset, mut row) = (Vec::new(), signed(start), 0);
        for page in &self.pages {
            let size = page.bytes.len();
            places.push(PageLocation {
                offset,
                compressed_page_size: i32::try_from(size)
                    .map_err(|_| ParquetError::General(format!("a page has {size} bytes")))?,
                first_row_index: row,
            });
            offset += signed(size);
            row += signed(page.rows);
        }
        let mut encodings = vec![Encoding::RLE, self.encoding];
        let mut stats = Vec::new();
        if self.dictionary.is_some() {
            encodings.push(Encoding::PLAIN);
            stats.push(PageEncodingStats {
                page_type: PageType::DICTIONARY_PAGE,
                encoding: Encoding::PLAIN,
                count: 1,
            });
        }
        stats.push(PageEncodingStats {
            page_type: PageType::DATA_PAGE,
            encoding: self.encoding,
            count: i32::try_from(self.pages.len()).unwrap_or(i32::MAX),
        });
        let metadata = ColumnChunkMetaData::builder(column)
            .set_compression(self.compression)
            .set_encodings(encodings)
            .set_page_encoding_stats(stats)
            .set_total_compressed_size(offset)
            .set_total_uncompressed_size(signed(stored().map(|page| page.unpacked).sum()))
            .set_num_values(self.pages.iter().map(|page| i64::from(page.values)).sum())
            .set_data_page_offset(signed(start))
            .set_dictionary_page_offset(self.dictionary.as_ref().map(|_| 0))
            .build()?;
        let close = ColumnCloseResult {
            bytes_written: offset.unsigned_abs(),
            rows_written: row.unsigned_abs(),
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: Some(OffsetIndexMetaData {
                page_locations: places,
                unencoded_byte_array_data_bytes: None,
            }),
        };
        let bytes = stored().map(|page| page.bytes.clone()).collect();
        group.append_column(&Chain(bytes, offset.unsigned_abs()), close)
    }
}

/// Sizes of things in memory.
fn signed(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

/// The bytes of pages one after the other, and their sum.
struct Chain(Vec<Bytes>, u64);

impl Length for Chain {
    fn len(&self) -> u64 {
        self.1
    }
}

impl ChunkReader for Chain {
    type T = ChainReader;

    /// The parquet crate reads the chunk from its beginning.
    fn get_read(&self, start: u64) -> Result<ChainReader, ParquetError> {
        let mut reader = ChainReader { pages: self.0.clone().into_iter(), page: Bytes::new() };
        io::copy(&mut (&mut reader).take(start), &mut io::sink())?;
        Ok(reader)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let mut bytes = vec![0; length.min(usize::try_from(self.1).unwrap_or(usize::MAX))];
        self.get_read(start)?.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

struct ChainReader {
    pages: std::vec::IntoIter<Bytes>,
    page: Bytes,
}

impl Read for ChainReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.page.is_empty() {
            match self.pages.next() {
                Some(page) => self.page = page,
                None => return Ok(0),
            }
        }
        let count = self.page.len().min(into.len());
        let bytes = self.page.split_to(count);
        if let Some(into) = into.get_mut(..count) {
            into.copy_from_slice(&bytes);
        }
        Ok(count)
    }
}
