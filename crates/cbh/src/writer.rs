//! Creation of a base.

use std::fs::File;
use std::path::Path;

use chess_core::{Game, Position};
use chess_store::files::{BaseFiles, Staged};
use chess_store::io::{Appender, WriteAt};
use chess_store::{
    EncodeGames, GuidingText, Location, Loss, Losses, ScratchEncoder, Trim, WriteGames,
};

use crate::annotations::items::{AnnotationsHeader, ItemBytes};
use crate::derived::Derived;
use crate::encode::RecordEncoder;
use crate::encode_header::encode_header;
use crate::entities::kind::EntityKind;
use crate::entities::table::{EntityRef, EntityTable, NAME_KINDS, SharedEntities};
use crate::error::{Error, ErrorKind};
use crate::extended::{ExtendedHeader, encode_extended, encode_text_extended};
use crate::header::{FileHeader, GameRecord, put};
use crate::layout::{
    ANNOTATIONS_HEADER, EXTENDED_RECORD, HEADER_USED, MAX_IDS, MOVES_HEADER, RECORD_SIZE,
};
use crate::options::{CreateOptions, LongNames};
use crate::parts::{EXTENSIONS, Parts};
use crate::setup::eco_of_start;
use crate::texts::{TextRecord, encode_text};

/// Auxiliary files that ChessBase regenerates. Those of a replaced base would not match the new
/// one.
// cbh §8 "Other files"
const REGENERATED: [&str; 14] = [
    "cit", "cib", "cit2", "cib2", "cbb", "cbgi", "cbd", "cko", "cpo", "ckn", "cpn", "pgi", "pgd",
    "flags",
];

/// Writes games into a new base.
///
/// Memory holds only the names. Derived data (flags, magnitudes, references, the trees of the
/// names) is computed as ChessBase computes it.
#[derive(Debug)]
pub struct Writer<F: WriteAt = File> {
    headers: Appender<F>,
    moves: Appender<F>,
    annotations: Appender<F>,
    extended: Appender<F>,
    /// The entity files and their tables, in the order of [`EntityKind::ALL`].
    names: Vec<(F, EntityTable)>,
    entities: SharedEntities,
    tournaments_more: F,
    media: F,
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
        let (staged, mut created) = stage(path.as_ref(), "cbh", &EXTENSIONS, &REGENERATED)?;
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
        let (headers, moves, annotations) = (get("cbh")?, get("cbg")?, get("cba")?);
        let mut names = Vec::new();
        for kind in
            [EntityKind::Player, EntityKind::Tournament, EntityKind::Annotator, EntityKind::Source]
        {
            names.push((get(kind.file())?, EntityTable::new(kind)));
        }
        let extended = get("cbj")?;
        for kind in [EntityKind::Team, EntityKind::Tag] {
            names.push((get(kind.file())?, EntityTable::new(kind)));
        }
        let mut writer = Writer {
            headers: Appender::new(headers),
            moves: Appender::new(moves),
            annotations: Appender::new(annotations),
            extended: Appender::new(extended),
            names,
            entities: SharedEntities::new(),
            tournaments_more: get("cbtt")?,
            media: get("cbm")?,
            count: 0,
            texts: 0,
            long_names: options.long_names,
            staged: None,
            own: ScratchEncoder::default(),
        };
        // The headers are filled in at the end.
        writer.headers.push(&[0; RECORD_SIZE]).map_err(Error::io(Location::file("cbh")))?;
        let start = [0; MOVES_HEADER as usize];
        writer.moves.push(&start).map_err(Error::io(Location::file("cbg")))?;
        writer.annotations.push(&start).map_err(Error::io(Location::file("cba")))?;
        let start = ExtendedHeader::encode(0);
        writer.extended.push(&start).map_err(Error::io(Location::file("cbj")))?;
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
    /// I/O errors; if the text is too long.
    // cbh §3.3 "Text record"
    pub fn write_text(&mut self, text: &GuidingText, losses: &mut Losses) -> Result<(), Error> {
        self.check_room()?;
        let reported = losses.mark();
        let encoded = encode_header(&text.header, self.long_names, losses)
            .and_then(|parts| Ok((parts, encode_text(text, losses)?)));
        let (parts, bytes) = encoded.inspect_err(|_| losses.rewind(&reported))?;
        let round = (parts.record.round, parts.record.subround);
        let [.., tournament, annotator, source, _, _, _] = parts.names.into_fields();
        let names = [None, None, tournament, annotator, source, None, None, None];
        let names = self.entities.find(names);
        let number = self.count.saturating_add(1);
        let [_, _, tournament, annotator, source, ..] = self.add_names(&names, number);
        let moves = self.moves.size();
        let record = TextRecord {
            deleted: text.header.deleted,
            moves: low_half(moves),
            tournament: tournament.unwrap_or(0),
            source: source.unwrap_or(0),
            annotator: annotator.unwrap_or(0),
            round: round.0,
            subround: round.1,
        };
        self.headers.push(&record.encode()).map_err(Error::io(Location::file("cbh")))?;
        self.moves.push(&bytes).map_err(Error::io(Location::file("cbg")))?;
        let mut more = [0; EXTENDED_RECORD];
        encode_text_extended(moves, &mut more);
        self.extended.push(&more).map_err(Error::io(Location::file("cbj")))?;
        self.count = number;
        self.texts = self.texts.saturating_add(1);
        Ok(())
    }

    /// Returns the ids of names, with the kinds in [`NAME_KINDS`], and counts a reference by the
    /// record `number`.
    fn add_names(&mut self, names: &[Option<EntityRef>; 8], number: u32) -> [Option<u32>; 8] {
        let mut ids = [None; 8];
        for ((id, name), kind) in ids.iter_mut().zip(names).zip(NAME_KINDS) {
            let table = self.names.get_mut(kind as usize);
            if let (Some(name), Some((_, table))) = (name, table) {
                *id = Some(table.count_reference(name, number, &self.entities));
            }
        }
        ids
    }

    /// Completes the base and returns its files.
    ///
    /// # Errors
    /// I/O errors.
    pub fn into_parts(self) -> Result<Parts<F>, Error> {
        let next = self.count.saturating_add(1);
        let header = FileHeader {
            used: HEADER_USED,
            record_size: u16::try_from(RECORD_SIZE).unwrap_or(0),
            version: 1,
            next,
        };
        let cbh = complete("cbh", self.headers, |_| header.encode().to_vec())?;
        let cbg = complete("cbg", self.moves, moves_header)?;
        let cba = complete("cba", self.annotations, moves_header)?;
        let count = self.count;
        let cbj = complete("cbj", self.extended, |_| ExtendedHeader::encode(count).to_vec())?;
        let mut parts = Parts { cba: Some(cba), cbj: Some(cbj), ..Parts::new(cbh, cbg) };
        for ((file, table), kind) in self.names.into_iter().zip(EntityKind::ALL) {
            let written = table
                .write(file, &self.entities)
                .map_err(Error::io(Location::file(kind.file())))?;
            *parts.place(kind) = Some(written);
        }
        parts.cbtt = Some(write_whole("cbtt", self.tournaments_more, &TOURNAMENTS_MORE)?);
        parts.cbm = Some(write_whole("cbm", self.media, &MEDIA)?);
        Ok(parts)
    }

    /// Checks that ids remain for all names of a game.
    fn check_room(&self) -> Result<(), Error> {
        let full = |what, file| Err(ErrorKind::Full(what).at(Location::file(file)));
        if self.count >= MAX_IDS {
            return full("16,777,215 games are the most", "cbh");
        }
        // A game adds at most two names of a kind.
        let most = MAX_IDS.saturating_sub(2);
        match self.names.iter().find(|(_, table)| table.len() >= most) {
            Some(_) => full("16,777,215 names of a kind are the most", "cbh"),
            None => Ok(()),
        }
    }
}

chess_store::inherent!(WriteGames<Error, Encoder, Encoded> for [F: WriteAt] Writer<F>);

impl<F: WriteAt> WriteGames for Writer<F> {
    type Error = Error;
    type Encoder = Encoder;
    type Encoded = Encoded;

    fn encoder(&self) -> Encoder {
        let (long_names, entities) = (self.long_names, self.entities.clone());
        Encoder { long_names, encoder: RecordEncoder::default(), entities }
    }

    fn append(&mut self, encoded: &mut Encoded, _: &mut Losses) -> Result<(), Error> {
        self.check_room()?;
        let size = encoded.items.len().saturating_add(ANNOTATIONS_HEADER);
        let too_long = |_| ErrorKind::TooMuchText.at(Location::file("cba"));
        let size = u32::try_from(size).map_err(too_long)?;
        let game = self.count.saturating_add(1);
        let ids = self.add_names(&encoded.names, game);
        let [.., white_team, black_team, title] = ids;
        let [white, black, tournament, annotator, source, ..] = ids.map(|id| id.unwrap_or(0));
        let moves = self.moves.size();
        let annotations = if encoded.item_count == 0 { 0 } else { self.annotations.size() };
        let record = GameRecord {
            moves: low_half(moves),
            annotations: low_half(annotations),
            white,
            black,
            tournament,
            annotator,
            source,
            ..encoded.record
        };
        self.headers.push(&record.encode()).map_err(Error::io(Location::file("cbh")))?;
        self.moves.push(&encoded.moves).map_err(Error::io(Location::file("cbg")))?;
        if encoded.item_count > 0 {
            let header =
                AnnotationsHeader { game, count: encoded.item_count.saturating_add(1), size };
            let push = self.annotations.push(&header.encode());
            let push = push.and_then(|()| self.annotations.push(&encoded.items));
            push.map_err(Error::io(Location::file("cba")))?;
        }
        let mut more = [0; EXTENDED_RECORD];
        encode_extended((white_team, black_team), (moves, annotations), title, &mut more);
        self.extended.push(&more).map_err(Error::io(Location::file("cbj")))?;
        self.count = game;
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
        staged.map_or(Ok(()), Staged::commit).map_err(Error::io(Location::file("cbh")))
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
    /// The entities that the base already has.
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
        let start = game.setup().map_or_else(Position::start, |setup| *setup.position());
        let chess960 = parts.chess960 || start.is_chess960();
        into.record = parts.record;
        into.names = self.entities.find(parts.names.into_fields());
        into.moves.clear();
        into.items.clear();
        let records = (&mut into.moves, &mut into.items);
        let (facts, count) = self.encoder.encode(game, chess960, &parts.clocks, records, losses)?;
        into.item_count = count;
        let items = ItemBytes::new(&into.items).map(|item| (item.kind, item.data));
        let derived = Derived::new(&facts, items);
        if chess960 {
            if into.record.eco != 0 {
                losses
                    .push(Loss::new(chess_store::LossKind::Eco, "a Chess960 game has no ECO code"));
            }
            into.record.eco = eco_of_start(&start);
        }
        (into.record.flags, into.record.magnitudes) = (derived.flags, derived.magnitudes);
        (into.record.medals, into.record.length) = (derived.medals, derived.length);
        Ok(())
    }
}

/// An encoded game without offsets and ids.
#[derive(Debug, Default)]
pub struct Encoded {
    record: GameRecord,
    /// The names, with the kinds in [`NAME_KINDS`].
    names: [Option<EntityRef>; 8],
    moves: Vec<u8>,
    items: Vec<u8>,
    item_count: u32,
}

impl Trim for Encoded {
    fn trim(&mut self, most: usize) {
        self.moves.trim(most);
        self.items.trim(most);
    }
}

/// Creates the files of a base beside those that they will replace. Returns them in the reverse order
/// of `extensions`: the headers come last, because a base without them does not count as one.
pub(crate) fn stage(
    path: &Path,
    headers: &'static str,
    extensions: &[&'static str],
    regenerated: &[&'static str],
) -> Result<(Staged, Vec<File>), Error> {
    let files = BaseFiles::locate_for_change(path, headers);
    let files = files.map_err(Error::io(Location::file(headers)))?;
    let mut staged = files.stage();
    files.leave_out(&mut staged, regenerated)?;
    let created = extensions.iter().rev().map(|file| files.create(&mut staged, file));
    let created = created.collect::<Result<_, Error>>()?;
    Ok((staged, created))
}

/// Returns a file that the caller of a writer provides.
pub(crate) fn provided<F>(file: Option<F>, extension: &'static str) -> Result<F, Error> {
    let missing = || std::io::Error::from(std::io::ErrorKind::NotFound);
    file.ok_or_else(missing).map_err(Error::io(Location::file(extension)))
}

/// Returns the lower half of an offset. The `.cbj` holds the whole offset.
fn low_half(offset: u64) -> u32 {
    u32::try_from(offset & 0xffff_ffff).unwrap_or(0)
}

/// Returns the header of a `.cbg` or `.cba` file of this size.
// cbh §4.1 "Header and record"
fn moves_header(size: u64) -> Vec<u8> {
    let mut bytes = vec![0; usize::from(MOVES_HEADER)];
    put(&mut bytes, 0, &MOVES_HEADER.to_be_bytes());
    // The old 32-bit field. The 64-bit field at offset 10 holds the exact size.
    put(&mut bytes, 2, &u32::try_from(size).unwrap_or(u32::MAX).to_be_bytes());
    put(&mut bytes, 10, &size.to_be_bytes());
    bytes
}

/// Writes the header of a file after the rest of it.
pub(crate) fn complete<F: WriteAt>(
    name: &'static str,
    file: Appender<F>,
    header: impl FnOnce(u64) -> Vec<u8>,
) -> Result<F, Error> {
    let at = Location::file(name);
    let mut file = file.finish().map_err(Error::io(at))?;
    let size = file.size().map_err(Error::io(at))?;
    file.write_at(0, &header(size)).map_err(Error::io(at))?;
    Ok(file)
}

fn write_whole<F: WriteAt>(name: &'static str, mut file: F, bytes: &[u8]) -> Result<F, Error> {
    file.write_at(0, bytes).map_err(Error::io(Location::file(name)))?;
    Ok(file)
}

/// A `.cbtt` without records: version 2, 61 bytes per record.
// cbh §8 "Other files"
const TOURNAMENTS_MORE: [u8; 32] = {
    let mut bytes = [0; 32];
    bytes[0] = 2;
    bytes[4] = 61;
    bytes
};

/// A `.cbm` without records: version 1, 1024 bytes per record.
const MEDIA: [u8; 32] = {
    let mut bytes = [0; 32];
    bytes[0] = 1;
    bytes[5] = 4;
    bytes[12] = 0xff;
    bytes[13] = 0xff;
    bytes[14] = 0xff;
    bytes[15] = 0xff;
    bytes
};
