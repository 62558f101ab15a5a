//! Tests over the fixtures, damaged files and round trips.

#[allow(dead_code, reason = "the example has a main function")]
#[path = "../../examples/book_dump.rs"]
mod dump;

mod conformance;
mod hostile;
mod making;
mod round_trip;

use std::path::{Path, PathBuf};

use books::{Error, ReadBook, abk, ctg, obk, polyglot};

/// Returns the folder of a case, or of all cases of a format.
fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// Opens a book from the bytes of its files.
fn open(extension: &str, files: &[Option<Vec<u8>>]) -> Result<Box<dyn ReadBook>, Error> {
    let file = |number: usize| files.get(number).cloned().flatten();
    let first = file(0).unwrap_or_default();
    Ok(match extension {
        "bin" => Box::new(polyglot::Book::new(first)?),
        "ctg" => Box::new(ctg::Book::new(first, file(1), file(2))?),
        "abk" => Box::new(abk::Book::new(first)?),
        _ => Box::new(obk::Book::new(first)?),
    })
}

/// Returns the folders of all cases, with the extensions of their files.
fn cases() -> Vec<(PathBuf, &'static [&'static str])> {
    let kinds: [(&str, &[&str]); 4] = [
        ("polyglot", &["bin"]),
        ("ctg", &["ctg", "cto", "ctb"]),
        ("abk", &["abk"]),
        ("obk", &["obk"]),
    ];
    let mut cases = Vec::new();
    for (kind, extensions) in kinds {
        let folder = std::fs::read_dir(fixture(kind)).unwrap();
        let mut folders: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
        folders.sort();
        assert!(!folders.is_empty(), "{kind} has no cases");
        cases.extend(folders.into_iter().map(|folder| (folder, extensions)));
    }
    cases
}
