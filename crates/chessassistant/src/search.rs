//! Searches: what headers tell as they lie, and what a glance at a record does.
//! (chessassistant §5.3 "Searches")

use std::fmt::Write as _;
use std::ops::Range;

use chess_core::{Elo, Game, Header, Position};
use chess_store::io::{ReadAt, each_entry};
use chess_store::{Diagnostics, NameField, Prospect, Summaries, Summary, Targets, Visit};

use crate::database::{Database, State};
use crate::date::decode_date;
use crate::decode::MainLine;
use crate::error::Error;
use crate::header::{HeaderReader, eco_of, result_of};
use crate::layout::ROW_SIZE;
use crate::names::NameKind;
use crate::record::Record;
use crate::row::{Row, row_offset};

impl<R: ReadAt> Database<R> {
    /// Appends a stretch of games, each with what its header says.
    pub(crate) fn scan(&self, state: &mut State, games: Range<u64>, found: &mut Summaries) {
        let place = (row_offset(games.start), ROW_SIZE);
        each_entry(&self.d00, place, games, &mut state.stretch, |game, bytes| {
            found.push((game, Row::parse(bytes).as_ref().map(summary_of)));
        });
    }

    /// What the header says of a game.
    pub(crate) fn summarize(&self, state: &State, game: u64) -> Option<Summary> {
        self.row(state, game).ok().as_ref().map(summary_of)
    }

    /// Replaces `name` with that of a number in a summary, as the header has it.
    pub(crate) fn name_of(&self, field: NameField, id: u32, name: &mut String) {
        let kind = match field {
            NameField::White | NameField::Black => NameKind::Players,
            NameField::Event => NameKind::Events,
            NameField::Site => NameKind::Places,
            NameField::Round => {
                name.clear();
                // Writing to a String cannot fail.
                let _ = if id > 0 { write!(name, "{id}") } else { name.write_char('?') };
                return;
            }
        };
        let reader = HeaderReader { names: &self.names, charset: &self.dialect.charset, game: 0 };
        if reader.name(id, kind, name, &mut Diagnostics::lenient()).is_err() {
            "?".clone_into(name);
        }
    }

    /// Whether a game's record may come to one of some positions.
    pub(crate) fn glance_at(&self, state: &mut State, game: u64, positions: &[Position]) -> bool {
        let Ok(row) = self.row(state, game) else { return true };
        let Ok(record) = self.record(state, game, &row) else { return true };
        state.targets.set(positions);
        let (Some(mut line), targets) = self.main_line(&record, state) else { return true };
        let mut position = Position::start();
        loop {
            match targets.prospect(&position) {
                Prospect::There => return true,
                Prospect::Never => return false,
                Prospect::Later => {}
            }
            match line.next() {
                Ok(Some(m)) => position.apply(m),
                Ok(None) => return false,
                Err(_) => return true,
            }
        }
    }

    /// Shows the main line of a game, with the values of its header.
    pub(crate) fn follow(
        &self,
        state: &mut State,
        game: u64,
        scratch: &mut Game,
        visit: &mut Visit<'_>,
    ) -> Result<(), Error> {
        scratch.clear();
        let row = match self.row(state, game) {
            Ok(row) => row,
            Err(error) => {
                visit(&scratch.header, &scratch.start_position(), None);
                return Err(error);
            }
        };
        summary_of(&row).fill(&mut scratch.header);
        let Err(mut shown) = self.show_line(state, game, &row, &scratch.header, visit) else {
            return Ok(());
        };
        let read = self.read_moves(state, game, &row, scratch, &mut Diagnostics::lenient());
        chess_store::follow(scratch, &mut |header, position, m| {
            let is_new = shown == 0;
            shown = shown.saturating_sub(1);
            !is_new || visit(header, position, m)
        });
        read
    }

    /// Shows the positions of a main line as far as there is no doubt about it; where there is, says
    /// how many were shown.
    fn show_line(
        &self,
        state: &mut State,
        game: u64,
        row: &Row,
        header: &Header,
        visit: &mut Visit<'_>,
    ) -> Result<(), usize> {
        let record = self.record(state, game, row).map_err(|_| 0usize)?;
        let mut line = self.main_line(&record, state).0.ok_or(0usize)?;
        let (mut position, mut shown) = (Position::start(), 0usize);
        loop {
            let m = line.next().map_err(|_| shown)?;
            match m {
                Some(m) if visit(header, &position, Some(m)) => position.apply(m),
                Some(_) => return Ok(()),
                None => {
                    visit(header, &position, None);
                    return Ok(());
                }
            }
            shown = shown.saturating_add(1);
        }
    }

    /// The main line of the record in the state, if all of it is there and its length beyond doubt;
    /// and the positions that are looked for.
    fn main_line<'a>(
        &'a self,
        record: &Record,
        state: &'a mut State,
    ) -> (Option<MainLine<'a>>, &'a Targets) {
        let State { record: bytes, scratch, walked, unheard, targets, .. } = state;
        let codes = record.codes(bytes);
        let is_sound = record.long.is_none() && codes.len() == record.length;
        unheard.clear();
        let line = MainLine::new(&self.dialect, scratch, codes, walked, unheard);
        (Some(line).filter(|_| is_sound), targets)
    }
}

/// What a header says.
fn summary_of(row: &Row) -> Summary {
    let mut summary = Summary::default();
    summary.names = [row.white, row.black, row.event, row.place, u32::from(row.round >> 1)];
    summary.result = result_of(row.outcome).unwrap_or_default();
    summary.date = decode_date(row.date).unwrap_or_default();
    summary.white_elo = Elo::new(row.white_elo);
    summary.black_elo = Elo::new(row.black_elo);
    summary.eco = eco_of(row.eco);
    summary
}
