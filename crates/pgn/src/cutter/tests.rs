use chess_core::Game;
use chess_store::Diagnostics;

use super::*;
use crate::Reader;

/// Reference implementation: the end of each game, and whether the game is too long to hold.
fn in_one_piece_up_to(text: &[u8], most: usize) -> Vec<(u64, bool)> {
    let mut parser = Parser::new(Cutter::new(text).decoder, most);
    let (mut games, mut game, mut at) = (Vec::new(), Game::new(), 0);
    while at < text.len() {
        let rest = &text[at..];
        let view = &rest[..most.min(rest.len())];
        let outcome = parser.parse(view, at == 0, 0..0, &mut game);
        let too_long = outcome.hit_end && rest.len() > most;
        let (mut length, mut held) = (outcome.end, outcome.end);
        if too_long {
            held = match next_section(view, most / 2, false) {
                NextSection::At(next) | NextSection::Perhaps(next) => next,
                NextSection::None => most,
            };
            length = match next_section(rest, most / 2, true) {
                NextSection::At(next) => next,
                _ => rest.len(),
            };
        }
        if outcome.found || too_long {
            games.push(((at + held) as u64, too_long));
        }
        at += length;
    }
    games
}

const GAME: &str = "[Event \"x\"]\n[White \"y\"]\n\n1. e4 {c} e5 (1... c5) 1-0\n\n";

/// Texts that make a game too long, or only seem to.
const LONG: [&str; 14] = [
    "1. e4 {never closed\n\n",
    "1. e4 {a\n[Event \"x\"]\n} {\n\n[Foo bar]\n} *\n",
    "{ ",
    "{a}",
    "1. e4 * ",
    "1. Nf3 Nf6 2. Ng1 Ng8 ",
    "[A \"b\"]\n",
    "\n\n[A b]\n",
    "[A",
    "1/2-1/2 ",
    "words ",
    "%\n\n",
    "1. e4 {a {b} c} *\n\n",
    "[White \"y\"]\n\n1. e4 [%a] *\n\n",
];

#[test]
fn cutter_long_games_do_not_depend_on_block_size() {
    for (number, first) in LONG.iter().enumerate() {
        for second in LONG {
            let (first, second) = (first.repeat(30), second.repeat(9));
            let text = format!("{GAME}{first}{GAME}{second}{first}{GAME}{GAME}{second}{GAME}");
            let most = 150 + 40 * number;
            let expected = in_one_piece_up_to(text.as_bytes(), most);
            for size in [1, 40, 150, 1000] {
                let mut cutter = Cutter::new(text.as_bytes()).block_size(size);
                cutter.max_game = most;
                let mut reader = Reader::from(cutter);
                let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
                for (end, too_long) in &expected {
                    let result = reader.read_game(&mut game, &mut diagnostics);
                    assert_eq!(reader.position(), *end, "blocks of {size}, {most}: {text:?}");
                    let said = result.is_err_and(|error| {
                        matches!(error.kind(), ErrorKind::TooLong(length) if *length == most)
                    });
                    // An error in the part that was read takes precedence.
                    assert!(said <= *too_long, "blocks of {size}, {most}: {text:?}");
                }
                assert!(!reader.read_game(&mut game, &mut diagnostics).unwrap());
            }
        }
    }
}

#[test]
fn cutter_long_game_leaves_other_games_intact() {
    let long = format!("[White \"A\"]\n\n1. e4 {{{}}} *\n\n", "long ".repeat(1000));
    let text = format!("[White \"0\"]\n\n*\n\n{long}[White \"Z\"]\n\n1. d4 *\n");
    let mut cutter = Cutter::new(text.as_bytes()).block_size(100);
    cutter.max_game = 1000;
    let mut reader = Reader::from(cutter);
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    assert!(reader.read_game(&mut game, &mut diagnostics).unwrap());
    let error = reader.read_game(&mut game, &mut diagnostics).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooLong(1000)));
    assert_eq!(error.location().game, Some(1));
    assert_eq!((game.header.white.as_str(), game.ply_count()), ("A", 1));
    assert!(reader.read_game(&mut game, &mut diagnostics).unwrap());
    assert_eq!((game.header.white.as_str(), game.ply_count()), ("Z", 1));
    assert!(!reader.read_game(&mut game, &mut diagnostics).unwrap());
    assert_eq!((reader.found(), reader.position()), (3, text.len() as u64));
}
