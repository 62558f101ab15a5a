//! Evaluates filters at the positions of a game.
//!
//! Each type has its function: `test`, `set`, `number`, `position`, `text`. Nothing is allocated per
//! position except for messages, comments and variables that hold texts.

mod moves;
mod pawns;
mod sequences;

use chess_core::{Bitboard, Color, Game, Role};
use regex::Regex;

use crate::expr::{
    Assign, Compare, Each, Expr, Kind, Men, MoveValue, Operator, Pin, PinPart, Relation, Type,
};
use crate::geometry::{all_between, attacked, attacking, men, moved, pins, seen, shade, slides};
use crate::layouts::{Layouts, MAX_SETS};
use crate::line::{Line, NONE, Spot};
use crate::machine::States;

/// The value of a sort key, or of a `persistent` variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum SortValue {
    /// A number, or the number of squares of a set.
    Number(i64),
    /// A text.
    Text(String),
}

impl std::fmt::Display for SortValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SortValue::Number(number) => write!(f, "{number}"),
            SortValue::Text(text) => f.write_str(text),
        }
    }
}

/// The value of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Number(i64),
    Text(String),
    Set(u64),
    Position(u32),
    /// A man, by the square where it began.
    Man(u8),
}

/// The buffers and variables of a search, reused from game to game.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) line: Line,
    /// The current position.
    pub(crate) at: u32,
    pub(crate) work: u64,
    pub(crate) variables: Vec<Option<Value>>,
    pub(crate) fields: Vec<Option<String>>,
    /// Results of `find` by position, for filters that depend on the position only.
    pub(crate) found: Vec<Vec<u32>>,
    /// States of sequences that lead to no match, by position.
    pub(crate) dead: Vec<Vec<States>>,
    /// The end of the positions that a required item of a sequence matches: none do from there on.
    pub(crate) gates: Vec<Option<u32>>,
    /// The first and last position of the latest match of each `nestban`.
    pub(crate) bans: Vec<Option<(u32, u32)>>,
    /// The latest pawns of each kind, and their position.
    pub(crate) pawns: [(u32, Bitboard); 4],
    /// The positions of the main line before which a pawn moved, was taken or promoted. Empty until they are
    /// asked for.
    pub(crate) pawn_moves: Vec<u32>,
    /// The men that are pinned to a king, and their position.
    pub(crate) pinned: (u32, Bitboard),
    /// The latest result of each filter of pawns alone, and the white and black pawns.
    pub(crate) of_pawns: Vec<Option<([Bitboard; 2], bool)>>,
    /// Keys, messages and comments of the current position.
    pub(crate) sorts: Vec<(u16, SortValue)>,
    pub(crate) notes: Vec<(bool, u32, String)>,
    fronts: Vec<Fronts>,
    stacks: Vec<Vec<u32>>,
}

/// The active states of a sequence, by position.
#[derive(Debug, Default)]
struct Fronts {
    now: Vec<(u32, States)>,
    next: Vec<(u32, States)>,
    /// All states of this search, to be marked dead if it fails.
    visited: Vec<(u32, States)>,
}

/// In `State::found`: not known yet.
const UNKNOWN: u32 = u32::MAX - 1;

pub(crate) struct Eval<'a> {
    pub(crate) game: &'a Game,
    pub(crate) game_number: i64,
    pub(crate) regexes: &'a [Regex],
    pub(crate) variations: bool,
    pub(crate) most_work: u64,
    pub(crate) state: &'a mut State,
}

impl Eval<'_> {
    #[inline]
    fn spot(&self) -> &Spot {
        self.state.line.spot(self.state.at)
    }

    /// Counts one evaluation.
    #[inline]
    fn work(&mut self) {
        self.state.work = self.state.work.wrapping_add(1);
    }

    /// Whether the limit is reached. All loops stop then, and the search returns an error.
    #[inline]
    pub(crate) fn is_exhausted(&self) -> bool {
        self.state.work > self.most_work
    }

    /// Evaluates at another position.
    #[inline]
    fn there<T>(&mut self, at: u32, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        let here = std::mem::replace(&mut self.state.at, at);
        let result = evaluate(self);
        self.state.at = here;
        result
    }

    /// Whether a filter matches.
    pub(crate) fn test(&mut self, expr: &Expr) -> bool {
        self.work();
        match &expr.kind {
            Kind::Men(wanted) => men(self.spot().position.piece_sets(), *wanted).has_any(),
            Kind::Block(list) | Kind::And(list) => list.iter().all(|part| self.test(part)),
            Kind::Or(list) => list.iter().any(|part| self.test(part)),
            Kind::Not(part) => !self.test(part),
            Kind::Compare(compare) => self.compare(compare),
            Kind::Constant(value) => *value,
            Kind::Turn(color) => self.spot().position.turn() == *color,
            Kind::Check => self.spot().position.in_check(),
            Kind::Mate => self.spot().position.is_checkmate(),
            Kind::Stalemate => self.spot().position.is_stalemate(),
            Kind::Initial => self.spot().parent == NONE,
            Kind::Terminal => self.spot().child == NONE,
            Kind::Mainline(main) => (self.spot().depth == 0) == *main,
            Kind::Primary(primary) => self.spot().parent != NONE && self.spot().primary == *primary,
            Kind::Result(result) => self.game.header.result == *result,
            Kind::Matches(text, regex) => {
                let regexes = self.regexes;
                let Some(regex) = regexes.get(usize::from(*regex)) else { return false };
                self.text(text, &mut |text| regex.is_match(text))
            }
            Kind::Contains(text, wanted) => self.text(text, &mut |text| text.contains(wanted)),
            Kind::Within(pair) => self.within(&pair.0, &pair.1),
            Kind::At(pair) => match self.position(&pair.0) {
                Some(at) => self.there(at, |eval| eval.test(&pair.1)),
                None => false,
            },
            Kind::If(parts) => {
                let (test, then, other) = &**parts;
                if self.test(test) {
                    self.test(then)
                } else {
                    other.as_ref().is_none_or(|other| self.test(other))
                }
            }
            Kind::Move(m) if m.value != MoveValue::Count => self.moves(m, true).1 > 0,
            Kind::Sequence(sequence) => self.has_sequence(sequence),
            Kind::Each(each) if each.all => {
                self.set(&each.set).is_some_and(|set| self.each(each, set) == set)
            }
            Kind::Assign(assign) => self.assign(assign),
            Kind::Sort { slot, value } => match self.sort_value(value) {
                Some(value) => {
                    self.state.sorts.push((*slot, value));
                    true
                }
                None => false,
            },
            Kind::Note { message, parts } => self.note(*message, parts),
            Kind::Protected(body) | Kind::Transform { body, .. } => self.test(body),
            Kind::OfPawns(slot, body) => self.test_of_pawns(*slot, body),
            Kind::Variants { layouts: Some(layouts), .. } => self.has_layout(layouts),
            Kind::Variants { count: false, list, .. } => {
                list.iter().any(|variant| self.test(variant))
            }
            _ => match expr.ty() {
                Type::Set => self.set(expr).is_some_and(Bitboard::has_any),
                Type::Number => self.number(expr).is_some(),
                Type::Position => self.position(expr).is_some(),
                Type::Text => self.text(expr, &mut |_| true),
                Type::Test => false,
            },
        }
    }

    /// The value of a filter of the type `Set`.
    fn set(&mut self, expr: &Expr) -> Option<Bitboard> {
        self.work();
        Some(match &expr.kind {
            Kind::Men(wanted) => men(self.spot().position.piece_sets(), *wanted),
            Kind::Inter(pair) => {
                let left = self.set(&pair.0)?;
                if left.is_empty() { left } else { left & self.set(&pair.1)? }
            }
            Kind::Union(pair) => self.set(&pair.0)? | self.set(&pair.1)?,
            Kind::Complement(of) => !self.set(of)?,
            Kind::Attacks(pair) => {
                let from = self.set(&pair.0)?;
                if from.is_empty() {
                    return Some(from);
                }
                let to = self.set(&pair.1)?;
                attacking(&self.spot().position, from, to)
            }
            Kind::AttackedBy(pair) => {
                let of = self.set(&pair.0)?;
                if of.is_empty() {
                    return Some(of);
                }
                let by = self.set(&pair.1)?;
                attacked(&self.spot().position, of, by)
            }
            Kind::Toward { directions, low, high, of } => {
                let of = self.set(of)?;
                directions.steps().fold(Bitboard::EMPTY, |all, (files, ranks)| {
                    ((*low).max(-7)..=(*high).min(7)).fold(all, |all, n| {
                        all | moved(of, (files.wrapping_mul(n), ranks.wrapping_mul(n)))
                    })
                })
            }
            Kind::Shade { light, of } => self.set(of)? & shade(*light),
            Kind::Between(pair) => all_between(self.set(&pair.0)?, self.set(&pair.1)?),
            Kind::Ray { slider, directions, sets } => {
                let mut all = Bitboard::EMPTY;
                for step in directions.steps() {
                    all |= self.ray(*slider, step, sets)?;
                }
                all
            }
            Kind::Pin(pin) => self.pin(pin)?,
            Kind::Pawns(kind) => self.pawns(*kind),
            Kind::PieceVariable(slot) => match self.variable(*slot) {
                Some(Value::Man(man)) => self.state.line.man(self.state.at, *man),
                _ => return None,
            },
            Kind::Variable(slot, _) => match self.variable(*slot) {
                Some(Value::Set(set)) => Bitboard(*set),
                _ => return None,
            },
            Kind::Move(m) => {
                let (set, count) = self.moves(m, false);
                return (count > 0).then_some(set);
            }
            Kind::Each(each) => {
                let set = self.set(&each.set)?;
                self.each(each, set)
            }
            Kind::Variants { list, .. } => {
                let mut all = Bitboard::EMPTY;
                for variant in list {
                    all |= self.set(variant).unwrap_or_default();
                }
                all
            }
            _ => return self.inside(expr, Self::set),
        })
    }

    /// The value of a filter that has the value of a part of it.
    fn inside<T>(&mut self, expr: &Expr, value: fn(&mut Self, &Expr) -> Option<T>) -> Option<T> {
        match &expr.kind {
            Kind::Block(list) => {
                let (last, front) = list.split_last()?;
                front.iter().all(|part| self.test(part)).then(|| value(self, last)).flatten()
            }
            Kind::If(parts) => match &**parts {
                (test, then, Some(other)) => {
                    if self.test(test) {
                        value(self, then)
                    } else {
                        value(self, other)
                    }
                }
                _ => None,
            },
            Kind::At(pair) => {
                let at = self.position(&pair.0)?;
                self.there(at, |eval| value(eval, &pair.1))
            }
            Kind::Protected(body) | Kind::OfPawns(_, body) | Kind::Transform { body, .. } => {
                value(self, body)
            }
            Kind::Variants { list, .. } => list.iter().find_map(|variant| value(self, variant)),
            _ => None,
        }
    }

    /// The value of a number, or the number of squares of a set.
    fn number(&mut self, expr: &Expr) -> Option<i64> {
        self.work();
        Some(match &expr.kind {
            Kind::Number(number) => *number,
            Kind::Men(wanted) => i64::from(men(self.spot().position.piece_sets(), *wanted).count()),
            Kind::Count(of) => i64::from(self.set(of)?.count()),
            Kind::Power(of) => self.power(of)?,
            Kind::Coordinate { rank, of } => {
                let square = self.set(of)?.single()?;
                i64::from(if *rank { square.rank() } else { square.file() }).wrapping_add(1)
            }
            Kind::Negate(of) => self.number(of)?.checked_neg()?,
            Kind::Arithmetic(operator, pair) => {
                calculate(*operator, self.number(&pair.0)?, self.number(&pair.1)?)?
            }
            Kind::Absolute(of) => self.number(of)?.checked_abs()?,
            Kind::Extreme { max, of } => {
                let mut best: Option<i64> = None;
                for part in of {
                    let number = self.number(part)?;
                    let better = best.is_none_or(|best| (number > best) == *max);
                    best = if better { Some(number) } else { best };
                }
                best?
            }
            Kind::Ply => i64::from(self.spot().ply),
            Kind::MoveNumber => i64::from(self.spot().position.fullmove_number()),
            Kind::Depth => i64::from(self.spot().depth),
            Kind::GameNumber => self.game_number,
            Kind::PositionId => i64::from(self.state.at),
            Kind::Year => i64::from(self.game.header.date.year()?),
            Kind::Elo(color) => {
                let (white, black) = (self.game.header.white_elo, self.game.header.black_elo);
                i64::from(match color {
                    Some(Color::White) => white?.get(),
                    Some(Color::Black) => black?.get(),
                    None => white.max(black)?.get(),
                })
            }
            Kind::Variable(slot, Type::Number) => match self.variable(*slot) {
                Some(Value::Number(number)) => *number,
                _ => return None,
            },
            Kind::Move(m) if m.value == MoveValue::Count => self.moves(m, false).1,
            Kind::Find(find) if expr.ty() == Type::Number => self.find_all(find)?,
            Kind::Sequence(sequence) if !sequence.last_position => {
                i64::from(self.sequence(sequence, false)?.0)
            }
            Kind::Variants { count: true, list, .. } => {
                let matching = list.iter().filter(|variant| self.test(variant)).count();
                i64::try_from(matching).ok()?
            }
            Kind::Variants { list, .. } if expr.ty() == Type::Number => {
                list.iter().filter_map(|variant| self.number(variant)).max()?
            }
            _ if expr.ty() == Type::Set => i64::from(self.set(expr)?.count()),
            _ => return self.inside(expr, Self::number),
        })
    }

    fn position(&mut self, expr: &Expr) -> Option<u32> {
        let of = |number: u32| (number != NONE).then_some(number);
        match &expr.kind {
            Kind::Current => Some(self.state.at),
            Kind::Parent => of(self.spot().parent),
            Kind::Child => of(self.spot().child),
            Kind::Find(find) => self.find(find),
            Kind::Sequence(sequence) => self.sequence(sequence, false).map(|(_, last)| last),
            Kind::Variable(slot, _) => match self.variable(*slot) {
                Some(Value::Position(number)) => Some(*number),
                _ => None,
            },
            _ => self.inside(expr, Self::position),
        }
    }

    /// Whether the text, or one of the texts, is wanted. False without a value.
    fn text(&mut self, expr: &Expr, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
        self.work();
        let header = &self.game.header;
        match &expr.kind {
            Kind::Literal(text) => wanted(text),
            Kind::Player(Some(Color::White)) => wanted(&header.white),
            Kind::Player(Some(Color::Black)) => wanted(&header.black),
            Kind::Player(None) => wanted(&header.white) || wanted(&header.black),
            Kind::Field(slot) => {
                let text = self.state.fields.get(usize::from(*slot));
                text.is_some_and(|text| text.as_deref().is_some_and(wanted))
            }
            Kind::Comment => self.state.line.any_comment(self.game, self.state.at, wanted),
            Kind::Variable(slot, _) => match self.variable(*slot) {
                Some(Value::Text(text)) => wanted(text),
                _ => false,
            },
            Kind::Block(list) => match list.split_last() {
                Some((last, front)) => {
                    front.iter().all(|part| self.test(part)) && self.text(last, wanted)
                }
                None => false,
            },
            Kind::If(parts) => match &**parts {
                (test, then, Some(other)) => {
                    let part = if self.test(test) { then } else { other };
                    self.text(part, wanted)
                }
                _ => false,
            },
            Kind::At(pair) => match self.position(&pair.0) {
                Some(at) => self.there(at, |eval| eval.text(&pair.1, wanted)),
                None => false,
            },
            Kind::Protected(body) | Kind::OfPawns(_, body) | Kind::Transform { body, .. } => {
                self.text(body, wanted)
            }
            Kind::Variants { list, .. } => list.iter().any(|variant| self.text(variant, wanted)),
            _ => false,
        }
    }

    fn own_text(&mut self, expr: &Expr) -> Option<String> {
        let mut found = None;
        self.text(expr, &mut |text| {
            found = Some(text.to_owned());
            true
        });
        found
    }

    /// The value of a filter as a variable or sort key keeps it.
    fn value(&mut self, expr: &Expr) -> Option<Value> {
        match expr.ty() {
            Type::Set => self.set(expr).map(|set| Value::Set(set.0)),
            Type::Number => self.number(expr).map(Value::Number),
            Type::Text => self.own_text(expr).map(Value::Text),
            Type::Position => self.position(expr).map(Value::Position),
            Type::Test => None,
        }
    }

    fn sort_value(&mut self, expr: &Expr) -> Option<SortValue> {
        match expr.ty() {
            Type::Text => self.own_text(expr).map(SortValue::Text),
            _ => self.number(expr).map(SortValue::Number),
        }
    }

    fn variable(&self, slot: u16) -> Option<&Value> {
        self.state.variables.get(usize::from(slot))?.as_ref()
    }

    fn set_variable(&mut self, slot: u16, value: Option<Value>) -> Option<Value> {
        let place = self.state.variables.get_mut(usize::from(slot))?;
        std::mem::replace(place, value)
    }

    fn compare(&mut self, compare: &Compare) -> bool {
        if let Some(balance) = &compare.balance {
            return balance.holds(self.spot().position.piece_sets());
        }
        match compare.by {
            Type::Number => {
                let mut left = self.number(&compare.first);
                for (relation, member) in &compare.rest {
                    let right = self.number(member);
                    if !holds(*relation, left.zip(right)) {
                        return false;
                    }
                    left = right;
                }
                true
            }
            Type::Set => {
                let mut left = self.set(&compare.first);
                for (relation, member) in &compare.rest {
                    let right = self.set(member);
                    let pair = left.zip(right);
                    let ordered = !matches!(relation, Relation::Equal | Relation::Unequal);
                    let fits = if ordered {
                        holds(*relation, pair.map(|(a, b)| (a.count(), b.count())))
                    } else {
                        holds(*relation, pair.map(|(a, b)| (a.0, b.0)))
                    };
                    if !fits {
                        return false;
                    }
                    left = right;
                }
                true
            }
            Type::Text => {
                let mut left = self.own_text(&compare.first);
                for (relation, member) in &compare.rest {
                    // `player` has two texts, and one that fits is enough.
                    let fits = match &left {
                        Some(left) => self.text(member, &mut |right| {
                            holds(*relation, Some((left.as_str(), right)))
                        }),
                        None => false,
                    };
                    let none = left.is_none() || !self.text(member, &mut |_| true);
                    if !(fits || none && *relation == Relation::Unequal) {
                        return false;
                    }
                    left = self.own_text(member);
                }
                true
            }
            _ => {
                let mut left = self.position(&compare.first);
                for (relation, member) in &compare.rest {
                    let right = self.position(member);
                    if !holds(*relation, left.zip(right)) {
                        return false;
                    }
                    left = right;
                }
                true
            }
        }
    }

    fn within(&mut self, a: &Expr, b: &Expr) -> bool {
        if a.ty() == Type::Text {
            let Some(part) = self.own_text(a) else { return false };
            return self.text(b, &mut |text| text.contains(&part));
        }
        match (self.set(a), self.set(b)) {
            (Some(a), Some(b)) => (a & !b).is_empty(),
            _ => false,
        }
    }

    fn power(&mut self, of: &Expr) -> Option<i64> {
        // King, queen, rook, bishop, knight, pawn; pawns have 1 and kings 0.
        const POWER: [(u16, i64); 5] = [(2, 9), (4, 5), (8, 3), (16, 3), (32, 1)];
        let set = self.set(of)?;
        let sets = self.spot().position.piece_sets();
        Some(POWER.into_iter().fold(0_i64, |sum, (kind, power)| {
            let count = men(sets, Men { kinds: kind | kind << 6, squares: set }).count();
            sum.wrapping_add(power.wrapping_mul(i64::from(count)))
        }))
    }

    fn ray(&mut self, slider: bool, step: (i8, i8), sets: &[Expr]) -> Option<Bitboard> {
        let (first, rest) = sets.split_first()?;
        let mut front = self.set(first)?;
        if slider {
            let position = &self.spot().position;
            front = { front }
                .filter(|square| slides(position, *square, step))
                .fold(Bitboard::EMPTY, |all, square| all | Bitboard::of(square));
        }
        for set in rest {
            if front.is_empty() {
                break;
            }
            let occupied = self.spot().position.occupied();
            front = seen(front, step, occupied) & self.set(set)?;
        }
        Some(front)
    }

    fn pin(&mut self, pin: &Pin) -> Option<Bitboard> {
        if pin.from.is_none() && pin.to.is_none() && pin.value == PinPart::Through {
            let through = pin.through.as_ref().map_or(Some(Bitboard::ALL), |of| self.set(of))?;
            let at = self.state.at;
            if self.state.pinned.0 != at {
                let position = &self.spot().position;
                let kings = position.role(Role::King);
                let [_, pinned, _] = pins(position, Bitboard::ALL, Bitboard::ALL, kings);
                self.state.pinned = (at, pinned);
            }
            return Some(self.state.pinned.1 & through);
        }
        let mut part = |expr: &Option<Expr>, otherwise| match expr {
            Some(expr) => self.set(expr),
            None => Some(otherwise),
        };
        let from = part(&pin.from, Bitboard::ALL)?;
        let through = part(&pin.through, Bitboard::ALL)?;
        let to = part(&pin.to, Bitboard::EMPTY)?;
        let position = &self.spot().position;
        let to = if pin.to.is_some() { to } else { position.role(Role::King) };
        let [from, through, to] = pins(position, from, through, to);
        Some(match pin.value {
            PinPart::From => from,
            PinPart::Through => through,
            PinPart::To => to,
        })
    }

    /// Whether the position has one of the layouts.
    fn has_layout(&mut self, layouts: &Layouts) -> bool {
        let mut all = [Bitboard::EMPTY; MAX_SETS];
        for ((kinds, pawns), place) in layouts.sets.iter().zip(&mut all) {
            let wanted = Men { kinds: *kinds, squares: Bitboard::ALL };
            *place = men(self.spot().position.piece_sets(), wanted);
            if let Some(pawns) = pawns {
                *place &= self.pawns(*pawns);
            }
        }
        layouts.hold(&all)
    }

    /// The squares for which the body matches.
    fn each(&mut self, each: &Each, set: Bitboard) -> Bitboard {
        let mut matching = Bitboard::EMPTY;
        for square in set {
            let value = if each.piece {
                let man = self.state.line.man_on(self.state.at, square);
                man.map(Value::Man)
            } else {
                Some(Value::Set(Bitboard::of(square).0))
            };
            if value.is_none() || self.is_exhausted() {
                continue;
            }
            let outer = self.set_variable(each.slot, value);
            if self.test(&each.body) {
                matching |= Bitboard::of(square);
            }
            self.set_variable(each.slot, outer);
        }
        matching
    }

    fn assign(&mut self, assign: &Assign) -> bool {
        let Some(value) = self.value(&assign.value) else { return false };
        let value = match (assign.operator, value) {
            (None, value) => Some(value),
            (Some(operator), Value::Number(by)) => match self.variable(assign.slot) {
                Some(Value::Number(old)) => calculate(operator, *old, by).map(Value::Number),
                _ => None,
            },
            _ => None,
        };
        let known = value.is_some();
        if known {
            self.set_variable(assign.slot, value);
        }
        known
    }

    fn note(&mut self, message: bool, parts: &[Expr]) -> bool {
        let mut text = String::new();
        for part in parts {
            if let Some(value) = self.value(part) {
                text.push_str(&value.to_string());
            }
        }
        self.state.notes.push((message, self.state.at, text));
        true
    }
}

#[inline]
fn holds<T: PartialOrd>(relation: Relation, pair: Option<(T, T)>) -> bool {
    let Some((a, b)) = pair else { return relation == Relation::Unequal };
    match relation {
        Relation::Equal => a == b,
        Relation::Unequal => a != b,
        Relation::Less => a < b,
        Relation::AtMost => a <= b,
        Relation::More => a > b,
        Relation::AtLeast => a >= b,
    }
}

fn calculate(operator: Operator, a: i64, b: i64) -> Option<i64> {
    match operator {
        Operator::Add => a.checked_add(b),
        Operator::Subtract => a.checked_sub(b),
        Operator::Multiply => a.checked_mul(b),
        Operator::Divide => a.checked_div(b),
        Operator::Remainder => a.checked_rem(b),
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => f.write_str(text),
            Value::Set(set) => {
                for (place, square) in Bitboard(*set).enumerate() {
                    write!(f, "{}{square}", if place > 0 { " " } else { "" })?;
                }
                Ok(())
            }
            Value::Position(number) => write!(f, "position {number}"),
            Value::Man(square) => write!(f, "man {square}"),
        }
    }
}
