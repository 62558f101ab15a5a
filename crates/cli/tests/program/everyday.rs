//! Tests of names, dates and results as they occur in real files.

use std::fs;

use crate::place::Place;

/// Returns a text of short games, each with these tags.
fn text(games: &[&[(&str, &str)]]) -> String {
    let mut text = String::new();
    for (number, tags) in games.iter().enumerate() {
        text.push_str(&format!("[Event \"Open\"]\n[Round \"{}\"]\n", number + 1));
        for (name, value) in *tags {
            text.push_str(&format!("[{name} \"{value}\"]\n"));
        }
        text.push_str("\n1. e4 e5 2. Nf3 *\n\n");
    }
    text
}

/// Writes a text, a Scid 4 base and a Scid 5 base of these games.
fn bases(place: &Place, games: &[&[(&str, &str)]]) -> [&'static str; 3] {
    fs::write(place.path("all.pgn"), text(games)).unwrap();
    place.run("convert all.pgn all.si4").well();
    place.run("convert all.pgn all.si5").well();
    ["all.pgn", "all.si4", "all.si5"]
}

/// Returns the lines of a column, without its name.
fn column(place: &Place, file: &str, column: &str, words: &[&str]) -> Vec<String> {
    let ran = place.run_words(&[&["list", file, "--csv", "--columns", column], words].concat(), "");
    ran.out.lines().skip(1).map(str::to_owned).collect()
}

const NAMES: [&str; 6] =
    ["Adams, Michael", "Michel, A.", "Morozevich,A", "Adams,Mi", "Michael Adams", "Adamson, M"];

fn named() -> Vec<Vec<(&'static str, &'static str)>> {
    NAMES.iter().map(|name| vec![("White", *name), ("Black", "X, Y"), ("Result", "1-0")]).collect()
}

#[test]
fn list_player_with_initial_finds_only_the_surname_in_all_formats() {
    let place = Place::new();
    let games = named();
    let games: Vec<&[(&str, &str)]> = games.iter().map(Vec::as_slice).collect();
    for file in bases(&place, &games) {
        for query in ["Adams, M", "M. Adams", "adams m"] {
            let found = column(&place, file, "number", &["--player", query]);
            assert_eq!(found, ["1", "4", "5"], "{file} {query}");
        }
        let found = column(&place, file, "number", &["--white", "Adams"]);
        assert_eq!(found, ["1", "4", "5"], "{file}");
        let found = column(&place, file, "number", &["--white", "adams*"]);
        assert_eq!(found, ["1", "4", "5", "6"], "{file}");
    }
}

#[test]
fn edit_set_says_which_names_it_replaces() {
    let place = Place::new();
    let games = named();
    let games: Vec<&[(&str, &str)]> = games.iter().map(Vec::as_slice).collect();
    bases(&place, &games);
    let words =
        ["edit", "all.si4", "--dry-run", "set", "White=Adams, Mickey", "--white", "Adams, M"];
    let names = "White: 3 different names: Adams, Michael (1); Adams,Mi (1); Michael Adams (1)\n";
    let ran = place.run_words(&words, "").well();
    assert!(ran.err.contains(names) && ran.err.contains("changed 3 games"), "{ran}");
    let real: Vec<&str> = words.into_iter().filter(|word| *word != "--dry-run").collect();
    let ran = place.run_words(&real, "").well();
    assert!(ran.err.contains(names), "{ran}");
    assert_eq!(
        column(&place, "all.si4", "number", &["--exact", "--white", "Adams, Mickey"]).len(),
        3
    );
}

const DATES: [&str; 8] = [
    "2018.12.30",
    "12/31/2018",
    "2018-1-5",
    "31.12.1950",
    "5 Feb 2018",
    "1995.??.??",
    "20170228",
    "",
];

fn dated() -> Vec<Vec<(&'static str, &'static str)>> {
    DATES.iter().map(|date| vec![("White", "A"), ("Black", "B"), ("Date", *date)]).collect()
}

#[test]
fn sort_split_and_show_date_go_by_day_in_all_formats() {
    let place = Place::new();
    let games = dated();
    let games: Vec<&[(&str, &str)]> = games.iter().map(Vec::as_slice).collect();
    for file in bases(&place, &games) {
        let dates = column(&place, file, "date", &["--sort", "date"]);
        let expected = [
            "1950.12.31",
            "1995.??.??",
            "2017.02.28",
            "2018.01.05",
            "2018.02.05",
            "2018.12.30",
            "2018.12.31",
        ];
        assert_eq!(dates[..7], expected, "{file}");
        let newest = column(&place, file, "number", &["--sort=-date", "--limit", "2"]);
        assert_eq!(newest, ["2", "1"], "{file}");
    }
    place.run("convert all.pgn by.pgn --split month").well();
    assert!(place.text("by-2018.12.pgn").contains("12/31/2018"));
    assert!(place.text("by-2018.02.pgn").contains("5 Feb 2018"));
    assert!(place.text("by-1995.pgn").contains("1995.??.??"));
    let ran = place.run("convert all.pgn newest.pgn --sort=-date --limit 1").well();
    assert!(place.text("newest.pgn").contains("12/31/2018"), "{ran}");
}

#[test]
fn date_partly_known_matches_whole_range_and_is_counted_otherwise() {
    let place = Place::new();
    let games = dated();
    let games: Vec<&[(&str, &str)]> = games.iter().map(Vec::as_slice).collect();
    let note = "note: 1 game is left out: its date is partly unknown";
    for file in bases(&place, &games) {
        for (range, found, undecided) in [
            ("1990-01-01..1999-12-31", &["6"][..], false),
            ("1995", &["6"], false),
            ("1995-06..1999", &[], true),
            ("..1995-06-30", &["4"], true),
            ("1996..", &["1", "2", "3", "5", "7"], false),
            ("31.12.2018", &["2"], false),
        ] {
            let ran = place
                .run_words(&["list", file, "--csv", "--columns", "number", "--date", range], "");
            let numbers: Vec<&str> = ran.out.lines().skip(1).collect();
            assert_eq!(numbers, found, "{file} {range}");
            assert_eq!(ran.err.contains(note), undecided, "{file} {range}: {ran}");
        }
        // Counted only if all other filters match.
        let words = ["list", file, "--date", "1995-06..1999", "--player", "nobody"];
        let ran = place.run_words(&words, "");
        assert!(!ran.err.contains("left out"), "{ran}");
        let ran = place.run_words(&["tree", file, "--date", "1995-06.."], "").well();
        assert!(ran.err.contains(note), "{file}: {ran}");
        let words = ["convert", file, "some.pgn", "--force", "--unique", "--date", "1995-06.."];
        let ran = place.run_words(&words, "").well();
        assert!(ran.err.contains(note), "{file}: {ran}");
    }
    let ran = place.run_words(&["edit", "all.si4", "delete", "--date", "1995-06.."], "").well();
    assert!(ran.err.contains(note), "{ran}");
}

#[test]
fn split_result_and_eco_go_by_value() {
    let place = Place::new();
    let games: [&[(&str, &str)]; 4] = [
        &[("White", "A"), ("Result", "1-0"), ("ECO", "b20")],
        &[("White", "B"), ("Result", "1-0 "), ("ECO", "B20")],
        &[("White", "C"), ("Result", "1/2-1/2"), ("ECO", "B20/03")],
        &[("White", "D"), ("Result", "*"), ("ECO", "?")],
    ];
    fs::write(place.path("all.pgn"), text(&games)).unwrap();
    let ran = place.run("convert all.pgn r.pgn --split result").well();
    assert!(ran.err.contains("3 bases written"), "{ran}");
    let white = place.text("r-1-0.pgn");
    assert!(white.contains("\"A\"") && white.contains("\"B\""), "{white}");
    let ran = place.run("convert all.pgn e.pgn --split eco").well();
    assert!(ran.err.contains("3 bases written"), "{ran}");
    assert!(place.text("e-B20.pgn").contains("\"A\""));
    assert_eq!(column(&place, "all.pgn", "number", &["--eco", "B20"]), ["1", "2", "3"]);
    assert_eq!(column(&place, "all.pgn", "number", &["--eco", "b20/03"]), ["3"]);
}

#[test]
fn dedupe_online_games_and_repertoires_are_kept() {
    let place = Place::new();
    let pair = [("White", "u1"), ("Black", "u2"), ("Date", "2020.05.01"), ("Round", "-")];
    for (tag, one, other, repeats) in [
        ("Site", "https://lichess.org/aaaaaaaa", "https://lichess.org/bbbbbbbb", 0),
        ("Site", "https://lichess.org/aaaaaaaa", "https://lichess.org/aaaaaaaa/black", 1),
        ("Site", "Oslo", "Oslo NOR", 1),
        ("Link", "https://www.chess.com/game/live/1", "https://www.chess.com/game/live/2", 0),
        ("GameId", "1", "2", 0),
        ("UTCTime", "10:00:00", "10:05:00", 0),
        ("StartTime", "10:00:00", "10:00:00", 1),
        ("EndTime", "7:47:24 PST", "7:52:10 PST", 0),
        ("GameStartTime", "2024-05-01T10:00:00 +0200", "2024-05-01T10:07:00 +0200", 0),
        ("Board", "1", "2", 0),
        ("TimeControl", "180", "300", 0),
        ("TimeControl", "180", "180+0", 1),
        ("WhiteElo", "1500", "1508", 1),
        ("Black", "?", "?", 1),
        ("Black", "?", "NN", 0),
        ("White", "Italian", "?", 0),
    ] {
        let game = |value: &str| {
            let mut text = String::from("[Event \"Rated game\"]\n");
            let tags = pair.iter().filter(|(name, _)| *name != tag);
            tags.for_each(|(name, value)| text.push_str(&format!("[{name} \"{value}\"]\n")));
            text.push_str(&format!("[{tag} \"{value}\"]\n\n1. e4 e5 *\n\n"));
            text
        };
        fs::write(place.path("two.pgn"), game(one) + &game(other)).unwrap();
        place.run("convert two.pgn two.si5 --force").well();
        for file in ["two.pgn", "two.si5"] {
            let ran = place.run_words(&["dedupe", "-n", file], "").well();
            let others = if repeats == 1 { "repeats another" } else { "repeat others" };
            let words = format!("2 games, of which {repeats} {others}");
            assert!(ran.err.contains(&words), "{tag} {one} {other} {file}: {ran}");
        }
    }
}

#[test]
fn dedupe_usual_fen_and_short_given_name_repeat_in_every_format() {
    let place = Place::new();
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n";
    let game = |white: &str, fen: &str| {
        format!(
            "[Event \"City Open\"]\n[Date \"2019.05.04\"]\n[White \"{white}\"]\n\
             [Black \"Spassky, Boris V\"]\n[Result \"1-0\"]\n{fen}\n{moves}"
        )
    };
    let fen = "[SetUp \"1\"]\n\
        [FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n";
    let games = game("Karpov, Anatoly", "") + &game("Karpov,Ana", "") + &game("Karpov,A", fen);
    fs::write(place.path("all.pgn"), games).unwrap();
    let formats = ["pgn", "si4", "si5", "cbh", "2cbh", "cbf", "dci", "jose", "cdp", "jsonl"];
    for format in formats {
        let file = format!("copy.{format}");
        place.run_words(&["convert", "all.pgn", &file], "").well();
        let ran = place.run_words(&["dedupe", "-n", &file], "").well();
        assert!(ran.err.contains("3 games, of which 2 repeat others"), "{file}: {ran}");
        let full = ["list", "--count", &file, "--player", "Karpov, Anatoly"];
        assert_eq!(place.run_words(&full, "").well().out, "3\n", "{file}");
        // Neither is a tag of the start position.
        let set_up = ["list", "--count", &file, "--tag-missing", "FEN"];
        assert_eq!(place.run_words(&set_up, "").well().out, "3\n", "{file}");
    }
}

#[test]
fn list_time_class_and_rating_with_remark_agree_in_every_command() {
    let place = Place::new();
    let games = "[Event \"Rated Bullet game\"]\n[Site \"https://lichess.org/abcdefgh\"]\n\
        [White \"A\"]\n[WhiteElo \"2500*\"]\n[BlackElo \"1500?\"]\n[TimeControl \"30+1\"]\n\n\
        1. e4 { [%clk 0:00:30] } *\n\n\
        [White \"B\"]\n[WhiteElo \"1873 (FIDE)\"]\n[TimeControl \"90 min + 30 sec\"]\n\n1. e4 *\n";
    fs::write(place.path("all.pgn"), games).unwrap();
    for file in ["all.pgn", "all.si4", "all.cbh"] {
        if file != "all.pgn" {
            place.run_words(&["convert", "all.pgn", file], "").well();
        }
        for (filter, white) in [
            (&["--elo", "1400.."][..], "A"),
            (&["--where", "WhiteElo>=2500"], "A"),
            (&["--where", "WhiteElo<2000"], "B"),
            (&["--tag-missing", "BlackElo"], "B"),
        ] {
            assert_eq!(column(&place, file, "white", filter), [white], "{file} {filter:?}");
        }
        let by_rating = column(&place, file, "white", &["--sort=-whiteelo"]);
        assert_eq!(by_rating, ["A", "B"], "{file}");
    }
    for (class, white) in [("bullet", "A"), ("classical", "B")] {
        assert_eq!(column(&place, "all.pgn", "white", &["--time-class", class]), [white]);
    }
    let stats = place.run("stats all.pgn --json").well().out;
    assert!(stats.contains("\"time_class\":\"bullet\""), "{stats}");
}

#[test]
fn tree_numbers_go_on_and_limit_is_told() {
    let place = Place::new();
    let games: [&[(&str, &str)]; 2] = [&[("White", "A")], &[("White", "B")]];
    fs::write(place.path("all.pgn"), text(&games) + "[White \"C\"]\n\n1. e4 c5 *\n").unwrap();
    place.run("convert all.pgn all.si4").well();
    for file in ["all.pgn", "all.si4"] {
        let ran = place.run_words(&["tree", file, "--moves", "1. e4 e5"], "").well();
        assert!(ran.out.contains("\n2. Nf3 "), "{ran}");
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 7";
        let ran = place.run_words(&["tree", file, "--position", fen], "").well();
        assert!(ran.out.contains("\n7. Nf3 "), "{ran}");
        // Without a number, the limit of the games applies.
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w";
        let ran = place.run_words(&["tree", file, "--position", fen], "").well();
        assert!(ran.out.contains("\n2. Nf3 "), "{ran}");
        let ran = place.run_words(&["tree", file, "--moves", "e4", "--limit", "1"], "").well();
        assert!(ran.out.contains("\n… 1 more      1   33.3%\n"), "{ran}");
        let ran = place.run_words(&["tree", file, "--moves", "e4", "--limit", "1", "--json"], "");
        assert!(ran.well().out.contains("\"moves_left_out\":1"));
    }
}

#[test]
fn list_limit_and_missing_numbers_are_told() {
    let place = Place::new();
    let games = named();
    let games: Vec<&[(&str, &str)]> = games.iter().map(Vec::as_slice).collect();
    bases(&place, &games);
    for (words, err) in [
        (&["all.si4", "--player", "adams", "--limit", "2"][..], "first 2 of 3 games found\n"),
        (&["all.si4", "--limit", "2"], "first 2 of 6 games\n"),
        (&["all.si4", "--limit", "9"], "6 of 6 games\n"),
        (&["all.si4", "--player", "adams", "--limit", "0"], "first 0 of 3 games found\n"),
        (
            &["all.si4", "all.si5", "--player", "adams", "--limit", "2"],
            "first 2 of 6 games found\n",
        ),
        (&["all.pgn", "--limit", "2"], "first 2 games found; the rest was not looked at\n"),
        (&["all.pgn", "--limit", "0"], "no game was looked at\n"),
        (&["all.pgn", "--sort", "white", "--limit", "2"], "first 2 of 6 games\n"),
        (
            &["all.pgn", "--games", "1-2,200000"],
            "2 of 6 games\nnote: --games 200000 is not there: there are 6 games\n",
        ),
        (
            &["all.si4", "--games", "5-8"],
            "2 of 6 games\nnote: --games 7-8 is not there: there are 6 games\n",
        ),
    ] {
        let ran = place.run_words(&[&["list"], words].concat(), "").well();
        assert_eq!(ran.err, err, "{words:?}");
    }
}
