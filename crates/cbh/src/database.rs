//! Reading of games.

use std::fmt;

use chess_core::{Game, Header, Position};
use chess_store::io::{CachedFile, PageCache, ReadAhead, ReadAheadFile, ReadAt};
use chess_store::{
    AnyError, Describe, Diagnostics, Encoding, Field, GuidingText, Input, Location, ReadGames,
    RecordBounds, TextDecoder, Warning,
};

use crate::annotations::comments::AnnotationFormatter;
use crate::annotations::dialect::Dialect;
use crate::annotations::items::{Items, parse_annotations_header};
use crate::decode::{Buffers, decode_moves};
use crate::derived::{Derived, Facts};
use crate::entities::kind::EntityKind;
use crate::error::{Error, ErrorKind};
use crate::extended::{Extended, ExtendedHeader, parse_extended};
use crate::game::{HeaderDecoder, Scratch, end_of, in_file, push_line, push_start};
use crate::header::{FileHeader, GameRecord, parse_game_record};
use crate::layout::{ANNOTATIONS_HEADER, EXTENDED_RECORD, RECORD_SIZE};
use crate::moves::mode::Mode;
use crate::name_texts::NameTexts;
use crate::names::Names;
use crate::options::Texts;
use crate::parts::Parts;
use crate::quirk::Quirk;
use crate::record::{RECORD_HEADER, RecordHeader, parse_record_header};
use crate::records::Records;
use crate::setup::{self, FIRST, parse_setup};
use crate::texts::{parse_text, parse_text_record};
use crate::tree::Tree;

/// A base that is open for reading.
///
/// It is immutable, so threads may share it. [`reader`](Database::reader) creates a reader for
/// random access, one for each thread. [`games`](Database::games) iterates over all games.
pub struct Database<R = Option<Input>> {
    pub(crate) parts: Parts<R>,
    pub(crate) header: FileHeader,
    pub(crate) records: Records,
    pub(crate) extended: Option<ExtendedHeader>,
    pub(crate) moves_size: u64,
    pub(crate) names: Names,
    pub(crate) name_texts: NameTexts,
    pub(crate) text: TextDecoder,
    /// The encoding detected in the texts, if any.
    pub(crate) detected_encoding: Option<Encoding>,
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
    more: PageCache,
    pub(crate) moves: PageCache,
    annotations: PageCache,
    pub(crate) record: Vec<u8>,
    pub(crate) notes: Vec<u8>,
    pub(crate) tree: Tree,
    pub(crate) items: Items,
    pub(crate) memory: Buffers,
    scratch: Scratch,
}

impl State {
    /// The headers behind the read-ahead buffer of a search.
    pub(crate) fn header_file<'a, R: ReadAt>(
        &'a self,
        file: &'a R,
    ) -> ReadAheadFile<'a, CachedFile<'a, R>> {
        self.read_ahead.cached(self.headers.cached(file))
    }
}

/// The first read of a record in bytes. It covers most games.
const USUAL_RECORD: usize = 512;

/// A game's `.cbh` record and its `.cbj` record.
pub(crate) struct RawGame {
    pub(crate) record: GameRecord,
    pub(crate) extended: Extended,
    /// The record number, from 1.
    pub(crate) number: u32,
    /// The location of the record.
    pub(crate) at: Location,
}

impl RawGame {
    /// Returns the offset of the moves, which may exceed 4 GiB.
    // cbh §7 "Extended headers"
    pub(crate) fn moves(&self) -> u64 {
        full_offset(self.record.moves, self.extended.moves)
    }

    /// Returns the offset of the annotations; 0 if there are none.
    pub(crate) fn annotations(&self) -> u64 {
        full_offset(self.record.annotations, self.extended.annotations)
    }
}

/// Returns the 64-bit offset `all` if its lower half agrees with the 32-bit offset `low`; else
/// `low`.
fn full_offset(low: u32, all: Option<u64>) -> u64 {
    all.filter(|all| all & 0xffff_ffff == u64::from(low)).unwrap_or(u64::from(low))
}

/// The result of decoding a game's moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoded {
    pub(crate) mode: Mode,
    /// The start position, if the record has one.
    pub(crate) start: Option<Position>,
}

impl<R: ReadAt> Database<R> {
    /// Returns the header of the `.cbh`.
    #[must_use]
    pub fn file_header(&self) -> FileHeader {
        self.header
    }

    /// Returns a file of the base by its extension, if it exists.
    #[must_use]
    pub fn file(&self, extension: &str) -> Option<&R> {
        self.parts.get(extension)
    }

    /// Returns the `.cbh` record of a game, counted from zero.
    ///
    /// # Errors
    /// I/O errors; if the game does not exist.
    pub fn record(&self, game: u64) -> Result<GameRecord, Error> {
        let number = self.records.number_of(game)?;
        self.read_record(&self.parts.cbh, number, self.records.place(number).in_game(game))
    }

    /// Iterates over the guiding texts of the base, which are not games.
    ///
    /// A damaged text yields an error, and the iterator continues with the next one.
    pub fn guiding_texts(&self) -> impl Iterator<Item = Result<GuidingText, Error>> + '_ {
        self.records.texts.iter().map(|number| self.guiding_text(*number))
    }

    fn guiding_text(&self, number: u32) -> Result<GuidingText, Error> {
        let at = self.records.place(number);
        let record = parse_text_record(&self.read_record_bytes(&self.parts.cbh, number, at)?);
        let (_, raw) = self.raw(&mut State::default(), number, at)?;
        let (offset, mut bytes) = (full_offset(record.moves, raw.moves), Vec::new());
        let at_text = self.read_moves(&self.parts.cbg, offset, at, &mut bytes)?.1;
        let damaged = || ErrorKind::Annotations("the text cannot be read").at(at_text);
        let mut text = parse_text(&bytes, &self.text).ok_or_else(damaged)?;
        text.games_before = self.records.games_before(number);
        let diagnostics = &mut Diagnostics::lenient();
        let (names, texts) = (&self.names, &self.name_texts);
        let mut decoder = HeaderDecoder { names, texts, text: self.text, diagnostics, at };
        decoder.decode_text(&record, &mut text.header)?;
        Ok(text)
    }

    pub(crate) fn read_record(
        &self,
        file: &impl ReadAt,
        number: u32,
        at: Location,
    ) -> Result<GameRecord, Error> {
        Ok(parse_game_record(&self.read_record_bytes(file, number, at)?))
    }

    pub(crate) fn read_record_bytes(
        &self,
        file: &impl ReadAt,
        number: u32,
        at: Location,
    ) -> Result<[u8; RECORD_SIZE], Error> {
        let mut bytes = [0; RECORD_SIZE];
        let offset = u64::from(number).saturating_mul(RECORD_SIZE as u64);
        file.read_full(offset, &mut bytes).map_err(Error::io(at))?;
        Ok(bytes)
    }

    /// Reads the `.cbj` record of a game. Returns it with the location of the game.
    fn raw(
        &self,
        state: &mut State,
        number: u32,
        at: Location,
    ) -> Result<(Location, Extended), Error> {
        let (Some(file), Some(header)) = (&self.parts.cbj, self.extended) else {
            return Ok((at, Extended::NONE));
        };
        let mut bytes = [0; EXTENDED_RECORD];
        let size = usize::try_from(header.size).unwrap_or(usize::MAX);
        let wanted = bytes.get_mut(..size.min(EXTENDED_RECORD)).unwrap_or_default();
        let offset = header.offset(u64::from(number));
        let at = in_file("cbj", at, offset);
        let count = state.more.cached(file).read_full(offset, wanted).map_err(Error::io(at))?;
        Ok((at, parse_extended(bytes.get(..count).unwrap_or_default())))
    }

    pub(crate) fn read_raw(&self, state: &mut State, game: u64) -> Result<RawGame, Error> {
        let number = self.records.number_of(game)?;
        let at = self.records.place(number).in_game(game);
        let record = self.read_record(&state.header_file(&self.parts.cbh), number, at)?;
        let extended = self.raw(state, number, at)?.1;
        Ok(RawGame { record, extended, number, at })
    }

    fn decode_header(
        &self,
        raw: &RawGame,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let (names, texts, text, at) = (&self.names, &self.name_texts, self.text, raw.at);
        let mut decoder = HeaderDecoder { names, texts, text, diagnostics, at };
        decoder.decode(&raw.record, &raw.extended, header)
    }

    /// Reads a record of the `.cbg`, or the part that exists. Returns its header and location.
    // cbh §4.1 "Header and record"
    pub(crate) fn read_moves(
        &self,
        file: &impl ReadAt,
        start: u64,
        at: Location,
        buffer: &mut Vec<u8>,
    ) -> Result<(RecordHeader, Location), Error> {
        if self.moves_size == 0 {
            return Err(ErrorKind::NoMoves.at(at));
        }
        if start >= self.moves_size {
            return Err(ErrorKind::GameOffset(start, self.moves_size).at(at));
        }
        let at = in_file("cbg", at, start);
        file.read_into(start, USUAL_RECORD, buffer).map_err(Error::io(at))?;
        let short = |count| ErrorKind::RecordSize(count).at(at);
        let header = parse_record_header(buffer).ok_or_else(|| short(0))?;
        let size = usize::try_from(header.size).unwrap_or(usize::MAX);
        if size < RECORD_HEADER {
            return Err(short(header.size));
        }
        let size = self.record_extent(&self.move_bounds, start, size, RawGame::moves);
        if size > buffer.len() {
            file.read_into(start, size, buffer).map_err(Error::io(at))?;
        }
        buffer.truncate(size);
        Ok((header, at))
    }

    /// Returns the number of bytes to read of a record. Records that overlap many others are
    /// truncated.
    // cbh §4.1.7, §5.1.9
    fn record_extent(
        &self,
        bounds: &RecordBounds,
        start: u64,
        size: usize,
        place: impl Fn(&RawGame) -> u64 + Copy,
    ) -> usize {
        bounds.max_extent(start, size, || {
            let mut state = State::default();
            (0..self.records.count).filter_map(move |game| {
                let raw = self.read_raw(&mut state, game).ok()?;
                Some(place(&raw)).filter(|place| *place > 0)
            })
        })
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
        let file = state.moves.cached(&self.parts.cbg);
        let (header, at) = self.read_moves(&file, raw.moves(), raw.at, &mut state.record)?;
        if header.is_text() && parse_text(&state.record, &self.text).is_some() {
            return Err(ErrorKind::TextRecord.at(at));
        }
        let mode = Mode::of(header.mode()).ok_or_else(|| ErrorKind::Mode(header.mode()).at(at))?;
        let mut body = RECORD_HEADER;
        let mut start = None;
        if header.has_setup() {
            let bytes = state.record.get(body..).unwrap_or_default();
            let setup = parse_setup(bytes, mode.is_chess960());
            let setup = setup.ok_or_else(|| ErrorKind::SetupCut.at(at))?;
            if setup.first != FIRST {
                return Err(ErrorKind::Setup(setup.first).at(at));
            }
            let (position, quirk) = setup.position();
            if let Some(quirk) = quirk {
                diagnostics.note(quirk, at)?;
            }
            start = Some(position);
            body = body.saturating_add(setup::size(mode.is_chess960()));
        }
        let mut position = start.unwrap_or_else(Position::start);
        *decoded = Some(Decoded { mode, start });
        let moves = state.record.get(body..).unwrap_or_default();
        let at_moves = at.at(at.offset.unwrap_or(0).saturating_add(body as u64));
        let (tree, memory) = (&mut state.tree, &mut state.memory);
        let result = decode_moves(moves, mode, &mut position, tree, memory, diagnostics, at_moves);
        let start = start.map(|_| position);
        *decoded = Some(Decoded { mode, start });
        // If the record was truncated, that is the cause of the damage in its moves.
        let (wanted, there) = (u64::from(header.size), state.record.len() as u64);
        if there < wanted {
            let size = usize::try_from(header.size).unwrap_or(usize::MAX);
            let allowed = self.record_extent(&self.move_bounds, raw.moves(), size, RawGame::moves);
            let shared = allowed == state.record.len();
            let kind = if shared { ErrorKind::SharedRecord } else { ErrorKind::RecordCut };
            return Err(kind(wanted, there).at(at));
        }
        result
    }

    /// Reads the annotations of the game whose tree is in `state`.
    // cbh §5.1 "Record"
    pub(crate) fn read_annotations(
        &self,
        state: &mut State,
        raw: &RawGame,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        state.items.clear();
        let start = raw.annotations();
        if start == 0 {
            return Ok(());
        }
        let Some(file) = &self.parts.cba else {
            return Ok(diagnostics.note(Quirk::NoAnnotations, raw.at)?);
        };
        let at = in_file("cba", raw.at, start);
        let file = state.annotations.cached(file);
        file.read_into(start, USUAL_RECORD, &mut state.notes).map_err(Error::io(at))?;
        let size = parse_annotations_header(&state.notes).map_or(0, |header| header.size);
        let whole = usize::try_from(size).unwrap_or(usize::MAX).max(ANNOTATIONS_HEADER);
        let size = self.record_extent(&self.annotation_bounds, start, whole, RawGame::annotations);
        if size < whole {
            diagnostics.note(Quirk::SharedAnnotations, at)?;
        }
        if size > state.notes.len() {
            file.read_into(start, size, &mut state.notes).map_err(Error::io(at))?;
        }
        state.notes.truncate(size);
        let moves = (state.tree.moves(), end_of(&state.tree));
        state.items.read(&state.notes, raw.number, moves, diagnostics, at)
    }

    /// Computes the header fields that follow from the game in `state`.
    pub(crate) fn derived(&self, state: &State, decoded: Decoded) -> Derived {
        let chess960 = decoded.mode.is_chess960();
        let facts = Facts::new(decoded.start.as_ref(), chess960, &state.tree);
        let items = state.items.all(&state.notes);
        Derived::new(&facts, items.map(|item| (item.kind, item.data)))
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
        self.decode_header(&raw, header, diagnostics)
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
        self.decode_header(&raw, &mut into.header, diagnostics)?;
        let mut decoded = None;
        let result = self.decode_tree(state, &raw, &mut decoded, diagnostics);
        if let Some(decoded) = decoded {
            push_start(decoded.start, decoded.mode.is_chess960(), into);
        }
        // Annotations are reported even if the moves end early.
        let read = self.read_annotations(state, &raw, diagnostics);
        let State { tree, items, notes, scratch, .. } = state;
        let (text, exact, dialect) = (self.text, self.exact, Dialect::Classic);
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
        let mut found = Vec::new();
        for kind in EntityKind::ALL {
            let file = kind.file();
            found.extend(self.check_names(kind).iter().map(|what| format!(".{file}: {what}")));
        }
        found.extend(self.check_references()?);
        found.extend(self.check_sizes()?);
        Ok(found)
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
        Ok(Some(self.guiding_text(*number)?))
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
