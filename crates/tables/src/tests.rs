//! Compares games with their rows.

use chess_core::{Game, Move};
use chess_store::{Loss, LossKind, Losses};

use crate::column::{Codes, Texts, Values};
use crate::uci::write_code;
use crate::{Columns, Encoder, Kind, Rows, Selection, zobrist};

fn encode(game: &Game, rows: Rows, columns: &[&str]) -> (Columns, Losses) {
    let selection = Selection::named(rows, columns.iter().copied()).unwrap();
    let (mut into, mut losses) = (Columns::default(), Losses::new());
    Encoder::new(&selection).encode(game, &mut into, &mut losses).unwrap();
    let rows = into.rows();
    for (field, column) in into.iter_mut() {
        column.materialize_nulls();
        assert_eq!(column.valid.len(), rows, "{}", field.name);
    }
    (into, losses)
}

fn texts(texts: &Texts) -> Vec<String> {
    let bounds = texts.offsets.windows(2);
    let text = |from: i32, to: i32| {
        String::from_utf8(texts.bytes[from as usize..to as usize].to_vec()).unwrap()
    };
    bounds.map(|bound| text(bound[0], bound[1])).collect()
}

/// Returns the values of one column as text; `-` marks a missing value.
fn values(game: &Game, rows: Rows, column: &str) -> String {
    let (columns, _) = encode(game, rows, &[column]);
    let (field, column) = columns.iter().next().unwrap();
    let lists = |ends: &[i32], items: Vec<String>| -> Vec<String> {
        ends.windows(2).map(|ends| items[ends[0] as usize..ends[1] as usize].join(" ")).collect()
    };
    let all: Vec<String> = match &column.values {
        Values::Text(all) => texts(all),
        Values::Int16(all) => all.iter().map(ToString::to_string).collect(),
        Values::Int32(all) => all.iter().map(ToString::to_string).collect(),
        Values::Int64(all) => all.iter().map(ToString::to_string).collect(),
        Values::UInt64(all) => all.iter().map(|hash| format!("{hash:016x}")).collect(),
        Values::Float64(all) => all.iter().map(ToString::to_string).collect(),
        Values::Codes(Codes { ends, codes }) => {
            let spell = |code: &u16| match field.kind {
                Kind::UciList => {
                    let mut text = String::new();
                    write_code(*code, &mut text);
                    text
                }
                _ => code.to_string(),
            };
            lists(ends, codes.iter().map(spell).collect())
        }
        Values::TextMap(ends, names, values) => {
            let pairs = texts(names).into_iter().zip(texts(values));
            lists(ends, pairs.map(|(name, value)| format!("{name}={value}")).collect())
        }
        Values::Bytes32(bytes) => bytes
            .chunks(32)
            .map(|board| board.iter().map(|byte| format!("{byte:02x}")).collect())
            .collect(),
    };
    let valid = column.valid.iter().zip(all);
    valid
        .map(|(valid, value)| if *valid { value } else { "-".into() })
        .collect::<Vec<_>>()
        .join("|")
}

fn game(pgn: &str) -> Game {
    pgn::read_all(pgn).unwrap().remove(0)
}

const TAGGED: &str = "[Event \"Rated Blitz game\"]\n[Site \"https://lichess.org/in28emmw\"]\n\
    [Date \"2013.05.??\"]\n[Round \"-\"]\n[White \"Kazuma\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\
    [WhiteElo \"1756\"]\n[BlackElo \"40000\"]\n[ECO \"A07\"]\n[WhiteRatingDiff \"+11\"]\n\
    [BlackRatingDiff \"-09\"]\n[UTCDate \"2013.05.31\"]\n[UTCTime \"22:00:22\"]\n\
    [TimeControl \"60+0\"]\n[Annotator \"x\"]\n[EventDate \"2013.01.01\"]\n\n\
    1. e4 {[%clk 0:01:00]} (1. d4 {a} d5) e5 {[%eval 0.17] [%clk 0:00:59]} 2. Nf3 $1 {so} {it is} 1-0\n";

#[test]
fn encode_tags_fill_their_columns() {
    let game = game(TAGGED);
    let of = |column| values(&game, Rows::Games, column);
    assert_eq!(of("Event"), "Rated Blitz game");
    assert_eq!((of("White").as_str(), of("Black").as_str()), ("Kazuma", "-"));
    assert_eq!((of("WhiteElo").as_str(), of("BlackElo").as_str()), ("1756", "-"));
    assert_eq!((of("WhiteRatingDiff").as_str(), of("BlackRatingDiff").as_str()), ("11", "-9"));
    assert_eq!((of("UTCDate").as_str(), of("UTCTime").as_str()), ("15856", "79222000"));
    assert_eq!((of("Date").as_str(), of("Year").as_str()), ("2013.05.??", "2013"));
    assert_eq!((of("Month").as_str(), of("Day").as_str()), ("5", "-"));
    assert_eq!((of("TimeControl").as_str(), of("Opening").as_str()), ("60+0", "-"));
    assert_eq!(of("tags"), "BlackRatingDiff=-09 Annotator=x BlackElo=40000 EventDate=2013.01.01");
    assert_eq!((of("plies").as_str(), of("moves").as_str()), ("3", "e2e4 e7e5 g1f3"));
    let codes: Vec<u16> = game.main_line().map(Move::bits).collect();
    assert_eq!(of("move_codes"), format!("{} {} {}", codes[0], codes[1], codes[2]));
    assert_eq!(of("FEN"), "-");
}

#[test]
fn encode_movetext_is_one_line_except_in_comments() {
    let long = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 \
        O-O 9. h3 Nb8 10. d4 Nbd7 {a comment that is long enough to be broken into two lines or \
        three, and one with\n\nan empty line} 1/2-1/2";
    let text = values(&game(long), Rows::Games, "movetext");
    assert_eq!(text, long);
    assert_eq!(pgn::read_all(&text).unwrap(), [game(long)]);
}

#[test]
fn encode_repeated_tag_is_a_loss() {
    let mut twice = Game::new();
    twice.header.set("Annotator", "a");
    twice.header.set("Annotator", "b");
    let (_, losses) = encode(&twice, Rows::Games, &["tags"]);
    assert_eq!(losses, [Loss::new(LossKind::Tag, "Annotator, given again")]);
    assert_eq!(encode(&twice, Rows::Games, &["White"]).1, []);
}

#[test]
fn encode_plies_row_is_a_half_move() {
    let game = game(TAGGED);
    let of = |column| values(&game, Rows::Plies, column);
    assert_eq!(of("move"), "e2e4|d2d4|d7d5|e7e5|g1f3");
    assert_eq!(of("san"), "e4|d4|d5|e5|Nf3");
    assert_eq!((of("ply").as_str(), of("depth").as_str()), ("1|1|2|2|3", "0|1|1|0|0"));
    assert_eq!(of("variation"), "0|1|1|0|0");
    assert_eq!((of("clock").as_str(), of("eval").as_str()), ("60|-|-|59|-", "-|-|-|0.17|-"));
    assert_eq!(of("nags"), "||||1");
    assert_eq!(of("comment"), "[%clk 0:01:00]|a|-|[%eval 0.17] [%clk 0:00:59]|so it is");
    assert_eq!(
        of("fen").split('|').nth(3),
        Some("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    );
    let board = "24533642 11111011 00000000 00000100 00000000 00000000 99999999 acdbbeca";
    assert_eq!(of("board").split('|').next(), Some(board.replace(' ', "").as_str()));
    assert_eq!(of("hash").split('|').next(), Some("823c9b50fd114196"));
    let mut last = game.start_position();
    game.main_line().for_each(|m| last.apply(m));
    assert_eq!(values(&game, Rows::Games, "final_hash"), format!("{:016x}", zobrist(&last)));
}

#[test]
fn encode_plies_position_columns_are_before_the_move() {
    let game = game("1. e4 a6 2. e5 d5 (2... f5) 3. exd6 Nf6 4. Nf3 g6 5. Be2 Bg7 6. O-O *");
    let of = |column| values(&game, Rows::Plies, column);
    assert_eq!(of("turn"), "w|b|w|b|b|w|b|w|b|w|b|w");
    assert_eq!(of("ep"), "-|-|-|-|-|d6|-|-|-|-|-|-");
    assert_eq!(of("castling").split('|').next_back(), Some("KQkq"));
    let (before, after) = (of("board_before"), of("board"));
    let (before, after): (Vec<_>, Vec<_>) =
        (before.split('|').collect(), after.split('|').collect());
    assert_eq!(before.get(1..4), after.get(..3));
    assert_ne!(before.first(), after.first());
}

#[test]
fn encode_plies_game_columns_repeat_the_game() {
    let game = game(TAGGED);
    let of = |column| values(&game, Rows::Plies, column);
    for (column, value) in [
        ("result", "1-0"),
        ("white_elo", "1756"),
        ("black_elo", "-"),
        ("base_seconds", "60"),
        ("increment", "0"),
        ("time_class", "bullet"),
        ("opening", "King's Knight Opening"),
        ("year", "2013"),
        ("Annotator", "x"),
        ("tag:Site", "https://lichess.org/in28emmw"),
        ("tag:None", "-"),
    ] {
        assert_eq!(of(column), [value; 5].join("|"), "{column}");
    }
    let of = |column| values(&game, Rows::Games, column);
    assert_eq!((of("base_seconds"), of("increment")), ("60".into(), "0".into()));
    assert_eq!(
        (of("time_class"), of("opening_name")),
        ("bullet".into(), "King's Knight Opening".into())
    );
    assert_eq!((of("Annotator"), of("tag:EventDate")), ("x".into(), "2013.01.01".into()));
}

#[test]
fn encode_variant_is_named_in_both_kinds_of_rows() {
    for (tags, name) in [
        ("", "standard"),
        ("[Variant \"From Position\"]", "standard"),
        ("[Variant \"chess 960\"]", "chess960"),
        ("[Variant \"Atomic\"]", "Atomic"),
        ("[FEN \"r1kr4/8/8/8/8/8/8/RK5R w KQkq - 0 1\"]", "chess960"),
    ] {
        let moves = if tags.contains("FEN") { "1. O-O-O" } else { "1. e4" };
        let text = format!("{tags}\n\n{moves} *");
        let mut reader = pgn::Reader::new(text.as_bytes());
        let (mut game, mut diagnostics) = (Game::new(), chess_store::Diagnostics::lenient());
        // A game of another variant is an error and can be read.
        let _ = reader.read_game(&mut game, &mut diagnostics);
        assert_eq!(values(&game, Rows::Games, "variant"), name, "{tags}");
        assert_eq!(values(&game, Rows::Plies, "variant"), name, "{tags}");
    }
}

#[test]
fn encode_plies_more_than_a_chunk_keeps_their_order() {
    let mut game = Game::new();
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].map(|m| m.parse().unwrap());
    for n in 0..2500usize {
        game.push_move(moves[n % 4]);
        if n % 700 == 699 {
            game.push_comment(&format!("[%clk 0:00:{:02}]", n / 700)).unwrap();
        }
    }
    let all = |column| values(&game, Rows::Plies, column);
    let plies: Vec<String> = (1..=2500).map(|n| n.to_string()).collect();
    assert_eq!(all("ply"), plies.join("|"));
    let clocks = all("clock");
    let clocks: Vec<(usize, &str)> =
        clocks.split('|').enumerate().filter(|(_, clock)| *clock != "-").collect();
    assert_eq!(clocks, [(699, "0"), (1399, "1"), (2099, "2")]);
    assert_eq!(all("move").split('|').nth(1026), Some("f3g1"));
    assert_eq!(all("turn").split('|').nth(2499), Some("b"));
    assert_eq!(all("result"), ["*"; 2500].join("|"));
    assert_eq!(all("mate"), ["-"; 2500].join("|"));
}

#[test]
fn encode_plies_selected_columns_do_not_depend_on_others() {
    // Each column alone is computed in another way than all columns together.
    let texts = [
        TAGGED,
        "1. e4 {[%clk 0:01]} e5 2. Nf3 Nc6 3. Bc4 {[%eval -0.5]} Bc5 4. O-O {a} {b} Nf6 $1 *",
        "1. e4 e5 2. Nf3 (2. Nc3 {x} Nf6) Nc6 3. Bc4 Bc5 4. O-O (4. c3) {late} Nf6 5. d3 O-O *",
        "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9\"]\n\n{start} 9... O-O-O 10. O-O Kb8 *",
        "[White \"A\"]\n\n*",
    ];
    for text in texts {
        let game = game(text);
        let fields = Rows::Plies.fields().iter().map(|field| field.name);
        // The writer fills these.
        let names: Vec<&str> = fields.filter(|name| !["game", "source"].contains(name)).collect();
        let (mut all, _) = encode(&game, Rows::Plies, &names);
        for (field, column) in all.iter_mut() {
            let (mut one, _) = encode(&game, Rows::Plies, &[field.name]);
            let (_, alone) = one.iter_mut().next().unwrap();
            assert_eq!(format!("{alone:?}"), format!("{column:?}"), "{} of {text}", field.name);
        }
    }
}

#[test]
fn encode_plies_seconds_spent_follow_from_clocks() {
    let spent = |moves: &str| {
        let game = game(&format!("[TimeControl \"60+2\"]\n\n{moves} *"));
        values(&game, Rows::Plies, "seconds_spent")
    };
    assert_eq!(spent("1. e4 {[%clk 1:00]} e5 {[%clk 0:50]} 2. d4 {[%clk 0:55.5]}"), "2|12|6.5");
    assert_eq!(spent("1. e4 {[%emt 0:00:07]} e5 2. d4 {[%clk 0:55]}"), "7|-|-");
    // More time than before: a new period, or a correction.
    assert_eq!(spent("1. e4 {[%clk 2:00]}"), "-");
    assert_eq!(
        spent("1. e4 {[%clk 0:50]} (1. d4 {[%clk 0:10]}) e5 2. d4 {[%clk 0:40]}"),
        "12|-|-|12"
    );
}

#[test]
fn encode_plies_lichess_clock_starts_with_second_move() {
    let spent = |site: &str, moves: &str| {
        let tags = format!("[Site \"{site}\"]\n[TimeControl \"300+3\"]\n");
        values(&game(&format!("{tags}\n{moves} *")), Rows::Plies, "seconds_spent")
    };
    let lichess = "https://lichess.org/aaaaaaaa";
    let moves =
        "1. e4 {[%clk 0:05:00]} c5 {[%clk 0:05:00]} 2. Nc3 {[%clk 0:05:02]} d6 {[%clk 0:04:54]}";
    assert_eq!(spent(lichess, moves), "0|0|1|9");
    assert_eq!(spent("Oslo", moves), "3|3|1|9");
    let berserk =
        "1. e4 {[%clk 0:02:30]} c5 {[%clk 0:05:00]} 2. Nc3 {[%clk 0:02:28]} d6 {[%clk 0:05:01]}";
    assert_eq!(spent(lichess, berserk), "0|0|2|2");
}

#[test]
fn encode_plies_clock_of_two_parts_goes_by_the_game() {
    let clocks = |tags: &str, moves: &str| {
        values(&game(&format!("{tags}\n\n{moves} *")), Rows::Plies, "clock")
    };
    let two = "1. e4 {[%clk 2:00]} e5 {[%clk 1:59]}";
    assert_eq!(clocks("[TimeControl \"40/7200:3600\"]", two), "7200|7140");
    assert_eq!(clocks("[TimeControl \"120+1\"]", two), "120|119");
    assert_eq!(clocks("[Event \"Rated Blitz game\"]", two), "120|119");
    assert_eq!(clocks("[Event \"Classical\"]", two), "7200|7140");
    assert_eq!(clocks("[Event \"Cup\"]", two), "-|-");
    assert_eq!(clocks("[Event \"Cup\"]", "1. e4 {[%clk 1:00:00]} e5 {[%clk 59:59]}"), "3600|3599");
    assert_eq!(clocks("[Event \"Cup\"]", "1. e4 {[%clk 90:00]} e5 {[%clk 1:59]}"), "5400|119");
}

#[test]
fn encode_time_control_goes_by_the_game() {
    let of = |tags: &str, moves: &str| {
        let game = game(&format!("{tags}\n\n{moves} *"));
        let of = |column| values(&game, Rows::Games, column);
        format!("{} {} {}", of("base_seconds"), of("increment"), of("time_class"))
    };
    assert_eq!(of("[TimeControl \"30+1\"]", "1. e4 {[%clk 0:00:30]}"), "30 1 bullet");
    assert_eq!(of("[TimeControl \"30+0.3\"]", "1. e4"), "30 0.3 bullet");
    assert_eq!(of("[TimeControl \"90 min + 30 sec\"]", "1. e4"), "5400 30 classical");
}

#[test]
fn encode_rating_with_remark_has_number_and_spelling() {
    let game = game("[WhiteElo \"2500*\"]\n[BlackElo \"1873 (FIDE)\"]\n\n1. e4 *");
    let of = |column| values(&game, Rows::Games, column);
    assert_eq!((of("WhiteElo").as_str(), of("BlackElo").as_str()), ("2500", "1873"));
    assert_eq!(of("tags"), "WhiteElo=2500* BlackElo=1873 (FIDE)");
}

#[test]
fn encode_plies_unplaced_comments_are_losses() {
    let game = game("{first} 1. e4 ({why not} 1. d4) ({nothing}) {late} e5 (1... c5) {end} *");
    assert_eq!(values(&game, Rows::Plies, "comment_before"), "first|why not|-|-");
    assert_eq!(values(&game, Rows::Plies, "comment"), "nothing late|-|end|-");
    assert_eq!(encode(&game, Rows::Plies, &["comment"]).1, []);
    // PGN has no variation without a move, but other formats do.
    let mut empty = Game::new();
    empty.push_move("e2e4".parse().unwrap());
    empty.start_variation().unwrap();
    empty.push_comment("nothing").unwrap();
    empty.end_variation().unwrap();
    let (_, losses) = encode(&empty, Rows::Plies, &["comment"]);
    assert_eq!(losses, [Loss::at_ply(LossKind::Comment, "nothing", 0)]);
    let mut two = Game::new();
    two.push_move("e2e4".parse().unwrap());
    two.push_comment("one").unwrap();
    two.push_comment("").unwrap();
    assert_eq!(values(&two, Rows::Plies, "comment"), "one");
    let mut empty = Game::new();
    empty.push_comment("alone").unwrap();
    assert_eq!(encode(&empty, Rows::Plies, &["comment"]).1.total(), 1);
    assert_eq!(encode(&empty, Rows::Plies, &["move"]).1, []);
}

#[test]
fn selection_unknown_column_is_named() {
    let error = Selection::named(Rows::Plies, ["move", "colour"]).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("plies have no column \"colour\"; they have game, ply"), "{text}");
    assert!(Selection::named(Rows::Games, []).is_err());
    let twice = Selection::named(Rows::Games, ["White", "White"]).unwrap();
    assert_eq!(twice.fields().len(), 1);
}

#[test]
fn encode_plies_of_a_range_equal_the_rows_of_all() {
    let games = [
        game(TAGGED),
        game(
            "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 {a} Nc6 (2... d6 3. d4) 3. Bb5 *",
        ),
        game("1. e4 {a} e5 {b} 2. Nf3 {c} Nc6 3. Bb5 a6 *"),
    ];
    let names = ["ply", "depth", "san", "hash", "comment", "clock"];
    let all = Selection::named(Rows::Plies, names).unwrap();
    for game in &games {
        let rows = |selection: &Selection| {
            let (mut into, mut losses) = (Columns::default(), Losses::new());
            Encoder::new(selection).encode(game, &mut into, &mut losses).unwrap();
            let (count, mut values) = (into.rows(), vec![String::new(); into.rows()]);
            for (_, column) in into.iter_mut() {
                column.end(count);
                column.materialize_nulls();
                for (row, value) in values.iter_mut().enumerate() {
                    let text = match &column.values {
                        Values::Text(all) => texts(all)[row].clone(),
                        Values::Int16(all) => all[row].to_string(),
                        Values::Int32(all) => all[row].to_string(),
                        Values::UInt64(all) => all[row].to_string(),
                        Values::Float64(all) => all[row].to_string(),
                        _ => unreachable!(),
                    };
                    value.push_str(if column.valid[row] { &text } else { "-" });
                    value.push(' ');
                }
            }
            values
        };
        let whole = rows(&all);
        for (first, last) in [(0, 1), (2, 2), (3, u32::MAX), (0, 3), (4, 2), (9, 9)] {
            let ply = |row: &String| row.split(' ').next().unwrap().parse::<u32>().unwrap();
            let wanted = whole.iter().filter(|row| (first..=last).contains(&ply(row)));
            let wanted: Vec<String> = wanted.cloned().collect();
            assert_eq!(rows(&all.clone().plies(first, last)), wanted, "{first}..={last}");
        }
    }
}
