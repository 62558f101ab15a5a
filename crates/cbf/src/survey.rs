//! Finds the move numbering of a database by the evidence of its games. cbf §6.3 "Dialects"
//!
//! Four numberings exclude each other: with or without the extra number of pawns on the a-file, and
//! with or without an en passant file that castling keeps. A game is followed in each. It tells them
//! apart if all its moves are legal in some and not in others. The numbering that contradicts the
//! fewest such games wins.

use std::fmt;

use chess_core::{Color, Move, Position, Role, Square};
use smallvec::SmallVec;

use crate::layout::mark;
use crate::numbering::{Meaning, NO_TARGETS, NumberedPosition, Rules, Targets};
use crate::options::Dialect;
use crate::record::Record;
use crate::setup::parse_setup;

/// The number of games that are surveyed at most.
pub(crate) const SURVEYED: u64 = 1024;

/// The size of the surveyed records at most.
const BYTES: usize = 1 << 20;

/// The numberings that exclude each other. Of equal ones the first is taken.
const CANDIDATES: [Dialect; 4] =
    [Dialect::Usual, Dialect::NoStaleFile, Dialect::NoEdgePawn, Dialect::Plain];

/// A numbering is unsure if it has less than this many times the games of another one.
const CLEAR: u32 = 4;

/// The move numbering of a database, and the evidence for it. cbf §6.3 "Dialects"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MoveNumbering {
    /// The numbering.
    pub dialect: Dialect,
    /// The evidence for it.
    pub evidence: NumberingEvidence,
}

/// The evidence for a [`MoveNumbering`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NumberingEvidence {
    /// The caller selected it.
    Asked,
    /// No game tells the numberings apart. The usual one is assumed; the moves are the same in all.
    Assumed,
    /// Games whose moves are legal in some numberings only.
    Games {
        /// Those that are legal in this one.
        fitting: u32,
        /// Those that are not.
        other: u32,
    },
    /// Another numbering cannot be excluded.
    Unsure {
        /// The other numbering.
        rival: Dialect,
        /// The games that are legal in this one, and not in the other.
        fitting: u32,
        /// The games that are legal in the other one, and not in this.
        other: u32,
        /// The games that are legal in both, but have other moves.
        differing: u32,
    },
}

impl MoveNumbering {
    /// The numbering before any game has been read.
    pub(crate) const ASSUMED: MoveNumbering =
        MoveNumbering { dialect: Dialect::Usual, evidence: NumberingEvidence::Assumed };

    /// Returns `true` if another numbering cannot be excluded.
    pub(crate) fn is_unsure(&self) -> bool {
        matches!(self.evidence, NumberingEvidence::Unsure { .. })
    }
}

impl fmt::Display for MoveNumbering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (", self.dialect.name())?;
        match self.evidence {
            NumberingEvidence::Asked => f.write_str("asked for")?,
            NumberingEvidence::Assumed => f.write_str("no game needs another")?,
            NumberingEvidence::Games { fitting, other } => {
                write!(f, "{fitting} of {} games that show it", fitting.saturating_add(other))?;
            }
            NumberingEvidence::Unsure { rival, fitting, other, differing } => write!(
                f,
                "unsure: {fitting} games fit it alone, {other} fit {} alone, {differing} have other moves there",
                rival.name()
            )?,
        }
        f.write_str(")")
    }
}

/// Collects the evidence of the first games.
#[derive(Debug)]
pub(crate) struct Survey {
    /// For each pair of candidates: the games that are legal in the first, and not in the second.
    only: [[u32; 4]; 4],
    /// For each pair of candidates: the games that are legal in both, with different moves.
    differ: [[u32; 4]; 4],
    /// For each candidate: the games that tell, and contradict it.
    against: [u32; 4],
    /// The games that tell.
    telling: u32,
    /// The remaining budget of record bytes.
    left: usize,
    targets: Targets,
}

impl Default for Survey {
    fn default() -> Survey {
        let none = [[0; 4]; 4];
        Survey {
            only: none,
            differ: none,
            against: [0; 4],
            telling: 0,
            left: BYTES,
            targets: NO_TARGETS,
        }
    }
}

impl Survey {
    /// Returns `true` if a record of `length` bytes is within the budget, and takes it off.
    pub(crate) fn affords(&mut self, length: usize) -> bool {
        let left = self.left.checked_sub(length);
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    /// Adds the next game.
    pub(crate) fn examine(&mut self, record: &Record<'_>) {
        if let Some(start) = start_of(record) {
            self.examine_moves(record.moves(), start);
        }
    }

    /// Follows the moves in all candidates. Numberings that met no difference have the same moves.
    fn examine_moves(&mut self, moves: &[u8], start: NumberedPosition) {
        let [usual, no_stale, no_edge, plain] = CANDIDATES.map(Dialect::rules);
        let usual = self.follow(moves, start, usual);
        if usual.is_legal && !usual.met_edge && !usual.met_stale {
            return;
        }
        let no_stale = match usual.met_stale {
            true => self.follow(moves, start, no_stale),
            false => usual.clone(),
        };
        let no_edge = match usual.met_edge {
            true => self.follow(moves, start, no_edge),
            false => usual.clone(),
        };
        let plain = if !no_edge.met_stale {
            no_edge.clone()
        } else if !no_stale.met_edge {
            no_stale.clone()
        } else {
            self.follow(moves, start, plain)
        };
        self.compare(&[usual, no_stale, no_edge, plain]);
    }

    /// Follows a game in a numbering, with delayed en passant captures if it needs them.
    fn follow(&mut self, moves: &[u8], start: NumberedPosition, rules: Rules) -> Followed {
        let followed = follow(moves, start, rules, &mut self.targets);
        if followed.is_legal || !followed.met_stale || !rules.stale_file {
            return followed;
        }
        follow(moves, start, Rules { late_capture: true, ..rules }, &mut self.targets)
    }

    fn compare(&mut self, lines: &[Followed; 4]) {
        let legal = lines.iter().filter(|line| line.is_legal).count();
        let tells = legal > 0 && legal < lines.len();
        self.telling = self.telling.saturating_add(tells.into());
        let tables = self.only.iter_mut().zip(&mut self.differ).zip(&mut self.against);
        for (line, ((only, differ), against)) in lines.iter().zip(tables) {
            if !line.is_legal {
                *against = against.saturating_add(tells.into());
                continue;
            }
            for (rival, (only, differ)) in lines.iter().zip(only.iter_mut().zip(differ)) {
                let count = if rival.is_legal { differ } else { only };
                let is_other = !rival.is_legal || rival.moves != line.moves;
                *count = count.saturating_add(is_other.into());
            }
        }
    }

    /// Returns the numbering that the evidence is for.
    pub(crate) fn numbering(&self) -> MoveNumbering {
        let best = (0..CANDIDATES.len()).min_by_key(|index| self.against.get(*index));
        let chosen = best.unwrap_or(0);
        let at = |table: &[[u32; 4]; 4], a: usize, b: usize| {
            table.get(a).and_then(|row| row.get(b)).copied().unwrap_or(0)
        };
        let dialect = *CANDIDATES.get(chosen).unwrap_or(&Dialect::Usual);
        for (index, rival) in CANDIDATES.into_iter().enumerate() {
            let fitting = at(&self.only, chosen, index);
            let other = at(&self.only, index, chosen);
            let differing = at(&self.differ, chosen, index);
            let is_clear = fitting > other.saturating_mul(CLEAR);
            if index != chosen && !is_clear && (other > 0 || differing > 0) {
                let evidence = NumberingEvidence::Unsure { rival, fitting, other, differing };
                return MoveNumbering { dialect, evidence };
            }
        }
        let other = self.against.get(chosen).copied().unwrap_or(0);
        let evidence = match self.telling {
            0 => NumberingEvidence::Assumed,
            telling => NumberingEvidence::Games { fitting: telling.saturating_sub(other), other },
        };
        MoveNumbering { dialect, evidence }
    }
}

/// Returns the start position of a game. `None` if its set-up is truncated.
fn start_of(record: &Record<'_>) -> Option<NumberedPosition> {
    let header = &record.header;
    if !header.has_setup() {
        return Some(NumberedPosition { position: Position::start(), passing_file: 0 });
    }
    let setup = parse_setup(record.setup()?, header.flags_1, header.flags_2);
    Some(NumberedPosition { position: setup.position, passing_file: header.flags_2 & 15 })
}

/// The moves of a game in a numbering.
#[derive(Clone, Debug, Default)]
struct Followed {
    /// `true` if every number stands for a legal move.
    is_legal: bool,
    /// `true` if a pawn on the a-file had the extra number, or would have had it.
    met_edge: bool,
    /// `true` if castling kept an en passant file, or would have kept it.
    met_stale: bool,
    moves: Vec<Move>,
}

/// A level of variations.
#[derive(Clone, Copy)]
struct Level {
    now: NumberedPosition,
    before: NumberedPosition,
    moved: bool,
}

/// Follows all moves up to the first illegal one, as [`MoveReader`](crate::moves::MoveReader) reads
/// them.
fn follow(moves: &[u8], start: NumberedPosition, rules: Rules, targets: &mut Targets) -> Followed {
    let mut followed = Followed::default();
    let mut level = Level { now: start, before: start, moved: false };
    let mut stack: SmallVec<[Level; 4]> = SmallVec::new();
    let mut index = 0usize;
    while let Some(byte) = moves.get(index).copied() {
        index = index.saturating_add(1);
        match byte {
            mark::STOP => break,
            mark::END => match stack.pop() {
                Some(outer) => level = outer,
                None => break,
            },
            mark::VARIATION if moves.get(index) == Some(&mark::END) => {
                index = index.saturating_add(1);
            }
            mark::VARIATION if level.moved => {
                stack.push(level);
                level.now = level.before;
                level.moved = false;
            }
            mark::VARIATION => {
                index = line_end(moves, index);
                if moves.get(index) == Some(&mark::END) {
                    index = index.saturating_add(1);
                }
            }
            _ => {
                let number = byte & mark::HIGHEST;
                followed.met_edge |= has_edge_entry(&level.now);
                match level.now.meaning(number, rules, targets) {
                    Meaning::Move(m) if level.now.allows(m) => {
                        let position = &level.now.position;
                        let castles = position.color(position.turn()).contains(m.to());
                        followed.met_stale |= castles && level.now.passing_file != 0;
                        level.before = level.now;
                        level.moved = true;
                        level.now.play(m, rules);
                        followed.moves.push(m);
                    }
                    _ => return followed,
                }
            }
        }
    }
    followed.is_legal = true;
    followed
}

/// Returns `true` if a pawn of the side to move has the extra number of the a-file, which some
/// numberings lack. cbf §6.2 "En passant"
fn has_edge_entry(numbered: &NumberedPosition) -> bool {
    let position = &numbered.position;
    let us = position.turn();
    let fifth = if us == Color::White { Square::A5 } else { Square::A4 };
    numbered.passing_file == 0 && position.pieces(Role::Pawn, us).contains(fifth)
}

/// Returns the index of the mark that ends the line from `from` on.
fn line_end(moves: &[u8], from: usize) -> usize {
    let mut depth = 0usize;
    let mut index = from;
    while let Some(byte) = moves.get(index) {
        match *byte {
            mark::STOP => return index,
            mark::END if depth == 0 => return index,
            mark::END => depth = depth.saturating_sub(1),
            mark::VARIATION => depth = depth.saturating_add(1),
            _ => {}
        }
        index = index.saturating_add(1);
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Move numbers of a game in a numbering.
    fn numbers(moves: &str, dialect: Dialect) -> Vec<u8> {
        let mut now = NumberedPosition { position: Position::start(), passing_file: 0 };
        let number = |m: &str| {
            let m = m.parse().unwrap();
            let number = now.number(m, dialect.rules()).unwrap();
            now.play(m, dialect.rules());
            u8::try_from(number).unwrap()
        };
        moves.split(' ').map(number).collect()
    }

    fn survey(games: &[Vec<u8>]) -> MoveNumbering {
        let mut survey = Survey::default();
        let start = NumberedPosition { position: Position::start(), passing_file: 0 };
        for moves in games {
            survey.examine_moves(moves, start);
        }
        survey.numbering()
    }

    /// After a5 White's last pawn move has another number without the a-file's entry. It stands for
    /// e3 in the usual numbering.
    const BOTH: &str = "a2a4 h7h6 a4a5 h6h5 f2f4";
    /// Here the last number stands for no move in the usual numbering.
    const TELLING: &str = "a2a4 h7h6 a4a5 h6h5 b1a3";

    #[test]
    fn survey_without_touched_game_assumes_usual() {
        let game = numbers("e2e4 e7e5 g1f3", Dialect::Plain);
        assert_eq!(survey(&[game]), MoveNumbering::ASSUMED);
        assert_eq!(survey(&[]), MoveNumbering::ASSUMED);
    }

    #[test]
    fn survey_of_game_legal_in_both_is_unsure() {
        for dialect in [Dialect::Usual, Dialect::NoEdgePawn] {
            let found = survey(&[numbers(BOTH, dialect)]);
            assert_eq!(found.dialect, Dialect::Usual);
            let evidence = NumberingEvidence::Unsure {
                rival: Dialect::NoEdgePawn,
                fitting: 0,
                other: 0,
                differing: 1,
            };
            assert_eq!(found.evidence, evidence);
        }
    }

    #[test]
    fn survey_telling_game_decides_for_others() {
        let telling = numbers(TELLING, Dialect::NoEdgePawn);
        let both = numbers(BOTH, Dialect::NoEdgePawn);
        let found = survey(&[both, telling]);
        assert_eq!(found.dialect, Dialect::NoEdgePawn, "{found}");
    }

    #[test]
    fn survey_single_contradiction_is_unsure() {
        let [usual, other] =
            [("a2a4 h7h6 a4a5 h6h5 h2h3", Dialect::Usual), (TELLING, Dialect::NoEdgePawn)]
                .map(|(moves, dialect)| numbers(moves, dialect));
        let games = |count: usize| {
            let mut games = vec![usual.clone(); count];
            games.push(other.clone());
            survey(&games)
        };
        assert!(games(4).is_unsure());
        let clear = NumberingEvidence::Games { fitting: 5, other: 1 };
        assert_eq!(games(5), MoveNumbering { dialect: Dialect::Usual, evidence: clear });
        assert_eq!(games(5).to_string(), "usual (5 of 6 games that show it)");
    }

    #[test]
    fn survey_delayed_capture_is_no_contradiction() {
        let moves = "e2e4 d7d6 e4e5 d6d5 g1f3 g7g6 f1e2 f8g7 b1c3 g8h6 d2d4 e8h8";
        let mut game = numbers(moves, Dialect::Usual);
        let mut now = NumberedPosition { position: Position::start(), passing_file: 0 };
        for m in moves.split(' ') {
            now.play(m.parse().unwrap(), Rules::USUAL);
        }
        let number = now.number("e5d6".parse().unwrap(), Rules::WRITTEN).unwrap();
        game.push(u8::try_from(number).unwrap());
        assert_eq!(survey(&[game]).dialect, Dialect::Usual);
    }

    #[test]
    fn survey_damaged_game_has_no_vote() {
        let found = survey(&[vec![127], vec![1, 1, 1, 1, 99]]);
        assert_eq!(found, MoveNumbering::ASSUMED);
    }

    #[test]
    fn follow_stops_at_damage_without_loop() {
        let start = NumberedPosition { position: Position::start(), passing_file: 0 };
        let mut targets = NO_TARGETS;
        for moves in [&[0xff][..], &[0xff, 0x80], &[0xff, 1], &[1, 0xff, 1], &[0x80], &[0, 1]] {
            let _ = follow(moves, start, Rules::USUAL, &mut targets);
        }
        // A variation before any move is passed over with what is in it.
        let followed =
            follow(&[0xff, 99, 0xff, 99, 0x80, 0x80, 1], start, Rules::USUAL, &mut targets);
        assert!(followed.is_legal);
        assert_eq!(followed.moves.len(), 1);
    }
}
