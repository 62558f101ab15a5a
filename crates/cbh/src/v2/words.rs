//! The table of move words.
//!
//! A word names the piece that moves, its origin and target, the captured piece and the promotion.
//! It means the same in any position. The words of all pieces are numbered in one run: for each
//! piece, for each origin, for each target on an empty board, for each capture. So the quiet move
//! of the white king from a1 to a2 is word 1, and its capture of a queen there is word 2.
//!
//! ```text
//! piece   K Q N B R of White, K Q N B R of Black
//! origin  a1, a2, ..., a8, b1, ..., h8
//! target  direction by direction, outward
//! capture none, Q, N, B, R, P
//! ```
//! Pawns follow with an order of their own, then castling. A castling word names colour and side;
//! Chess960 has four of them for each start position.

use std::sync::LazyLock;

use chess_core::{CastlingSide, Color, Move, Piece, Position, Role, Square};

use super::board::{Board, Content};
use super::layout::word;
use crate::moves::numbers::{number_of, square_of};

/// The roles of pieces in the order of their words.
pub(crate) const PIECE_ROLES: [Role; 5] =
    [Role::King, Role::Queen, Role::Knight, Role::Bishop, Role::Rook];
/// The captured roles in the order of their words. The first word of a target captures nothing.
const CAPTURES: [Role; 5] = [Role::Queen, Role::Knight, Role::Bishop, Role::Rook, Role::Pawn];
/// The promotions in the order of their words.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Knight, Role::Bishop, Role::Rook];

const KING: [(i8, i8); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
const KNIGHT: [(i8, i8); 8] =
    [(-2, -1), (-2, 1), (2, -1), (2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2)];
const BISHOP: [(i8, i8); 4] = [(-1, -1), (1, -1), (1, 1), (-1, 1)];
const ROOK: [(i8, i8); 4] = [(-1, 0), (0, -1), (1, 0), (0, 1)];
const QUEEN: [(i8, i8); 8] = [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, 0), (0, -1), (1, 0), (0, 1)];

/// The move of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WordMove {
    pub(crate) played: Move,
    pub(crate) piece: Piece,
    /// The piece on the target. En passant has none.
    pub(crate) captured: Option<Piece>,
}

/// The move of a word as a [`Board`] plays it. A word that is no plain move has a piece that no square
/// has, and a word that is no move also a captured piece that no square has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlainWord {
    pub(crate) played: Move,
    pub(crate) piece: Content,
    pub(crate) role: Role,
    pub(crate) color: Color,
    pub(crate) captured: Content,
    /// The captured role, if a piece is captured.
    pub(crate) taken: Role,
}

impl PlainWord {
    pub(crate) const NO_MOVE: PlainWord = PlainWord {
        played: Move::NULL,
        piece: Content::NEVER,
        role: Role::Pawn,
        color: Color::White,
        captured: Content::NEVER,
        taken: Role::Pawn,
    };

    fn new(piece: Piece, played: Move, captured: Option<Role>) -> PlainWord {
        // En passant and promotions are not plain.
        let aside = piece.role() == Role::Pawn && played.from().file() != played.to().file();
        let is_plain = played.promotion().is_none() && !(aside && captured.is_none());
        PlainWord {
            played,
            piece: if is_plain { Content::of(Some(piece)) } else { Content::NEVER },
            role: piece.role(),
            color: piece.color(),
            captured: Content::of(captured.map(|role| Piece::new(role, !piece.color()))),
            taken: captured.unwrap_or(Role::Pawn),
        }
    }

    fn named(&self) -> Option<WordMove> {
        let captured = match self.captured {
            Content::NEVER => return None,
            Content::EMPTY => None,
            _ => Some(Piece::new(self.taken, !self.color)),
        };
        Some(WordMove { played: self.played, piece: Piece::new(self.role, self.color), captured })
    }
}

/// A castling move by colour and side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Castling {
    pub(crate) color: Color,
    pub(crate) side: CastlingSide,
}

/// Castling in the order of its words.
const CASTLING: [Castling; 4] = [
    Castling { color: Color::White, side: CastlingSide::Queen },
    Castling { color: Color::White, side: CastlingSide::King },
    Castling { color: Color::Black, side: CastlingSide::Queen },
    Castling { color: Color::Black, side: CastlingSide::King },
];

/// The number of words, with those that mean nothing.
const ALL_WORDS: usize = 1 << 16;

/// The moves of all numbers of 16 bits, for a [`Board`].
pub(crate) type Rows = [PlainWord; ALL_WORDS];

/// Returns the row of a word.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "there is a row for each number of 16 bits")]
pub(crate) fn row(rows: &Rows, word: u16) -> &PlainWord {
    &rows[usize::from(word)]
}

/// The moves of all words, and the first word of each piece, origin and target.
#[derive(Debug)]
pub(crate) struct Table {
    /// The moves by word. All numbers of 16 bits have a row.
    rows: Vec<PlainWord>,
    /// The word that is added next.
    next: u16,
    /// By piece, origin and target: the first word, or 0.
    first: Vec<u16>,
    /// The board of the usual start position.
    start: Board,
}

/// Returns the table, which is computed on first use.
pub(crate) fn table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(Table::new);
    &TABLE
}

/// Returns the place of a piece, an origin and a target in [`Table::first`].
fn place(piece: Piece, from: Square, to: Square) -> usize {
    let color = usize::from(piece.color() == Color::Black);
    let piece = color.wrapping_mul(6).wrapping_add(piece.role() as usize);
    piece << 12 | usize::from(from.index()) << 6 | usize::from(to.index())
}

impl Table {
    // cbh2 §4.3 "Table of moves"
    fn new() -> Table {
        let mut table = Table {
            rows: vec![PlainWord::NO_MOVE; ALL_WORDS],
            next: 1,
            first: vec![0; 13 << 12],
            start: Board::new(&Position::start()),
        };
        for color in Color::ALL {
            for role in PIECE_ROLES {
                table.add_piece(Piece::new(role, color));
            }
        }
        Color::ALL.into_iter().for_each(|color| table.add_pawns(color));
        table
    }

    fn start(&mut self, piece: Piece, from: Square, to: Square) {
        if let Some(first) = self.first.get_mut(place(piece, from, to)) {
            *first = self.next;
        }
    }

    fn add(&mut self, piece: Piece, played: Move, captured: Option<Role>) {
        if let Some(row) = self.rows.get_mut(usize::from(self.next)) {
            *row = PlainWord::new(piece, played, captured);
        }
        self.next = self.next.saturating_add(1);
    }

    fn add_piece(&mut self, piece: Piece) {
        let (directions, slides): (&[(i8, i8)], bool) = match piece.role() {
            Role::King => (&KING, false),
            Role::Knight => (&KNIGHT, false),
            Role::Bishop => (&BISHOP, true),
            Role::Rook => (&ROOK, true),
            _ => (&QUEEN, true),
        };
        for from in (0..64).map(square_of) {
            for (files, ranks) in directions {
                let mut at = from;
                while let Some(to) = at.offset(*files, *ranks) {
                    self.start(piece, from, to);
                    self.add(piece, Move::new(from, to), None);
                    for role in CAPTURES {
                        self.add(piece, Move::new(from, to), Some(role));
                    }
                    if !slides {
                        break;
                    }
                    at = to;
                }
            }
        }
    }

    fn add_pawns(&mut self, color: Color) {
        let pawn = Piece::new(Role::Pawn, color);
        let ranks = 1..7;
        for from in
            (0..8).flat_map(|file| ranks.clone().filter_map(move |rank| Square::at(file, rank)))
        {
            let Some(single) = from.offset(0, color.forward()) else { continue };
            let promotes = single.rank() == (!color).back_rank();
            if from.rank() == color.pawn_rank()
                && let Some(double) = single.offset(0, color.forward())
            {
                self.start(pawn, from, double);
                self.add(pawn, Move::new(from, double), None);
            }
            self.start(pawn, from, single);
            if promotes {
                for role in PROMOTIONS {
                    self.add(pawn, Move::promoting(from, single, role), None);
                }
            } else {
                self.add(pawn, Move::new(from, single), None);
            }
            for side in [-1, 1] {
                let Some(to) = single.offset(side, 0) else { continue };
                self.start(pawn, from, to);
                if promotes {
                    // A pawn cannot be captured on the last rank.
                    for captured in CAPTURES.into_iter().filter(|role| *role != Role::Pawn) {
                        for role in PROMOTIONS {
                            self.add(pawn, Move::promoting(from, to, role), Some(captured));
                        }
                    }
                    continue;
                }
                for captured in CAPTURES {
                    self.add(pawn, Move::new(from, to), Some(captured));
                }
                if to.rank() == color.en_passant_rank() {
                    self.add(pawn, Move::new(from, to), None);
                }
            }
        }
    }

    /// Returns the move of a word, unless it is castling or no move.
    #[inline]
    pub(crate) fn get(&self, word: u16) -> Option<WordMove> {
        self.plain(word)?.named()
    }

    /// Like [`get`](Self::get), for a [`Board`].
    #[inline]
    pub(crate) fn plain(&self, word: u16) -> Option<&PlainWord> {
        self.rows.get(usize::from(word))
    }

    /// Returns the rows of all numbers of 16 bits, so that a look-up by [`row`] needs no bounds check.
    pub(crate) fn rows(&self) -> Option<&Rows> {
        self.rows.first_chunk()
    }

    /// Returns the board of a start position.
    pub(crate) fn board(&self, start: &Position) -> Board {
        if *start == Position::start() { self.start } else { Board::new(start) }
    }

    /// Returns the word of a legal move in `position`. `first` is the first castling word of the
    /// game's start position.
    pub(crate) fn word_of(&self, m: Move, position: &Position, first: u16) -> Option<u16> {
        let (from, to) = (m.from(), m.to());
        if let Some(side) = position.castling_side(m) {
            let castling = Castling { color: position.turn(), side };
            let index = CASTLING.iter().position(|known| *known == castling)?;
            return first.checked_add(u16::try_from(index).ok()?);
        }
        let piece = position.piece_at(from)?;
        let start = self.first.get(place(piece, from, to)).copied().filter(|first| *first != 0)?;
        let captured = position.piece_at(to);
        let index = |roles: &[Role], role| roles.iter().position(|known| *known == role);
        let taken = captured.map(|captured| index(&CAPTURES, captured.role()));
        let aside = from.file() != to.file();
        let offset = match (piece.role() == Role::Pawn && aside, m.promotion()) {
            (true, Some(role)) => taken??.checked_mul(4)?.checked_add(index(&PROMOTIONS, role)?)?,
            (true, None) => taken.unwrap_or(Some(CAPTURES.len()))?,
            (false, Some(role)) => index(&PROMOTIONS, role)?,
            (false, None) => taken.map_or(Some(0), |taken| taken?.checked_add(1))?,
        };
        let word = start.checked_add(u16::try_from(offset).ok()?)?;
        let named = self.get(word)?;
        (named.played == m && named.captured == captured).then_some(word)
    }
}

/// Whether the table has a word for a legal move. It has none for the capture of a king, for example.
pub(crate) fn has_word(m: Move, position: &Position) -> bool {
    table().word_of(m, position, word::CASTLING).is_some()
}

/// Returns the castling of a word. It does not say which start position the word names.
// cbh2 §4.4 "Castling"
#[inline]
pub(crate) fn castling_of(found: u16) -> Option<Castling> {
    let index = found.checked_sub(word::CASTLING)?;
    (found < word::PIECES).then(|| CASTLING.get(usize::from(index % 4)).copied())?
}

/// Returns the piece and the square of a word in a start position.
// cbh2 §4.5 "Start position"
pub(crate) fn piece_of(found: u16) -> Option<(Piece, Square)> {
    if found >= word::PAWNS {
        let index = u8::try_from(found.checked_sub(word::PAWNS)?).ok()?;
        let (color, index) =
            if index < 48 { (Color::White, index) } else { (Color::Black, index.checked_sub(48)?) };
        let square = Square::at(index / 6, (index % 6).checked_add(1)?)?;
        return Some((Piece::new(Role::Pawn, color), square));
    }
    let index = found.checked_sub(word::PIECES)?;
    let number = usize::from(index / 64);
    let color = if number < 5 { Color::White } else { Color::Black };
    let role = PIECE_ROLES.get(number % 5)?;
    Some((Piece::new(*role, color), square_of(u8::try_from(index % 64).ok()?)))
}

/// Returns the word of a piece in a start position. A pawn on the first or last rank has none.
pub(crate) fn word_of_piece(piece: Piece, square: Square) -> Option<u16> {
    let black = u16::from(piece.color() == Color::Black);
    if piece.role() == Role::Pawn {
        let rank = square.rank().checked_sub(1).filter(|rank| *rank < 6)?;
        let index = u16::from(square.file()).checked_mul(6)?.checked_add(u16::from(rank))?;
        return word::PAWNS.checked_add(black.checked_mul(48)?)?.checked_add(index);
    }
    let role = PIECE_ROLES.iter().position(|role| *role == piece.role())?;
    let number = u16::try_from(role).ok()?.checked_add(black.checked_mul(5)?)?;
    let index = number.checked_mul(64)?.checked_add(u16::from(number_of(square)))?;
    word::PIECES.checked_add(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ranges of the description, by first word.
    #[test]
    fn table_every_piece_has_its_range_of_words() {
        let table = table();
        let mut ranges: Vec<(Piece, u16, u16)> = Vec::new();
        for word in 1..word::CASTLING {
            let piece = table.get(word).unwrap().piece;
            match ranges.last_mut() {
                Some((known, _, last)) if *known == piece => *last = word,
                _ => ranges.push((piece, word, word)),
            }
        }
        let text: Vec<String> = ranges
            .iter()
            .map(|(piece, first, last)| format!("{} {first:04x}-{last:04x}", piece.letter()))
            .collect();
        println!("{}", text.join("\n"));
        #[rustfmt::skip]
        assert_eq!(text, [
            "K 0001-09d8", "Q 09d9-2bf8", "N 2bf9-33d8", "B 33d9-40f8", "R 40f9-55f8",
            "k 55f9-5fd0", "q 5fd1-81f0", "n 81f1-89d0", "b 89d1-96f0", "r 96f1-abf0",
            "P abf1-ae8c", "p ae8d-b128",
        ]);
        assert_eq!(table.get(word::CASTLING), None);
        assert_eq!((table.get(0), table.get(word::NULL)), (None, None));
        let pieces = (word::PIECES..).map_while(piece_of).count();
        let castlings = (word::CASTLING..).map_while(castling_of).count();
        // 49,196 words are moves, 736 are pieces of a start position.
        let moves = usize::from(table.next - 1);
        assert_eq!((moves + castlings, pieces), (49_196, 736));
        assert_eq!(piece_of(word::PIECES_END), None);
    }

    #[test]
    fn table_examples_have_their_words() {
        let table = table();
        let moves = |word| table.get(word).unwrap().played.to_string();
        assert_eq!((moves(1), moves(7)), ("a1a2".into(), "a1b1".into()));
        // 1. e4 e5 2. Nf3 Nc6 3. Bb5 of a sample.
        for (word, m) in [
            (0xad3f, "e2e4"),
            (0xb02d, "e7e5"),
            (0x325f, "g1f3"),
            (0x836b, "b8c6"),
            (0x3c67, "f1b5"),
        ] {
            assert_eq!(moves(word), m);
        }
    }

    #[test]
    fn word_of_every_word_leads_back() {
        let table = table();
        for word in 1..word::CASTLING {
            let WordMove { played, piece, captured } = table.get(word).unwrap();
            let mut position = Position::empty();
            position.set_turn(piece.color());
            position.set(played.to(), captured);
            position.set(played.from(), Some(piece));
            assert_eq!(table.word_of(played, &position, word::CASTLING), Some(word), "{word:04x}");
        }
        for word in word::PIECES..word::PIECES_END {
            let (piece, square) = piece_of(word).unwrap();
            assert_eq!(word_of_piece(piece, square), Some(word), "{word:04x}");
        }
        assert_eq!(word_of_piece(Piece::new(Role::Pawn, Color::White), Square::A1), None);
    }

    // cbh2 §4.3 "Table of moves"
    #[test]
    fn table_words_match_specification() {
        let page = include_str!("../../../../docs/formats/tables/cbh2-words.tsv");
        let mut word = 1;
        for row in page.lines().filter(|row| !row.starts_with('#')) {
            let cells: Vec<_> = row.split('\t').collect();
            assert_eq!(u16::from_str_radix(cells[0], 16).unwrap(), word, "{row}");
            let is_pawn = cells[1].eq_ignore_ascii_case("p");
            let captures: &[&str] = if is_pawn { &[""] } else { &["", "Q", "N", "B", "R", "P"] };
            for target in cells[3].split(' ') {
                for capture in captures {
                    let found = table().get(word).unwrap();
                    let piece = (found.piece.letter().to_string(), found.played.from().to_string());
                    assert_eq!((piece.0.as_str(), piece.1.as_str()), (cells[1], cells[2]), "{row}");
                    assert!(target.starts_with(&found.played.to().to_string()), "{row}: {target}");
                    let taken = found.captured.map(|piece| piece.role().letter().to_string());
                    let of_pawn = target.split_once('x').map(|(_, rest)| &rest[..1]);
                    let wanted = of_pawn.filter(|taken| *taken != "e").unwrap_or(capture);
                    assert_eq!(taken.unwrap_or_default(), wanted, "{row}: {target}");
                    let becomes = found.played.promotion().map(|role| role.letter().to_string());
                    let wanted = target.split_once('=').map(|(_, role)| role.to_owned());
                    assert_eq!(becomes, wanted, "{row}: {target}");
                    word += 1;
                }
            }
        }
        assert_eq!(word, word::CASTLING);
    }
}
