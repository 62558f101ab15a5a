//! Rewriting of a base reproduces its bytes.

use cbh::{Database, OpenOptions};
use chess_core::Game;
use testkit::cases;

use crate::common::write;

/// Rewrites bases that this crate wrote. All files must match, except for data that only ChessBase
/// writes.
#[test]
fn rewrite_own_bases_is_byte_identical() {
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
