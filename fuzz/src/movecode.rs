//! movecode: any codes, any tables, and round trips.

use std::io::Cursor;

use chess_core::Game;
use chess_store::Diagnostics;
use movecode::{
    Database, DecodeOptions, Dialect, EncodedGame, GameCode, Location, Losses, OpenOptions,
    decode_game, dump_game, encode_game,
};
use testkit::{Flavour, random_game};

use crate::read_games;

/// Any codes and texts. Lenient reading decodes everything that strict reading accepts, with the
/// same result. A dump names the same codes byte for byte. A decoded game is written and read back
/// unchanged unless the writer reports a loss.
pub fn movecode_record(data: &[u8]) {
    let Some((first, data)) = data.split_first() else { return };
    let dialect = if first & 1 == 0 { Dialect::Jose } else { Dialect::Published };
    let split = data.len().min(usize::from(first >> 1));
    let (comments, code) = data.split_at(split);
    let from = GameCode { fen: None, code, comments };
    let mut options = DecodeOptions::default();
    options.dialect = dialect;
    let (mut game, mut strict) = (Game::new(), Game::new());
    let at = Location::file("MYD");
    let lenient = decode_game(&from, &mut game, &options, &mut Diagnostics::lenient(), at);
    assert_eq!(game.open_variations(), 0);
    if decode_game(&from, &mut strict, &options, &mut Diagnostics::strict(), at).is_ok() {
        assert!(lenient.is_ok() && strict == game);
    }
    let mut end = 0;
    let dumped = dump_game(&from, &options, at, &mut |field| {
        assert_eq!(field.offset, end);
        end += field.bytes.len() as u64;
    });
    assert_eq!(dumped.map_err(|e| e.to_string()), lenient.map_err(|e| e.to_string()));
    let (mut encoded, mut losses) = (EncodedGame::default(), Losses::new());
    encode_game(&game, &mut encoded, &mut losses).expect("the usual start");
    let from = GameCode { fen: None, code: &encoded.code, comments: &encoded.comments };
    let mut again = Game::new();
    let options = DecodeOptions::default();
    decode_game(&from, &mut again, &options, &mut Diagnostics::lenient(), at).expect("its own");
    if losses.is_empty() {
        assert!(again.tokens().eq(game.tokens()));
    }
    let mut twice = EncodedGame::default();
    encode_game(&again, &mut twice, &mut Losses::new()).expect("as before");
    assert!(twice.code == encoded.code && twice.comments == encoded.comments);
}

/// A whole archive, or the tables of one; the first byte decides. Tables are separated by lengths
/// of two bytes.
pub fn movecode_base(data: &[u8]) {
    let Some((first, mut data)) = data.split_first() else { return };
    let options = OpenOptions::default();
    let base = if *first == 0 {
        Database::from_archive(Cursor::new(data), &options)
    } else {
        let mut files = Vec::new();
        for name in ["IO_Game.frm", "IO_Game.MYD", "IO_Player.frm", "IO_Player.MYD"] {
            let Some((length, rest)) = data.split_first_chunk::<2>() else { break };
            let length = usize::from(u16::from_be_bytes(*length)).min(rest.len());
            let (file, rest) = rest.split_at(length);
            files.push((name, file.to_vec()));
            data = rest;
        }
        Database::from_parts(files, &options)
    };
    let Ok(base) = base else { return };
    read_games(&base, 64);
}

/// A random game is written and read back unchanged.
pub fn movecode_round_trip(data: &[u8]) {
    let mut data = arbitrary::Unstructured::new(data);
    let Ok(game) = random_game(&mut data, Flavour::ALL) else { return };
    let (mut encoded, mut losses) = (EncodedGame::default(), Losses::new());
    // A start position with more pieces than slots is refused.
    if encode_game(&game, &mut encoded, &mut losses).is_err() {
        return;
    }
    assert_eq!(losses, []);
    let from = GameCode {
        fen: game.setup().map(|setup| setup.fen()),
        code: &encoded.code,
        comments: &encoded.comments,
    };
    let mut again = Game::new();
    let options = DecodeOptions::default();
    let mut diagnostics = Diagnostics::strict();
    decode_game(&from, &mut again, &options, &mut diagnostics, Location::default())
        .expect("a sound game");
    assert!(again.tokens().eq(game.tokens()));
    assert_eq!(again.header.result, game.header.result);
}
