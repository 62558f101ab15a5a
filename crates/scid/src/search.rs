//! Prepared positions of a query, and the tests of an index entry against them. (scid §2.6
//! "Searches")

use chess_core::{Bitboard, Color, Position, Role, Square};
use chess_store::{MaterialLimit, Query};

use crate::board::Cell;
use crate::index::{Derived, IndexEntry};
use crate::layout::flag;
use crate::opening_lines;

impl IndexEntry {
    /// Whether the main line could reach the pieces of a position, judged by the entry alone.
    /// Returns `true` in doubt: for a game with its own start position, whose fields are often
    /// stale, and for one whose fields were never filled in.
    #[must_use]
    pub fn may_reach(&self, position: &Position) -> bool {
        Target::new(position).is_possible(self.flags, &self.derived)
    }
}

/// The positions of a query, prepared to be compared with entries and records.
#[derive(Debug)]
pub(crate) struct Sought {
    pub(crate) targets: Vec<Target>,
}

impl Sought {
    pub(crate) fn new(query: &Query) -> Sought {
        let positions = query.positions();
        Sought { targets: positions.iter().map(Target::new).collect() }
    }

    /// Whether a game with this entry could reach one of the positions.
    #[inline]
    pub(crate) fn is_possible(&self, flags: u32, derived: &Derived) -> bool {
        self.targets.iter().any(|target| target.is_possible(flags, derived))
    }
}

/// One position: its pieces, regardless of the side to move.
#[derive(Debug)]
pub(crate) struct Target {
    /// The piece on each square.
    pub(crate) cells: [Cell; 64],
    /// Pieces of each colour.
    pub(crate) counts: [u8; 2],
    /// The squares of unmoved pawns.
    pub(crate) at_home: Bitboard,
    /// The fields of [`Derived::material`], clamped to their widths.
    material: [u8; FIELDS.len()],
    /// The home pawns that have left, as bits by number, and their count.
    gone: u16,
    gone_count: u8,
    /// Whether games of each opening line can reach the position.
    lines: [Comes; 256],
}

/// Whether games of an opening line can reach the pieces of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comes {
    Never,
    Perhaps,
    /// The line itself reaches them.
    Always,
}

/// The bit fields of [`Derived::material`]: colour, role, lowest bit, width.
const FIELDS: [(Color, Role, u32, u32); 10] = [
    (Color::White, Role::Queen, 22, 3),
    (Color::White, Role::Rook, 20, 3),
    (Color::White, Role::Bishop, 18, 3),
    (Color::White, Role::Knight, 16, 3),
    (Color::White, Role::Pawn, 12, 15),
    (Color::Black, Role::Queen, 10, 3),
    (Color::Black, Role::Rook, 8, 3),
    (Color::Black, Role::Bishop, 6, 3),
    (Color::Black, Role::Knight, 4, 3),
    (Color::Black, Role::Pawn, 0, 15),
];

impl Target {
    fn new(position: &Position) -> Target {
        let count = |pieces: Bitboard| u8::try_from(pieces.count()).unwrap_or(u8::MAX);
        let gone = departed_home_pawns(position);
        let mut cells = [Cell::EMPTY; 64];
        for (square, cell) in Square::all().zip(&mut cells) {
            if let Some(piece) = position.piece_at(square) {
                *cell = Cell::of(piece.role(), piece.color());
            }
        }
        Target {
            cells,
            counts: Color::ALL.map(|color| count(position.color(color))),
            at_home: position.home_pawns(),
            material: FIELDS.map(|(color, role, ..)| count(position.pieces(role, color))),
            gone,
            gone_count: count(Bitboard(gone.into())),
            lines: lines(position),
        }
    }

    #[inline]
    pub(crate) fn cell(&self, square: Square) -> Cell {
        self.cells.get(usize::from(square.index())).copied().unwrap_or(Cell::EMPTY)
    }

    /// Whether a game with such an entry could reach the position.
    #[inline]
    fn is_possible(&self, flags: u32, derived: &Derived) -> bool {
        if flags & flag::OWN_START != 0 {
            return true;
        }
        match self.lines.get(usize::from(derived.opening_line)) {
            Some(Comes::Always) => true,
            Some(Comes::Perhaps) => self.fits(flags, derived),
            Some(Comes::Never) | None => false,
        }
    }

    /// Whether home pawns and material allow the game to reach the position.
    fn fits(&self, flags: u32, derived: &Derived) -> bool {
        derived.home_pawn_count == 0
            || derived.material == 0
            || self.home_pawns_fit(derived) && self.has_enough(derived.material, flags)
    }

    /// The missing home pawns must be the first ones that left in the game.
    #[inline]
    fn home_pawns_fit(&self, derived: &Derived) -> bool {
        if self.gone_count > derived.home_pawn_count {
            return false;
        }
        let (mut nibbles, mut found) = (u64::from_be_bytes(derived.home_pawns), 0u16);
        for _ in 0..self.gone_count {
            nibbles = nibbles.rotate_left(4);
            let pawn = 1u16 << (nibbles & 15);
            if self.gone & pawn == 0 {
                return false;
            }
            found |= pawn;
        }
        found == self.gone
    }

    /// Final material is a lower bound. Pawn counts never increase. Other counts increase only by
    /// promotion, and the total of a side never does.
    #[inline]
    fn has_enough(&self, material: u32, flags: u32) -> bool {
        let promotes = flags & flag::PROMOTION != 0;
        let mut totals = [0u32; 2];
        for ((color, role, shift, mask), here) in FIELDS.into_iter().zip(self.material) {
            let at_end = material >> shift & mask;
            if at_end > here.into() && (role == Role::Pawn || !promotes) {
                return false;
            }
            let [white, black] = &mut totals;
            let total = if color == Color::White { white } else { black };
            *total = total.saturating_add(at_end);
        }
        // Kings are not counted there. A board without a king has no piece to spare.
        totals.iter().zip(self.counts).all(|(at_end, here)| *at_end <= here.into())
    }
}

/// Returns whether a game with such an entry could have had a position within one of `limits`: by the
/// same fields, and with the same doubts, as [`Target::is_possible`].
pub(crate) fn may_have(flags: u32, derived: &Derived, limits: &[MaterialLimit]) -> bool {
    if flags & flag::OWN_START != 0 || derived.home_pawn_count == 0 || derived.material == 0 {
        return true;
    }
    let [mut white, mut black] = [[0u32; 5]; 2];
    let counts = white.iter_mut().chain(&mut black);
    for (count, (.., shift, mask)) in counts.zip(FIELDS) {
        *count = derived.material >> shift & mask;
    }
    let promotes = flags & flag::PROMOTION != 0;
    limits.iter().any(|limit| limit.is_possible(&[white, black], promotes))
}

/// Whether games of each opening line can reach the pieces of a position, on the line or after it.
fn lines(target: &Position) -> [Comes; 256] {
    let mut lines = [Comes::Perhaps; 256];
    for (code, comes) in (0..=u8::MAX).zip(&mut lines) {
        let moves = opening_lines::moves(code);
        if moves.is_empty() {
            continue;
        }
        let mut position = Position::start();
        let mut is_on_it = same_pieces(&position, target);
        for m in moves {
            position.apply(*m);
            is_on_it |= same_pieces(&position, target);
        }
        *comes = match is_on_it {
            true => Comes::Always,
            false if could_follow(&position, target) => Comes::Perhaps,
            false => Comes::Never,
        };
    }
    lines
}

fn same_pieces(one: &Position, other: &Position) -> bool {
    Color::ALL.iter().all(|color| one.color(*color) == other.color(*color))
        && Role::ALL.iter().all(|role| one.role(*role) == other.role(*role))
}

/// Whether a position has enough pieces and home pawns to lead to another.
fn could_follow(position: &Position, target: &Position) -> bool {
    let pawns = |position: &Position, color| position.pieces(Role::Pawn, color).count();
    (target.home_pawns() & !position.home_pawns()).is_empty()
        && Color::ALL.iter().all(|color| {
            position.color(*color).count() >= target.color(*color).count()
                && pawns(position, *color) >= pawns(target, *color)
        })
}

/// The home pawns that have left, as bits: 15 for a2 down to 8 for h2, 7 for a7 down to 0 for h7.
fn departed_home_pawns(position: &Position) -> u16 {
    let at_home = position.home_pawns();
    let homes = Square::all().filter_map(|square| Some((square, home_pawn(square)?.1)));
    homes
        .filter(|(square, _)| !at_home.contains(*square))
        .fold(0, |set, (_, number)| set | 1 << (number & 15))
}

/// The colour and number of the pawn that starts on a square: a2 = 15 to h2 = 8, a7 = 7 to h7 = 0.
/// (scid §2.5 "Derived fields")
#[inline]
pub(crate) const fn home_pawn(square: Square) -> Option<(Color, u8)> {
    match square.rank() {
        1 => Some((Color::White, 15 ^ square.file())),
        6 => Some((Color::Black, 7 ^ square.file())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1. e4 d5 2. exd5: e2 went, d7 went, nothing else.
    fn entry() -> IndexEntry {
        let mut entry = IndexEntry::default();
        entry.derived.material = 0x6a_86a8 - 1; // Black lost a pawn
        entry.derived.home_pawn_count = 2;
        entry.derived.home_pawns = [0xb4, 0, 0, 0, 0, 0, 0, 0];
        entry
    }

    fn reaches(moves: &[&str]) -> bool {
        let mut position = Position::start();
        for m in moves {
            position.apply(m.parse().unwrap());
        }
        entry().may_reach(&position)
    }

    #[test]
    fn prefilter_position_of_game_is_possible() {
        for length in 0..=3 {
            assert!(reaches(&["e2e4", "d7d5", "e4d5"][..length]));
        }
    }

    #[test]
    fn prefilter_other_position_is_ruled_out() {
        assert!(!reaches(&["d2d4"]));
        assert!(!reaches(&["g1f3", "d7d5"]));
        assert!(!reaches(&["e2e4", "d7d5", "e4d5", "d8d5"]));
        assert!(!reaches(&["e2e4", "d7d5", "e4d5", "c7c6"]));
    }

    #[test]
    fn may_have_goes_by_final_material() {
        let limit = |white, black| [MaterialLimit::new([white, black])];
        let has = |entry: &IndexEntry, limits: &[MaterialLimit]| {
            may_have(entry.flags, &entry.derived, limits)
        };
        // The game ends with all pieces but a black pawn.
        let (all, lost) = ([1, 2, 2, 2, 8], [1, 2, 2, 2, 7]);
        assert!(has(&entry(), &limit(all, lost)) && has(&entry(), &limit(all, all)));
        for [white, black] in [[lost, lost], [all, [1, 2, 2, 1, 8]], [[0, 2, 2, 2, 9], lost]] {
            assert!(!has(&entry(), &limit(white, black)), "{white:?} {black:?}");
        }
        let [limit] = limit([0, 2, 2, 2, 9], lost);
        assert!(has(&entry(), &[limit, MaterialLimit::new([all, all])]));
        // The queen may be a pawn before.
        let mut promotes = entry();
        promotes.flags = flag::PROMOTION;
        assert!(has(&promotes, &[limit]));
        assert!(!has(&promotes, &[MaterialLimit::new([[0, 2, 2, 2, 8], lost])]));
        let mut own_start = entry();
        own_start.flags = flag::OWN_START;
        assert!(has(&own_start, &[]) && has(&IndexEntry::default(), &[]));
    }

    #[test]
    fn prefilter_doubtful_entry_is_possible() {
        let mut position = Position::start();
        position.apply("d2d4".parse().unwrap());
        let mut own_start = entry();
        own_start.flags = flag::OWN_START;
        assert!(own_start.may_reach(&position));
        assert!(IndexEntry::default().may_reach(&position));
    }
}
