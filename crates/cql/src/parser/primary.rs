//! Designators, words, names and texts.

use chess_core::{Bitboard, Color, GameResult};

use super::{Parser, Use, bodies, describe, level};
use crate::error::{ErrorKind, Result};
use crate::expr::{Expr, Kind, Men, MoveFilter, MoveValue, Type};
use crate::geometry::Directions;
use crate::lexer::{self, Kind as Tok, Token};
use crate::words::{INFIX, LEFT_OUT, OLD, SIMPLE, WORDS, named, nearest};

impl<'t> Parser<'t> {
    /// A primary, with `:` and what is evaluated there.
    pub(super) fn at(&mut self) -> Result<Expr> {
        let left = self.primary()?;
        if !self.is_sign(":") {
            return Ok(left);
        }
        let colon = self.advance()?;
        if left.ty() != Type::Position {
            let message = format!(
                "before \":\" stands a position, such as child or parent; {} is {}",
                self.quote(&left),
                describe(left.ty())
            );
            return self.fail(ErrorKind::Type, colon.start, message);
        }
        self.depth = self.depth.saturating_add(1);
        if self.depth > self.limits.depth {
            return self.too_deep(self.token.start);
        }
        let right = self.after_colon()?;
        self.depth = self.depth.saturating_sub(1);
        let start = left.start;
        self.make(Kind::At(Box::new((left, right))), start)
    }

    /// After `:` a prefix sign takes one primary: `parent:#A != 16` compares `parent:#A`.
    fn after_colon(&mut self) -> Result<Expr> {
        let start = self.token.start;
        let word = match self.token.kind {
            Tok::Sign(sign @ ("#" | "~" | "-")) => sign,
            Tok::Word(word @ ("power" | "rank" | "file" | "light" | "dark" | "not")) => word,
            _ => return self.at(),
        };
        self.advance()?;
        let of = self.after_colon()?;
        self.prefixed(word, of, (1, 7), start)
    }

    pub(super) fn missing<T>(&self) -> Result<T> {
        let token = self.token;
        if let Tok::Sign(close @ ("}" | ")" | "]")) = token.kind
            && self.depth <= 1
        {
            let message = format!("\"{close}\" closes nothing here");
            return self.fail(ErrorKind::Syntax, token.start, message);
        }
        let before = self.slice(self.before.start, self.before.end);
        let message = match token.kind {
            _ if token.start == self.before.start => {
                format!("a filter cannot begin with \"{}\"", self.slice(token.start, token.end))
            }
            Tok::End | Tok::Sign("}" | ")" | "]") => {
                format!("after \"{before}\" a filter is missing")
            }
            _ => format!(
                "after \"{before}\" a filter is expected, not \"{}\"",
                self.slice(token.start, token.end)
            ),
        };
        self.fail(ErrorKind::Syntax, token.start, message)
    }

    pub(super) fn primary(&mut self) -> Result<Expr> {
        let token = self.token;
        let start = token.start;
        match token.kind {
            Tok::Men { men, .. } => {
                self.advance()?;
                let edge = Bitboard::rank(0) | Bitboard::rank(7);
                let pawns = (1 << 5) | (1 << 11);
                if men.kinds & !pawns == 0 && (men.squares & !edge).is_empty() {
                    let text = self.slice(start, token.end);
                    let message = format!("{text} can never match: no pawn stands on rank 1 or 8");
                    self.warn(start, message);
                }
                self.make(Kind::Men(men), start)
            }
            Tok::Number(number) => {
                self.advance()?;
                self.make(Kind::Number(number), start)
            }
            Tok::Text(text) => {
                self.advance()?;
                self.make(Kind::Literal(text.to_owned()), start)
            }
            Tok::Sign(".") => {
                self.advance()?;
                self.make(Kind::Men(Men { kinds: Men::ANY, squares: Bitboard::ALL }), start)
            }
            Tok::Sign("{") => {
                self.advance()?;
                let mut list = self.filters_until("}", start, "brace")?;
                if list.is_empty() {
                    return self.fail(ErrorKind::Syntax, start, "the braces are empty");
                }
                let kind = match list.pop() {
                    Some(only) if list.is_empty() => only.kind,
                    last => {
                        list.extend(last);
                        Kind::Block(list)
                    }
                };
                self.make(kind, start)
            }
            Tok::Sign("(") => {
                self.advance()?;
                let mut list = self.filters_until(")", start, "parenthesis")?;
                match (list.pop(), list.is_empty()) {
                    (Some(only), true) => self.make(only.kind, start),
                    (Some(_), false) => {
                        let message = "parentheses hold one filter; for several write braces {}";
                        self.fail(ErrorKind::Syntax, start, message)
                    }
                    (None, _) => self.fail(ErrorKind::Syntax, start, "the parentheses are empty"),
                }
            }
            Tok::Word(word) if INFIX.contains(&word) => self.missing(),
            Tok::Word(word) => self.word(word, start),
            _ => self.missing(),
        }
    }

    pub(super) fn word(&mut self, word: &'t str, start: usize) -> Result<Expr> {
        if !WORDS.contains(&word) {
            return self.name(word, start);
        }
        self.advance()?;
        if let Some(kind) = named(SIMPLE, word) {
            return self.make(kind.clone(), start);
        }
        let kind = match word {
            "o-o" | "o-o-o" | "castle" => {
                let castle = match word {
                    "o-o" => 1,
                    "o-o-o" => 2,
                    _ => 3,
                };
                let value = MoveValue::Test;
                Kind::Move(Box::new(MoveFilter { value, castle, ..MoveFilter::default() }))
            }
            "result" => Kind::Result(self.result()?),
            "elo" => Kind::Elo(self.color()?),
            _ => return self.complex_word(word, start),
        };
        self.make(kind, start)
    }

    fn complex_word(&mut self, word: &'t str, start: usize) -> Result<Expr> {
        if let Some(transform) = bodies::transform(word) {
            return self.transform(transform, word, start);
        }
        match word {
            "move" => self.move_filter(start),
            "find" => self.find(start),
            "line" | "path" => self.sequence(word == "path", start),
            "if" => self.condition(start),
            "piece" | "square" => self.each(word == "piece", start),
            "persistent" => self.persistent(start),
            "sort" => self.sort(start),
            "comment" | "message" => self.note(word, start),
            "notransform" => {
                let body = self.filter()?;
                self.make(Kind::Protected(Box::new(body)), start)
            }
            "ray" | "xray" => {
                let mut directions = Directions(0);
                while let Tok::Word(word) = self.token.kind
                    && let Some(more) = Directions::named(word)
                {
                    self.advance()?;
                    directions.0 |= more.0;
                }
                if directions.0 == 0 {
                    directions = Directions::ALL;
                }
                let sets = self.arguments(word, 2)?;
                let sets =
                    sets.into_iter().map(|set| self.need_set(set, word)).collect::<Result<_>>()?;
                self.make(Kind::Ray { slider: word == "xray", directions, sets }, start)
            }
            "between" => {
                let mut sets = self.arguments(word, 2)?.into_iter();
                let (Some(a), Some(b), None) = (sets.next(), sets.next(), sets.next()) else {
                    return self.fail(
                        ErrorKind::Syntax,
                        start,
                        "between takes two sets of squares",
                    );
                };
                let pair = (self.need_set(a, word)?, self.need_set(b, word)?);
                self.make(Kind::Between(Box::new(pair)), start)
            }
            "pin" => self.pin(start),
            "max" | "min" => {
                let of = self.arguments(word, 2)?;
                of.iter().try_for_each(|number| self.need_number(number))?;
                self.make(Kind::Extreme { max: word == "max", of }, start)
            }
            "abs" => {
                let of = self.binary(level::SUM)?;
                self.need_number(&of)?;
                self.make(Kind::Absolute(Box::new(of)), start)
            }
            "player" => {
                let color = self.color()?;
                self.text(Kind::Player(color), start)
            }
            "white" => self.text(Kind::Player(Some(Color::White)), start),
            "black" => self.text(Kind::Player(Some(Color::Black)), start),
            "event" => self.field("Event", start),
            "site" => self.field("Site", start),
            "date" => self.field("Date", start),
            "eventdate" => self.field("EventDate", start),
            "eco" => self.field("ECO", start),
            "tag" => {
                let Some(name) = self.take_text()? else {
                    let message = "after tag stands its name in quotes: tag \"Round\" \"1\"";
                    return self.fail(ErrorKind::Syntax, self.token.start, message);
                };
                self.field(name, start)
            }
            "originalcomment" | "hascomment" => self.text(Kind::Comment, start),
            _ if named(OLD, word).is_some() => self.old(word, start, self.token),
            _ => {
                let message = format!("a filter cannot begin with \"{word}\"");
                self.fail(ErrorKind::Syntax, start, message)
            }
        }
    }

    /// A word that is none of the language: a variable, or an error.
    pub(super) fn name(&mut self, word: &'t str, start: usize) -> Result<Expr> {
        let next = self.peek_after()?;
        let assigns = match next.kind {
            Tok::Sign("=") => true,
            Tok::Sign("+=" | "-=" | "*=" | "/=" | "%=") => !self.in_item,
            _ => false,
        };
        if assigns {
            return self.assignment(false, false);
        }
        let known = self.out.variables.iter().position(|v| v.visible && v.name == word);
        if let Some((place, variable)) = known.and_then(|p| Some((p, self.out.variables.get(p)?))) {
            let use_as = variable.use_as;
            let slot = self.slot(place, start)?;
            self.advance()?;
            return match use_as {
                Use::Piece => self.make(Kind::PieceVariable(slot), start),
                Use::Value(ty) => self.make(Kind::Variable(slot, ty), start),
            };
        }
        if named(OLD, word).is_some() {
            return self.old(word, start, next);
        }
        if LEFT_OUT.contains(&word) {
            let message = format!("the filter {word} of CQL 6 is not supported");
            return self.fail(ErrorKind::Unsupported, start, message);
        }
        if let Some(near) = nearest(word) {
            let message = format!("unknown word; did you mean {near}?");
            return self.fail(ErrorKind::Unknown, start, message);
        }
        self.fail(ErrorKind::Unknown, start, format!("{word} has no value yet"))
    }

    /// The error for a word of CQL 5.
    fn old<T>(&self, word: &str, start: usize, next: Token<'_>) -> Result<T> {
        let new = named(OLD, word).copied().unwrap_or("nothing");
        let remedy = self.renewed(word, next).unwrap_or_else(|| new.to_owned());
        let message = format!("{word} is CQL 5; in CQL 6: {remedy}");
        self.fail(ErrorKind::Unsupported, start, message)
    }

    /// `next (a b)` as `line --> a --> b`.
    fn renewed(&self, word: &str, next: Token<'_>) -> Option<String> {
        let arrow = match word {
            "next" | "nextlist" => " --> ",
            "previous" => " <-- ",
            _ => return None,
        };
        let rest = self.slice(next.start, self.text.len()).strip_prefix('(')?;
        let (inside, _) = rest.split_once(')')?;
        if inside.contains(['(', '{', '"']) {
            return None;
        }
        let items = inside.split_whitespace().map(|item| format!("{arrow}{item}"));
        Some(format!("line{}", items.collect::<String>()))
    }

    pub(super) fn slot(&self, number: usize, start: usize) -> Result<u16> {
        match u16::try_from(number) {
            Ok(slot) => Ok(slot),
            Err(_) => self.fail(ErrorKind::Limit, start, "the query has more than 65535 variables"),
        }
    }

    // Header and texts.

    fn color(&mut self) -> Result<Option<Color>> {
        if self.take_word("white")? {
            return Ok(Some(Color::White));
        }
        Ok(self.take_word("black")?.then_some(Color::Black))
    }

    fn field(&mut self, name: &str, start: usize) -> Result<Expr> {
        let known = self.out.fields.iter().position(|field| field == name);
        let slot = self.slot(known.unwrap_or(self.out.fields.len()), start)?;
        if known.is_none() {
            self.out.fields.push(name.to_owned());
        }
        self.text(Kind::Field(slot), start)
    }

    /// A text of the game, or the test whether it contains the text that follows.
    pub(super) fn text(&mut self, kind: Kind, start: usize) -> Result<Expr> {
        let text = self.make(kind, start)?;
        match self.take_text()? {
            Some(wanted) => self.make(Kind::Contains(Box::new(text), wanted.to_owned()), start),
            None => Ok(text),
        }
    }

    pub(super) fn result(&mut self) -> Result<GameResult> {
        const RESULTS: [(&str, GameResult); 4] = [
            ("1-0", GameResult::White),
            ("0-1", GameResult::Black),
            ("1/2-1/2", GameResult::Draw),
            ("*", GameResult::Unknown),
        ];
        let start = self.token.start;
        let rest = self.slice(start, self.text.len());
        let quoted = rest.strip_prefix('"');
        let bare = quoted.unwrap_or(rest);
        for (name, result) in RESULTS {
            if let Some(after) = bare.strip_prefix(name) {
                let after = if quoted.is_some() { after.strip_prefix('"') } else { Some(after) };
                let Some(after) = after else { continue };
                let end = self.text.len().saturating_sub(after.len());
                self.before = Token { kind: Tok::Text(name), start, end };
                self.token = lexer::token(self.text, end)?;
                return Ok(result);
            }
        }
        let message = "after result stands 1-0, 0-1, 1/2-1/2 or *";
        self.fail(ErrorKind::Syntax, start, message)
    }
}
