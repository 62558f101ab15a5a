//! Tests that the output of `--json` agrees with docs/json.md.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::place::Place;

/// Members of a section: required and optional ones.
fn documented(section: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let page = fs::read_to_string(testkit::workspace_root().join("docs/json.md")).unwrap();
    let start = page.find(&format!("\n## {section}\n")).expect(section) + 1;
    let text = page[start..].split("\n## ").next().unwrap();
    // The first cell of a row names one member or several.
    let members = |mark: &str| -> BTreeSet<String> {
        let cells = text.lines().filter_map(|line| line.strip_prefix(mark)?.split(" | ").next());
        cells.flat_map(|cell| cell.split('`').step_by(2)).map(str::to_owned).collect()
    };
    (members("| `"), members("| *`"))
}

/// Each line has all required members and no undocumented one. Together the lines have every
/// member.
fn assert_documented(section: &str, lines: &str) {
    let (always, perhaps) = documented(section);
    let mut seen = BTreeSet::new();
    for line in lines.lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let members: BTreeSet<String> = value.as_object().unwrap().keys().cloned().collect();
        assert!(always.is_subset(&members), "{section}: {line}");
        seen.extend(members);
    }
    let all: BTreeSet<String> = always.union(&perhaps).cloned().collect();
    assert_eq!(seen, all, "{section}");
}

#[test]
fn json_members_are_documented() {
    let place = Place::new();
    for case in ["scid/plain", "scid/bad_move"] {
        place.take_fixture(case);
    }
    fs::write(place.path("odd.pgn"), "[White \"a\"]\n\n1. e4 e5 2. Ke3\n").unwrap();
    fs::write(place.path("bad.si4"), "no base").unwrap();
    fs::write(place.path("many.pgn"), format!("[White \"a\"]\n\n1. e4{} *\n", " )".repeat(300)))
        .unwrap();
    place.run("convert games.pgn base.dci").well();
    let out = |line: &str| place.run(line).out;

    let both = out("info --json games.pgn") + &out("info --json fixtures/scid/plain/base.si4");
    assert_documented("info", &both);
    let both = out("list --json games.pgn")
        + &out("list --json games.pgn base.dci")
        + &place
            .run_words(&["list", "--json", "games.pgn", "--cql", "sort \"n\" P message(\"x\")"], "")
            .out;
    assert_documented("list", &both);
    assert_documented("show", &out("show --json games.pgn 1"));
    let ran = |command: &str| {
        let lines = ["", " --limit 0", " --date 1922-03", " --date 1800"];
        lines.map(|more| out(&format!("{command} --json games.pgn --white white{more}"))).concat()
    };
    assert_documented("crosstable", &ran("crosstable"));
    assert_documented("stats", &ran("stats"));
    fs::write(
        place.path("both.pgn"),
        "[White \"X\"]\n\n1. e4 e5 *\n\n[Black \"X\"]\n\n1. e4 e5 *\n",
    )
    .unwrap();
    let player = ran("player white") + &out("player x both.pgn --json --limit 0");
    assert_documented("player", &player);
    assert_documented("dump", &out("dump --json base.dci 1"));
    assert_documented("formats", &out("formats --json"));
    let findings = ["odd.pgn", "many.pgn", "bad.si4", "fixtures/scid/bad_move/base.si4"]
        .map(|file| out(&format!("check --json {file}")));
    assert_documented("check", &findings.concat());

    let mut reports = String::new();
    for (number, file) in ["odd.pgn", "many.pgn", "games.pgn", "fixtures/scid/bad_move/base.si4"]
        .into_iter()
        .enumerate()
    {
        let name = format!("{number}.jsonl");
        place.run(&format!("convert {file} {number}.cbf --report {name}"));
        reports.push_str(&place.text(&name));
    }
    assert_documented("report", &reports);
}

/// `cargo xtask ports` compares all cases.
#[test]
fn show_lines_of_bases_equal_their_fixtures() {
    let place = Place::new();
    for (case, file) in [
        ("scid/plain", "si4"),
        ("scid/bad_move", "si4"),
        ("dcg/variations", "dci"),
        ("pgn/castling", "pgn"),
    ] {
        place.take_fixture(case);
        let folder = testkit::workspace_root().join("fixtures").join(case);
        let expected = fs::read_to_string(folder.join("expected.jsonl")).unwrap();
        let shown = place.run(&format!("show --quiet --lines fixtures/{case}/base.{file}"));
        assert_eq!(shown.out, expected, "{case}");
        assert_eq!(shown.code, 0, "{case}");
    }
}

#[test]
fn show_lines_of_closed_base_is_one_error() {
    let place = Place::new();
    fs::write(place.path("cut.si4"), "Scid.si").unwrap();
    let shown = place.run("show --lines cut.si4");
    assert_eq!(shown.code, 3, "{shown}");
    let line: Value = serde_json::from_str(&shown.out).unwrap();
    assert!(line["error"].as_str().unwrap().contains("cut.si4"), "{shown}");
    assert_eq!(line["game"]["line"], Value::Array(Vec::new()));
}

#[test]
fn show_without_number_needs_lines() {
    let place = Place::new();
    let shown = place.run("show games.pgn");
    assert_eq!(shown.code, 2, "{shown}");
    assert!(shown.err.contains("<NUMBER>"), "{shown}");
}
