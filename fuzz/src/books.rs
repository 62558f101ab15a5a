//! Opening books: files of each format, and books made from games.

use std::ops::ControlFlow;

use arbitrary::Unstructured;
use books::polyglot::{MakeOptions, Maker, Weights, Writer};
use books::{
    Diagnostics, ReadBook, Visited, WalkOptions, abk, ctg, obk, polyglot, to_arena, to_polyglot,
};
use testkit::{Flavour, random_game};

/// A byte that tells the format, and a book. An Arena book is the entries without the header; a
/// ChessBase book begins with the lengths of `.cto` and `.ctb`, a byte each.
pub fn books_file(data: &[u8]) {
    let Some((kind, data)) = data.split_first() else { return };
    match kind % 4 {
        0 => read(&polyglot::Book::new(data).expect("any file is a book")),
        1 => {
            let mut data = Unstructured::new(data);
            let lengths: [u8; 2] = data.arbitrary().unwrap_or_default();
            let [cto, ctb] = lengths.map(|length| {
                let length = usize::from(length).min(data.len());
                (length > 0).then(|| data.bytes(length).unwrap_or_default().to_vec())
            });
            let ctg = data.take_rest().to_vec();
            ctg::Book::new(ctg, cto, ctb).into_iter().for_each(|book| read(&book));
        }
        2 => {
            let writer = abk::Writer::new(Vec::new(), abk::Header::default()).expect("no text");
            let mut bytes = writer.finish().expect("memory does not fail");
            bytes.extend_from_slice(data);
            read(&abk::Book::new(bytes).expect("a header"));
        }
        _ => obk::Book::new(data).into_iter().for_each(|book| read(&book)),
    }
}

/// Reads a book in every way. Strict reading accepts a book without a warning.
fn read(book: &dyn ReadBook) {
    let mut options = WalkOptions::default();
    options.max_positions = 200;
    let mut lenient = Diagnostics::lenient();
    let checked = book.check(options, &mut lenient);
    let strict = book.check(options, &mut Diagnostics::strict());
    assert_eq!(checked.is_ok() && lenient.warnings().is_empty(), strict.is_ok());
    let mut visit = |visited: Visited<'_>| {
        assert!(visited.moves.iter().all(|found| visited.position.is_legal(found.m)));
        ControlFlow::Continue(())
    };
    book.walk(options, &mut visit, &mut lenient).expect("lenient reading");
    convert(book, options);
}

/// A converted book is sound.
fn convert(book: &dyn ReadBook, options: WalkOptions) {
    let mut quiet = Diagnostics::lenient();
    let made = to_polyglot(book, options, Weights::Score, Vec::new(), &mut quiet);
    let (bytes, _) = made.expect("memory does not fail");
    let made = polyglot::Book::new(bytes).expect("any file is a book");
    let mut diagnostics = Diagnostics::lenient();
    made.check(options, &mut diagnostics).expect("lenient reading");
    assert!(diagnostics.warnings().iter().all(|warning| warning.name == "book-walk-limit"));
    let header = abk::Header::default();
    let made = to_arena(book, options, header, Vec::new(), &mut quiet);
    let (bytes, count) = made.expect("each move follows its line");
    assert_eq!(abk::Book::new(bytes).expect("a header").len(), count);
}

/// Random games: the book that is made of them is sound, and has the same bytes whether the moves
/// are sorted in memory or in runs, and after its entries are written again.
pub fn books_made(data: &[u8]) {
    let mut data = Unstructured::new(data);
    let mut options = MakeOptions::default();
    options.min_game = 1;
    options.like_polyglot = data.arbitrary().unwrap_or_default();
    options.unfinished = true;
    let mut games = Vec::new();
    while games.len() < 8 && !data.is_empty() {
        let Ok(game) = random_game(&mut data, Flavour::ALL) else { break };
        games.push(game);
    }
    let made = |options| {
        let mut maker = Maker::new(options);
        for game in games.iter().cycle().take(40 * games.len()) {
            maker.add(game).expect("a temporary file");
        }
        maker.finish(Vec::new()).expect("memory does not fail")
    };
    let bytes = made(options);
    options.memory = 0;
    assert_eq!(made(options), bytes);
    let book = polyglot::Book::new(bytes).expect("any file is a book");
    let mut walk = WalkOptions::default();
    walk.max_positions = 200;
    let mut diagnostics = Diagnostics::lenient();
    book.check(walk, &mut diagnostics).expect("lenient reading");
    assert!(diagnostics.warnings().iter().all(|warning| warning.name == "book-walk-limit"));
    let mut writer = Writer::new();
    for entry in book.entries() {
        writer.push(entry.expect("an entry").1).expect("memory does not fail");
    }
    let again = writer.finish(Vec::new()).expect("memory does not fail");
    assert_eq!(again.len() as u64, 16 * book.len());
}
