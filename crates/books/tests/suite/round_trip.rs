//! Books are written, read again and merged.

use std::fs;
use std::ops::ControlFlow;

use books::polyglot::Merging;
use books::{BookMove, Diagnostics, Line, Position, ReadBook, WalkOptions, abk, polyglot};

use crate::fixture;

#[test]
fn polyglot_book_written_from_shuffled_entries_is_equal() {
    let bytes = fs::read(fixture("polyglot/special").join("base.bin")).unwrap();
    let book = polyglot::Book::new(bytes.clone()).unwrap();
    let mut entries: Vec<_> = book.entries().map(|entry| entry.unwrap().1).collect();
    entries.reverse();
    let mut writer = polyglot::Writer::new();
    entries.iter().for_each(|entry| writer.push(*entry).unwrap());
    let written = polyglot::Book::new(writer.finish(Vec::new()).unwrap()).unwrap();
    let again: Vec<_> = written.entries().map(|entry| entry.unwrap().1).collect();
    // Moves of equal weight have no order of their own.
    let sorted = |mut entries: Vec<polyglot::Entry>| {
        entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.code));
        entries
    };
    assert_eq!(sorted(again), sorted(entries));
}

#[test]
fn writer_of_damaged_entries_repairs_book() {
    for case in ["polyglot/bad_order", "polyglot/bad_duplicate", "polyglot/weights"] {
        let bytes = fs::read(fixture(case).join("base.bin")).unwrap();
        let mut writer = polyglot::Writer::new();
        for entry in polyglot::Book::new(bytes).unwrap().entries() {
            writer.push(entry.unwrap().1).unwrap();
        }
        let book = polyglot::Book::new(writer.finish(Vec::new()).unwrap()).unwrap();
        let mut diagnostics = Diagnostics::lenient();
        let summary = book.check(WalkOptions::default(), &mut diagnostics).unwrap();
        assert_eq!(diagnostics.warnings(), [], "{case}");
        assert!(summary.reached > 0, "{case}");
    }
}

/// Returns the lines of a book and what is known of their moves.
fn lines(book: &abk::Book<Vec<u8>>) -> Vec<(usize, BookMove)> {
    let mut out = Vec::new();
    let mut visit = |line: Line<'_, abk::Entry>| {
        for node in line.nodes {
            let mut found = BookMove::new(node.m.unwrap(), Default::default());
            found.results = Some(node.entry.results());
            found.priority = Some(node.entry.priority);
            found.deleted = node.entry.flags != 0;
            out.push((node.number, line.moves.len(), found));
        }
        ControlFlow::Continue(())
    };
    book.lines(&mut visit, &mut Diagnostics::strict()).unwrap();
    // The made book has its entries in depth-first order.
    out.sort_by_key(|(number, ..)| *number);
    out.into_iter().map(|(_, ply, found)| (ply, found)).collect()
}

#[test]
fn arena_book_written_again_is_equal() {
    let bytes = fs::read(fixture("abk/lines").join("base.abk")).unwrap();
    let book = abk::Book::new(bytes).unwrap();
    let lines_before = lines(&book);
    let mut writer = abk::Writer::new(Vec::new(), book.header().clone()).unwrap();
    for (ply, found) in &lines_before {
        writer.push(*ply, found).unwrap();
    }
    let again = abk::Book::new(writer.finish().unwrap()).unwrap();
    assert_eq!(lines(&again), lines_before);
    let mut diagnostics = Diagnostics::lenient();
    again.check(WalkOptions::default(), &mut diagnostics).unwrap();
    assert_eq!(diagnostics.warnings(), []);
    assert_eq!(again.header().comment, "made for tests");
    assert_eq!(u64::from(again.header().moves), again.len() - 1);
}

#[test]
fn arena_writer_refuses_illegal_moves_and_gaps() {
    let mut writer = abk::Writer::new(Vec::new(), abk::Header::default()).unwrap();
    let mut push = |ply, m: &str| {
        let found = BookMove::new(m.parse().unwrap(), Default::default());
        writer.push(ply, &found).map_err(|error| error.to_string())
    };
    assert!(push(0, "e2e5").is_err());
    assert!(push(1, "e7e5").is_err());
    assert_eq!(push(0, "e2e4"), Ok(()));
    assert!(push(1, "e2e4").is_err());
    assert_eq!(push(1, "e7e5"), Ok(()));
}

#[test]
fn look_up_of_transposition_sums_games() {
    let mut writer = abk::Writer::new(Vec::new(), abk::Header::default()).unwrap();
    let mut push = |ply, m: &str, games, priority| {
        let mut found = BookMove::new(m.parse().unwrap(), Default::default());
        let mut results = books::Results::default();
        (results.games, results.white) = (games, 1);
        (found.results, found.priority) = (Some(results), Some(priority));
        writer.push(ply, &found).unwrap();
    };
    for first in ["g1f3", "d2d4"] {
        let other = if first == "g1f3" { "d2d4" } else { "g1f3" };
        push(0, first, 10, 5);
        push(1, "d7d5", 10, 5);
        push(2, other, 10, 5);
        push(3, "g8f6", if first == "g1f3" { 3 } else { 4 }, if first == "g1f3" { 7 } else { 5 });
    }
    let book = abk::Book::new(writer.finish().unwrap()).unwrap();
    let fen = "rnbqkbnr/ppp1pppp/8/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R b KQkq - 0 1";
    let mut moves = Vec::new();
    let position = Position::from_fen(fen).unwrap();
    book.moves(&position, &mut moves, &mut Diagnostics::strict()).unwrap();
    let found: Vec<_> =
        moves.iter().map(|found| (found.results.unwrap().games, found.priority)).collect();
    assert_eq!(found, [(7, Some(7))]);
}

/// `polyglot merge-book` makes the same bytes of the two books.
#[test]
fn merged_books_equal_polyglot() {
    let book = |name: &str| {
        let bytes = fs::read(fixture("make").join(name).with_extension("bin")).unwrap();
        polyglot::Book::new(bytes).unwrap()
    };
    let merged =
        polyglot::merge(&[book("white"), book("black")], Merging::Add, Vec::new()).unwrap();
    assert_eq!(merged, fs::read(fixture("make").join("merged.bin")).unwrap());
    let twice = [book("min1"), book("uniform"), book("min1")];
    let first = polyglot::merge(&twice, Merging::First, Vec::new()).unwrap();
    assert_eq!(first, fs::read(fixture("make").join("min1.bin")).unwrap());
}
