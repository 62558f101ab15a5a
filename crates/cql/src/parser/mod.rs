//! From text to typed filters.

mod bodies;
mod moves;
mod operators;
mod primary;
mod sequences;

use chess_core::GameResult;
use regex::Regex;

use crate::error::{Error, ErrorKind, Place, Result, Warning};
use crate::expr::{Expr, Kind, Men, Type};
use crate::lexer::{self, Kind as Tok, Token};
use crate::limits::Limits;

/// The parameters before the filters: `cql(...)`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters {
    pub(crate) variations: bool,
    pub(crate) match_count: Option<(i64, i64)>,
    pub(crate) sort_by_count: bool,
    pub(crate) game_number: Option<(i64, i64)>,
    pub(crate) result: Option<GameResult>,
}

/// A variable. Its number is its place in the list.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) use_as: Use,
    pub(crate) persistent: bool,
    pub(crate) quiet: bool,
    visible: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    Value(Type),
    Piece,
}

/// A key that sorts the games found.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SortKey {
    /// The text that describes the key, or an empty one.
    pub title: String,
    /// Whether low values come first: `sort min`.
    pub lowest_first: bool,
}

/// A parsed query.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    pub(crate) parameters: Parameters,
    pub(crate) filters: Vec<Expr>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) regexes: Vec<Regex>,
    pub(crate) fields: Vec<String>,
    pub(crate) sorts: Vec<SortKey>,
    pub(crate) bans: u16,
    pub(crate) warnings: Vec<Warning>,
}

pub(crate) fn parse(text: &str, limits: &Limits) -> Result<Parsed> {
    if text.len() > limits.text {
        let message = format!("the query exceeds {} bytes (Limits::text)", limits.text);
        return Err(Error::at(ErrorKind::Limit, text, 0, message));
    }
    let token = lexer::token(text, 0)?;
    let mut parser = Parser {
        text,
        limits,
        token,
        before: token,
        in_item: false,
        depth: 0,
        out: Parsed::default(),
    };
    parser.query()?;
    Ok(parser.out)
}

struct Parser<'t> {
    text: &'t str,
    limits: &'t Limits,
    token: Token<'t>,
    /// The token before `token`.
    before: Token<'t>,
    /// Whether this is the top level of an item of `line` or `path`, where `*` and `+` repeat.
    in_item: bool,
    depth: usize,
    out: Parsed,
}

/// The levels of binary operators, from loose to tight.
mod level {
    pub(super) const OR: u8 = 1;
    pub(super) const AND: u8 = 2;
    pub(super) const NOT: u8 = 3;
    pub(super) const IN: u8 = 4;
    pub(super) const RELATION: u8 = 5;
    pub(super) const SUM: u8 = 6;
    pub(super) const PRODUCT: u8 = 7;
    pub(super) const UNARY: u8 = 8;
    pub(super) const COUNT: u8 = 9;
    pub(super) const UNION: u8 = 10;
    pub(super) const INTER: u8 = 11;
    pub(super) const COMPLEMENT: u8 = 12;
    pub(super) const ATTACK: u8 = 13;
    pub(super) const DIRECT: u8 = 14;
}

fn describe(ty: Type) -> &'static str {
    match ty {
        Type::Set => "a set of squares",
        Type::Number => "a number",
        Type::Text => "a text",
        Type::Position => "a position",
        Type::Test => "a test",
    }
}

impl<'t> Parser<'t> {
    // Tokens.

    fn advance(&mut self) -> Result<Token<'t>> {
        let token = self.token;
        self.before = token;
        self.token = lexer::token(self.text, token.end)?;
        Ok(token)
    }

    fn peek_after(&self) -> Result<Token<'t>> {
        lexer::token(self.text, self.token.end)
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token.kind, Tok::Sign(s) if s == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.token.kind, Tok::Word(w) if w == word)
    }

    fn take_sign(&mut self, sign: &str) -> Result<bool> {
        let found = self.is_sign(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn take_word(&mut self, word: &str) -> Result<bool> {
        let found = self.is_word(word);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn take_text(&mut self) -> Result<Option<&'t str>> {
        let Tok::Text(text) = self.token.kind else { return Ok(None) };
        self.advance()?;
        Ok(Some(text))
    }

    /// Whether the current token follows the one before without space.
    fn touches(&self) -> bool {
        self.before.end == self.token.start
    }

    fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn fail<T>(&self, kind: ErrorKind, offset: usize, message: impl Into<String>) -> Result<T> {
        Err(Error::at(kind, self.text, offset, message))
    }

    fn warn(&mut self, offset: usize, message: impl Into<String>) {
        self.out.warnings.push(Warning::new(self.text, offset, message));
    }

    /// The text of a filter, for a message.
    fn quote(&self, expr: &Expr) -> &'t str {
        let text = self.slice(expr.start, expr.end);
        if text.len() > 40 || text.contains('\n') { "this filter" } else { text }
    }

    /// "column 3", or with the line if the query has several.
    fn place(&self, offset: usize) -> String {
        let place = Place::of(self.text, offset);
        let line = format!("line {}, ", place.line);
        let line = if self.text.trim_end().contains('\n') { line.as_str() } else { "" };
        format!("{line}column {}", place.column)
    }

    fn make(&self, kind: Kind, start: usize) -> Result<Expr> {
        let expr = Expr::new(kind, start, self.before.end);
        if expr.height > self.limits.depth {
            return self.too_deep(start);
        }
        Ok(expr)
    }

    fn too_deep<T>(&self, at: usize) -> Result<T> {
        let message = format!(
            "the query has more than {} levels of filters inside filters (Limits::depth)",
            self.limits.depth
        );
        self.fail(ErrorKind::Limit, at, message)
    }

    /// Parses with `in_item` set for the time.
    fn nested<T>(&mut self, item: bool, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outer = std::mem::replace(&mut self.in_item, item);
        let result = parse(self);
        self.in_item = outer;
        result
    }

    // Structure.

    fn query(&mut self) -> Result<()> {
        let has_parameters = self.take_word("cql")?;
        if has_parameters {
            self.parameters()?;
        }
        while !matches!(self.token.kind, Tok::End) {
            if let Tok::Sign(close @ ("}" | ")" | "]")) = self.token.kind {
                let message = format!("\"{close}\" closes nothing here");
                return self.fail(ErrorKind::Syntax, self.token.start, message);
            }
            let filter = self.filter()?;
            self.warn_of_unused(&filter);
            self.out.filters.push(filter);
        }
        if self.out.filters.is_empty() && !has_parameters {
            return self.fail(ErrorKind::Syntax, 0, "the query is empty: a filter is missing");
        }
        Ok(())
    }

    fn parameters(&mut self) -> Result<()> {
        let open = self.token.start;
        if !self.take_sign("(")? {
            let message = "after cql stand its parameters: cql() or cql(variations)";
            return self.fail(ErrorKind::Syntax, open, message);
        }
        while !self.take_sign(")")? {
            let token = self.token;
            let Tok::Word(word) = token.kind else {
                let kind =
                    if token.kind == Tok::End { ErrorKind::Unclosed } else { ErrorKind::Syntax };
                let message = format!("the parenthesis of {} is not closed", self.place(open));
                return self.fail(kind, open, message);
            };
            self.advance()?;
            match word {
                "variations" => self.out.parameters.variations = true,
                "matchcount" => self.out.parameters.match_count = Some(self.needed_range()?),
                "gamenumber" => self.out.parameters.game_number = Some(self.needed_range()?),
                "result" => self.out.parameters.result = Some(self.result()?),
                "sort" => {
                    if !self.take_word("matchcount")? {
                        let message = "sort takes matchcount here: cql(sort matchcount)";
                        return self.fail(ErrorKind::Syntax, self.token.start, message);
                    }
                    self.out.parameters.sort_by_count = true;
                    if let Some(range) = self.range()? {
                        self.out.parameters.match_count = Some(range);
                    }
                    let key = SortKey { title: "matchcount".to_owned(), lowest_first: false };
                    self.out.sorts.push(key);
                }
                "quiet" | "silent" => {}
                "input" | "output" | "matchstring" => {
                    // File names may hold anything but spaces and parentheses.
                    let rest = self.slice(self.token.start, self.text.len());
                    let stop = |c: char| c.is_whitespace() || c == ')';
                    let end = match self.token.kind {
                        Tok::Text(_) => self.token.end,
                        _ => self.token.start.saturating_add(rest.find(stop).unwrap_or(rest.len())),
                    };
                    self.warn(token.start, format!("{word} is ignored here"));
                    self.token = lexer::token(self.text, end)?;
                }
                _ => {
                    let message = format!(
                        "unknown parameter {word}: variations, matchcount, sort matchcount, gamenumber, result"
                    );
                    return self.fail(ErrorKind::Unknown, token.start, message);
                }
            }
        }
        Ok(())
    }

    /// One filter, down to `or`.
    fn filter(&mut self) -> Result<Expr> {
        self.binary(level::OR)
    }

    /// Filters side by side until `close`, which is taken.
    fn filters_until(&mut self, close: &str, open: usize, name: &str) -> Result<Vec<Expr>> {
        let mut list = Vec::new();
        self.nested(false, |parser| {
            while !parser.is_sign(close) {
                parser.check_close(close, open, name)?;
                list.push(parser.filter()?);
            }
            Ok(())
        })?;
        self.advance()?;
        Ok(list)
    }

    fn check_close(&self, close: &str, open: usize, name: &str) -> Result<()> {
        match self.token.kind {
            Tok::End => {
                let message = format!("the {name} of {} is not closed", self.place(open));
                self.fail(ErrorKind::Unclosed, open, message)
            }
            Tok::Sign(other @ ("}" | ")" | "]")) => {
                let message = format!(
                    "\"{other}\" closes nothing here: \"{close}\" is missing for the {name} of {}",
                    self.place(open)
                );
                self.fail(ErrorKind::Syntax, self.token.start, message)
            }
            Tok::Sign(",") => self.no_comma(open),
            _ => Ok(()),
        }
    }

    fn no_comma<T>(&self, open: usize) -> Result<T> {
        let before = self.slice(0, open).trim_end();
        let name = before.rfind(|c| !lexer::is_word(c)).map_or(0, |at| at.saturating_add(1));
        let rest = self.slice(name, self.text.len());
        let call = rest.get(..rest.find(')').map_or(rest.len(), |at| at.saturating_add(1)));
        let call = call.unwrap_or_default().replace(',', " ");
        let call = call.split_whitespace().collect::<Vec<_>>().join(" ");
        let message = format!("no comma between arguments: {call}");
        self.fail(ErrorKind::Syntax, self.token.start, message)
    }

    /// The arguments of `name(a b c)`.
    fn arguments(&mut self, name: &str, least: usize) -> Result<Vec<Expr>> {
        let open = self.token.start;
        if !self.take_sign("(")? {
            let message = format!("{name} takes its arguments in parentheses: {name}(x y)");
            return self.fail(ErrorKind::Syntax, open, message);
        }
        let list = self.filters_until(")", open, "parenthesis")?;
        if list.len() < least {
            let message = format!("{name} takes at least {least} arguments");
            return self.fail(ErrorKind::Syntax, open, message);
        }
        Ok(list)
    }

    fn warn_of_unused(&mut self, filter: &Expr) {
        let text = self.quote(filter);
        match &filter.kind {
            Kind::Count(_) | Kind::Power(_) | Kind::Number(_) => {
                self.warn(
                    filter.start,
                    format!("{text} always matches: it is compared with nothing"),
                );
            }
            Kind::Men(men) if men.kinds == Men::ANY => {
                let message = format!("{text} names squares without pieces, so it always matches");
                self.warn(filter.start, message);
            }
            _ => {}
        }
    }
}
