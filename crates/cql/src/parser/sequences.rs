//! `line` and `path`.

use std::sync::Arc;

use super::Parser;
use crate::error::{ErrorKind, Result};
use crate::expr::{Expr, Kind, Memo, MoveSource, MoveValue, Sequence};
use crate::lexer::Kind as Tok;
use crate::machine::{Item, MAX_STATES, Machine};
use crate::words::INFIX;

impl<'t> Parser<'t> {
    pub(super) fn sequence(&mut self, path: bool, start: usize) -> Result<Expr> {
        let (mut ban, mut last_position, mut single_color, mut primary) =
            (None, false, false, None);
        while let Tok::Word(word) = self.token.kind {
            match word {
                "nestban" => ban = Some(self.out.bans),
                "lastposition" => last_position = true,
                "singlecolor" if !path => single_color = true,
                "primary" => primary = Some(true),
                "secondary" if !path => primary = Some(false),
                "quiet" => {}
                _ => break,
            }
            // A path may begin with the filter `primary`.
            self.advance()?;
        }
        if ban.is_some() {
            self.out.bans = self.out.bans.saturating_add(1);
        }
        let range = if path { None } else { self.range()? };
        let (mut items, mut atoms, mut backward) = (Vec::new(), Vec::new(), false);
        if path {
            while self.starts_item() {
                items.push(self.item(true, &mut atoms)?);
            }
        } else {
            let Tok::Sign(arrow @ ("-->" | "<--")) = self.token.kind else {
                let message = "after line stands an arrow: line --> F --> G, or line <-- F <-- G";
                return self.fail(ErrorKind::Syntax, self.token.start, message);
            };
            backward = arrow == "<--";
            while self.take_sign(arrow)? {
                items.push(self.item(false, &mut atoms)?);
            }
            if self.is_sign("-->") || self.is_sign("<--") {
                let message = "the arrows of one line have one direction";
                return self.fail(ErrorKind::Syntax, self.token.start, message);
            }
        }
        if items.is_empty() {
            return self.missing();
        }
        let Some(machine) = Machine::new(&items) else {
            let message = format!("the repetitions make more than {MAX_STATES} items");
            return self.fail(ErrorKind::Limit, start, message);
        };
        let machine = Arc::new(machine);
        let memo = Memo::default();
        let sequence = Sequence {
            path,
            backward,
            single_color,
            last_position,
            primary,
            range,
            machine,
            atoms,
            ban,
            memo,
            gate: None,
        };
        self.make(Kind::Sequence(Box::new(sequence)), start)
    }

    fn starts_item(&self) -> bool {
        match self.token.kind {
            Tok::End => false,
            Tok::Sign(sign) => matches!(sign, "{" | "(" | "." | "#" | "~" | "-" | "--" | "[x]"),
            Tok::Word(word) => !INFIX.contains(&word),
            _ => true,
        }
    }

    pub(super) fn item(&mut self, path: bool, atoms: &mut Vec<(bool, Expr)>) -> Result<Item> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > self.limits.depth {
            return self.too_deep(self.token.start);
        }
        let open = self.token.start;
        let mut item = if self.take_sign("(")? {
            let mut group = Vec::new();
            while !self.take_sign(")")? {
                self.check_close(")", open, "parenthesis")?;
                if !path && (self.is_sign("-->") || self.is_sign("<--")) {
                    self.advance()?;
                }
                group.push(self.item(path, atoms)?);
            }
            Item::Group(group)
        } else {
            let filter = self.nested(true, Self::filter)?;
            let moves = path && takes_a_move(&filter);
            let known = atoms.iter().position(|(_, known)| *known == filter);
            let atom = known.unwrap_or(atoms.len());
            if known.is_none() {
                atoms.push((moves, filter));
            }
            Item::Atom(atom)
        };
        loop {
            let (low, high) = match self.token.kind {
                Tok::Sign("*") => (0, None),
                Tok::Sign("+") => (1, None),
                Tok::Sign("?") => (0, Some(1)),
                Tok::Sign("{") if self.is_repetition()? => {
                    self.advance()?;
                    let low = self.count()?;
                    let comma = self.take_sign(",")?;
                    let high = if self.is_sign("}") {
                        (!comma).then_some(low)
                    } else {
                        Some(self.count()?)
                    };
                    if !self.is_sign("}") {
                        let message = "a repetition is {2}, {2,} or {2,5}";
                        return self.fail(ErrorKind::Syntax, self.token.start, message);
                    }
                    (low, high)
                }
                _ => break,
            };
            if high.is_some_and(|high| high < low) {
                let message = "the second number of the repetition is less than the first";
                return self.fail(ErrorKind::Syntax, self.token.start, message);
            }
            // Takes `*`, `+`, `?` or the closing brace.
            self.advance()?;
            item = Item::Repeat(Box::new(item), low, high);
        }
        self.depth = self.depth.saturating_sub(1);
        Ok(item)
    }

    pub(super) fn count(&mut self) -> Result<u64> {
        let token = self.advance()?;
        match token.kind {
            Tok::Number(number) => Ok(number.unsigned_abs()),
            _ => self.fail(ErrorKind::Syntax, token.start, "a repetition is {2}, {2,} or {2,5}"),
        }
    }
}

/// Whether an item of a path plays a move: a dash, or `move` of the moves played.
fn takes_a_move(filter: &Expr) -> bool {
    matches!(&filter.kind, Kind::Move(m) if m.source == MoveSource::Played && m.value != MoveValue::Count)
}
