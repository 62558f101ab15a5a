//! Compares the tables in the specification with those in the code.

use crate::entities::nations::push_nation;
use crate::moves::mode::Mode;
use crate::tags::{push_event_type, result_of};

/// Returns the rows of a table, cut at their tabs.
fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().filter(|row| !row.starts_with('#')).map(|row| row.split('\t').collect())
}

/// The number of each mode and its table.
// cbh §4.3 "Modes"
#[test]
fn mode_tables_match_specification() {
    let page = include_str!("../../../docs/formats/tables/cbh-modes.tsv");
    let mut modes = Vec::new();
    for row in page.lines().filter(|row| !row.starts_with('#')) {
        let (number, table) = row.split_once('\t').unwrap();
        let number: u8 = number.parse().unwrap();
        let mode = Mode::of(number).unwrap();
        let codes: Vec<Option<u8>> = table.split(' ').map(|code| code.parse().ok()).collect();
        let read: Vec<Option<u8>> = (0..=u8::MAX).map(|byte| mode.decode(byte, 0)).collect();
        assert_eq!(codes, read, "mode {number}");
        modes.push(number);
    }
    assert!(modes.into_iter().eq((0..=63).filter(|number| Mode::of(*number).is_some())));
}

// cbh §6.4 "Nations"
#[test]
fn nations_match_specification() {
    let page = include_str!("../../../docs/formats/tables/cbh-nations.tsv");
    let known: Vec<_> = rows(page).map(|row| (row[0].parse::<u8>().unwrap(), row[1])).collect();
    for number in 1..=u8::MAX {
        let mut name = String::new();
        push_nation(number, &mut name);
        let row = known.iter().find(|(nation, _)| *nation == number);
        assert_eq!(name, row.map_or(format!("#{number}"), |(_, name)| (*name).to_owned()));
    }
}

// cbh §3.2 "Game record"
#[test]
fn results_match_specification() {
    let page = include_str!("../../../docs/formats/tables/cbh-results.tsv");
    let mut codes = 0..;
    for row in rows(page) {
        let code: u8 = row[0].parse().unwrap();
        let (result, detail) = result_of(code).unwrap();
        assert_eq!((code, result.as_str(), detail), (codes.next().unwrap(), row[1], row[2]));
    }
    assert_eq!(result_of(codes.next().unwrap()), None);
}

// cbh §10 "Tags"
#[test]
fn event_types_match_specification() {
    let page = include_str!("../../../docs/formats/tables/cbh-event-types.tsv");
    for row in rows(page) {
        let mut words = String::new();
        push_event_type(row[0].parse().unwrap(), 0, &mut words).unwrap();
        assert_eq!(words, row[2]);
    }
    assert_eq!(rows(page).count(), 11);
}
