//! Formats moves in UCI notation.

use chess_core::{Game, Move, Position, Square};

/// Replaces the content of `out` with a move in UCI notation.
pub fn write_uci(position: &Position, m: Move, out: &mut String) {
    out.clear();
    write_code(uci_code(position, m), out);
}

/// Returns a move in UCI notation, packed into 16 bits.
#[inline]
pub(crate) fn uci_code(position: &Position, m: Move) -> u16 {
    position.engine_move(m).bits()
}

/// Returns whether a move goes from a king's home square to a rook's home square. Only then can UCI
/// notation differ from the move itself.
#[inline]
pub(crate) const fn may_castle(m: Move) -> bool {
    // Two octal digits for the target, two for the origin: e1a1, e1h1, e8a8, e8h8.
    matches!(m.bits(), 0o_00_04 | 0o_07_04 | 0o_70_74 | 0o_77_74)
}

/// The UCI codes of the moves of a line without variations.
///
/// Only castling needs a position, so the moves are played no further than the last move that may
/// be castling.
#[derive(Debug)]
pub(crate) struct UciLine {
    moves: Vec<Move>,
    /// The number of moves that `position` has played.
    played: usize,
    position: Position,
}

impl UciLine {
    pub(crate) fn new() -> UciLine {
        UciLine { moves: Vec::new(), played: 0, position: Position::start() }
    }

    /// Restarts at the beginning of `game`.
    pub(crate) fn restart(&mut self, game: &Game) {
        self.moves.clear();
        self.played = 0;
        self.position = game.start_position();
    }

    /// Adds the next move of the line. Returns its [`uci_code`].
    #[inline]
    pub(crate) fn push(&mut self, m: Move) -> u16 {
        let code = if may_castle(m) { self.code_here(m) } else { m.bits() };
        self.moves.push(m);
        code
    }

    #[inline(never)]
    fn code_here(&mut self, m: Move) -> u16 {
        for earlier in self.moves.get(self.played..).unwrap_or_default() {
            self.position.apply(*earlier);
        }
        self.played = self.moves.len();
        uci_code(&self.position, m)
    }
}

/// Appends the UCI notation of a [`uci_code`].
pub(crate) fn write_code(code: u16, out: &mut String) {
    with_text(code, |text| out.extend(text.iter().copied().map(char::from)));
}

/// Calls `write` with the UCI notation of a [`uci_code`].
#[inline]
pub(crate) fn with_text(code: u16, write: impl FnOnce(&[u8])) {
    let m = Move::from_bits(code).unwrap_or(Move::NULL);
    if m.is_null() {
        return write(b"0000");
    }
    let ([a, b], [c, d]) = (name(m.from()), name(m.to()));
    match m.promotion() {
        None => write(&[a, b, c, d]),
        Some(role) => {
            // All letters of pieces are ASCII.
            let letter = u8::try_from(role.letter()).unwrap_or(b'?');
            write(&[a, b, c, d, letter.to_ascii_lowercase()]);
        }
    }
}

/// Returns the name of a square.
#[inline]
fn name(square: Square) -> [u8; 2] {
    let index = square.index();
    [b'a' + (index & 7), b'1' + (index >> 3)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(fen: &str, m: &str) -> String {
        let position = Position::from_fen(fen).unwrap();
        let mut text = String::from("old");
        write_uci(&position, m.parse().unwrap(), &mut text);
        let code = uci_code(&position, m.parse().unwrap());
        assert!(may_castle(m.parse().unwrap()) || code == m.parse::<Move>().unwrap().bits());
        // The table's own reader must read the move back.
        let read = pgn::parse_san(&position, if m == "0000" { "--" } else { &text });
        assert_eq!(read.ok(), m.parse().ok(), "{fen} {m}");
        text
    }

    fn named(fen: &str, m: &str) -> String {
        let (position, m) = (Position::from_fen(fen).unwrap(), m.parse().unwrap());
        assert!(may_castle(m));
        let mut text = String::new();
        write_uci(&position, m, &mut text);
        text
    }

    #[test]
    fn name_matches_every_square() {
        assert!(Square::all().all(|square| name(square) == *square.to_string().as_bytes()));
    }

    #[test]
    fn uci_castling_follows_engine_convention() {
        let usual = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(written(usual, "e1h1"), "e1g1");
        assert_eq!(written(usual, "e1a1"), "e1c1");
        assert_eq!(written(&usual.replace('w', "b"), "e8a8"), "e8c8");
        assert_eq!(written(usual, "e1e2"), "e1e2");
        // Black's king, though it is White's turn.
        assert_eq!(named(usual, "e8h8"), "e8g8");
        assert_eq!(written("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"), "f1g1");
        assert_eq!(written("4k3/8/8/8/8/8/8/1R2K2R w BH - 0 1", "e1h1"), "e1h1");
        assert_eq!(written("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n"), "a7a8n");
        assert_eq!(written(usual, "0000"), "0000");
    }
    #[test]
    fn uci_line_agrees_with_positions() {
        // Castling on both sides, and rooks that move between these squares.
        let standard = "1. e4 e5 2. Nf3 Nc6 3. Bc4 d6 4. O-O Bg4 5. d3 Qd7 6. Re1 O-O-O *";
        let free = "[FEN \"4k2r/8/8/8/8/8/5K2/R3R3 w k - 0 1\"]\n\n1. Rh1 O-O+ 2. Ke2 Re8+ \
            3. Kd2 Ra8 4. Rhe1 Re8 5. Rh1 Ra8 *";
        let chess960 = "[Variant \"Chess960\"]\n[FEN \"4k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1\"]\n\n\
            1. O-O-O O-O *";
        for text in [standard, free, chess960] {
            let game = pgn::read_all(text).unwrap().remove(0);
            let mut line = UciLine::new();
            // A second game replaces the first.
            line.restart(&game);
            game.main_line().for_each(|m| {
                let _ = line.push(m);
            });
            line.restart(&game);
            let mut position = game.start_position();
            assert!(game.main_line().any(may_castle), "{text}");
            for m in game.main_line() {
                assert_eq!(line.push(m), uci_code(&position, m), "{text} {m}");
                position.apply(m);
            }
        }
    }
}
