//! Filters as text again: all braces written, transforms spelled out.

use std::fmt::{self, Display, Formatter};

use chess_core::{Bitboard, Color};

use crate::expr::{Expr, Kind, Men, MoveFilter, MoveSource, MoveValue, Sequence};
use crate::geometry::Directions;
use crate::parser::Variable;
use crate::words::{OPERATORS, RELATIONS, SIMPLE, name_of};

/// A filter and the names that it uses.
pub(crate) struct Explained<'a> {
    pub(crate) expr: &'a Expr,
    pub(crate) variables: &'a [Variable],
    pub(crate) fields: &'a [String],
    pub(crate) regexes: &'a [regex::Regex],
}

/// Of more variants, only these are printed.
const MAX_VARIANTS: usize = 8;

impl<'a> Explained<'a> {
    fn of(&self, expr: &'a Expr) -> Explained<'a> {
        Explained { expr, ..*self }
    }

    fn list(&self, f: &mut Formatter<'_>, list: &'a [Expr], between: &str) -> fmt::Result {
        for (place, part) in list.iter().enumerate() {
            let between = if place > 0 { between } else { "" };
            write!(f, "{between}{}", self.of(part))?;
        }
        Ok(())
    }

    fn pair(&self, f: &mut Formatter<'_>, pair: &'a (Expr, Expr), sign: &str) -> fmt::Result {
        write!(f, "{{{} {sign} {}}}", self.of(&pair.0), self.of(&pair.1))
    }

    fn variable(&self, slot: u16) -> &'a str {
        self.variables.get(usize::from(slot)).map_or("?", |variable| variable.name.as_str())
    }

    fn part(&self, f: &mut Formatter<'_>, word: &str, part: &'a Option<Expr>) -> fmt::Result {
        match part {
            Some(part) => write!(f, " {word} {}", self.of(part)),
            None => Ok(()),
        }
    }

    fn moves(&self, f: &mut Formatter<'_>, m: &'a MoveFilter) -> fmt::Result {
        f.write_str("{move")?;
        self.part(f, "from", &m.from)?;
        self.part(f, "to", &m.to)?;
        self.part(f, "capture", &m.capture)?;
        self.part(f, "enpassantsquare", &m.en_passant_square)?;
        if let Some(kinds) = m.promote {
            write!(f, " promote {}", Men { kinds, squares: Bitboard::ALL })?;
        }
        let castle = ["", " o-o", " o-o-o", " castle"].get(usize::from(m.castle));
        let source = match m.source {
            MoveSource::Played => "",
            MoveSource::Previous => " previous",
            MoveSource::Legal => " legal",
            MoveSource::PseudoLegal => " pseudolegal",
        };
        let primary = m.primary.map_or("", |main| if main { " primary" } else { " secondary" });
        let words = [
            if m.en_passant { " enpassant" } else { "" },
            castle.copied().unwrap_or_default(),
            if m.null { " null" } else { "" },
            primary,
            source,
            if m.value == MoveValue::Count { " count" } else { "" },
        ];
        words.iter().try_for_each(|word| f.write_str(word))?;
        if !m.after.is_empty() {
            f.write_str(", and after it {")?;
            self.list(f, &m.after, " ")?;
            f.write_str("}")?;
        }
        f.write_str("}")
    }

    /// The filters of a sequence. How they repeat is in the text of the query.
    fn sequence(&self, f: &mut Formatter<'_>, sequence: &'a Sequence) -> fmt::Result {
        f.write_str(if sequence.path { "{path of" } else { "{line of" })?;
        for (_, filter) in &sequence.atoms {
            write!(f, " {}", self.of(filter))?;
        }
        f.write_str("}")
    }
}

impl Display for Explained<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let of = |expr| self.of(expr);
        let side = |color: &Color| if *color == Color::White { "white" } else { "black" };
        match &self.expr.kind {
            Kind::Men(men) => write!(f, "{men}"),
            Kind::Inter(pair) => self.pair(f, pair, "&"),
            Kind::Union(pair) => self.pair(f, pair, "|"),
            Kind::Attacks(pair) => self.pair(f, pair, "attacks"),
            Kind::AttackedBy(pair) => self.pair(f, pair, "attackedby"),
            Kind::Within(pair) => self.pair(f, pair, "in"),
            Kind::At(pair) => write!(f, "{}:{}", of(&pair.0), of(&pair.1)),
            Kind::Between(pair) => write!(f, "between({} {})", of(&pair.0), of(&pair.1)),
            Kind::Arithmetic(operator, pair) => self.pair(f, pair, name_of(OPERATORS, operator)),
            Kind::Complement(part) => write!(f, "~{}", of(part)),
            Kind::Count(part) => write!(f, "#{}", of(part)),
            Kind::Power(part) => write!(f, "power {}", of(part)),
            Kind::Negate(part) => write!(f, "-{}", of(part)),
            Kind::Absolute(part) => write!(f, "abs {}", of(part)),
            Kind::Not(part) => write!(f, "not {}", of(part)),
            Kind::Protected(part) | Kind::OfPawns(_, part) => write!(f, "{}", of(part)),
            Kind::Coordinate { rank, of: part } => {
                write!(f, "{} {}", if *rank { "rank" } else { "file" }, of(part))
            }
            Kind::Shade { light, of: part } => {
                write!(f, "{{{} {}}}", if *light { "light" } else { "dark" }, of(part))
            }
            Kind::Toward { directions, low, high, of: part } => {
                write!(f, "{{{directions} {low} {high} {}}}", of(part))
            }
            Kind::Ray { slider, directions, sets } => {
                write!(f, "{}ray {directions} (", if *slider { "x" } else { "" })?;
                self.list(f, sets, " ")?;
                f.write_str(")")
            }
            Kind::Pin(pin) => {
                f.write_str("{pin")?;
                self.part(f, "from", &pin.from)?;
                self.part(f, "through", &pin.through)?;
                self.part(f, "to", &pin.to)?;
                f.write_str("}")
            }
            Kind::Number(number) => write!(f, "{number}"),
            Kind::Extreme { max, of: list } => {
                f.write_str(if *max { "max(" } else { "min(" })?;
                self.list(f, list, " ")?;
                f.write_str(")")
            }
            Kind::Elo(color) => {
                f.write_str("elo")?;
                color.as_ref().map_or(Ok(()), |color| write!(f, " {}", side(color)))
            }
            Kind::Literal(text) => write!(f, "\"{text}\""),
            Kind::Player(color) => {
                f.write_str("player")?;
                color.as_ref().map_or(Ok(()), |color| write!(f, " {}", side(color)))
            }
            Kind::Field(slot) => {
                let name = self.fields.get(usize::from(*slot));
                write!(f, "tag \"{}\"", name.map_or("?", String::as_str))
            }
            Kind::Result(result) => write!(f, "result {result}"),
            Kind::Compare(compare) => {
                write!(f, "{{{}", of(&compare.first))?;
                for (relation, member) in &compare.rest {
                    write!(f, " {} {}", name_of(RELATIONS, relation), of(member))?;
                }
                f.write_str("}")
            }
            Kind::Matches(text, slot) => {
                let regex = self.regexes.get(usize::from(*slot));
                write!(f, "{{{} ~~ \"{}\"}}", of(text), regex.map_or("", |regex| regex.as_str()))
            }
            Kind::Contains(text, wanted) => write!(f, "{{\"{wanted}\" in {}}}", of(text)),
            Kind::And(list) | Kind::Block(list) => {
                f.write_str("{")?;
                self.list(f, list, " ")?;
                f.write_str("}")
            }
            Kind::Or(list) => {
                f.write_str("{")?;
                self.list(f, list, " or ")?;
                f.write_str("}")
            }
            Kind::If(parts) => {
                write!(f, "{{if {} then {}", of(&parts.0), of(&parts.1))?;
                self.part(f, "else", &parts.2)?;
                f.write_str("}")
            }
            Kind::Move(m) => self.moves(f, m),
            Kind::Find(find) => {
                f.write_str(if find.backward { "{find <--" } else { "{find" })?;
                f.write_str(if find.all { " all" } else { "" })?;
                if let Some((low, high)) = find.range {
                    write!(f, " {low} {high}")?;
                }
                write!(f, " {}}}", of(&find.what))
            }
            Kind::Sequence(sequence) => self.sequence(f, sequence),
            Kind::Variable(slot, _) | Kind::PieceVariable(slot) => {
                f.write_str(self.variable(*slot))
            }
            Kind::Each(each) => {
                let word = if each.piece { "piece" } else { "square" };
                let all = if each.all { " all" } else { "" };
                let name = self.variable(each.slot);
                write!(f, "{{{word}{all} {name} in {} {}}}", of(&each.set), of(&each.body))
            }
            Kind::Assign(assign) => {
                write!(f, "{{{} = {}}}", self.variable(assign.slot), of(&assign.value))
            }
            Kind::Sort { value, .. } => write!(f, "{{sort {}}}", of(value)),
            Kind::Note { message, parts } => {
                f.write_str(if *message { "message(" } else { "comment(" })?;
                self.list(f, parts, " ")?;
                f.write_str(")")
            }
            Kind::Transform { body, .. } => write!(f, "{}", of(body)),
            Kind::Variants { count, list, .. } => {
                f.write_str(if *count { "{count of " } else { "{one of " })?;
                let shown = list.get(..MAX_VARIANTS.min(list.len())).unwrap_or_default();
                self.list(f, shown, ", ")?;
                match list.len().saturating_sub(MAX_VARIANTS) {
                    0 => f.write_str("}"),
                    more => write!(f, ", and {more} more}}"),
                }
            }
            Kind::Comment => f.write_str("originalcomment"),
            // One by one, so that a new filter does not compile without its words.
            simple @ (Kind::Constant(_)
            | Kind::Check
            | Kind::Mate
            | Kind::Stalemate
            | Kind::Initial
            | Kind::Terminal
            | Kind::Mainline(_)
            | Kind::Primary(_)
            | Kind::Turn(_)
            | Kind::Pawns(_)
            | Kind::Ply
            | Kind::MoveNumber
            | Kind::Depth
            | Kind::GameNumber
            | Kind::PositionId
            | Kind::Year
            | Kind::Current
            | Kind::Parent
            | Kind::Child) => f.write_str(name_of(SIMPLE, simple)),
        }
    }
}

impl Display for Men {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let letters: String = match self.kinds {
            Men::ANY => String::new(),
            Men::WHITE => "A".to_owned(),
            Men::BLACK => "a".to_owned(),
            kinds => {
                let letters = "KQRBNPkqrbnp_".chars().enumerate();
                letters.filter(|(bit, _)| kinds >> bit & 1 != 0).map(|(_, letter)| letter).collect()
            }
        };
        if letters.len() > 1 {
            write!(f, "[{letters}]")?
        } else {
            f.write_str(&letters)?
        }
        match self.squares {
            Bitboard::ALL if letters.is_empty() => f.write_str("."),
            Bitboard::ALL => Ok(()),
            squares => write_squares(f, squares),
        }
    }
}

/// Writes a square, a rectangle such as `a-c1-2`, or a list.
fn write_squares(f: &mut Formatter<'_>, squares: Bitboard) -> fmt::Result {
    let (Some(first), Some(last)) = (squares.first(), squares.last()) else {
        return f.write_str("[]");
    };
    let (left, right) = (first.file().min(last.file()), first.file().max(last.file()));
    let inside = (first.rank()..=last.rank()).fold(Bitboard::EMPTY, |all, rank| {
        (left..=right).fold(all, |all, file| all | Bitboard::rank(rank) & Bitboard::file(file))
    });
    if inside != squares {
        for (place, square) in squares.enumerate() {
            write!(f, "{}{square}", if place == 0 { "[" } else { "," })?;
        }
        return f.write_str("]");
    }
    let mut range = |base: u8, low: u8, high: u8| {
        let letter = |n: u8| char::from(base.saturating_add(n));
        write!(f, "{}", letter(low))?;
        if low == high { Ok(()) } else { write!(f, "-{}", letter(high)) }
    };
    range(b'a', left, right)?;
    range(b'1', first.rank(), last.rank())
}

impl Display for Directions {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 8] =
            ["up", "down", "left", "right", "northeast", "northwest", "southeast", "southwest"];
        if *self == Directions::ALL {
            return f.write_str("anydirection");
        }
        let mut between = "";
        for (_, name) in NAMES.iter().enumerate().filter(|(bit, _)| self.0 >> bit & 1 != 0) {
            write!(f, "{between}{name}")?;
            between = " ";
        }
        Ok(())
    }
}
