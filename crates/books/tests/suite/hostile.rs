//! Damage ends in warnings and errors.

use std::fs;
use std::ops::ControlFlow;

use books::{Diagnostics, Position, ReadBook, WalkOptions, abk, ctg, obk, polyglot};

use crate::{cases, fixture, open};

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Reads a book in every way. Strict reading accepts what has no warning.
fn read(book: &dyn ReadBook) {
    let mut options = WalkOptions::default();
    options.max_positions = 300;
    let (mut lenient, mut moves) = (Diagnostics::lenient(), Vec::new());
    let checked = book.check(options, &mut lenient);
    let strict = book.check(options, &mut Diagnostics::strict());
    assert_eq!(lenient.warnings().is_empty() && checked.is_ok(), strict.is_ok());
    let start = Position::start();
    let _ = book.moves(&start, &mut moves, &mut lenient);
    let _ = book.facts(&start, &mut lenient);
    let mut visit = |visited: books::Visited<'_>| {
        assert!(visited.moves.iter().all(|found| visited.position.is_legal(found.m)));
        ControlFlow::Continue(())
    };
    let _ = book.walk(options, &mut visit, &mut lenient);
}

#[test]
fn changed_bytes_of_every_fixture_are_read_without_panic() {
    let mut random = Random(7);
    for (folder, extensions) in cases() {
        let path = folder.join("base");
        let file = |extension: &&str| fs::read(path.with_extension(extension)).ok();
        let files: Vec<_> = extensions.iter().map(file).collect();
        for round in 0..24 {
            let mut files = files.clone();
            for bytes in files.iter_mut().flatten() {
                // Most bytes of an .abk are filler.
                let first = if extensions == ["abk"] && round % 4 > 0 { 25_200 } else { 0 };
                if bytes.len() <= first {
                    continue;
                }
                for _ in 0..random.below(6) {
                    let place = first + random.below(bytes.len() - first);
                    let value = random.below(256) as u8;
                    bytes[place] = if round % 2 == 0 { value } else { bytes[place] ^ value & 0x81 };
                }
                if round % 5 == 0 {
                    bytes.truncate(random.below(bytes.len() + 1));
                }
            }
            if let Ok(book) = open(extensions[0], &files) {
                read(book.as_ref());
            }
        }
    }
}

#[test]
fn walk_over_limit_ends() {
    for (case, extension) in [("ctg/lines", "ctg"), ("abk/lines", "abk")] {
        let path = fixture(case).join("base");
        let files =
            ["ctg", "cto", "ctb"].map(|extension| fs::read(path.with_extension(extension)).ok());
        let files = if extension == "ctg" {
            files.to_vec()
        } else {
            vec![fs::read(path.with_extension("abk")).ok()]
        };
        let book = open(extension, &files).unwrap();
        let mut options = WalkOptions::default();
        options.max_positions = 5;
        let (mut count, mut diagnostics) = (0, Diagnostics::lenient());
        let mut visit = |_: books::Visited<'_>| {
            count += 1;
            ControlFlow::Continue(())
        };
        book.walk(options, &mut visit, &mut diagnostics).unwrap();
        assert!(count <= 5, "{count}");
        assert_eq!(diagnostics.warnings()[0].name, "book-walk-limit");
    }
}

#[test]
fn position_of_too_many_entries_is_reported() {
    let entry =
        |code| polyglot::Entry::parse(&[&[0; 8], &u16::to_be_bytes(code)[..], &[1; 6]].concat());
    let bytes: Vec<u8> = (0..2000).flat_map(|code| entry(code).unwrap().encode()).collect();
    let book = polyglot::Book::new(bytes).unwrap();
    let mut diagnostics = Diagnostics::lenient();
    assert_eq!(book.entries_of(0, &mut diagnostics).unwrap().len(), 1024);
    assert_eq!(diagnostics.warnings()[0].name, "book-crowded-position");
}

#[test]
fn check_record_on_wrong_page_is_reported() {
    let path = fixture("ctg/lines").join("base");
    let [ctg, mut cto, ctb] =
        ["ctg", "cto", "ctb"].map(|name| fs::read(path.with_extension(name)).unwrap());
    // The two pages change places.
    let [one, two] = [20, 24].map(|place| cto[place..place + 4].to_vec());
    cto[20..24].copy_from_slice(&two);
    cto[24..28].copy_from_slice(&one);
    let book = ctg::Book::new(ctg, Some(cto), Some(ctb)).unwrap();
    let mut diagnostics = Diagnostics::lenient();
    let summary = book.check(WalkOptions::default(), &mut diagnostics).unwrap();
    assert_eq!((summary.positions, summary.reached), (99, 0));
    assert!(diagnostics.warnings().iter().all(|warning| warning.name == "ctg-misplaced"));
}

#[test]
fn empty_entry_is_no_move() {
    let mut bytes = fs::read(fixture("abk/lines").join("base.abk")).unwrap();
    bytes[25_200..25_202].copy_from_slice(&[255, 255]);
    let book = abk::Book::new(bytes).unwrap();
    let mut diagnostics = Diagnostics::lenient();
    let mut moves = Vec::new();
    book.moves(&Position::start(), &mut moves, &mut diagnostics).unwrap();
    assert_eq!(moves.len(), 3);
    assert!(diagnostics.warnings().is_empty());
}

#[test]
fn empty_move_is_reported() {
    let mut bytes = fs::read(fixture("obk/lines").join("base.obk")).unwrap();
    bytes[8] &= 0xc0;
    bytes[9] &= 0xc0;
    let book = obk::Book::new(bytes).unwrap();
    let mut diagnostics = Diagnostics::lenient();
    book.check(WalkOptions::default(), &mut diagnostics).unwrap();
    assert_eq!(
        diagnostics.warnings()[0].to_string(),
        ".obk, byte 8: the move is a1a1; it is ignored [obk-empty-move]"
    );
}

/// Returns the name of the warning that is damage in a book whose first file has `change` made.
fn damage(case: &str, change: impl Fn(&mut Vec<u8>)) -> Vec<&'static str> {
    let extension = case.split('/').next().unwrap();
    let file = |extension| fs::read(fixture(case).join("base").with_extension(extension)).ok();
    let mut files = vec![file(extension), file("cto"), file("ctb")];
    change(files[0].as_mut().unwrap());
    let book = open(extension, &files).unwrap();
    let mut diagnostics = Diagnostics::lenient();
    book.check(WalkOptions::default(), &mut diagnostics).unwrap();
    let damage = diagnostics.warnings().iter().filter(|warning| warning.is_damage());
    damage.map(|warning| warning.name).collect()
}

#[test]
fn header_that_states_another_count_is_damage() {
    for (case, at, expected) in [
        ("obk/lines", 4, "obk-move-count"),
        ("obk/notes", 4, "obk-move-count"),
        ("abk/lines", 218, "abk-moves"),
        ("ctg/lines", 27, "ctg-position-count"),
    ] {
        assert_eq!(damage(case, |_| {}), [""; 0], "{case}");
        for step in [1, 255] {
            let changed = damage(case, |bytes| bytes[at] = bytes[at].wrapping_add(step));
            assert!(changed.contains(&expected), "{case} {step}: {changed:?}");
        }
    }
}

#[test]
fn obk_bytes_after_the_tree_are_damage_without_notes() {
    let longer = |case| damage(case, |bytes| bytes.extend([0x0c, 0xdc]));
    assert_eq!(longer("obk/lines"), ["obk-moves-after"]);
    assert_eq!(longer("obk/notes"), ["obk-note-cut"]);
}

#[test]
fn snapshot_of_headers_and_warnings() {
    let mut text = String::new();
    let read = |case: &str, name: &str| fs::read(fixture(case).join(name)).unwrap();
    let abk = abk::Book::new(read("abk/lines", "base.abk")).unwrap();
    let ctg = ctg::Book::new(read("ctg/lines", "base.ctg"), None, None).unwrap();
    text.push_str(&format!("{:#?}\n{:?}\n", abk.header(), ctg.header()));
    for (case, name) in [("abk/bad_tail", "base.abk"), ("obk/bad_short", "base.obk")] {
        let extension = name.rsplit('.').next().unwrap();
        let book = open(extension, &[Some(read(case, name))]).unwrap();
        let mut diagnostics = Diagnostics::lenient();
        let summary = book.check(WalkOptions::default(), &mut diagnostics).unwrap();
        text.push_str(&format!("{summary:?}\n"));
        diagnostics.warnings().iter().for_each(|warning| text.push_str(&format!("{warning}\n")));
    }
    insta::assert_snapshot!(text);
}
