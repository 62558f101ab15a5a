//! Compares random games from standard and Chess960 start positions with an independent library.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test may panic"
)]

use chess_core::{Bitboard, Color, Move, Piece, Position, Role, Square};
use cozy_chess::Board;

/// An xorshift64 generator, for reproducible games.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % limit
    }
}

fn theirs(board: &Board) -> Vec<(Move, cozy_chess::Move)> {
    let mut moves = Vec::new();
    board.generate_moves(|list| {
        moves.extend(list.into_iter().map(|m| (ours(m), m)));
        false
    });
    moves.sort_by_key(|(m, _)| *m);
    moves
}

fn ours(m: cozy_chess::Move) -> Move {
    let from = Square::new(m.from as u8).unwrap();
    let to = Square::new(m.to as u8).unwrap();
    match m.promotion {
        None => Move::new(from, to),
        Some(piece) => {
            let letter: char = piece.into();
            Move::promoting(from, to, Role::from_letter(letter).unwrap())
        }
    }
}

fn walk(mut board: Board, random: &mut Random) {
    let mut position = Position::from_fen(&format!("{board:#}")).unwrap();
    for _ in 0..200 {
        let fen = position.to_fen();
        let theirs = theirs(&board);
        let mut mine = position.legal_moves().to_vec();
        mine.sort();
        assert_eq!(mine, theirs.iter().map(|(m, _)| *m).collect::<Vec<_>>(), "{fen}");
        assert_eq!(position.in_check(), !board.checkers().is_empty(), "{fen}");
        assert_eq!(position.is_checkmate(), theirs.is_empty() && position.in_check(), "{fen}");
        every_move_is_judged(&position, &mine);
        every_move_is_played_alike(&position, random);
        assert_eq!(Position::from_fen(&fen).unwrap(), position, "{fen}");
        let board_part = |fen: &str| fen.split(' ').take(3).collect::<Vec<_>>().join(" ");
        let shredder = Position::from_fen(&format!("{board:#}")).unwrap();
        assert_eq!(board_part(&shredder.to_fen()), board_part(&fen));
        if theirs.is_empty() {
            return;
        }
        let (m, their_move) = theirs[random.below(theirs.len())];
        position.apply(m);
        board.play_unchecked(their_move);
    }
}

/// Checks that `apply` and `apply_unforeseen` follow their rules, also for illegal moves.
fn every_move_is_played_alike(position: &Position, random: &mut Random) {
    for from in Square::all() {
        for to in Square::all() {
            let m = match random.below(8) {
                0 => Move::promoting(from, to, Role::ALL[random.below(5) + 1]),
                _ => Move::new(from, to),
            };
            let expected = played(position, m);
            let (mut one, mut other) = (*position, *position);
            one.apply(m);
            other.apply_unforeseen(m);
            assert_eq!(one, other, "{} {m}", position.to_fen());
            if let Some(piece) = plain_mover(position, m) {
                let mut plain = *position;
                plain.apply_plain(piece, from, to);
                assert_eq!(one, plain, "{} {m}", position.to_fen());
            }
            let rooks = one.castling_rooks();
            one.forbid_castling();
            assert_eq!((one, rooks), expected, "{} {m}", position.to_fen());
        }
    }
}

/// Returns the moving piece, unless the move is castling, en passant or a promotion.
fn plain_mover(position: &Position, m: Move) -> Option<Piece> {
    let piece = position.piece_at(m.from()).filter(|_| m.from() != m.to())?;
    let aslant = piece.role() == Role::Pawn && m.from().file() != m.to().file();
    let in_passing = aslant && position.piece_at(m.to()).is_none();
    let special = m.promotion().is_some() || position.castling_side(m).is_some() || in_passing;
    (!special).then_some(piece)
}

/// Implements [`Position::apply`] square by square. Returns the position after a move without
/// castling rights, and the rooks that keep their castling rights.
fn played(before: &Position, m: Move) -> (Position, Bitboard) {
    let (from, to) = (m.from(), m.to());
    let mut after = *before;
    let mut rooks = before.castling_rooks();
    let mut clock = before.halfmove_clock().saturating_add(1);
    after.forbid_castling();
    after.set_en_passant(None);
    if let Some(piece) = before.piece_at(from).filter(|_| from != to) {
        let (color, taken) = (piece.color(), before.piece_at(to));
        let castles = piece.role() == Role::King && taken == Some(Piece::new(Role::Rook, color));
        after.set(from, None);
        if castles {
            after.set(to, None);
            let (king, rook) = if to.file() > from.file() { (6, 5) } else { (2, 3) };
            after.set(Square::at(king, from.rank()).unwrap(), Some(piece));
            after.set(Square::at(rook, from.rank()).unwrap(), taken);
        } else {
            after.set(to, Some(m.promotion().map_or(piece, |role| Piece::new(role, color))));
            rooks &= !(Bitboard::of(from) | Bitboard::of(to));
            if taken.is_some() || piece.role() == Role::Pawn {
                clock = 0;
            }
        }
        if piece.role() == Role::King {
            rooks &= !before.color(color);
        }
        if piece.role() == Role::Pawn {
            let enemy = Some(Piece::new(Role::Pawn, !color));
            let beside = Square::at(to.file(), from.rank()).unwrap();
            if from.file() != to.file() && taken.is_none() && before.piece_at(beside) == enemy {
                after.set(beside, None);
            }
            let (start, end) = if color == Color::White { (1, 3) } else { (6, 4) };
            let takers = [to.offset(-1, 0), to.offset(1, 0)];
            if (from.rank(), to.rank()) == (start, end)
                && from.file() == to.file()
                && takers.into_iter().flatten().any(|taker| before.piece_at(taker) == enemy)
            {
                after.set_en_passant(to.offset(0, color.backward()));
            }
        }
    }
    let number = before.fullmove_number() + u16::from(before.turn() == Color::Black);
    after.set_clocks(clock, number);
    after.set_turn(!before.turn());
    (after, rooks)
}

/// Checks that `is_legal` agrees with the move list for every pair of squares and promotion, and
/// that `movers` misses no legal move.
fn every_move_is_judged(position: &Position, legal: &[Move]) {
    for from in position.color(position.turn()) {
        for to in Square::all().filter(|to| *to != from) {
            let plain = Move::new(from, to);
            assert_eq!(position.is_legal(plain), legal.contains(&plain), "{plain}");
            let queen = Move::promoting(from, to, Role::Queen);
            assert_eq!(position.is_legal(queen), legal.contains(&queen), "{queen}");
            let role = position.piece_at(from).unwrap().role();
            let goes = position.is_pseudo_legal(plain) || position.is_pseudo_legal(queen);
            assert_eq!(goes, position.movers(role, to).contains(from), "{plain}");
        }
    }
    for m in legal {
        let role = position.piece_at(m.from()).unwrap().role();
        if position.castling_side(*m).is_none() {
            assert!(position.movers(role, m.to()).contains(m.from()), "{m}");
        }
    }
}

#[test]
fn random_standard_games_agree_with_peer() {
    let mut random = Random(0x5eed);
    for _ in 0..60 {
        walk(Board::default(), &mut random);
    }
}

#[test]
fn random_chess960_games_agree_with_peer() {
    let mut random = Random(0x960);
    for _ in 0..60 {
        let (white, black) = (random.below(960) as u32, random.below(960) as u32);
        walk(Board::double_chess960_startpos(white, black), &mut random);
    }
}

/// `apply` accepts any move, and the bitboards agree with the mailbox board.
#[test]
fn apply_random_moves_keeps_boards_consistent() {
    let mut random = Random(0xbad);
    for _ in 0..200 {
        let mut position = Position::start();
        for _ in 0..200 {
            let from = Square::from_low_bits(random.below(64) as u8);
            let to = Square::from_low_bits(random.below(64) as u8);
            let m = match random.below(20) {
                0 => Move::NULL,
                1 => Move::promoting(from, to, Role::Knight),
                2 => Move::promoting(from, to, Role::King),
                _ => Move::new(from, to),
            };
            let expected = played(&position, m);
            position.apply(m);
            let mut without_rights = position;
            without_rights.forbid_castling();
            assert_eq!((without_rights, position.castling_rooks()), expected);
            for square in Square::all() {
                let piece = position.piece_at(square);
                for color in Color::ALL {
                    for role in Role::ALL {
                        let there = piece == Some(Piece::new(role, color));
                        assert_eq!(position.pieces(role, color).contains(square), there);
                    }
                }
            }
            let _ = position.legal_moves();
            assert!(Position::from_fen(&position.to_fen()).is_ok());
        }
    }
}
