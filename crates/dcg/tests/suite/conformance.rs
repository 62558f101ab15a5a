//! Every base under fixtures/dcg gives the games of its expected.jsonl, and the expected messages.

use dcg::{Database, Quirk};
use testkit::Suite;

const SUITE: Suite = Suite {
    least_refused: 4,
    // The entry, four names, the record: no gaps.
    most_jumps: 6,
    dumped: &[("variations", 1)],
    silent: &["bad_default_vote"],
    ..Suite::new("dcg", dcg::FORMATS, |warning| warning.quirk::<Quirk>().is_some())
};

testkit::suite!(SUITE);

/// The game to show first by number, by offset, and missing.
#[test]
fn default_game_number_or_offset_is_read() {
    for (name, expected) in [("open_default", 2), ("default_offset", 2), ("bad_default_missing", 0)]
    {
        let base = Database::open(SUITE.case(name).path("dci")).unwrap();
        assert_eq!(base.default_game(), expected, "{name}");
    }
}
