//! Necessary conditions on a game, derived from a query.

use chess_core::{Color, GameResult, Piece, Role};

use crate::expr::{Expr, Kind, Men, MoveSource, MoveValue, Relation, Type};

/// A necessary condition on a game, for the index of a base: a game without it does not match.
///
/// A condition on men or move numbers holds for at least one position of the game. Different
/// conditions of an `All` may hold at different positions.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Condition {
    /// Nothing follows: every game must be searched.
    Always,
    /// No game matches.
    Never,
    /// All conditions hold.
    All(Vec<Condition>),
    /// At least one condition holds.
    OneOf(Vec<Condition>),
    /// The condition, which is one of the header, does not hold.
    Not(Box<Condition>),
    /// The name of the player of this colour, or of one of both, contains a text.
    Player {
        /// The colour, if the query names one.
        color: Option<Color>,
        /// The text, case-sensitive.
        text: String,
    },
    /// A tag contains a text.
    Tag {
        /// The name of the tag, as in PGN.
        name: String,
        /// The text, case-sensitive.
        text: String,
    },
    /// The game has this result.
    Result(GameResult),
    /// The rating is in a range. Without a colour, it is the higher rating of both.
    Elo {
        /// The colour, if the query names one.
        color: Option<Color>,
        /// The lowest rating.
        min: i64,
        /// The highest rating.
        max: i64,
    },
    /// The year is in a range.
    Year {
        /// The first year.
        min: i64,
        /// The last year.
        max: i64,
    },
    /// The number of these men on the board is in a range, at some position.
    Men {
        /// The kinds of men, counted together.
        pieces: Vec<Piece>,
        /// The lowest number.
        min: i64,
        /// The highest number.
        max: i64,
    },
    /// The numbers of pieces are in ranges, all at one position. Something is limited more than in the
    /// start position of chess.
    Material {
        /// The fewest pieces of White and of Black: queens, rooks, bishops, knights and pawns.
        least: [[u32; 5]; 2],
        /// The most pieces.
        most: [[u32; 5]; 2],
    },
    /// The number of the next move is in a range, at some position.
    MoveNumber {
        /// The lowest number.
        min: i64,
        /// The highest number.
        max: i64,
    },
    /// The game has a minimum number of half-moves, counted along its longest variation.
    HalfMoves {
        /// The lowest number.
        min: u32,
    },
}

/// Finds conditions, and filters that contradict each other.
pub(crate) struct Finder<'a> {
    pub(crate) fields: &'a [String],
    /// The places of two filters that no position fulfils.
    pub(crate) contradictions: Vec<(usize, usize)>,
}

impl Finder<'_> {
    /// The condition of filters that match at one position.
    pub(crate) fn together(&mut self, list: &[&Expr]) -> Condition {
        let mut flat = Vec::new();
        let mut stack: Vec<&Expr> = list.iter().rev().copied().collect();
        while let Some(expr) = stack.pop() {
            match &expr.kind {
                Kind::And(list) | Kind::Block(list) => stack.extend(list.iter().rev()),
                Kind::Protected(body) => stack.push(body),
                _ => flat.push(expr),
            }
        }
        let conditions: Vec<Condition> = flat.iter().map(|expr| self.of(expr)).collect();
        let mut known: Vec<(usize, &Condition)> = Vec::new();
        for (expr, condition) in flat.iter().zip(&conditions) {
            // Others look at other positions too.
            if !matches!(
                expr.kind,
                Kind::Men(_) | Kind::Compare(_) | Kind::Result(_) | Kind::Turn(_)
            ) {
                continue;
            }
            let parts = match condition {
                Condition::All(parts) if matches!(expr.kind, Kind::Compare(_)) => parts.as_slice(),
                other => std::slice::from_ref(other),
            };
            let sides = flat.iter().find(|other| match (&expr.kind, &other.kind) {
                (Kind::Turn(a), Kind::Turn(b)) => a != b,
                _ => false,
            });
            let first =
                known.iter().find(|(_, other)| parts.iter().any(|part| excludes(part, other)));
            let first = first.map(|(place, _)| *place).or(sides.map(|side| side.start));
            if let Some(first) = first {
                let pair = (first.min(expr.start), first.max(expr.start));
                self.contradictions.push(pair);
                return Condition::Never;
            }
            known.extend(parts.iter().map(|part| (expr.start, part)));
        }
        let material = material(known.iter().map(|(_, condition)| *condition));
        all(conditions.into_iter().chain(material).collect())
    }

    /// The condition of a filter that matches.
    fn of(&mut self, expr: &Expr) -> Condition {
        match &expr.kind {
            Kind::Men(men) => men_in(*men, 1, i64::MAX),
            Kind::And(list) | Kind::Block(list) => self.together(&list.iter().collect::<Vec<_>>()),
            Kind::Or(list) | Kind::Variants { count: false, list, .. } => {
                one_of(list.iter().map(|part| self.together(&[part])).collect())
            }
            Kind::Protected(body) => self.of(body),
            Kind::Constant(false) => Condition::Never,
            Kind::Not(part) => self.not(part),
            Kind::Result(result) => Condition::Result(*result),
            Kind::Contains(text, wanted) => match &text.kind {
                Kind::Player(color) => Condition::Player { color: *color, text: wanted.clone() },
                Kind::Field(slot) => match self.fields.get(usize::from(*slot)) {
                    Some(name) => Condition::Tag { name: name.clone(), text: wanted.clone() },
                    None => Condition::Always,
                },
                _ => Condition::Always,
            },
            Kind::Compare(compare) => {
                let mut left = &compare.first;
                let mut list = Vec::new();
                for (relation, right) in &compare.rest {
                    list.push(compared(left, *relation, right, compare.by));
                    list.push(compared(right, turned(*relation), left, compare.by));
                    left = right;
                }
                all(list)
            }
            // Sets that must not be empty.
            Kind::Inter(pair) | Kind::Attacks(pair) | Kind::AttackedBy(pair) => {
                all(vec![self.of(&pair.0), self.of(&pair.1)])
            }
            Kind::Union(pair) => one_of(vec![self.of(&pair.0), self.of(&pair.1)]),
            Kind::Shade { of, .. } | Kind::Toward { of, .. } => self.of(of),
            Kind::Ray { sets, .. } => all(sets.iter().map(|set| self.of(set)).collect()),
            Kind::Move(m) if m.value != MoveValue::Count => {
                let sets = [&m.from, &m.to, &m.capture];
                let mut list: Vec<Condition> =
                    sets.into_iter().flatten().map(|set| self.of(set)).collect();
                list.push(self.together(&m.after.iter().collect::<Vec<_>>()));
                if matches!(m.source, MoveSource::Played | MoveSource::Previous) {
                    list.push(Condition::HalfMoves { min: 1 });
                }
                all(list)
            }
            Kind::At(pair) => self.together(&[&pair.1]),
            Kind::Find(find) if find.range.is_none_or(|(low, _)| low > 0) => {
                let positions = find.range.map_or(1, |(low, _)| low);
                let min = u32::try_from(positions.saturating_sub(1)).unwrap_or_default();
                all(vec![self.together(&[&find.what]), half_moves(min)])
            }
            Kind::Sequence(sequence) => {
                let machine = &sequence.machine;
                let mut list = Vec::new();
                for (number, (_, filter)) in sequence.atoms.iter().enumerate() {
                    if machine.requires(number) {
                        list.push(self.together(&[filter]));
                    }
                }
                let takes = |atom: usize| {
                    !sequence.path || sequence.atoms.get(atom).is_some_and(|(moves, _)| *moves)
                };
                let least = machine.least(takes);
                let min = match (sequence.path, sequence.single_color) {
                    (true, _) => least,
                    (false, single) => {
                        least.saturating_sub(1).saturating_mul(if single { 2 } else { 1 })
                    }
                };
                list.push(half_moves(min));
                all(list)
            }
            Kind::Each(each) if !each.all => all(vec![self.of(&each.set), self.of(&each.body)]),
            _ => Condition::Always,
        }
    }

    /// Only conditions of the header are known exactly, so only they can be turned around.
    fn not(&mut self, part: &Expr) -> Condition {
        match self.of(part) {
            inner @ (Condition::Player { .. } | Condition::Tag { .. } | Condition::Result(_)) => {
                Condition::Not(Box::new(inner))
            }
            _ => Condition::Always,
        }
    }
}

fn half_moves(min: u32) -> Condition {
    if min == 0 { Condition::Always } else { Condition::HalfMoves { min } }
}

fn men_in(men: Men, min: i64, max: i64) -> Condition {
    if men.kinds & Men::EMPTY != 0 || min <= 0 && max == i64::MAX {
        return Condition::Always;
    }
    const ROLES: [Role; 6] =
        [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let of = |color: Color, shift: u32| {
        ROLES.into_iter().enumerate().filter_map(move |(bit, role)| {
            let bit = u32::try_from(bit).unwrap_or_default().saturating_add(shift);
            (men.kinds >> bit & 1 != 0).then_some(Piece::new(role, color))
        })
    };
    let pieces = of(Color::White, 0).chain(of(Color::Black, 6)).collect();
    Condition::Men { pieces, min, max }
}

/// Joins conditions on men of one position. `None` if they exclude no material of a usual game.
fn material<'a>(conditions: impl Iterator<Item = &'a Condition>) -> Option<Condition> {
    const START: [i64; 6] = [1, 2, 2, 2, 8, 1];
    const MOST: i64 = 64;
    /// The place of a piece among the numbers of its side. Kings are counted to limit the others.
    fn place(piece: Piece) -> usize {
        let role = match piece.role() {
            Role::Queen => 0,
            Role::Rook => 1,
            Role::Bishop => 2,
            Role::Knight => 3,
            Role::Pawn => 4,
            Role::King => 5,
        };
        if piece.color() == Color::White { role } else { role.saturating_add(6) }
    }
    let sets: Vec<(Vec<usize>, i64, i64)> = conditions
        .filter_map(|condition| match condition {
            Condition::Men { pieces, min, max } => {
                Some((pieces.iter().map(|piece| place(*piece)).collect(), *min, *max))
            }
            _ => None,
        })
        .collect();
    let mut ranges = [(0, MOST); 12];
    // A range that a set leaves to one kind can limit another set.
    for _ in 0..3 {
        for (kinds, min, max) in &sets {
            let of = |ranges: &[(i64, i64); 12]| {
                kinds.iter().filter_map(|kind| ranges.get(*kind).copied()).collect::<Vec<_>>()
            };
            for kind in kinds {
                let sum = of(&ranges).into_iter().fold((0_i64, 0_i64), |sum, range| {
                    (sum.0.saturating_add(range.0), sum.1.saturating_add(range.1))
                });
                let Some((low, high)) = ranges.get_mut(*kind) else { continue };
                let others = (sum.0.saturating_sub(*low), sum.1.saturating_sub(*high));
                *high = (*high).min(max.saturating_sub(others.0)).max(0);
                *low = (*low).max(min.saturating_sub(others.1)).min(MOST);
            }
        }
    }
    let (white, black) = ranges.split_at(6);
    let side = |ranges: &[(i64, i64)]| {
        let (mut least, mut most) = ([0; 5], [0; 5]);
        for ((least, most), range) in least.iter_mut().zip(&mut most).zip(ranges) {
            (*least, *most) = (
                u32::try_from(range.0).unwrap_or_default(),
                u32::try_from(range.1).unwrap_or(u32::MAX),
            );
        }
        (least, most)
    };
    let limits = |ranges: &[(i64, i64)]| {
        ranges.iter().zip(START).take(5).any(|((_, most), start)| *most < start)
    };
    if !limits(white) && !limits(black) {
        return None;
    }
    let ((white_least, white_most), (black_least, black_most)) = (side(white), side(black));
    Some(Condition::Material { least: [white_least, black_least], most: [white_most, black_most] })
}

/// The condition of `left relation right`, seen from `left`.
fn compared(left: &Expr, relation: Relation, right: &Expr, by: Type) -> Condition {
    let (Kind::Number(number), Type::Number) = (&right.kind, by) else { return Condition::Always };
    let Some((min, max)) = relation.range(*number) else { return Condition::Always };
    let counted = match &left.kind {
        Kind::Count(of) => &of.kind,
        kind => kind,
    };
    match counted {
        Kind::Men(men) if men.squares == chess_core::Bitboard::ALL => men_in(*men, min, max),
        // There may be more elsewhere.
        Kind::Men(men) => men_in(*men, min, i64::MAX),
        Kind::Year => Condition::Year { min, max },
        Kind::Elo(color) => Condition::Elo { color: *color, min, max },
        Kind::MoveNumber => Condition::MoveNumber { min, max },
        Kind::Ply => half_moves(u32::try_from(min).unwrap_or_default()),
        _ => Condition::Always,
    }
}

/// The relation with its sides exchanged.
fn turned(relation: Relation) -> Relation {
    match relation {
        Relation::Less => Relation::More,
        Relation::AtMost => Relation::AtLeast,
        Relation::More => Relation::Less,
        Relation::AtLeast => Relation::AtMost,
        other => other,
    }
}

/// Whether no position fulfils both conditions.
fn excludes(a: &Condition, b: &Condition) -> bool {
    use Condition::{Elo, Men, MoveNumber, Result, Year};
    let apart = |a: (i64, i64), b: (i64, i64)| a.0 > b.1 || b.0 > a.1;
    match (a, b) {
        (Men { pieces: p, min, max }, Men { pieces: q, min: low, max: high }) => {
            let within = |p: &[Piece], q: &[Piece]| p.iter().all(|piece| q.contains(piece));
            within(p, q) && min > high || within(q, p) && low > max
        }
        (Year { min, max }, Year { min: low, max: high })
        | (MoveNumber { min, max }, MoveNumber { min: low, max: high }) => {
            apart((*min, *max), (*low, *high))
        }
        (Elo { color, min, max }, Elo { color: other, min: low, max: high }) => {
            color == other && apart((*min, *max), (*low, *high))
        }
        (Result(a), Result(b)) => a != b,
        _ => false,
    }
}

pub(crate) fn all(list: Vec<Condition>) -> Condition {
    let mut flat = Vec::with_capacity(list.len());
    for condition in list {
        match condition {
            Condition::Always => {}
            Condition::Never => return Condition::Never,
            Condition::All(more) => flat.extend(more),
            other => flat.push(other),
        }
    }
    let mut distinct: Vec<Condition> = Vec::with_capacity(flat.len());
    let mut most = 0;
    for condition in flat {
        match condition {
            Condition::HalfMoves { min } => most = most.max(min),
            other if distinct.contains(&other) => {}
            other => distinct.push(other),
        }
    }
    if most > 0 {
        distinct.push(half_moves(most));
    }
    joined(distinct, Condition::Always, Condition::All)
}

fn one_of(list: Vec<Condition>) -> Condition {
    let mut distinct: Vec<Condition> = Vec::with_capacity(list.len());
    for condition in list {
        match condition {
            Condition::Always => return Condition::Always,
            Condition::Never => {}
            other if distinct.contains(&other) => {}
            other => distinct.push(other),
        }
    }
    joined(distinct, Condition::Never, Condition::OneOf)
}

/// Returns the only condition of a list, or several as one.
fn joined(
    mut list: Vec<Condition>,
    none: Condition,
    several: fn(Vec<Condition>) -> Condition,
) -> Condition {
    if list.len() > 1 { several(list) } else { list.pop().unwrap_or(none) }
}
