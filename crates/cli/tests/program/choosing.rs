//! Tests of the filters, which list and convert share.

use crate::place::Place;

/// Returns the numbers of the games that a filter selects.
fn chosen(place: &Place, file: &str, filter: &[&str]) -> Vec<u64> {
    let words = [&["list", "--json", file], filter].concat();
    let ran = place.run_words(&words, "");
    assert_eq!(ran.code, i32::from(ran.out.is_empty()), "{ran}");
    let summary = match filter {
        // A text is not read beyond the last number, so that nobody knows how many games it has.
        ["--games", "1..1"] if file == "games.pgn" => "1 game found\n".to_owned(),
        _ => format!("{} of 2 games\n", ran.out.lines().count()),
    };
    assert!(ran.err.starts_with(&summary), "{ran}");
    let count = place.run_words(&[&["list", "--count", file], filter].concat(), "");
    assert_eq!((count.code, &count.err), (ran.code, &ran.err), "{count}");
    assert_eq!(count.out, format!("{}\n", ran.out.lines().count()));
    ran.out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|value| value["game"].as_u64().unwrap())
        .collect()
}

const FILTERS: [(&[&str], &[u64]); 89] = [
    (&[], &[1, 2]),
    (&["--player", "birch"], &[1]),
    (&["--white", "birch"], &[]),
    (&["--black", "BIRCH"], &[1]),
    (&["--event", "study"], &[2]),
    (&["--site", "river"], &[1]),
    (&["--date", "1922"], &[2]),
    (&["--date", "1900..2000"], &[2]),
    (&["--date", "2019.03.."], &[1]),
    (&["--date", "..2019.03"], &[1, 2]),
    (&["--eco", "C5"], &[1]),
    (&["--eco", "A..B"], &[]),
    (&["--elo", "1800.."], &[1]),
    (&["--elo", "1900.."], &[]),
    (&["--result", "1-0,0-1"], &[1]),
    (&["--result", "1/2-1/2"], &[2]),
    (&["--annotated"], &[1]),
    (&["--annotated=no"], &[2]),
    (&["--deleted"], &[]),
    (&["--cql", "mate"], &[1]),
    (&["--cql", "initial"], &[1, 2]),
    (&["--cql", "result 1/2-1/2"], &[2]),
    (&["--cql", "Pe4 pe5", "--cql", "mate", "--white", "a*"], &[1]),
    (&["--games", "2-"], &[2]),
    (&["--games", "1..1"], &[1]),
    (&["--player", "tom BIRCH"], &[1]),
    (&["--player", "Birch, T"], &[1]),
    (&["--player", "Bïrch"], &[1]),
    (&["--player", "birch", "--player", "draw"], &[1, 2]),
    (&["--player", "birch", "--exact"], &[]),
    (&["--player", "Birch, Tom", "--exact"], &[1]),
    (&["--date", "2019-03-14"], &[1]),
    (&["--date", "1900-2000"], &[2]),
    (&["--date", "1922,2019-03"], &[1, 2]),
    (&["--eco", "B90,C50"], &[1]),
    (&["--eco", "C50-C59"], &[1]),
    (&["--elo", "1800+"], &[1]),
    (&["--elo", "1800-1950"], &[1]),
    (&["--result", "draw"], &[2]),
    (&["--length", "7"], &[1]),
    (&["--length", "..6"], &[2]),
    (&["--moves", "1. e4 e5 2. Nf3"], &[1]),
    (&["--where", "Event=^club"], &[1]),
    (&["--where", "SetUp=1"], &[2]),
    (&["--where", "Event!=club", "--where", "Site=."], &[2]),
    (&["--opening", "italian"], &[1]),
    (&["--opening", "c50"], &[1]),
    (&["--opening", "sicilian"], &[]),
    (&["--opening", "sicilian", "--opening", "Italian game"], &[1]),
    (&["--material", "KP-KP"], &[2]),
    (&["--material", "w:KP-KP:5"], &[2]),
    (&["--material", "KP-K"], &[]),
    (&["--material", "QRRBBNNP*-QRRBBNNP*"], &[1]),
    (&["--pattern", "Nd5 ke7"], &[1]),
    (&["--pattern", "Pc6 ph5 w"], &[2]),
    (&["--pattern", "Pc6 ph5", "--pattern", "Nd5"], &[1, 2]),
    (&["--pattern", "Pc7 @5.."], &[2]),
    (&["--pattern", "////????P???///"], &[1]),
    (&["--opening", "italian", "--material", "KP-KP"], &[]),
    (&["--opening", "italian", "--pattern", "Qd1", "--player", "birch"], &[1]),
    (&["--position", "7K/8/k1P5/7p/8/8/8/8", "--pattern", "ph2"], &[2]),
    (&["--position", "7K/8/k1P5/7p/8/8/8/8", "--pattern", "ph1"], &[]),
    (&["--comment", "^quiet$"], &[1]),
    (&["--comment", "loud"], &[]),
    (&["--elo-diff", "40.."], &[1]),
    (&["--elo-diff", "..40"], &[]),
    (&["--where", "WhiteElo>=1873"], &[1]),
    (&["--where", "WhiteElo>1873"], &[]),
    (&["--where", "Date<1950"], &[2]),
    (&["--where", "Date>1922"], &[1]),
    (&["--where", "Round<5", "--where", "Round>2"], &[1]),
    (&["--tag-missing", "ECO"], &[2]),
    (&["--tag-missing", "Site", "--tag-missing", "white"], &[2]),
    (&["--tag-missing", "TimeControl"], &[1, 2]),
    (&["--time-class", "unknown"], &[1, 2]),
    (&["--time-class", "blitz,rapid"], &[]),
    (&["--player", "birch", "--against", "alder"], &[1]),
    (&["--player", "Alder, N", "--against", "birch"], &[1]),
    (&["--player", "alder", "--against", "alder"], &[]),
    (&["--player", "alder", "--outcome", "won"], &[1]),
    (&["--cql", "--(mate)"], &[1]),
    (&["--player", "birch", "--outcome", "drew,lost"], &[1]),
    (&["--player", "alder", "--outcome", "lost"], &[]),
    (&["--position", "8/8/8/8/7P/K1p5/8/7k", "--mirrored=colors"], &[2]),
    (&["--position", "k7/8/5P1K/p7/8/8/8/8", "--mirrored=colors"], &[]),
    (&["--position", "k7/8/5P1K/p7/8/8/8/8", "--mirrored"], &[]),
    (&["--position", "K7/8/5P1k/p7/8/8/8/8", "--mirrored=files"], &[2]),
    (&["--position", "7K/8/k1P5/7p/8/8/8/8 w - -"], &[2]),
    (&["--position", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -"], &[1]),
];

#[test]
fn list_each_filter_selects_expected_games() {
    let place = Place::new();
    for (filter, expected) in FILTERS {
        assert_eq!(chosen(&place, "games.pgn", filter), expected, "{filter:?}");
    }
}

#[test]
fn convert_scid_base_filters_select_same_games() {
    let place = Place::new();
    for base in ["base.dci", "base.si4", "base.si5"] {
        place.run(&format!("convert games.pgn {base}")).well();
        for (filter, expected) in FILTERS {
            assert_eq!(chosen(&place, base, filter), expected, "{base} {filter:?}");
        }
    }
}

#[test]
fn position_in_variation_is_found_with_option() {
    let place = Place::new();
    // After 3... Nf6 4. d3, two variations deep.
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R b KQkq -";
    assert!(chosen(&place, "games.pgn", &["--position", fen]).is_empty());
    assert_eq!(chosen(&place, "games.pgn", &["--position", fen, "--variations"]), [1]);
}

#[test]
fn convert_with_filter_writes_selected_games() {
    let place = Place::new();
    let ran = place.run("convert games.pgn some.pgn --player birch").well();
    assert_eq!(ran.err, "2 games read, 1 written, 1 not chosen\n");
    assert!(place.text("games.pgn").starts_with(&place.text("some.pgn")));
}

#[test]
fn filter_nonsense_is_usage_error() {
    let place = Place::new();
    for words in [
        ["--date", "tomorrow"],
        ["--eco", "Z9"],
        ["--elo", "high"],
        ["--games", "0"],
        ["--position", "here"],
        ["--result", "won"],
        ["--length", "long"],
        ["--moves", "1. e5"],
        ["--where", "Event"],
        ["--where", "Event=("],
        ["--sort", "whte"],
    ] {
        let ran = place.run_words(&["list", "games.pgn", words[0], words[1]], "");
        assert_eq!(ran.code, 2, "{ran}");
    }
}

#[test]
fn filter_without_possible_answer_is_error() {
    let place = Place::new();
    for (filter, message) in [
        (["--opening", "najdrof"], "no opening is called \"najdrof\""),
        (["--material", "KRP"], "is not material"),
        (["--pattern", "Xe4"], "is not a pattern"),
        (["--comment", "("], "unclosed group"),
        (["--time-class", "fast"], "is not a time class"),
        (["--elo-diff", "big"], "is not a difference of ratings"),
        (["--where", "White>5"], "\"White\" is not a tag with numbers or dates"),
        (["--where", "WhiteElo>=strong"], "\"strong\" is not a number"),
        (["--tag-missing", "White Elo"], "is not the name of a tag"),
        (["--against", "alder"], "--player <NAME>"),
        (["--outcome", "lost"], "--player <NAME>"),
        (["--outcome", "win"], "write won, drew or lost"),
        (["--mirrored=ranks", "--pattern=Pe4"], "write colors or files"),
        (["--mirrored", "--cql=mate"], "required"),
    ] {
        let ran = place.run_words(&[&["list", "games.pgn"], &filter[..]].concat(), "");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran}");
        assert!(ran.err.contains(message), "{message}: {ran}");
    }
}

/// Matches are shown by a column, a board, comments in the copy, and the values of a query.
#[test]
fn cql_matches_are_listed_shown_and_marked() {
    let place = Place::new();
    let games = "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
                 [White \"B\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n\
                 [White \"C\"]\n\n1. e4 e5 1/2-1/2\n";
    std::fs::write(place.path("games.pgn"), games).unwrap();
    let run = |words: &[&str]| place.run_words(words, "");
    let columns = ["list", "games.pgn", "--csv", "--columns", "white,match", "--cql", "[Qq]h4-5"];
    assert_eq!(run(&columns).well().out, "White,Match\nA,4\nB,3-6\n");
    let pattern =
        ["list", "games.pgn", "--csv", "--columns", "white,match", "--pattern", "pe5 Pe4"];
    assert_eq!(run(&pattern).well().out, "White,Match\nB,2-7\nC,2\n");
    let query = "mate sort min \"moves\" movenumber message(\"ply \" ply) persistent Mates+=1";
    let sorted = run(&["list", "games.pgn", "--json", "--cql", query]).well().out;
    let sorted: Vec<serde_json::Value> =
        sorted.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(sorted[0]["tags"]["White"], "A", "{sorted:?}");
    assert_eq!(sorted[0]["values"], serde_json::json!({"moves": 3}));
    assert_eq!(sorted[1]["match"], serde_json::json!([7]));
    assert_eq!(sorted[1]["messages"], serde_json::json!(["ply 7"]));
    assert_eq!(sorted[2], serde_json::json!({"counters": {"Mates": 2}}));
    let table = run(&["list", "games.pgn", "--cql", query]).well().out;
    assert!(table.contains("moves") && table.ends_with("Mates: 2\n"), "{table}");

    let shown =
        run(&["show", "games.pgn", "2", "--ascii", "--ply", "match", "--cql", "[Qq]h5"]).well();
    assert!(shown.out.ends_with("half-moves that match: 3-6\n"), "{shown}");
    let marked = ["convert", "games.pgn", "-", "--to", "pgn", "--mark-matches", "--cql"];
    let marked = run(&[&marked[..], &["mate comment(\"mated\")"]].concat()).well().out;
    assert!(marked.contains("Qh4# {mated}") || marked.contains("Qh4# { mated }"), "{marked}");
    for (words, code, why) in [
        (&["list", "games.pgn", "--columns", "match"][..], 2, "needs --position"),
        (&["show", "games.pgn", "2", "--ply", "match"], 2, "needs --position"),
        (&["show", "games.pgn", "2", "--cql", "mate"], 2, "--ply match"),
        (&["show", "games.pgn", "3", "--ply", "match", "--cql", "mate"], 3, "does not match"),
        (&["convert", "games.pgn", "-", "--to", "pgn", "--mark-matches"], 2, "needs --position"),
        (&["list", "games.pgn", "--sort", "match"], 2, "not a column"),
    ] {
        let ran = run(words);
        assert!(ran.code == code && ran.err.contains(why), "{ran}");
    }
}

/// A query comes from the command line or a file; one that cannot be read names the place.
#[test]
fn cql_query_in_a_file_equals_query_in_an_option() {
    let place = Place::new();
    place.take_fixture("scid/plain");
    let base = "fixtures/scid/plain/base.si4";
    let write = |name, text| std::fs::write(place.path(name), text).unwrap();
    write("query.cql", "\u{feff}// a comment\nflipcolor {\n  Pe4 pe5\n}\n");
    let of_file = place.run_words(&["list", base, "--cql-file", "query.cql"], "").well();
    let of_option = place.run_words(&["list", base, "--cql", "flipcolor { Pe4 pe5 }"], "").well();
    assert_eq!(of_file.out, of_option.out);
    assert!(of_file.out.lines().count() > 1, "{of_file}");
    let doubtful = place.run_words(&["list", base, "--cql", "Q==q"], "").well();
    let note =
        "note: --cql: line 1, column 1: Q==q compares squares; to compare numbers, write #Q==#q\n";
    assert!(doubtful.err.ends_with(note), "{doubtful}");
    if cfg!(unix) {
        let endless = place.run_words(&["list", base, "--cql-file", "/dev/zero"], "");
        assert!(endless.code == 3 && endless.err.contains("/dev/zero: "), "{endless}");
    }
    write("wrong.cql", "mate\nR attaks k\n");
    for (words, code, why) in [
        (["--cql-file", "wrong.cql"], 3, "wrong.cql: line 2, column 3"),
        (["--cql-file", "none.cql"], 3, "none.cql: "),
        (["--cql", "R attaks k"], 2, "line 1, column 3: unknown word; did you mean attacks?"),
        (["--cql", "wtm\n  Pe4 Qx7"], 2, "line 2, column 7"),
        (["--cql", ""], 2, "empty"),
        (["--cql", "gamenumber==3"], 2, "order of games"),
    ] {
        let ran = place.run_words(&["list", base, words[0], words[1]], "");
        assert_eq!(ran.code, code, "{ran}");
        assert!(ran.err.contains(why) && ran.out.is_empty(), "{ran}");
    }
}
