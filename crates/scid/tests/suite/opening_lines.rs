//! The table in docs/formats/tables equals the table in the code and in Scid.

use std::collections::BTreeSet;

use chess_core::{Game, Move};
use chess_store::Diagnostics;

use crate::files::{BaseFiles as _, Files};

#[test]
fn opening_lines_spec_table_matches_code() {
    let table = include_str!("../../../../docs/formats/tables/scid-opening-lines.tsv");
    let case =
        testkit::cases("scid").into_iter().find(|case| case.name == "opening_lines").unwrap();
    let files = Files::of(&case);
    let base = files.open().unwrap();
    let mut codes = BTreeSet::new();
    for row in table.lines().filter(|row| !row.starts_with('#')) {
        let (code, line) = row.split_once('\t').unwrap();
        let code: u8 = code.parse().unwrap();
        let line: Vec<Move> = line.split(' ').map(|m| m.parse().unwrap()).collect();
        // The games are in the order of their codes.
        let mut game = Game::new();
        let number = u64::from(code) - 1;
        base.reader().game(number, &mut game, &mut Diagnostics::strict()).unwrap();
        assert!(game.main_line().eq(line), "{code}");
        assert_eq!(base.entry(number).unwrap().derived.opening_line, code);
        codes.insert(code);
    }
    assert!(codes.into_iter().eq(1..=254));
}
