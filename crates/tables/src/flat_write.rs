//! Writes a Parquet column with one value a row, text or number. Repeated values use a dictionary
//! as long as it is small; other values are stored directly.

use chess_store::field_size;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::statistics::Statistics;
use parquet::schema::types::ColumnDescPtr;

use crate::bounds::Bounds;
use crate::chunk::{Chunk, Data, Entries, PAGE_ROWS, Written};
use crate::column::{Column, Kind, Values};
use crate::dictionary::Dictionary;
use crate::hybrid::{mix, width};
use crate::squeeze::PageCompressor;

/// Why lengths and counts fit their fields.
const ROWS_ARE_LIMITED: &str = "the encoder refuses rows of more than `encode::MAX_ROW_BYTES`";

/// The maximum size of a page, the same as in other writers.
const PAGE_BYTES: usize = 1 << 20;

/// The encoding of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Storage {
    /// With a dictionary, compressed.
    Repeating,
    /// Without a dictionary, compressed.
    Texts,
    /// Without a dictionary, not compressed.
    Hashes,
}

/// Writes a column of a row group.
pub(crate) struct FlatWriter {
    chunk: Chunk,
    way: Storage,
    nullable: bool,
    /// `None` once values are stored without a dictionary.
    dictionary: Option<Dictionary>,
    /// The dictionary at the time it was full.
    full: Option<Dictionary>,
    page: Page,
    bounds: Bounds,
    nulls: usize,
    raw: Vec<u8>,
}

/// The rows of the current page.
#[derive(Default)]
struct Page {
    /// The definition level of each row, if the column is nullable.
    levels: Vec<u16>,
    places: Vec<u16>,
    plain: Vec<u8>,
    rows: usize,
}

impl FlatWriter {
    pub(crate) fn new(
        descr: ColumnDescPtr,
        kind: Kind,
        way: Storage,
        level: i32,
    ) -> Result<FlatWriter> {
        let compression = match way {
            Storage::Hashes => Compression::UNCOMPRESSED,
            _ => Compression::ZSTD(ZstdLevel::try_new(level)?),
        };
        let dictionary = (way == Storage::Repeating).then(|| Dictionary::new(kind != Kind::Text));
        Ok(FlatWriter {
            nullable: descr.max_def_level() > 0,
            chunk: Chunk::new(descr, compression),
            way,
            dictionary,
            full: None,
            page: Page::default(),
            bounds: Bounds::new(kind, way != Storage::Texts),
            nulls: 0,
            raw: Vec::new(),
        })
    }

    /// Adds `count` rows, starting at row `from`.
    pub(crate) fn write(
        &mut self,
        column: &Column,
        from: usize,
        count: usize,
        compressor: &mut PageCompressor,
    ) -> Result<()> {
        if column.all_null().is_some() {
            return self.push_nulls(count, compressor);
        }
        let there = column.valid.iter().skip(from).take(count);
        match &column.values {
            Values::Text(texts) => {
                let invalid = || ParquetError::General("a text is not UTF-8".to_owned());
                std::str::from_utf8(&texts.bytes).map_err(|_| invalid())?;
                let ends = texts.offsets.windows(2).skip(from);
                for (ends, there) in ends.zip(there) {
                    let [start, end] = ends else { continue };
                    let place = |end: &i32| usize::try_from(*end).unwrap_or(0);
                    let text = texts.bytes.get(place(start)..place(end)).unwrap_or_default();
                    self.push(there.then_some(text), compressor)?;
                }
            }
            Values::Int16(values) => {
                for (value, there) in values.iter().skip(from).zip(there) {
                    self.push_number(there.then_some(i32::from(*value)), compressor)?;
                }
            }
            Values::Int32(values) => {
                for (value, there) in values.iter().skip(from).zip(there) {
                    self.push_number(there.then_some(*value), compressor)?;
                }
            }
            Values::UInt64(values) => {
                for (value, there) in values.iter().skip(from).zip(there) {
                    self.push(there.then_some(&value.to_le_bytes()), compressor)?;
                }
            }
            _ => return Err(ParquetError::General("a column is of another type".to_owned())),
        }
        Ok(())
    }

    fn push_nulls(&mut self, mut count: usize, compressor: &mut PageCompressor) -> Result<()> {
        self.nulls = self.nulls.saturating_add(count);
        while count > 0 {
            let some = count.min(PAGE_ROWS.saturating_sub(self.page.rows));
            self.page.rows = self.page.rows.saturating_add(some);
            self.page.levels.resize(self.page.levels.len().saturating_add(some), 0);
            self.end_full_page(compressor)?;
            count = count.saturating_sub(some.max(1));
        }
        Ok(())
    }

    #[inline]
    fn push(&mut self, value: Option<&[u8]>, compressor: &mut PageCompressor) -> Result<()> {
        if let Some(value) = value {
            match self.dictionary.as_mut().map(|dictionary| dictionary.place(value)) {
                Some(Some(place)) => self.page.places.push(place),
                None => self.push_plain(value),
                Some(None) => {
                    self.end_page(compressor)?;
                    self.full = self.dictionary.take();
                    self.push_plain(value);
                }
            }
        } else {
            self.nulls += 1;
        }
        self.end_row(value.is_some(), compressor)
    }

    #[inline]
    fn push_number(&mut self, value: Option<i32>, compressor: &mut PageCompressor) -> Result<()> {
        let dictionary = self.dictionary.as_mut();
        let place = value.zip(dictionary).and_then(|(value, numbers)| numbers.place_of(value));
        let Some(place) = place else {
            return self
                .push(value.map(i32::to_le_bytes).as_ref().map(<[u8; 4]>::as_slice), compressor);
        };
        self.page.places.push(place);
        self.end_row(true, compressor)
    }

    #[inline]
    fn end_row(&mut self, has_value: bool, compressor: &mut PageCompressor) -> Result<()> {
        if self.nullable {
            self.page.levels.push(u16::from(has_value));
        }
        self.page.rows += 1;
        self.end_full_page(compressor)
    }

    #[inline]
    fn push_plain(&mut self, value: &[u8]) {
        if self.bounds.are_texts() {
            let length: u32 = field_size(value.len(), ROWS_ARE_LIMITED);
            self.page.plain.extend_from_slice(&length.to_le_bytes());
        }
        self.page.plain.extend_from_slice(value);
        self.bounds.add(value);
    }

    #[inline]
    fn end_full_page(&mut self, compressor: &mut PageCompressor) -> Result<()> {
        let is_full = self.page.rows >= PAGE_ROWS || self.page.plain.len() >= PAGE_BYTES;
        if is_full { self.end_page(compressor) } else { Ok(()) }
    }

    fn end_page(&mut self, compressor: &mut PageCompressor) -> Result<()> {
        if self.page.rows == 0 {
            return Ok(());
        }
        let raw = &mut self.raw;
        raw.clear();
        if self.nullable {
            let start = raw.len();
            raw.extend_from_slice(&[0; 4]);
            mix(&self.page.levels, 1, raw);
            let length: u32 = field_size(raw.len().saturating_sub(4), ROWS_ARE_LIMITED);
            raw.iter_mut().skip(start).zip(length.to_le_bytes()).for_each(|(to, byte)| *to = byte);
        }
        let mut encoding = Encoding::PLAIN;
        match &self.dictionary {
            // A page without values may come before there is a dictionary.
            Some(dictionary) if dictionary.len() > 0 => {
                let width = width(dictionary.len());
                raw.push(u8::try_from(width).unwrap_or(0));
                mix(&self.page.places, width, raw);
                encoding = Encoding::RLE_DICTIONARY;
            }
            _ if raw.is_empty() => std::mem::swap(raw, &mut self.page.plain),
            _ => raw.extend_from_slice(&self.page.plain),
        }
        let bytes = squeezed(raw, self.way, compressor)?;
        let (raw, rows, levels) = (raw.len(), self.page.rows, self.page.rows);
        self.chunk.add(Data { encoding, bytes, raw, rows, levels })?;
        self.page.rows = 0;
        self.page.levels.clear();
        self.page.places.clear();
        self.page.plain.clear();
        Ok(())
    }

    /// Returns the column and its entry in the file's footer.
    pub(crate) fn close(
        mut self,
        compressor: &mut PageCompressor,
    ) -> Result<(Written, ColumnCloseResult)> {
        self.end_page(compressor)?;
        let dictionary = self.dictionary.or(self.full).filter(|dictionary| dictionary.len() > 0);
        let mut entries = None;
        if let Some(dictionary) = dictionary {
            dictionary.values().for_each(|value| self.bounds.add(value));
            let (raw, count) = (dictionary.page().len(), dictionary.len());
            let bytes = squeezed(dictionary.page(), self.way, compressor)?;
            entries = Some(Entries { bytes, raw, count });
        }
        let statistics: Statistics = self.bounds.statistics(self.nulls);
        self.chunk.close(entries, statistics)
    }
}

fn squeezed(raw: &[u8], way: Storage, compressor: &mut PageCompressor) -> Result<Vec<u8>> {
    if way == Storage::Hashes {
        return Ok(raw.to_vec());
    }
    compressor.squeeze(raw).map_err(|error| ParquetError::External(Box::new(error)))
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use arrow_array::Array as _;
    use arrow_array::RecordBatch;
    use arrow_array::cast::AsArray as _;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::file::reader::{FileReader as _, SerializedFileReader};

    use super::*;
    use crate::parquet_write::ParquetTarget;
    use crate::writer::Target as _;
    use crate::{Columns, Rows, Selection};

    /// Returns a file of several columns; the callback fills each row.
    fn file(
        names: &[&str],
        rows: usize,
        threads: usize,
        fill: impl Fn(&mut Column, &str, usize),
    ) -> File {
        let selection = Selection::named(Rows::Games, names.iter().copied()).unwrap();
        let file = tempfile::tempfile().unwrap();
        let writer = file.try_clone().unwrap();
        let mut target = ParquetTarget::new(writer, &selection, 1, 60_000, threads).unwrap();
        for batch in (0..rows).collect::<Vec<_>>().chunks(3_001) {
            let mut columns = Columns::new(&selection);
            for row in batch {
                for (field, column) in columns.iter_mut() {
                    fill(column, field.name, *row);
                }
                columns.end_rows(1);
            }
            target.write(columns).unwrap();
        }
        Box::new(target).finish().unwrap();
        file
    }

    /// Reads all rows from row `from` on.
    fn read(file: &File, from: usize) -> Vec<RecordBatch> {
        let reader = ParquetRecordBatchReaderBuilder::try_new(file.try_clone().unwrap());
        let reader = reader.unwrap().with_offset(from).build().unwrap();
        reader.map(Result::unwrap).collect()
    }

    fn texts(file: &File, from: usize) -> Vec<Option<String>> {
        let texts = |batch: &RecordBatch| -> Vec<Option<String>> {
            batch.column(0).as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
        };
        read(file, from).iter().flat_map(texts).collect()
    }

    /// Asserts that the texts of a column read back, from the start and from a page in the middle
    /// of the second row group.
    fn are_written(name: &str, texts_of: impl Fn(usize) -> Option<String>, rows: usize) -> File {
        let fill = |column: &mut Column, _: &str, row: usize| {
            column.or_null(texts_of(row).as_deref(), Column::text);
        };
        let written = file(&[name], rows, 1, fill);
        for from in [0, rows / 2 + 7] {
            let expected: Vec<_> = (from..rows).map(&texts_of).collect();
            assert!(texts(&written, from) == expected, "{name} {rows}");
        }
        written
    }

    #[test]
    fn flat_writer_repeated_and_unique_texts_read_back() {
        let some = |n: usize| Some(format!("Player {}", n * n % 977));
        let unique = |n: usize| Some(format!("https://lichess.org/{n:0>40}"));
        for rows in [0, 1, 19_999, 20_000, 20_001, 130_000] {
            are_written("White", some, rows);
        }
        are_written("Site", unique, 130_000);
        are_written("Site", |n| unique(n).filter(|_| n % 3 == 0 || n > 90_000), 130_000);
        are_written("Black", |n| some(n).filter(|_| n % 50_000 < 30_000 && n % 7 > 2), 130_000);
        are_written("Black", |n| some(n).filter(|_| n > 119_990), 120_007);
        are_written("Opening", |_| None, 70_001);
        are_written("Event", |n| Some("long".repeat(n % 3 * 700_000)), 11);
        are_written("movetext", |n| Some("e4 ".repeat(n % 31)), 60_050);
    }

    #[test]
    fn flat_writer_equal_values_take_little_space() {
        let fill = |column: &mut Column, _: &str, _: usize| column.text("a");
        let alike = file(&["Event", "Site", "White"], 60_000, 1, fill);
        assert!(alike.metadata().unwrap().len() < 3_000);
    }

    #[test]
    fn flat_writer_numbers_and_bounds_read_back() {
        let elo_of = |row: usize| (!row.is_multiple_of(5)).then_some(row as i16);
        let names = ["WhiteElo", "plies", "UTCDate", "final_hash", "White"];
        let fill = |column: &mut Column, name: &str, row: usize| match name {
            "WhiteElo" => column.or_null(elo_of(row), Column::int16),
            "plies" => column.int32(row as i32 * 7),
            "UTCDate" => column.or_null((row == 3).then_some(-9), Column::int32),
            "final_hash" => column.uint64(u64::MAX - row as u64),
            _ => column.text(["x", "é", "a"][row % 3]),
        };
        let bytes = |mut file: &File| {
            use std::io::{Read as _, Seek as _};
            let mut bytes = Vec::new();
            file.rewind().unwrap();
            file.read_to_end(&mut bytes).unwrap();
            bytes
        };
        let one = file(&names, 70_000, 1, fill);
        assert!(bytes(&one) == bytes(&file(&names, 70_000, 3, fill)), "whatever the threads");
        let mut row = 0usize;
        for batch in read(&one, 0) {
            for at in 0..batch.num_rows() {
                let elo = batch.column(0).as_primitive::<arrow_array::types::Int16Type>();
                let expected = elo_of(row);
                assert_eq!(elo.is_valid(at).then(|| elo.value(at)), expected);
                let plies = batch.column(1).as_primitive::<arrow_array::types::Int32Type>();
                assert_eq!(plies.value(at), row as i32 * 7);
                let hash = batch.column(3).as_primitive::<arrow_array::types::UInt64Type>();
                assert_eq!(hash.value(at), u64::MAX - row as u64);
                row += 1;
            }
        }
        assert_eq!(row, 70_000);
        let reader = SerializedFileReader::new(one).unwrap();
        let of =
            |column| reader.metadata().row_group(0).column(column).statistics().unwrap().clone();
        let (Statistics::Int32(elo), Statistics::Int32(plies)) = (of(0), of(1)) else { panic!() };
        assert_eq!((elo.min_opt(), elo.max_opt()), (Some(&-32_768), Some(&32_767)));
        assert_eq!(elo.null_count_opt(), Some(12_000));
        assert_eq!((plies.min_opt(), plies.max_opt()), (Some(&0), Some(&(59_999 * 7))));
        let (Statistics::Int64(hash), Statistics::ByteArray(white)) = (of(3), of(4)) else {
            panic!()
        };
        assert_eq!((hash.min_opt(), hash.max_opt()), (Some(&-60_000), Some(&-1)));
        assert_eq!(white.min_opt().unwrap().as_utf8().unwrap(), "a");
        assert_eq!(white.max_opt().unwrap().as_utf8().unwrap(), "é");
    }
}
