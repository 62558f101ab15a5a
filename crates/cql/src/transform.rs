//! Transforms: each becomes a list of variants before the search.

use std::collections::HashSet;

use chess_core::{Bitboard, Color, GameResult, Square};

use crate::expr::{Expr, Kind, Men, Transform};
use crate::geometry::moved;

/// One change of a filter: squares are transposed, then mirrored, then moved; colours are swapped.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    transpose: bool,
    mirror_files: bool,
    mirror_ranks: bool,
    colors: bool,
    by: (i8, i8),
}

impl Transform {
    fn turns(self) -> Vec<Turn> {
        let none = Turn::default();
        let colors = Turn { colors: true, mirror_ranks: true, ..none };
        let quarter = Turn { transpose: true, mirror_ranks: true, ..none };
        let half = Turn { mirror_files: true, mirror_ranks: true, ..none };
        let back = Turn { transpose: true, mirror_files: true, ..none };
        let by = |files, ranks| Turn { by: (files, ranks), ..none };
        match self {
            Transform::FlipColor => vec![none, colors],
            Transform::ReverseColor => vec![colors],
            Transform::FlipHorizontal => vec![none, Turn { mirror_ranks: true, ..none }],
            Transform::FlipVertical => vec![none, Turn { mirror_files: true, ..none }],
            Transform::Rotate90 => vec![none, quarter, half, back],
            Transform::Flip => (0..8_u8)
                .map(|n| Turn {
                    transpose: n & 4 != 0,
                    mirror_files: n & 1 != 0,
                    mirror_ranks: n & 2 != 0,
                    ..none
                })
                .collect(),
            Transform::Shift => {
                (-7..8).flat_map(|files| (-7..8).map(move |ranks| by(files, ranks))).collect()
            }
            Transform::ShiftHorizontal => (-7..8).map(|files| by(files, 0)).collect(),
            Transform::ShiftVertical => (-7..8).map(|ranks| by(0, ranks)).collect(),
        }
    }
}

impl Turn {
    fn step(self, (files, ranks): (i8, i8)) -> (i8, i8) {
        let (files, ranks) = if self.transpose { (ranks, files) } else { (files, ranks) };
        let negated = |n: i8, so: bool| if so { n.wrapping_neg() } else { n };
        (negated(files, self.mirror_files), negated(ranks, self.mirror_ranks))
    }

    fn square(self, square: Square) -> Square {
        let (file, rank) = (square.file(), square.rank());
        let (file, rank) = if self.transpose { (rank, file) } else { (file, rank) };
        let mirrored = |n: u8, so: bool| if so { n ^ 7 } else { n };
        let (file, rank) = (mirrored(file, self.mirror_files), mirrored(rank, self.mirror_ranks));
        Square::from_low_bits(rank << 3 | file & 7)
    }

    /// Whole ranks do not move sideways, and whole files do not move up or down.
    fn squares(self, set: Bitboard) -> Bitboard {
        let turned = if self.transpose || self.mirror_files || self.mirror_ranks {
            { set }.fold(Bitboard::EMPTY, |all, square| all | Bitboard::of(self.square(square)))
        } else {
            set
        };
        let whole = |lines: &dyn Fn(u8) -> Bitboard| {
            (0..8).all(|n| [Bitboard::EMPTY, lines(n)].contains(&(set & lines(n))))
        };
        let (files, ranks) = self.by;
        let files = if files != 0 && whole(&Bitboard::rank) { 0 } else { files };
        let ranks = if ranks != 0 && whole(&Bitboard::file) { 0 } else { ranks };
        moved(turned, (files, ranks))
    }

    /// Changes a filter in place. Returns whether the variant remains: a designator that loses all
    /// its squares drops it.
    fn apply(self, expr: &mut Expr) -> bool {
        let swaps_shades = self.mirror_files ^ self.mirror_ranks;
        let color = |color: Color| if self.colors { !color } else { color };
        match &mut expr.kind {
            Kind::Protected(_) => return true,
            Kind::Men(men) => {
                let had = men.squares.has_any();
                men.squares = self.squares(men.squares);
                if self.colors {
                    men.kinds = Men::swapped(men.kinds);
                }
                if had && men.squares.is_empty() {
                    return false;
                }
            }
            Kind::Toward { directions, .. } | Kind::Ray { directions, .. } => {
                *directions = directions.mapped(|step| self.step(step));
            }
            Kind::Shade { light, .. } => *light ^= swaps_shades,
            Kind::Turn(side) | Kind::Elo(Some(side)) | Kind::Player(Some(side)) => {
                *side = color(*side);
            }
            Kind::Result(result) if self.colors => {
                *result = match *result {
                    GameResult::White => GameResult::Black,
                    GameResult::Black => GameResult::White,
                    other => other,
                }
            }
            _ => {}
        }
        expr.children_mut().into_iter().all(|child| self.apply(child))
    }
}

/// How many filters the transforms of a query may still make.
pub(crate) struct Budget {
    pub(crate) filters: usize,
    /// Filters copied, also of variants that turn out to be equal.
    pub(crate) copies: usize,
}

/// Spells out all transforms, the inner ones first. Returns nothing if the budget does not
/// suffice. `idle` receives the places of transforms without effect.
pub(crate) fn expand(expr: &mut Expr, budget: &mut Budget, idle: &mut Vec<usize>) -> Option<()> {
    for child in expr.children_mut() {
        expand(child, budget, idle)?;
    }
    let Kind::Transform { transform, count, body } = &expr.kind else { return Some(()) };
    let mut size = 0_usize;
    body.walk(&mut |_| size = size.saturating_add(1));
    let (mut seen, mut list) = (HashSet::new(), Vec::new());
    for turn in transform.turns() {
        budget.copies = budget.copies.checked_sub(size)?;
        let mut variant = (**body).clone();
        if turn.apply(&mut variant) && !seen.contains(&variant) {
            budget.filters = budget.filters.checked_sub(size)?;
            seen.insert(variant.clone());
            list.push(variant);
        }
    }
    // A test of tests needs no list inside a list.
    let mut flat = Vec::with_capacity(list.len());
    for variant in list {
        match variant.kind {
            Kind::Variants { count: false, list, .. } if !count => flat.extend(list),
            _ => flat.push(variant),
        }
    }
    if !count && flat.len() > 1 {
        let mut seen = HashSet::new();
        flat.retain(|variant| seen.insert(variant.clone()));
    }
    if flat.len() == 1 && *transform != Transform::ReverseColor {
        idle.push(expr.start);
    }
    let single = flat.len() == 1 && !count;
    expr.kind = match flat.pop() {
        Some(only) if single => only.kind,
        last => {
            flat.extend(last);
            Kind::Variants { count: *count, list: flat, layouts: None }
        }
    };
    Some(())
}
