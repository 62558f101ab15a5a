//! A base that was read is written as the same bytes.

use cbh::prelude::*;
use cbh::{Database, OpenOptions};
use testkit::cases;

use crate::common::write;

/// Bases that this crate wrote, all of whose files come back but for what only ChessBase puts in.
#[test]
fn bases_come_back_byte_for_byte() {
    let mut compared = 0;
    for case in cases("cbh").into_iter().filter(|case| !case.is_bad()) {
        if case.meta.notes.as_deref().is_some_and(|notes| notes.contains("not canonical")) {
            continue;
        }
        let mut options = OpenOptions::default();
        options.exact = true;
        let base = Database::open_with(case.path("cbh"), &options).unwrap();
        let games: Vec<Game> = base.games().map(Result::unwrap).collect();
        let (again, losses) = write(&games);
        assert_eq!(losses, [], "{}", case.name);
        for file in ["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbj", "cbe", "cbl"] {
            let path = case.path("cbh").with_extension(file);
            let stored = std::fs::read(path).unwrap();
            assert!(stored == *again.get(file).unwrap(), "{}, {file}", case.name);
            compared += 1;
        }
    }
    assert!(compared >= 40, "{compared} files");
}
