//! Dashes and `move`.

use chess_core::Bitboard;

use super::{Parser, level};
use crate::error::{ErrorKind, Result};
use crate::expr::{Expr, Kind, Men, MoveFilter, MoveSource, MoveValue};
use crate::lexer::{self, Kind as Tok};
use crate::words::WORDS;

impl<'t> Parser<'t> {
    fn is_dash(&self) -> bool {
        self.is_sign("--") || self.is_sign("[x]")
    }

    pub(super) fn dashed(&mut self) -> Result<Expr> {
        let start = self.token.start;
        let left = if self.is_dash() { None } else { Some(self.at()?) };
        if !(self.is_dash() && (left.is_none() || self.touches())) {
            // `left` is always there: a dash would have been taken.
            return left.map_or_else(|| self.missing(), Ok);
        }
        let left = left.map(|left| self.need_set(left, "a move")).transpose()?;
        let capture = self.is_sign("[x]");
        self.advance()?;
        let mut dash = MoveFilter { value: MoveValue::Test, from: left, ..MoveFilter::default() };
        if self.touches() && self.starts_target()? {
            let right = self.at()?;
            let right = Some(self.need_set(right, "a move")?);
            if capture { dash.capture = right } else { dash.to = right }
        } else if capture {
            let men = Men { kinds: Men::WHITE | Men::BLACK, squares: Bitboard::ALL };
            dash.capture = Some(self.make(Kind::Men(men), start)?);
        }
        if self.touches() && self.is_sign("=") {
            self.advance()?;
            dash.promote = Some(self.promotion("=")?);
        }
        if self.touches() && self.is_sign("(") {
            let open = self.advance()?.start;
            dash.after = self.filters_until(")", open, "parenthesis")?;
        }
        self.make(Kind::Move(Box::new(dash)), start)
    }

    /// Whether a dash is followed by its right side. `{2}` repeats the dash instead.
    fn starts_target(&self) -> Result<bool> {
        Ok(match self.token.kind {
            Tok::Men { .. } | Tok::Sign(".") => true,
            Tok::Sign("{") => !self.is_repetition()?,
            Tok::Word(word) => !WORDS.contains(&word),
            _ => false,
        })
    }

    /// Whether `{` begins `{2}`, `{2,}`, `{2,5}` or `{2 5}`.
    pub(super) fn is_repetition(&self) -> Result<bool> {
        let number = self.peek_after()?;
        if !matches!(number.kind, Tok::Number(_)) {
            return Ok(false);
        }
        let next = lexer::token(self.text, number.end)?;
        Ok(matches!(next.kind, Tok::Sign("}" | ",") | Tok::Number(_)))
    }

    fn promotion(&mut self, after: &str) -> Result<u16> {
        let token = self.advance()?;
        match token.kind {
            Tok::Men { men, bare: true } => {
                Ok((men.kinds | men.kinds >> 6 | Men::swapped(men.kinds)) & Men::WHITE)
            }
            Tok::Men { .. } if after == "promote" => {
                let text = self.slice(token.start, token.end);
                let squares =
                    text.find(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']).unwrap_or_default();
                let squares = if squares == 0 { text.len().saturating_sub(2) } else { squares };
                let pieces = text.get(..squares).unwrap_or_default();
                let square = text.get(squares..).unwrap_or_default();
                let message = format!(
                    "promote takes a piece without a square; the square belongs to \"to\": move to {square} promote {pieces}"
                );
                self.fail(ErrorKind::Syntax, token.start, message)
            }
            _ => {
                let message = format!("after \"{after}\" stands a piece, such as Q or [RBN]");
                self.fail(ErrorKind::Syntax, token.start, message)
            }
        }
    }

    pub(super) fn move_filter(&mut self, start: usize) -> Result<Expr> {
        let mut m = MoveFilter::default();
        let mut value = None;
        while let Tok::Word(word) = self.token.kind {
            let part = match word {
                "from" => Some((MoveValue::From, &mut m.from)),
                "to" => Some((MoveValue::To, &mut m.to)),
                "capture" => Some((MoveValue::Capture, &mut m.capture)),
                "enpassantsquare" => Some((MoveValue::From, &mut m.en_passant_square)),
                _ => None,
            };
            if let Some((part_value, part)) = part {
                if part.is_some() {
                    let message = format!("{word} stands twice in one move");
                    return self.fail(ErrorKind::Syntax, self.token.start, message);
                }
                self.advance()?;
                let set = self.binary(level::DIRECT)?;
                *part = Some(self.need_set(set, word)?);
                if word != "enpassantsquare" {
                    value.get_or_insert(part_value);
                }
                continue;
            }
            match word {
                "promote" => {
                    self.advance()?;
                    m.promote = Some(self.promotion("promote")?);
                    continue;
                }
                "enpassant" => m.en_passant = true,
                "castle" => m.castle = 3,
                "o-o" => m.castle = 1,
                "o-o-o" => m.castle = 2,
                "null" => m.null = true,
                "primary" => m.primary = Some(true),
                "secondary" => m.primary = Some(false),
                "previous" => m.source = MoveSource::Previous,
                "legal" => m.source = MoveSource::Legal,
                "pseudolegal" => m.source = MoveSource::PseudoLegal,
                "count" => value = Some(MoveValue::Count),
                _ => break,
            }
            self.advance()?;
        }
        m.value = match value {
            Some(MoveValue::Count) => MoveValue::Count,
            _ if m.null => MoveValue::Test,
            value => value.unwrap_or_default(),
        };
        self.make(Kind::Move(Box::new(m)), start)
    }
}
