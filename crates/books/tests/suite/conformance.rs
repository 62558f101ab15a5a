//! The fixtures read as their expected texts say, and show the rules of the page.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use books::{AnyBook, Diagnostics, Error, Position, WalkOptions, open, open_inputs};
use chess_store::Inputs;

use crate::{cases, dump};

/// Rules for readers that no case shows, with the test that does.
const EXPLAINED: &[&str] = &[
    "1.1.2", // `hostile`
    "1.2.3", // `walk_over_limit_ends`
    "1.3.1", // `look_up_of_transposition_sums_games`
    "3.4.5", // `check_record_on_wrong_page_is_reported`
    "3.5.5", // `ctg::moves`
    "4.2.6", // `empty_entry_is_no_move`
    "5.2.3", // `empty_move_is_reported`
    "5.3.4", // a book of four million moves is too large for a test
];

/// `UPDATE_BOOKS=1 cargo test -p scoresheet-books conformance` writes the expected texts.
#[test]
fn fixtures_read_as_expected() {
    for (folder, extensions) in cases() {
        let book = folder.join("base").with_extension(extensions[0]);
        let games = Some(folder.join("base.pgn")).filter(|path| path.exists());
        let text = match dump::dump(&book, u32::MAX, games.as_deref()) {
            Ok(text) => text,
            Err(error) => format!("# {error}\n"),
        };
        let expected = folder.join("expected.txt");
        if std::env::var_os("UPDATE_BOOKS").is_some() {
            fs::write(&expected, &text).unwrap();
        }
        assert_eq!(text, fs::read_to_string(&expected).unwrap(), "{}", folder.display());
        let is_bad = folder.file_name().unwrap().to_str().unwrap().starts_with("bad_");
        let has_warning = text.lines().last().is_some_and(|line| {
            line.starts_with("# ") && !line.starts_with("# base.bin") && !line.starts_with("# note")
        });
        assert!(has_warning || !is_bad || text.contains("entries=0"), "{}", folder.display());
    }
}

#[test]
fn open_inputs_of_files_equals_open_of_path() {
    let facts = |opened: Result<Option<AnyBook>, Error>| match opened {
        Ok(None) => "no book".to_owned(),
        Err(error) => error.to_string(),
        Ok(Some(book)) => {
            let (mut found, mut notes) = (Vec::new(), Diagnostics::lenient());
            let moves = book.moves(&Position::default(), &mut found, &mut notes).is_ok();
            let checked = book.check(WalkOptions::default(), &mut notes).map_err(|e| e.to_string());
            format!("{:?} {moves} {found:?} {checked:?} {:?}", book.kind(), notes.warnings())
        }
    };
    for (folder, extensions) in cases() {
        for extension in extensions {
            let path = folder.join("base").with_extension(extension);
            if !path.exists() {
                continue;
            }
            let mut inputs = Inputs::new(&path);
            for entry in fs::read_dir(&folder).unwrap() {
                let beside = entry.unwrap().path();
                inputs.add(beside.clone(), fs::read(beside).unwrap());
            }
            let (found, expected) = (facts(open_inputs(&inputs)), facts(open(&path)));
            assert_eq!(found, expected, "{}", path.display());
        }
    }
}

/// Returns the numbers of the rules for readers: `3.2.1` is the first rule of §3.2.
fn rules() -> BTreeSet<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/books.md");
    let page = fs::read_to_string(page).unwrap();
    let (mut section, mut of_readers, mut rules) = ("", false, BTreeSet::new());
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("### ") {
            (section, _) = title.split_once(' ').unwrap();
            of_readers = false;
        } else if line.starts_with("**") {
            of_readers = line == "**Reader**";
        } else if let Some((number, _)) = line.split_once(". ")
            && of_readers
            && number.parse::<u8>().is_ok()
        {
            rules.insert(format!("{section}.{number}"));
        }
    }
    rules
}

#[test]
fn cases_cover_every_rule_for_readers() {
    let rules = rules();
    let mut covered: BTreeSet<String> = EXPLAINED.iter().map(|rule| (*rule).to_owned()).collect();
    for (folder, _) in cases() {
        let case = fs::read_to_string(folder.join("case.toml")).unwrap();
        let line = case.lines().find_map(|line| line.strip_prefix("covers = ")).unwrap();
        covered.extend(line.split('"').skip(1).step_by(2).map(str::to_owned));
    }
    let strange: Vec<_> = covered.difference(&rules).collect();
    assert!(strange.is_empty(), "the page has no rules {strange:?}");
    let missing: Vec<_> = rules.difference(&covered).collect();
    assert!(missing.is_empty(), "no case covers {missing:?}");
}
