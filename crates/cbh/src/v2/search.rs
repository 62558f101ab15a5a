//! Search by headers, without decoding moves.

use std::ops::Range;

use chess_core::{Elo, GameResult, Position};
use chess_store::io::ReadAt;
use chess_store::{Diagnostics, IndexRows, IndexSummary, Location, NameField, Query, Walk};

use super::database::{Database, State};
use super::decode::{split_content, walk_moves};
use super::entities::{EntityType, FieldReader, Found, Player, Tournament, read_entity};
use super::entity::player_name;
use super::header::{GameRecord, RecordKind};
use super::header_tags::push_round;
use super::layout::TAG_TEXT;
use crate::header::parse_date;
use crate::tags::{eco_of, result_of};

/// The flag for a start position of its own. // cbh2 §3.5 "Derived fields"
const SETUP: u32 = 1;

impl<R: ReadAt> Database<R> {
    /// Returns the summary of a game from its header.
    pub(crate) fn summary(&self, state: &mut State, game: u64) -> Option<IndexSummary> {
        summary_of(&self.read_raw(state, game).ok()?.record)
    }

    /// Appends the games in `range` whose headers do not rule all positions of `query` out.
    pub(crate) fn scan(
        &self,
        state: &mut State,
        range: Range<u64>,
        query: &Query,
        rows: &mut IndexRows,
    ) {
        for game in range {
            let record = self.read_raw(state, game).ok().map(|raw| raw.record);
            let reaches = |record: &GameRecord| {
                query.positions().iter().any(|position| could_contain(record, position))
            };
            if query.is_empty() || record.as_ref().is_none_or(reaches) {
                rows.push_with(game, || record.as_ref().and_then(summary_of));
            }
        }
    }

    /// Returns the name with the id `id` of a summary, as the header has it.
    pub(crate) fn name_of(&self, state: &mut State, field: NameField, id: u32, name: &mut String) {
        if field == NameField::Round {
            let [r1, r2, s1, s2] = id.to_le_bytes();
            let (round, subround) = (i16::from_le_bytes([r1, r2]), i16::from_le_bytes([s1, s2]));
            return push_round(round, subround, name);
        }
        name.clear();
        let text = id.checked_sub(1).and_then(|id| self.entity_text(state, field, id));
        name.push_str(text.as_deref().filter(|text| !text.is_empty()).unwrap_or("?"));
    }

    fn entity_text(&self, state: &mut State, field: NameField, id: u32) -> Option<String> {
        let (file, header) = (self.parts.entities.as_ref()?, self.entities.as_ref()?);
        let player = matches!(field, NameField::White | NameField::Black);
        let kind = if player { EntityType::Player } else { EntityType::Tournament };
        let bytes = &mut state.fields;
        // Each entity has a page of its own, so the page cache does not help.
        let found = read_entity(file, header, kind, i64::from(id), bytes);
        if !matches!(found, Ok(Found::Fields)) {
            return None;
        }
        let mut fields = FieldReader::new(bytes);
        if player {
            let player = Player::parse(&mut fields);
            let mut diagnostics = Diagnostics::lenient();
            return player_name(&player, &self.text, &mut diagnostics, Location::default()).ok();
        }
        let event = Tournament::parse(&mut fields);
        let bytes = if field == NameField::Event { event.title } else { event.place };
        Some(self.text.decode(bytes).into_owned())
    }

    /// Visits the main line of a game's record.
    pub(crate) fn walk(&self, state: &mut State, game: u64, each: &mut Walk<'_>) -> bool {
        let Ok(raw) = self.read_raw(state, game) else { return false };
        let mut diagnostics = Diagnostics::lenient();
        let read = self.read_moves(state, raw.record.moves, raw.at, &mut diagnostics);
        let Some(framed) = read.ok().filter(|framed| framed.frame.tag != TAG_TEXT) else {
            return false;
        };
        let content = split_content(&state.content, framed.at);
        let sound = framed.missing == 0 && diagnostics.warnings().is_empty();
        content.is_ok_and(|content| {
            sound && content.start.is_none() && walk_moves(content.moves, each)
        })
    }
}

/// Returns the summary of a record. `None` if its ids do not fit, or if it is an analysis, whose
/// names are elsewhere.
///
/// Ids are stored plus one, so that 0 means an unknown name.
fn summary_of(record: &GameRecord) -> Option<IndexSummary> {
    if record.kind == RecordKind::Analysis {
        return None;
    }
    let id = |id: i64| match u32::try_from(id) {
        Ok(id) => id.checked_add(1),
        Err(_) => (id < 0).then_some(0),
    };
    let [white, black, tournament, ..] = record.names;
    let ([r1, r2], [s1, s2]) = (record.round.to_le_bytes(), record.subround.to_le_bytes());
    let (white, black, event) = (id(white)?, id(black)?, id(tournament)?);
    let elo = |elo: i16| u16::try_from(elo).ok().and_then(Elo::new);
    let mut summary = IndexSummary::default();
    summary.names = [white, black, event, event, u32::from_le_bytes([r1, r2, s1, s2])];
    summary.result = result_of(record.result).map_or(GameResult::Unknown, |(result, _)| result);
    summary.date = parse_date(record.date).0;
    let [white, black] = &record.ratings;
    (summary.white_elo, summary.black_elo) = (elo(white.elo), elo(black.elo));
    summary.eco = eco_of(record.eco).unwrap_or(None);
    summary.deleted = record.is_deleted();
    let has_length = record.kind == RecordKind::Game && record.flags & SETUP == 0;
    summary.moves = u32::try_from(record.length).ok().filter(|moves| has_length && *moves > 0);
    Some(summary)
}

/// Whether the main line is long enough to capture the pieces that `position` lacks.
fn could_contain(record: &GameRecord, position: &Position) -> bool {
    let from_usual_start = record.kind == RecordKind::Game && record.flags & SETUP == 0;
    let gone = 32u32.saturating_sub(position.occupied().count());
    let moves = u32::try_from(record.length).unwrap_or(u32::MAX);
    !from_usual_start || gone <= moves.saturating_mul(2)
}
