//! Texts of cells: for comma-separated values, and of main lines.

use std::borrow::Cow;
use std::fmt::Write as _;

use chess_core::{Game, Move, Position};

/// Formats a cell by RFC 4180.
///
/// A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return as a
/// formula. Such a cell gets an apostrophe at its front, unless it is a number or has no letter and no
/// digit.
///
/// ```
/// use query::columns::csv_cell;
///
/// assert_eq!(csv_cell("Alder, Nora"), "\"Alder, Nora\"");
/// assert_eq!(csv_cell("=HYPERLINK(A1)"), "'=HYPERLINK(A1)");
/// assert_eq!(csv_cell("-12.5"), "-12.5");
/// ```
#[must_use]
pub fn csv_cell(text: &str) -> Cow<'_, str> {
    let mark = if is_formula(text) { "'" } else { "" };
    if text.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{mark}{}\"", text.replace('"', "\"\"")))
    } else if mark.is_empty() {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("{mark}{text}"))
    }
}

fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
        && text.chars().any(char::is_alphanumeric)
        && text.parse::<f64>().is_err()
}

/// Returns the main line in UCI notation, with blanks between the moves.
pub fn uci(game: &Game) -> String {
    moves(game, |position, m, out| {
        let _ = write!(out, "{}", position.engine_move(m));
    })
}

/// Returns the main line in SAN, with blanks between the moves and without numbers.
pub fn san(game: &Game) -> String {
    moves(game, pgn::write_san)
}

fn moves(game: &Game, push: impl Fn(&Position, Move, &mut String)) -> String {
    let (mut text, mut position) = (String::new(), game.start_position());
    for m in game.main_line() {
        if !text.is_empty() {
            text.push(' ');
        }
        push(&position, m, &mut text);
        position.apply(m);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_cell_of_formula_gets_apostrophe() {
        for (text, cell) in [
            ("", ""),
            ("plain", "plain"),
            ("a\"b", "\"a\"\"b\""),
            ("a\nb", "\"a\nb\""),
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("+cmd|'/C calc'!A0", "'+cmd|'/C calc'!A0"),
            ("-2+3", "'-2+3"),
            ("\t=1", "'\t=1"),
            ("\r=1", "\"'\r=1\""),
            ("=A1,B1", "\"'=A1,B1\""),
            ("-", "-"),
            ("--", "--"),
            ("+3", "+3"),
            ("-12.5", "-12.5"),
            ("1-0", "1-0"),
        ] {
            assert_eq!(csv_cell(text), cell, "{text:?}");
        }
    }
}
