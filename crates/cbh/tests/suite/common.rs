//! Bases in memory.

use cbh::{Database, Losses, OpenOptions, Parts, Writer};
use chess_core::Game;
use testkit::{Flavour, random_games};

/// The features that the format holds without loss.
pub(crate) const FLAVOUR: Flavour = Flavour {
    setups: true,
    chess960: true,
    null_moves: true,
    variations: true,
    comments: true,
    free_comments: false,
    nags: 0,
    tags: false,
    plies: 80,
};

pub(crate) fn games(seed: u64, count: usize, flavour: Flavour) -> Vec<Game> {
    random_games(seed, count, 600, flavour)
}

pub(crate) fn write(games: &[Game]) -> (Parts<Vec<u8>>, Losses) {
    let mut losses = Losses::new();
    let mut writer = Writer::in_memory();
    for game in games {
        writer.write(game, &mut losses).unwrap();
    }
    (writer.into_bytes().unwrap(), losses)
}

pub(crate) fn open(parts: Parts<Vec<u8>>) -> Result<Database<Vec<u8>>, cbh::Error> {
    Database::from_parts(parts, &OpenOptions::default())
}

/// Reads all games. None may fail.
pub(crate) fn read(parts: Parts<Vec<u8>>) -> Vec<Game> {
    open(parts).unwrap().into_games().map(Result::unwrap).collect()
}

/// Builds a game from moves, glyphs, comments and parentheses.
pub(crate) fn game(tokens: &[&str]) -> Game {
    let mut game = Game::new();
    for token in tokens {
        match *token {
            "(" => game.start_variation().unwrap(),
            ")" => game.end_variation().unwrap(),
            token => match (token.strip_prefix('$'), token.strip_prefix('{')) {
                (Some(nag), _) => game.push_nag(cbh::chess_core::Nag(nag.parse().unwrap())),
                (_, Some(text)) => game.push_comment(text.strip_suffix('}').unwrap()).unwrap(),
                _ => game.push_move(token.parse().unwrap()),
            },
        }
    }
    game
}

/// Returns the tokens of a game in the syntax of [`game`].
pub(crate) fn tokens(game: &Game) -> Vec<String> {
    use cbh::chess_core::Token;
    let words = game.tokens().map(|token| match token {
        Token::Move(m) => m.to_string(),
        Token::Nag(nag) => nag.to_string(),
        Token::Comment(text) => format!("{{{text}}}"),
        Token::VariationStart => "(".into(),
        Token::VariationEnd => ")".into(),
    });
    words.collect()
}

/// Builds a base of two games with a guiding text between them.
pub(crate) fn with_text() -> Parts<Vec<u8>> {
    let named = |name: &str| {
        let mut game = game(&["e2e4"]);
        game.header.set("White", name);
        game
    };
    let mut parts = write(&[named("First"), named("First"), named("Second")]).0;
    #[rustfmt::skip]
    let text = [
        &[0x80, 0, 0, 54][..],                   // a text of 54 bytes
        &[3, 0, 1, 0, 0, 0, 7, 0], b"Preface",   // version 3, one title, English
        &[1, 1, 0, 0, 0, 12, 0, 0, 0], b"<p>Hello</p>", &[0, 0, 0, 0],
    ];
    let text = text.concat();
    let mut text = text;
    text[3] = text.len() as u8;
    let offset = parts.cbg.len() as u32;
    parts.cbg.extend_from_slice(&text);
    // Turns the second game into the text.
    parts.cbh[92..138].fill(0);
    parts.cbh[92] = 0x03;
    parts.cbh[93..97].copy_from_slice(&offset.to_be_bytes());
    parts
}
