//! A board that plays the moves of words.
//!
//! A word names piece, origin, target and captured piece. So a plain move is checked by comparing two
//! squares, by the squares between them, and by the attacks on the mover's king, which are updated
//! from move to move. Castling, promotions and en passant are not plain; castling of the usual king and
//! rook uses the known attacks too.

use chess_core::{
    Bitboard, CastlingSide, Color, Move, PerSquare, Piece, PieceSets, Position, Role, Square,
    between, crossed,
};

use super::words::{Castling, PlainWord, Table, castling_of, row};
use crate::moves::threats::KingGuard;

/// The content of a square: 0 if it is empty, else the role and the colour of the piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Content(u8);

impl Content {
    pub(crate) const EMPTY: Content = Content(0);
    /// No content of a square.
    pub(crate) const NEVER: Content = Content(0xff);
    const BLACK: u8 = 8;

    pub(crate) const fn of(piece: Option<Piece>) -> Content {
        match piece {
            Some(piece) => Content(piece.role() as u8 | (piece.color() as u8) << 3),
            None => Content::EMPTY,
        }
    }

    #[inline]
    fn piece(self) -> Option<Piece> {
        let role = Role::ALL.into_iter().find(|role| *role as u8 == self.0 & 7)?;
        let black = self.0 & Content::BLACK != 0;
        Some(Piece::new(role, if black { Color::Black } else { Color::White }))
    }
}

/// The source of the en passant square.
#[derive(Clone, Copy, Debug)]
enum Last {
    /// The last move. It allows en passant if it was a double pawn step.
    Move(Move),
    /// The en passant square of the start position.
    Passed(Option<Square>),
}

/// The pieces and the state that the rules need. Holds no clocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board {
    cells: PerSquare<Content>,
    sets: PieceSets,
    turn: Color,
    /// The rooks that may castle.
    castling: Bitboard,
    last: Last,
    /// By colour of the king: the enemy pieces that would attack it on an empty board.
    threats: [Bitboard; 2],
    guards: [KingGuard; 2],
}

/// Why a run of plain moves ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// After the last word.
    End,
    /// Before a word that is not a plain move, or that another alternative follows.
    Unusual,
    /// At a move that leaves the king in check. The board is no longer usable.
    IntoCheck(Move),
}

/// The number of rows of the table that are fetched at once.
const FETCHED: usize = 32;

impl Board {
    pub(crate) fn new(position: &Position) -> Board {
        let mut board = Board {
            cells: PerSquare([Content::EMPTY; 64]),
            sets: PieceSets::EMPTY,
            turn: position.turn(),
            castling: position.castling_rooks(),
            last: Last::Passed(position.en_passant()),
            threats: [Bitboard::EMPTY; 2],
            guards: Color::ALL.map(|color| KingGuard::of(None, color)),
        };
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                board.flip(square, piece);
            }
        }
        board.find_threats();
        board
    }

    /// Places a piece on an empty square, or removes it.
    fn flip(&mut self, square: Square, piece: Piece) {
        self.sets.flip(Bitboard::of(square), piece);
        let there = self.cells[square] == Content::EMPTY;
        self.cells[square] = if there { Content::of(Some(piece)) } else { Content::EMPTY };
    }

    fn find_threats(&mut self) {
        self.guards = Color::ALL.map(|color| KingGuard::of(self.sets.king(color), color));
        self.threats = Color::ALL.map(|color| self.threats_to(color));
    }

    fn threats_to(&self, color: Color) -> Bitboard {
        let king = self.sets.king(color);
        king.map_or(Bitboard::EMPTY, |king| self.sets.aligned(king, !color))
    }

    /// Returns the position. Its clocks have their values at the start of a game.
    pub(crate) fn position(&self) -> Position {
        let mut position = Position::empty();
        for square in self.sets.occupied() {
            position.set(square, self.cells[square].piece());
        }
        position.set_turn(self.turn);
        for rook in self.castling {
            position.allow_castling(rook);
        }
        position.set_en_passant(self.passed());
        position
    }

    /// Returns the square that a pawn has just jumped over.
    fn passed(&self) -> Option<Square> {
        let m = match self.last {
            Last::Move(m) => m,
            Last::Passed(square) => return square,
        };
        let (from, to) = (m.from(), m.to());
        let jumped = from.index().abs_diff(to.index()) == 16
            && self.cells[to] == Content::of(Some(Piece::new(Role::Pawn, !self.turn)));
        jumped.then(|| Square::from_low_bits(u8::midpoint(from.index(), to.index())))
    }

    /// Plays plain moves and castling, one move for each word, and writes them to `moves`. Stops before
    /// any other word, and before a move that the word `branch` follows.
    // Hot path: nearly all words of a game are such moves.
    #[inline(never)]
    pub(crate) fn play_words(
        &mut self,
        table: &Table,
        words: &[[u8; 2]],
        branch: u16,
        moves: &mut [Move],
    ) -> (usize, Stop) {
        let unbranched = words.get(..moves_before(branch, words)).unwrap_or(words);
        let whole = unbranched.len() == words.len() || unbranched.len() >= moves.len();
        let mut stop = if whole { Stop::End } else { Stop::Unusual };
        let Some(rows) = table.rows() else { return (0, Stop::Unusual) };
        let (mut done, mut turn, mut occupied) = (0usize, self.turn, self.sets.occupied());
        // The table does not fit into the fastest cache. Its rows are fetched ahead, because these loads do
        // not wait for each other, and a load between two moves waits for the move before it.
        let mut fetched = [PlainWord::NO_MOVE; FETCHED];
        let chunks = unbranched.chunks(FETCHED).zip(moves.chunks_mut(FETCHED));
        'words: for (chunk, places) in chunks {
            for (plain, bytes) in fetched.iter_mut().zip(chunk) {
                *plain = *row(rows, u16::from_le_bytes(*bytes));
            }
            for ((bytes, plain), place) in chunk.iter().zip(&fetched).zip(places) {
                *place = match self.step(plain, turn, &mut occupied) {
                    Ok(m) => m,
                    Err(end) => {
                        self.turn = turn;
                        let Some(m) = self.castle_by_word(u16::from_le_bytes(*bytes)) else {
                            stop = end;
                            break 'words;
                        };
                        occupied = self.sets.occupied();
                        m
                    }
                };
                done = done.wrapping_add(1);
                turn = !turn;
            }
        }
        if let Some(m) = done.checked_sub(1).and_then(|last| moves.get(last)) {
            self.last = Last::Move(*m);
        }
        self.turn = turn;
        (done, stop)
    }

    /// Plays one plain move.
    pub(crate) fn play_word(&mut self, plain: &PlainWord) -> Result<Move, Stop> {
        let m = self.step(plain, self.turn, &mut self.sets.occupied())?;
        self.turn = !self.turn;
        self.last = Last::Move(m);
        Ok(m)
    }

    /// Plays castling if the word names it and it is legal.
    #[cold]
    #[inline(never)]
    fn castle_by_word(&mut self, word: u16) -> Option<Move> {
        let Castling { color, side } = castling_of(word)?;
        let m = self.castling(color, side)?;
        self.castle(m.from(), m.to(), color);
        Some(m)
    }

    /// Plays a plain move of `turn`. The caller updates the side to move and the last move.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "a side is 0 or 1")]
    fn step(
        &mut self,
        plain: &PlainWord,
        turn: Color,
        occupied: &mut Bitboard,
    ) -> Result<Move, Stop> {
        let PlainWord { played: m, piece, role, color, captured, taken } = *plain;
        let (from, to) = (m.from(), m.to());
        let fits = self.cells[from] == piece
            && self.cells[to] == captured
            && color == turn
            && (crossed(m) & *occupied).is_empty();
        if !fits {
            return Err(Stop::Unusual);
        }
        let own = usize::from(turn == Color::Black);
        let other = own ^ 1;
        let (origin, target) = (Bitboard::of(from), Bitboard::of(to));
        let both = origin | target;
        *occupied = (*occupied ^ origin) | target;
        if captured != Content::EMPTY {
            self.sets.flip_role(target, taken, !turn);
            self.threats[own] &= !target;
        }
        self.sets.flip_role(both, role, turn);
        self.cells[from] = Content::EMPTY;
        self.cells[to] = piece;
        if (self.castling & both).has_any() {
            self.castling &= !both;
        }
        // The piece may attack the enemy king from its new square, and no longer from its old one.
        self.threats[other] ^= self.guards[other].attackers(role) & both;
        if role == Role::King {
            self.castling &= !self.sets.color(turn);
            self.guards[own] = self.guards[own].moved(to, turn);
            self.threats[own] = self.threats_to(turn);
        }
        if self.guards[own].is_attacked(self.threats[own], *occupied) {
            return Err(Stop::IntoCheck(m));
        }
        Ok(m)
    }

    /// Returns castling to one side, if `color` is to move and castling is legal.
    pub(crate) fn castling(&self, color: Color, side: CastlingSide) -> Option<Move> {
        let king = self.sets.king(color).filter(|_| color == self.turn)?;
        let corner = side.corner(color);
        if king == color.king_home() && self.castling.contains(corner) {
            return self.may_castle_at_home(color, side).then(|| Move::new(king, corner));
        }
        let mut rooks = self.castling & self.sets.color(color) & Bitboard::rank(king.rank());
        let rook = rooks.find(|rook| CastlingSide::of(king, *rook) == side)?;
        self.sets.may_castle(color, king, rook, side).then(|| Move::new(king, rook))
    }

    /// Whether castling is legal from the usual squares. The known threats to the king spare most of
    /// the work that Chess960 needs.
    #[allow(clippy::indexing_slicing, reason = "a colour is 0 or 1")]
    fn may_castle_at_home(&self, color: Color, side: CastlingSide) -> bool {
        let (king, occupied) = (color.king_home(), self.sets.occupied());
        let own = color as usize;
        if (between(king, side.corner(color)) & occupied).has_any()
            || self.guards[own].is_attacked(self.threats[own], occupied)
        {
            return false;
        }
        let files = if side == CastlingSide::King { [5, 6] } else { [3, 2] };
        !files.into_iter().filter_map(|file| Square::at(file, king.rank())).any(|square| {
            let mut far = self.sets.aligned(square, !color);
            far.any(|from| (between(square, from) & occupied).is_empty())
        })
    }

    /// Plays a legal move that is not plain: castling, a promotion, en passant, or the null move.
    pub(crate) fn play_unusual(&mut self, m: Move) {
        let (from, to) = (m.from(), m.to());
        let color = self.turn;
        let rook = Content::of(Some(Piece::new(Role::Rook, color)));
        if self.cells[to] == rook && self.sets.king(color) == Some(from) {
            self.castle(from, to, color);
        } else if let (Some(piece), false) = (self.cells[from].piece(), m.is_null()) {
            let there = self.cells[to].piece();
            self.flip(from, piece);
            let passed = self.passed().filter(|passed| *passed == to);
            if piece.role() == Role::Pawn && passed.is_some() {
                let beside = to.with_rank(from.rank());
                if let Some(pawn) = self.cells[beside].piece() {
                    self.flip(beside, pawn);
                }
            }
            if let Some(taken) = there {
                self.flip(to, taken);
            }
            let role = m.promotion().unwrap_or(piece.role());
            self.flip(to, Piece::new(role, color));
            self.castling &= !(Bitboard::of(from) | Bitboard::of(to));
            self.find_threats();
        }
        self.turn = !color;
        self.last = Last::Move(m);
    }

    /// Moves king and rook. Their squares may overlap.
    #[allow(clippy::indexing_slicing, reason = "a side is 0 or 1")]
    fn castle(&mut self, king: Square, rook: Square, color: Color) {
        let side = CastlingSide::of(king, rook);
        let king_to = Square::at(side.king_file(), king.rank()).unwrap_or(king);
        let rook_to = Square::at(side.rook_file(), king.rank()).unwrap_or(rook);
        self.castling &= !self.sets.color(color);
        let pieces = [(Role::King, king, king_to), (Role::Rook, rook, rook_to)];
        let (own, other) = (color as usize, !color as usize);
        for (role, from, to) in pieces {
            let both = Bitboard::of(from) ^ Bitboard::of(to);
            self.sets.flip_role(both, role, color);
            self.threats[other] ^= self.guards[other].attackers(role) & both;
            self.cells[from] = Content::EMPTY;
        }
        for (role, _, to) in pieces {
            self.cells[to] = Content::of(Some(Piece::new(role, color)));
        }
        self.guards[own] = self.guards[own].moved(king_to, color);
        self.threats[own] = self.threats_to(color);
    }
}

/// Returns the number of words before the first word that `branch` follows.
#[inline]
fn moves_before(branch: u16, words: &[[u8; 2]]) -> usize {
    let is_branch = |bytes: &[u8; 2]| u16::from_le_bytes(*bytes) == branch;
    let (chunks, _) = words.as_chunks::<16>();
    // Without a branch among them, sixteen words are passed at once.
    let has_branch =
        |chunk: &[[u8; 2]; 16]| chunk.iter().fold(false, |found, bytes| found | is_branch(bytes));
    let passed = chunks.iter().take_while(|chunk| !has_branch(chunk)).count().saturating_mul(16);
    let rest = words.get(passed..).unwrap_or_default();
    match rest.iter().position(is_branch) {
        Some(place) => passed.saturating_add(place).saturating_sub(1),
        None => words.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::v2::layout::word;
    use crate::v2::words::table;

    #[test]
    fn moves_before_branch_excludes_the_move_it_follows() {
        for length in 0..70 {
            let mut words = vec![[1, 0]; length];
            assert_eq!(moves_before(word::BRANCH, &words), length);
            for place in 0..length {
                words[place] = word::BRANCH.to_le_bytes();
                assert_eq!(moves_before(word::BRANCH, &words), place.saturating_sub(1));
                words[place] = [1, 0];
            }
        }
    }

    /// Tries all words in positions of random games. A plain move must be legal. Each legal move must
    /// be plain, or not plain for a reason.
    #[test]
    fn play_word_random_positions_match_legal_moves() {
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "4k3/8/8/8/8/8/8/KK6 w - - 0 1",
            "8/8/8/3pP3/8/8/8/R6r w - d6 0 1",
        ];
        let (mut plain, mut unusual, mut seed) = (0, 0, 1u64);
        for fen in starts.iter().cycle().take(60) {
            let mut position = Position::from_fen(fen).unwrap();
            let mut board = Board::new(&position);
            for ply in 0..80 {
                let moves = position.legal_moves();
                for m in moves.iter().copied() {
                    let Some(found) = table().word_of(m, &position, word::CASTLING) else {
                        continue;
                    };
                    let mut after = board;
                    let played = table().plain(found).map(|plain| after.play_word(plain));
                    if matches!(played, None | Some(Err(Stop::Unusual))) {
                        unusual += 1;
                        after.play_unusual(m);
                    } else {
                        plain += 1;
                        assert_eq!(played, Some(Ok(m)));
                    }
                    let mut expected = position;
                    expected.apply(m);
                    assert!(
                        after.position().same_position(&expected),
                        "{}: {m}",
                        position.to_fen()
                    );
                    let threats = Color::ALL.map(|color| after.threats_to(color));
                    assert_eq!(after.threats, threats, "{}: {m}", position.to_fen());
                }
                if ply % 10 == 0 {
                    for found in 1..word::CASTLING {
                        let Some(plain) = table().plain(found) else { continue };
                        let mut after = board;
                        if let Ok(m) = after.play_word(plain) {
                            assert!(position.is_legal(m), "{}: {m}", position.to_fen());
                        }
                    }
                }
                if moves.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let m = moves[usize::try_from(seed >> 33).unwrap() % moves.len()];
                board = Board { ..board };
                let word = table().word_of(m, &position, word::CASTLING);
                let plain = word.and_then(|word| table().plain(word));
                let mut after = board;
                match plain.map(|plain| after.play_word(plain)) {
                    Some(Ok(_)) => board = after,
                    _ => board.play_unusual(m),
                }
                position.apply(m);
                assert!(board.position().same_position(&position), "{}", position.to_fen());
            }
        }
        assert!(plain > 10_000 && unusual > 200, "{plain} {unusual}");
    }
}
