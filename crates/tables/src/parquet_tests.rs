//! Tests of what the Parquet writer writes, read back with the parquet crate.

use std::fs::File;
use std::io::{Read as _, Seek as _};

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int16Type, Int32Type, UInt16Type, UInt64Type};
use arrow_array::{Array as _, ArrayRef};
use chess_core::Move;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, Encoding, PageType};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet::record::Field;

use crate::column::Column;
use crate::parquet_write::ParquetTarget;
use crate::uci::write_code;
use crate::writer::Target as _;
use crate::{Columns, Rows, Selection};

/// Returns a file of several columns; `fill` fills each row.
fn file(
    rows: Rows,
    names: &[&str],
    count: usize,
    (row_group, threads): (usize, usize),
    fill: impl Fn(&mut Column, &str, usize),
) -> File {
    let selection = Selection::named(rows, names.iter().copied()).unwrap();
    let file = tempfile::tempfile().unwrap();
    let writer = file.try_clone().unwrap();
    let mut target = ParquetTarget::new(writer, &selection, 1, row_group, threads).unwrap();
    for batch in (0..count).collect::<Vec<_>>().chunks(3_001) {
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

fn bytes(mut file: &File) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.rewind().unwrap();
    file.read_to_end(&mut bytes).unwrap();
    bytes
}

/// Returns the batches of all rows from row `from` on.
fn batches(file: &File, from: usize) -> Vec<RecordBatch> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(file.try_clone().unwrap());
    let reader = reader.unwrap().with_offset(from).build().unwrap();
    reader.map(Result::unwrap).collect()
}

fn texts(array: &ArrayRef) -> Vec<Option<String>> {
    array.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
}

/// Asserts that the texts of a column read back, from the first row and from a row in the middle.
fn assert_texts(name: &str, texts_of: impl Fn(usize) -> Option<String>, rows: usize) {
    let fill = |column: &mut Column, _: &str, row: usize| {
        column.or_null(texts_of(row).as_deref(), Column::text);
    };
    let written = file(Rows::Games, &[name], rows, (60_000, 1), fill);
    for from in [0, rows / 2 + 7] {
        let expected: Vec<_> = (from..rows).map(&texts_of).collect();
        let read = batches(&written, from).iter().flat_map(|b| texts(b.column(0))).collect();
        assert!(expected == Vec::<_>::clone(&read), "{name} {rows}");
    }
}

#[test]
fn parquet_writer_repeated_and_unique_texts_read_back() {
    let some = |n: usize| Some(format!("Player {}", n * n % 977));
    let unique = |n: usize| Some(format!("https://lichess.org/{n:0>40}"));
    for rows in [0, 1, 19_999, 20_000, 20_001, 130_000] {
        assert_texts("White", some, rows);
    }
    assert_texts("Site", unique, 130_000);
    assert_texts("Site", |n| unique(n).filter(|_| n % 3 == 0 || n > 90_000), 130_000);
    assert_texts("Black", |n| some(n).filter(|_| n % 50_000 < 30_000 && n % 7 > 2), 130_000);
    assert_texts("Black", |n| some(n).filter(|_| n > 119_990), 120_007);
    assert_texts("Opening", |_| None, 70_001);
    assert_texts("Event", |n| Some("long".repeat(n % 3 * 700_000)), 11);
    assert_texts("movetext", |n| Some("e4 ".repeat(n % 31)), 60_050);
}

/// Several row groups, each of several pages that are compressed side by side.
#[test]
fn parquet_writer_long_texts_do_not_depend_on_threads() {
    let text = |row: usize| format!("{row} {}", "e4 e5 ".repeat(row * 37 % 1_000));
    let fill = |column: &mut Column, name: &str, row: usize| match name {
        "movetext" => column.text(&text(row)),
        _ => column.int32(row as i32),
    };
    let names = ["plies", "movetext"];
    let written = |threads| file(Rows::Games, &names, 4_000, (1_500, threads), fill);
    let one = written(1);
    for threads in [2, 3, 16] {
        assert!(bytes(&one) == bytes(&written(threads)), "{threads} threads");
    }
    let mut row = 0;
    for batch in batches(&one, 0) {
        for read in texts(batch.column(1)) {
            assert_eq!(read, Some(text(row)));
            row += 1;
        }
    }
    assert_eq!(row, 4_000);
    // A reader that skips to a row needs the first row of each page.
    assert_eq!(texts(batches(&one, 2_999)[0].column(1))[0], Some(text(2_999)));
    let reader = SerializedFileReader::new(one).unwrap();
    for (group, rows) in [1_500, 1_500, 1_000].into_iter().enumerate() {
        let group = reader.get_row_group(group).unwrap();
        let pages = group.get_column_page_reader(1).unwrap().map(Result::unwrap);
        let pages: Vec<_> = pages.map(|page| page.num_values()).collect();
        assert!(pages.len() >= 3, "{pages:?}");
        assert_eq!(pages.iter().sum::<u32>(), rows);
        assert_eq!(group.metadata().column(1).num_values(), i64::from(rows));
    }
}

#[test]
fn parquet_writer_text_not_utf8_is_error() {
    let selection = Selection::named(Rows::Games, ["movetext"]).unwrap();
    for threads in [1, 3] {
        let target = ParquetTarget::new(Vec::new(), &selection, 1, 10, threads).unwrap();
        let (mut target, mut columns) = (Box::new(target), Columns::new(&selection));
        columns.iter_mut().for_each(|(_, column)| column.utf8(b"e4 \xff"));
        columns.end_rows(1);
        let result = target.write(columns).and_then(|()| target.finish());
        let error = result.unwrap_err().to_string();
        assert!(error.contains("UTF-8"), "{error}");
    }
}

#[test]
fn parquet_writer_equal_values_take_little_space() {
    let fill = |column: &mut Column, _: &str, _: usize| column.text("a");
    let alike = file(Rows::Games, &["Event", "Site", "White"], 60_000, (60_000, 1), fill);
    assert!(alike.metadata().unwrap().len() < 3_000);
}

#[test]
fn parquet_writer_numbers_and_bounds_read_back() {
    let elo_of = |row: usize| (!row.is_multiple_of(5)).then_some(row as i16);
    let names = ["WhiteElo", "plies", "UTCDate", "final_hash", "White"];
    let fill = |column: &mut Column, name: &str, row: usize| match name {
        "WhiteElo" => column.or_null(elo_of(row), Column::int16),
        "plies" => column.int32(row as i32 * 7),
        "UTCDate" => column.or_null((row == 3).then_some(-9), Column::int32),
        "final_hash" => column.uint64(u64::MAX - row as u64),
        _ => column.text(["x", "é", "a"][row % 3]),
    };
    let one = file(Rows::Games, &names, 70_000, (60_000, 1), fill);
    let many = file(Rows::Games, &names, 70_000, (60_000, 3), fill);
    assert!(bytes(&one) == bytes(&many), "the file depends on the number of threads");
    let mut row = 0usize;
    for batch in batches(&one, 0) {
        for at in 0..batch.num_rows() {
            let elo = batch.column(0).as_primitive::<Int16Type>();
            assert_eq!(elo.is_valid(at).then(|| elo.value(at)), elo_of(row));
            assert_eq!(batch.column(1).as_primitive::<Int32Type>().value(at), row as i32 * 7);
            let hash = batch.column(3).as_primitive::<UInt64Type>();
            assert_eq!(hash.value(at), u64::MAX - row as u64);
            row += 1;
        }
    }
    assert_eq!(row, 70_000);
    let reader = SerializedFileReader::new(one).unwrap();
    let of = |column| reader.metadata().row_group(0).column(column).statistics().unwrap().clone();
    let (Statistics::Int32(elo), Statistics::Int32(plies)) = (of(0), of(1)) else { panic!() };
    assert_eq!((elo.min_opt(), elo.max_opt()), (Some(&-32_768), Some(&32_767)));
    assert_eq!(elo.null_count_opt(), Some(12_000));
    assert_eq!((plies.min_opt(), plies.max_opt()), (Some(&0), Some(&(59_999 * 7))));
    let (Statistics::Int64(hash), Statistics::ByteArray(white)) = (of(3), of(4)) else { panic!() };
    assert_eq!((hash.min_opt(), hash.max_opt()), (Some(&-60_000), Some(&-1)));
    assert_eq!(white.min_opt().unwrap().as_utf8().unwrap(), "a");
    assert_eq!(white.max_opt().unwrap().as_utf8().unwrap(), "é");
}

/// Checks the storage of each kind of column.
#[test]
fn parquet_writer_columns_have_their_encodings() {
    let fill = |column: &mut Column, name: &str, row: usize| match name {
        "White" | "movetext" => column.text(["one", "two"][row % 2]),
        "final_hash" => column.uint64(row as u64),
        "game" => column.int64(row as i64 + 1),
        _ => {
            column.code(row as u16 % 7);
            column.end_list();
        }
    };
    let names = ["White", "movetext", "final_hash", "game", "moves", "move_codes"];
    let written = file(Rows::Games, &names, 50_000, (50_000, 2), fill);
    let reader = SerializedFileReader::new(written).unwrap();
    for (column, name) in names.iter().enumerate() {
        let chunk = reader.metadata().row_group(0).column(column);
        let group = reader.get_row_group(0).unwrap();
        let pages = group.get_column_page_reader(column).unwrap().map(Result::unwrap);
        let pages: Vec<_> = pages.filter(|page| page.page_type() == PageType::DATA_PAGE).collect();
        let (encoding, has_bounds) = match *name {
            "White" => (Encoding::RLE_DICTIONARY, true),
            "movetext" => (Encoding::PLAIN, false),
            "final_hash" => (Encoding::PLAIN, true),
            "game" => (Encoding::DELTA_BINARY_PACKED, true),
            _ => (Encoding::RLE_DICTIONARY, false),
        };
        assert!(pages.iter().all(|page| page.encoding() == encoding), "{name}");
        assert_eq!(chunk.statistics().is_some(), has_bounds, "{name}");
        let is_plain = matches!(*name, "final_hash" | "moves" | "move_codes");
        assert_eq!(chunk.compression() == Compression::UNCOMPRESSED, is_plain, "{name}");
        assert!(pages.len() >= 3, "{name} has pages of at most 20,000 rows");
        assert!(chunk.offset_index_offset().is_some(), "{name}");
    }
}

/// Returns a file with one column of lists.
fn list_file(column: &str, lists: &[Vec<u16>], row_group: usize, threads: usize) -> File {
    let rows = if column == "nags" { Rows::Plies } else { Rows::Games };
    file(rows, &[column], lists.len(), (row_group, threads), |column, _, row| {
        lists[row].iter().for_each(|code| column.code(*code));
        column.end_list();
    })
}

fn uci(code: u16) -> String {
    let mut text = String::new();
    write_code(code, &mut text);
    text
}

/// Asserts that lists read back, from the first row and from a row in the middle, and that the
/// bytes do not depend on the number of threads.
fn assert_lists(column: &str, lists: &[Vec<u16>], row_group: usize) -> File {
    let written = list_file(column, lists, row_group, 1);
    assert!(bytes(&written) == bytes(&list_file(column, lists, row_group, 3)));
    for skipped in [0, lists.len() / 2] {
        let mut expected = lists[skipped..].iter();
        for batch in batches(&written, skipped) {
            let read = batch.column(0).as_list::<i32>();
            for (row, expected) in (0..read.len()).zip(&mut expected) {
                assert!(read.is_valid(row) && read.value(row).null_count() == 0);
                let items = read.value(row);
                if column == "moves" {
                    let read = items.as_string::<i32>().iter().flatten();
                    assert!(read.eq(expected.iter().map(|code| uci(*code))), "{row}");
                } else {
                    assert_eq!(items.as_primitive::<UInt16Type>().values(), expected.as_slice());
                }
            }
        }
        assert_eq!(expected.next(), None);
    }
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
fn parquet_writer_lists_in_row_groups_read_back() {
    for column in ["moves", "move_codes", "nags"] {
        let file = assert_lists(column, &lists(50_003), 45_000);
        let reader = SerializedFileReader::new(file).unwrap();
        let groups = reader.metadata().row_groups().iter();
        assert_eq!(groups.map(|group| group.num_rows()).collect::<Vec<_>>(), [45_000, 5_003]);
    }
}

/// Uses the parquet crate's record reader, which does not use Arrow.
#[test]
fn parquet_writer_lists_read_without_arrow() {
    let lists = lists(300);
    let reader = SerializedFileReader::new(list_file("moves", &lists, 200, 1)).unwrap();
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
fn parquet_writer_empty_lists_read_back() {
    for lists in [vec![], vec![vec![]], vec![vec![]; 45_000]] {
        assert_lists("moves", &lists, 1 << 17);
    }
    let mut late = vec![vec![]; 45_000];
    late.push(vec![0, 0, 7]);
    assert_lists("move_codes", &late, 1 << 17);
    assert_lists("moves", &late, 44_000);
}

#[test]
fn parquet_writer_short_and_huge_lists_read_back() {
    assert_lists("moves", &[vec![0; 9]], 1);
    let huge: Vec<u16> = (0..3_000_000u32).map(|n| (n % 1_999) as u16).collect();
    assert_lists("moves", &[vec![1], huge, vec![], vec![2, 3]], 100);
}

#[test]
fn parquet_writer_lists_of_all_codes_read_back() {
    let all: Vec<u16> = (0..=u16::MAX).rev().collect();
    for column in ["nags", "moves"] {
        assert_lists(column, &[vec![3, 2, 1], all.clone(), vec![], all.clone()], 100);
    }
}
