//! Engine evaluations: the column `Eval` of jose 1.5. movecode §9.6 "Evaluations"
//!
//! Each move of the game, in the order of its codes, has two numbers out of 32767: the chance to win
//! and the chance to draw. In a game they are a command at the beginning of the comment after the
//! move: `[%wd 20000,8000]`.

use chess_core::{Game, LineError, Token};

/// The number of a chance that is not known.
const UNKNOWN: u16 = 0x8000;

/// The evaluation of a move that has none.
pub(crate) const NONE: [u8; 4] = [0x80, 0, 0x80, 0];

/// The start of a command in a comment.
const COMMAND: &str = "[%wd ";

/// Adds the evaluations of a column to the moves of a game. Returns `false` if the column does not
/// have four bytes for each move.
///
/// # Errors
/// More text than a [`Game`] can hold.
// movecode §9.6.1, §9.6.2, §9.6.3
pub(crate) fn attach(game: &mut Game, column: &[u8]) -> Result<bool, LineError> {
    let (evals, rest) = column.as_chunks::<4>();
    let moves = game.tokens().filter(|token| matches!(token, Token::Move(_))).count();
    let fits = rest.is_empty() && evals.len() == moves;
    if evals.iter().all(|eval| *eval == NONE) {
        return Ok(fits);
    }
    let old = game.clone();
    game.clear_line();
    if let Some(setup) = old.setup() {
        // Cannot fail: the old game has it.
        let _ = game.set_start_fen(setup.fen());
    }
    let mut evals = evals.iter();
    for token in old.tokens() {
        game.push(token)?;
        if matches!(token, Token::Move(_))
            && let Some(eval) = evals.next().filter(|eval| **eval != NONE)
        {
            game.push_comment(&command(*eval))?;
        }
    }
    Ok(fits)
}

/// Formats an evaluation as a command.
pub(crate) fn command(eval: [u8; 4]) -> String {
    let [win, draw] = numbers(eval).map(|number| match number {
        UNKNOWN => String::from("-"),
        number => number.cast_signed().to_string(),
    });
    format!("{COMMAND}{win},{draw}]")
}

fn numbers([a, b, c, d]: [u8; 4]) -> [u16; 2] {
    [u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])]
}

/// Splits a command off the beginning of a comment. Returns the evaluation and the rest of the text.
/// `None` unless [`command`] would write the command in just this way.
// movecode §9.6.5
pub(crate) fn split_command(text: &str) -> Option<([u8; 4], &str)> {
    let (numbers, rest) = text.strip_prefix(COMMAND)?.split_once(']')?;
    let (win, draw) = numbers.split_once(',')?;
    let [a, b] = parse(win)?.to_be_bytes();
    let [c, d] = parse(draw)?.to_be_bytes();
    let eval = [a, b, c, d];
    let length = text.len().checked_sub(rest.len())?;
    let same = text.get(..length)? == command(eval) && eval != NONE;
    same.then(|| (eval, rest.strip_prefix(' ').unwrap_or(rest)))
}

fn parse(text: &str) -> Option<u16> {
    match text {
        "-" => Some(UNKNOWN),
        number => number.parse::<i16>().ok().map(i16::cast_unsigned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_of_each_number_round_trips() {
        for (eval, text) in [
            ([0, 0, 0, 0], "[%wd 0,0]"),
            ([0x7f, 0xff, 0, 1], "[%wd 32767,1]"),
            ([0x80, 0, 0x12, 0x34], "[%wd -,4660]"),
            ([0xff, 0xff, 0x80, 0], "[%wd -1,-]"),
        ] {
            assert_eq!(command(eval), text);
            assert_eq!(split_command(text), Some((eval, "")));
            assert_eq!(split_command(&format!("{text} good")), Some((eval, "good")));
        }
    }

    #[test]
    fn split_command_other_spelling_is_text() {
        for text in [
            "",
            "[%wd 1]",
            "[%wd 1,2",
            "[%wd 01,2]",
            "[%wd +1,2]",
            "[%wd -,-]",
            "[%wd 32768,0]",
            "x [%wd 1,2]",
        ] {
            assert_eq!(split_command(text), None, "{text}");
        }
    }

    #[test]
    fn attach_follows_moves_in_order_of_codes() {
        let mut game = Game::new();
        let m = |text: &str| Token::Move(text.parse().unwrap());
        let (open, close) = (Token::VariationStart, Token::VariationEnd);
        for token in [m("e2e4"), Token::Comment("x"), open, m("d2d4"), close, m("e7e5")] {
            game.push(token).unwrap();
        }
        let column = [&[0, 1, 0, 2][..], &NONE, &[0, 3, 0, 4]].concat();
        let mut read = game.clone();
        assert_eq!(attach(&mut read, &column), Ok(true));
        let comments: Vec<_> = read
            .tokens()
            .filter_map(|token| if let Token::Comment(text) = token { Some(text) } else { None })
            .collect();
        assert_eq!(comments, ["[%wd 1,2]", "x", "[%wd 3,4]"]);
        // A column of another size is read as far as it goes.
        let mut read = game.clone();
        assert_eq!(attach(&mut read, &column[..6]), Ok(false));
        assert_eq!(read.tokens().count(), game.tokens().count() + 1);
        // A column without evaluations changes nothing.
        let mut read = game.clone();
        assert_eq!(attach(&mut read, &[NONE; 3].concat()), Ok(true));
        assert!(read == game);
    }
}
