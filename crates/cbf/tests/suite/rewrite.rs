//! Rewriting: canonical files give the same bytes, other files the same games.

use cbf::{CreateOptions, Database, Encoding, Losses, OpenOptions, Writer, fbk};
use chess_core::Game;
use testkit::{Case, cases};

/// Cases whose bytes are canonical: this writer produces the same records.
const CANONICAL: [&str; 5] = ["tiny", "quirks", "annotated", "charset_atarist", "empty"];

fn options(case: &Case) -> (OpenOptions, CreateOptions) {
    let label = case.meta.encoding.as_deref();
    let encoding = label.map(|label| Encoding::from_label(label).unwrap());
    let (mut open, mut create) = (OpenOptions::default(), CreateOptions::default());
    (open.encoding, create.encoding) = (encoding, encoding);
    (open, create)
}

fn bases() -> impl Iterator<Item = Case> {
    cases("cbf").into_iter().filter(|case| !case.is_bad() && case.meta.format == "cbf")
}

#[test]
fn rewrite_every_case_keeps_games() {
    for case in bases() {
        let (open, create) = options(&case);
        let base = Database::open_with(case.path("cbf"), &open).unwrap();
        let mut writer = Writer::in_memory_with(&create).unwrap();
        let games: Vec<Game> = base.games().map(Result::unwrap).collect();
        let mut losses = Losses::new();
        for game in &games {
            writer.write(game, &mut losses).unwrap();
        }
        let parts = writer.into_bytes().unwrap();
        if CANONICAL.contains(&case.name.as_str()) {
            assert!(losses.is_empty(), "{}: {losses:?}", case.name);
            assert_eq!(parts.cbf, case.bytes("base.cbf"), "{}", case.name);
            assert_eq!(parts.cbi, Some(case.bytes("base.cbi")), "{}", case.name);
        }
        let again = Database::from_parts(parts, &open).unwrap();
        assert_eq!(again.len(), base.len());
        assert!(again.warnings().is_empty(), "{}: {:?}", case.name, again.warnings());
        for (number, (game, mut first)) in again.games().zip(games).enumerate() {
            let mut game = game.unwrap();
            without_checksum(&mut game);
            without_checksum(&mut first);
            assert!(game == first, "{} game {number}: {game:?}\n{first:?}", case.name);
        }
    }
}

/// Removes the only tag that is not written back.
fn without_checksum(game: &mut Game) {
    let kept = game.header.tags.iter().filter(|(name, _)| *name != cbf::tags::CHECKSUM);
    game.header.tags = kept.collect();
}

#[test]
fn rewrite_every_book_keeps_tree() {
    let mut seen = 0;
    for case in cases("cbf") {
        if case.is_bad() || case.meta.format != "fbk" {
            continue;
        }
        seen += 1;
        let game = fbk::Book::open(case.path("fbk")).unwrap().games().next().unwrap().unwrap();
        let (mut writer, mut losses) = (fbk::Writer::in_memory(), Losses::new());
        writer.write(&game, &mut losses).unwrap();
        assert!(losses.is_empty(), "{losses:?}");
        if case.name != "book_odd" {
            assert_eq!(writer.into_bytes().unwrap(), case.bytes("base.fbk"), "{}", case.name);
        }
    }
    assert!(seen > 1);
}
