//! Parsed structures, field by field.

use scid::Database;
use testkit::cases;

#[test]
fn index_entries_match_snapshot() {
    let case = |name| cases("scid").into_iter().find(|case| case.name == name).unwrap();
    let tags = Database::open(case("tags").path("si4")).unwrap();
    let entries: Vec<_> = [0, 10, 14].map(|game| tags.entry(game).unwrap()).into();
    insta::assert_debug_snapshot!("entries_of_version_4", entries);
    let rich = Database::open(case("si5_rich").path("si5")).unwrap();
    insta::assert_debug_snapshot!("entry_of_version_5", rich.entry(0).unwrap());
}
