//! Tests of `convert --strip`, `--plies` and `--add`, and of opening names in other commands.

use std::fs;

use crate::place::Place;

const MOVES: &str = "[Event \"Blitz\"]\n[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"2500\"]\n\
    [Source \"X\"]\n[Result \"1-0\"]\n\n\
    1. e4 {[%clk 0:03:00] best} c5 $1 (1... e5 2. Nf3) 2. Nf3 {[%eval 0.2]} d6 1-0\n\n";

fn place() -> Place {
    let place = Place::new();
    fs::write(place.path("in.pgn"), MOVES).unwrap();
    place
}

/// Returns the movetext that `convert` writes, and whether each tag is there.
fn converted(place: &Place, input: &str, options: &str) -> (String, String) {
    let ran = place.run(&format!("convert {input} - {options}")).well();
    let (tags, moves) = ran.out.trim().split_once("\n\n").unwrap();
    (moves.replace('\n', " "), tags.to_owned())
}

#[test]
fn convert_strip_is_same_from_each_format() {
    let place = place();
    for base in ["in.si4", "in.si5", "in.dci"] {
        place.run(&format!("convert in.pgn {base}")).well();
    }
    for input in ["in.pgn", "in.si4", "in.si5", "in.dci"] {
        let moves = |options: &str| converted(&place, input, options).0;
        assert_eq!(
            moves("--strip comments,variations,glyphs"),
            "1. e4 c5 2. Nf3 d6 1-0",
            "{input}"
        );
        assert_eq!(
            moves("--strip clocks,evals --strip variations"),
            "1. e4 {best} 1... c5 $1 2. Nf3 d6 1-0",
            "{input}"
        );
        assert_eq!(moves("--strip comments,glyphs --plies 1"), "1. e4 1-0", "{input}");
        let (_, tags) = converted(&place, input, "--strip tags=all-but-roster");
        assert_eq!(tags.lines().count(), 7, "{input}: {tags}");
        let (_, tags) = converted(&place, input, "--strip tags=Source");
        assert!(tags.contains("WhiteElo") && !tags.contains("Source"), "{input}: {tags}");
    }
}

#[test]
fn convert_add_writes_tags_in_each_order_of_games() {
    let place = place();
    for options in ["", " --sort white", " --unique", " --threads 1"] {
        let (_, tags) =
            converted(&place, "in.pgn", &format!("--add eco,opening,plycount,fen{options}"));
        for tag in [
            "[ECO \"B50\"]",
            "[Opening \"Sicilian Defense: Modern Variations\"]",
            "[PlyCount \"4\"]",
            "[FinalFEN \"rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3\"]",
        ] {
            assert!(tags.contains(tag), "{options}: {tag} in {tags}");
        }
    }
}

#[test]
fn convert_unknown_change_is_error() {
    let place = place();
    for (options, message) in [
        ("--strip moves", "is not a part of games"),
        ("--strip tags=FEN", "is not a tag that can go"),
        ("--add name", "is not a tag to add"),
        ("--plies many", "many"),
    ] {
        let ran = place.run(&format!("convert in.pgn out.pgn {options}"));
        assert_eq!(ran.code, 2, "{ran}");
        assert!(ran.err.contains(message), "{ran}");
        assert!(!place.path("out.pgn").exists());
    }
}

#[test]
fn list_opening_column_is_tag_or_name_of_moves() {
    let place = place();
    let tagged = MOVES.replace("[Source \"X\"]", "[Opening \"Sizilianisch\"]");
    fs::write(place.path("two.pgn"), format!("{MOVES}{tagged}")).unwrap();
    place.run("convert two.pgn two.si4").well();
    for base in ["two.pgn", "two.si4"] {
        let ran = place.run(&format!("list {base} --csv --columns number,opening --sort -opening"));
        let expected = "Number,Opening\n2,Sizilianisch\n1,Sicilian Defense: Modern Variations\n";
        assert_eq!(ran.well().out, expected, "{base}");
        let split = place.run(&format!("convert {base} {base}-.pgn --split opening"));
        assert!(split.well().err.contains("2"), "{base}");
    }
}

#[test]
fn tree_names_openings_of_moves_and_position() {
    let place = place();
    let ran = place.run_words(&["tree", "in.pgn", "--moves", "1. e4 c5", "--json"], "").well();
    let tree: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(tree["opening"]["name"], "Sicilian Defense");
    assert_eq!(tree["opening"]["eco"], "B20");
    assert_eq!(tree["moves"][0]["opening"]["eco"], "B27");
    let ran = place.run("tree in.pgn --depth 2").well();
    assert!(ran.out.contains("King's Pawn Game") && ran.out.contains("Sicilian Defense"), "{ran}");
}

#[test]
fn sample_is_same_for_same_seed_and_keeps_order() {
    let place = place();
    fs::write(place.path("many.pgn"), MOVES.repeat(50)).unwrap();
    place.run("convert many.pgn many.si4").well();
    let numbers = |line: &str| -> Vec<u64> {
        let ran = place.run(&format!("list {line} --csv --columns number")).well();
        ran.out.lines().skip(1).map(|number| number.parse().unwrap()).collect()
    };
    let sample = numbers("many.pgn --sample 10");
    assert_eq!(sample.len(), 10);
    assert!(sample.is_sorted());
    assert_eq!(numbers("many.si4 --sample 10 --seed 0"), sample);
    assert_ne!(numbers("many.pgn --sample 10 --seed 1"), sample);
    assert_eq!(numbers("many.pgn --sample 10 --games 1-5"), [1, 2, 3, 4, 5]);
    for (options, written) in [("--sample 10", 10), ("--sample 10 --sort -white", 10)] {
        let ran = place.run(&format!("convert many.pgn out.pgn --force {options}")).well();
        assert!(ran.err.contains("10 written"), "{ran}");
        assert_eq!(place.text("out.pgn").matches("[Event ").count(), written, "{options}");
    }
    let both = place.run("list many.pgn many.si4 --sample 7 --count").well();
    assert_eq!(both.out, "7\n");
}

#[test]
fn sample_of_standard_input_or_with_unique_is_error() {
    let place = place();
    for line in ["list - --sample 3", "convert - out.pgn --sample 3", "list in.pgn --seed 3"] {
        let ran = place.run_words(&line.split(' ').collect::<Vec<_>>(), MOVES);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran}");
    }
    let ran = place.run("convert in.pgn out.pgn --sample 3 --unique");
    assert_eq!(ran.code, 2, "{ran}");
}

#[test]
fn csv_cells_with_formulas_are_escaped() {
    let place = Place::new();
    let game = "[Event \"=1+1\"]\n[White \"@SUM(A1)\"]\n[Round \"-\"]\n\n1. e4 c5 *\n\n";
    fs::write(place.path("in.pgn"), game).unwrap();
    let ran = place.run("list in.pgn --csv --columns event,white,round,uci,san").well();
    assert_eq!(ran.out, "Event,White,Round,UCI,SAN\n'=1+1,'@SUM(A1),-,e2e4 c7c5,e4 c5\n");
    place.run("convert in.pgn out.csv").well();
    assert!(place.text("out.csv").contains("\n'=1+1,"), "{}", place.text("out.csv"));
}

#[test]
fn convert_split_variations_writes_each_line_as_game() {
    let place = place();
    place.run("convert in.pgn in.si4").well();
    for input in ["in.pgn", "in.si4"] {
        let ran =
            place.run(&format!("convert {input} - --split-variations --strip comments")).well();
        assert!(ran.err.contains("1 game read, 2 written"), "{ran}");
        for words in [
            "[Line \"1/2\"]",
            "1. e4 c5 $1 2. Nf3 d6 1-0",
            "[Line \"2/2\"]\n[LinePly \"2\"]",
            "1. e4 e5 2. Nf3 1-0",
        ] {
            assert!(ran.out.contains(words), "{input}: {words}: {ran}");
        }
        assert_eq!(ran.out.matches("[White \"A\"]").count(), 2, "{ran}");
    }
    place.run("convert in.pgn out.si5 --split-variations").well();
    assert_eq!(place.run("list out.si5 --count").well().out, "2\n");
    let sorted = place.run("convert in.pgn - --split-variations --sort white").well().out;
    assert_eq!(sorted.matches("[Line ").count(), 2, "{sorted}");
}

#[test]
fn convert_split_variations_too_large_is_refused() {
    let place = Place::new();
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(5000);
    let text = format!(
        "[White \"A\"]\n\n{moves}{} *\n\n[White \"B\"]\n\n1. e4 *\n",
        "(h6) ".repeat(20_000)
    );
    fs::write(place.path("in.pgn"), text).unwrap();
    let ran = place.run("convert in.pgn out.pgn --split-variations");
    assert_eq!(ran.code, 4, "{ran}");
    assert!(ran.err.contains("its 20001 lines repeat too many moves"), "{ran}");
    assert!(ran.err.contains("2 games read, 1 written, 1 refused"), "{ran}");
}

/// The lines of a game are written while they are made.
#[test]
fn convert_split_variations_of_much_text_is_written_whole() {
    let place = Place::new();
    let text = format!("[Event \"{}\"]\n\n1. e4 {}*\n", "x".repeat(20_000), "(1. d4) ".repeat(60));
    fs::write(place.path("in.pgn"), text.repeat(3)).unwrap();
    place.run("convert in.pgn out.pgn --split-variations").well();
    let out = place.text("out.pgn");
    for number in 1..=61 {
        assert_eq!(out.matches(&format!("[Line \"{number}/61\"]")).count(), 3, "{number}");
    }
    for (letters, variations) in [(100_000, 1000), (1_000_000, 400)] {
        let (event, lines) = ("x".repeat(letters), "(1. d4) ".repeat(variations));
        let text = format!("[Event \"{event}\"]\n\n1. e4 {lines}*\n");
        fs::write(place.path("in.pgn"), text).unwrap();
        let ran = place.run("convert in.pgn out.pgn --split-variations -f");
        assert_eq!(ran.code, 4, "{ran}");
        assert!(ran.err.contains("repeat too many moves and comments"), "{ran}");
    }
}

#[test]
fn convert_export_format_is_latin1_and_reports_conversions() {
    let place = Place::new();
    let text = "[White \"M\u{fc}ller\"]\n[Black \"\u{41a}\u{430}\u{440}\u{43f}\u{43e}\u{432}\"]\n\n1. e4 -- 2. d4 *\n";
    fs::write(place.path("in.pgn"), text).unwrap();
    let ran = place.run("convert in.pgn out.pgn --export-format").well();
    assert!(ran.err.contains("null-move") && ran.err.contains("characters"), "{ran}");
    let out = fs::read(place.path("out.pgn")).unwrap();
    let out: String = out.iter().map(|byte| char::from(*byte)).collect();
    assert!(out.contains("[White \"M\u{fc}ller\"]\n[Black \"Karpov\"]\n"), "{out}");
    assert!(out.ends_with("\n\n1. e4 {1... -- 2. d4} *\n\n"), "{out}");
    let ran = place.run("convert in.pgn out.si4 --export-format");
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.err.contains("--export-format is a style of PGN; the output is Scid 4"), "{ran}");
}

#[test]
fn convert_csv_columns_are_tags_and_moves() {
    let place = place();
    let ran =
        place.run("convert in.pgn - --to csv --columns white,Source,san --strip comments").well();
    assert!(ran.out.starts_with("White,Source,SAN\nA,X,e4 c5 Nf3 d6\n"), "{ran}");
    assert!(ran.err.contains("variation") && !ran.err.contains("tag"), "{ran}");
    for (options, code, message) in [
        ("out.csv --columns colour", 3, "is not a column"),
        ("out.csv --columns=", 3, "takes no such value"),
        ("out.csv --columns white,", 3, "the value is empty"),
        ("out.csv --columns number", 3, "is not a column of a copy"),
        ("out.pgn --columns white", 2, "Portable Game Notation bases have no columns"),
    ] {
        let ran = place.run(&format!("convert in.pgn {options}"));
        assert_eq!(ran.code, code, "{ran}");
        assert!(ran.err.contains(message), "{ran}");
    }
}
