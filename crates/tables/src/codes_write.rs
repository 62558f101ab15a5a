//! Writes lists of 16-bit numbers, such as the moves of games, as a Parquet column. There are few
//! distinct values, so the dictionary is indexed by the number itself and no value is hashed.

use parquet::basic::{Compression, Encoding};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::Result;
use parquet::file::statistics::{Statistics, ValueStatistics};
use parquet::schema::types::ColumnDescPtr;

use crate::chunk::{Chunk, Data, Entries, PAGE_ROWS, Written, count};
use crate::column::Codes;
use crate::hybrid::{Levels, pack, repack, width};
use crate::uci::write_code;

/// The maximum number of codes in a page: about a megabyte, the same as in other writers. A page
/// ends at the end of a row.
const PAGE_CODES: usize = 1 << 19;

/// The Parquet type of a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CodeType {
    Number,
    Uci,
}

/// Writes a column of a row group. Neither the lists nor their items are null.
///
/// A writer can have a twin: a second column with the same lists except for a few items. Both
/// columns share one dictionary, so every code is looked up and packed once. The dictionary of the
/// first column then has a few values that only the twin uses.
pub(crate) struct CodesWriter {
    column: (Chunk, CodeType),
    twin: Option<(Chunk, CodeType)>,
    dictionary: Dictionary,
    page: Rows,
    /// The number of empty lists.
    empty: usize,
}

/// A finished column.
type Closed = (Written, ColumnCloseResult);

/// The rows of the current page.
#[derive(Default)]
struct Rows {
    repetition: Levels,
    definition: Levels,
    /// The dictionary index of each item.
    places: Vec<u16>,
    /// The items that differ in the twin, with their dictionary indices.
    others: Vec<(usize, u16)>,
    rows: usize,
    levels: usize,
}

#[derive(Default)]
struct Dictionary {
    codes: Vec<u16>,
    /// The index of each code, or [`NO_INDEX`].
    places: Vec<u16>,
}

/// The number of codes.
const CODES: usize = 1 << 16;
/// No index. It is also the index of the last code if all codes occur.
const NO_INDEX: u16 = u16::MAX;

impl CodesWriter {
    pub(crate) fn new(descr: ColumnDescPtr, written_as: CodeType) -> CodesWriter {
        CodesWriter {
            column: (uncompressed(descr), written_as),
            twin: None,
            dictionary: Dictionary::default(),
            page: Rows::default(),
            empty: 0,
        }
    }

    /// Adds a twin column. Call it before the first row.
    pub(crate) fn set_twin(&mut self, descr: ColumnDescPtr, written_as: CodeType) {
        self.twin = Some((uncompressed(descr), written_as));
    }

    /// Adds `count` lists, starting at list `from`, and the same lists of the twin if there is one.
    pub(crate) fn write(
        &mut self,
        lists: &Codes,
        twins: Option<&Codes>,
        from: usize,
        count: usize,
    ) -> Result<()> {
        for ends in lists.ends.windows(2).skip(from).take(count) {
            let [start, end] = ends else { continue };
            let bounds = usize::try_from(*start).unwrap_or(0)..usize::try_from(*end).unwrap_or(0);
            let codes = lists.codes.get(bounds.clone()).unwrap_or_default();
            if let Some(others) = twins.and_then(|twins| twins.codes.get(bounds)) {
                self.note_others(codes, others);
            }
            self.push(codes);
            if self.page.places.len() >= PAGE_CODES || self.page.rows >= PAGE_ROWS {
                self.end_page()?;
            }
        }
        Ok(())
    }

    /// Records the items in which the next lists differ.
    #[inline]
    fn note_others(&mut self, codes: &[u16], others: &[u16]) {
        let start = self.page.places.len();
        for (part, (codes, others)) in codes.chunks(PART).zip(others.chunks(PART)).enumerate() {
            if codes == others {
                continue;
            }
            let start = start.saturating_add(part.saturating_mul(PART));
            for (at, (code, other)) in codes.iter().zip(others).enumerate() {
                if code != other {
                    let place = self.dictionary.place(*other);
                    self.page.others.push((start.saturating_add(at), place));
                }
            }
        }
    }

    #[inline]
    fn push(&mut self, codes: &[u16]) {
        let levels = codes.len().max(1);
        self.page.repetition.push(0, 1);
        self.page.repetition.push(1, levels.saturating_sub(1));
        self.page.definition.push(u8::from(!codes.is_empty()), levels);
        self.empty += usize::from(codes.is_empty());
        self.page.levels = self.page.levels.saturating_add(levels);
        self.page.rows += 1;
        let dictionary = &mut self.dictionary;
        self.page.places.extend(codes.iter().map(|code| dictionary.place(*code)));
    }

    fn end_page(&mut self) -> Result<()> {
        if self.page.rows == 0 {
            return Ok(());
        }
        let mut bytes = Vec::with_capacity(self.page.places.len().saturating_mul(2));
        self.page.repetition.write(&mut bytes);
        self.page.definition.write(&mut bytes);
        // A page of empty lists may come before there is a dictionary.
        let encoding = match self.page.places.is_empty() {
            true => Encoding::PLAIN,
            false => Encoding::RLE_DICTIONARY,
        };
        let width = width(self.dictionary.codes.len());
        if encoding == Encoding::RLE_DICTIONARY {
            bytes.push(u8::try_from(width).unwrap_or(0));
        }
        let start = bytes.len();
        pack(&self.page.places, width, &mut bytes);
        let (raw, rows, levels) = (bytes.len(), self.page.rows, self.page.levels);
        if let Some((chunk, _)) = &mut self.twin {
            let mut bytes = bytes.clone();
            self.page.change(width, bytes.get_mut(start..).unwrap_or_default());
            chunk.add(Data { encoding, bytes, raw, rows, levels })?;
        }
        self.column.0.add(Data { encoding, bytes, raw, rows, levels })?;
        (self.page.rows, self.page.levels) = (0, 0);
        self.page.places.clear();
        self.page.others.clear();
        Ok(())
    }

    /// Returns the column and its entry in the file's footer, and the same for its twin.
    pub(crate) fn close(mut self) -> Result<(Closed, Option<Closed>)> {
        self.end_page()?;
        let (dictionary, empty) = (&self.dictionary, self.empty);
        let close = |(chunk, written_as): (Chunk, CodeType)| {
            let has_dictionary = !dictionary.codes.is_empty();
            let entries = has_dictionary.then(|| dictionary.entries(written_as));
            chunk.close(entries, dictionary.statistics(written_as, empty))
        };
        Ok((close(self.column)?, self.twin.map(close).transpose()?))
    }
}

/// The number of items that are compared at once.
const PART: usize = 16;

fn uncompressed(descr: ColumnDescPtr) -> Chunk {
    Chunk::new(descr, Compression::UNCOMPRESSED)
}

impl Rows {
    /// Replaces the differing items in `packed`, which turns it into the page of the twin.
    fn change(&mut self, width: u32, packed: &mut [u8]) {
        for (at, other) in &self.others {
            if let Some(place) = self.places.get_mut(*at) {
                *place = *other;
            }
        }
        for (at, _) in &self.others {
            repack(&self.places, *at, width, packed);
        }
    }
}

impl Dictionary {
    /// Returns the index of a code, and adds the code if it is new.
    #[inline]
    fn place(&mut self, code: u16) -> u16 {
        match self.places.get(usize::from(code)) {
            None | Some(&NO_INDEX) => self.add(code),
            Some(place) => *place,
        }
    }

    #[cold]
    fn add(&mut self, code: u16) -> u16 {
        if self.codes.len() >= CODES {
            return NO_INDEX;
        }
        let place = u16::try_from(self.codes.len()).unwrap_or(NO_INDEX);
        self.codes.push(code);
        let number = usize::from(code);
        if self.places.len() <= number {
            self.places.resize(number + 1, NO_INDEX);
        }
        if let Some(to) = self.places.get_mut(number) {
            *to = place;
        }
        place
    }

    fn entries(&self, written_as: CodeType) -> Entries {
        let (mut bytes, mut text) = (Vec::new(), String::new());
        for code in &self.codes {
            match written_as {
                CodeType::Number => bytes.extend_from_slice(&u32::from(*code).to_le_bytes()),
                CodeType::Uci => {
                    text.clear();
                    write_code(*code, &mut text);
                    let length = u32::try_from(text.len()).unwrap_or(0);
                    bytes.extend_from_slice(&length.to_le_bytes());
                    bytes.extend_from_slice(text.as_bytes());
                }
            }
        }
        Entries { raw: bytes.len(), count: self.codes.len(), bytes }
    }

    /// Returns the statistics. Empty lists count as nulls, as in other writers.
    fn statistics(&self, written_as: CodeType, empty: usize) -> Statistics {
        let nulls = Some(count(empty));
        let codes = self.codes.iter().copied();
        match written_as {
            CodeType::Number => {
                let (least, most) = (codes.clone().min(), codes.max());
                let bounds = (least.map(i32::from), most.map(i32::from));
                ValueStatistics::new(bounds.0, bounds.1, None, nulls, false).into()
            }
            CodeType::Uci => {
                let text = |code| {
                    let mut text = String::new();
                    write_code(code, &mut text);
                    text
                };
                let bounds = (codes.clone().map(text).min(), codes.map(text).max());
                let bytes = |text: String| ByteArray::from(text.into_bytes());
                let bounds = (bounds.0.map(bytes), bounds.1.map(bytes));
                ValueStatistics::new(bounds.0, bounds.1, None, nulls, false).into()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use arrow_array::Array as _;
    use arrow_array::cast::AsArray as _;
    use arrow_array::types::UInt16Type;
    use chess_core::Move;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field;

    use super::*;
    use crate::parquet_write::ParquetTarget;
    use crate::writer::Target as _;
    use crate::{Columns, Rows as Of, Selection};

    /// Returns a file with one column of lists, written in several batches.
    fn file(column: &str, lists: &[Vec<u16>], row_group: usize, threads: usize) -> File {
        let rows = if column == "nags" { Of::Plies } else { Of::Games };
        let selection = Selection::named(rows, [column]).unwrap();
        let file = tempfile::tempfile().unwrap();
        let writer = file.try_clone().unwrap();
        let mut target = ParquetTarget::new(writer, &selection, 1, row_group, threads).unwrap();
        for batch in lists.chunks(7_001) {
            let mut columns = Columns::new(&selection);
            for list in batch {
                let (_, column) = columns.iter_mut().next().unwrap();
                list.iter().for_each(|code| column.code(*code));
                column.end_list();
                columns.end_rows(1);
            }
            target.write(columns).unwrap();
        }
        Box::new(target).finish().unwrap();
        file
    }

    fn bytes(mut file: &File) -> Vec<u8> {
        use std::io::{Read as _, Seek as _};
        let mut bytes = Vec::new();
        file.rewind().unwrap();
        file.read_to_end(&mut bytes).unwrap();
        bytes
    }

    fn uci(code: u16) -> String {
        let mut text = String::new();
        write_code(code, &mut text);
        text
    }

    /// Asserts that Arrow reads the lists, from the first row and from a row in the middle, which
    /// uses the page index.
    fn is_read(column: &str, lists: &[Vec<u16>], file: &File) {
        for skipped in [0, lists.len() / 2] {
            let reader = ParquetRecordBatchReaderBuilder::try_new(file.try_clone().unwrap());
            let reader = reader.unwrap().with_offset(skipped).with_batch_size(1_000);
            let mut expected = lists[skipped..].iter();
            for batch in reader.build().unwrap() {
                let batch = batch.unwrap();
                let read = batch.column(0).as_list::<i32>();
                for (row, expected) in (0..read.len()).zip(&mut expected) {
                    assert!(read.is_valid(row) && read.value(row).null_count() == 0);
                    let items = read.value(row);
                    if column == "moves" {
                        let read = items.as_string::<i32>().iter().flatten();
                        assert!(read.eq(expected.iter().map(|code| uci(*code))), "{row}");
                    } else {
                        assert_eq!(
                            items.as_primitive::<UInt16Type>().values(),
                            expected.as_slice()
                        );
                    }
                }
            }
            assert_eq!(expected.next(), None);
        }
    }

    fn is_written(column: &str, lists: &[Vec<u16>], row_group: usize) -> File {
        let written = file(column, lists, row_group, 1);
        is_read(column, lists, &written);
        assert!(bytes(&written) == bytes(&file(column, lists, row_group, 3)));
        written
    }

    /// Returns lists of all lengths, of moves of all kinds.
    fn lists(count: usize) -> Vec<Vec<u16>> {
        let moves = ["0000", "e2e4", "a7a8q", "h2h1n", "e1h1", "e1g1", "b7b8r", "a1a2"];
        let moves = moves.map(|m| m.parse::<Move>().unwrap().bits());
        let list = |row: usize| {
            let item = |n: usize| moves[(row * 31 + n * n) % moves.len()] ^ (n as u16 & 0x1c1);
            (0..row % 97).map(item).collect()
        };
        (0..count).map(list).collect()
    }

    #[test]
    fn codes_writer_row_groups_and_pages_read_back() {
        for column in ["moves", "move_codes", "nags"] {
            let lists = lists(50_003);
            let file = is_written(column, &lists, 45_000);
            let reader = SerializedFileReader::new(file).unwrap();
            let rows: Vec<_> =
                reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
            assert_eq!(rows, [45_000, 5_003]);
            let group = reader.get_row_group(0).unwrap();
            assert_eq!(group.get_column_page_reader(0).unwrap().count(), 1 + 5);
        }
    }

    /// Uses the parquet crate's record reader, which does not use Arrow.
    #[test]
    fn codes_writer_lists_read_without_arrow() {
        let lists = lists(300);
        let reader = SerializedFileReader::new(file("moves", &lists, 200, 1)).unwrap();
        let mut rows = 0;
        for (row, list) in reader.get_row_iter(None).unwrap().zip(&lists) {
            let row = row.unwrap();
            let (_, Field::ListInternal(read)) = row.get_column_iter().next().unwrap() else {
                panic!("{row}")
            };
            let read: Vec<_> = read.elements().iter().map(ToString::to_string).collect();
            let expected: Vec<_> = list.iter().map(|code| format!("{:?}", uci(*code))).collect();
            assert_eq!(read, expected);
            rows += 1;
        }
        assert_eq!(rows, 300);
    }

    #[test]
    fn codes_writer_empty_lists_read_back() {
        for lists in [vec![], vec![vec![]], vec![vec![]; 45_000]] {
            is_written("moves", &lists, 1 << 17);
        }
        let mut late = vec![vec![]; 45_000];
        late.push(vec![0, 0, 7]);
        assert!(bytes(&file("nags", &late, 1 << 17, 1)).len() < 2_000, "one run is enough");
        is_written("move_codes", &late, 1 << 17);
        is_written("moves", &late, 44_000);
    }

    #[test]
    fn codes_writer_short_and_huge_lists_read_back() {
        is_written("moves", &[vec![0; 9]], 1);
        let huge: Vec<u16> = (0..3_000_000u32).map(|n| (n % 1_999) as u16).collect();
        is_written("moves", &[vec![1], huge, vec![], vec![2, 3]], 100);
    }

    #[test]
    fn codes_writer_all_codes_read_back() {
        let all: Vec<u16> = (0..=u16::MAX).rev().collect();
        is_written("nags", &[vec![3, 2, 1], all.clone(), vec![], all], 100);
    }

    #[test]
    fn codes_writer_statistics_have_bounds_and_nulls() {
        let moves = ["e7e8q", "b1c3", "g1f3"].map(|m| m.parse::<Move>().unwrap().bits());
        let lists = [vec![], moves.to_vec(), vec![]];
        let of = |column| {
            let reader = SerializedFileReader::new(file(column, &lists, 9, 1)).unwrap();
            let chunk = reader.metadata().row_group(0).column(0).clone();
            (chunk.statistics().unwrap().clone(), chunk.num_values())
        };
        let (Statistics::ByteArray(texts), 5) = of("moves") else { panic!() };
        assert_eq!(texts.min_opt(), Some(&ByteArray::from("b1c3")));
        assert_eq!(texts.max_opt(), Some(&ByteArray::from("g1f3")));
        assert_eq!(texts.null_count_opt(), Some(2));
        let (Statistics::Int32(codes), 5) = of("move_codes") else { panic!() };
        assert_eq!(codes.min_opt(), moves.map(i32::from).iter().min());
        assert_eq!(codes.max_opt(), moves.map(i32::from).iter().max());
    }
}
