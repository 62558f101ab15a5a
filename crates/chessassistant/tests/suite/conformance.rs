//! Every fixture gives the games of its `expected.jsonl`, and the warnings and errors of the
//! snapshots.

use std::fmt::Write as _;

use chessassistant::Quirk;
use testkit::Suite;

use crate::common::{self, open_case};

const SUITE: Suite = Suite {
    adjust_header: |header, game, _| {
        // A00 in a game with its own start position is the one field that depends on the moves.
        if game.setup().is_some() && game.header.eco.is_none() {
            header.eco = None;
        }
    },
    dump_stops_at_quirks: true,
    // The volume holds files in fragments.
    pieced: &["emb"],
    dumped: &[
        ("vectors", 2),
        ("comments", 9),
        ("redirects", 0),
        ("promotions", 1),
        ("bad_setups", 1),
    ],
    silent: &["bad_counted_first_move", "bad_players_cut", "bad_reading_promotion"],
    ..Suite::new("chessassistant", chessassistant::FORMATS, |warning| {
        warning.quirk::<Quirk>().is_some()
    })
};

testkit::suite!(SUITE);

#[test]
fn details_fixtures_match_snapshot() {
    let cases = testkit::cases("chessassistant");
    let mut report = String::new();
    for name in
        ["features", "cyrillic", "comments", "outcomes", "counted_left", "bad_unknown_codes"]
    {
        let case = cases.iter().find(|case| case.name == name).unwrap();
        writeln!(report, "== {name}").unwrap();
        let base = open_case(case).unwrap();
        for (fact, value) in base.about().iter() {
            writeln!(report, "{fact}: {value}").unwrap();
        }
        for (row, value) in base.details() {
            writeln!(report, "{row}: {value}").unwrap();
        }
    }
    insta::assert_snapshot!(report);
}

/// A dump has every byte of the record, in order.
#[test]
fn dump_fixture_names_every_byte() {
    for case in testkit::cases("chessassistant").iter().filter(|case| !case.is_bad()) {
        let base = open_case(case).unwrap();
        let d02 = common::files_of(case).d02;
        for number in 0..base.len() {
            let mut end = None;
            let dumped = base.reader().dump(number, &mut |field| {
                if field.file == "d02" {
                    let start = field.offset as usize;
                    assert!(end.is_none_or(|end| end == start), "{}: a gap", case.name);
                    assert_eq!(d02[start..start + field.bytes.len()], field.bytes, "{}", case.name);
                    end = Some(start + field.bytes.len());
                }
            });
            // The only record with a three-byte length is dumped as stated.
            assert!(dumped.is_ok() || case.name == "long_length", "{}: {dumped:?}", case.name);
        }
    }
}
