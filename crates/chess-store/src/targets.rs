//! Whether a game can still come to the pieces of positions that are looked for.

use chess_core::{Bitboard, Color, PieceSets, Position, Role};

/// Positions that are looked for, made ready to be held against those of many main lines: by their
/// pieces, whoever is to move.
#[derive(Debug, Default)]
pub struct Targets {
    positions: Vec<Position>,
    targets: Vec<Target>,
}

/// How a game stands to positions that are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prospect {
    /// It has come to the pieces of one.
    There,
    /// It may come to one.
    Later,
    /// What each of them needs is gone: pieces, or a pawn at home. (A pawn that an illegal move
    /// brings back there is not foreseen.)
    Never,
}

#[derive(Debug)]
struct Target {
    sets: PieceSets,
    counts: [u32; 2],
    /// Where pawns stand that have not moved.
    at_home: [Bitboard; 2],
}

impl Targets {
    /// Makes positions ready.
    #[must_use]
    pub fn new(positions: &[Position]) -> Targets {
        Targets {
            positions: positions.to_vec(),
            targets: positions.iter().map(Target::new).collect(),
        }
    }

    /// The positions.
    #[must_use]
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// How a game that has come to a position stands to them.
    #[must_use]
    #[inline]
    pub fn prospect(&self, position: &Position) -> Prospect {
        let mut best = Prospect::Never;
        for target in &self.targets {
            match target.prospect(position) {
                Prospect::There => return Prospect::There,
                Prospect::Later => best = Prospect::Later,
                Prospect::Never => {}
            }
        }
        best
    }
}

impl Target {
    fn new(position: &Position) -> Target {
        let at_home =
            |color: Color| position.pieces(Role::Pawn, color) & Bitboard::rank(color.pawn_rank());
        Target {
            sets: *position.piece_sets(),
            counts: Color::ALL.map(|color| position.color(color).count()),
            at_home: Color::ALL.map(at_home),
        }
    }

    #[inline]
    fn prospect(&self, position: &Position) -> Prospect {
        let ([white, black], [whites, blacks]) = (self.at_home, self.counts);
        let pawns = |color| position.pieces(Role::Pawn, color);
        let moved = white & !pawns(Color::White) | black & !pawns(Color::Black);
        if moved.has_any()
            || position.color(Color::White).count() < whites
            || position.color(Color::Black).count() < blacks
        {
            return Prospect::Never;
        }
        if *position.piece_sets() == self.sets { Prospect::There } else { Prospect::Later }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Position {
        let mut position = Position::start();
        moves.split_terminator(' ').for_each(|m| position.apply(m.parse().unwrap()));
        position
    }

    #[test]
    fn what_is_gone_does_not_come_again() {
        for (target, line, expected) in [
            ("e2e4 e7e5", "", Prospect::Later),
            ("e2e4 e7e5", "e2e4", Prospect::Later),
            ("e2e4 e7e5", "e2e4 e7e5", Prospect::There),
            ("e2e4 e7e5", "e2e4 e7e5 0000", Prospect::There),
            ("e2e4 e7e5", "d2d4", Prospect::Never),
            ("e2e4 e7e5", "e2e4 c7c5", Prospect::Never),
            ("g1f3", "b1c3 g8f6 c3d5 f6d5", Prospect::Never),
            ("g1f3", "b1c3 g8f6 c3d5 f6g8", Prospect::Later),
            ("e2e4 d7d5 e4d5", "e2e4 d7d5", Prospect::Later),
            ("e2e4 d7d5 e4d5", "e2e4 d7d5 e4d5 d8d5", Prospect::Never),
        ] {
            let targets = Targets::new(&[after(target)]);
            assert_eq!(targets.prospect(&after(line)), expected, "{target}: {line}");
        }
    }

    #[test]
    fn one_of_several_is_enough() {
        assert_eq!(Targets::default().prospect(&after("")), Prospect::Never);
        let targets = Targets::new(&[after("d2d4"), after("e2e4 e7e5")]);
        for (line, expected) in [
            ("e2e4", Prospect::Later),
            ("d2d4", Prospect::There),
            ("c2c4", Prospect::Never),
            ("d2d4 d7d5", Prospect::Never),
        ] {
            assert_eq!(targets.prospect(&after(line)), expected, "{line}");
        }
    }
}
