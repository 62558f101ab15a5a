//! Tests whether the main line of a record can reach a position, without decoding the record. The
//! test stops at the first move after which no position is possible. (scid §2.6 "Searches")

use chess_core::{Color, Move};
use chess_store::{Location, Verdict};

use crate::board::{Board, CORNERS};
use crate::layout::marker;
use crate::moves::{Unusual, play};
use crate::record::Record;
use crate::search::{Sought, Target};

/// Whether the main line of a record reaches the pieces of a position of `sought`. Returns `true`
/// if in doubt: the record has its own start position, or is damaged.
pub(crate) fn may_reach(record: &[u8], sought: &Sought) -> bool {
    let Some(stream) = stream_of(record) else { return true };
    let mut board = Board::start();
    if sought.targets.iter().any(|target| board.has_pieces(&target.cells)) {
        return true;
    }
    let mut bytes = stream.iter();
    loop {
        let Some(&byte) = bytes.next() else { return true };
        match byte {
            marker::NAG => drop(bytes.next()),
            marker::COMMENT => {}
            marker::VARIATION_START => {
                if skip_variation(&mut bytes).is_none() {
                    return true;
                }
            }
            marker::VARIATION_END => return true,
            marker::GAME_END => return false,
            _ => {
                let m = match play(&mut board, &CORNERS, byte, &mut bytes) {
                    Ok(m) | Err(Unusual::Quirk(m, _)) => m,
                    Err(Unusual::Error(_)) => return true,
                };
                match verdict_of_all(&sought.targets, &board, m) {
                    Verdict::Yes => return true,
                    Verdict::No => return false,
                    Verdict::Maybe => {}
                }
            }
        }
    }
}

/// Returns the moves of a record that starts from the usual position.
fn stream_of(bytes: &[u8]) -> Option<&[u8]> {
    let record = Record { bytes, at: Location::file("") };
    let mut rest = bytes;
    loop {
        let (next, tag) = record.tag(rest).ok()?;
        rest = next;
        if tag.is_none() {
            break;
        }
    }
    let (rest, flags) = record.flags(rest).ok()?;
    let (rest, fen) = record.fen(flags, rest).ok()?;
    fen.is_none().then_some(rest)
}

/// Skips a variation after its start marker. Returns `None` if it does not end.
fn skip_variation(bytes: &mut std::slice::Iter<'_, u8>) -> Option<()> {
    let mut depth = 1usize;
    while depth > 0 {
        match *bytes.next()? {
            marker::NAG => drop(bytes.next()),
            marker::VARIATION_START => depth = depth.saturating_add(1),
            marker::VARIATION_END => depth = depth.saturating_sub(1),
            marker::GAME_END => return None,
            _ => {}
        }
    }
    Some(())
}

#[inline]
fn verdict_of_all(targets: &[Target], board: &Board, m: Move) -> Verdict {
    let mut best = Verdict::No;
    for target in targets {
        match verdict(target, board, m) {
            Verdict::Yes => return Verdict::Yes,
            Verdict::Maybe => best = Verdict::Maybe,
            Verdict::No => {}
        }
    }
    best
}

/// Judges a game by the board after the move `m`.
#[inline]
fn verdict(target: &Target, board: &Board, m: Move) -> Verdict {
    let fits = |square| target.cell(square) == board.cell(square).without_number();
    let left = |square| target.at_home.contains(square) && !fits(square);
    let [white, black] = target.counts;
    if left(m.from())
        || left(m.to())
        || board.count(Color::White) < white
        || board.count(Color::Black) < black
    {
        return Verdict::No;
    }
    // Most moves do not fit, and their own squares show it.
    let is_there = fits(m.from()) && fits(m.to()) && board.has_pieces(&target.cells);
    if is_there { Verdict::Yes } else { Verdict::Maybe }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess_core::Position;

    /// `1. e4 $1 (1. d4 d5) 1... e5 2. Qh5`, without tags.
    const RECORD: &[u8] = &[0, 0, 0xcf, 11, 13, 13, 0xbf, 0xbf, 14, 0xcf, 0x43, 64 + 39, 15];

    fn comes_to(record: &[u8], moves: &str) -> bool {
        let mut position = Position::start();
        moves.split_terminator(' ').for_each(|m| position.apply(m.parse().unwrap()));
        may_reach(record, &Sought::new(&[position]))
    }

    #[test]
    fn may_reach_follows_the_main_line_only() {
        for moves in ["", "e2e4", "e2e4 e7e5", "e2e4 e7e5 d1h5"] {
            assert!(comes_to(RECORD, moves), "{moves}");
        }
        for moves in ["d2d4", "d2d4 d7d5", "e2e4 d7d5", "e2e4 e7e5 d1g4", "e2e4 e7e5 d1h5 g7g6"] {
            assert!(!comes_to(RECORD, moves), "{moves}");
        }
    }

    #[test]
    fn may_reach_damaged_record_is_true() {
        for length in 0..RECORD.len() {
            assert!(comes_to(&RECORD[..length], "e2e4 e7e5 d1g4"), "{length}");
        }
        assert!(comes_to(&[0, 0, 14, 15], "d2d4"));
        assert!(comes_to(&[0, 0, 0x18, 15], "d2d4"));
        assert!(comes_to(&[0, 1, b'x', 0, 15], "d2d4"));
    }

    #[test]
    fn may_reach_ignores_null_moves() {
        assert!(comes_to(&[0, 0, 0, 0xcf, 15], "0000 e7e5"));
        assert!(!comes_to(&[0, 0, 0, 0xcf, 15], "e2e4"));
    }
}
