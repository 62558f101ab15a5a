//! Creates bases.

use std::fs::File;
use std::io;
use std::path::Path;

use chess_core::Game;
use chess_store::files::{BaseFiles, Staged};
use chess_store::io::{Appender, WriteAt};
use chess_store::names::SharedNames;
use chess_store::{
    About, EncodeGames, Fact, Location, Losses, ScratchEncoder, Trim, Warning, WriteGames,
};

use crate::encode::RecordEncoder;
use crate::error::{Error, ErrorKind};
use crate::header::{EntryNames, encode_header};
use crate::index::{IndexEntry, IndexHeader};
use crate::layout::{
    BLACK_REF, ENTRY_SIZE, EVENT_REF, GAMES_MAGIC, Layout, NO_NAME, SITE_REF, WHITE_REF,
};
use crate::length::encode_length;
use crate::name_table::{Name, NameTables};
use crate::names::NameKind;
use crate::options::{CreateOptions, LongNames};
use crate::parts::Parts;
use crate::promotion::{Promotions, SURVEYED, Survey};
use crate::quirk::Quirk;

/// Writes games to a new base.
///
/// Only the names are in memory. They are sorted at the end, as the author's program does for each
/// import. Until then, index entries hold the numbers of their names.
#[derive(Debug)]
pub struct Writer<F: WriteAt = File> {
    index: Appender<F>,
    games: Appender<F>,
    players: F,
    sites: F,
    events: F,
    names: SharedNames<NameTables>,
    header: IndexHeader,
    count: u64,
    long_names: LongNames,
    /// The numbering of the promotions, and what readers find of it.
    promotions: Promotions,
    survey: Survey,
    /// The warning about promotions that readers take for other pieces.
    warnings: Vec<Warning>,
    /// The current index entry.
    entry: Vec<u8>,
    staged: Option<Staged>,
    own: ScratchEncoder<Writer<F>>,
}

impl Writer {
    /// Creates a base at `path`, whose extension is replaced by the five extensions of the format.
    /// No file appears before [`finish`](Writer::finish).
    ///
    /// # Errors
    /// I/O errors; [`ResourceBusy`](io::ErrorKind::ResourceBusy) while another program changes the
    /// base.
    pub fn create(path: impl AsRef<Path>) -> Result<Writer, Error> {
        Writer::create_with(path, &CreateOptions::default())
    }

    /// As [`create`](Writer::create), with options.
    ///
    /// # Errors
    /// As `create`.
    pub fn create_with(path: impl AsRef<Path>, options: &CreateOptions) -> Result<Writer, Error> {
        let files = BaseFiles::locate_for_change(path.as_ref(), "dci");
        Writer::stage(&files.map_err(Error::io(Location::file("dci")))?, options)
    }

    /// Creates a base that replaces an existing one.
    pub(crate) fn stage(files: &BaseFiles, options: &CreateOptions) -> Result<Writer, Error> {
        let mut staged = files.stage();
        let mut create = |file| files.create(&mut staged, file);
        let parts = Parts {
            dcn: create("dcn")?,
            dcs: create("dcs")?,
            dce: Some(create("dce")?),
            dcg: create("dcg")?,
            // The index comes last: a base without its index is invalid.
            dci: create("dci")?,
        };
        let mut writer = Writer::from_parts(parts, options)?;
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
        let parts = Parts { dce: Some(Vec::new()), ..Parts::default() };
        Writer::from_parts(parts, options)
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
    /// Creates a base in open, empty files.
    ///
    /// # Errors
    /// I/O errors; a missing events file.
    pub fn from_parts(parts: Parts<F>, options: &CreateOptions) -> Result<Writer<F>, Error> {
        let at_events = Location::file("dce");
        let missing = || ErrorKind::Io(io::ErrorKind::NotFound.into()).at(at_events);
        let mut writer = Writer {
            index: Appender::new(parts.dci),
            games: Appender::new(parts.dcg),
            players: parts.dcn,
            sites: parts.dcs,
            events: parts.dce.ok_or_else(missing)?,
            names: SharedNames::default(),
            header: IndexHeader::default(),
            count: 0,
            long_names: options.long_names,
            promotions: options.promotions.unwrap_or(Promotions::Program),
            survey: Survey::default(),
            warnings: Vec::new(),
            entry: Vec::new(),
            staged: None,
            own: ScratchEncoder::default(),
        };
        writer.header.encode(&mut writer.entry);
        writer.index.push(&writer.entry).map_err(Error::io(Location::file("dci")))?;
        writer.games.push(GAMES_MAGIC).map_err(Error::io(Location::file("dcg")))?;
        Ok(writer)
    }

    /// The number of games written.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether no game was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Sets the number, from zero, of the game to show first. The default is 0.
    pub fn set_default_game(&mut self, game: u64) {
        self.header.open_default = game;
    }

    /// Sets the numbering of records that come from another base.
    pub(crate) fn set_promotions(&mut self, promotions: Promotions) {
        self.promotions = promotions;
    }

    /// Whether readers find the numbering only by a sign in the index.
    fn needs_sign(&self) -> bool {
        self.survey.numbering().promotions != self.promotions
            && self.survey.clone().indexed(true).numbering().promotions == self.promotions
    }

    /// Notes what readers will find of the numbering, by the record of the next game.
    // dcg §6.3.1 "Promotion codes"
    fn look(&mut self, record: &[u8]) {
        if self.count >= SURVEYED {
            return;
        }
        self.survey.examine(self.count, record);
        self.warnings.clear();
        if self.survey.clone().showing(self.promotions).is_none() {
            let at = Location::file("dcg");
            self.warnings.push(Warning::new(Quirk::PromotionsUnsure, at));
        }
    }

    /// Finishes the base and returns its files.
    ///
    /// # Errors
    /// I/O errors.
    pub fn into_parts(self) -> Result<Parts<F>, Error> {
        let needs_sign = self.needs_sign();
        let Writer { index, games, players, sites, events, names, mut header, .. } = self;
        if needs_sign {
            header.open_default = !header.open_default;
        }
        let io = Error::io(Location::file("dci"));
        let dcg = games.finish().map_err(Error::io(Location::file("dcg")))?;
        let mut dci = index.finish().map_err(&io)?;
        let (dcn, players) = write_names(NameKind::Players, players, &names)?;
        let (dcs, sites) = write_names(NameKind::Sites, sites, &names)?;
        let (dce, events) = write_names(NameKind::Events, events, &names)?;
        let references = References { players, sites, events };
        references.resolve(&mut dci, self.count).map_err(&io)?;
        let mut start = self.entry;
        start.clear();
        header.encode(&mut start);
        dci.write_at(0, &start).map_err(&io)?;
        Ok(Parts { dci, dcn, dcs, dce: Some(dce), dcg })
    }
}

chess_store::inherent!(WriteGames<Error, Encoder, Encoded> for [F: WriteAt] Writer<F>);

impl<F: WriteAt> WriteGames for Writer<F> {
    type Error = Error;
    type Encoder = Encoder;
    type Encoded = Encoded;

    fn encoder(&self) -> Encoder {
        let (long_names, names) = (self.long_names, self.names.clone());
        Encoder { long_names, names, ..Encoder::with_promotions(self.promotions) }
    }

    fn append(&mut self, encoded: &mut Encoded, _: &mut Losses) -> Result<(), Error> {
        let (names, mut tables) = (&encoded.names, None);
        let mut number = |kind: NameKind, name: &Option<Name>| {
            let Some(name) = name else { return Ok(NO_NAME) };
            let number = name.number.or_else(|| {
                let tables = tables.get_or_insert_with(|| self.names.write());
                tables.of_mut(kind).intern(name)
            });
            // The placeholder of a reference until the names are sorted: the number plus one.
            let number = number.and_then(|number| number.checked_add(1));
            number.ok_or_else(|| ErrorKind::NamesFull.at(Location::file(kind.file())))
        };
        let entry = IndexEntry {
            offset: self.games.size(),
            white: number(NameKind::Players, &names.white)?,
            black: number(NameKind::Players, &names.black)?,
            site: number(NameKind::Sites, &names.site)?,
            event: number(NameKind::Events, &names.event)?,
            ..encoded.entry
        };
        drop(tables);
        self.look(encoded.body());
        self.games.push(&encoded.record).map_err(Error::io(Location::file("dcg")))?;
        self.entry.clear();
        entry.encode(Layout::Current, &mut self.entry);
        self.index.push(&self.entry).map_err(Error::io(Location::file("dci")))?;
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    /// The format stores one fact, the game to show first.
    fn set_about(&mut self, about: &About, losses: &mut Losses) {
        let number = about.get(Fact::DefaultGame).and_then(game_number);
        let number = number.filter(|number| *number < self.count);
        self.set_default_game(number.unwrap_or_default());
        about.lose(losses, |fact| fact == Fact::DefaultGame && number.is_some());
    }

    fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    fn finish(mut self) -> Result<(), Error> {
        let staged = self.staged.take();
        // Close the files before they get their names.
        drop(self.into_parts()?);
        staged.map_or(Ok(()), Staged::commit).map_err(Error::io(Location::file("dci")))
    }

    fn own(&mut self) -> &mut ScratchEncoder<Writer<F>> {
        &mut self.own
    }
}

/// Parses the value of [`Fact::DefaultGame`] as a game number, from zero.
pub(crate) fn game_number(value: &str) -> Option<u64> {
    value.parse().ok().and_then(|number: u64| number.checked_sub(1))
}

/// Encodes games for a [`Writer`].
#[derive(Debug, Default)]
pub struct Encoder {
    long_names: LongNames,
    /// The names that the base already has.
    names: SharedNames<NameTables>,
    encoder: RecordEncoder,
    body: Vec<u8>,
}

impl Encoder {
    /// Sets the promotion numbering of the base.
    pub(crate) fn with_promotions(promotions: Promotions) -> Encoder {
        let encoder = RecordEncoder::default().promotions(promotions);
        Encoder { encoder, ..Encoder::default() }
    }
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
        let (entry, mut names) = encode_header(&game.header, self.long_names, losses)?;
        names.find_in(&self.names.read());
        self.body.clear();
        self.encoder.encode(game, losses, &mut self.body)?;
        into.set(entry, names, &self.body)
    }
}

/// An encoded game: its index entry without offset and references, its names, its record.
#[derive(Debug, Default)]
pub struct Encoded {
    pub(crate) entry: IndexEntry,
    pub(crate) names: EntryNames,
    /// Includes its length.
    pub(crate) record: Vec<u8>,
    /// The offset behind its length.
    body: usize,
}

impl Encoded {
    /// The record without its length.
    pub(crate) fn body(&self) -> &[u8] {
        self.record.get(self.body..).unwrap_or_default()
    }

    /// Stores a record given without its length.
    pub(crate) fn set(
        &mut self,
        entry: IndexEntry,
        names: EntryNames,
        body: &[u8],
    ) -> Result<(), Error> {
        (self.entry, self.names) = (entry, names);
        self.record.clear();
        encode_length(body.len(), &mut self.record)?;
        self.body = self.record.len();
        self.record.extend_from_slice(body);
        Ok(())
    }
}

impl Trim for Encoded {
    fn trim(&mut self, most: usize) {
        self.record.trim(most);
    }
}

/// Writes a file of sorted names and returns the reference of each number.
// dcg §5.2 "Order"
fn write_names<F: WriteAt>(
    kind: NameKind,
    file: F,
    names: &SharedNames<NameTables>,
) -> Result<(F, Vec<u32>), Error> {
    let tables = names.read();
    let (records, references) = tables.of(kind).sorted();
    let mut file = Appender::new(file);
    let write = || {
        file.push(kind.magic())?;
        records.into_iter().try_for_each(|record| file.push(record))
    };
    let written = write().and_then(|()| file.finish());
    Ok((written.map_err(Error::io(Location::file(kind.file())))?, references))
}

/// The references of all names by number.
struct References {
    players: Vec<u32>,
    sites: Vec<u32>,
    events: Vec<u32>,
}

impl References {
    /// Replaces placeholders with references.
    fn resolve<F: WriteAt>(&self, index: &mut F, count: u64) -> io::Result<()> {
        const ENTRIES: usize = 4096;
        let mut bytes = Vec::new();
        for first in (0..count).step_by(ENTRIES) {
            let offset = Layout::Current.entry_offset(first);
            index.read_into(offset, ENTRIES * ENTRY_SIZE, &mut bytes)?;
            for entry in bytes.chunks_exact_mut(ENTRY_SIZE) {
                for (place, references) in [
                    (WHITE_REF, &self.players),
                    (BLACK_REF, &self.players),
                    (SITE_REF, &self.sites),
                    (EVENT_REF, &self.events),
                ] {
                    let field = entry.get_mut(place..).and_then(<[u8]>::first_chunk_mut);
                    let Some(field) = field else { continue };
                    let number = u32::from_be_bytes(*field).checked_sub(1);
                    let reference = number.and_then(|number| references.get(number as usize));
                    *field = reference.copied().unwrap_or(NO_NAME).to_be_bytes();
                }
            }
            index.write_at(offset, &bytes)?;
        }
        Ok(())
    }
}
