//! The meaning of a promotion code, on which the description and the author's program disagree.

use std::cmp::Ordering;
use std::fmt;

use chess_core::{Game, Move, Position, Role};

use crate::moves::{PlainMove, Record, Step};

/// A numbering of the promotion pieces.
// dcg §6.3.1 "Promotion codes"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Promotions {
    /// Knight 2, bishop 3, rook 4, queen 5, as in the author's program.
    Program,
    /// Knight 1, bishop 2, rook 3, queen 4, as in the description.
    Described,
}

impl Promotions {
    /// The piece of a code, if this numbering has it.
    #[must_use]
    pub const fn role(self, code: u8) -> Option<Role> {
        let code = match self {
            Promotions::Program => code,
            Promotions::Described => code.saturating_add(1),
        };
        match code {
            2 => Some(Role::Knight),
            3 => Some(Role::Bishop),
            4 => Some(Role::Rook),
            5 => Some(Role::Queen),
            _ => None,
        }
    }

    /// The code of a piece; `None` for a pawn and a king.
    #[must_use]
    pub const fn code(self, role: Role) -> Option<u8> {
        let code = match role {
            Role::Knight => 2,
            Role::Bishop => 3,
            Role::Rook => 4,
            Role::Queen => 5,
            Role::Pawn | Role::King => return None,
        };
        match self {
            Promotions::Program => Some(code),
            Promotions::Described => Some(code.saturating_sub(1)),
        }
    }

    const fn other(self) -> Promotions {
        match self {
            Promotions::Program => Promotions::Described,
            Promotions::Described => Promotions::Program,
        }
    }

    /// The piece of a code in this numbering or, if it has none, in the other. Also returns whether
    /// it was the other.
    pub(crate) fn role_or_foreign(self, code: u8) -> Option<(Role, bool)> {
        let own = self.role(code).map(|role| (role, false));
        own.or_else(|| self.other().role(code).map(|role| (role, true)))
    }
}

/// The promotion numbering of a base, and the evidence for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PromotionNumbering {
    /// The numbering.
    pub promotions: Promotions,
    /// The evidence for it.
    pub evidence: PromotionEvidence,
}

impl PromotionNumbering {
    /// The numbering of the author's program, in the absence of evidence.
    pub(crate) const ASSUMED: PromotionNumbering = PromotionNumbering {
        promotions: Promotions::Program,
        evidence: PromotionEvidence::Assumed,
    };

    pub(crate) const fn asked(promotions: Promotions) -> PromotionNumbering {
        PromotionNumbering { promotions, evidence: PromotionEvidence::Asked }
    }
}

/// The evidence for a [`PromotionNumbering`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PromotionEvidence {
    /// The caller selected it.
    Asked,
    /// This game, numbered from zero, has a code that only this numbering has.
    Code(u64),
    /// More of the moves after promotions are legal under it.
    Legality,
    /// The index says it.
    Index,
    /// Under it more games promote to queens, or else fewer to bishops. Unsure.
    Pieces,
    /// No evidence: the author's program is assumed.
    Assumed,
}

impl fmt::Display for PromotionNumbering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.promotions {
            Promotions::Program => "knight 2 to queen 5, as the author's program has it",
            Promotions::Described => "knight 1 to queen 4, as the description has it",
        })?;
        match self.evidence {
            PromotionEvidence::Asked => f.write_str(" (asked for)"),
            PromotionEvidence::Code(game) => {
                write!(f, " (game {} has a code of its own)", game.saturating_add(1))
            }
            PromotionEvidence::Legality => f.write_str(" (the moves that follow are possible)"),
            PromotionEvidence::Index => f.write_str(" (the index says so)"),
            PromotionEvidence::Pieces => f.write_str(" (unsure: the usual pieces)"),
            PromotionEvidence::Assumed => f.write_str(" (assumed)"),
        }
    }
}

/// Collects evidence from a bounded number of games at the start of a base. Each game has one vote,
/// so that a damaged game does not decide alone.
#[derive(Clone, Debug)]
pub(crate) struct Survey {
    program: Votes,
    described: Votes,
    /// Whether a game promotes.
    promotes: bool,
    /// Whether the index says that the numbering is the program's.
    indexed: bool,
    /// The remaining budget of record bytes.
    left: usize,
}

/// The number of games that vote.
pub(crate) const SURVEYED: u64 = 1024;

impl Default for Survey {
    fn default() -> Survey {
        const BYTES: usize = 1 << 20;
        let votes = Votes::default;
        let (program, described) = (votes(), votes());
        Survey { program, described, promotes: false, indexed: false, left: BYTES }
    }
}

/// The evidence for and against a numbering.
#[derive(Clone, Debug, Default)]
struct Votes {
    /// The number of games with a promotion that only this numbering has, and the first such game.
    codes: u32,
    first: u64,
    /// The number of illegal moves under this numbering.
    impossible: u32,
    /// The number of games that promote to a queen, and to a bishop.
    queens: u32,
    bishops: u32,
}

impl Survey {
    /// Adds the record of the next game, if the budget allows.
    pub(crate) fn examine(&mut self, game: u64, record: &[u8]) {
        if game >= SURVEYED {
            return;
        }
        let Some(left) = self.left.checked_sub(record.len()) else {
            // Skip all following games too.
            self.left = 0;
            return;
        };
        self.left = left;
        let Ok(record) = Record::parse(record) else { return };
        let promotes = |step| matches!(step, Ok(Step::Move(m)) if m.promotion() != 0);
        if !record.steps().any(promotes) {
            return;
        }
        let program = replay(&record, Promotions::Program);
        let described = replay(&record, Promotions::Described);
        self.promotes |= program.promotes || described.promotes;
        self.program.add(&program, program.has_five || described.has_five, game);
        self.described.add(&described, program.has_one || described.has_one, game);
    }

    pub(crate) fn numbering(&self) -> PromotionNumbering {
        let Survey { program, described, .. } = self;
        let index = if self.indexed { Ordering::Greater } else { Ordering::Equal };
        // Greater is for the program, Less for the description.
        for (order, evidence) in [
            (program.codes.cmp(&described.codes), PromotionEvidence::Code(program.first)),
            (described.impossible.cmp(&program.impossible), PromotionEvidence::Legality),
            (index, PromotionEvidence::Index),
            (program.queens.cmp(&described.queens), PromotionEvidence::Pieces),
            (described.bishops.cmp(&program.bishops), PromotionEvidence::Pieces),
        ] {
            let (promotions, evidence) = match (order, evidence) {
                (Ordering::Equal, _) => continue,
                (Ordering::Greater, _) => (Promotions::Program, evidence),
                (Ordering::Less, PromotionEvidence::Code(_)) => {
                    (Promotions::Described, PromotionEvidence::Code(described.first))
                }
                (Ordering::Less, _) => (Promotions::Described, evidence),
            };
            return PromotionNumbering { promotions, evidence };
        }
        PromotionNumbering::ASSUMED
    }

    /// Whether promotions could be other pieces, because nothing better than the usual pieces
    /// decides.
    pub(crate) fn is_unsure(&self) -> bool {
        let weak = [PromotionEvidence::Pieces, PromotionEvidence::Assumed];
        self.promotes && weak.contains(&self.numbering().evidence)
    }

    /// Whether the index says that the numbering is the program's.
    pub(crate) fn is_indexed(&self) -> bool {
        self.indexed
    }

    /// This survey, with or without that sign in the index.
    pub(crate) fn indexed(self, indexed: bool) -> Survey {
        Survey { indexed, ..self }
    }

    /// The survey under which readers find `promotions`: this one, or with a sign in the index.
    pub(crate) fn showing(self, promotions: Promotions) -> Option<Survey> {
        let shows = |survey: &Survey| survey.numbering().promotions == promotions;
        if shows(&self) {
            return Some(self);
        }
        Some(self.indexed(true)).filter(shows)
    }
}

impl Votes {
    fn add(&mut self, replayed: &Replayed, speaks: bool, game: u64) {
        self.impossible = self.impossible.saturating_add(replayed.illegal);
        self.queens = self.queens.saturating_add(replayed.has_queen.into());
        self.bishops = self.bishops.saturating_add(replayed.has_bishop.into());
        self.count(speaks, game);
    }

    fn count(&mut self, speaks: bool, game: u64) {
        if speaks {
            if self.codes == 0 {
                self.first = game;
            }
            self.codes = self.codes.saturating_add(1);
        }
    }
}

/// The result of a main line under a numbering.
#[derive(Debug, Default)]
struct Replayed {
    illegal: u32,
    /// Whether a legal promotion with this code occurs before any illegal move.
    has_one: bool,
    has_five: bool,
    /// Likewise, whether one makes a queen, and a bishop.
    has_queen: bool,
    has_bishop: bool,
    /// Whether a move promotes, legal or not.
    promotes: bool,
}

fn replay(record: &Record<'_>, promotions: Promotions) -> Replayed {
    let mut replayed = Replayed::default();
    let mut start = Game::new();
    if let Some(fen) = record.fen()
        && (std::str::from_utf8(fen).map(|fen| start.set_start_fen(fen)) != Ok(Ok(())))
    {
        return replayed;
    }
    let mut position = start.start_position();
    let mut depth = 0u32;
    for step in record.steps() {
        match step {
            Ok(Step::VariationStart) => depth = depth.saturating_add(1),
            Ok(Step::VariationEnd) => depth = depth.saturating_sub(1),
            Ok(Step::Move(m)) if depth == 0 => {
                let played = chess_move(m, &position, promotions).unwrap_or(Move::NULL);
                let legal = !played.is_null() && position.is_legal(played);
                replayed.illegal = replayed.illegal.saturating_add(u32::from(!legal));
                if let Some(role) = played.promotion() {
                    let fine = replayed.illegal == 0;
                    replayed.has_one |= m.promotion() == 1 && fine;
                    replayed.has_five |= m.promotion() == 5 && fine;
                    replayed.has_queen |= role == Role::Queen && fine;
                    replayed.has_bishop |= role == Role::Bishop && fine;
                    replayed.promotes = true;
                }
                position.apply(played);
            }
            Ok(Step::NullMove) if depth == 0 => position.pass(),
            Ok(_) => {}
            Err(_) => break,
        }
    }
    replayed
}

/// Converts to a move of the model. Castling targets the rook's square. The code of a legal move
/// that is not a promotion has no effect. Returns `None` for an unknown promotion.
// dcg §6.3.1 "Promotion codes", §6.3.2 "Castling"
#[inline]
pub(crate) fn chess_move(
    m: PlainMove,
    position: &Position,
    promotions: Promotions,
) -> Option<Move> {
    if m.promotion() != 0 {
        let (role, _) = promotions.role_or_foreign(m.promotion())?;
        // A pawn that reaches its last rank without promoting is illegal.
        if !position.is_legal(plain(m, position)) {
            return Some(Move::promoting(m.from(), m.to(), role));
        }
    }
    Some(plain(m, position))
}

/// The move without its promotion.
#[inline]
fn plain(m: PlainMove, position: &Position) -> Move {
    castling(m, position).unwrap_or(Move::new(m.from(), m.to()))
}

/// Returns castling if a king moves two squares from the e-file and its rook is in the corner.
#[inline]
fn castling(m: PlainMove, position: &Position) -> Option<Move> {
    use chess_core::{Piece, Square};
    let (from, to) = (m.from(), m.to());
    let rook = match (from, to) {
        (Square::E1, Square::G1) => Square::H1,
        (Square::E1, Square::C1) => Square::A1,
        (Square::E8, Square::G8) => Square::H8,
        (Square::E8, Square::C8) => Square::A8,
        _ => return None,
    };
    let king = position.piece_at(from).filter(|king| king.role() == Role::King)?;
    let own = Piece::new(Role::Rook, king.color());
    (position.piece_at(rook) == Some(own)).then_some(Move::new(from, rook))
}

/// Rewrites the promotion codes of a record, up to the first damage, in another numbering.
pub(crate) fn renumber(record: &mut [u8], from: Promotions, to: Promotions) {
    let mut codes = Vec::new();
    if let Ok(parsed) = Record::parse(record) {
        let mut steps = parsed.steps();
        let mut at = steps.offset();
        while let Some(Ok(step)) = steps.next() {
            if let Step::Move(m) = step
                && let Some((role, _)) = from.role_or_foreign(m.promotion())
                && let Some(code) = to.code(role)
            {
                codes.push((at, PlainMove::new(m.from(), m.to(), code).to_bytes()));
            }
            at = steps.offset();
        }
    }
    for (at, bytes) in codes {
        if let Some(place) = record.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
            *place = bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use chess_core::Square;

    #[test]
    fn promotion_codes_depend_on_numbering() {
        let roles = |promotions: Promotions| (0..8).map(|c| promotions.role(c)).collect::<Vec<_>>();
        let [n, b, r, q] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(Some);
        assert_eq!(roles(Promotions::Program), [None, None, n, b, r, q, None, None]);
        assert_eq!(roles(Promotions::Described), [None, n, b, r, q, None, None, None]);
        assert_eq!(Promotions::Program.role_or_foreign(1), Some((Role::Knight, true)));
        assert_eq!(Promotions::Described.role_or_foreign(5), Some((Role::Queen, true)));
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for promotions in [Promotions::Program, Promotions::Described] {
                assert_eq!(promotions.code(role).and_then(|c| promotions.role(c)), Some(role));
            }
        }
    }

    /// a7-a8 with a code, king moves, then a move from a8.
    fn record(code: u8, to: Square) -> Vec<u8> {
        let fen = "8/P7/8/8/8/8/7k/4K3 w - - 0 1";
        let mut bytes = vec![1, fen.len() as u8];
        bytes.extend_from_slice(fen.as_bytes());
        for m in [
            PlainMove::new(Square::A7, Square::A8, code),
            PlainMove::new(Square::H2, Square::H3, 0),
            PlainMove::new(Square::A8, to, 0),
        ] {
            bytes.extend_from_slice(&m.to_bytes());
        }
        bytes
    }

    fn survey(records: &[Vec<u8>]) -> PromotionNumbering {
        let mut survey = Survey::default();
        for (number, record) in (0..).zip(records) {
            survey.examine(number, record);
        }
        survey.numbering()
    }

    #[test]
    fn survey_evidence_decides_numbering() {
        let e4 = vec![0, 0x03, 0x1c];
        let numbering = |promotions, evidence| PromotionNumbering { promotions, evidence };
        assert_eq!(survey(&[]), numbering(Promotions::Program, PromotionEvidence::Assumed));
        assert_eq!(
            survey(&[e4.clone(), record(1, Square::B6)]),
            numbering(Promotions::Described, PromotionEvidence::Code(1))
        );
        assert_eq!(
            survey(&[e4, record(5, Square::B6)]),
            numbering(Promotions::Program, PromotionEvidence::Code(1))
        );
        // A code 1 where no pawn can promote is damage.
        assert_eq!(
            survey(&[vec![0, 0x13, 0x1c], record(5, Square::B6), record(5, Square::B6)]),
            numbering(Promotions::Program, PromotionEvidence::Code(1))
        );
        // Code 4 and then a bishop's move: a queen, not a rook.
        assert_eq!(
            survey(&[record(4, Square::F3)]),
            numbering(Promotions::Described, PromotionEvidence::Legality)
        );
        // Code 3 and then a bishop's move: a bishop, not a rook.
        assert_eq!(
            survey(&[record(3, Square::F3)]),
            numbering(Promotions::Program, PromotionEvidence::Legality)
        );
        // Code 4 and then a rook's move could be a queen as well, which is usual.
        assert_eq!(
            survey(&[record(4, Square::F8)]),
            numbering(Promotions::Described, PromotionEvidence::Pieces)
        );
    }

    #[test]
    fn survey_pieces_or_index_decide_when_all_is_legal() {
        let of = |codes: &[u8]| {
            let mut survey = Survey::default();
            for (number, code) in (0..).zip(codes) {
                survey.examine(number, &record(*code, Square::A8));
            }
            survey
        };
        // The moves from a8 to a8 are equally illegal under both numberings.
        for (codes, promotions) in [
            (&[4][..], Promotions::Described),
            (&[3], Promotions::Described),
            (&[2], Promotions::Program),
            (&[2, 3], Promotions::Program),
            (&[2, 3, 4], Promotions::Described),
        ] {
            let survey = of(codes);
            assert_eq!(survey.numbering().promotions, promotions, "{codes:?}");
            assert!(survey.is_unsure(), "{codes:?}");
            let marked = survey.showing(Promotions::Program).unwrap();
            assert_eq!(marked.is_indexed(), promotions == Promotions::Described);
            assert!(!marked.is_indexed() || !marked.is_unsure());
        }
        assert!(of(&[2]).showing(Promotions::Described).is_none());
        assert!(!of(&[]).is_unsure());
    }
}
