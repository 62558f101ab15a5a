//! Words with a body: transforms, `find`, `if`, variables, `sort`, `pin`; and ranges.

use super::{Parser, SortKey, Use, Variable, describe, level};
use crate::error::{ErrorKind, Result};
use crate::expr::{Assign, Each, Expr, Find, Kind, Memo, Pin, PinPart, Transform, Type};
use crate::lexer::Kind as Tok;
use crate::words::{OPERATORS, WORDS, named};

impl<'t> Parser<'t> {
    /// `2` or `2 5`, if a filter follows and not an operator.
    pub(super) fn range(&mut self) -> Result<Option<(i64, i64)>> {
        let Tok::Number(low) = self.token.kind else { return Ok(None) };
        let next = self.peek_after()?;
        if let Tok::Number(high) = next.kind {
            self.advance()?;
            self.advance()?;
            return Ok(Some((low, high)));
        }
        let operates = match next.kind {
            Tok::Sign(sign) => {
                !matches!(sign, "{" | "(" | "." | "#" | "~" | ")" | "-->" | "<--" | "[x]" | "--")
            }
            Tok::Word(word) => matches!(word, "and" | "or" | "in"),
            _ => false,
        };
        if operates {
            return Ok(None);
        }
        self.advance()?;
        Ok(Some((low, low)))
    }

    pub(super) fn needed_range(&mut self) -> Result<(i64, i64)> {
        match self.range()? {
            Some(range) => Ok(range),
            None => {
                let word = self.slice(self.before.start, self.before.end);
                let message = format!("{word} takes a number or two: {word} 3 10");
                self.fail(ErrorKind::Syntax, self.token.start, message)
            }
        }
    }

    // Words with a body.

    pub(super) fn transform(
        &mut self,
        transform: Transform,
        word: &str,
        start: usize,
    ) -> Result<Expr> {
        let count = self.take_word("count")?;
        let braces = self.is_sign("{");
        let body = self.filter()?;
        if !braces
            && matches!(self.token.kind, Tok::Men { .. })
            && !matches!(body.kind, Kind::Block(_))
        {
            let (text, next) = (self.quote(&body), self.slice(self.token.start, self.token.end));
            let message = format!(
                "{word} turns only {text}; to turn {next} too, write {word} {{{text} {next}}}"
            );
            self.warn(start, message);
        }
        if body.has_effects() {
            let message = format!(
                "how often {word} evaluates a variable, sort or message inside it is not specified"
            );
            self.warn(start, message);
        }
        self.make(Kind::Transform { transform, count, body: Box::new(body) }, start)
    }

    pub(super) fn find(&mut self, start: usize) -> Result<Expr> {
        let (mut backward, mut all) = (false, false);
        loop {
            if self.take_sign("<--")? {
                backward = true;
            } else if self.take_word("all")? {
                all = true;
            } else if !self.take_word("quiet")? {
                break;
            }
        }
        let range = self.range()?;
        let what = self.filter()?;
        let memo = Memo::default();
        let find = Find { backward, all, range, what, memo, gate: None, of_pawns: false };
        self.make(Kind::Find(Box::new(find)), start)
    }

    pub(super) fn condition(&mut self, start: usize) -> Result<Expr> {
        let test = self.filter()?;
        self.take_word("then")?;
        let then = self.filter()?;
        let other = if self.take_word("else")? { Some(self.filter()?) } else { None };
        self.make(Kind::If(Box::new((test, then, other))), start)
    }

    pub(super) fn each(&mut self, piece: bool, start: usize) -> Result<Expr> {
        let all = self.take_word("all")?;
        self.check_name("piece x in N {x attacks k}")?;
        let token = self.advance()?;
        let name = self.slice(token.start, token.end);
        if !self.take_word("in")? {
            let message = format!("after the variable {name} stands \"in\" and a set of squares");
            return self.fail(ErrorKind::Syntax, self.token.start, message);
        }
        let set = self.binary(level::COUNT)?;
        let set = self.need_set(set, "\"in\"")?;
        let use_as = if piece { Use::Piece } else { Use::Value(Type::Set) };
        let slot = self.declare(name, use_as, token.start)?;
        let body = self.filter()?;
        if let Some(variable) = self.out.variables.get_mut(usize::from(slot)) {
            variable.visible = false;
        }
        self.make(Kind::Each(Box::new(Each { piece, all, slot, set, body })), start)
    }

    /// Refuses a token that cannot name a variable.
    fn check_name(&self, example: &str) -> Result<()> {
        let name = self.slice(self.token.start, self.token.end);
        match self.token.kind {
            Tok::Word(word) if !WORDS.contains(&word) => Ok(()),
            Tok::Men { .. } => {
                let meaning = match name {
                    "a" => "any black piece",
                    "A" => "any white piece",
                    _ => "pieces or squares",
                };
                let message = format!("\"{name}\" means {meaning} and cannot name a variable");
                self.fail(ErrorKind::Syntax, self.token.start, message)
            }
            _ => {
                let message = format!("the name of a variable is missing: {example}");
                self.fail(ErrorKind::Syntax, self.token.start, message)
            }
        }
    }

    fn declare(&mut self, name: &str, use_as: Use, start: usize) -> Result<u16> {
        if let Some(place) = self.out.variables.iter().position(|v| v.visible && v.name == name) {
            let same = self.out.variables.get(place).is_some_and(|v| v.use_as == use_as);
            if !same {
                let message = format!("{name} already names a value of another type");
                return self.fail(ErrorKind::Type, start, message);
            }
            if use_as != Use::Piece {
                return self.slot(place, start);
            }
        }
        let slot = self.slot(self.out.variables.len(), start)?;
        let name = name.to_owned();
        let variable = Variable { name, use_as, persistent: false, quiet: false, visible: true };
        self.out.variables.push(variable);
        Ok(slot)
    }

    pub(super) fn assignment(&mut self, persistent: bool, quiet: bool) -> Result<Expr> {
        let name = self.advance()?;
        let word = self.slice(name.start, name.end);
        let sign = self.advance()?;
        let changes_by = sign.kind.sign().strip_suffix('=').unwrap_or_default();
        let operator = named(OPERATORS, changes_by).copied();
        let known = self.out.variables.iter().any(|v| v.visible && v.name == word);
        if operator.is_some() && !known && !persistent {
            return self.fail(ErrorKind::Unknown, name.start, format!("{word} has no value yet"));
        }
        let value = self.binary(level::SUM)?;
        if value.ty() == Type::Test {
            let message = format!("{} is a test and has no value to keep", self.quote(&value));
            return self.fail(ErrorKind::Type, value.start, message);
        }
        if operator.is_some() {
            self.need_number(&value)?;
        }
        let slot = self.declare(word, Use::Value(value.ty()), name.start)?;
        if let Some(variable) = self.out.variables.get_mut(usize::from(slot)) {
            variable.persistent |= persistent;
            variable.quiet |= quiet;
        }
        self.make(Kind::Assign(Box::new(Assign { slot, operator, value })), name.start)
    }

    pub(super) fn persistent(&mut self, start: usize) -> Result<Expr> {
        let quiet = self.take_word("quiet")?;
        self.check_name("persistent Mates += 1")?;
        let assigns =
            matches!(self.peek_after()?.kind, Tok::Sign("=" | "+=" | "-=" | "*=" | "/=" | "%="));
        if assigns {
            return self.assignment(true, quiet);
        }
        let message = "after persistent stands an assignment: persistent Mates += 1";
        self.fail(ErrorKind::Syntax, start, message)
    }

    pub(super) fn sort(&mut self, start: usize) -> Result<Expr> {
        let lowest_first = self.take_word("min")?;
        if !lowest_first {
            self.take_word("max")?;
        }
        let title = self.take_text()?.unwrap_or_default().to_owned();
        let value = self.filter()?;
        if matches!(value.ty(), Type::Test | Type::Position) {
            let message = format!(
                "sort takes a number, a set or a text, and {} is {}",
                self.quote(&value),
                describe(value.ty())
            );
            return self.fail(ErrorKind::Type, value.start, message);
        }
        let slot = self.slot(self.out.sorts.len(), start)?;
        self.out.sorts.push(SortKey { title, lowest_first });
        self.make(Kind::Sort { slot, value: Box::new(value) }, start)
    }

    pub(super) fn note(&mut self, word: &str, start: usize) -> Result<Expr> {
        let parts = if self.is_sign("(") {
            self.arguments(word, 1)?
        } else {
            vec![self.binary(level::SUM)?]
        };
        if let Some(test) = parts.iter().find(|part| part.ty() == Type::Test) {
            let message = format!("{} is a test and has no value to write", self.quote(test));
            return self.fail(ErrorKind::Type, test.start, message);
        }
        self.make(Kind::Note { message: word == "message", parts }, start)
    }

    pub(super) fn pin(&mut self, start: usize) -> Result<Expr> {
        let mut pin = Pin { from: None, through: None, to: None, value: PinPart::Through };
        let mut first = None;
        while let Tok::Word(word @ ("from" | "through" | "to")) = self.token.kind {
            self.advance()?;
            let set = self.binary(level::DIRECT)?;
            let set = Some(self.need_set(set, word)?);
            let part = match word {
                "from" => {
                    pin.from = set;
                    PinPart::From
                }
                "to" => {
                    pin.to = set;
                    PinPart::To
                }
                _ => {
                    pin.through = set;
                    PinPart::Through
                }
            };
            pin.value = *first.get_or_insert(part);
        }
        self.make(Kind::Pin(Box::new(pin)), start)
    }
}

pub(super) fn transform(word: &str) -> Option<Transform> {
    Some(match word {
        "flip" => Transform::Flip,
        "flipcolor" => Transform::FlipColor,
        "fliphorizontal" => Transform::FlipHorizontal,
        "flipvertical" => Transform::FlipVertical,
        "reversecolor" => Transform::ReverseColor,
        "rotate90" => Transform::Rotate90,
        "shift" => Transform::Shift,
        "shifthorizontal" => Transform::ShiftHorizontal,
        "shiftvertical" => Transform::ShiftVertical,
        _ => return None,
    })
}
