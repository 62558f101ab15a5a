//! Searches by headers and by the moves of a record. (chessassistant §5.3 "Searches")

use std::fmt::Write as _;
use std::ops::Range;

use chess_core::Elo;
use chess_store::io::ReadAt;
use chess_store::{Diagnostics, IndexRows, IndexSummary, NameField, Query, SearchIndex, Walk};

use crate::database::{Database, State};
use crate::date::decode_date;
use crate::decode::MainLine;
use crate::header::{HeaderReader, eco_of, result_of};
use crate::layout::ROW_SIZE;
use crate::names::NameKind;
use crate::row::{Row, row_offset};

impl<R: ReadAt + Send + Sync> SearchIndex for Database<R> {
    fn prefilter(&self, state: &mut State, range: Range<u64>, _: &Query, rows: &mut IndexRows) {
        // No header rules out a position.
        let place = (row_offset(range.start), ROW_SIZE);
        state.read_ahead.each_entry(&self.d00, place, range, |game, bytes| {
            rows.push_with(game, || Row::parse(bytes).as_ref().map(summary_of));
        });
    }

    fn summarize(&self, state: &mut State, game: u64) -> Option<IndexSummary> {
        self.row(state, game).ok().as_ref().map(summary_of)
    }

    fn walk_main_line(&self, state: &mut State, game: u64, each: &mut Walk<'_>) -> bool {
        let row = self.row(state, game);
        let Ok(record) = row.and_then(|row| self.record(state, game, &row)) else { return false };
        let State { record: bytes, scratch, walk_game, discarded, .. } = state;
        let codes = record.codes(bytes);
        discarded.clear();
        // Inconclusive if the length is in doubt or the record is truncated.
        record.long.is_none()
            && codes.len() == record.length
            && MainLine::new(&self.dialect, scratch, codes, walk_game, discarded).walk(each)
    }

    fn name(&self, _: &mut State, field: NameField, id: u32, name: &mut String) {
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
}

/// Summarises a header.
fn summary_of(row: &Row) -> IndexSummary {
    let mut summary = IndexSummary::default();
    summary.names = [row.white, row.black, row.event, row.place, u32::from(row.round >> 1)];
    summary.result = result_of(row.outcome).unwrap_or_default();
    summary.date = decode_date(row.date).unwrap_or_default();
    summary.white_elo = Elo::new(row.white_elo);
    summary.black_elo = Elo::new(row.black_elo);
    summary.eco = eco_of(row.eco);
    summary
}
