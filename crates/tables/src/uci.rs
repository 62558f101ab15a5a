//! Formats moves in UCI notation.

use chess_core::{Move, Position, Square};

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

/// Appends the UCI notation of a [`uci_code`].
pub(crate) fn write_code(code: u16, out: &mut String) {
    let m = Move::from_bits(code).unwrap_or(Move::NULL);
    if m.is_null() {
        out.push_str("0000");
        return;
    }
    out.push_str(name(m.from()));
    out.push_str(name(m.to()));
    if let Some(role) = m.promotion() {
        out.push(role.letter().to_ascii_lowercase());
    }
}

/// Returns the name of a square.
#[inline]
fn name(square: Square) -> &'static str {
    const NAMES: &str = "a1b1c1d1e1f1g1h1a2b2c2d2e2f2g2h2a3b3c3d3e3f3g3h3a4b4c4d4e4f4g4h4\
                         a5b5c5d5e5f5g5h5a6b6c6d6e6f6g6h6a7b7c7d7e7f7g7h7a8b8c8d8e8f8g8h8";
    let at = usize::from(square.index()).wrapping_mul(2);
    NAMES.get(at..at.wrapping_add(2)).unwrap_or_default()
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
        assert!(Square::all().all(|square| name(square) == square.to_string()));
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
}
