//! Reading of games.

use std::fmt;

use chess_core::{Game, Header, Position};
use chess_store::io::{CachedFile, PageCache, ReadAhead, ReadAheadFile, ReadAt};
use chess_store::{
    AnyError, Describe, Diagnostics, Field, GuidingText, Input, Location, ReadGames, RecordBounds,
    TextDecoder, Warning,
};

use super::blocks::read_blocks;
use super::decode::{Branch, Content, decode_moves, split_content};
use super::entities::{EntityHeader, EntityType, FieldReader, Found, parse_titles, read_entity};
use super::entity_cache::EntityCache;
use super::frame::{EMPTY_ANNOTATIONS, EMPTY_FRAME, Frame, checksum, parse_frame};
use super::header::{FileHeader, GameRecord, RecordKind, kind_of, long, parse_game_record};
use super::header_tags::HeaderDecoder;
use super::layout::{
    BLOCKS_END, FRAME_START, RECORD_SIZE, TAG_ANNOTATIONS, TAG_CHESS960, TAG_GAME, TAG_TEXT,
};
use super::parts::Parts;
use super::quirk::Quirk;
use super::texts::parse_contents;
use crate::annotations::comments::AnnotationFormatter;
use crate::annotations::dialect::Dialect;
use crate::annotations::items::Items;
use crate::error::{Error, ErrorKind};
use crate::game::{Scratch, in_file, pgn_end_of, push_line, push_start};
use crate::options::Texts;
use crate::records::Records;
use crate::texts::Numbering;
use crate::tree::Tree;

/// A base that is open for reading.
///
/// It is immutable, so threads may share it. [`reader`](Database::reader) creates a reader for
/// random access, one for each thread. [`games`](Database::games) iterates over all games. Names
/// are read when a game needs them, so memory does not grow with the base.
pub struct Database<R = Input> {
    pub(crate) parts: Parts<R>,
    pub(crate) header: FileHeader,
    pub(crate) records: Records,
    pub(crate) entities: Option<EntityHeader>,
    pub(crate) moves_size: u64,
    pub(crate) text: TextDecoder,
    pub(crate) exact: bool,
    pub(crate) texts: Texts,
    pub(crate) move_bounds: RecordBounds,
    pub(crate) annotation_bounds: RecordBounds,
    pub(crate) warnings: Vec<Warning>,
}

/// The buffers of one reader of a [`Database`].
#[derive(Debug, Default)]
pub struct State {
    pub(crate) headers: PageCache,
    /// The headers that a search has read last.
    pub(crate) read_ahead: ReadAhead,
    pub(crate) moves: PageCache,
    annotations: PageCache,
    cache: EntityCache,
    /// The fields of an entity.
    pub(crate) fields: Vec<u8>,
    /// The content of a record of moves.
    pub(crate) content: Vec<u8>,
    /// The content of a record of annotations.
    pub(crate) notes: Vec<u8>,
    pub(crate) tree: Tree,
    pub(crate) items: Items,
    branches: Vec<Branch>,
    scratch: Scratch,
}

impl State {
    /// The headers behind the read-ahead buffer of a search.
    fn header_file<'a, R: ReadAt>(&'a self, file: &'a R) -> ReadAheadFile<'a, CachedFile<'a, R>> {
        self.read_ahead.cached(self.headers.cached(file))
    }
}

/// The first read of a record in bytes. It covers most games.
pub(crate) const USUAL_RECORD: usize = 512;
/// The first bytes of a record, which are read even if others overlap it: about ten times a header.
// cbh2 §4.1.5
pub(crate) const FREE_BYTES: usize = 2048;

/// Returns the offset of the moves in the first bytes of a record.
fn offset_of_moves(start: &[u8]) -> i64 {
    long(start, 0x08)
}

/// Returns the offset of the annotations in the first bytes of a record. A guiding text has none: it
/// has the number of a tournament there. // cbh2 §4.1.5
fn offset_of_annotations(start: &[u8]) -> i64 {
    if kind_of(start) == RecordKind::Text { 0 } else { long(start, 0x10) }
}

/// A record of the `.2cbh` and its place.
pub(crate) struct RawGame {
    pub(crate) record: GameRecord,
    /// The location of the record.
    pub(crate) at: Location,
}

/// The result of decoding a game's moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoded {
    /// The start position, if the game has one of its own.
    pub(crate) start: Option<Position>,
    pub(crate) chess960: bool,
}

/// A record of `.2cbg` or `.2cba` as read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Framed {
    pub(crate) frame: Frame,
    /// The location of the record.
    pub(crate) at: Location,
    /// The size of the content that should be there and is not.
    pub(crate) missing: u64,
    /// Whether the record was cut because it overlaps many others.
    pub(crate) shared: bool,
    /// The size at the end of the record, if the first read covered it.
    end: Option<u64>,
}

#[inline]
fn read_header_bytes(
    file: &impl ReadAt,
    number: u32,
    at: Location,
) -> Result<[u8; RECORD_SIZE], Error> {
    let mut bytes = [0; RECORD_SIZE];
    let offset = u64::from(number).saturating_mul(RECORD_SIZE as u64);
    file.read_full(offset, &mut bytes).map_err(Error::io(at))?;
    Ok(bytes)
}

impl<R: ReadAt> Database<R> {
    /// Returns the header of the `.2cbh`.
    #[must_use]
    pub fn file_header(&self) -> FileHeader {
        self.header
    }

    /// Returns a file of the base by its extension, if it exists.
    #[must_use]
    pub fn file(&self, extension: &str) -> Option<&R> {
        self.parts.get(extension)
    }

    /// Returns the `.2cbh` record of a game, counted from zero.
    ///
    /// # Errors
    /// I/O errors; if the game does not exist.
    pub fn record(&self, game: u64) -> Result<GameRecord, Error> {
        Ok(self.read_raw(&State::default(), game)?.record)
    }

    /// Iterates over the guiding texts of the base, which are not games.
    ///
    /// A damaged text yields an error, and the iterator continues with the next one.
    pub fn guiding_texts(&self) -> impl Iterator<Item = Result<GuidingText, Error>> + '_ {
        let mut state = State::default();
        self.records.texts.iter().map(move |number| self.guiding_text(&mut state, *number))
    }

    fn guiding_text(&self, state: &mut State, number: u32) -> Result<GuidingText, Error> {
        let at = self.records.place(number);
        let record = self.read_record(&self.parts.headers, number, at)?;
        let mut diagnostics = Diagnostics::lenient();
        let framed = self.read_moves(state, record.moves, at, &mut diagnostics)?;
        let damaged = || ErrorKind::Annotations("the text cannot be read").at(framed.at);
        let contents = parse_contents(&state.content, &self.text).ok_or_else(damaged)?;
        let mut text = GuidingText::default();
        text.games_before = self.records.games_before(number);
        text.contents = contents;
        text.is_html = true;
        let raw = RawGame { record: GameRecord { title: -1, ..record }, at };
        self.decode_header(state, &raw, &mut text.header, &mut Diagnostics::lenient())?;
        if let (Some(file), Some(header)) = (&self.parts.entities, &self.entities) {
            let bytes = &mut state.fields;
            let found = read_entity(file, header, EntityType::Title, record.title, bytes)?;
            if found == Found::Fields {
                for (language, title) in parse_titles(&mut FieldReader::new(bytes)) {
                    if let (Ok(language), false) = (u16::try_from(language), title.is_empty()) {
                        let language = Numbering::Nation.code(language);
                        text.titles.push((language, self.text.decode(title).into_owned()));
                    }
                }
            }
        }
        Ok(text)
    }

    #[inline]
    pub(crate) fn read_record(
        &self,
        file: &impl ReadAt,
        number: u32,
        at: Location,
    ) -> Result<GameRecord, Error> {
        Ok(parse_game_record(&read_header_bytes(file, number, at)?))
    }

    /// Reads the bytes of the header of a game, for callers that need few of its fields.
    pub(crate) fn read_header(&self, state: &State, game: u64) -> Result<[u8; RECORD_SIZE], Error> {
        let number = self.records.number_of(game)?;
        let at = self.records.place(number).in_game(game);
        read_header_bytes(&state.header_file(&self.parts.headers), number, at)
    }

    /// Passes the header of a game to `parse`. Returns `None` if it cannot be read.
    #[inline]
    pub(crate) fn view_header<T>(
        &self,
        state: &State,
        game: u64,
        mut parse: impl FnMut(&[u8; RECORD_SIZE]) -> T,
    ) -> Option<T> {
        let number = self.records.number_of(game).ok()?;
        let offset = u64::from(number).saturating_mul(RECORD_SIZE as u64);
        let headers = state.headers.cached(&self.parts.headers);
        headers.view(offset, RECORD_SIZE, |bytes| bytes.first_chunk().map(&mut parse)).ok()?
    }

    // Inlined, so that the record is not copied twice.
    #[inline(always)]
    pub(crate) fn read_raw(&self, state: &State, game: u64) -> Result<RawGame, Error> {
        let number = self.records.number_of(game)?;
        let at = self.records.place(number).in_game(game);
        let record = self.read_record(&state.header_file(&self.parts.headers), number, at)?;
        Ok(RawGame { record, at })
    }

    fn decode_header(
        &self,
        state: &mut State,
        raw: &RawGame,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let (text, at) = (self.text, raw.at);
        let cache = &mut state.cache;
        // Each entity has a page of its own, so the page cache does not help.
        let entities = self.parts.entities.as_ref().zip(self.entities.as_ref());
        let mut decoder = HeaderDecoder { entities, text, diagnostics, at, cache };
        decoder.decode(&raw.record, header)
    }

    /// Reads the content of a record of the `.2cbg`, or the part that exists.
    // cbh2 §4.1 "Header and record"
    pub(crate) fn read_moves(
        &self,
        state: &mut State,
        start: i64,
        at: Location,
        diagnostics: &mut Diagnostics,
    ) -> Result<Framed, Error> {
        state.content.clear();
        let Some(file) = self.parts.moves.as_ref().filter(|_| self.moves_size > 0) else {
            return Err(ErrorKind::NoMoves.at(at));
        };
        let offset = u64::try_from(start).ok().filter(|start| *start < self.moves_size);
        let Some(offset) = offset else {
            let start = u64::try_from(start).unwrap_or(u64::MAX);
            return Err(ErrorKind::GameOffset(start, self.moves_size).at(at));
        };
        let at = in_file("2cbg", at, offset);
        let file = state.moves.cached(file);
        let bounds = (&self.move_bounds, offset_of_moves as fn(&[u8]) -> i64);
        let framed = self.read_frame(&file, (offset, at), bounds, &mut state.content)?;
        let framed =
            framed.ok_or_else(|| ErrorKind::Frame("it does not begin with its mark").at(at))?;
        self.check_frame(&file, &framed, &state.content, diagnostics)?;
        if ![TAG_GAME, TAG_CHESS960, TAG_TEXT].contains(&framed.frame.tag) {
            diagnostics.note(Quirk::FrameTag, at)?;
        }
        Ok(framed)
    }

    /// Reads the content of a record. Returns `None` if there is no record at this place.
    fn read_frame(
        &self,
        file: &impl ReadAt,
        (offset, at): (u64, Location),
        (bounds, place): (&RecordBounds, fn(&[u8]) -> i64),
        buffer: &mut Vec<u8>,
    ) -> Result<Option<Framed>, Error> {
        file.read_into(offset, USUAL_RECORD, buffer).map_err(Error::io(at))?;
        let Some(frame) = parse_frame(buffer) else {
            return Ok(None);
        };
        let size = usize::try_from(frame.size).unwrap_or(usize::MAX);
        let claimed = size.saturating_add(FRAME_START);
        // Offsets come first in records of every kind.
        let starts = || self.records.each_record(&self.parts.headers, place);
        let extent = bounds
            .max_extent(offset, claimed, || starts().filter_map(|start| u64::try_from(start).ok()));
        if extent > buffer.len() {
            file.read_into(offset, extent, buffer).map_err(Error::io(at))?;
        }
        let end = usize::try_from(frame.whole()).ok().and_then(|whole| {
            let end = buffer.get(..whole)?.last_chunk();
            end.map(|size| u64::from_le_bytes(*size))
        });
        buffer.truncate(extent);
        buffer.drain(..FRAME_START.min(buffer.len()));
        let missing = size.saturating_sub(buffer.len()) as u64;
        Ok(Some(Framed { frame, at, missing, shared: extent < claimed, end }))
    }

    /// Compares the checksum and the size at the end of a whole record.
    fn check_frame(
        &self,
        file: &impl ReadAt,
        framed: &Framed,
        content: &[u8],
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let Framed { frame, at, missing, .. } = framed;
        if framed.end == Some(frame.whole()) && checksum(content) == frame.checksum {
            return Ok(());
        }
        if *missing > 0 {
            return Ok(());
        }
        if checksum(content) != frame.checksum {
            diagnostics.note(Quirk::Checksum, *at)?;
        }
        let end = at.offset.unwrap_or(0).saturating_add(frame.whole()).saturating_sub(8);
        let mut size = [0; 8];
        let count = file.read_full(end, &mut size).map_err(Error::io(*at))?;
        if count < size.len() || u64::from_le_bytes(size) != frame.whole() {
            diagnostics.note(Quirk::FrameEnd, at.at(end))?;
        }
        Ok(())
    }

    /// Decodes the moves of a game into the tree of `state`. After an error, the tree holds the
    /// moves before the damage.
    pub(crate) fn decode_tree(
        &self,
        state: &mut State,
        raw: &RawGame,
        decoded: &mut Option<Decoded>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        state.tree.clear();
        let framed = self.read_moves(state, raw.record.moves, raw.at, diagnostics)?;
        let Framed { frame, at, .. } = framed;
        if frame.tag == TAG_TEXT {
            return Err(ErrorKind::TextRecord.at(at));
        }
        let at = at.at(at.offset.unwrap_or(0).saturating_add(FRAME_START as u64));
        let Content { start, moves, offset } = split_content(&state.content, at)?;
        if let Some(quirk) = start.and_then(|start| start.quirk) {
            diagnostics.note(quirk, at)?;
        }
        let mut position = start.map_or_else(Position::start, |start| start.position);
        // The tag of the record and the opening of the header do not count. cbh2 §4.5.10
        let chess960 = start.is_some_and(|start| start.chess960);
        let has_setup = start.is_some() && position != Position::start();
        let at_moves = at.at(at.offset.unwrap_or(0).saturating_add(offset as u64));
        let State { tree, branches, .. } = state;
        let result =
            decode_moves(moves, &mut position, has_setup, tree, branches, diagnostics, at_moves);
        *decoded = Some(Decoded { start: has_setup.then_some(position), chess960 });
        // If the record was truncated, that is the cause of the damage in its moves.
        if framed.missing > 0 {
            let wanted = u64::from(frame.size);
            let kind = if framed.shared { ErrorKind::SharedRecord } else { ErrorKind::RecordCut };
            return Err(kind(wanted, wanted.saturating_sub(framed.missing)).at(framed.at));
        }
        result
    }

    /// Reads the annotations of the game whose tree is in `state`.
    // cbh2 §5.1 "Record"
    pub(crate) fn read_annotations(
        &self,
        state: &mut State,
        raw: &RawGame,
        diagnostics: &mut Diagnostics,
    ) -> Result<Option<Framed>, Error> {
        state.items.clear();
        state.notes.clear();
        let Some(file) = &self.parts.annotations else { return Ok(None) };
        let file = state.annotations.cached(file);
        let offset = u64::try_from(raw.record.annotations).unwrap_or(u64::MAX);
        let at = in_file("2cba", raw.at, offset);
        let mut start = [0; EMPTY_ANNOTATIONS.len()];
        file.read_full(offset, &mut start).map_err(Error::io(at))?;
        if start == EMPTY_ANNOTATIONS {
            // Most games have no annotations. Then there is nothing to find.
            state.notes.extend_from_slice(&BLOCKS_END.to_le_bytes());
            let frame = EMPTY_FRAME;
            let end = Some(frame.whole());
            return Ok(Some(Framed { frame, at, missing: 0, shared: false, end }));
        }
        let bounds = (&self.annotation_bounds, offset_of_annotations as fn(&[u8]) -> i64);
        let framed = self.read_frame(&file, (offset, at), bounds, &mut state.notes)?;
        let Some(framed) = framed.filter(|framed| framed.frame.tag == TAG_ANNOTATIONS) else {
            diagnostics.note(Quirk::NoAnnotations, raw.at)?;
            return Ok(None);
        };
        self.check_frame(&file, &framed, &state.notes, diagnostics)?;
        if framed.shared {
            diagnostics.note(Quirk::SharedAnnotations, at)?;
        }
        let moves = (state.tree.moves(), pgn_end_of(&state.tree, &mut state.scratch));
        let at = at.at(offset.saturating_add(FRAME_START as u64));
        read_blocks(&mut state.items, &mut state.notes, moves, diagnostics, at)?;
        Ok(Some(framed))
    }
}

chess_store::inherent!(ReadGames<Error> for [R: ReadAt + Send + Sync] Database<R>);

impl<R: ReadAt + Send + Sync> ReadGames for Database<R> {
    type Error = Error;
    type State = State;

    fn len(&self) -> u64 {
        self.records.games()
    }

    fn header_with(
        &self,
        state: &mut State,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let raw = self.read_raw(state, game)?;
        self.decode_header(state, &raw, header, diagnostics)
    }

    fn game_with(
        &self,
        state: &mut State,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        let raw = self.read_raw(state, game)?;
        self.decode_header(state, &raw, &mut into.header, diagnostics)?;
        let mut decoded = None;
        let result = self.decode_tree(state, &raw, &mut decoded, diagnostics);
        if let Some(decoded) = decoded {
            push_start(decoded.start, decoded.chess960, into);
        }
        // Annotations are reported even if the moves end early.
        let read = self.read_annotations(state, &raw, diagnostics);
        let State { tree, items, notes, scratch, .. } = state;
        let (text, exact, dialect) = (self.text, self.exact, Dialect::Modern);
        let notes = AnnotationFormatter { items, record: notes, text, dialect, exact };
        let pushed = push_line(tree, &notes, into, scratch);
        into.close_variations();
        result?;
        read?;
        pushed.map_err(|_| ErrorKind::TooMuchText.at(raw.at))
    }

    fn dump_with(
        &self,
        state: &mut State,
        game: u64,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Error> {
        self.dump(state, game, each)
    }

    fn verify_with(
        &self,
        state: &mut State,
        game: u64,
        _: &Game,
    ) -> Result<Vec<&'static str>, Error> {
        self.verify(state, game)
    }

    fn check(&self) -> Result<Vec<String>, Error> {
        self.check_base()
    }
}

impl<R: ReadAt + Send + Sync> Describe for Database<R> {
    fn details(&self) -> Vec<(&'static str, String)> {
        self.describe()
    }

    fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    fn text_count(&self) -> u64 {
        self.texts.offered(&self.records.texts).len() as u64
    }

    fn text(&self, number: u64) -> Result<Option<GuidingText>, AnyError> {
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        let Some(number) = self.texts.offered(&self.records.texts).get(place) else {
            return Ok(None);
        };
        Ok(Some(self.guiding_text(&mut State::default(), *number)?))
    }
}

impl<R> fmt::Debug for Database<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database")
            .field("header", &self.header)
            .field("records", &self.records.count)
            .field("texts", &self.records.texts.len())
            .finish_non_exhaustive()
    }
}
