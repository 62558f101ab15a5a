//! Tests of the program with the feature `tables`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use testkit::attack::{Outputs, attack_outputs, has_strace};

const GAMES: &str = "[White \"Karpov\"]\n[Date \"1999.01.01\"]\n[ECO \"B90\"]\n\n1. e4 e5 *\n\n\
    [White \"Polgar\"]\n[Date \"2001.??.??\"]\n\n1. d4 {[%clk 0:00:10]} *\n\n\
    [White \"a/b: \u{e9}\"]\n\n1. c4 *\n";

fn scoresheet(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scoresheet"));
    command.args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn run(folder: &Path, arguments: &[&str]) -> String {
    let output = scoresheet(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
    folder
}

#[test]
fn tables_round_trip_keeps_games() {
    let folder = folder();
    let at = folder.path();
    for table in ["games.parquet", "games.arrow"] {
        run(at, &["convert", "games.pgn", table]);
        let back = run(at, &["convert", table, "-"]);
        assert_eq!(back, run(at, &["convert", "games.pgn", "-"]));
        let one = run(at, &["convert", table, "-", "--white", "polgar"]);
        assert_eq!(one.matches("[White ").count(), 1);
    }
    let output = scoresheet(at, &["dump", "games.parquet", "1"]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    let info = run(at, &["info", "games.parquet"]);
    assert!(info.contains("Parquet") && info.contains("games        3"), "{info}");
    // A pipe is an input too.
    let arrow = fs::File::open(at.join("games.arrow")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_scoresheet"));
    let output = command.args(["convert", "-", "-"]).stdin(arrow).output().unwrap();
    assert_eq!(text(&output.stdout).matches("[White ").count(), 3);
}

#[test]
fn tables_rows_and_columns_follow_options() {
    let folder = folder();
    let at = folder.path();
    let options = ["--rows", "plies", "--row-group", "2", "--columns", "san,clock"];
    run(at, &[&["convert", "games.pgn", "plies.parquet"], &options[..]].concat());
    let output = scoresheet(at, &["convert", "plies.parquet", "-"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3));
    assert!(error.contains("has no games") && error.contains("it has san, clock"), "{error}");
    for (options, complaint) in [
        (&["--columns", "colour"][..], "no column \"colour\""),
        (&["--rows", "moves"], "games, plies"),
        (&["--row-group", "0"], "row-group"),
    ] {
        let output = scoresheet(at, &[&["convert", "games.pgn", "x.parquet"], options].concat());
        let error = text(&output.stderr);
        assert!(!output.status.success() && error.contains(complaint), "{error}");
        assert!(!at.join("x.parquet").exists());
    }
    let output = scoresheet(at, &["convert", "games.pgn", "x.si4", "--rows", "plies"]);
    assert!(text(&output.stderr).contains("--rows plies is for ."));
}

#[test]
fn tables_partition_by_writes_folders() {
    let folder = folder();
    let at = folder.path();
    for (by, names) in [
        ("year", ["by_year=1999", "by_year=2001", "by_year=__HIVE_DEFAULT_PARTITION__"]),
        ("White", ["by_White=Karpov", "by_White=Polgar", "by_White=a%2Fb%3A %C3%A9"]),
    ] {
        let out = format!("by-{by}.parquet");
        run(at, &["convert", "games.pgn", &out, "--partition-by", by]);
        let entries = fs::read_dir(at.join(&out)).unwrap();
        let mut found: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        found.sort();
        assert_eq!(found, names);
        let back = run(at, &["convert", &out, "-"]);
        assert_eq!(back.matches("[White ").count(), 3);
        // Existing files are not replaced, and no temporary file is left.
        let again = scoresheet(at, &["convert", "games.pgn", &out, "--partition-by", by]);
        assert!(!again.status.success());
    }
    let sorted = ["convert", "games.pgn", "s.parquet", "--partition-by", "eco", "--sort", "date"];
    run(at, &sorted);
    let refused = scoresheet(at, &["convert", "games.pgn", "x.pgn", "--partition-by", "eco"]);
    assert!(text(&refused.stderr).contains("cannot be written in partitions"));
    let left = fs::read_dir(at).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<String> = left.map(|name| name.into_string().unwrap()).collect();
    assert!(left.iter().all(|name| !name.contains('~')), "{left:?}");
}

#[test]
fn tables_add_parts_keeps_other_partitions() {
    let folder = folder();
    let at = folder.path();
    let with = |more: &[&str]| {
        let words = ["convert", "games.pgn", "t.parquet", "--partition-by", "month", "--add-parts"];
        scoresheet(at, &[&words[..], more].concat())
    };
    let (first, second) = (&["--games", "1"], &["--games", "2..3"]);
    assert!(with(first).status.success());
    let before = contents(&at.join("t.parquet"));
    let again = with(first);
    assert!(text(&again.stderr).contains("the partition by_month="), "{}", text(&again.stderr));
    assert_eq!(contents(&at.join("t.parquet")), before);
    let added = with(second);
    assert!(added.status.success(), "{}", text(&added.stderr));
    assert_eq!(run(at, &["list", "--count", "t.parquet"]), "3\n");
    assert!(with(&["--games", "1", "--force"]).status.success());
    assert_eq!(run(at, &["list", "--count", "t.parquet"]), "3\n");
    let alone = scoresheet(at, &["convert", "games.pgn", "x.parquet", "--add-parts"]);
    assert!(text(&alone.stderr).contains("--partition-by"));
}

/// Returns the files of a folder with their contents.
fn contents(folder: &Path) -> Vec<u8> {
    let mut entries: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut all = Vec::new();
    for path in entries {
        all.extend(path.to_str().unwrap().as_bytes());
        all.extend(if path.is_dir() { contents(&path) } else { fs::read(path).unwrap() });
    }
    all
}

/// With `KILLS=all` in the environment, at every call.
#[test]
fn partitions_killed_or_failing_at_call_are_whole_or_absent() {
    if !has_strace() {
        println!("no strace here");
        return;
    }
    let step = if std::env::var_os("KILLS").is_none() { 5 } else { 1 };
    let place = tempfile::tempdir().unwrap();
    let out = |here: &Path| here.join("x.parquet");
    let command = Outputs {
        words: &["convert", "-q", "--threads", "1", "x.pgn", "x.parquet", "--partition-by", "eco"],
        prepare: &|here| {
            fs::remove_dir_all(here).unwrap();
            fs::create_dir(here).unwrap();
            fs::write(here.join("x.pgn"), GAMES).unwrap();
        },
        read: &|here| {
            // A list of a folder has no file that is not in place.
            let list = scoresheet(here, &["list", "--count", "."]);
            let table = out(here).exists().then(|| contents(&out(here)));
            let games = if table.is_some() { "6\n" } else { "3\n" };
            assert_eq!(text(&list.stdout), games, "{list:?}");
            vec![table]
        },
        clear: &|here| drop(fs::remove_dir_all(out(here))),
        may_fail: false,
    };
    let program = Path::new(env!("CARGO_BIN_EXE_scoresheet"));
    let runs = attack_outputs(program, &command, step, place.path());
    println!("{runs} runs");
    assert!(runs > 9, "{runs}");
}

#[cfg(unix)]
#[test]
fn tables_to_devices_and_pipes_equal_files() {
    let folder = folder();
    let at = folder.path();
    for format in ["parquet", "arrow"] {
        let file = format!("games.{format}");
        run(at, &["convert", "games.pgn", &file]);
        let wanted = fs::read(at.join(file)).unwrap();
        for name in ["-", "/dev/stdout"] {
            let output = scoresheet(at, &["convert", "games.pgn", name, "--to", format]);
            assert!(output.status.success(), "{name}: {}", text(&output.stderr));
            assert!(output.stdout == wanted, "{format} to {name}");
        }
    }
}

#[test]
fn tables_of_books_are_written() {
    let folder = folder();
    let at = folder.path();
    run(at, &["book", "make", "games.pgn", "own.bin", "--min-games", "1", "--unfinished"]);
    for (table, magic) in [("own.parquet", "PAR1"), ("own.arrow", "ARROW1")] {
        let output = scoresheet(at, &["book", "convert", "own.bin", table]);
        assert!(text(&output.stderr).contains("4 moves"), "{}", text(&output.stderr));
        let bytes = fs::read(at.join(table)).unwrap();
        assert!(bytes.starts_with(magic.as_bytes()) && bytes.ends_with(magic.as_bytes()));
    }
}
