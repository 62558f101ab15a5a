//! Tables of other programs, and rows that do not read to the end.

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, Date64Array, Decimal128Array, DictionaryArray, Float32Array, Float64Array, Int8Array,
    ListArray, NullArray, RecordBatch, StringArray, StructArray, Time32SecondArray,
    Time64NanosecondArray, TimestampMicrosecondArray, TimestampNanosecondArray,
    TimestampSecondArray, UInt16Array, UInt64Array,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::DataType;
use chess_core::Game;
use chess_store::{Diagnostics, Losses, StreamReader};

use crate::{Encoder, RowSource, Rows, Selection, TimeUnit};

type Columns = Vec<(&'static str, ArrayRef)>;

fn texts(texts: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(texts.to_vec()))
}

fn batch(columns: Columns) -> RecordBatch {
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

fn stream(columns: Columns) -> Vec<u8> {
    let batch = batch(columns);
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

/// Returns a game's non-empty tags, its moves, and its errors and warnings.
fn describe(game: &Game, error: Option<String>, diagnostics: &Diagnostics) -> String {
    let text = pgn::to_string(game);
    let lines = text.lines().filter(|line| !line.is_empty() && !line.contains("?"));
    let warnings = diagnostics.warnings().iter().map(ToString::to_string);
    let wrong = error.into_iter().chain(warnings).map(|wrong| format!("| {wrong}"));
    lines.map(str::to_owned).chain(wrong).collect::<Vec<_>>().join(" ")
}

fn read(bytes: Vec<u8>) -> Result<Vec<String>, String> {
    let source = RowSource::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let (mut reader, mut game) = (StreamReader::new(source), Game::new());
    let mut games = Vec::new();
    loop {
        let mut diagnostics = Diagnostics::lenient();
        let error = match reader.read_game(&mut game, &mut diagnostics) {
            Ok(false) => return Ok(games),
            Ok(true) => None,
            Err(error) => Some(error.to_string()),
        };
        games.push(describe(&game, error, &diagnostics));
    }
}

fn games(columns: Columns) -> Vec<String> {
    read(stream(columns)).unwrap()
}

/// Returns the tags of a game with this value.
fn tags(name: &'static str, value: ArrayRef) -> String {
    let game = games(vec![(name, value), ("movetext", texts(&["1. e4 *"]))]).remove(0);
    game.replace("[Result \"*\"] ", "").replace("1. e4 *", "").trim().to_owned()
}

#[test]
fn row_tag_of_any_type_is_read() {
    const DAY: i64 = 15_856;
    const TIME: i64 = DAY * 86_400 + 79_222;
    let decimal = |number: i128, places| -> ArrayRef {
        let array = Decimal128Array::from(vec![number]).with_precision_and_scale(9, places);
        Arc::new(array.unwrap())
    };
    let list: [(&str, ArrayRef, &str); 18] = [
        ("UTCDate", Arc::new(TimestampSecondArray::from(vec![TIME])), "2013.05.31"),
        (
            "UTCDate",
            Arc::new(TimestampNanosecondArray::from(vec![TIME * 1_000_000_000])),
            "2013.05.31",
        ),
        ("UTCTime", Arc::new(TimestampMicrosecondArray::from(vec![TIME * 1_000_000])), "22:00:22"),
        ("UTCTime", Arc::new(Time32SecondArray::from(vec![79_222])), "22:00:22"),
        ("UTCTime", Arc::new(Time64NanosecondArray::from(vec![79_222_000_000_000])), "22:00:22"),
        ("UTCTime", Arc::new(Time32SecondArray::from(vec![-1])), ""),
        ("UTCDate", Arc::new(Date64Array::from(vec![-86_400_000])), "1969.12.31"),
        ("UTCDate", Arc::new(TimestampSecondArray::from(vec![i64::MAX])), ""),
        ("WhiteElo", Arc::new(Float32Array::from(vec![2700.0])), "2700"),
        ("WhiteElo", Arc::new(Float64Array::from(vec![2700.5])), "2700.5"),
        ("WhiteElo", Arc::new(Float64Array::from(vec![f64::NAN])), ""),
        ("WhiteElo", Arc::new(UInt64Array::from(vec![2700])), "2700"),
        ("WhiteElo", decimal(270_050, 2), "2700.5"),
        ("WhiteElo", decimal(2700, 0), "2700"),
        ("WhiteElo", Arc::new(NullArray::new(1)), ""),
        ("WhiteRatingDiff", Arc::new(Int8Array::from(vec![11])), "+11"),
        ("WhiteRatingDiff", Arc::new(Float64Array::from(vec![-9.0])), "-9"),
        ("Annotator", Arc::new(DictionaryArray::<Int32Type>::from_iter(["x"])), "x"),
    ];
    for (name, array, expected) in list {
        let kind = array.data_type().clone();
        let mut expected =
            if expected.is_empty() { String::new() } else { format!("[{name} \"{expected}\"]") };
        if name == "UTCDate" && !expected.is_empty() {
            expected = format!("{} {expected}", expected.replace("UTC", ""));
        }
        assert_eq!(tags(name, array), expected, "{name} {kind}");
    }
}

/// Polars and pandas have no map type.
#[test]
fn row_tags_as_lists_of_pairs_are_read() {
    let (names, values) = (["Annotator", "EventDate"], ["x", "2013.01.01"]);
    let expected = "[EventDate \"2013.01.01\"] [Annotator \"x\"]";
    let fields = StructArray::try_from(vec![("key", texts(&names)), ("value", texts(&values))]);
    let list = |items: ArrayRef| -> ArrayRef {
        let field = arrow_schema::Field::new("item", items.data_type().clone(), true);
        let ends = arrow_buffer::OffsetBuffer::from_lengths([items.len()]);
        Arc::new(ListArray::new(Arc::new(field), ends, items, None))
    };
    assert_eq!(tags("tags", list(Arc::new(fields.unwrap()))), expected);
    let mut pairs = ListBuilder::new(StringBuilder::new());
    for pair in names.into_iter().zip(values) {
        pairs.append_value([Some(pair.0), Some(pair.1)]);
    }
    pairs.append_value([Some("alone")]);
    pairs.append_null();
    assert_eq!(tags("tags", list(Arc::new(pairs.finish()))), expected);
    assert_eq!(tags("tags", texts(&["endgame"])), "[tags \"endgame\"]");
}

#[test]
fn layout_unsupported_column_is_named() {
    let numbers = || -> ArrayRef { Arc::new(Int8Array::from(vec![1])) };
    let bools = || -> ArrayRef { Arc::new(arrow_array::BooleanArray::from(vec![true])) };
    for (name, array) in [
        ("tags", numbers()),
        ("FEN", numbers()),
        ("moves", numbers()),
        ("move_codes", texts(&["x"])),
        ("Event", bools()),
        ("UTCTime", bools()),
    ] {
        let kind = array.data_type().to_string();
        let error = read(stream(vec![(name, array), ("movetext", texts(&["*"]))])).unwrap_err();
        let expected = format!("the column {name} has the unsupported type {kind}");
        assert!(error.contains(&expected), "{error}");
    }
    assert_eq!(tags("rated", bools()), "[rated \"true\"]");
}

#[test]
fn layout_columns_that_are_no_tags_are_unread() {
    let moment = || -> ArrayRef { Arc::new(TimestampSecondArray::from(vec![0])) };
    assert_eq!(tags("at", moment()), "");
    let columns = vec![("at", moment()), ("plies", texts(&["1"])), ("movetext", texts(&["*"]))];
    let source = RowSource::new(Cursor::new(stream(columns))).unwrap();
    assert_eq!(source.unread(), ["at"]);
}

#[test]
fn row_columns_of_other_tables_are_tags() {
    for (name, value, expected) in [
        ("white_id", "a", "[White \"a\"]"),
        ("black_rating", "1500", "[BlackElo \"1500\"]"),
        ("eco", "B90", "[ECO \"B90\"]"),
        ("victory_status", "mate", "[Termination \"mate\"]"),
        ("increment_code", "15+2", "[TimeControl \"900+2\"]"),
        ("increment_code", "0.5+0", "[TimeControl \"30+0\"]"),
        ("increment_code", "none", "[TimeControl \"none\"]"),
    ] {
        assert_eq!(tags(name, texts(&[value])), expected, "{name}");
    }
    for (name, value, result) in [
        ("winner", "white", "1-0"),
        ("winner", "black", "0-1"),
        ("result", "draw", "1/2-1/2"),
        ("result", "0-1", "0-1"),
    ] {
        let columns = vec![(name, texts(&[value])), ("moves", texts(&["e4"]))];
        let expected = format!("[Result \"{result}\"] 1. e4 {result}");
        assert_eq!(games(columns), [expected], "{name} {value}");
    }
}

#[test]
fn row_with_several_games_is_one_game() {
    let moves = ["1. e4 {open", "1. d4 1-0 1. e4", "", "1. c4 ( 1. f4", "1. h4 * {late}"];
    assert_eq!(
        games(vec![("movetext", texts(&moves))]),
        [
            "[Result \"*\"] 1. e4 {open} * | game 1, ply 2: a comment is not closed \
             [pgn-unclosed-comment] | game 1, ply 2: no result follows the moves \
             [pgn-missing-result]",
            "[Result \"1-0\"] 1. d4 1-0 | game 2, ply 2: there is more text after the game's end; \
             it is left out",
            "[Result \"*\"] *",
            "[Result \"*\"] 1. c4 (1. f4) * | game 4, ply 2: the game ends inside a variation \
             [pgn-unclosed-variation] | game 4, ply 2: no result follows the moves \
             [pgn-missing-result]",
            "[Result \"*\"] 1. h4 {late} * | game 5, ply 2: a comment follows the result \
             [pgn-comment-after-result]",
        ]
    );
}

#[test]
fn row_moves_are_read_up_to_first_invalid() {
    let mut names = ListBuilder::new(StringBuilder::new());
    names.append_value(["e2e4", "e7e5", "g1f3"].map(Some));
    names.append_value(["e4", "e5", "Nf3"].map(Some));
    names.append_value([Some("e2e4"), None, Some("g1f3")]);
    names.append_value(["e2e4", "0000", "{ x", "g1f3"].map(Some));
    names.append_null();
    let results = texts(&["1-0", "1-0", "0-1", "*", "1/2-1/2"]);
    assert_eq!(
        games(vec![("moves", Arc::new(names.finish())), ("Result", results)]),
        [
            "[Result \"1-0\"] 1. e4 e5 2. Nf3 1-0",
            "[Result \"1-0\"] 1. e4 e5 2. Nf3 1-0",
            "[Result \"0-1\"] 1. e4 0-1 | game 3, ply 2: null is no legal move; the rest of the \
             game is left out",
            "[Result \"*\"] 1. e4 -- * | game 4, ply 3: \"{ x\" is no legal move; the rest of the \
             game is left out",
            "[Result \"1/2-1/2\"] 1/2-1/2",
        ]
    );
    let codes = |codes: &[u16]| -> ArrayRef {
        let ends = arrow_buffer::OffsetBuffer::from_lengths([codes.len()]);
        let items: ArrayRef = Arc::new(UInt16Array::from(codes.to_vec()));
        let field = arrow_schema::Field::new("item", items.data_type().clone(), true);
        Arc::new(ListArray::new(Arc::new(field), ends, items, None))
    };
    let bits = |name: &str| name.parse::<chess_core::Move>().unwrap().bits();
    // The rook on a1 cannot go to d4, but a pawn on d2 could.
    let wrong = bits("a1d4");
    assert_eq!(
        games(vec![("move_codes", codes(&[bits("e2e4"), bits("e7e5"), wrong]))]),
        [format!(
            "[Result \"*\"] 1. e4 e5 * | game 1, ply 3: \"{wrong}\" is no legal move; the rest of \
             the game is left out"
        )]
    );
}

#[test]
fn row_moves_text_may_be_uci_or_pgn() {
    let moves = ["e2e4 e7e5 g1f3", "e4 e5 Nf3", "1. e4 e5 2. Nf3 {so} 1-0", "e2e4 e7e5 g1h5", ""];
    let played = "[Result \"*\"] 1. e4 e5 2. Nf3 *";
    let read = games(vec![("moves", texts(&moves))]);
    assert_eq!(read[..2], [played, played]);
    assert!(read[2].starts_with("[Result \"1-0\"] 1. e4 e5 2. Nf3 {so} 1-0"), "{}", read[2]);
    assert_eq!(
        read[3],
        "[Result \"*\"] 1. e4 e5 * | game 4, ply 3: \"g1h5\" is no legal move; the rest of the \
         game is left out"
    );
    assert_eq!(read[4], "[Result \"*\"] *");
}

/// Such as the files of Polars.
#[test]
fn arrow_file_schema_without_frame_is_read() {
    let batch = batch(vec![("White", texts(&["a", "b"])), ("movetext", texts(&["1. e4 *", "*"]))]);
    let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    let file = writer.into_inner().unwrap();
    let expected = ["[White \"a\"] [Result \"*\"] 1. e4 *", "[White \"b\"] [Result \"*\"] *"];
    assert_eq!(read(file.clone()).unwrap(), expected);
    let frame = file.windows(4).position(|word| word == [0xff; 4]).unwrap();
    let mut bare = file[..8].to_vec();
    bare.extend_from_slice(&file[frame + 8..]);
    assert_eq!(read(bare.clone()).unwrap(), expected);
    for end in 0..bare.len() {
        let _ = read(bare[..end].to_vec());
    }
}

#[test]
fn feather_version_1_is_named_in_error() {
    let error = read(b"FEA1 and whatever follows".to_vec()).unwrap_err();
    assert!(error.contains("version 1 of Feather"), "{error}");
}

#[test]
fn time_unit_microseconds_is_read_back() {
    let text = "[UTCTime \"22:00:22\"]\n\n1. e4 *";
    let game = pgn::read_all(text).unwrap().remove(0);
    let columns = Selection::named(Rows::Games, ["UTCTime", "movetext"]).unwrap();
    for (unit, kind) in [
        (TimeUnit::Milliseconds, DataType::Time32(arrow_schema::TimeUnit::Millisecond)),
        (TimeUnit::Microseconds, DataType::Time64(arrow_schema::TimeUnit::Microsecond)),
    ] {
        let columns = columns.clone().time_unit(unit);
        let mut rows = crate::Columns::new(&columns);
        Encoder::new(&columns).encode(&game, &mut rows, &mut Losses::new()).unwrap();
        let batch = rows.into_batch(&columns.schema()).unwrap();
        assert_eq!(batch.column(0).data_type(), &kind);
        let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        let games = read(writer.into_inner().unwrap()).unwrap();
        assert_eq!(games, ["[Result \"*\"] [UTCTime \"22:00:22\"] 1. e4 *"]);
    }
}
