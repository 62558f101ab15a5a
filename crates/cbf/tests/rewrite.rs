//! Read and written again: the same bytes where the bytes are canonical, the same games elsewhere.

use std::io::Cursor;

use cbf::{CreateOptions, Database, OpenOptions, Writer, fbk};
use chess_core::{Diagnostics, Game};
use testkit::{Case, cases};

/// Cases whose records this writer, or the encoder the samples come from, would write.
const CANONICAL: [&str; 5] = ["tiny", "quirks", "annotated", "charset_atarist", "empty"];

fn options(case: &Case) -> (OpenOptions, CreateOptions) {
    let label = case.meta.encoding.as_deref();
    let encoding = label.map(|label| chess_core::Encoding::from_label(label).unwrap());
    (OpenOptions { encoding, ..OpenOptions::default() }, CreateOptions { encoding })
}

fn bases() -> impl Iterator<Item = Case> {
    cases("cbf").into_iter().filter(|case| !case.is_bad() && case.meta.format == "cbf")
}

#[test]
fn rewriting() {
    for case in bases() {
        let (open, create) = options(&case);
        let base = Database::open(&case.path("cbf"), &open).unwrap();
        let empty = || Cursor::new(Vec::new());
        let mut writer = Writer::new(empty(), empty(), &create).unwrap();
        let mut games = Vec::new();
        let mut losses = Vec::new();
        for number in 0..base.len() {
            let mut game = Game::new();
            base.game(number, &mut game, &mut Diagnostics::lenient()).unwrap();
            writer.write(&game, &mut losses).unwrap();
            games.push(game);
        }
        let (cbf, cbi) = writer.into_parts().unwrap();
        let (cbf, cbi) = (cbf.into_inner(), cbi.into_inner());
        if CANONICAL.contains(&case.name.as_str()) {
            assert!(losses.is_empty(), "{}: {losses:?}", case.name);
            assert_eq!(cbf, case.bytes("base.cbf"), "{}", case.name);
            assert_eq!(cbi, case.bytes("base.cbi"), "{}", case.name);
        }
        let again = Database::from_parts(cbf, Some(cbi), &open).unwrap();
        assert_eq!(again.len(), base.len());
        assert!(again.warnings().is_empty(), "{}: {:?}", case.name, again.warnings());
        let mut game = Game::new();
        for (number, first) in (0..).zip(&games) {
            again.game(number, &mut game, &mut Diagnostics::lenient()).unwrap();
            without_checksum(&mut game);
            let mut first = first.clone();
            without_checksum(&mut first);
            assert!(game == first, "{} game {number}: {game:?}\n{first:?}", case.name);
        }
    }
}

/// The one tag that is reported and not written back.
fn without_checksum(game: &mut Game) {
    let kept = game.header.tags.iter().filter(|(name, _)| *name != cbf::tags::CHECKSUM);
    game.header.tags = kept.collect();
}

#[test]
fn books() {
    let mut seen = 0;
    for case in cases("cbf") {
        if case.is_bad() || case.meta.format != "fbk" {
            continue;
        }
        seen += 1;
        let book = fbk::Book::open(&case.path("fbk")).unwrap();
        let (mut game, mut losses) = (Game::new(), Vec::new());
        book.game(0, &mut game, &mut Diagnostics::lenient()).unwrap();
        let mut writer = fbk::Writer::new(Vec::new());
        writer.write(&game, &mut losses).unwrap();
        assert!(losses.is_empty(), "{losses:?}");
        if case.name != "book_odd" {
            assert_eq!(writer.into_parts().unwrap(), case.bytes("base.fbk"), "{}", case.name);
        }
    }
    assert!(seen > 1);
}
