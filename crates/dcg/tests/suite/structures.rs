//! Parsed structures, field by field.

use dcg::Database;
use testkit::cases;

#[test]
fn index_entries_match_snapshot() {
    let case = |name| cases("dcg").into_iter().find(|case| case.name == name).unwrap();
    let entries = |name| {
        let base = Database::open(case(name).path("dci")).unwrap();
        (0..3).map(|game| base.entry(game).unwrap()).collect::<Vec<_>>()
    };
    insta::assert_debug_snapshot!("entries", entries("values"));
    insta::assert_debug_snapshot!("entries_of_old_layout", entries("old_layout"));
}
