//! Scid: records, whole bases, round trips.

use arbitrary::Unstructured;
use chess_core::{Game, Position, Replay};
use chess_store::{Diagnostics, Query};
use scid::{
    CreateOptions, Database, Encoding, Extensions, Location, Losses, Parts, TextDecoder, Version,
    Writer, decode_record,
};
use testkit::{Flavour, random_game};

use crate::{by_move, read_games};

/// Any bytes as a record. A decoded game is balanced and can be played. Lenient reading gives the
/// same game as strict reading wherever strict reading accepts the record. A game that was read is
/// written and read back unchanged unless the writer reports a loss.
pub fn scid_record(data: &[u8]) {
    let text = TextDecoder::utf8_or(Encoding::WINDOWS_1252);
    let at = Location::file("sg4").at(0);
    let (mut strictly, mut leniently) = (Game::new(), Game::new());
    let mut diagnostics = Diagnostics::lenient();
    let lenient = decode_record(data, at, &text, &mut leniently, &mut diagnostics);
    let strict = decode_record(data, at, &text, &mut strictly, &mut Diagnostics::strict());
    assert_eq!(leniently.open_variations(), 0);
    let mut replay = Replay::new(&leniently);
    leniently.tokens().for_each(|token| replay.step(token));
    if strict.is_ok() {
        assert!(lenient.is_ok());
        assert!(diagnostics.warnings().is_empty());
        assert_eq!(strictly, leniently);
    }
    let mut losses = Losses::new();
    let Some(written) = write(&leniently, &mut losses) else { return };
    let base = Database::from_parts(written.clone(), &Default::default()).expect("its own base");
    let (mut back, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    base.reader().game(0, &mut back, &mut diagnostics).expect("its own game");
    assert!(!losses.is_empty() || by_move(&back) == by_move(&leniently));
    assert!(!losses.is_empty() || back.start_position() == leniently.start_position());
    let mut more = Losses::new();
    let again = write(&back, &mut more).expect("as before");
    // A tag that was cut may be another date.
    assert!(again.games == written.games || !losses.is_empty() && !more.is_empty());
}

/// Writes a game as a base of its own, unless it is refused.
fn write(game: &Game, losses: &mut Losses) -> Option<Parts<Vec<u8>>> {
    let mut writer = Writer::in_memory();
    writer.write(game, losses).ok()?;
    Some(writer.into_bytes().expect("memory does not fail"))
}

/// Any bytes as a base. The first byte selects the version, and the next two determine how the rest
/// is cut into three files.
pub fn scid_base(data: &[u8]) {
    let [version, index, games, rest @ ..] = data else { return };
    let extensions = [Extensions::SI4, Extensions::SI5, Extensions::SI3][usize::from(version % 3)];
    let cut = |part: u8, whole: usize| whole * usize::from(part) / 255;
    let (index, rest) = rest.split_at(cut(*index, rest.len()));
    let (games, names) = rest.split_at(cut(*games, rest.len()));
    let parts = Parts { extensions, index, games, names };
    let Ok(base) = Database::from_parts(parts, &Default::default()) else { return };
    let mut reader = base.reader();
    for (number, game) in (0..).zip(read_games(&base, 64)) {
        let start = game.map_or_else(Position::start, |game| game.start_position());
        let _ = reader.may_reach(number, &Query::new(&[start]));
    }
}

/// A random game is written and read back unchanged, in both versions.
pub fn scid_round_trip(data: &[u8]) {
    for (version, chess960) in [(Version::Si4, false), (Version::Si5, true)] {
        let flavour = Flavour { chess960, free_comments: false, ..Flavour::ALL };
        let Ok(game) = random_game(&mut Unstructured::new(data), flavour) else { return };
        let mut options = CreateOptions::default();
        options.version = version;
        let mut writer = Writer::in_memory_with(&options).expect("nothing to fail");
        let mut losses = Losses::new();
        if writer.write(&game, &mut losses).is_err() {
            // The game is too long.
            continue;
        }
        assert_eq!(losses, []);
        let parts = writer.into_bytes().expect("memory");
        let base = Database::from_parts(parts, &Default::default()).expect("its own base");
        let (mut back, mut reader) = (Game::new(), base.reader());
        reader.game(0, &mut back, &mut Diagnostics::strict()).expect("its own game");
        assert_eq!(back, game);
        assert!(reader.verify(0, &back).expect("its own game").is_empty());
    }
}
