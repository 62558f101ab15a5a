//! Operators and prefix words, by levels.

use regex::RegexBuilder;

use super::{Parser, describe, level};
use crate::error::{ErrorKind, Result};
use crate::expr::{Compare, Expr, Kind, Operator, Relation, Type};
use crate::geometry::Directions;
use crate::lexer::Kind as Tok;
use crate::words::{OPERATORS, RELATIONS, named};

impl<'t> Parser<'t> {
    fn operator_level(&self) -> Option<u8> {
        Some(match self.token.kind {
            Tok::Word("or") => level::OR,
            Tok::Word("and") => level::AND,
            Tok::Word("in") => level::IN,
            Tok::Word("attacks" | "attackedby") | Tok::Sign("->" | "<-") => level::ATTACK,
            Tok::Sign("*" | "+") if self.in_item => return None,
            Tok::Sign("==" | "!=" | "<" | "<=" | ">" | ">=" | "~~") => level::RELATION,
            Tok::Sign("+" | "-") => level::SUM,
            Tok::Sign("*" | "/" | "%") => level::PRODUCT,
            Tok::Sign("|") => level::UNION,
            Tok::Sign("&") => level::INTER,
            _ => return None,
        })
    }

    pub(super) fn binary(&mut self, least: u8) -> Result<Expr> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > self.limits.depth {
            return self.too_deep(self.token.start);
        }
        let result = self.binary_inside(least);
        self.depth = self.depth.saturating_sub(1);
        result
    }

    fn binary_inside(&mut self, least: u8) -> Result<Expr> {
        let mut left = self.prefix()?;
        while let Some(found) = self.operator_level().filter(|found| *found >= least) {
            left = match found {
                level::OR | level::AND => self.list(left, found)?,
                level::IN => self.within(left)?,
                level::RELATION => self.relation(left)?,
                level::SUM | level::PRODUCT => self.arithmetic(left, found)?,
                _ => self.sets(left, found)?,
            };
        }
        if let Tok::Sign(sign @ ("=" | "+=" | "-=" | "*=" | "/=" | "%=")) = self.token.kind
            && !(self.in_item && sign != "=")
        {
            let message = if sign == "=" {
                "\"=\" gives a value to a variable; to compare, write ==".to_owned()
            } else {
                format!("\"{sign}\" changes a variable, and {} is none", self.quote(&left))
            };
            return self.fail(ErrorKind::Syntax, self.token.start, message);
        }
        Ok(left)
    }

    pub(super) fn list(&mut self, left: Expr, found: u8) -> Result<Expr> {
        let start = left.start;
        let mut list = vec![left];
        while self.operator_level() == Some(found) {
            self.advance()?;
            list.push(self.binary(found.saturating_add(1))?);
        }
        self.make(if found == level::OR { Kind::Or(list) } else { Kind::And(list) }, start)
    }

    fn within(&mut self, left: Expr) -> Result<Expr> {
        let place = self.advance()?.start;
        let right = self.binary(level::RELATION)?;
        match (left.ty(), right.ty()) {
            (Type::Set, Type::Set) | (Type::Text, Type::Text) => {}
            (a, b) => {
                let message = format!(
                    "\"in\" takes two sets of squares or two texts, not {} and {}",
                    describe(a),
                    describe(b)
                );
                return self.fail(ErrorKind::Type, place, message);
            }
        }
        let start = left.start;
        self.make(Kind::Within(Box::new((left, right))), start)
    }

    fn relation(&mut self, first: Expr) -> Result<Expr> {
        let start = first.start;
        let mut rest = Vec::new();
        let mut places = Vec::new();
        while self.operator_level() == Some(level::RELATION) {
            let sign = self.advance()?;
            if sign.kind == Tok::Sign("~~") {
                if !rest.is_empty() {
                    let message = "\"~~\" looks in a text, and a comparison is none";
                    return self.fail(ErrorKind::Type, sign.start, message);
                }
                return self.matches(first, sign.start);
            }
            let relation = named(RELATIONS, sign.kind.sign()).copied();
            places.push(sign.start);
            rest.push((relation.unwrap_or(Relation::Equal), self.binary(level::SUM)?));
        }
        let by = self.compared_as(&first, &rest, &places)?;
        let compare = Compare { first, rest, by, balance: None };
        if let (Kind::Men(a), [(Relation::Equal, b)]) =
            (&compare.first.kind, compare.rest.as_slice())
            && let Kind::Men(b) = b.kind
            && a.kinds & b.kinds == 0
        {
            let (a, b) = (
                self.quote(&compare.first),
                self.slice(compare.rest.first().map_or(0, |r| r.1.start), self.before.end),
            );
            let message =
                format!("{a}=={b} compares squares; to compare numbers, write #{a}==#{b}");
            self.warn(start, message);
        }
        self.make(Kind::Compare(Box::new(compare)), start)
    }

    /// Finds what the members of a chain are compared as.
    fn compared_as(
        &self,
        first: &Expr,
        rest: &[(Relation, Expr)],
        places: &[usize],
    ) -> Result<Type> {
        let members = || std::iter::once(first).chain(rest.iter().map(|(_, member)| member));
        if let Some(test) = members().find(|member| member.ty() == Type::Test) {
            let message = format!("{} is a test and has no value to compare", self.quote(test));
            return self.fail(ErrorKind::Type, test.start, message);
        }
        let by = if members().any(|member| member.ty() == Type::Number) {
            Type::Number
        } else {
            first.ty()
        };
        let pairs = members().zip(members().skip(1)).zip(rest).zip(places);
        for (((a, b), (relation, _)), place) in pairs {
            let bad = |ty: Type| !(ty == by || by == Type::Number && ty == Type::Set);
            let (x, y) = (a.ty(), b.ty());
            if bad(x) || bad(y) {
                let literal = [a, b].into_iter().find_map(|e| match &e.kind {
                    Kind::Literal(text) => text.parse::<i64>().ok(),
                    _ => None,
                });
                let remedy = match literal {
                    Some(number) => format!(": write {number} without quotes"),
                    None => String::new(),
                };
                let message =
                    format!("{} cannot be compared with {}{remedy}", describe(x), describe(y));
                return self.fail(ErrorKind::Type, *place, message);
            }
            let ordered = !matches!(relation, Relation::Equal | Relation::Unequal);
            if by == Type::Position && ordered {
                let message = "positions are compared with == and != only";
                return self.fail(ErrorKind::Type, *place, message);
            }
        }
        Ok(by)
    }

    pub(super) fn matches(&mut self, text: Expr, place: usize) -> Result<Expr> {
        if text.ty() != Type::Text {
            let message = format!(
                "\"~~\" looks in a text, and {} is {}",
                self.quote(&text),
                describe(text.ty())
            );
            return self.fail(ErrorKind::Type, place, message);
        }
        let at = self.token.start;
        let Some(pattern) = self.take_text()? else {
            let message =
                "after \"~~\" stands a regular expression in quotes: player ~~ \"(?i)tal\"";
            return self.fail(ErrorKind::Syntax, at, message);
        };
        let regex = match RegexBuilder::new(pattern).size_limit(1 << 20).build() {
            Ok(regex) => regex,
            Err(error) => {
                let reason = error.to_string();
                let reason =
                    reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
                let message = format!("the regular expression is not valid: {reason}");
                return self.fail(ErrorKind::Syntax, at, message);
            }
        };
        let slot = self.slot(self.out.regexes.len(), at)?;
        self.out.regexes.push(regex);
        let start = text.start;
        self.make(Kind::Matches(Box::new(text), slot), start)
    }

    fn arithmetic(&mut self, left: Expr, found: u8) -> Result<Expr> {
        let sign = self.advance()?;
        let right = self.binary(found.saturating_add(1))?;
        if let (Tok::Sign("-"), Kind::Men(_), Kind::Men(_)) = (sign.kind, &left.kind, &right.kind)
            && left.end == sign.start
            && right.start == sign.end
        {
            let (from, to) = (self.quote(&left), self.quote(&right));
            let message = format!("a move is written with two hyphens: {from}--{to}");
            return self.fail(ErrorKind::Syntax, sign.start, message);
        }
        self.need_number(&left)?;
        self.need_number(&right)?;
        let operator = named(OPERATORS, sign.kind.sign()).copied();
        let (operator, start) = (operator.unwrap_or(Operator::Add), left.start);
        self.make(Kind::Arithmetic(operator, Box::new((left, right))), start)
    }

    pub(super) fn need_number(&self, expr: &Expr) -> Result<()> {
        let text = self.quote(expr);
        let message = match expr.ty() {
            Type::Number => return Ok(()),
            Type::Set => format!("{text} is a set of squares; write #{text} for their number"),
            Type::Test => format!("{text} is a test and has no value to calculate with"),
            other => format!("{text} is {}, not a number", describe(other)),
        };
        self.fail(ErrorKind::Type, expr.start, message)
    }

    /// `| & attacks attackedby`.
    pub(super) fn sets(&mut self, left: Expr, found: u8) -> Result<Expr> {
        let sign = self.advance()?;
        let name = self.slice(sign.start, sign.end);
        let right = self.binary(found.saturating_add(1))?;
        for side in [&left, &right] {
            if side.ty() == Type::Set {
                continue;
            }
            let text = self.quote(side);
            let message = match (found, side.ty()) {
                (level::INTER, Type::Test) => {
                    "\"&\" joins sets of squares; for tests write \"and\" or only a space"
                        .to_owned()
                }
                (level::UNION, Type::Test) => {
                    "\"|\" joins sets of squares; for tests write \"or\"".to_owned()
                }
                (_, ty) => {
                    format!("\"{name}\" takes sets of squares, and {text} is {}", describe(ty))
                }
            };
            return self.fail(ErrorKind::Type, side.start, message);
        }
        let start = left.start;
        let pair = Box::new((left, right));
        self.make(
            match (found, sign.kind) {
                (level::UNION, _) => Kind::Union(pair),
                (level::INTER, _) => Kind::Inter(pair),
                (_, Tok::Word("attacks") | Tok::Sign("->")) => Kind::Attacks(pair),
                _ => Kind::AttackedBy(pair),
            },
            start,
        )
    }

    // Prefix words and signs.

    pub(super) fn need_set(&self, expr: Expr, what: &str) -> Result<Expr> {
        if expr.ty() == Type::Set {
            return Ok(expr);
        }
        let message = format!(
            "{what} takes a set of squares, and {} is {}",
            self.quote(&expr),
            describe(expr.ty())
        );
        self.fail(ErrorKind::Type, expr.start, message)
    }

    pub(super) fn prefix(&mut self) -> Result<Expr> {
        let start = self.token.start;
        let (reach, word) = match self.token.kind {
            Tok::Word("not") => (level::NOT, "not"),
            Tok::Word(word @ ("power" | "rank" | "file")) => (level::COUNT, word),
            Tok::Sign(sign @ "#") => (level::COUNT, sign),
            Tok::Sign(sign @ "-") => (level::UNARY, sign),
            Tok::Sign(sign @ "~") => (level::COMPLEMENT, sign),
            Tok::Word(word @ ("light" | "dark")) => (level::DIRECT, word),
            Tok::Word(word) if Directions::named(word).is_some() => (level::DIRECT, word),
            _ => return self.dashed(),
        };
        self.advance()?;
        let range = if reach == level::DIRECT && !matches!(word, "light" | "dark") {
            self.steps()?
        } else {
            (1, 7)
        };
        let of = self.binary(reach)?;
        self.prefixed(word, of, range, start)
    }

    pub(super) fn prefixed(
        &mut self,
        word: &str,
        of: Expr,
        range: (i8, i8),
        start: usize,
    ) -> Result<Expr> {
        if word == "not" {
            return self.make(Kind::Not(Box::new(of)), start);
        }
        if word == "-" {
            self.need_number(&of)?;
            return self.make(Kind::Negate(Box::new(of)), start);
        }
        let of = Box::new(self.need_set(of, &format!("\"{word}\""))?);
        let kind = match word {
            "#" => Kind::Count(of),
            "power" => Kind::Power(of),
            "rank" | "file" => Kind::Coordinate { rank: word == "rank", of },
            "~" => Kind::Complement(of),
            "light" | "dark" => Kind::Shade { light: word == "light", of },
            _ => {
                let directions = Directions::named(word).unwrap_or(Directions::ALL);
                Kind::Toward { directions, low: range.0, high: range.1, of }
            }
        };
        self.make(kind, start)
    }

    /// The range after a direction: 1 to 7 if there is none.
    fn steps(&mut self) -> Result<(i8, i8)> {
        let start = self.token.start;
        let mut numbers = Vec::new();
        while numbers.len() < 2 {
            let negative = self.is_sign("-");
            if negative && !matches!(self.peek_after()?.kind, Tok::Number(_)) {
                break;
            }
            if negative {
                self.advance()?;
            }
            let Tok::Number(number) = self.token.kind else { break };
            self.advance()?;
            let Some(number) = i8::try_from(number).ok().filter(|number| *number < 8) else {
                return self.fail(ErrorKind::Syntax, start, "a direction goes at most 7 squares");
            };
            numbers.push(if negative { number.wrapping_neg() } else { number });
        }
        Ok(match numbers.as_slice() {
            [low, high] => (*low, *high),
            [only] => (*only, *only),
            _ => (1, 7),
        })
    }
}
