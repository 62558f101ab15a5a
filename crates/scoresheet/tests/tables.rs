//! Every base of the fixtures as a table, and back.

use std::ops::ControlFlow;
use std::path::Path;

use scoresheet::chess_core::Game;
use scoresheet::chess_store::Diagnostics;
use scoresheet::tables::arrow_array::RecordBatch;
use scoresheet::tables::{Rows, Selection};
use scoresheet::{
    Base, Converter, CreateOptions, IndexUse, OpenOptions, RandomGames, Table, families,
    open_with_index,
};
use testkit::{Case, cases};

/// The games of a base as PGN, their tags sorted: a table keeps no order of tags.
fn texts(base: &mut Base) -> Vec<String> {
    let (mut game, mut d, mut texts) = (Game::new(), Diagnostics::lenient(), Vec::new());
    let mut reader = base.reader();
    while reader.read_game(&mut game, &mut d).unwrap_or(true) {
        texts.push(text(&game));
    }
    texts
}

fn text(game: &Game) -> String {
    let text = scoresheet::pgn::to_string(game);
    let (tags, moves) = text.split_once("\n\n").unwrap();
    let mut tags: Vec<&str> = tags.lines().collect();
    tags.sort_unstable();
    // Of a tag given twice a table has the first.
    tags.dedup_by_key(|tag| tag.split(' ').next());
    format!("{}\n\n{moves}", tags.join("\n"))
}

fn open(case: &Case, extension: &str) -> Option<Base> {
    let mut options = OpenOptions::default();
    options.encoding =
        case.meta.encoding.as_deref().and_then(scoresheet::chess_store::Encoding::from_label);
    scoresheet::open_with(case.path(extension), &options).ok()
}

fn convert(base: &mut Base, to: &Path, options: &CreateOptions) -> scoresheet::Summary {
    let mut output = scoresheet::create(to, options).unwrap();
    let mut converter = Converter::new();
    converter.run(base, &mut output, &mut ()).unwrap();
    output.finish().unwrap();
    converter.summary().clone()
}

#[test]
fn table_round_trip_keeps_games() {
    let folder = tempfile::tempdir().unwrap();
    let mut bases = 0;
    for family in families().iter().filter(|family| family.name != "tables") {
        for case in cases(family.name) {
            let Some(format) = family.formats.iter().find(|f| f.name == case.meta.format) else {
                continue;
            };
            let Some(mut base) = open(&case, format.extensions[0]) else {
                assert!(case.is_bad(), "{}", case.name);
                continue;
            };
            bases += 1;
            // A table round trip equals a PGN round trip.
            let pgn = folder.path().join("games.pgn");
            convert(&mut base, &pgn, &CreateOptions::default());
            let expected = texts(&mut scoresheet::open(&pgn).unwrap());
            for name in ["games.parquet", "games.arrow"] {
                let table = folder.path().join(name);
                let mut base = open(&case, format.extensions[0]).unwrap();
                let summary = convert(&mut base, &table, &CreateOptions::default());
                assert_eq!(summary.written as usize, expected.len(), "{}", case.name);
                let read = texts(&mut scoresheet::open(&table).unwrap());
                assert_eq!(read, expected, "{} {} {name}", family.name, case.name);
            }
        }
    }
    assert!(bases > 50, "{bases}");
}

#[test]
fn table_round_trip_keeps_all_tags_and_start_position() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[Annotator \"x\"]\n\
        [FEN \"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1\"]\n\n1. O-O O-O-O *\n";
    let pgn = folder.path().join("games.pgn");
    std::fs::write(&pgn, text).unwrap();
    let game = scoresheet::open(&pgn).unwrap().games().next().unwrap().unwrap();
    assert_eq!(game.header.tags.get("Variant"), Some("Chess960"));
    for name in ["games.parquet", "games.arrow"] {
        let table = folder.path().join(name);
        convert(&mut scoresheet::open(&pgn).unwrap(), &table, &CreateOptions::default());
        let back = scoresheet::open(&table).unwrap().games().next().unwrap().unwrap();
        assert_eq!(back, game, "{name}");
    }
}

#[test]
fn table_round_trip_keeps_moves_in_each_column() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[FEN \"r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 0 1\"]\n\n1. O-O O-O-O 2. -- Kb8 3. a4 *\n\n\
                1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O 1-0\n";
    let pgn = folder.path().join("games.pgn");
    std::fs::write(&pgn, text).unwrap();
    let expected = texts(&mut scoresheet::open(&pgn).unwrap());
    for columns in ["FEN,Result,moves", "move_codes,Result,FEN", "movetext,FEN,Result"] {
        for name in ["games.parquet", "games.arrow"] {
            let mut options = CreateOptions::default();
            options.settings.set("columns", columns);
            options.settings.set("row-group", "1");
            let table = folder.path().join(name);
            convert(&mut scoresheet::open(&pgn).unwrap(), &table, &options);
            assert_eq!(texts(&mut scoresheet::open(&table).unwrap()), expected, "{columns} {name}");
        }
    }
}

/// Returns the columns `names` of all games, or the error that ends them.
fn rows(case: &Case, extension: &str, names: &[&str]) -> Vec<Result<RecordBatch, String>> {
    let mut options = OpenOptions::default();
    let label = case.meta.encoding.as_deref();
    options.encoding = label.and_then(scoresheet::chess_store::Encoding::from_label);
    let selection = Selection::named(Rows::Games, names.iter().copied()).unwrap();
    let table = Table::new([case.path(extension)], selection).options(options);
    table.batches().map(|batch| batch.map_err(|error| error.to_string())).collect()
}

/// A table without columns of the moves is read without the moves.
#[test]
fn table_of_headers_equals_columns_of_whole_games() {
    let is_of_header = |name| Selection::named(Rows::Games, [name]).unwrap().is_of_header();
    let names = Rows::Games.fields().iter().map(|field| field.name);
    let mut names: Vec<&str> = names.filter(|name| is_of_header(name)).collect();
    assert!(names.contains(&"tags") && !names.contains(&"damage"));
    names.extend(["Variant", "tag:SetUp"]);
    let more: Vec<&str> = names.iter().copied().chain(["damage"]).collect();
    for family in families().iter().filter(|family| family.name != "tables") {
        for case in cases(family.name) {
            let Some(format) = family.formats.iter().find(|f| f.name == case.meta.format) else {
                continue;
            };
            let whole: Vec<Result<RecordBatch, String>> = rows(&case, format.extensions[0], &more)
                .into_iter()
                .map(|batch| {
                    batch.map(|batch| batch.project(&(0..names.len()).collect::<Vec<_>>()).unwrap())
                })
                .collect();
            assert_eq!(
                rows(&case, format.extensions[0], &names),
                whole,
                "{} {}",
                family.name,
                case.name
            );
        }
    }
}

/// The blocks of an Arrow file are no bytes of the file.
#[test]
fn games_of_tables_by_number_equal_stream() {
    let folder = tempfile::tempdir().unwrap();
    let games: String = (0..3000u64)
        .map(|n| format!("[White \"P{n}\"]\n\n1. e4 {{{n} {}}} e5 *\n\n", "x".repeat(500)))
        .collect();
    let pgn = folder.path().join("games.pgn");
    std::fs::write(&pgn, games).unwrap();
    let options = OpenOptions::default();
    for name in ["games.parquet", "games.arrow"] {
        let table = folder.path().join(name);
        convert(&mut scoresheet::open(&pgn).unwrap(), &table, &CreateOptions::default());
        let expected = texts(&mut scoresheet::open(&table).unwrap());
        let (mut game, mut d) = (Game::new(), Diagnostics::lenient());
        let base = scoresheet::open(&table).unwrap();
        let mut games = RandomGames::new(base, &options).unwrap();
        for number in [1, 0, 2999, 255, 256, 257, 256, 1700, 3] {
            assert!(games.read_game(number, &mut game, &mut d).unwrap(), "{name} {number}");
            assert_eq!(text(&game), expected[number as usize], "{name} {number}");
        }
        assert!(!games.read_game(3000, &mut game, &mut d).unwrap());
        let opened = open_with_index(&table, &options, &mut |_| ControlFlow::Continue(()));
        let (mut base, used) = opened.unwrap();
        assert_eq!((used, texts(&mut base)), (IndexUse::Unsuitable, expected));
    }
}

#[test]
fn table_write_does_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let case = cases("pgn").into_iter().find(|case| !case.is_bad()).unwrap();
    let mut files = Vec::new();
    for threads in ["1", "2", "7"] {
        let table = folder.path().join("games.parquet");
        let mut options = CreateOptions::default();
        options.settings.set("rows", "plies");
        options.settings.set("row-group", "10");
        options.settings.set("threads", threads);
        convert(&mut open(&case, "pgn").unwrap(), &table, &options);
        files.push(std::fs::read(&table).unwrap());
    }
    assert!(files[0].len() > 1000);
    assert!(files.iter().all(|file| *file == files[0]));
}

#[test]
fn table_rows_by_number_in_any_order_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = (0..2000).map(|n| format!("[White \"{n}\"]\n\n1. e4 *\n\n")).collect();
    let pgn = folder.path().join("games.pgn");
    std::fs::write(&pgn, text).unwrap();
    let table = folder.path().join("games.parquet");
    let mut options = CreateOptions::default();
    options.settings.set("row-group", "700");
    convert(&mut scoresheet::open(&pgn).unwrap(), &table, &options);
    let base = scoresheet::open(&table).unwrap();
    let mut reader = base.database().unwrap().reader();
    let (mut game, mut d) = (Game::new(), Diagnostics::lenient());
    for number in [0, 1, 1999, 700, 699, 5, 1400, 1300, 1301] {
        reader.game(number, &mut game, &mut d).unwrap();
        assert_eq!(game.header.white, number.to_string());
        reader.header(number, &mut game.header, &mut d).unwrap();
        assert_eq!(game.header.white, number.to_string());
    }
    assert!(reader.game(2000, &mut game, &mut d).is_err());
}

#[test]
fn table_of_other_data_is_error() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("games.pgn");
    std::fs::write(&pgn, "1. e4 *\n").unwrap();
    for name in ["t.parquet", "t.arrow"] {
        let table = folder.path().join(name);
        let mut options = CreateOptions::default();
        options.settings.set("columns", "White,plies");
        convert(&mut scoresheet::open(&pgn).unwrap(), &table, &options);
        let error = scoresheet::open(&table).unwrap_err().to_string();
        assert!(error.contains("the table has no games"), "{error}");
        // Cut short, or changed anywhere, it is an error or other games, and no panic.
        convert(&mut scoresheet::open(&pgn).unwrap(), &table, &CreateOptions::default());
        let whole = std::fs::read(&table).unwrap();
        for place in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x55;
            for bytes in [&whole[..place], &bytes[..]] {
                std::fs::write(&table, bytes).unwrap();
                if let Ok(mut base) = scoresheet::open(&table) {
                    let _ = base.games().count();
                }
            }
        }
    }
}

/// A dictionary stores a text once, however many games have it.
#[test]
fn table_of_repeated_long_text_is_limited() {
    const GAMES: usize = 1_300;
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("games.pgn");
    let game = format!("[Event \"{}\"]\n\n1. e4 *\n\n", "long text ".repeat(6_000));
    std::fs::write(&pgn, game.repeat(GAMES)).unwrap();
    let table = folder.path().join("games.parquet");
    convert(&mut scoresheet::open(&pgn).unwrap(), &table, &CreateOptions::default());
    assert!(table.metadata().unwrap().len() < 50_000);
    let read = |most| {
        let mut options = OpenOptions::default();
        options.max_unpacked = most;
        let mut base = scoresheet::open_with(&table, &options).unwrap();
        let (mut games, mut error) = (0, String::new());
        for game in base.games() {
            match game {
                Ok(_) => games += 1,
                Err(failure) => error = failure.to_string(),
            }
        }
        (games, error)
    };
    let (games, error) = read(None);
    assert!(games > 500 && games < GAMES, "{games}");
    assert!(error.contains("unpacks to more than"), "{error}");
    assert_eq!(read(Some(1 << 30)), (GAMES, String::new()));
}
