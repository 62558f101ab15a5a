//! Creation of a base.

use std::fs::File;
use std::path::Path;

use chess_core::{Game, Position};
use chess_store::files::Staged;
use chess_store::io::{Appender, WriteAt};
use chess_store::{
    EncodeGames, GuidingText, Location, Loss, LossKind, Losses, ScratchEncoder, Trim, WriteGames,
};

use super::encode::RecordEncoder;
use super::encode_header::{GameNames, encode_header, encode_text_names};
use super::entity_table::{EntityNumbers, EntityTable, NAME_TYPES, SharedEntities};
use super::frame::{encode_frame, end_frame, start_frame};
use super::game_lists::GameLists;
use super::header::{FileHeader, GameRecord, Links, RecordKind, text_flags};
use super::layout::{FRAMES_HEADER, RECORD_SIZE, TAG_ANNOTATIONS, TAG_TEXT, VERSION};
use super::order::Role;
use super::orders::write_orders;
use super::parts::{EXTENSIONS, Parts};
use super::texts::encode_contents;
use crate::error::{Error, ErrorKind};
use crate::layout::ECO_CHESS960;
use crate::options::{CreateOptions, LongNames};
use crate::texts::{Numbering, html_contents};
use crate::writer::{complete, provided, stage};

/// Files that ChessBase keeps beside a base. After a base is replaced, old files would not match it.
const REGENERATED: [&str; 3] = ["ini", "cko", "cpo"];

/// The roles of the entities of a game, in the order of [`NAME_TYPES`].
const ROLES: [Role; 8] = [
    Role::Player,
    Role::Player,
    Role::Tournament,
    Role::Annotator,
    Role::Source,
    Role::Team,
    Role::Team,
    Role::GameTitle,
];

/// The largest number of games. Higher numbers do not fit the header of the file.
const MAX_GAMES: u32 = i32::MAX as u32 - 1;

/// Writes games into a new base.
///
/// Memory holds the entities, and for each of them a few numbers and at most 30 games. Derived data
/// (flags, magnitudes, material, endgames, checksums, lists and sort orders) is computed. Times of
/// creation are left at 0, so that the same games give the same bytes.
#[derive(Debug)]
pub struct Writer<F: WriteAt = File> {
    headers: Appender<F>,
    moves: Appender<F>,
    annotations: Appender<F>,
    entity_file: F,
    games: F,
    orders: F,
    entities: EntityTable,
    lists: GameLists,
    /// The number of records.
    count: u32,
    /// The number of guiding texts among them.
    texts: u32,
    long_names: LongNames,
    staged: Option<Staged>,
    own: ScratchEncoder<Writer<F>>,
}

impl Writer {
    /// Creates a base at `path`. Each file replaces the extension with its own.
    ///
    /// The files appear when [`finish`](Writer::finish) succeeds.
    ///
    /// # Errors
    /// I/O errors; [`ResourceBusy`](std::io::ErrorKind::ResourceBusy) while another program changes
    /// the base.
    pub fn create(path: impl AsRef<Path>) -> Result<Writer, Error> {
        Writer::create_with(path, &CreateOptions::default())
    }

    /// Like [`create`](Writer::create), with options.
    ///
    /// # Errors
    /// As [`create`](Writer::create).
    pub fn create_with(path: impl AsRef<Path>, options: &CreateOptions) -> Result<Writer, Error> {
        let (staged, mut created) = stage(path.as_ref(), "2cbh", &EXTENSIONS, &REGENERATED)?;
        let mut writer = Writer::new(|_| created.pop(), options)?;
        writer.staged = Some(staged);
        Ok(writer)
    }
}

impl Writer<Vec<u8>> {
    /// Creates a base in memory. [`into_bytes`](Writer::into_bytes) returns its files.
    #[must_use]
    #[inline]
    pub fn in_memory() -> Writer<Vec<u8>> {
        #[expect(clippy::unwrap_used, reason = "no file is missing, and memory does not fail")]
        Writer::in_memory_with(&CreateOptions::default()).unwrap()
    }

    /// Like [`in_memory`](Writer::in_memory), with options.
    ///
    /// # Errors
    /// No error is known to occur.
    #[inline]
    pub fn in_memory_with(options: &CreateOptions) -> Result<Writer<Vec<u8>>, Error> {
        Writer::new(|_| Some(Vec::new()), options)
    }

    /// Completes the base and returns the bytes of its files.
    ///
    /// # Errors
    /// No error is known to occur.
    #[inline]
    pub fn into_bytes(self) -> Result<Parts<Vec<u8>>, Error> {
        self.into_parts()
    }
}

impl<F: WriteAt> Writer<F> {
    /// Creates a base in empty files that the caller provides, one for each requested extension.
    ///
    /// # Errors
    /// I/O errors; if a file is not provided.
    pub fn new(
        mut file: impl FnMut(&'static str) -> Option<F>,
        options: &CreateOptions,
    ) -> Result<Writer<F>, Error> {
        let mut get = |extension| provided(file(extension), extension);
        let [headers, moves, annotations, entities, games, orders] = EXTENSIONS;
        let mut writer = Writer {
            headers: Appender::new(get(headers)?),
            moves: Appender::new(get(moves)?),
            annotations: Appender::new(get(annotations)?),
            entity_file: get(entities)?,
            games: get(games)?,
            orders: get(orders)?,
            entities: EntityTable::new(),
            lists: GameLists::new(),
            count: 0,
            texts: 0,
            long_names: options.long_names,
            staged: None,
            own: ScratchEncoder::default(),
        };
        // The headers are filled in at the end.
        writer.headers.push(&[0; RECORD_SIZE]).map_err(Error::io(Location::file("2cbh")))?;
        let start = [0; FRAMES_HEADER];
        writer.moves.push(&start).map_err(Error::io(Location::file("2cbg")))?;
        writer.annotations.push(&start).map_err(Error::io(Location::file("2cba")))?;
        Ok(writer)
    }

    /// Returns the number of games written. Guiding texts are not games.
    #[must_use]
    pub fn len(&self) -> u64 {
        u64::from(self.count.saturating_sub(self.texts))
    }

    /// Whether no game was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes a guiding text between the games. Adds the parts that the format cannot store to
    /// `losses`.
    ///
    /// # Errors
    /// I/O errors; if a title or a content is too long.
    // cbh2 §4.7 "Guiding texts"
    pub fn write_text(&mut self, text: &GuidingText, losses: &mut Losses) -> Result<(), Error> {
        self.check_room()?;
        let reported = losses.mark();
        let encoded = self.encode_text(text, losses);
        let (names, frame) = encoded.inspect_err(|_| losses.rewind(&reported))?;
        let names = self.entities.shared().number(&names).ok_or_else(too_many_names)?;
        let mut roles = [None; 8];
        (roles[2], roles[7]) = (Some(Role::Tournament), Some(Role::TextTitle));
        let [_, _, tournament, annotator, source, _, _, title] = self.add_names(names, roles)?;
        let record = GameRecord {
            flags_byte: text_flags(text.header.deleted),
            kind: RecordKind::Text,
            moves: i64::try_from(self.moves.size()).unwrap_or(i64::MAX),
            names: [-1, -1, tournament, annotator, source],
            teams: [-1; 2],
            title,
            version: 1,
            ..GameRecord::default()
        };
        self.headers.push(&record.encode()).map_err(Error::io(Location::file("2cbh")))?;
        self.moves.push(&frame).map_err(Error::io(Location::file("2cbg")))?;
        self.count = self.count.saturating_add(1);
        self.texts = self.texts.saturating_add(1);
        Ok(())
    }

    /// Returns the entities of a text, and its record of the `.2cbg`.
    fn encode_text(
        &self,
        text: &GuidingText,
        losses: &mut Losses,
    ) -> Result<(GameNames, Vec<u8>), Error> {
        let names = encode_text_names(text, self.long_names, losses)?;
        let contents = html_contents(text, losses);
        let contents = Numbering::Nation.numbered(&contents, losses);
        let (mut content, mut frame) = (Vec::new(), Vec::new());
        let too_long = || ErrorKind::TooMuchText.at(Location::file("2cbg"));
        encode_contents(&contents, &mut content).ok_or_else(too_long)?;
        if !encode_frame(TAG_TEXT, &content, &mut frame) {
            return Err(too_long());
        }
        Ok((names, frame))
    }

    /// Returns the ids of the entities of the next record, or -1, and lists the record for those with
    /// a role.
    fn add_names(
        &mut self,
        names: EntityNumbers,
        roles: [Option<Role>; 8],
    ) -> Result<[i64; 8], Error> {
        let number = i64::from(self.count).saturating_add(1);
        let mut ids = [-1i64; 8];
        for ((place, entity), (kind, role)) in
            ids.iter_mut().zip(names).zip(NAME_TYPES.into_iter().zip(roles))
        {
            let Some(entity) = entity else { continue };
            let id = self.entities.id_of(kind, entity);
            *place = i64::from(id);
            if let Some(role) = role {
                let added = self.lists.add(role, id, number, &mut self.games);
                added.map_err(Error::io(Location::file("2lgd")))?;
            }
        }
        Ok(ids)
    }

    /// Completes the base and returns its files.
    ///
    /// # Errors
    /// I/O errors.
    pub fn into_parts(self) -> Result<Parts<F>, Error> {
        let next = i32::try_from(self.count.saturating_add(1)).unwrap_or(i32::MAX);
        let header = FileHeader::new(next);
        let empty = self.count == 0;
        let mut parts = Parts::new(complete("2cbh", self.headers, |_| header.encode().to_vec())?);
        let moves = complete("2cbg", self.moves, |size| frames_header(size, empty, empty))?;
        parts.moves = Some(moves);
        let notes = complete("2cba", self.annotations, |size| frames_header(size, false, empty))?;
        parts.annotations = Some(notes);
        let at = |file| Error::io(Location::file(file));
        parts.entities = Some(self.entities.write(self.entity_file).map_err(at("2lid"))?);
        let games = self.lists.finish(self.entities.most(), self.games);
        parts.games = Some(games.map_err(at("2lgd"))?);
        let orders = write_orders(self.orders, &self.entities, &self.lists);
        parts.orders = Some(orders.map_err(at("2lcd"))?);
        Ok(parts)
    }

    /// Checks that ids remain for all names of a game.
    fn check_room(&self) -> Result<(), Error> {
        // A game adds at most three entities of a type.
        if self.count >= MAX_GAMES || self.entities.most() >= u32::MAX.saturating_sub(4) {
            let full = ErrorKind::Full("2,147,483,646 games are the most");
            return Err(full.at(Location::file("2cbh")));
        }
        Ok(())
    }
}

chess_store::inherent!(WriteGames<Error, Encoder, Encoded> for [F: WriteAt] Writer<F>);

impl<F: WriteAt> WriteGames for Writer<F> {
    type Error = Error;
    type Encoder = Encoder;
    type Encoded = Encoded;

    fn encoder(&self) -> Encoder {
        let (long_names, entities) = (self.long_names, self.entities.shared().clone());
        Encoder { long_names, encoder: RecordEncoder::default(), entities }
    }

    fn append(&mut self, encoded: &mut Encoded, _: &mut Losses) -> Result<(), Error> {
        self.check_room()?;
        let roles = match encoded.kind {
            RecordKind::Analysis => {
                let mut roles = [None; 8];
                roles[7] = Some(Role::AnalysisTitle);
                roles
            }
            _ => ROLES.map(Some),
        };
        let ids = self.add_names(encoded.names, roles)?;
        let [white, black, tournament, annotator, source, white_team, black_team, title] = ids;
        let offset = |size: u64| i64::try_from(size).unwrap_or(i64::MAX);
        let links = Links {
            moves: offset(self.moves.size()),
            annotations: offset(self.annotations.size()),
            names: [white, black, tournament, annotator, source],
            teams: [white_team, black_team],
            title,
        };
        links.put(encoded.kind, &mut encoded.record);
        self.headers.push(&encoded.record).map_err(Error::io(Location::file("2cbh")))?;
        self.moves.push(&encoded.moves).map_err(Error::io(Location::file("2cbg")))?;
        self.annotations.push(&encoded.notes).map_err(Error::io(Location::file("2cba")))?;
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    fn has_texts(&self) -> bool {
        true
    }

    fn append_text(&mut self, text: &GuidingText, losses: &mut Losses) -> Result<(), Error> {
        self.write_text(text, losses)
    }

    fn finish(mut self) -> Result<(), Error> {
        let staged = self.staged.take();
        // Closes the files before they are renamed.
        drop(self.into_parts()?);
        staged.map_or(Ok(()), Staged::commit).map_err(Error::io(Location::file("2cbh")))
    }

    fn own(&mut self) -> &mut ScratchEncoder<Writer<F>> {
        &mut self.own
    }
}

/// Encodes games for a [`Writer`].
#[derive(Debug)]
pub struct Encoder {
    long_names: LongNames,
    encoder: RecordEncoder,
    /// The entities of all games that were encoded.
    entities: SharedEntities,
}

chess_store::inherent!(EncodeGames<Error, Encoded> for [] Encoder);

impl EncodeGames for Encoder {
    type Error = Error;
    type Encoded = Encoded;

    fn encode(
        &mut self,
        game: &Game,
        into: &mut Encoded,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        let parts = encode_header(&game.header, self.long_names, losses)?;
        let start = game.start_position();
        let chess960 = parts.chess960 || start.is_chess960();
        let usual = start == Position::start();
        if parts.chess960 && usual {
            // The usual position is a usual game, whatever the tag says.
            losses.push(Loss::new(LossKind::Tag, "Variant"));
        }
        let mut record = parts.record;
        into.names = self.entities.number(&parts.names).ok_or_else(too_many_names)?;
        let Encoded { moves, notes, .. } = into;
        moves.clear();
        notes.clear();
        let starts = (start_frame(moves), start_frame(notes));
        let records = (&mut *moves, &mut *notes);
        let facts = self.encoder.encode(game, chess960, &parts.clocks, records, losses)?;
        let too_long = |file| ErrorKind::TooMuchText.at(Location::file(file));
        if !end_frame(starts.0, facts.tag, moves) {
            return Err(too_long("2cbg"));
        }
        if !end_frame(starts.1, TAG_ANNOTATIONS, notes) {
            return Err(too_long("2cba"));
        }
        let derived = facts.derived;
        if let Some(number) = facts.number {
            if record.eco != 0 {
                losses.push(Loss::new(LossKind::Eco, "a Chess960 game has no ECO code"));
            }
            record.eco = ECO_CHESS960.saturating_add(number);
        }
        (record.flags, record.magnitudes) = (derived.flags, derived.magnitudes);
        (record.medals, record.length) = (derived.medals, derived.length);
        (record.material, record.endgames) = (derived.material, derived.last_endgame);
        (into.kind, into.record) = (record.kind, record.encode_facts());
        Ok(())
    }
}

/// An encoded game without offsets and ids.
#[derive(Debug)]
pub struct Encoded {
    kind: RecordKind,
    /// The record without its [`Links`].
    record: [u8; RECORD_SIZE],
    names: EntityNumbers,
    moves: Vec<u8>,
    notes: Vec<u8>,
}

impl Default for Encoded {
    fn default() -> Encoded {
        let (kind, record) = (RecordKind::Game, [0; RECORD_SIZE]);
        Encoded { kind, record, names: [None; 8], moves: Vec::new(), notes: Vec::new() }
    }
}

impl Trim for Encoded {
    fn trim(&mut self, most: usize) {
        self.moves.trim(most);
        self.notes.trim(most);
    }
}

fn too_many_names() -> Error {
    ErrorKind::Full("4,294,967,293 names of a kind are the most").at(Location::file("2lid"))
}

/// Returns the header of a `.2cbg` or `.2cba` file of this size.
// cbh2 §4.1 "Header and record"
fn frames_header(size: u64, flag: bool, empty: bool) -> Vec<u8> {
    let mut bytes = i64::try_from(size).unwrap_or(i64::MAX).to_le_bytes().to_vec();
    bytes.extend_from_slice(&i16::try_from(FRAMES_HEADER).unwrap_or(0).to_le_bytes());
    bytes.extend_from_slice(&[u8::from(flag), if empty { 0 } else { VERSION }]);
    bytes
}
