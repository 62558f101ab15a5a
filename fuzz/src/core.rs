//! chess-core: FEN from untrusted text, and the generator that the other targets use.

use chess_core::{Game, Position, Replay, Token};
use testkit::{Flavour, random_game};

/// Any text as a FEN. An accepted position is written and accepted again as the same position, and
/// any walk from it succeeds.
pub fn core_fen(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(mut position) = Position::from_fen(&text) else { return };
    let again = Position::from_fen(&position.to_fen()).expect("its own FEN");
    assert_eq!(again.to_fen(), position.to_fen());
    for byte in data.iter().take(64) {
        let moves = position.legal_moves();
        let Some(m) = moves.get(usize::from(*byte) % moves.len().max(1)) else { return };
        position.apply(*m);
    }
}

/// A random game is balanced, its moves are legal, and a copy made token by token is equal.
pub fn core_game(data: &[u8]) {
    let mut data = arbitrary::Unstructured::new(data);
    let Ok(game) = random_game(&mut data, Flavour::ALL) else { return };
    assert_eq!(game.open_variations(), 0);
    let mut copy = Game::new();
    copy.header = game.header.clone();
    if let Some(setup) = game.setup() {
        copy.set_start_fen(setup.fen()).expect("its own FEN");
    }
    let mut replay = Replay::new(&game);
    for token in game.tokens() {
        if let Token::Move(m) = token {
            assert!(replay.position().is_legal(m) || m.is_null(), "{m}");
        }
        replay.step(token);
        copy.push(token).expect("a token of a sound game");
    }
    assert!(copy == game);
}
