//! Walks the main line of a record and ignores everything else.

use chess_core::{Move, Position};
use chess_store::{Walk, walk_along};

use crate::moves::{Record, Step, Steps};
use crate::promotion::{Promotions, chess_move};

/// Walks the main line of a record from the usual start position while `each` returns `true`.
/// Returns `false` if the record has another start position, or is damaged before `each` stops.
// dcg §6.4 "Tags"
pub(crate) fn walk(record: &[u8], promotions: Promotions, each: &mut Walk<'_>) -> bool {
    let Ok(record) = Record::parse(record) else { return false };
    if record.fen().is_some() {
        return false;
    }
    let mut line = MainLine { steps: record.steps(), promotions, depth: 0, started: false };
    walk_along(|position| line.next(position), each)
}

/// The rest of the line is damaged.
struct Doubt;

struct MainLine<'a> {
    steps: Steps<'a>,
    promotions: Promotions,
    /// The number of open variations.
    depth: usize,
    /// Whether the innermost line has a move.
    started: bool,
}

impl MainLine<'_> {
    /// Returns the move played in a position of the line; `None` at its end.
    #[inline]
    fn next(&mut self, position: &Position) -> Result<Option<Move>, Doubt> {
        while let Some(step) = self.steps.next() {
            match step.map_err(|_| Doubt)? {
                Step::Move(m) if self.depth == 0 => {
                    self.started = true;
                    return chess_move(m, position, self.promotions).map(Some).ok_or(Doubt);
                }
                Step::NullMove if self.depth == 0 => {
                    self.started = true;
                    return Ok(Some(Move::NULL));
                }
                step => self.pass(step)?,
            }
        }
        Ok(None)
    }

    /// Skips everything that is not a move of the main line.
    fn pass(&mut self, step: Step<'_>) -> Result<(), Doubt> {
        match step {
            Step::Move(m) => {
                let code = m.promotion();
                if code != 0 && self.promotions.role_or_foreign(code).is_none() {
                    return Err(Doubt);
                }
                self.started = true;
            }
            Step::NullMove => self.started = true,
            Step::VariationStart if !self.started => return Err(Doubt),
            Step::VariationStart => {
                self.depth = self.depth.saturating_add(1);
                self.started = false;
            }
            Step::VariationEnd => {
                self.depth = self.depth.checked_sub(1).ok_or(Doubt)?;
                self.started = true;
            }
            Step::Comment(_) | Step::Nags(_) => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `1. e4 $1 (1. d4 {x} (1. c4)) 1... e5 2. Qh5`
    #[rustfmt::skip]
    const RECORD: &[u8] = &[
        0x00, 0x03, 0x1c, 0x87, 0x01, 0x01, 0x84, 0x02, 0xdb, 0x86, 0x01, b'x', 0x84, 0x02, 0x9a, 0x85,
        0x85, 0x0d, 0x24, 0x00, 0xe7,
    ];

    /// Returns the moves, and whether the walk reached its end.
    fn walked(record: &[u8]) -> (String, bool) {
        let mut moves = String::new();
        let is_sure = walk(record, Promotions::Program, &mut |_, m| {
            moves += &m.map_or(String::from("end"), |m| format!("{m} "));
            true
        });
        (moves, is_sure)
    }

    #[test]
    fn walk_visits_main_line_only() {
        assert_eq!(walked(RECORD), ("e2e4 e7e5 d1h5 end".into(), true));
        assert!(walk(RECORD, Promotions::Program, &mut |_, _| false));
    }

    #[test]
    fn walk_damaged_record_is_inconclusive() {
        for record in [&[][..], &[0x07], &[0x00, 0x84], &[0x00, 0x85], &[0x00, 0x63, 0x1c]] {
            assert_eq!(walked(record), (String::new(), false), "{record:02x?}");
        }
        let after_a_move = [&[0x84, 0x63, 0x1c][..], &[0x84, 0x84], &[0x03], &[0x86, 0x02, b'x']];
        for rest in after_a_move {
            let record = [&[0x00, 0x03, 0x1c], rest].concat();
            assert_eq!(walked(&record), ("e2e4 ".into(), false), "{record:02x?}");
        }
        assert!(!walked(&[0x01, 0x01, b'x']).1, "another start");
    }
}
