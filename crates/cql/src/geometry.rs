//! Directions, and sets of squares moved along them.

use chess_core::{
    Bitboard, Color, PieceSets, Position, Role, Square, between, pawn_attacks, piece_attacks,
};

use crate::expr::{Men, Pawns};

/// A set of the eight directions, by bits: up, down, left, right, northeast, northwest, southeast,
/// southwest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Directions(pub(crate) u8);

/// The step of each direction in files and ranks.
pub(crate) const STEPS: [(i8, i8); 8] =
    [(0, 1), (0, -1), (-1, 0), (1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)];

impl Directions {
    pub(crate) const ALL: Directions = Directions(0xff);

    pub(crate) fn named(word: &str) -> Option<Directions> {
        Some(Directions(match word {
            "up" => 1,
            "down" => 2,
            "left" => 4,
            "right" => 8,
            "northeast" => 16,
            "northwest" => 32,
            "southeast" => 64,
            "southwest" => 128,
            "vertical" => 3,
            "horizontal" => 12,
            "orthogonal" => 15,
            "diagonal" => 0xf0,
            "anydirection" => 0xff,
            _ => return None,
        }))
    }

    pub(crate) fn steps(self) -> impl Iterator<Item = (i8, i8)> {
        STEPS.into_iter().enumerate().filter(move |(n, _)| self.0 >> n & 1 != 0).map(|(_, s)| s)
    }

    /// Returns these directions with each step changed.
    pub(crate) fn mapped(self, map: impl Fn((i8, i8)) -> (i8, i8)) -> Directions {
        let bits = self.steps().fold(0_u8, |all, step| {
            let place = STEPS.iter().position(|known| *known == map(step)).unwrap_or_default();
            all | u32::try_from(place).ok().and_then(|n| 1_u8.checked_shl(n)).unwrap_or_default()
        });
        Directions(bits)
    }
}

/// Moves all squares of a set. Squares that leave the board are dropped.
#[inline]
pub(crate) fn moved(set: Bitboard, (files, ranks): (i8, i8)) -> Bitboard {
    if files.unsigned_abs() > 7 || ranks.unsigned_abs() > 7 {
        return Bitboard::EMPTY;
    }
    let across = u32::from(files.unsigned_abs());
    let along = u32::from(ranks.unsigned_abs()).saturating_mul(8);
    let bits = if files >= 0 {
        (set.0 & lines(0xff_u8.wrapping_shr(across))).wrapping_shl(across)
    } else {
        (set.0 & lines(0xff_u8.wrapping_shl(across))).wrapping_shr(across)
    };
    Bitboard(if ranks >= 0 { bits.wrapping_shl(along) } else { bits.wrapping_shr(along) })
}

/// One rank's bits on all ranks.
const fn lines(rank: u8) -> u64 {
    0x0101_0101_0101_0101_u64.wrapping_mul(rank as u64)
}

/// Returns the squares that can be seen from a square of `from` in one direction: empty ones, and
/// the first occupied one.
#[inline]
pub(crate) fn seen(from: Bitboard, step: (i8, i8), occupied: Bitboard) -> Bitboard {
    let (mut all, mut front) = (Bitboard::EMPTY, from);
    loop {
        front = moved(front, step) & !all;
        if front.is_empty() {
            return all;
        }
        all |= front;
        front &= !occupied;
    }
}

/// Returns the squares of men of these kinds.
#[inline]
pub(crate) fn men(sets: &PieceSets, men: Men) -> Bitboard {
    let (white, black) = (men.kinds & Men::WHITE, men.kinds >> 6 & Men::WHITE);
    let mut all = if white == black {
        roles(sets, white)
    } else {
        let of = |kinds: u16, color| {
            if kinds == 0 { Bitboard::EMPTY } else { roles(sets, kinds) & sets.color(color) }
        };
        of(white, Color::White) | of(black, Color::Black)
    };
    if men.kinds & Men::EMPTY != 0 {
        all |= !sets.occupied();
    }
    all & men.squares
}

#[inline]
fn roles(sets: &PieceSets, kinds: u16) -> Bitboard {
    const ORDER: [Role; 6] =
        [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    if kinds == Men::WHITE {
        return sets.occupied();
    }
    let (mut all, mut rest) = (Bitboard::EMPTY, kinds);
    while let Some(role) = ORDER.get(rest.trailing_zeros() as usize) {
        all |= sets.role(*role);
        rest &= rest.wrapping_sub(1);
    }
    all
}

/// Returns the bit of a man in [`Men`].
pub(crate) fn kind_of(role: Role, color: Color) -> u16 {
    let bit = match role {
        Role::King => 1,
        Role::Queen => 2,
        Role::Rook => 4,
        Role::Bishop => 8,
        Role::Knight => 16,
        Role::Pawn => 32,
    };
    if color == Color::White { bit } else { bit << 6 }
}

/// Returns the squares that the man on a square attacks.
pub(crate) fn attacks_of(position: &Position, from: Square) -> Bitboard {
    let Some(piece) = position.piece_at(from) else { return Bitboard::EMPTY };
    if piece.role() == Role::Pawn {
        return pawn_attacks(piece.color(), from);
    }
    piece_attacks(piece.role(), from, position.occupied())
}

/// Returns the squares of `among` with a man that attacks a square.
fn attackers_of(position: &Position, square: Square, among: Bitboard) -> Bitboard {
    let of = |color| {
        if (among & position.color(color)).is_empty() {
            return Bitboard::EMPTY;
        }
        position.attackers(square, color, position.occupied())
    };
    (of(Color::White) | of(Color::Black)) & among
}

/// Returns the squares of `from` with a man that attacks a square of `to`.
pub(crate) fn attacking(position: &Position, from: Bitboard, to: Bitboard) -> Bitboard {
    let from = from & position.occupied();
    if to.count() <= from.count() {
        return { to }
            .fold(Bitboard::EMPTY, |all, square| all | attackers_of(position, square, from));
    }
    { from }
        .filter(|square| (attacks_of(position, *square) & to).has_any())
        .fold(Bitboard::EMPTY, |all, square| all | Bitboard::of(square))
}

/// Returns the squares of `of` that a man on `by` attacks.
pub(crate) fn attacked(position: &Position, of: Bitboard, by: Bitboard) -> Bitboard {
    let by = by & position.occupied();
    if of.count() < by.count() {
        return { of }
            .filter(|square| attackers_of(position, *square, by).has_any())
            .fold(Bitboard::EMPTY, |all, square| all | Bitboard::of(square));
    }
    { by }.fold(Bitboard::EMPTY, |all, square| all | attacks_of(position, square)) & of
}

/// Returns the squares strictly between a square of `a` and one of `b`.
pub(crate) fn all_between(a: Bitboard, b: Bitboard) -> Bitboard {
    { a }.fold(Bitboard::EMPTY, |all, x| { b }.fold(all, |all, y| all | between(x, y)))
}

/// Returns whether the man on a square moves any distance in this direction.
pub(crate) fn slides(position: &Position, square: Square, (files, ranks): (i8, i8)) -> bool {
    let straight = files == 0 || ranks == 0;
    position.piece_at(square).is_some_and(|piece| match piece.role() {
        Role::Queen => true,
        Role::Rook => straight,
        Role::Bishop => !straight,
        _ => false,
    })
}

/// Returns the squares that light or dark means.
pub(crate) const fn shade(light: bool) -> Bitboard {
    const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;
    Bitboard(if light { LIGHT } else { !LIGHT })
}

/// Returns the pawns of both colours of a kind.
pub(crate) fn pawns(sets: &PieceSets, kind: Pawns) -> Bitboard {
    let of = |color| {
        let own = sets.role(Role::Pawn) & sets.color(color);
        let other = sets.role(Role::Pawn) & sets.color(!color);
        match kind {
            Pawns::Passed => {
                let stopped = if color == Color::White { below(other) } else { above(other) };
                own & !(stopped | beside(stopped))
            }
            Pawns::Doubled => own & (above(own) | below(own)),
            Pawns::Isolated => own & !beside(own | above(own) | below(own)),
            Pawns::Connected => own & beside(own | above(own) | below(own)),
        }
    };
    of(Color::White) | of(Color::Black)
}

/// Returns all squares above a square of the set, on its file.
fn above(set: Bitboard) -> Bitboard {
    let mut all = set.0.wrapping_shl(8);
    for ranks in [8, 16, 32] {
        all |= all.wrapping_shl(ranks);
    }
    Bitboard(all)
}

/// Returns all squares below a square of the set, on its file.
fn below(set: Bitboard) -> Bitboard {
    let mut all = set.0.wrapping_shr(8);
    for ranks in [8, 16, 32] {
        all |= all.wrapping_shr(ranks);
    }
    Bitboard(all)
}

fn beside(set: Bitboard) -> Bitboard {
    moved(set, (1, 0)) | moved(set, (-1, 0))
}

/// Returns the squares of a pin: of the pinning men, the pinned men, or the men behind.
pub(crate) fn pins(
    position: &Position,
    from: Bitboard,
    through: Bitboard,
    to: Bitboard,
) -> [Bitboard; 3] {
    let mut found = [Bitboard::EMPTY; 3];
    let occupied = position.occupied();
    let sliders =
        position.role(Role::Queen) | position.role(Role::Rook) | position.role(Role::Bishop);
    for square in from & sliders {
        let Some(own) = position.piece_at(square) else { continue };
        let aligned = piece_attacks(own.role(), square, Bitboard::EMPTY);
        for target in aligned & to & !position.color(own.color()) {
            let [a, b, c] = &mut found;
            let blocker = between(square, target) & occupied;
            if blocker.single().is_some()
                && (blocker & through & position.color(!own.color())).has_any()
            {
                *a |= Bitboard::of(square);
                *b |= blocker;
                *c |= Bitboard::of(target);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moved_every_step_equals_single_squares() {
        let set = Bitboard(0x8140_2418_1824_4281);
        for files in -8..=8 {
            for ranks in -8..=8 {
                let expected = { set }
                    .filter_map(|square| square.offset(files, ranks))
                    .fold(Bitboard::EMPTY, |all, square| all | Bitboard::of(square));
                assert_eq!(moved(set, (files, ranks)), expected, "{files} {ranks}");
            }
        }
    }

    #[test]
    fn pawns_of_known_structure_are_classified() {
        let position = Position::from_fen("4k3/p1p5/4p3/3pP3/3P3P/8/P6P/4K3 w - - 0 1").unwrap();
        let sets = position.piece_sets();
        let names =
            |kind| pawns(sets, kind).map(|square| square.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(names(Pawns::Passed), "h2 h4");
        assert_eq!(names(Pawns::Doubled), "h2 h4");
        assert_eq!(names(Pawns::Isolated), "a2 h2 h4 a7");
        assert_eq!(names(Pawns::Connected), "d4 d5 e5 e6 c7");
    }

    #[test]
    fn shade_of_a1_is_dark() {
        assert!(shade(false).contains(Square::A1) && shade(true).contains(Square::H1));
    }
}
