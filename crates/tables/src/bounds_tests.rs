//! Tests of small files that claim or decode to much, and of damaged files.

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, ListArray, RecordBatch, StringArray};
use arrow_buffer::OffsetBuffer;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::{DataType, Field, Schema};
use chess_core::Game;
use chess_store::io::DecompressionLimit;
use chess_store::{Block, Diagnostics, ErrorKind as _, InBlock, Scope};
use testkit::peak;

use crate::batch::caught_panics;
use crate::{Error, RowSource};

/// The bounds of memory and output: a fixed part, and a part for each byte of the file.
const MEMORY: (u64, u64) = (16 << 20, 50);
const OUTPUT: (u64, u64) = (64 << 20, 200);

fn bound((always, ratio): (u64, u64), file: &[u8]) -> u64 {
    always + ratio * file.len() as u64
}

/// The games that were read, the bytes of their comments, and the error that ended the table.
#[derive(Debug, Default)]
struct Outcome {
    games: u64,
    text: u64,
    error: Option<Error>,
}

impl Outcome {
    fn add(&mut self, game: &Game) {
        self.games += 1;
        let texts = game.tokens().filter_map(|token| match token {
            chess_core::Token::Comment(text) => Some(text.len() as u64),
            _ => None,
        });
        self.text += texts.sum::<u64>();
    }

    /// Ends the table at an error that concerns the whole file.
    fn fail(&mut self, error: Error) -> bool {
        let ends = error.kind().scope() == Scope::Base;
        self.error = ends.then_some(error);
        ends
    }

    fn assert_exceeded(&self) {
        let error = self.error.as_ref().unwrap().to_string();
        assert!(error.contains("unpacks to more than"), "{error}");
    }
}

fn read_arrow(bytes: Vec<u8>, most: Option<u64>) -> Outcome {
    let mut outcome = Outcome::default();
    let limit = DecompressionLimit::new(most);
    let mut source = match RowSource::with_limit(limit.packed(Cursor::new(bytes)), limit) {
        Ok(source) => source,
        Err(error) => {
            outcome.error = Some(error);
            return outcome;
        }
    };
    let (mut block, mut parser) = (Block::default(), source.parser());
    let (mut game, mut diagnostics) = (Game::new(), InBlock::new(Diagnostics::lenient()));
    loop {
        match source.block(&mut block) {
            Ok(true) => {}
            Ok(false) => return outcome,
            Err(error) => {
                outcome.error = Some(error);
                return outcome;
            }
        }
        while let Ok(true) | Err(_) = parser.parse_game(&mut block, &mut game, &mut diagnostics) {
            outcome.add(&game);
            diagnostics.relative_mut().clear();
        }
    }
}

#[cfg(feature = "parquet")]
fn read_parquet(bytes: Vec<u8>, most: Option<u64>) -> Outcome {
    use chess_store::ReadGames as _;

    let mut outcome = Outcome::default();
    let database = match crate::Database::new(Arc::new(bytes)) {
        Ok(database) => database.with_max_unpacked(most),
        Err(error) => {
            outcome.error = Some(error);
            return outcome;
        }
    };
    let mut state = crate::State::default();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    for number in 0..database.len().min(10_000) {
        match database.game_with(&mut state, number, &mut game, &mut diagnostics) {
            Ok(()) => outcome.add(&game),
            Err(error) => {
                if outcome.fail(error) {
                    break;
                }
            }
        }
        diagnostics.clear();
    }
    outcome
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter(columns).unwrap()
}

/// Returns a column of `rows` games that all are the one text.
fn repeated(text: &str, rows: usize) -> ArrayRef {
    let keys = Int32Array::from(vec![0; rows]);
    let values = Arc::new(StringArray::from(vec![text]));
    Arc::new(DictionaryArray::<Int32Type>::new(keys, values))
}

fn game_of(length: usize) -> String {
    format!("1. e4 {{{}}} *", "x".repeat(length))
}

fn arrow(batch: &RecordBatch, compression: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let mut writer =
        FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

/// Reads a file and asserts that memory and output stay in proportion to its size.
fn read_bounded(bytes: &[u8], read: fn(Vec<u8>, Option<u64>) -> Outcome) -> Outcome {
    let (mut outcome, file) = (Outcome::default(), bytes.to_vec());
    let memory = peak(|| outcome = read(file, None));
    assert!(memory <= bound(MEMORY, bytes), "{memory} bytes of memory for {}", bytes.len());
    assert!(outcome.text <= bound(OUTPUT, bytes), "{outcome:?} for {}", bytes.len());
    outcome
}

#[test]
fn read_arrow_dictionary_of_long_text_is_limited() {
    let file = arrow(&batch(vec![("movetext", repeated(&game_of(60_000), 3_000))]), None);
    assert!(file.len() < 80_000, "{}", file.len());
    read_bounded(&file, read_arrow).assert_exceeded();
    let few = arrow(&batch(vec![("movetext", repeated(&game_of(60_000), 500))]), None);
    let outcome = read_bounded(&few, read_arrow);
    assert!(outcome.error.is_none() && outcome.games == 500, "{outcome:?}");
    read_arrow(few.clone(), Some(1 << 20)).assert_exceeded();
    assert_eq!(read_arrow(few, Some(1 << 30)).games, 500);
}

#[test]
fn read_arrow_compressed_buffer_is_limited() {
    let text: ArrayRef = Arc::new(StringArray::from(vec![game_of(90 << 20)]));
    for compression in [CompressionType::ZSTD, CompressionType::LZ4_FRAME] {
        let file = arrow(&batch(vec![("movetext", Arc::clone(&text))]), Some(compression));
        assert!(file.len() < 500_000, "{}", file.len());
        read_bounded(&file, read_arrow).assert_exceeded();
    }
}

/// A table of every kind of column.
fn small_table() -> RecordBatch {
    let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("Karpov"), None, Some("Tal")]));
    let games: ArrayRef = Arc::new(StringArray::from(vec!["1. e4 *", "1. d4 d5 *", "*"]));
    let keyed = repeated("Reykjavik", 3);
    let (mut elo, offsets) = (vec![Some(2700), None], OffsetBuffer::from_lengths([1, 0, 2]));
    elo.push(Some(-1));
    let elo: ArrayRef = Arc::new(Int32Array::from(elo));
    let item = Arc::new(Field::new("item", DataType::Utf8, true));
    let list: ArrayRef = Arc::new(ListArray::new(item, offsets, Arc::clone(&texts), None));
    let columns = [texts, games, keyed, elo, list];
    let names = ["White", "movetext", "Site", "WhiteElo", "moves"];
    let fields = names.iter().zip(&columns);
    let fields = fields.map(|(name, array)| Field::new(*name, array.data_type().clone(), true));
    let schema = Schema::new(fields.collect::<Vec<_>>());
    RecordBatch::try_new(Arc::new(schema), columns.to_vec()).unwrap()
}

/// Returns copies of a file with a number changed at each place.
fn damaged_copies(file: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let numbers = [0x7fff_ffffu32, 0xffff_ffff, 0x8000_0000, 0x0001_0000, 0x0000_0055];
    (0..file.len() / 4).flat_map(move |word| {
        numbers.into_iter().map(move |number| {
            let mut copy = file.to_vec();
            copy[4 * word..4 * word + 4].copy_from_slice(&number.to_le_bytes());
            copy
        })
    })
}

#[test]
fn read_arrow_damaged_anywhere_panics_nowhere() {
    for compression in [None, Some(CompressionType::ZSTD), Some(CompressionType::LZ4_FRAME)] {
        let file = arrow(&small_table(), compression);
        assert_eq!(read_bounded(&file, read_arrow).games, 3);
        let before = caught_panics();
        for copy in damaged_copies(&file) {
            read_bounded(&copy, read_arrow);
        }
        for end in 0..file.len() {
            read_bounded(&file[..end], read_arrow);
        }
        assert_eq!(caught_panics(), before, "{compression:?}");
    }
}

#[cfg(feature = "parquet")]
mod parquet_files {
    use parquet::arrow::ArrowWriter;
    use parquet::basic::{Compression, Encoding, ZstdLevel};
    use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};

    use super::*;

    fn parquet(batch: &RecordBatch, properties: WriterPropertiesBuilder) -> Vec<u8> {
        let properties = properties.set_compression(Compression::ZSTD(ZstdLevel::default()));
        let mut writer =
            ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties.build())).unwrap();
        writer.write(batch).unwrap();
        writer.into_inner().unwrap()
    }

    #[test]
    fn read_parquet_dictionary_of_long_text_is_limited() {
        let games = |rows| batch(vec![("movetext", repeated(&game_of(60_000), rows))]);
        let file = parquet(&games(1_500), WriterProperties::builder());
        assert!(file.len() < 10_000, "{}", file.len());
        let outcome = read_bounded(&file, read_parquet);
        outcome.assert_exceeded();
        assert!(outcome.games > 500, "{outcome:?}");
        let few = parquet(&games(500), WriterProperties::builder());
        read_parquet(few.clone(), Some(1 << 20)).assert_exceeded();
        assert_eq!(read_parquet(few, Some(1 << 30)).games, 500);
    }

    /// A row that is read again does not count again.
    #[test]
    fn read_parquet_rows_twice_count_once() {
        use chess_store::ReadGames as _;

        let rows = batch(vec![("movetext", repeated(&game_of(60_000), 500))]);
        let file = parquet(&rows, WriterProperties::builder());
        let database = crate::Database::new(Arc::new(file)).unwrap();
        let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
        for _ in 0..4 {
            let mut state = crate::State::default();
            for number in (0..500).step_by(250) {
                database.game_with(&mut state, number, &mut game, &mut diagnostics).unwrap();
            }
        }
    }

    #[test]
    fn read_parquet_large_page_is_limited() {
        let text: ArrayRef = Arc::new(StringArray::from(vec![game_of(40 << 20)]));
        let properties = WriterProperties::builder().set_dictionary_enabled(false);
        let file = parquet(&batch(vec![("movetext", text)]), properties);
        assert!(file.len() < 20_000, "{}", file.len());
        read_bounded(&file, read_parquet).assert_exceeded();
        assert_eq!(read_parquet(file, Some(1 << 30)).games, 1);
    }

    /// Each text repeats the one before, so that it takes a byte.
    #[test]
    fn read_parquet_texts_with_shared_prefixes_are_limited() {
        let texts = vec![game_of(1 << 20); 200];
        let text: ArrayRef = Arc::new(StringArray::from(texts));
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_data_page_size_limit(1 << 30)
            .set_encoding(Encoding::DELTA_BYTE_ARRAY);
        let file = parquet(&batch(vec![("movetext", text)]), properties);
        assert!(file.len() < 20_000, "{}", file.len());
        let outcome = read_bounded(&file, read_parquet);
        outcome.assert_exceeded();
        assert!(outcome.games > 50, "{outcome:?}");
    }

    /// Returns the table of a file with texts in this encoding, in which `change` changed the page.
    fn changed_page(encoding: Encoding, change: impl Fn(&mut [u8])) -> Outcome {
        let games: ArrayRef = Arc::new(StringArray::from(vec!["1. e4 *", "1. d4 *"]));
        let schema = Schema::new(vec![Field::new("movetext", DataType::Utf8, false)]);
        let batch = RecordBatch::try_new(Arc::new(schema), vec![games]).unwrap();
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(encoding == Encoding::RLE_DICTIONARY)
            .set_statistics_enabled(EnabledStatistics::None);
        let properties = match encoding {
            Encoding::RLE_DICTIONARY => properties,
            _ => properties.set_encoding(encoding),
        };
        let mut writer =
            ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties.build())).unwrap();
        writer.write(&batch).unwrap();
        let mut file = writer.into_inner().unwrap();
        change(&mut file);
        read_bounded(&file, read_parquet)
    }

    /// The crate would allocate the number of values that a page of deltas claims.
    #[test]
    fn read_parquet_deltas_of_many_values_are_damage() {
        for encoding in [Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY] {
            assert_eq!(changed_page(encoding, |_| {}).games, 2);
            // Blocks of 128 values in 4 parts, 2 values.
            let sequence = [0x80, 1, 4, 2];
            let before = caught_panics();
            let outcome = changed_page(encoding, |file| {
                let places = file.windows(4).enumerate().filter(|(_, found)| *found == sequence);
                let last = places.map(|(place, _)| place).next_back().unwrap();
                file[last + 3] = 3;
            });
            assert_eq!((outcome.games, caught_panics()), (0, before), "{encoding}");
        }
    }

    #[test]
    fn read_parquet_dictionary_of_many_values_is_damage() {
        let encoding = Encoding::RLE_DICTIONARY;
        assert_eq!(changed_page(encoding, |_| {}).games, 2);
        let before = caught_panics();
        let outcome = changed_page(encoding, |file| {
            // Field 7 of the header: 2 values.
            let header = file.windows(3).position(|found| found == [0x4c, 0x15, 4]).unwrap();
            file[header + 2] = 126;
        });
        assert_eq!((outcome.games, caught_panics()), (0, before));
    }

    /// One game has all moves of the file.
    #[test]
    fn read_parquet_list_of_many_items_is_limited() {
        let offsets = OffsetBuffer::from_lengths([4 << 20]);
        let item = Arc::new(Field::new("item", repeated("e2e4", 1).data_type().clone(), true));
        let list = ListArray::new(item, offsets, repeated("e2e4", 4 << 20), None);
        let file = parquet(&batch(vec![("moves", Arc::new(list))]), WriterProperties::builder());
        assert!(file.len() < 20_000, "{}", file.len());
        read_bounded(&file, read_parquet).assert_exceeded();
    }

    #[test]
    fn read_parquet_damaged_anywhere_stays_in_proportion() {
        let file = parquet(&small_table(), WriterProperties::builder());
        assert_eq!(read_bounded(&file, read_parquet).games, 3);
        for copy in damaged_copies(&file) {
            read_bounded(&copy, read_parquet);
        }
        for end in 0..file.len() {
            read_bounded(&file[..end], read_parquet);
        }
    }
}
