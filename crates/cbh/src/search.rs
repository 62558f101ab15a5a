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
use crate::fingerprint::Sought;
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
        self.read_record(&state.header_file(&self.parts.cbh), number, at)
    }

    /// Calls `each` with the number and the header of each game in `range` that is long enough for
    /// `query`. There is no header if it cannot be read.
    #[inline]
    fn each_candidate(
        &self,
        state: &mut State,
        range: Range<u64>,
        query: &Query,
        mut each: impl FnMut(u64, Option<GameRecord>),
    ) {
        let captures = Sought::of(query).map_or(0, Sought::captures);
        let headers = &self.parts.cbh;
        self.records.each_game(&mut state.read_ahead, headers, range, |game, bytes| {
            let record = bytes.first_chunk().map(parse_game_record);
            if record.as_ref().is_none_or(|record| has_time_for(record, captures)) {
                each(game, record);
            }
        });
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
        match rows {
            // No header is read here, so that no file is read twice.
            IndexRows::Numbers(numbers) => numbers.extend(range),
            IndexRows::Stats(stats) => stats.extend(range.map(StatRow::new)),
            IndexRows::Names(names) => self.each_candidate(state, range, query, |game, record| {
                names.push((game, record.as_ref().map(ids_of)));
            }),
            rows => self.each_candidate(state, range, query, |game, record| {
                rows.push_with(game, || record.as_ref().map(summary_of));
            }),
        }
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
            let sought = Sought::of(query);
            if sought.is_some_and(|sought| !has_time_for(&raw.record, sought.captures())) {
                return Ok(());
            }
            if let Some(mode) = self.read_line(state, &raw) {
                let State { record, tree, memory, .. } = state;
                let moves = record.get(RECORD_HEADER..).unwrap_or_default();
                if let Some(sought) = sought
                    && !may_be_reached(sought, moves, mode, tree, memory)
                {
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

/// Returns the ids of the names in the order of [`NameField`].
fn ids_of(record: &GameRecord) -> [u32; 5] {
    let round = u32::from(u16::from_be_bytes([record.round, record.subround]));
    [record.white, record.black, record.tournament, record.tournament, round]
}

/// Returns the summary of a record. For an annotated game, the record does not reveal which
/// annotations become comments.
fn summary_of(record: &GameRecord) -> IndexSummary {
    let mut summary = IndexSummary::default();
    summary.names = ids_of(record);
    summary.result = result_of(record.result).map_or(GameResult::Unknown, |(result, _)| result);
    summary.date = parse_date(record.date).0;
    summary.white_elo = Elo::new(record.white_elo);
    summary.black_elo = Elo::new(record.black_elo);
    summary.eco = eco_of(record.eco).unwrap_or(None);
    summary.deleted = record.is_deleted();
    summary.moves = length_of(record).map(u32::from);
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

/// Returns whether the main line is long enough for `captures`.
fn has_time_for(record: &GameRecord, captures: u32) -> bool {
    length_of(record).is_none_or(|moves| captures <= u32::from(moves).saturating_mul(2))
}

/// Returns the number of moves of a game from the usual start position, if the record tells it. (cbh
/// §3.2.17)
fn length_of(record: &GameRecord) -> Option<u8> {
    // 255 stands for more, too. A program that counts no moves leaves 0.
    let is_told = record.flags & SETUP == 0 && (1..u8::MAX).contains(&record.length);
    is_told.then_some(record.length)
}
