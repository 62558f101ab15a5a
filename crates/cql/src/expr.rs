//! The filters of a query as a tree. The same tree is parsed, turned by transforms and evaluated.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use chess_core::{Bitboard, Color, GameResult};

use crate::balance::Balance;
use crate::geometry::Directions;
use crate::layouts::Layouts;
use crate::machine::Machine;

/// The type of a filter's value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Type {
    Set,
    Number,
    Text,
    Position,
    Test,
}

/// A filter and its place in the text.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Levels of filters inside this one.
    pub(crate) height: usize,
}

/// Two filters are equal if they mean the same; places do not matter.
impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Expr {}

impl Hash for Expr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

/// Kinds of men on squares. Bits 0 to 5 are the white men `KQRBNP`, bits 6 to 11 the black ones,
/// and bit 12 is the empty square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Men {
    pub(crate) kinds: u16,
    pub(crate) squares: Bitboard,
}

impl Men {
    pub(crate) const WHITE: u16 = 0b11_1111;
    pub(crate) const BLACK: u16 = Men::WHITE << 6;
    pub(crate) const EMPTY: u16 = 1 << 12;
    pub(crate) const ANY: u16 = Men::WHITE | Men::BLACK | Men::EMPTY;

    /// Returns the same men with their colours swapped.
    pub(crate) const fn swapped(kinds: u16) -> u16 {
        (kinds & Men::WHITE) << 6 | (kinds & Men::BLACK) >> 6 | kinds & Men::EMPTY
    }
}

pub(crate) type Pair = Box<(Expr, Expr)>;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    // Sets of squares.
    Men(Men),
    Inter(Pair),
    Union(Pair),
    Complement(Box<Expr>),
    Attacks(Pair),
    AttackedBy(Pair),
    Toward {
        directions: Directions,
        low: i8,
        high: i8,
        of: Box<Expr>,
    },
    Shade {
        light: bool,
        of: Box<Expr>,
    },
    Between(Pair),
    Ray {
        slider: bool,
        directions: Directions,
        sets: Vec<Expr>,
    },
    Pin(Box<Pin>),
    Pawns(Pawns),
    // Numbers.
    Number(i64),
    Count(Box<Expr>),
    Power(Box<Expr>),
    Coordinate {
        rank: bool,
        of: Box<Expr>,
    },
    Negate(Box<Expr>),
    Arithmetic(Operator, Pair),
    Absolute(Box<Expr>),
    Extreme {
        max: bool,
        of: Vec<Expr>,
    },
    Ply,
    MoveNumber,
    Depth,
    GameNumber,
    PositionId,
    Year,
    Elo(Option<Color>),
    // Positions.
    Current,
    Parent,
    Child,
    // Texts.
    Literal(String),
    Player(Option<Color>),
    Field(u16),
    Comment,
    // Tests.
    Constant(bool),
    Check,
    Mate,
    Stalemate,
    Turn(Color),
    Initial,
    Terminal,
    Mainline(bool),
    Primary(bool),
    Result(GameResult),
    Compare(Box<Compare>),
    Within(Pair),
    Matches(Box<Expr>, u16),
    Contains(Box<Expr>, String),
    Not(Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    // Of the type of what they contain.
    Block(Vec<Expr>),
    If(Box<(Expr, Expr, Option<Expr>)>),
    At(Pair),
    Move(Box<MoveFilter>),
    Find(Box<Find>),
    Sequence(Box<Sequence>),
    Variable(u16, Type),
    PieceVariable(u16),
    Each(Box<Each>),
    // With effects.
    Assign(Box<Assign>),
    Sort {
        slot: u16,
        value: Box<Expr>,
    },
    Note {
        message: bool,
        parts: Vec<Expr>,
    },
    // Transforms. `Variants` is what the others become before the search.
    Transform {
        transform: Transform,
        count: bool,
        body: Box<Expr>,
    },
    Protected(Box<Expr>),
    Variants {
        count: bool,
        list: Vec<Expr>,
        /// The same as layouts, if they are.
        layouts: Option<Box<Layouts>>,
    },
    /// A filter of pawns alone, whose last result is kept: pawns move once in three half-moves.
    OfPawns(u16, Box<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Pawns {
    Passed,
    Doubled,
    Isolated,
    Connected,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Relation {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Relation {
    /// Returns the least and the greatest number that has this relation to `number`. `None` if no number
    /// has it, or all but one.
    pub(crate) fn range(self, number: i64) -> Option<(i64, i64)> {
        Some(match self {
            Relation::Equal => (number, number),
            Relation::Unequal => return None,
            Relation::Less => (i64::MIN, number.checked_sub(1)?),
            Relation::AtMost => (i64::MIN, number),
            Relation::More => (number.checked_add(1)?, i64::MAX),
            Relation::AtLeast => (number, i64::MAX),
        })
    }
}

/// A chain `a op b op c`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Compare {
    pub(crate) first: Expr,
    pub(crate) rest: Vec<(Relation, Expr)>,
    /// The type in which the members are compared. `Number` counts sets.
    pub(crate) by: Type,
    /// The same in a form that is evaluated at once, after the transforms.
    pub(crate) balance: Option<Balance>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Pin {
    pub(crate) from: Option<Expr>,
    pub(crate) through: Option<Expr>,
    pub(crate) to: Option<Expr>,
    pub(crate) value: PinPart,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PinPart {
    From,
    Through,
    To,
}

/// Which moves a `move` filter looks at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) enum MoveSource {
    #[default]
    Played,
    Previous,
    Legal,
    PseudoLegal,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) enum MoveValue {
    /// A test: dashes, castling words and `move null`.
    Test,
    #[default]
    From,
    To,
    Capture,
    Count,
}

/// `move` with its parameters, or a dash.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct MoveFilter {
    pub(crate) source: MoveSource,
    pub(crate) value: MoveValue,
    pub(crate) from: Option<Expr>,
    pub(crate) to: Option<Expr>,
    pub(crate) capture: Option<Expr>,
    pub(crate) en_passant_square: Option<Expr>,
    /// Kinds of men as bits of [`Men`].
    pub(crate) promote: Option<u16>,
    pub(crate) en_passant: bool,
    /// Bit 0: on the king's side, bit 1: on the queen's side. 0: any move.
    pub(crate) castle: u8,
    pub(crate) null: bool,
    pub(crate) primary: Option<bool>,
    pub(crate) after: Vec<Expr>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Find {
    pub(crate) backward: bool,
    /// `find all`, or a range of numbers.
    pub(crate) all: bool,
    pub(crate) range: Option<(i64, i64)>,
    pub(crate) what: Expr,
    pub(crate) memo: Memo,
    /// A `find` without variables. Where it finds nothing, this one does not either.
    pub(crate) gate: Option<Expr>,
    /// Whether `what` depends on the pawns alone.
    pub(crate) of_pawns: bool,
}

/// `line` or `path`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sequence {
    pub(crate) path: bool,
    pub(crate) backward: bool,
    pub(crate) single_color: bool,
    pub(crate) last_position: bool,
    pub(crate) primary: Option<bool>,
    pub(crate) range: Option<(i64, i64)>,
    pub(crate) machine: Arc<Machine>,
    /// The filters of the items. For a path, whether each takes a move.
    pub(crate) atoms: Vec<(bool, Expr)>,
    /// The place for `nestban`.
    pub(crate) ban: Option<u16>,
    pub(crate) memo: Memo,
    /// The state of an item without which there is no match. It is tested first.
    pub(crate) gate: Option<usize>,
}

/// Where results that depend only on the position are kept, if they are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Memo(pub(crate) Option<u16>);

/// `piece x in S F` and `square x in S F`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Each {
    pub(crate) piece: bool,
    pub(crate) all: bool,
    pub(crate) slot: u16,
    pub(crate) set: Expr,
    pub(crate) body: Expr,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Assign {
    pub(crate) slot: u16,
    pub(crate) operator: Option<Operator>,
    pub(crate) value: Expr,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Transform {
    Flip,
    FlipColor,
    FlipHorizontal,
    FlipVertical,
    ReverseColor,
    Rotate90,
    Shift,
    ShiftHorizontal,
    ShiftVertical,
}

/// Lists the filters directly inside a filter, shared or mutable.
macro_rules! children {
    ($name:ident, $($mutable:tt)?) => {
        pub(crate) fn $name(& $($mutable)? self) -> Vec<& $($mutable)? Expr> {
            match & $($mutable)? self.kind {
                Kind::Inter(pair)
                | Kind::Union(pair)
                | Kind::Attacks(pair)
                | Kind::AttackedBy(pair)
                | Kind::Between(pair)
                | Kind::Within(pair)
                | Kind::At(pair)
                | Kind::Arithmetic(_, pair) => {
                    let (a, b) = & $($mutable)? **pair;
                    vec![a, b]
                }
                Kind::Complement(of)
                | Kind::Count(of)
                | Kind::Power(of)
                | Kind::Negate(of)
                | Kind::Absolute(of)
                | Kind::Not(of)
                | Kind::Matches(of, _)
                | Kind::Contains(of, _)
                | Kind::Protected(of)
                | Kind::OfPawns(_, of)
                | Kind::Toward { of, .. }
                | Kind::Shade { of, .. }
                | Kind::Coordinate { of, .. }
                | Kind::Sort { value: of, .. }
                | Kind::Transform { body: of, .. } => vec![& $($mutable)? **of],
                Kind::And(list)
                | Kind::Or(list)
                | Kind::Block(list)
                | Kind::Extreme { of: list, .. }
                | Kind::Ray { sets: list, .. }
                | Kind::Note { parts: list, .. }
                | Kind::Variants { list, .. } => list.into_iter().collect(),
                Kind::Pin(pin) => {
                    let Pin { from, through, to, .. } = & $($mutable)? **pin;
                    from.into_iter().chain(through).chain(to).collect()
                }
                Kind::Compare(compare) => {
                    let Compare { first, rest, .. } = & $($mutable)? **compare;
                    std::iter::once(first).chain(rest.into_iter().map(|(_, e)| e)).collect()
                }
                Kind::If(parts) => {
                    let (a, b, c) = & $($mutable)? **parts;
                    [a, b].into_iter().chain(c).collect()
                }
                Kind::Move(m) => {
                    let MoveFilter { from, to, capture, en_passant_square, after, .. } =
                        & $($mutable)? **m;
                    from.into_iter().chain(to).chain(capture).chain(en_passant_square).chain(after)
                        .collect()
                }
                Kind::Find(find) => vec![& $($mutable)? find.what],
                Kind::Sequence(sequence) => {
                    let Sequence { atoms, .. } = & $($mutable)? **sequence;
                    atoms.into_iter().map(|(_, e)| e).collect()
                }
                Kind::Each(each) => {
                    let Each { set, body, .. } = & $($mutable)? **each;
                    vec![set, body]
                }
                Kind::Assign(assign) => vec![& $($mutable)? assign.value],
                _ => Vec::new(),
            }
        }
    };
}

impl Expr {
    pub(crate) fn new(kind: Kind, start: usize, end: usize) -> Expr {
        let mut expr = Expr { kind, start, end, height: 0 };
        let tallest = expr.children().iter().map(|child| child.height).max();
        expr.height = tallest.map_or(1, |height| height.saturating_add(1));
        expr
    }

    children!(children,);
    children!(children_mut, mut);

    /// Returns the type of the value.
    pub(crate) fn ty(&self) -> Type {
        match &self.kind {
            Kind::Men(_)
            | Kind::Inter(_)
            | Kind::Union(_)
            | Kind::Complement(_)
            | Kind::Attacks(_)
            | Kind::AttackedBy(_)
            | Kind::Toward { .. }
            | Kind::Shade { .. }
            | Kind::Between(_)
            | Kind::Ray { .. }
            | Kind::Pin(_)
            | Kind::Pawns(_)
            | Kind::PieceVariable(_) => Type::Set,
            Kind::Number(_)
            | Kind::Count(_)
            | Kind::Power(_)
            | Kind::Coordinate { .. }
            | Kind::Negate(_)
            | Kind::Arithmetic(..)
            | Kind::Absolute(_)
            | Kind::Extreme { .. }
            | Kind::Ply
            | Kind::MoveNumber
            | Kind::Depth
            | Kind::GameNumber
            | Kind::PositionId
            | Kind::Year
            | Kind::Elo(_)
            | Kind::Variants { count: true, .. }
            | Kind::Transform { count: true, .. } => Type::Number,
            Kind::Current | Kind::Parent | Kind::Child => Type::Position,
            Kind::Literal(_) | Kind::Player(_) | Kind::Field(_) | Kind::Comment => Type::Text,
            Kind::Variable(_, ty) => *ty,
            Kind::Block(list) => list.last().map_or(Type::Test, Expr::ty),
            Kind::Variants { list, .. } => list.first().map_or(Type::Test, Expr::ty),
            Kind::At(pair) => pair.1.ty(),
            Kind::Protected(body) | Kind::OfPawns(_, body) | Kind::Transform { body, .. } => {
                body.ty()
            }
            Kind::If(parts) => match &**parts {
                (_, then, Some(other)) if then.ty() == other.ty() => then.ty(),
                _ => Type::Test,
            },
            Kind::Move(m) => match m.value {
                MoveValue::Test => Type::Test,
                MoveValue::Count => Type::Number,
                _ => Type::Set,
            },
            Kind::Find(find) if find.all || find.range.is_some() => Type::Number,
            Kind::Find(_) => Type::Position,
            Kind::Sequence(sequence) if sequence.last_position => Type::Position,
            Kind::Sequence(_) => Type::Number,
            Kind::Each(each) if each.all => Type::Test,
            Kind::Each(_) => Type::Set,
            _ => Type::Test,
        }
    }

    /// Calls `visit` with this filter and every filter inside it.
    pub(crate) fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// Returns whether a filter inside this one, or itself, fulfils the condition.
    pub(crate) fn any(&self, condition: &dyn Fn(&Kind) -> bool) -> bool {
        condition(&self.kind) || self.children().into_iter().any(|child| child.any(condition))
    }

    /// Returns whether evaluation changes something: variables, sort keys, messages, comments.
    pub(crate) fn has_effects(&self) -> bool {
        self.any(&|kind| match kind {
            Kind::Assign(_) | Kind::Sort { .. } | Kind::Note { .. } => true,
            Kind::Sequence(sequence) => sequence.ban.is_some(),
            _ => false,
        })
    }

    /// Returns whether the result depends on the game and the position only.
    pub(crate) fn is_pure(&self) -> bool {
        !self.has_effects()
            && !self.any(&|kind| matches!(kind, Kind::Variable(..) | Kind::PieceVariable(_)))
    }

    /// Returns whether the result depends on the pawns of the position and on nothing else.
    pub(crate) fn is_of_pawns(&self) -> bool {
        const PAWNS: u16 = 1 << 5 | 1 << 11;
        let is_men = |kind: &Kind| matches!(kind, Kind::Men(_) | Kind::Pawns(_));
        self.any(&is_men)
            && !self.any(&|kind| match kind {
                Kind::Men(men) => men.kinds & !PAWNS != 0,
                Kind::Pawns(_)
                | Kind::Inter(_)
                | Kind::Union(_)
                | Kind::Complement(_)
                | Kind::Toward { .. }
                | Kind::Shade { .. }
                | Kind::Number(_)
                | Kind::Count(_)
                | Kind::Coordinate { .. }
                | Kind::Negate(_)
                | Kind::Arithmetic(..)
                | Kind::Absolute(_)
                | Kind::Extreme { .. }
                | Kind::Compare(_)
                | Kind::Not(_)
                | Kind::And(_)
                | Kind::Or(_)
                | Kind::Block(_)
                | Kind::Protected(_)
                | Kind::Variants { .. } => false,
                _ => true,
            })
    }

    /// Returns whether the result is the same at every position of a game.
    pub(crate) fn is_constant(&self) -> bool {
        !self.any(&|kind| {
            !matches!(
                kind,
                Kind::Number(_)
                    | Kind::Negate(_)
                    | Kind::Arithmetic(..)
                    | Kind::Absolute(_)
                    | Kind::Extreme { .. }
                    | Kind::GameNumber
                    | Kind::Year
                    | Kind::Elo(_)
                    | Kind::Literal(_)
                    | Kind::Player(_)
                    | Kind::Field(_)
                    | Kind::Constant(_)
                    | Kind::Result(_)
                    | Kind::Compare(_)
                    | Kind::Within(_)
                    | Kind::Matches(..)
                    | Kind::Contains(..)
                    | Kind::Not(_)
                    | Kind::And(_)
                    | Kind::Or(_)
                    | Kind::Block(_)
                    | Kind::If(_)
                    | Kind::Protected(_)
                    | Kind::Variants { .. }
            )
        })
    }
}
