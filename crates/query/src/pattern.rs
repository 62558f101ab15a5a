//! Position patterns for searches.

use std::str::FromStr;

use chess_core::{Bitboard, Color, Position, Role, Square};

use crate::{QueryError, mirrored};

/// A position to search for, from a FEN. Missing fields match anything.
///
/// An en passant square counts only if a capture there is legal, because some programs write it
/// after every double step. Clocks never count. A castling right `KQkq` with the king off the
/// e-file or no rook in the corner matches both a Chess960 right and no right: in standard chess it
/// is a leftover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionPattern {
    board: Position,
    turn: Option<Color>,
    /// The rooks that may castle: all rooks that the field names, or only the rooks that standard
    /// chess allows.
    castling: Option<[Bitboard; 2]>,
    en_passant: Option<Option<Square>>,
    /// The move number, if the FEN has one. It does not affect matching.
    move_number: Option<u16>,
}

impl PositionPattern {
    /// Parses a FEN, the first fields of a FEN, or an EPD.
    ///
    /// # Errors
    /// [`QueryError`] names the invalid field.
    pub fn parse(fen: &str) -> Result<PositionPattern, QueryError> {
        let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
        let Some(first) = fields.first() else { return Err(QueryError::Empty) };
        let field = |number: usize| fields.get(number).copied();
        let read = |upto: usize| {
            let text = fields.get(..upto.min(fields.len())).unwrap_or_default().join(" ");
            Position::from_fen(&text).map_err(QueryError::Fen)
        };
        Position::from_fen(first).map_err(QueryError::Fen)?;
        let with_turn = read(2).map_err(|_| wrong(field(1), "side to move", "w or b"))?;
        let turn = field(1).map(|_| with_turn.turn());
        let with_castling = read(3)?;
        let castling = match field(2) {
            None => None,
            Some(text) => Some(castling(text, &with_castling)?),
        };
        let board = read(4)?;
        let en_passant = match field(3) {
            None => None,
            Some(text) => Some(en_passant(text, &board)?),
        };
        if !fen.trim_end().ends_with(';') {
            clocks(fields.get(4..).unwrap_or_default())?;
        }
        let move_number = field(5).and_then(|number| number.parse().ok()).map(|n: u16| n.max(1));
        Ok(PositionPattern { board, turn, castling, en_passant, move_number })
    }

    /// Creates a pattern that matches exactly this position.
    #[must_use]
    pub fn exact(position: &Position) -> PositionPattern {
        PositionPattern {
            board: *position,
            turn: Some(position.turn()),
            castling: Some([position.castling_rooks(); 2]),
            en_passant: Some(position.legal_en_passant()),
            move_number: Some(position.fullmove_number()),
        }
    }

    /// The move number, if known.
    #[must_use]
    pub fn move_number(&self) -> Option<u16> {
        self.move_number
    }

    /// The board of the pattern, with the fields that are known.
    #[must_use]
    pub fn board(&self) -> &Position {
        &self.board
    }

    /// Returns the position, if it is the only one that matches.
    #[must_use]
    pub fn only_position(&self) -> Option<&Position> {
        let rooks = [self.board.castling_rooks(); 2];
        let is_whole = self.turn.is_some() && self.en_passant.is_some();
        Some(&self.board).filter(|_| is_whole && self.castling == Some(rooks))
    }

    /// Returns a query in CQL for the men and the side to move. CQL has no castling rights.
    pub(crate) fn to_cql(&self) -> String {
        let turn = self.turn.map(|turn| if turn == Color::White { "wtm" } else { "btm" });
        let mut words: Vec<String> = turn.map(str::to_owned).into_iter().collect();
        for color in Color::ALL {
            for role in Role::ALL {
                let men = self.board.pieces(role, color);
                let squares =
                    || format!("{}{}", mirrored::letter(role, color), mirrored::squares(men));
                match men.count() {
                    0 => {}
                    1 => words.push(squares()),
                    count => words.push(format!("{}=={count}", squares())),
                }
            }
        }
        words.push(format!("[Aa]=={}", self.board.occupied().count()));
        format!("{{{}}}", words.join(" "))
    }

    /// Returns whether `position` matches.
    #[must_use]
    #[inline]
    pub fn fits(&self, position: &Position) -> bool {
        let board = &self.board;
        Color::ALL.iter().all(|color| board.color(*color) == position.color(*color))
            && Role::ALL.iter().all(|role| board.role(*role) == position.role(*role))
            && self.turn.is_none_or(|turn| turn == position.turn())
            && self.castling.is_none_or(|rooks| rooks.contains(&position.castling_rooks()))
            && self.en_passant.is_none_or(|square| square == position.legal_en_passant())
    }
}

impl FromStr for PositionPattern {
    type Err = QueryError;

    /// Calls [`parse`](PositionPattern::parse).
    fn from_str(text: &str) -> Result<PositionPattern, QueryError> {
        PositionPattern::parse(text)
    }
}

fn wrong(text: Option<&str>, field: &'static str, why: &'static str) -> QueryError {
    QueryError::FenField { text: text.unwrap_or_default().to_owned(), field, why }
}

/// Parses the castling field. A file letter must name a rook that could castle; `KQkq` may be
/// leftovers.
fn castling(text: &str, position: &Position) -> Result<[Bitboard; 2], QueryError> {
    let wrong = |why| Err(wrong(Some(text), "castling field", why));
    if text == "-" {
        return Ok([Bitboard::EMPTY; 2]);
    }
    if !text.chars().all(|letter| letter.is_ascii_alphabetic()) {
        return wrong("write - or letters of KQkq");
    }
    if !text.chars().all(|letter| matches!(letter.to_ascii_lowercase(), 'k' | 'q' | 'a'..='h')) {
        return wrong("write - or letters of KQkq");
    }
    let rooks = position.castling_rooks();
    let by_file = text.chars().any(|letter| !matches!(letter.to_ascii_lowercase(), 'k' | 'q'));
    if !by_file {
        return Ok([rooks, rooks & !position.stray_castling_rooks()]);
    }
    if rooks.count() as usize != text.len() {
        return wrong("there is no king and rook for that right");
    }
    Ok([rooks; 2])
}

fn en_passant(text: &str, position: &Position) -> Result<Option<Square>, QueryError> {
    let wrong = |why| Err(wrong(Some(text), "en passant square", why));
    if text == "-" {
        return Ok(None);
    }
    let Ok(square) = text.parse::<Square>() else { return wrong("it is - or a square like e3") };
    if square.rank() != position.turn().en_passant_rank() {
        return wrong("it is on the third rank with Black to move, on the sixth with White");
    }
    Ok(position.legal_en_passant())
}

fn clocks(fields: &[&str]) -> Result<(), QueryError> {
    let names = ["halfmove clock", "move number"];
    for (number, text) in fields.iter().enumerate() {
        let Some(name) = names.get(number) else {
            return Err(wrong(Some(text), "field", "a FEN has six"));
        };
        if text.parse::<u32>().is_err() {
            return Err(wrong(Some(text), name, "it is a number"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Position {
        let mut position = Position::start();
        moves.split(' ').for_each(|m| position.apply(m.parse().unwrap()));
        position
    }

    #[test]
    fn from_str_agrees_with_parse() {
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b";
        assert!(fen.parse::<PositionPattern>().unwrap().fits(&after("e2e4")));
        assert!("here".parse::<PositionPattern>().is_err());
    }

    #[test]
    fn parse_without_optional_fields_matches_anything() {
        let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
        for fields in ["", " b", " b KQkq", " b KQkq -", " b KQkq e3", " b KQkq e3 0 1", " b kqKQ"]
        {
            let pattern = PositionPattern::parse(&format!("{board}{fields}")).unwrap();
            assert!(pattern.fits(&after("e2e4")), "{fields}");
        }
        for fields in [" w", " b KQk", " b -"] {
            let pattern = PositionPattern::parse(&format!("{board}{fields}")).unwrap();
            assert!(!pattern.fits(&after("e2e4")), "{fields}");
        }
    }

    #[test]
    fn fits_en_passant_square_counts_if_capture_is_legal() {
        let fen = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq";
        let position = after("g1f3 d7d5 f3g1 d5d4 e2e4");
        let fits =
            |square| PositionPattern::parse(&format!("{fen} {square}")).unwrap().fits(&position);
        assert!(fits("e3") && !fits("-"));
        assert!(PositionPattern::parse(fen).unwrap().fits(&position));
        assert!(PositionPattern::exact(&position).fits(&position));
    }

    #[test]
    fn fits_stray_castling_rights_match_chess960_and_none() {
        let board = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w";
        let of = |castling: &str| Position::from_fen(&format!("{board} {castling} - 0 1")).unwrap();
        let fits = |castling: &str, position: &Position| {
            PositionPattern::parse(&format!("{board} {castling} -")).unwrap().fits(position)
        };
        let (none, chess960) = (of("-"), of("D"));
        assert!(fits("KQkq", &none) && fits("KQkq", &chess960) && fits("Q", &none));
        assert!(fits("-", &none) && !fits("-", &chess960));
        assert!(fits("D", &chess960) && !fits("D", &none));
        let no_king = Position::from_fen("8/8/8/8/8/8/8/8 w - - 0 1").unwrap();
        assert!(PositionPattern::parse("8/8/8/8/8/8/8/8 w KQkq -").unwrap().fits(&no_king));
    }

    #[test]
    fn parse_invalid_field_is_error_naming_field() {
        let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
        for (fields, what) in [
            ("white", "side to move"),
            ("b ABC", "castling"),
            ("b KQkq e9", "en passant"),
            ("b KQkq e6", "third rank"),
            ("b KQkq - x 1", "halfmove clock"),
            ("b KQkq - 0 one", "move number"),
            ("b KQkq - 0 1 more", "six"),
            ("b xyz", "castling"),
        ] {
            let error = PositionPattern::parse(&format!("{board} {fields}")).unwrap_err();
            assert!(error.to_string().contains(what), "{fields}: {error}");
        }
        let no_king = PositionPattern::parse("8/8/8/8/8/8/8/8 w HAha -").unwrap_err();
        assert!(no_king.to_string().contains("no king and rook"), "{no_king}");
        assert!(PositionPattern::parse("").is_err() && PositionPattern::parse("here").is_err());
        assert!(PositionPattern::parse(&format!("{board} b KQkq - bm e5; id \"x\";")).is_ok());
    }
}
