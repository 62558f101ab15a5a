//! DCG: records, whole bases, and round trips.

use arbitrary::Unstructured;
use chess_core::Game;
use chess_store::Diagnostics;
use dcg::moves::{Record, Step};
use dcg::{
    Database, Editor, Location, Losses, OpenOptions, Parts, RecordDecoder, RecordEncoder,
    RecordOptions, Writer,
};
use testkit::{Flavour, random_game};

use crate::{by_move, read_games};

/// Any bytes as a record. A game that strict reading accepts is the same in lenient reading. A game
/// that was read is written and read back unchanged unless the writer reports a loss.
pub fn dcg_record(data: &[u8]) {
    let decode = |bytes: &[u8], mut diagnostics: Diagnostics| {
        let mut game = Game::new();
        let at = Location::file("dcg").at(10).in_game(0);
        let (mut decoder, options) = (RecordDecoder::default(), RecordOptions::default());
        let result = decoder.decode(bytes, options, &mut game, &mut diagnostics, at);
        assert_eq!(game.open_variations(), 0);
        (game, result, diagnostics)
    };
    let (game, lenient, _) = decode(data, Diagnostics::lenient());
    let (same, strict, _) = decode(data, Diagnostics::strict());
    if strict.is_ok() {
        assert!(lenient.is_ok());
        assert!(game == same);
    }
    if let Err(error) = &lenient {
        assert!(error.location().offset.is_some());
    }
    if let Ok(record) = Record::parse(data) {
        let moves = record.steps().filter(|step| matches!(step, Ok(Step::Move(_)))).count();
        assert!(game.tokens().count() <= data.len() + moves);
    }
    let (mut losses, mut bytes) = (Losses::new(), Vec::new());
    if RecordEncoder::default().encode(&game, &mut losses, &mut bytes).is_err() {
        return;
    }
    let (first, result, _) = decode(&bytes, Diagnostics::lenient());
    result.expect("what was written can be read");
    if losses.is_empty() {
        assert!(by_move(&first) == by_move(&game));
        // A FEN is written in full.
        assert!(first.start_position() == game.start_position());
    }
    let mut again = Vec::new();
    RecordEncoder::default().encode(&first, &mut Losses::new(), &mut again).expect("as before");
    assert_eq!(bytes, again);
}

/// Five files, cut from the input: four lengths of two bytes, then `.dci .dcn .dcs .dce .dcg`. If
/// the length of the `.dce` is odd, there is none. The base is opened, read, dumped, edited and
/// compacted.
pub fn dcg_base(data: &[u8]) {
    let mut data = Unstructured::new(data);
    let mut lengths = [0usize; 4];
    for length in &mut lengths {
        let bytes = [data.arbitrary().unwrap_or(0), data.arbitrary().unwrap_or(0)];
        *length = usize::from(u16::from_be_bytes(bytes));
    }
    let mut file = |length: usize| data.bytes(length.min(data.len())).unwrap_or_default().to_vec();
    let [index, players, sites, events] = lengths.map(&mut file);
    let with_events = lengths[3] % 2 == 0;
    let games = file(usize::MAX);
    let parts = Parts {
        dci: index,
        dcn: players,
        dcs: sites,
        dce: with_events.then_some(events),
        dcg: games,
    };
    let mut options = OpenOptions::default();
    let Ok(base) = Database::from_parts(parts.each_ref(), &options) else { return };
    options.strict = true;
    let sound = Database::from_parts(parts.each_ref(), &options).is_ok();
    assert_eq!(sound, base.warnings().is_empty());
    read_games(&base, u64::MAX);
    let count = base.len();
    edit(parts, count);
}

fn edit(parts: Parts<Vec<u8>>, count: u64) {
    let Ok(mut editor) = Editor::from_parts(parts, &OpenOptions::default()) else { return };
    assert_eq!(editor.len(), count);
    if count > 0 {
        editor.set_deleted(0, true).expect("it is there");
    }
    if editor.append(&Game::new(), &mut Losses::new()).is_ok() {
        assert_eq!(editor.len(), count + 1);
    }
    let mut writer = Writer::in_memory();
    if editor.copy_live(&mut writer).is_ok() {
        writer.into_bytes().expect("memory does not fail");
    }
}

/// A random game is written and read back with the same moves and glyphs.
pub fn dcg_round_trip(data: &[u8]) {
    let mut data = Unstructured::new(data);
    let Ok(game) = random_game(&mut data, Flavour { chess960: false, ..Flavour::ALL }) else {
        return;
    };
    let mut record = Vec::new();
    RecordEncoder::default().encode(&game, &mut Losses::new(), &mut record).expect("no Chess960");
    let (mut read, at) = (Game::new(), Location::file("dcg").at(10));
    let (mut decoder, options) = (RecordDecoder::default(), RecordOptions::default());
    decoder
        .decode(&record, options, &mut read, &mut Diagnostics::strict(), at)
        .expect("what was written is sound");
    assert!(read.main_line().eq(game.main_line()));
    let mut again = Vec::new();
    let mut losses = Losses::new();
    RecordEncoder::default().encode(&read, &mut losses, &mut again).expect("as before");
    assert_eq!(record, again);
    assert!(losses.is_empty());
}
