//! Tests of messages and help: file names as given, advice that can be followed, whole sentences.

use std::fs;
use std::io::{Cursor, Write};

use crate::place::{GAMES, Place};

/// Three games. The second has an illegal move.
const DAMAGED: &str = "[White \"A\"]\n\n1. e4 e5 1-0\n\n[White \"C\"]\n\n1. e4 e5 2. Qxe1 0-1\n\n\
                       [White \"E\"]\n\n1. d4 d5 1/2-1/2\n";

/// Files that ChessBase keeps beside a base.
const SETTINGS: &str = "[DescrPGN]\r\nUsage=2\r\n[Environ]\r\nLastUser=\r\nTournTitle=\r\n";

fn zipped(name: &str, text: &str) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(text.as_bytes()).unwrap();
    zip.finish().unwrap().into_inner()
}

#[test]
fn messages_name_file_as_given() {
    let place = Place::new();
    fs::create_dir(place.path("dir.d")).unwrap();
    let texts = ["name.txt", "NAME.PGN", "name", "dir.d/name", "name.si4x"];
    for name in texts {
        fs::write(place.path(name), DAMAGED).unwrap();
    }
    for name in ["name.pgn.zst", "copy.pgn.gz"] {
        place.run_words(&["convert", "--quiet", "NAME.PGN", name], "");
        assert!(place.path(name).exists());
    }
    fs::write(place.path("packed.zip"), zipped("other.pgn", DAMAGED)).unwrap();
    let mut names: Vec<&str> = texts.to_vec();
    names.push("packed.zip");
    for name in names {
        for line in ["check NAME", "info -v NAME", "list -v NAME", "convert -v NAME out.pgn -f"] {
            let line = line.replace("NAME", name);
            let ran = place.run(&line);
            let text = ran.out.clone() + &ran.err;
            let about: Vec<&str> = text.lines().filter(|line| line.contains("Qxe1")).collect();
            assert_eq!(about.len(), 1, "{line}: {ran}");
            assert!(about[0].starts_with(&format!("{name}: line ")), "{line}: {ran}");
            assert!(!text.contains("name.pgn:") && !text.contains("packed.pgn"), "{ran}");
        }
    }
    let ran = place.run_words(&["check", "-"], DAMAGED);
    assert!(ran.out.starts_with("standard input: line "), "{ran}");
}

#[test]
fn check_verbose_names_file_as_given() {
    let place = Place::new();
    let text = "[Event \"?\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 *\n";
    fs::write(place.path("odd.txt"), text).unwrap();
    let ran = place.run("check -v odd.txt");
    assert!(ran.out.starts_with("odd.txt: line 3, column 35"), "{ran}");
    assert!(ran.out.contains("[pgn-zero-castling]") && !ran.out.contains(".pgn"), "{ran}");
}

#[test]
fn messages_name_companion_as_spelt() {
    let place = Place::new();
    place.take_fixture("scid/bad_move");
    for extension in ["si4", "sg4", "sn4"] {
        let upper = format!("OLD.{}", extension.to_uppercase());
        let base = format!("fixtures/scid/bad_move/base.{extension}");
        fs::copy(place.path(&base), place.path(&upper)).unwrap();
    }
    let ran = place.run("check OLD.SI4");
    assert!(ran.out.starts_with("OLD.SG4: byte 8, game 2"), "{ran}");
    assert!(ran.err.contains("OLD.SI4: damaged"), "{ran}");
}

#[test]
fn settings_file_is_no_base() {
    let place = Place::new();
    fs::create_dir(place.path("disk")).unwrap();
    for (name, text) in [
        ("disk/Base.ini", SETTINGS),
        ("disk/base.cfg", "[remote \"origin\"]\n\turl = x\n"),
        ("disk/desktop.ini", "[.ShellClassInfo]\r\nIconResource=x\r\n"),
        ("disk/Cargo.toml", "[package]\nname = \"x\"\n"),
        ("disk/README.md", "[link](https://example.org)\n"),
        ("disk/list.txt", "1. Install the program\n2. Run it\n"),
        ("disk/noname", SETTINGS),
    ] {
        fs::write(place.path(name), text).unwrap();
        for command in ["info", "list", "check", "tree"] {
            let ran = place.run_words(&[command, name], "");
            assert!(ran.code != 0 && !ran.err.contains("games,"), "{ran}");
            assert!(!ran.err.contains("--from") && ran.err.contains(name), "{ran}");
        }
        let ran = place.run_words(&["convert", name, "out.pgn"], "");
        assert!(ran.code == 3 && !place.path("out.pgn").exists(), "{ran}");
    }
    for name in ["disk/Base.ini", "disk/noname"] {
        let ran = place.run_words(&["list", name], "");
        assert!(ran.err.contains("settings that ChessBase keeps beside a database"), "{ran}");
    }
    assert!(place.run("list disk/desktop.ini").err.contains("a settings file; it holds no games"));
    fs::write(place.path("disk/games.pgn"), DAMAGED).unwrap();
    for line in ["list --count disk", "list --count disk/*"] {
        assert_eq!(place.run(line).well().out, "3\n", "{line}");
    }
}

/// A shell expands `*` to every file of a base.
#[test]
fn inputs_all_files_of_folder_read_each_base_once() {
    let place = Place::new();
    fs::create_dir(place.path("d")).unwrap();
    for name in ["d/base.si4", "d/other.cbh", "d/Old.dci"] {
        place.run_words(&["convert", "-q", "games.pgn", name], "").well();
    }
    fs::write(place.path("d/games.pgn"), GAMES).unwrap();
    // Another text of the same stem is a base of its own.
    fs::write(place.path("d/games.txt"), GAMES).unwrap();
    for name in ["other.ini", "other.cib", "base.stc.gz~", "games.ini", "games.pgi"] {
        fs::write(place.path(&format!("d/{name}")), SETTINGS).unwrap();
    }
    let mut files: Vec<String> = fs::read_dir(place.path("d"))
        .unwrap()
        .map(|entry| format!("d/{}", entry.unwrap().file_name().into_string().unwrap()))
        .filter(|name| !name.ends_with('~'))
        .collect();
    files.sort();
    let mut words = vec!["list", "--count"];
    words.extend(files.iter().map(String::as_str));
    let ran = place.run_words(&words, "").well();
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("10\n", "10 of 10 games\n"));
    words[..2].copy_from_slice(&["info", "--json"]);
    assert_eq!(place.run_words(&words, "").out.lines().count(), 5);
    // A file that is named twice is read twice. A companion file alone names its base.
    assert_eq!(place.run("list --count games.pgn games.pgn").well().out, "4\n");
    assert_eq!(place.run("list --count d/base.sg4").well().out, "2\n");
    assert_eq!(place.run("list --count d/base.sn4 d/base.sg4").well().out, "2\n");
    // However their folder is spelt.
    assert_eq!(place.run("list --count ./d/base.si4 d/../d/base.sg4").well().out, "2\n");
}

#[test]
fn file_of_another_kind_under_the_name_of_a_pgn_file_is_named() {
    let place = Place::new();
    for (text, words) in [
        ("<!DOCTYPE html><html><body>Not found</body></html>", "a web page"),
        (SETTINGS, "settings that ChessBase keeps"),
        ("%PDF-1.7", "a PDF document"),
        ("{\\rtf1 x}", "word processor"),
    ] {
        fs::write(place.path("down.pgn"), text).unwrap();
        for command in ["list", "info", "check"] {
            let ran = place.run_words(&[command, "down.pgn"], "");
            assert!(ran.code != 0 && ran.err.contains(words), "{ran}");
        }
    }
    // An HTML page that contains games is read for them.
    let page = "<html><pre>\n[Event \"A\"]\n\n1. e4 *\n</pre>\n";
    fs::write(place.path("down.pgn"), page).unwrap();
    assert_eq!(place.run("list --count down.pgn").out, "1\n");
}

#[test]
fn formats_that_cannot_do_it_say_what_can() {
    let place = Place::new();
    place.run("convert games.pgn games.csv").well();
    let ran = place.run("list games.csv");
    assert_eq!(ran.err, "scoresheet: games.csv: Comma-separated values cannot be read\n");
    let ran = place.run("edit games.pgn delete 1");
    assert!(ran.err.contains("convert it first, to one of .dci, .si4, .si5"), "{ran}");
}

#[test]
fn from_is_offered_only_where_it_exists() {
    let place = Place::new();
    fs::write(place.path("notes.txt"), "Games of my club\n\n1. e4 *\n").unwrap();
    for command in ["info", "list", "check", "tree", "show", "dump", "repair", "edit"] {
        let words: &[&str] = match command {
            "show" | "dump" => &[command, "notes.txt", "1"],
            "repair" => &["repair", "notes.txt", "out.pgn"],
            "edit" => &["edit", "notes.txt", "delete", "1"],
            _ => &[command, "notes.txt"],
        };
        let ran = place.run_words(words, "");
        let help = place.run_words(&[command, "--help"], "").out;
        assert!(!help.contains("--from <FORMAT>"), "{command}");
        assert!(ran.err.contains("a name that ends in .pgn"), "{ran}");
        assert!(!ran.err.contains("--from"), "{ran}");
    }
    for line in ["convert notes.txt out.pgn", "dedupe notes.txt out.pgn", "dedupe -n notes.txt"] {
        let ran = place.run(line);
        assert!(ran.code == 3 && ran.err.contains("--from pgn"), "{ran}");
    }
    assert_eq!(place.run("convert --from pgn notes.txt out.pgn").code, 0);
}

#[test]
fn output_that_is_not_written_gets_advice() {
    let place = Place::new();
    for (name, advice) in [
        ("x.xhtml", "are written as .html, or as .typ"),
        ("x.TEX", "are written as .html, or as .typ"),
        ("x.zip", "write .pgn.gz or .pgn.zst"),
        ("x.pgn.zip", "write .pgn.gz or .pgn.zst"),
        ("x.xlsx", "write .csv"),
        ("x.json", ".jsonl"),
        ("x.cbone", "write .cbh"),
        ("x.xyz", "no format has the extension .xyz; name the format with --to, as --to pgn"),
        ("x", "the name has no extension that tells the format, as .pgn does"),
    ] {
        for command in ["convert", "dedupe", "repair"] {
            let ran = place.run_words(&[command, "games.pgn", name], "");
            assert!(ran.code == 2 && ran.err.contains(advice), "{ran}");
            assert!(!place.path(name).exists());
        }
    }
    let ran = place.run("convert games.pgn x.si3");
    assert!(ran.err.contains("Scid 3 bases cannot be written"), "{ran}");
    for (line, words) in [
        ("convert games.pgn x.pgn --to si3", "Scid 3 is read, but not written"),
        ("convert games.pgn x.pgn --from csv", "is written, but not read"),
    ] {
        let ran = place.run(line);
        assert!(ran.code == 2 && ran.err.contains(words), "{ran}");
    }
    let values = |option: &str| {
        let said = place.run(&format!("convert games.pgn x.pgn {option} nothing")).err;
        let list = said.split("the formats are ").nth(1).unwrap().lines().next().unwrap();
        format!(" {list},")
    };
    let (from, to) = (values("--from"), values("--to"));
    assert!(!to.contains(" si3,") && from.contains(" si3,"), "{from} {to}");
    assert!(!from.contains(" csv,") && to.contains(" csv,"), "{from} {to}");
}

#[cfg(not(feature = "tables"))]
#[test]
fn format_that_is_not_built_in_is_named_with_the_way_to_get_it() {
    let place = Place::new();
    fs::write(place.path("in.parquet"), b"PAR1xxxxPAR1").unwrap();
    for line in [
        "convert games.pgn x.parquet",
        "convert games.pgn x.arrow",
        "convert games.pgn x.pgn --to parquet",
        "convert games.pgn x.pgn --from arrow",
        "list in.parquet",
    ] {
        let ran = place.run(line);
        assert!(ran.code != 0 && ran.err.contains("build it with `--features tables`"), "{ran}");
    }
}

#[test]
fn system_errors_have_no_numbers() {
    let place = Place::new();
    fs::create_dir(place.path("folder.pgn")).unwrap();
    for line in [
        "info none.pgn",
        "list none.si4",
        "show none.pgn 1",
        "tree none.pgn",
        "check none.pgn",
        "dump none.si4 1",
        "repair none.pgn out.pgn",
        "edit none.si4 delete 1",
        "convert none.pgn out.pgn",
        "convert none.pgn other.pgn out.pgn",
        "dedupe none.pgn out.pgn",
        "convert games.pgn nowhere/out.pgn",
        "convert games.pgn out.pgn --report nowhere/x",
        "convert games.pgn games.pgn/out.pgn",
        "list folder.pgn",
    ] {
        let ran = place.run(line);
        assert!(ran.code != 0 && !ran.err.contains("os error"), "{ran}");
    }
    assert_eq!(place.run("list none.pgn").err, "scoresheet: none.pgn: No such file or directory\n");
}

#[test]
fn values_that_cannot_be_read_say_what_is_expected() {
    let place = Place::new();
    for (line, words) in [
        ("show games.pgn abc", "expected the number of a game, 1 or more"),
        ("show games.pgn 0", "expected the number of a game, 1 or more"),
        ("show games.pgn 1 --ply x", "expected a number of half-moves, `end` or `match`"),
        ("dump games.pgn 1x", "expected the number of a game, 1 or more"),
        ("list games.pgn --limit many", "expected a whole number"),
        ("tree games.pgn --depth 0", "expected a whole number from 1 to 65535"),
        ("convert games.pgn x.pgn --threads x", "expected a whole number from 1 to 65535"),
        ("convert games.pgn x.pgn --wait x", "expected a whole number from 0 to 86400"),
        ("list games.pgn --elo abc", "\"abc\" is not a rating; write 2500, 2500.. or 2400-2600"),
        ("list games.pgn --date abc", "\"abc\" is not a date; write 1990,"),
        ("list games.pgn --eco abc", "\"abc\" is not an ECO code; write B90,"),
        ("list games.pgn --games abc", "\"abc\" is not a game number; write 12,"),
        ("list games.pgn --max-unpacked x", "expected a number of bytes, as 500M or 4G"),
        ("show games.pgn 3", "games.pgn: no game 3; the base has 2 games"),
        ("show games.pgn 1 --ply 99", "the game has 13 half-moves; --ply 99 is beyond its end"),
        ("tree games.pgn --moves e4 --moves d4", "use one --position or one --moves, not both"),
    ] {
        let ran = place.run(line);
        assert!(ran.code != 0 && ran.err.contains(words), "{ran}");
        assert!(!ran.err.contains("digit found"), "{ran}");
    }
}

#[test]
fn counts_of_one_are_singular() {
    let place = Place::new();
    fs::write(place.path("bad.pgn"), "1. e4 e5 2. Qxe1 *\n").unwrap();
    fs::write(place.path("twice.pgn"), "1. e4 *\n\n1. e4 *\n").unwrap();
    for (line, words) in [
        ("tree bad.pgn", "1 game is damaged; the moves before the damage count\n"),
        ("dedupe -n bad.pgn", "1 game, of which 0 repeat others"),
        ("dedupe -n twice.pgn", "2 games, of which 1 repeats another"),
        ("check bad.pgn", "bad.pgn: damaged; 1 game, 1 damaged\n"),
        ("show bad.pgn 2", "no game 2; the base has 1 game\n"),
        ("convert bad.pgn out.pgn --player x", "0 of 1 game chosen; nothing was written\n"),
    ] {
        let ran = place.run(line);
        assert!(ran.err.contains(words), "{ran}");
    }
    fs::write(place.path("one.pgn"), "[White \"A\"]\n\n1. e2e4 *\n").unwrap();
    let ran = place.run("info one.pgn").well();
    assert!(ran.out.contains("names        1 player\n"), "{ran}");
    assert!(!ran.out.contains("odd ") && !ran.out.contains(" times"), "{ran}");
}

/// The help of every command has one layout, whichever way it is requested, and takes little more
/// than two screens.
#[test]
fn help_has_one_layout() {
    let place = Place::new();
    for command in [
        "info",
        "list",
        "show",
        "convert",
        "tree",
        "player",
        "crosstable",
        "stats",
        "dedupe",
        "check",
        "repair",
        "edit",
        "serve",
        "index",
        "dump",
        "formats",
        "completions",
        "man",
        "edit set",
        "edit delete",
        "edit flag",
        "edit dedupe",
    ] {
        let help = place.run(&format!("{command} --help")).well().out;
        assert_eq!(help, place.run(&format!("{command} -h")).well().out, "{command}");
        assert!(help.lines().count() <= 90, "{command}: {} lines", help.lines().count());
        // Each option has a line of its own, with its description beside it.
        let options = help
            .lines()
            .filter(|line| line.starts_with("  ") && line.trim_start().starts_with("--"));
        let options = options.filter(|line| !line.contains("--depth 3"));
        for line in options {
            assert!(line.trim().contains("  "), "{command}: {line:?}");
        }
    }
    let help = place.run("list --help").out;
    assert!(help.contains("repeat an option to mean \"or\""), "{help}");
    assert!(help.contains("two players against each other"), "{help}");
    let help = place.run("--help").out;
    assert!(help.contains("[possible values: loss, damage]"), "{help}");
}

#[test]
fn list_two_players_against_each_other_takes_both_colours() {
    let place = Place::new();
    let game = |white: &str, black: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n1. e4 *\n\n")
    };
    let games = game("Karpov", "Kasparov") + &game("Kasparov", "Karpov") + &game("Karpov", "Tal");
    fs::write(place.path("match.pgn"), games).unwrap();
    let line = "list match.pgn --count --white karpov --white kasparov --black karpov --black \
                kasparov";
    assert_eq!(place.run(line).well().out, "2\n");
}

#[cfg(feature = "manual")]
#[test]
fn manual_states_each_shared_option_once() {
    let page = Place::new().run("man").well().out;
    for option in ["player", "exact", "position", "encoding", "threads", "quiet", "fail\\-on"] {
        let entry = format!("\\fB\\-\\-{option}\\fR");
        let stated = page.lines().filter(|line| line.starts_with("\\fB") && line.contains(&entry));
        let stated = stated.filter(|line| !line.contains("scoresheet")).count();
        assert_eq!(stated, 1, "{option}");
    }
    assert!(page.lines().count() < 1700, "{} lines", page.lines().count());
    assert!(page.contains("An option that is repeated is satisfied by"), "{page}");
    assert!(page.contains("two against each other"), "{page}");
}

#[test]
fn words_of_newcomers_get_a_hint() {
    let place = Place::new();
    for (line, words) in [
        ("open games.pgn", "use `scoresheet list FILE`"),
        ("search games.pgn", "use `scoresheet list FILE --player NAME`"),
        ("find karpov", "use `scoresheet list FILE --player NAME`"),
        ("export games.pgn", "use `scoresheet convert IN OUT`"),
        ("rename games.pgn", "edit FILE rename"),
        ("list games.pgn --year 1990", "use `--date 1990..1995`"),
        ("list games.pgn --rating 2500", "use `--elo 2500..`"),
        ("inof games.pgn", "info"),
        ("list games.pgn --playr x", "--player"),
    ] {
        let ran = place.run(line);
        assert!(ran.code == 2 && ran.err.contains(words), "{ran}");
        assert!(!ran.err.contains("to pass '--"), "{ran}");
    }
}

#[test]
fn losses_are_explained() {
    let place = Place::new();
    let ran = place.run("convert games.pgn old.cbf");
    assert!(ran.err.contains("  dates, or parts of dates\n"), "{ran}");
}

/// The damage of a game that was not chosen concerns nobody.
#[test]
fn damage_of_games_not_chosen_is_not_shown() {
    let place = Place::new();
    let damaged = "[White \"Bad\"]\n\n1. e4 e5 2. Qxe1 *\n\n".repeat(5);
    fs::write(place.path("bad.pgn"), format!("{damaged}[White \"Good\"]\n\n1. d4 *\n")).unwrap();
    place.run("convert bad.pgn same.jsonl");
    place.take_fixture("scid/bad_move");
    let base = "fixtures/scid/bad_move/base.si4";
    for choice in ["--games 6", "--white good", "--moves d4"] {
        for line in [
            format!("convert bad.pgn -f x.pgn {choice} --fail-on damage"),
            format!("convert bad.pgn -f x.pgn --sort date {choice} --fail-on damage"),
            format!("list bad.pgn {choice} --fail-on damage"),
            format!("list bad.pgn --columns moves {choice} --fail-on damage"),
            format!("stats bad.pgn {choice} --fail-on damage"),
        ] {
            let ran = place.run(&line).well();
            assert!(!ran.err.contains("Qxe1") && !ran.err.contains("damage"), "{ran}");
        }
    }
    place.run("tree bad.pgn --games 6 --fail-on damage").well();
    for choice in ["--games 1", "--games 3", "--length 50.."] {
        for line in ["list", "convert -f -o x.pgn", "tree"] {
            let ran = place.run(&format!("{line} {base} {choice} --fail-on damage"));
            assert!(ran.code != 4 && !ran.err.contains("ply 1"), "{ran}");
        }
    }
    let ran = place.run(&format!("edit {base} -n delete --length 50.."));
    assert!(!ran.err.contains("ply 1"), "{ran}");
    let ran = place.run("convert bad.pgn -f x.pgn");
    let more = "... and 2 more games: \"Qxe1\" is not legal here";
    assert!(ran.err.contains(more), "{ran}");
}

/// A file or pipe gets whole texts; a table on a narrow screen has no longer lines.
#[test]
fn tables_are_whole_in_pipes_and_fit_narrow_screens() {
    let place = Place::new();
    let long = "Nepomniachtchi von und zu der Langen Strasse, Ian Alexandrowitsch";
    let names = [long, "Alder, Nora", "Birch, Tom", "Cedar, Ann", "Dogwood, Ed"];
    let mut games = String::new();
    for (round, white) in names.iter().enumerate() {
        for black in names.iter().filter(|name| *name != white) {
            games.push_str(&format!(
                "[Event \"{long} Memorial\"]\n[Site \"Riga\"]\n[Date \"2020.01.01\"]\n[Round \"{round}\"]\n\
                 [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n[WhiteElo \"2500\"]\n\
                 [BlackElo \"2400\"]\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 1-0\n\n"
            ));
        }
    }
    fs::write(place.path("long.pgn"), games).unwrap();
    let run = |line: &str, columns: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        place.run_with(&words, &[("COLUMNS", columns)]).well().out
    };
    for line in [
        "list long.pgn",
        "list long.pgn --columns white,black,event",
        "player nepomniachtchi long.pgn",
        "stats long.pgn",
        "crosstable long.pgn",
        "tree long.pgn --depth 10",
    ] {
        let whole = run(line, "");
        assert!(!whole.contains('…') || line.starts_with("stats"), "{whole}");
        let narrow = run(line, "80");
        // Facts above a table are no rows.
        let rows = narrow.lines().filter(|line| !line.contains(long));
        for row in rows {
            assert!(row.chars().count() <= 80, "{line}: {row}");
        }
    }
    assert_eq!(run("list long.pgn", "").matches(long).count(), 8 + 20);
    assert!(run("tree long.pgn --depth 10", "").contains("Sicilian Defense: Najdorf Variation"));
}

#[test]
fn input_without_extension_offers_base() {
    let place = Place::new();
    place.run("convert games.pgn club.si4").well();
    for line in [
        "info club",
        "list club",
        "show club 1",
        "convert club out.pgn",
        "dedupe club out.si4",
        "repair club out.si4",
        "edit club compact",
        "edit club.si4 append club",
        "edit club.si4 replace 1 club",
    ] {
        let ran = place.run(line);
        assert!(ran.err.contains("did you mean club.si4?"), "{line}: {}", ran.err);
    }
}

#[test]
fn input_companion_is_explained() {
    let place = Place::new();
    for (name, what) in [
        ("a.cib", "the .cbh"),
        ("a.cko", ".cbf"),
        ("a.pgi", "the .pgn"),
        ("a.sso", "the .si4"),
        ("a.sci", "Scidb"),
        ("a.ssp", "--spell"),
        ("a.eco", "opening codes"),
        ("a.pgdb", "Tarrasch"),
    ] {
        std::fs::write(place.path(name), "some bytes").unwrap();
        let ran = place.run(&format!("info {name}"));
        assert!(ran.err.contains(what), "{name}: {}", ran.err);
    }
}

#[test]
fn base_without_moves_or_index_says_what_rescues_it() {
    let place = Place::new();
    place.run("convert games.pgn a.cbh").well();
    for file in ["a.cbg", "a.cbp"] {
        std::fs::remove_file(place.path(file)).unwrap();
    }
    assert!(place.run("info a.cbh").err.contains("With the .cbp instead"));
    place.run("convert games.pgn a.si4").well();
    std::fs::remove_file(place.path("a.si4")).unwrap();
    assert!(place.run("info a.sg4").err.contains("repair finds the games"));
    assert!(place.run("repair a.sg4 b.si4").err.contains("2 games read, 2 written"));
    place.run("check b.si4").well();
}
