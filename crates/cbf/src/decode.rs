//! Decodes a record to a [`Game`]. cbf §5 "Moves", §7 "Comments"; mirrored by [`encode`](crate::encode).

use chess_core::{Color, Game, Position};
use chess_store::{Diagnostics, Encoding};

use crate::comments::Comments;
use crate::error::Error;
use crate::header::Spare;
use crate::layout::offset;
use crate::moves::{IllegalMoves, MoveReader, Outcome};
use crate::numbering::{NumberedPosition, Rules};
use crate::options::Dialect;
use crate::place::Place;
use crate::quirk::Quirk;
use crate::record::Record;
use crate::setup::parse_setup;
use crate::tags::{fill_header, note_oddities};

/// The settings of decoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoder {
    pub(crate) page: Encoding,
    pub(crate) dialect: Dialect,
    /// The numbering of the database, with which [`Dialect::Auto`] begins.
    pub(crate) numbering: Dialect,
}

/// The dialects that [`Dialect::Auto`] tries if the numbering of the database makes a game illegal,
/// each with the quirk it reports. cbf §6.3 "Dialects"
const OTHERS: [(Dialect, Quirk); 5] = [
    (Dialect::Usual, Quirk::UsualNumbers),
    (Dialect::NoStaleFile, Quirk::NoStaleFile),
    (Dialect::NoEdgePawn, Quirk::NoEdgePawn),
    (Dialect::Plain, Quirk::PlainNumbers),
    (Dialect::NextAfterPhantom, Quirk::NextAfterPhantom),
];

/// Returns the quirk of a database with this numbering. `None` for the usual one.
pub(crate) fn quirk_of(dialect: Dialect) -> Option<Quirk> {
    let is_it = |other: &&(Dialect, Quirk)| other.0 == dialect && dialect != Dialect::Usual;
    OTHERS.iter().find(is_it).map(|(_, quirk)| *quirk)
}

impl Decoder {
    /// Decodes a masked record, which the end of the file may truncate, into a cleared `game`.
    /// Unmasks `bytes` in place.
    pub(crate) fn decode(
        &self,
        bytes: &mut [u8],
        place: Place,
        game: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let record = Record::unmask(bytes, place)?;
        note_oddities(&record.header, place, diagnostics)?;
        let start = self.decode_start(&record, place, game, diagnostics)?;
        let lacks_setup = record.header.has_setup() && record.setup().is_none();
        let missing = match record.missing() {
            Some((within, kind)) if lacks_setup => {
                return Err(Error::new(kind, place.byte(within)));
            }
            missing => missing,
        };
        let comments = record.comments();
        if missing.is_none() && !Comments::well_bordered(comments) {
            diagnostics.note(Quirk::CommentBorder, place.byte(record.layout.comments.start))?;
        }

        let outcome = self.decode_moves(&record, start, place, game, diagnostics)?;
        if let Some(error) = outcome.error {
            return Err(error);
        }
        if let Some((within, kind)) = missing {
            return Err(Error::new(kind, place.byte(within).after_ply(outcome.plies)));
        }
        if record.header.move_count != full_moves(outcome.plies, start.position.turn()) {
            diagnostics.note(Quirk::MoveCount, place.byte(offset::MOVE_COUNT))?;
        }
        Ok(())
    }

    /// Decodes the header and the start position.
    fn decode_start(
        &self,
        record: &Record<'_>,
        place: Place,
        game: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<NumberedPosition, Error> {
        let header = &record.header;
        let mut unused: Spare = [0; 4];
        let mut start = NumberedPosition { position: Position::start(), passing_file: 0 };
        let mut unknown_piece = false;
        if let Some(block) = record.setup() {
            let setup = parse_setup(block, header.flags_1, header.flags_2);
            unused = [0, 0, setup.unused_castling, setup.unused_passing];
            unknown_piece = setup.unknown_piece;
            let passing_file = header.flags_2 & 15;
            start = NumberedPosition { position: setup.position, passing_file };
            game.set_start(setup.position);
        }
        let names = (record.players(), record.source());
        fill_header(header, names, self.page, unused, &mut game.header);
        if unknown_piece {
            diagnostics.note(Quirk::SetupPiece, place.byte(record.layout.setup.start))?;
        }
        if unused != [0; 4] {
            diagnostics.note(Quirk::SetupState, place.byte(offset::FLAGS_1))?;
        }
        Ok(start)
    }

    /// Decodes the moves with the first numbering that makes all of them legal. The numbering of the
    /// database comes first. cbf §6.3 "Dialects"
    fn decode_moves(
        &self,
        record: &Record<'_>,
        start: NumberedPosition,
        place: Place,
        game: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<Outcome, Error> {
        let mut moves = MoveReader::new(record, place, self.page);
        let all = self.readings();
        let at = place.byte(record.layout.moves.start);
        for (tried, (rules, quirk)) in all.clone().enumerate() {
            if tried > 0 {
                clear_moves(game);
            }
            let outcome = moves.read(start, rules, IllegalMoves::Stop, game)?;
            if outcome.illegal {
                continue;
            }
            if let Some(quirk) = quirk {
                diagnostics.note(quirk, at)?;
                let mut rest = all.clone().skip(tried.saturating_add(1));
                if rest.try_fold(false, |unsure, (rules, _)| {
                    Ok::<_, Error>(unsure || moves.also_fits(start, rules, game)?)
                })? {
                    diagnostics.note(Quirk::NumberingUnsure, at)?;
                }
            }
            return outcome.noted(diagnostics);
        }

        // No numbering makes all moves legal: choose the one with the fewest illegal moves.
        let mut best: Option<(u32, Rules, Option<Quirk>)> = None;
        for (rules, quirk) in all.clone() {
            clear_moves(game);
            let outcome = moves.read(start, rules, IllegalMoves::KeepListed, game)?;
            if !outcome.illegal && best.is_none_or(|(fewest, ..)| outcome.forbidden < fewest) {
                best = Some((outcome.forbidden, rules, quirk));
            }
        }
        clear_moves(game);
        if let Some((_, rules, quirk)) = best {
            if let Some(quirk) = quirk {
                diagnostics.note(quirk, at)?;
            }
            return moves.read(start, rules, IllegalMoves::KeepListed, game)?.noted(diagnostics);
        }
        let rules = all.map(|(rules, _)| rules).next().unwrap_or(Rules::USUAL);
        moves.read(start, rules, IllegalMoves::SkipLine, game)?.noted(diagnostics)
    }

    /// Returns the numberings to try, each with the quirk to report.
    fn readings(&self) -> impl Iterator<Item = (Rules, Option<Quirk>)> + Clone {
        let is_auto = self.dialect == Dialect::Auto;
        let first = if is_auto { self.numbering } else { self.dialect };
        // Only a numbering with the stale file has numbers for a delayed en passant capture.
        let late = Rules { late_capture: true, ..first.rules() };
        let late = (is_auto && late.stale_file).then_some((late, Some(Quirk::LateEnPassant)));
        let others = if is_auto { OTHERS.as_slice() } else { &[] };
        let others = others.iter().filter(move |(dialect, _)| *dialect != first);
        let others = others.map(|(dialect, quirk)| (dialect.rules(), Some(*quirk)));
        std::iter::once((first.rules(), None)).chain(late).chain(others)
    }
}

/// Removes the moves and keeps the start position.
fn clear_moves(game: &mut Game) {
    let start = game.setup().map(|setup| *setup.position());
    game.clear_line();
    if let Some(position) = start {
        game.set_start(position);
    }
}

/// Returns the number of full moves of a line, modulo 256, as header byte 12 stores it. cbf §3 "Record header"
pub(crate) fn full_moves(plies: u32, first: Color) -> u8 {
    let halves = plies.saturating_add(u32::from(first == Color::Black && plies > 0));
    let [.., low] = halves.div_ceil(2).to_be_bytes();
    low
}
