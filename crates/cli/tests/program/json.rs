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
    let members = |mark: &str| -> BTreeSet<String> {
        let cells = text.lines().filter_map(|line| line.strip_prefix(mark));
        cells.map(|rest| rest.split('`').next().unwrap().to_owned()).collect()
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
    place.run("convert games.pgn base.dci").well();
    let out = |line: &str| place.run(line).out;

    let both = out("info --json games.pgn") + &out("info --json fixtures/scid/plain/base.si4");
    assert_documented("info", &both);
    let both = out("list --json games.pgn") + &out("list --json games.pgn base.dci");
    assert_documented("list", &both);
    assert_documented("show", &out("show --json games.pgn 1"));
    assert_documented("dump", &out("dump --json base.dci 1"));
    assert_documented("formats", &out("formats --json"));
    let findings = ["odd.pgn", "bad.si4", "fixtures/scid/bad_move/base.si4"]
        .map(|file| out(&format!("check --json {file}")));
    assert_documented("check", &findings.concat());

    let mut reports = String::new();
    for (number, file) in
        ["odd.pgn", "games.pgn", "fixtures/scid/bad_move/base.si4"].into_iter().enumerate()
    {
        let name = format!("{number}.jsonl");
        place.run(&format!("convert {file} {number}.cbf --report {name}"));
        reports.push_str(&place.text(&name));
    }
    assert_documented("report", &reports);
}
