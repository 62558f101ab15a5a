//! The column `Eval` of jose 1.5. movecode §9.6 "Evaluations"

use chess_core::{Game, Token};
use chess_store::Field;
use movecode::CreateOptions;

use crate::common::{open, read, write_with};

/// `1. e4 {[%wd 20000,8000]} {good} (1. d4) e5 {[%wd -,5] better} 2. Nf3 {see [%wd 1,2]}`
fn game() -> Game {
    let m = |text: &str| Token::Move(text.parse().unwrap());
    let comment = Token::Comment;
    let mut game = Game::new();
    for token in [
        m("e2e4"),
        comment("[%wd 20000,8000]"),
        comment("good"),
        Token::VariationStart,
        m("d2d4"),
        Token::VariationEnd,
        m("e7e5"),
        comment("[%wd -,5] better"),
        m("g1f3"),
        comment("see [%wd 1,2]"),
    ] {
        game.push(token).unwrap();
    }
    game
}

/// Writes two games, the second without evaluations. Returns the comments of the first and the
/// fields `Eval` of both as they are read.
fn written(evals: bool) -> (Vec<String>, Vec<String>) {
    let mut plain = Game::new();
    plain.push_move("e2e4".parse().unwrap());
    let mut options = CreateOptions::default();
    options.evals = evals;
    let (archive, losses) = write_with(&[game(), plain], &options);
    assert_eq!(losses, []);
    let base = open(archive).unwrap();
    let comments = read(&base)[0]
        .tokens()
        .filter_map(
            |token| if let Token::Comment(text) = token { Some(text.to_owned()) } else { None },
        )
        .collect();
    let mut fields = Vec::new();
    for number in 0..2 {
        base.reader()
            .dump(number, &mut |field: Field| {
                if field.name == "Eval" {
                    fields.push(field.value);
                }
            })
            .unwrap();
    }
    (comments, fields)
}

#[test]
fn evals_in_own_column_round_trip() {
    let (comments, fields) = written(true);
    // The text after a command becomes a comment of its own.
    assert_eq!(comments, ["[%wd 20000,8000]", "good", "[%wd -,5]", "better", "see [%wd 1,2]"]);
    assert_eq!(fields, ["[%wd 20000,8000] [%wd -,-] [%wd -,5] [%wd -,-]", "null"]);
}

#[test]
fn evals_without_option_stay_in_comments() {
    let (comments, fields) = written(false);
    assert_eq!(comments, ["[%wd 20000,8000]", "good", "[%wd -,5] better", "see [%wd 1,2]"]);
    assert!(fields.is_empty());
}
