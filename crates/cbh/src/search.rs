//! Search by headers, without decoding names or moves.

use std::ops::Range;

use chess_core::{Elo, Game, GameResult, Header, Position};
use chess_store::io::ReadAt;
use chess_store::{
    Diagnostics, Features, IndexRows, IndexSummary, LineVisit, NameField, Query, ReadGames,
    SearchIndex, StatRow, Visit, Walk,
};

use crate::database::{Database, RawGame, State};
use crate::decode::{may_be_reached, walk_moves};
use crate::error::Error;
use crate::fingerprint::{Sought, captures_before};
use crate::header::{GameRecord, parse_date, parse_game_record};
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

    /// Reads the record of a game. Returns the mode of its moves if its main line can be followed without
    /// a full decode.
    fn read_line(&self, state: &mut State, raw: &RawGame) -> Option<Mode> {
        let file = state.moves.cached(&self.parts.cbg);
        let (header, _) = self.read_moves(&file, raw.moves(), raw.at, &mut state.record).ok()?;
        let is_whole = state.record.len() as u64 >= u64::from(header.size);
        let is_line = is_whole && !header.is_text() && !header.has_setup();
        Mode::of(header.mode()).filter(|_| is_line)
    }
}

impl<R: ReadAt + Send + Sync> SearchIndex for Database<R> {
    fn prefilter(&self, state: &mut State, range: Range<u64>, query: &Query, rows: &mut IndexRows) {
        // Without summaries no header is read here, so that no file is read twice.
        let summaries = match rows {
            IndexRows::Numbers(numbers) => return numbers.extend(range),
            IndexRows::Stats(stats) => return stats.extend(range.map(StatRow::new)),
            IndexRows::Summaries(summaries) => summaries,
            rows => return range.for_each(|game| rows.push_with(game, || None)),
        };
        let (captures, headers) = (captures_before(query), &self.parts.cbh);
        self.records.each_game(&mut state.read_ahead, headers, range, |game, bytes| {
            let record = bytes.first_chunk().map(parse_game_record);
            if record.as_ref().is_none_or(|record| has_time_for(record, captures)) {
                summaries.push((game, record.as_ref().map(summary_of)));
            }
        });
    }

    fn summarize(&self, state: &mut State, game: u64) -> Option<IndexSummary> {
        self.record_of(state, game).ok().map(|record| summary_of(&record))
    }

    fn walk_main_line(&self, state: &mut State, game: u64, each: &mut Walk<'_>) -> bool {
        let Ok(raw) = self.read_raw(state, game) else { return false };
        let Some(mode) = self.read_line(state, &raw) else { return false };
        let State { record, tree, memory, .. } = state;
        walk_moves(record.get(RECORD_HEADER..).unwrap_or_default(), mode, tree, memory, each)
    }

    /// Reads header and moves once. The fingerprints of its positions rule most games out.
    fn visit_main_line(
        &self,
        state: &mut State,
        game: u64,
        query: &Query,
        scratch: &mut Game,
        visit: &mut Visit<'_>,
    ) -> Result<(), Error> {
        let mut shown = LineVisit::new(query, visit);
        if let Ok(raw) = self.read_raw(state, game) {
            if !query.is_empty() && !has_time_for(&raw.record, captures_before(query)) {
                return Ok(());
            }
            if let Some(mode) = self.read_line(state, &raw) {
                let State { record, tree, memory, .. } = state;
                let moves = record.get(RECORD_HEADER..).unwrap_or_default();
                let sought = || query.prepared(Sought::new);
                if !query.is_empty() && !may_be_reached(sought(), moves, mode, tree, memory) {
                    return Ok(());
                }
                fill_values(&raw.record, &mut scratch.header);
                let header = &scratch.header;
                let each = &mut |position: &Position, m| shown.show(header, position, m);
                if walk_moves(moves, mode, tree, memory, each) {
                    return Ok(());
                }
            }
        }
        let read = self.game_with(state, game, scratch, &mut Diagnostics::lenient());
        shown.show_rest(scratch);
        read
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

/// Sets the result, the date and the ratings of a header.
fn fill_values(record: &GameRecord, header: &mut Header) {
    header.result = result_of(record.result).map_or(GameResult::Unknown, |(result, _)| result);
    header.date = parse_date(record.date).0;
    header.white_elo = Elo::new(record.white_elo);
    header.black_elo = Elo::new(record.black_elo);
}

/// Returns whether the main line is long enough for `captures`. (cbh §3.2.17)
fn has_time_for(record: &GameRecord, captures: u32) -> bool {
    let from_usual_start = record.flags & SETUP == 0;
    let moves = u32::from(record.length);
    !from_usual_start || moves == 255 || captures <= moves.saturating_mul(2)
}
