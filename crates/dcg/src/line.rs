//! The main line of a record, without what else stands in it.

use chess_core::{Game, Move, Position};
use chess_store::{Location, Prospect, Targets, Visit};

use crate::decode::RecordOptions;
use crate::error::{Error, ErrorKind};
use crate::moves::{PlainMove, Record, Step, Steps};
use crate::promotion::{Promotions, chess_move};

/// Shows the positions of a record's main line; `game` has the header that is shown, and gets the
/// start position.
///
/// # Errors
/// Where decoding the record fails, after the positions before that.
pub(crate) fn follow_record(
    record: &[u8],
    options: RecordOptions,
    game: &mut Game,
    at: Location,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    game.clear_line();
    let begun = begin(record, options, game);
    let mut position = game.start_position();
    let mut line = match begun {
        Ok(line) => line,
        Err(kind) => {
            visit(&game.header, &position, None);
            return Err(kind.at(at));
        }
    };
    loop {
        let (m, end) = match line.next(&position) {
            Ok(Some(m)) => (Some(m), Ok(())),
            Ok(None) => (None, Ok(())),
            Err(kind) => (None, Err(kind.at(at))),
        };
        let more = visit(&game.header, &position, m);
        match m {
            Some(m) if more => position.apply(m),
            _ => return end,
        }
    }
}

fn begin<'a>(
    record: &'a [u8],
    options: RecordOptions,
    game: &mut Game,
) -> Result<MainLine<'a>, ErrorKind> {
    let record = Record::parse(record)?;
    if let Some(fen) = record.fen() {
        game.set_start_fen(&options.text.decode(fen)).map_err(ErrorKind::Fen)?;
    }
    Ok(MainLine::new(&record, options.promotions))
}

/// Whether the main line of a record may come to the pieces of positions that are looked for; `true`
/// when in doubt, as for a record with its own start position or one that is damaged.
// dcg §4.2 "Searches"
pub(crate) fn glance(record: &[u8], promotions: Promotions, targets: &Targets) -> bool {
    let Ok(record) = Record::parse(record) else { return true };
    if record.fen().is_some() {
        return true;
    }
    let (mut line, mut position) = (MainLine::new(&record, promotions), Position::start());
    loop {
        match targets.prospect(&position) {
            Prospect::There => return true,
            Prospect::Never => return false,
            Prospect::Later => {}
        }
        match line.next(&position) {
            Ok(Some(m)) => position.apply(m),
            Ok(None) => return false,
            Err(_) => return true,
        }
    }
}

struct MainLine<'a> {
    steps: Steps<'a>,
    promotions: Promotions,
    /// How many variations are open.
    depth: usize,
    /// Whether the innermost line has a move.
    started: bool,
}

impl<'a> MainLine<'a> {
    fn new(record: &Record<'a>, promotions: Promotions) -> MainLine<'a> {
        MainLine { steps: record.steps(), promotions, depth: 0, started: false }
    }

    /// The move played in a position of the line; `None` at its end, and an error where decoding the
    /// record ends with one.
    // dcg §6.4 "Tags"
    #[inline]
    fn next(&mut self, position: &Position) -> Result<Option<Move>, ErrorKind> {
        while let Some(step) = self.steps.next() {
            match step? {
                Step::Move(m) if self.depth == 0 => {
                    self.started = true;
                    let played = chess_move(m, position, self.promotions);
                    return played.map(Some).ok_or(ErrorKind::Promotion(m.promotion()));
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

    /// Passes over what is no move of the main line.
    fn pass(&mut self, step: Step<'_>) -> Result<(), ErrorKind> {
        match step {
            Step::Move(m) => {
                self.check(m)?;
                self.started = true;
            }
            Step::NullMove => self.started = true,
            Step::VariationStart if !self.started => return Err(ErrorKind::VariationStart),
            Step::VariationStart => {
                self.depth = self.depth.saturating_add(1);
                self.started = false;
            }
            Step::VariationEnd => {
                self.depth = self.depth.checked_sub(1).ok_or(ErrorKind::VariationEnd)?;
                self.started = true;
            }
            Step::Comment(_) | Step::Nags(_) => {}
        }
        Ok(())
    }

    fn check(&self, m: PlainMove) -> Result<(), ErrorKind> {
        match m.promotion() {
            0 => Ok(()),
            code => match self.promotions.role_or_foreign(code) {
                Some(_) => Ok(()),
                None => Err(ErrorKind::Promotion(code)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use chess_store::Diagnostics;

    use super::*;
    use crate::decode::RecordDecoder;

    /// `1. e4 $1 (1. d4 {x} (1. c4)) 1... e5 2. Qh5`
    #[rustfmt::skip]
    const RECORD: &[u8] = &[
        0x00, 0x03, 0x1c, 0x87, 0x01, 0x01, 0x84, 0x02, 0xdb, 0x86, 0x01, b'x', 0x84, 0x02, 0x9a, 0x85,
        0x85, 0x0d, 0x24, 0x00, 0xe7,
    ];

    fn comes_to(record: &[u8], moves: &str) -> bool {
        let mut position = Position::start();
        moves.split_terminator(' ').for_each(|m| position.apply(m.parse().unwrap()));
        let mut targets = Targets::default();
        targets.set(&[position]);
        glance(record, Promotions::Program, &targets)
    }

    #[test]
    fn the_main_line_is_seen_and_nothing_else() {
        for moves in ["", "e2e4", "e2e4 e7e5", "e2e4 e7e5 d1h5"] {
            assert!(comes_to(RECORD, moves), "{moves}");
        }
        for moves in ["d2d4", "c2c4", "e2e4 d7d5", "e2e4 e7e5 d1g4", "e2e4 e7e5 d1h5 g7g6"] {
            assert!(!comes_to(RECORD, moves), "{moves}");
        }
    }

    #[test]
    fn damage_is_a_doubt() {
        for record in [&[][..], &[0x07], &[0x00, 0x84], &[0x00, 0x85], &[0x00, 0x63, 0x1c]] {
            assert!(comes_to(record, "e2e4 e7e5 d1g4"), "{record:02x?}");
        }
        assert!(comes_to(&[0x00, 0x03, 0x1c, 0x84, 0x63, 0x1c], "e2e4 e7e5"));
        assert!(comes_to(&[0x01, 0x01, b'x'], "e2e4"));
    }

    /// Whatever the bytes, following a record shows what decoding it gives, and fails where that does.
    #[test]
    fn following_is_reading() {
        let mut random = testkit::Random::new(3);
        let mut errors = 0;
        for _ in 0..20_000 {
            let mut record = RECORD.to_vec();
            for _ in 0..random.below(4) {
                let place = random.below(record.len());
                record[place] = random.byte();
            }
            record.truncate(record.len() - random.below(3));
            let (options, at) = (RecordOptions::default(), Location::file("dcg").at(0));
            let (mut read, mut shown) = (Game::new(), Vec::new());
            let whole = RecordDecoder::default().decode(
                &record,
                options,
                &mut read,
                &mut Diagnostics::lenient(),
                at,
            );
            let mut expected = Vec::new();
            chess_store::follow(&read, &mut |_, position, m| {
                expected.push((*position, m));
                true
            });
            let mut scratch = Game::new();
            let followed = follow_record(&record, options, &mut scratch, at, &mut |_, at, m| {
                shown.push((*at, m));
                true
            });
            assert_eq!(shown, expected, "{record:02x?}");
            assert_eq!(followed.is_err(), whole.is_err(), "{record:02x?}");
            errors += u32::from(whole.is_err());
        }
        assert!((1000..15_000).contains(&errors), "{errors}");
    }
}
