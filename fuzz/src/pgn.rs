//! PGN text.

use std::io;
use std::sync::Arc;

use arbitrary::Unstructured;
use chess_core::{Game, Variant};
use chess_store::{Diagnostics, StreamInput};
use testkit::{Flavour, random_game};

/// Returns all games of a text, and whether each was read without an error. Panics if the reader
/// makes no progress.
fn read(text: &[u8]) -> Vec<(Game, bool)> {
    let mut reader = pgn::Reader::new(text);
    let mut diagnostics = Diagnostics::lenient();
    let (mut games, mut game) = (Vec::new(), Game::new());
    loop {
        let before = reader.position();
        let result = reader.read_game(&mut game, &mut diagnostics);
        diagnostics.clear();
        match result {
            Ok(false) => return games,
            Err(error) if matches!(error.kind(), pgn::ErrorKind::Utf16) => return games,
            _ => {}
        }
        assert!(reader.position() > before, "no step forward at {before}");
        assert_eq!(game.open_variations(), 0);
        games.push((game.clone(), result.is_ok()));
    }
}

/// Any text: reading it ends, and its games can be written and read back unchanged.
pub fn pgn_text(data: &[u8]) {
    for (game, _) in read(data) {
        let text = pgn::to_string(&game);
        let back = read(text.as_bytes());
        // An error is expected again only for an invalid FEN or an unsupported variant.
        let unreadable_start = game.setup().is_none() && game.header.tags.get("FEN").is_some();
        let variant = matches!(game.variant(), Variant::Unsupported(_));
        assert!(unreadable_start || variant || back.iter().all(|(_, sound)| *sound), "{text}");
        assert_eq!(back.len(), 1, "{text}");
        assert!(back.iter().all(|(read, _)| *read == game), "{text}");
        assert!(back.iter().all(|(read, _)| pgn::to_string(read) == text), "{text}");
    }
}

/// Any text: neither the block boundaries nor skipping the moves changes the games, errors and
/// warnings, or the places where games end. The first byte is the size of blocks.
pub fn pgn_blocks(data: &[u8]) {
    let Some((&size, text)) = data.split_first() else { return };
    let size = usize::from(size).saturating_add(1);
    let (whole, blocks) = (read_blocks(text, pgn::MAX_GAME), read_blocks(text, size));
    assert_eq!(whole, blocks, "blocks of {size}");
    let file = StreamInput::of_file(Arc::new(text.to_vec()));
    let cutter = pgn::Cutter::of_input(file, &pgn::OpenOptions::default()).block_size(size);
    assert_eq!(whole, read_all(pgn::Reader::from(cutter)), "blocks of {size} of a file");
    let (whole_headers, headers) = (read_headers(text, pgn::MAX_GAME), read_headers(text, size));
    assert_eq!(whole_headers, headers, "headers from blocks of {size}");
    assert!(whole.into_iter().map(|game| (game.end, game.header)).eq(headers));
}

/// A game that was read.
#[derive(PartialEq, Eq, Debug)]
struct Read {
    /// Where it ends.
    end: u64,
    header: pgn::Header,
    /// Its content and messages.
    content: String,
}

fn read_blocks(text: &[u8], size: usize) -> Vec<Read> {
    read_all(pgn::Reader::from(pgn::Cutter::new(text).block_size(size)))
}

fn read_all<R: io::Read + Send>(mut reader: pgn::Reader<R>) -> Vec<Read> {
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let mut games = Vec::new();
    loop {
        let result = reader.read_game(&mut game, &mut diagnostics);
        let ended = matches!(result, Ok(false));
        let said = format!("{:?} {:?}", result.err(), diagnostics.warnings());
        let (header, content) = (game.header.clone(), said + &pgn::to_string(&game));
        games.push(Read { end: reader.position(), header, content });
        diagnostics.clear();
        if ended {
            return games;
        }
    }
}

/// Returns where each game ends, and its header, without reading the moves.
fn read_headers(text: &[u8], size: usize) -> Vec<(u64, pgn::Header)> {
    let mut reader = pgn::Reader::from(pgn::Cutter::new(text).block_size(size));
    let (mut header, mut diagnostics) = (pgn::Header::default(), Diagnostics::lenient());
    let mut headers = Vec::new();
    loop {
        let result = reader.read_header(&mut header, &mut diagnostics);
        headers.push((reader.position(), header.clone()));
        diagnostics.clear();
        if matches!(result, Ok(false)) {
            return headers;
        }
    }
}

/// Any game: it can be written and read back strictly, unchanged.
pub fn pgn_game(data: &[u8]) {
    let Ok(game) = random_game(&mut Unstructured::new(data), Flavour::ALL) else { return };
    let text = pgn::to_string(&game);
    let mut reader = pgn::Reader::new(text.as_bytes());
    let mut back = Game::new();
    assert!(reader.read_game(&mut back, &mut Diagnostics::strict()).expect("own text"), "{text}");
    assert!(back == game, "{text}");
}

/// Any text as a move, in the start position and some others: a parsed move is legal, and its SAN
/// is parsed as the same move.
pub fn pgn_san(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/1P4P1/8/3pP3/3Q1Q2/8/3Q4/R3K2R w KQkq d6 0 1",
        "1r2k1r1/p6p/8/8/3pP3/8/8/1R2K1R1 b GBgb e3 0 1",
    ] {
        let position = chess_core::Position::from_fen(fen).expect("a FEN");
        let Ok(m) = pgn::parse_san(&position, text) else { continue };
        assert!(m.is_null() || position.is_legal(m), "{text}");
        let san = pgn::San::new(&position, m);
        assert_eq!(pgn::parse_san(&position, san.as_str()), Ok(m), "{text} {san}");
    }
}
