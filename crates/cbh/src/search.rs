//! Search by headers, without decoding names or moves.

use std::ops::Range;

use chess_core::{Elo, GameResult, Position};
use chess_store::io::ReadAt;
use chess_store::{Features, IndexRows, IndexSummary, NameField, Query, SearchIndex, Walk};

use crate::database::{Database, State};
use crate::decode::walk_moves;
use crate::error::Error;
use crate::header::{GameRecord, parse_date};
use crate::moves::mode::Mode;
use crate::record::RECORD_HEADER;
use crate::tags::{eco_of, push_round, result_of};

/// The flags for a custom start position and for variations. // cbh §3.4 "Derived fields"
const SETUP: u32 = 1;
const VARIATIONS: u32 = 2;

impl<R: ReadAt> Database<R> {
    fn record_of(&self, state: &mut State, game: u64) -> Result<GameRecord, Error> {
        let number = self.records.number_of(game)?;
        let at = self.records.place(number).in_game(game);
        self.read_record(&state.headers.cached(&self.parts.cbh), number, at)
    }
}

impl<R: ReadAt + Send + Sync> SearchIndex for Database<R> {
    fn prefilter(&self, state: &mut State, range: Range<u64>, query: &Query, rows: &mut IndexRows) {
        for game in range {
            let record = self.record_of(state, game).ok();
            let reaches = |record: &GameRecord| {
                query.positions().iter().any(|position| could_contain(record, position))
            };
            if query.is_empty() || record.as_ref().is_none_or(reaches) {
                rows.push_with(game, || record.as_ref().map(summary_of));
            }
        }
    }

    fn summarize(&self, state: &mut State, game: u64) -> Option<IndexSummary> {
        self.record_of(state, game).ok().map(|record| summary_of(&record))
    }

    fn walk_main_line(&self, state: &mut State, game: u64, each: &mut Walk<'_>) -> bool {
        let Ok(raw) = self.read_raw(state, game) else { return false };
        let file = state.moves.cached(&self.parts.cbg);
        let read = self.read_moves(&file, raw.moves(), raw.at, &mut state.record);
        let Ok((header, _)) = read else { return false };
        let State { record, tree, memory, .. } = state;
        let moves = record.get(RECORD_HEADER..).unwrap_or_default();
        let is_whole = record.len() as u64 >= u64::from(header.size);
        let mode = Mode::of(header.mode()).filter(|_| is_whole);
        !header.is_text()
            && !header.has_setup()
            && mode.is_some_and(|mode| walk_moves(moves, mode, tree, memory, each))
    }

    fn name(&self, _: &mut State, field: NameField, id: u32, name: &mut String) {
        let texts = match field {
            NameField::White | NameField::Black => &self.name_texts.players,
            NameField::Event => &self.name_texts.events,
            NameField::Site => &self.name_texts.sites,
            NameField::Round => {
                let [_, _, round, subround] = id.to_be_bytes();
                return push_round(u16::from(round), u16::from(subround), name);
            }
        };
        let text = texts.get(id).map(|(text, _)| text).filter(|text| !text.is_empty());
        name.clear();
        name.push_str(text.unwrap_or("?"));
    }
}

/// Returns the summary of a record. For an annotated game, the record does not reveal which
/// annotations become comments.
fn summary_of(record: &GameRecord) -> IndexSummary {
    let round = u32::from(u16::from_be_bytes([record.round, record.subround]));
    let tournament = record.tournament;
    let mut summary = IndexSummary::default();
    summary.names = [record.white, record.black, tournament, tournament, round];
    summary.result = result_of(record.result).map_or(GameResult::Unknown, |(result, _)| result);
    summary.date = parse_date(record.date).0;
    summary.white_elo = Elo::new(record.white_elo);
    summary.black_elo = Elo::new(record.black_elo);
    summary.eco = eco_of(record.eco).unwrap_or(None);
    summary.deleted = record.is_deleted();
    // 255 stands for more, too. (cbh §3.2.17)
    let has_length = record.flags & SETUP == 0 && (1..u8::MAX).contains(&record.length);
    summary.moves = has_length.then(|| record.length.into());
    if record.annotations == 0 {
        let mut features = Features::default();
        features.set_up = record.flags & SETUP != 0;
        features.variations = record.flags & VARIATIONS != 0;
        summary.features = Some(features);
    }
    summary
}

/// Whether the main line is long enough to capture the pieces that `position` lacks.
fn could_contain(record: &GameRecord, position: &Position) -> bool {
    // Each missing piece was captured by a move of the main line. (cbh §3.2.17)
    let from_usual_start = record.flags & SETUP == 0;
    let gone = 32u32.saturating_sub(position.occupied().count());
    let moves = u32::from(record.length);
    !from_usual_start || moves == 255 || gone <= moves.saturating_mul(2)
}
