//! Chess Assistant: records, volumes, whole bases, and games there and back.

use arbitrary::{Arbitrary, Unstructured};
use chess_core::io::ReadAt;
use chess_core::seam::{CreateOptions, LossKind, OpenOptions};
use chess_core::{Diagnostics, Encoding, Game, Replay};
use chessassistant::volume::Volume;
use chessassistant::{Database, Decoder, Outputs, Parts, Reading, Writer};
use testkit::{Flavour, random_game};

fn writer() -> Writer<Vec<u8>> {
    let none = Vec::new;
    let outputs = Outputs { cdp: none(), emb: none(), d00: none(), a02: none(), d02: none() };
    // UTF-8 keeps every text.
    let options = CreateOptions { encoding: Some(Encoding::UTF_8), ..CreateOptions::default() };
    Writer::new(outputs, &options).expect("memory does not fail")
}

fn open(files: Outputs<Vec<u8>>) -> Database {
    let boxed = |bytes: Vec<u8>| Box::new(bytes) as Box<dyn ReadAt>;
    let parts = Parts {
        cdp: Some(boxed(files.cdp)),
        emb: Some(boxed(files.emb)),
        d00: boxed(files.d00),
        a02: boxed(files.a02),
        d02: boxed(files.d02),
    };
    let extra = vec![("reading".to_owned(), "right".to_owned())];
    let options = OpenOptions { encoding: Some(Encoding::UTF_8), extra };
    Database::from_parts(parts, &options).expect("memory does not fail")
}

/// Any codes, under each reading: the game is sound; what strict accepts is read without a
/// warning, and written again it reads the same.
pub fn chessassistant_record(data: &[u8]) {
    let mut game = Game::new();
    for reading in Reading::ALL {
        let decoder = Decoder::new(Encoding::UTF_8, reading);
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
            there_and_back(&game);
        }
    }
}

/// A game written is read again, the same if no loss was reported.
fn there_and_back(game: &Game) {
    let mut writer = writer();
    let mut losses = Vec::new();
    if writer.write(game, &mut losses).is_err() {
        return;
    }
    let base = open(writer.finish().expect("memory does not fail"));
    let mut again = Game::new();
    base.game(0, &mut again, &mut Diagnostics::lenient()).expect("what was just written");
    if losses.is_empty() {
        assert!(again.tokens().eq(game.tokens()));
        assert!(again.start_position().same_position(&game.start_position()));
        assert!(again.header == game.header);
    }
}

/// Any bytes as a volume: no more memory than a few times their size.
pub fn chessassistant_volume(data: &[u8]) {
    let Ok(volume) = Volume::open(data, &mut Diagnostics::lenient()) else { return };
    for entry in volume.entries().iter().take(64) {
        if let Ok(file) = volume.read(entry) {
            assert_eq!(file.bytes().len(), entry.length() as usize);
            assert!(file.bytes().len() <= data.len());
        }
    }
}

/// Any bytes as the files of a base, cut where their first bytes say.
pub fn chessassistant_base(data: &[u8]) {
    let mut data = Unstructured::new(data);
    let mut file = || Vec::<u8>::arbitrary(&mut data).unwrap_or_default();
    let (d02, a02, d00, cdp) = (file(), file(), file(), file());
    let base = open(Outputs { cdp, emb: data.take_rest().to_vec(), d00, a02, d02 });
    let mut game = Game::new();
    for number in 0..base.len().min(100) {
        if let Err(error) = base.game(number, &mut game, &mut Diagnostics::lenient()) {
            assert_eq!(error.location().game, Some(number));
        }
        assert_eq!(game.open_variations(), 0);
        let _ = base.dump(number, &mut |_| {});
    }
    let _ = base.about();
}

/// A random game comes back but for what was reported.
pub fn chessassistant_game(data: &[u8]) {
    let mut data = Unstructured::new(data);
    let Ok(game) = random_game(&mut data, Flavour::ALL) else { return };
    there_and_back(&game);
    let mut writer = writer();
    let mut losses = Vec::new();
    if writer.write(&game, &mut losses).is_err() {
        return;
    }
    // The game has no move, glyph or text that the format lacks.
    let dropped = [LossKind::Move, LossKind::NullMove, LossKind::Comment, LossKind::Characters];
    assert!(losses.iter().all(|loss| !dropped.contains(&loss.kind)), "{losses:?}");
}
