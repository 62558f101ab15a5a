//! Follows a main line by the fingerprints of its words, without a board.
//!
//! A word names the piece that moves, its squares and the captured piece. So it changes the fingerprint of
//! any position by the same number, and a main line is followed by one addition for each word.
//! [`crate::fingerprint`] says what a fingerprint is.

use std::sync::LazyLock;

use chess_core::{Piece, Role, Square};

use super::layout::word;
use super::words::{Castling, WordMove, castling_of, table};
use crate::fingerprint::{Line, Sought, change_of_castling, change_of_step, removal_of};

/// The number of words, including those that mean nothing.
const ALL_WORDS: usize = 1 << 16;
/// The words that are followed between two looks at homes and captures.
const CHUNK: usize = 16;

/// The change of the fingerprint by each word.
type Changes = [u64; ALL_WORDS];

/// Returns the changes of all words, which are computed on first use.
fn changes() -> Option<&'static Changes> {
    static TABLE: LazyLock<Vec<u64>> = LazyLock::new(|| (0..=u16::MAX).map(change_of).collect());
    TABLE.first_chunk()
}

/// Returns the change of the fingerprint by a word. It is 0 for a word that is no move.
fn change_of(found: u16) -> u64 {
    if let Some(named) = table().get(found) {
        return change_of_move(&named);
    }
    castling_of(found).map_or(0, |Castling { color, side }| {
        change_of_castling(color, color.king_home(), side.corner(color))
    })
}

fn change_of_move(named: &WordMove) -> u64 {
    let WordMove { played, piece, captured } = *named;
    let (from, to) = (played.from(), played.to());
    let becomes = Piece::new(played.promotion().unwrap_or(piece.role()), piece.color());
    let passed = || Some((Piece::new(Role::Pawn, !piece.color()), passed_pawn(named)?));
    let taken = captured.map(|taken| (taken, to)).or_else(passed);
    let step = change_of_step(piece, becomes, from, to);
    step.wrapping_add(taken.map_or(0, |(piece, square)| removal_of(piece, square)))
}

/// Returns the square of the pawn that a word captures en passant.
fn passed_pawn(named: &WordMove) -> Option<Square> {
    let (from, to) = (named.played.from(), named.played.to());
    let is_passing = named.piece.role() == Role::Pawn && from.file() != to.file();
    (is_passing && named.captured.is_none()).then(|| to.with_rank(from.rank()))
}

/// Returns whether the main line of `moves`, from the usual start position, could reach a position that
/// is sought. May return false positives, never false negatives.
pub(crate) fn may_be_reached(sought: &Sought, moves: &[u8]) -> bool {
    match sought.fingerprints() {
        [] => false,
        // Most queries have one position. Then the loop needs no inner loop.
        [one] => follow(sought, moves, |here| here == *one),
        all => follow(sought, moves, |here| all.contains(&here)),
    }
}

#[inline(always)]
fn follow(sought: &Sought, moves: &[u8], is_sought: impl Fn(u64) -> bool) -> bool {
    let Some(changes) = changes() else { return true };
    let (words, mut here) = (moves.as_chunks::<2>().0, Line::start().fingerprint());
    if is_sought(here) {
        return true;
    }
    let (chunks, rest) = words.as_chunks::<CHUNK>();
    for chunk in chunks {
        if has_end(chunk) {
            return reaches_before_end(changes, chunk, here, is_sought).unwrap_or(false);
        }
        for found in chunk {
            here = here.wrapping_add(change(changes, *found));
            if is_sought(here) {
                return true;
            }
        }
        if !sought.is_possible_after(here) {
            return false;
        }
    }
    // A line without an end is damaged, so decoding decides.
    reaches_before_end(changes, rest, here, is_sought).unwrap_or(true)
}

/// Returns whether a line ends in `words`.
#[inline(always)]
pub(crate) fn has_end(words: &[[u8; 2]]) -> bool {
    words.iter().fold(false, |found, bytes| found | (u16::from_le_bytes(*bytes) == word::END))
}

/// Returns whether a position is sought before the end of the line. Returns `None` if neither comes.
#[inline]
fn reaches_before_end(
    changes: &Changes,
    words: &[[u8; 2]],
    mut here: u64,
    is_sought: impl Fn(u64) -> bool,
) -> Option<bool> {
    for found in words {
        if u16::from_le_bytes(*found) == word::END {
            return Some(false);
        }
        here = here.wrapping_add(change(changes, *found));
        if is_sought(here) {
            return Some(true);
        }
    }
    None
}

#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "there is a change for each number of 16 bits")]
fn change(changes: &Changes, found: [u8; 2]) -> u64 {
    changes[usize::from(u16::from_le_bytes(found))]
}

#[cfg(test)]
mod tests {
    use chess_core::Position;

    use super::*;
    use crate::fingerprint::of_position;

    /// Returns the words of a random legal game, and its positions.
    fn random_game(random: &mut testkit::Random, plies: usize) -> (Vec<u8>, Vec<Position>) {
        let (mut words, mut positions) = (Vec::new(), vec![Position::start()]);
        for _ in 0..plies {
            let mut position = *positions.last().unwrap();
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // Castling, en passant and promotions are rare, so they are preferred.
            let unusual = moves.iter().copied().find(|m| {
                let aside = m.from().file() != m.to().file();
                let is_pawn = position.piece_at(m.from()).map(Piece::role) == Some(Role::Pawn);
                m.promotion().is_some()
                    || position.castling_side(*m).is_some()
                    || is_pawn && aside && position.piece_at(m.to()).is_none()
            });
            let m = unusual.filter(|_| random.below(3) > 0);
            let m = m.unwrap_or(moves[random.below(moves.len())]);
            let Some(found) = table().word_of(m, &position, word::CASTLING) else { break };
            words.extend_from_slice(&found.to_le_bytes());
            if random.below(20) == 0 {
                words.extend_from_slice(&word::BRANCH.to_le_bytes());
            }
            position.apply(m);
            positions.push(position);
        }
        words.extend_from_slice(&word::END.to_le_bytes());
        (words, positions)
    }

    #[test]
    fn change_of_word_adds_up_to_fingerprint_of_position() {
        let mut random = testkit::Random::new(7);
        let (mut castled, mut passed, mut promoted) = (0, 0, 0);
        for _ in 0..400 {
            let (words, positions) = random_game(&mut random, 160);
            let mut here = Line::start().fingerprint();
            let mut following = positions.iter();
            assert_eq!(of_position(following.next().unwrap()), Some(here));
            for bytes in words.as_chunks::<2>().0 {
                let found = u16::from_le_bytes(*bytes);
                if [word::BRANCH, word::END].contains(&found) {
                    continue;
                }
                here = here.wrapping_add(change_of(found));
                let position = following.next().unwrap();
                assert_eq!(of_position(position), Some(here), "{}", position.to_fen());
                let named = table().get(found);
                castled += u32::from(castling_of(found).is_some());
                passed += u32::from(named.is_some_and(|named| passed_pawn(&named).is_some()));
                promoted +=
                    u32::from(named.is_some_and(|named| named.played.promotion().is_some()));
            }
        }
        assert!(castled > 100 && passed > 100 && promoted > 100, "{castled} {passed} {promoted}");
    }

    #[test]
    fn may_be_reached_random_games_match_replay() {
        let mut random = testkit::Random::new(11);
        let games: Vec<_> = (0..60).map(|_| random_game(&mut random, 120)).collect();
        let (mut reached, mut ruled_out) = (0, 0);
        for _ in 0..40 {
            let sought: Vec<Position> = (0..=random.below(3))
                .map(|_| {
                    let (_, line) = &games[random.below(games.len())];
                    line[random.below(line.len())]
                })
                .collect();
            let query = Sought::new(&sought);
            for (words, line) in &games {
                let same =
                    |at: &Position| sought.iter().any(|it| it.piece_sets() == at.piece_sets());
                let expected = line.iter().any(same);
                assert_eq!(may_be_reached(&query, words), expected, "{}", sought[0].to_fen());
                if expected { reached += 1 } else { ruled_out += 1 }
            }
        }
        assert!(reached > 40 && ruled_out > 1000, "{reached} {ruled_out}");
    }

    #[test]
    fn may_be_reached_line_without_end_is_undecided() {
        let sought = Sought::new(&[Position::from_fen("8/8/4k3/8/8/8/4K3/8 w - - 0 1").unwrap()]);
        // 1. e4 e5
        let mut words = [0xad3fu16, 0xb02d].map(u16::to_le_bytes).concat();
        assert!(may_be_reached(&sought, &words));
        words.extend_from_slice(&word::END.to_le_bytes());
        assert!(!may_be_reached(&sought, &words));
    }
}
