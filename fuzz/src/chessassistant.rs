//! Chess Assistant: records, volumes, whole bases, and round trips.

use arbitrary::{Arbitrary, Unstructured};
use chess_core::{Game, Replay};
use chessassistant::volume::Volume;
use chessassistant::{
    CreateOptions, Database, Decoder, Diagnostics, Encoding, LossKind, Losses, OpenOptions, Parts,
    Reading, Writer,
};
use testkit::{Flavour, random_game};

use crate::read_games;

fn writer() -> Writer<Vec<u8>> {
    // UTF-8 can hold every text.
    let mut options = CreateOptions::default();
    options.encoding = Some(Encoding::UTF_8);
    Writer::from_parts(Parts::default(), &options).expect("memory does not fail")
}

fn open(files: Parts<Vec<u8>>) -> Database<Vec<u8>> {
    let mut options = OpenOptions::default();
    options.encoding = Some(Encoding::UTF_8);
    options.reading = Some(Reading::Right);
    Database::from_parts(files, &options).expect("memory does not fail")
}

/// Any codes, in each interpretation: the game is sound. A game that strict reading accepts has no
/// warning, and is written and read back unchanged.
pub fn chessassistant_record(data: &[u8]) {
    let mut game = Game::new();
    for reading in Reading::ALL {
        let mut decoder = Decoder::new(Encoding::UTF_8, reading);
        let mut lenient = Diagnostics::lenient();
        let read = decoder.decode(data, &mut game, &mut lenient);
        assert_eq!(game.open_variations(), 0);
        let mut replay = Replay::new(&game);
        game.tokens().for_each(|token| replay.step(token));

        let mut strict_game = Game::new();
        let strict = decoder.decode(data, &mut strict_game, &mut Diagnostics::strict());
        let clean = read.is_ok() && lenient.warnings().is_empty();
        assert_eq!(strict.is_ok(), clean);
        if clean {
            assert!(strict_game == game);
        }
        if read.is_ok() {
            assert_round_trip(&game);
        }
    }
}

/// Writes a game and reads it back. It must be unchanged if no loss was reported, and writing it
/// again must give the same bytes, or after losses the same game.
fn assert_round_trip(game: &Game) {
    let mut losses = Losses::new();
    let write = |game: &Game, losses: &mut Losses| {
        let mut writer = writer();
        writer.write(game, losses).ok()?;
        Some(writer.into_bytes().expect("memory does not fail"))
    };
    let Some(written) = write(game, &mut losses) else { return };
    let base = open(written.clone());
    let again = base.games().next().expect("a game").expect("what was just written");
    let twice = write(&again, &mut Losses::new()).expect("as before");
    if !losses.is_empty() {
        // A comment is written otherwise if no move follows it any more.
        let read = open(twice).games().next().expect("a game").expect("what was just written");
        assert!(read == again);
    } else {
        assert!(twice == written);
        assert!(again.tokens().eq(game.tokens()));
        assert!(again.start_position().same_position(&game.start_position()));
        assert!(again.header == game.header);
    }
}

/// Any bytes as a volume: reading it takes at most a few times their size in memory.
pub fn chessassistant_volume(data: &[u8]) {
    let Ok(volume) = Volume::open(data, &mut Diagnostics::lenient()) else { return };
    for entry in volume.entries().iter().take(64) {
        if let Ok(file) = volume.read(entry) {
            assert_eq!(file.bytes().len(), entry.length() as usize);
            assert!(file.bytes().len() <= data.len());
        }
    }
}

/// Any bytes as the files of a base, cut at the places that the first bytes give.
pub fn chessassistant_base(data: &[u8]) {
    let mut data = Unstructured::new(data);
    let mut file = || Vec::<u8>::arbitrary(&mut data).unwrap_or_default();
    let (d02, a02, d00, cdp) = (file(), file(), file(), file());
    let base = open(Parts { cdp, emb: data.take_rest().to_vec(), d00, a02, d02 });
    read_games(&base, 100);
    let _ = base.about();
}

/// A random game is written and read back unchanged, except for reported losses.
pub fn chessassistant_game(data: &[u8]) {
    let mut data = Unstructured::new(data);
    let Ok(game) = random_game(&mut data, Flavour::ALL) else { return };
    assert_round_trip(&game);
    let mut writer = writer();
    let mut losses = Losses::new();
    if writer.write(&game, &mut losses).is_err() {
        return;
    }
    // The game has no move, glyph or text that the format lacks.
    let dropped = [LossKind::Move, LossKind::NullMove, LossKind::Comment, LossKind::Characters];
    assert!(losses.iter().all(|loss| !dropped.contains(&loss.kind)), "{losses:?}");
}
