//! Search by headers, without decoding moves.

use std::ops::Range;

use chess_core::{Elo, Game, GameResult, Header};
use chess_store::io::ReadAt;
use chess_store::{
    Diagnostics, IndexRows, IndexSummary, LineVisit, Location, NameField, Query, ReadGames,
    SearchIndex, StatRow, Visit, Walk,
};

use super::database::{Database, FREE_BYTES, State, USUAL_RECORD};
use super::decode::walk_moves;
use super::entities::{EntityType, FieldReader, Found, Player, Tournament, read_entity};
use super::entity::push_player;
use super::fingerprint::{has_end, may_be_reached};
use super::frame::parse_frame;
use super::header::{GameRecord, RawRecord, RecordKind, kind_of, parse_game_record};
use super::header_tags::push_round;
use super::layout::{FRAME_START, RECORD_SIZE, TAG_CHESS960, TAG_GAME, word};
use crate::error::Error;
use crate::fingerprint::Sought;
use crate::header::parse_date;
use crate::tags::{eco_of, result_of};

/// The most bytes of a record that a search reads for its main line: two thousand half-moves.
const LONGEST_LINE: usize = 4096;
/// The flag for a start position of its own. // cbh2 §3.5 "Derived fields"
const SETUP: u32 = 1;

impl<R: ReadAt> Database<R> {
    /// Calls `each` with the number and the header of each game in `range` that is long enough for
    /// `query`. There is no header if it cannot be read.
    #[inline]
    fn each_candidate(
        &self,
        state: &mut State,
        range: Range<u64>,
        query: &Query,
        mut each: impl FnMut(u64, Option<&[u8; RECORD_SIZE]>),
    ) {
        let captures = Sought::of(query).map_or(0, Sought::captures);
        let headers = &self.parts.headers;
        if captures == 0 {
            let each = |game, bytes: &[u8]| each(game, bytes.first_chunk());
            return self.records.each_game(&mut state.read_ahead, headers, range, each);
        }
        self.records.each_game(&mut state.read_ahead, headers, range, |game, bytes| {
            let record = bytes.first_chunk();
            if record.is_none_or(|record| has_time_for(RawRecord(record), captures)) {
                each(game, record);
            }
        });
    }

    /// Appends the text of an entity. Returns `None` if it cannot be read.
    fn push_entity(
        &self,
        state: &mut State,
        field: NameField,
        id: u32,
        into: &mut String,
    ) -> Option<()> {
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
            let diagnostics = &mut Diagnostics::lenient();
            return push_player(&player, &self.text, diagnostics, Location::default(), into).ok();
        }
        let event = Tournament::parse(&mut fields);
        let bytes = if field == NameField::Event { event.title } else { event.place };
        into.push_str(&self.text.decode(bytes));
        Some(())
    }

    /// Reads the record of moves at `start` up to the end of its main line, and passes the words of its
    /// moves to `show`. Returns `None` if the game has another start position, or must be decoded because
    /// the record may be damaged.
    ///
    /// The checksum is not tested: decoding a record with a wrong one gives the same moves.
    #[inline]
    fn with_words<T>(
        &self,
        state: &State,
        start: i64,
        show: &mut impl FnMut(Words<'_>) -> T,
    ) -> Option<T> {
        let file = self.parts.moves.as_ref()?;
        let offset = u64::try_from(start).ok().filter(|start| *start < self.moves_size)?;
        let file = state.moves.cached(file);
        let mut is_long = false;
        let shown = file.view(offset, USUAL_RECORD, |bytes| {
            let (words, is_cut) = self.words_of_record(offset, bytes)?;
            is_long = is_cut && !has_end(words.as_chunks().0);
            (!is_long).then(|| show(Words { all: words, safe: words }))
        });
        if !is_long {
            return shown.ok()?;
        }
        // Of a record that others overlap, decoding reads the first bytes only. The rest may rule the game
        // out, but it is not shown.
        let shown = file.view(offset, LONGEST_LINE, |bytes| {
            let (safe, _) =
                self.words_of_record(offset, bytes.get(..FREE_BYTES.min(bytes.len()))?)?;
            Some(show(Words { all: self.words_of_record(offset, bytes)?.0, safe }))
        });
        shown.ok()?
    }

    /// Returns the words of moves from the usual start position in the first bytes of a record, and
    /// whether the record is longer.
    #[inline]
    fn words_of_record<'a>(&self, offset: u64, record: &'a [u8]) -> Option<(&'a [u8], bool)> {
        let frame = parse_frame(record)?;
        let size = u64::from(frame.size).saturating_add(FRAME_START as u64);
        let is_whole = offset.saturating_add(size) <= self.moves_size;
        let end = usize::try_from(size).unwrap_or(usize::MAX).min(record.len());
        let (mark, words) = record.get(FRAME_START..end)?.split_first_chunk()?;
        let is_line = [TAG_GAME, TAG_CHESS960].contains(&frame.tag)
            && u16::from_le_bytes(*mark) == word::MOVES;
        (is_whole && is_line).then_some((words, size > record.len() as u64))
    }
}

/// The words of a main line.
#[derive(Clone, Copy)]
struct Words<'a> {
    /// All words that were read.
    all: &'a [u8],
    /// The words that decoding reads, too.
    safe: &'a [u8],
}

impl<R: ReadAt + Send + Sync> SearchIndex for Database<R> {
    fn prefilter(&self, state: &mut State, range: Range<u64>, query: &Query, rows: &mut IndexRows) {
        match rows {
            // No header is read here, so that no file is read twice.
            IndexRows::Numbers(numbers) => numbers.extend(range),
            IndexRows::Stats(stats) => stats.extend(range.map(StatRow::new)),
            IndexRows::Names(names) => self.each_candidate(state, range, query, |game, record| {
                let is_game = |record: &&[u8; RECORD_SIZE]| kind_of(*record) == RecordKind::Game;
                let ids = match record.filter(is_game) {
                    Some(record) => ids_of(RawRecord(record)),
                    None => record.and_then(summary_of).map(|summary| summary.names),
                };
                names.push((game, ids));
            }),
            rows => self.each_candidate(state, range, query, |game, record| {
                rows.push_with(game, || record.and_then(summary_of));
            }),
        }
    }

    fn summarize(&self, state: &mut State, game: u64) -> Option<IndexSummary> {
        summary_of(&self.read_header(state, game).ok()?)
    }

    fn walk_main_line(&self, state: &mut State, game: u64, each: &mut Walk<'_>) -> bool {
        let Ok(record) = self.read_header(state, game) else { return false };
        let mut walk = |words: Words<'_>| walk_moves(words.safe, each);
        self.with_words(state, RawRecord(&record).moves(), &mut walk).unwrap_or(false)
    }

    /// Reads header and moves once. The words of the moves rule most games out before any move is played.
    fn visit_main_line(
        &self,
        state: &mut State,
        game: u64,
        query: &Query,
        scratch: &mut Game,
        visit: &mut Visit<'_>,
    ) -> Result<(), Error> {
        let (mut shown, sought) = (LineVisit::new(query, visit), Sought::of(query));
        let header = &mut scratch.header;
        let parse = |bytes: &[u8; RECORD_SIZE]| {
            let record = RawRecord(bytes);
            // Records of other kinds have other fields.
            let is_game = [RecordKind::Game, RecordKind::Unknown].contains(&record.kind());
            let may_reach = sought.is_none_or(|sought| has_time_for(record, sought.captures()));
            (is_game && may_reach).then(|| fill_values(record, header));
            (is_game, may_reach, record.moves())
        };
        let record = self.view_header(state, game, parse);
        let is_done = match record {
            Some((true, false, _)) => true,
            Some((true, true, moves)) => self
                .with_words(state, moves, &mut |words| {
                    if sought.is_some_and(|sought| !may_be_reached(sought, words.all)) {
                        return true;
                    }
                    let header = &scratch.header;
                    walk_moves(words.safe, &mut |position, m| shown.show(header, position, m))
                })
                .unwrap_or(false),
            _ => false,
        };
        if is_done {
            return Ok(());
        }
        let read = self.game_with(state, game, scratch, &mut Diagnostics::lenient());
        shown.show_rest(scratch);
        read
    }

    fn name(&self, state: &mut State, field: NameField, id: u32, name: &mut String) {
        if field == NameField::Round {
            let [r1, r2, s1, s2] = id.to_le_bytes();
            let (round, subround) = (i16::from_le_bytes([r1, r2]), i16::from_le_bytes([s1, s2]));
            return push_round(round, subround, name);
        }
        name.clear();
        if let Some(id) = id.checked_sub(1)
            && self.push_entity(state, field, id, name).is_none()
        {
            name.clear();
        }
        if name.is_empty() {
            name.push('?');
        }
    }
}

/// Sets the result, the date and the ratings of a header.
fn fill_values(record: RawRecord<'_>, header: &mut Header) {
    header.result = result_of(record.result()).map_or(GameResult::Unknown, |(result, _)| result);
    header.date = parse_date(record.date()).0;
    [header.white_elo, header.black_elo] = record.elo().map(elo_of);
}

fn elo_of(elo: i16) -> Option<Elo> {
    u16::try_from(elo).ok().and_then(Elo::new)
}

/// Returns the summary of a record. `None` if its ids do not fit, or if it is an analysis, whose
/// names are elsewhere.
///
/// Ids are stored plus one, so that 0 means an unknown name.
fn summary_of(bytes: &[u8; RECORD_SIZE]) -> Option<IndexSummary> {
    match kind_of(bytes) {
        RecordKind::Analysis => None,
        RecordKind::Text => {
            // The fields that a text lacks have their values in a game without moves.
            let game = GameRecord { kind: RecordKind::Game, ..parse_game_record(bytes) };
            summary_of_game(RawRecord(&game.encode()))
        }
        _ => summary_of_game(RawRecord(bytes)),
    }
}

/// Returns the ids of the names in the order of [`NameField`], or `None` if they do not fit.
fn ids_of(record: RawRecord<'_>) -> Option<[u32; 5]> {
    let id = |id: i64| match u32::try_from(id) {
        Ok(id) => id.checked_add(1),
        Err(_) => (id < 0).then_some(0),
    };
    let [white, black, event] = record.names();
    let (white, black, event) = (id(white)?, id(black)?, id(event)?);
    let [[r1, r2], [s1, s2]] = record.round().map(i16::to_le_bytes);
    Some([white, black, event, event, u32::from_le_bytes([r1, r2, s1, s2])])
}

fn summary_of_game(record: RawRecord<'_>) -> Option<IndexSummary> {
    let mut summary = IndexSummary::default();
    summary.names = ids_of(record)?;
    summary.result = result_of(record.result()).map_or(GameResult::Unknown, |(result, _)| result);
    summary.date = parse_date(record.date()).0;
    [summary.white_elo, summary.black_elo] = record.elo().map(elo_of);
    summary.eco = eco_of(record.eco()).unwrap_or(None);
    summary.deleted = record.is_deleted();
    summary.moves = length_of(record);
    Some(summary)
}

/// Returns whether the main line is long enough for `captures`.
fn has_time_for(record: RawRecord<'_>, captures: u32) -> bool {
    length_of(record).is_none_or(|moves| captures <= moves.saturating_mul(2))
}

/// Returns the number of moves of a game from the usual start position, if the record tells it. A program
/// that counts no moves leaves 0.
fn length_of(record: RawRecord<'_>) -> Option<u32> {
    let from_usual_start = record.kind() == RecordKind::Game && record.flags() & SETUP == 0;
    u32::try_from(record.length()).ok().filter(|moves| from_usual_start && *moves > 0)
}
