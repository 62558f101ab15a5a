//! Start positions.

use chess_core::{CastlingSide, Color, Piece, Position, Role, Square};

use super::layout::word;
use super::quirk::Quirk;
use super::words::{piece_of, word_of_piece};
use crate::setup::{en_passant_file, set_en_passant, start_number};

/// Castling rights by their bit in the high byte of the second word.
// cbh2 §4.5 "Start position"
const RIGHTS: [(u8, Color, CastlingSide); 4] = [
    (1, Color::White, CastlingSide::Queen),
    (2, Color::White, CastlingSide::King),
    (4, Color::Black, CastlingSide::Queen),
    (8, Color::Black, CastlingSide::King),
];

/// The number of Chess960 start positions.
const START_POSITIONS: u16 = 960;
/// The number of the usual start position.
pub(crate) const USUAL: u16 = 518;

/// A start position as read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Start {
    pub(crate) position: Position,
    /// Whether the words say that the game is Chess960.
    pub(crate) chess960: bool,
    pub(crate) quirk: Option<Quirk>,
}

/// Decodes the words between the marks of start position and moves. Returns `None` if they are no
/// start position.
// cbh2 §4.5 "Start position"
pub(crate) fn decode_start(words: &[u16]) -> Option<Start> {
    match words {
        [number] => {
            let position = start_position(*number)?;
            Some(Start { position, chess960: *number != USUAL, quirk: None })
        }
        // A set-up at move 1000 begins with the same word, but has one number less.
        [word::SETUP_960, rest @ ..] if is_setup(rest) => decode_setup(rest, true),
        _ => decode_setup(words, false),
    }
}

/// Whether `words` are a set-up without the mark of Chess960: three numbers, then pieces.
fn is_setup(words: &[u16]) -> bool {
    let Some((_, pieces)) = words.split_first_chunk::<3>() else { return false };
    let numbers = words.get(..3).unwrap_or_default();
    numbers.iter().all(|word| piece_of(*word).is_none())
        && pieces.iter().all(|word| piece_of(*word).is_some())
}

fn decode_setup(words: &[u16], chess960: bool) -> Option<Start> {
    let ([number, side, en_passant], pieces) = words.split_first_chunk()?;
    let mut position = Position::empty();
    let mut quirk = None;
    for word in pieces {
        let (piece, square) = piece_of(*word)?;
        if position.piece_at(square).is_some() {
            quirk = Some(Quirk::SetupPieces);
        }
        position.set(square, Some(piece));
    }
    let [turn, rights] = side.to_le_bytes();
    position.set_turn(if turn == 0 { Color::White } else { Color::Black });
    position.set_clocks(0, (*number).max(1));
    for (bit, color, side) in RIGHTS {
        if rights & bit == 0 {
            continue;
        }
        let from_home = !chess960 && position.allow_castling_from_home(color, side);
        let allowed = from_home
            || position
                .outermost_rook(color, side)
                .is_some_and(|rook| chess960 && position.allow_castling(rook));
        if !allowed {
            quirk = quirk.or(Some(Quirk::SetupRights));
        }
    }
    set_en_passant(&mut position, u8::try_from(*en_passant).unwrap_or(0));
    Some(Start { position, chess960, quirk })
}

/// Returns the Chess960 start position of a number, 0 to 959. Other numbers have none.
// cbh2 §4.5 "Start position"
pub(crate) fn start_position(number: u16) -> Option<Position> {
    let mut rank = [None; 8];
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    let (knights, queen) = (rest / 6, rest % 6);
    let mut put = |nth: u16, role: Role| {
        let mut free = rank.iter_mut().filter(|place: &&mut Option<Role>| place.is_none());
        if let Some(place) = free.nth(usize::from(nth)) {
            *place = Some(role);
        }
    };
    // Bishops by file, before any square is taken; the light squares of the first rank are b, d, f, h.
    let mut files = [light.wrapping_mul(2).wrapping_add(1), dark.wrapping_mul(2)];
    files.sort_unstable();
    let [first, second] = files;
    put(first, Role::Bishop);
    put(second.wrapping_sub(1), Role::Bishop);
    put(queen, Role::Queen);
    let mut pairs = (0..4u16).flat_map(|one| (one..4).map(move |two| (one, two)));
    let (one, two) = pairs.nth(usize::from(knights))?;
    put(one, Role::Knight);
    put(two, Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        put(0, role);
    }
    let mut position = Position::empty();
    for (file, role) in (0u8..).zip(rank) {
        for color in Color::ALL {
            let back = Square::at(file, color.back_rank())?;
            position.set(back, role.map(|role| Piece::new(role, color)));
            let front = Square::at(file, color.pawn_rank())?;
            position.set(front, Some(Piece::new(Role::Pawn, color)));
        }
    }
    position.set_turn(Color::White);
    position.set_clocks(0, 1);
    for color in Color::ALL {
        for side in [CastlingSide::King, CastlingSide::Queen] {
            position.allow_castling(position.outermost_rook(color, side)?);
        }
    }
    Some(position)
}

/// The words of a start position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct StartWords {
    /// The words between the marks of start position and moves.
    pub(crate) words: Vec<u16>,
    /// The number of the Chess960 start position, if it is one.
    pub(crate) number: Option<u16>,
    /// Whether all pieces have words.
    pub(crate) whole: bool,
}

/// Encodes a start position.
pub(crate) fn encode_start(position: &Position, chess960: bool) -> StartWords {
    if chess960
        && let Some(number) = start_number(position)
        && start_position(number).is_some_and(|start| start == *position)
    {
        return StartWords { words: vec![number], number: Some(number), whole: true };
    }
    let mut words = Vec::with_capacity(40);
    if chess960 {
        words.push(word::SETUP_960);
    }
    let mut rights = 0;
    for (bit, color, side) in RIGHTS {
        let has = if chess960 {
            position.castling_rook(color, side).is_some()
        } else {
            position.may_castle_from_home(color, side)
        };
        if has {
            rights |= bit;
        }
    }
    let turn = u8::from(position.turn() == Color::Black);
    words.push(position.fullmove_number());
    words.push(u16::from_le_bytes([turn, rights]));
    words.push(u16::from(en_passant_file(position)));
    let mut whole = true;
    for square in (0..64).map(crate::moves::numbers::square_of) {
        let Some(piece) = position.piece_at(square) else { continue };
        match word_of_piece(piece, square) {
            Some(word) => words.push(word),
            None => whole = false,
        }
    }
    StartWords { words, number: None, whole }
}

/// Returns the first castling word of a game from this start position.
///
/// A set-up names the lowest start position with kings and castling rooks on the same files.
// cbh2 §4.4 "Castling"
pub(crate) fn castling_words(position: &Position, chess960: bool, number: Option<u16>) -> u16 {
    if !chess960 {
        return word::CASTLING;
    }
    let files = |position: &Position, color: Color| {
        let sides = [CastlingSide::Queen, CastlingSide::King];
        let rooks = sides.map(|side| position.castling_rook(color, side).map(Square::file));
        (position.king(color).map(Square::file), rooks)
    };
    let agrees = |start: &Position| {
        Color::ALL.into_iter().all(|color| {
            let ((king, rooks), (start_king, start_rooks)) =
                (files(position, color), files(start, color));
            let same = |(rook, start): (&Option<u8>, &Option<u8>)| rook.is_none() || rook == start;
            rooks == [None; 2] || king == start_king && rooks.iter().zip(&start_rooks).all(same)
        })
    };
    let lowest =
        || (0..START_POSITIONS).find(|n| start_position(*n).is_some_and(|start| agrees(&start)));
    let number = number.or_else(lowest).unwrap_or(0);
    word::CASTLING_960.saturating_add(number.saturating_mul(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_position_every_number_round_trips() {
        for number in 0..START_POSITIONS {
            let position = start_position(number).unwrap();
            assert_eq!(start_number(&position), Some(number));
        }
        assert_eq!(start_position(USUAL), Some(Position::start()));
        assert_eq!(start_position(960), None);
    }

    #[test]
    fn start_words_set_up_round_trips() {
        for fen in [
            "4k3/8/8/3pP3/8/8/8/R3K3 w Q d6 0 30",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1000",
            "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 960",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let words = encode_start(&position, false);
            assert!(words.whole);
            let start = Start { position, chess960: false, quirk: None };
            assert_eq!(decode_start(&words.words), Some(start), "{fen}");
        }
        let useless = Position::from_fen("4k3/Q7/8/8/8/8/8/4K3 w - d6 0 1").unwrap();
        assert_eq!(encode_start(&useless, false).words[2], 0);
        let position = Position::from_fen("1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 0 11").unwrap();
        let words = encode_start(&position, true);
        assert_eq!(words.words[..4], [1000, 11, 0x0f01, 0]);
        let start = Start { position, chess960: true, quirk: None };
        assert_eq!(decode_start(&words.words), Some(start));
        let word = castling_words(&position, true, None);
        assert!((word::CASTLING_960..word::PIECES).contains(&word));
        assert_eq!(decode_start(&[1000]), None);
        assert_eq!(decode_start(&[1, 0, 0, 5]), None);
    }

    #[test]
    fn decode_start_right_without_rook_is_quirk() {
        let king = word_of_piece(Piece::new(Role::King, Color::White), Square::E1).unwrap();
        let start = decode_start(&[1, 0x0200, 0, king, king]).unwrap();
        assert_eq!(start.quirk, Some(Quirk::SetupPieces));
        let start = decode_start(&[1, 0x0200, 0, king]).unwrap();
        assert_eq!(start.quirk, Some(Quirk::SetupRights));
    }
}
