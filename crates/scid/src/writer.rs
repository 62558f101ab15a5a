//! Creates bases.

use std::fs::File;
use std::path::Path;

use chess_store::files::{BaseFiles, Staged};
use chess_store::io::WriteAt;
use chess_store::names::NameHasher;
use chess_store::{About, Encoding, Location, Losses, ScratchEncoder, WriteGames};

use crate::encoder::{Encoded, Encoder};
use crate::error::{Error, ErrorKind};
use crate::facts::{encode_fact_5, set_fact};
use crate::header::Info;
use crate::index::IndexEntry;
use crate::layout::{Extensions, Version};
use crate::name_table::NameTable;
use crate::options::CreateOptions;
use crate::output::{GamesOut, IndexOut};
use crate::parts::Parts;

/// Writes a new base of version 4 or 5, game by game. Only the names are in memory.
#[derive(Debug)]
pub struct Writer<F: WriteAt = File> {
    files: Extensions,
    version: Version,
    encoding: Encoding,
    index: IndexOut<F>,
    games: GamesOut<F>,
    names: F,
    table: NameTable,
    hasher: NameHasher,
    count: u32,
    info: Info,
    /// Version 5: the stored facts, as records.
    facts_5: Vec<u8>,
    staged: Option<Staged>,
    own: ScratchEncoder<Writer<F>>,
}

impl Writer {
    /// Creates a base; the extension of `path` selects the version. No file appears under that name
    /// before [`finish`](Writer::finish).
    ///
    /// # Errors
    /// An extension other than `.si4` or `.si5`; I/O errors;
    /// [`ResourceBusy`](std::io::ErrorKind::ResourceBusy) while another program changes the base.
    pub fn create(path: impl AsRef<Path>) -> Result<Writer, Error> {
        Writer::create_with(path, &CreateOptions::default())
    }

    /// As [`create`](Writer::create), with options.
    ///
    /// # Errors
    /// As [`create`](Writer::create).
    pub fn create_with(path: impl AsRef<Path>, options: &CreateOptions) -> Result<Writer, Error> {
        let path = path.as_ref();
        let extensions = Extensions::of_path(path)?;
        let base = BaseFiles::locate_for_change(path, extensions.index);
        let base = base.map_err(Error::io(Location::file(extensions.index)))?;
        let mut staged = base.stage();
        let mut create = |extension| base.create(&mut staged, extension);
        // The order in which they appear: the index last.
        let games = create(extensions.games)?;
        let names = create(extensions.names)?;
        let index = create(extensions.index)?;
        let mut writer = Writer::from_parts(Parts { extensions, index, games, names }, options)?;
        writer.staged = Some(staged);
        Ok(writer)
    }
}

impl Writer<Vec<u8>> {
    /// Creates a base of version 4 in memory. [`into_bytes`](Writer::into_bytes) returns its files.
    #[must_use]
    #[inline]
    pub fn in_memory() -> Writer<Vec<u8>> {
        #[expect(clippy::unwrap_used, reason = "version 4 is written, and memory does not fail")]
        Writer::in_memory_with(&CreateOptions::default()).unwrap()
    }

    /// Like [`in_memory`](Writer::in_memory), with options. [`CreateOptions::version`] selects the
    /// version.
    ///
    /// # Errors
    /// Version 3.
    #[inline]
    pub fn in_memory_with(options: &CreateOptions) -> Result<Writer<Vec<u8>>, Error> {
        let extensions = Extensions::of_version(options.version);
        let (index, games, names) = (Vec::new(), Vec::new(), Vec::new());
        Writer::from_parts(Parts { extensions, index, games, names }, options)
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
    /// Creates a base from open, empty files or other outputs. The extensions of `parts` select the
    /// version.
    ///
    /// # Errors
    /// Version 3; I/O errors.
    pub fn from_parts(parts: Parts<F>, options: &CreateOptions) -> Result<Writer<F>, Error> {
        let files = parts.extensions;
        let version = match files {
            Extensions::SI4 => Version::Si4,
            Extensions::SI5 => Version::Si5,
            _ => return Err(Error::new(ErrorKind::ReadOnly, Location::file(files.index))),
        };
        Ok(Writer {
            files,
            version,
            encoding: options.encoding.unwrap_or(Encoding::UTF_8),
            index: IndexOut::new(parts.index, files, version)?,
            games: GamesOut::new(parts.games, files, version),
            names: parts.names,
            table: NameTable::new(version),
            hasher: NameHasher::default(),
            count: 0,
            info: new_info(),
            facts_5: Vec::new(),
            staged: None,
            own: ScratchEncoder::default(),
        })
    }

    /// The number of games written.
    #[must_use]
    pub fn len(&self) -> u64 {
        u64::from(self.count)
    }

    /// Whether no game has been written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Finishes the base and returns its files. The files of a base on disk do not get their final
    /// names; use [`finish`](Writer::finish) for that.
    ///
    /// # Errors
    /// I/O errors.
    pub fn into_parts(mut self) -> Result<Parts<F>, Error> {
        let at = Location::file(self.files.names);
        let written = match self.version {
            Version::Si5 => {
                let names = self.table.new_records();
                let facts = self.names.write_at(0, names);
                facts.and_then(|()| self.names.write_at(names.len() as u64, &self.facts_5))
            }
            Version::Si3 | Version::Si4 => self.names.write_at(0, &self.table.encode_4()),
        };
        written.map_err(Error::io(at))?;
        let info = Info { games: self.count, ..self.info };
        Ok(Parts {
            extensions: self.files,
            index: self.index.finish(&info)?,
            games: self.games.finish()?,
            names: self.names,
        })
    }
}

chess_store::inherent!(WriteGames<Error, Encoder, Encoded> for [F: WriteAt] Writer<F>);

impl<F: WriteAt> WriteGames for Writer<F> {
    type Error = Error;
    type Encoder = Encoder;
    type Encoded = Encoded;

    fn encoder(&self) -> Encoder {
        Encoder::new(self.version, self.encoding, self.hasher.clone(), self.table.lists())
    }

    fn append(&mut self, encoded: &mut Encoded, _: &mut Losses) -> Result<(), Error> {
        let at = self.games.at.in_game(self.len());
        let refuse = |kind| Error::new(kind, at);
        if self.count >= self.version.max_games() {
            return Err(refuse(ErrorKind::TooManyGames(self.len())));
        }
        // Both calls may refuse the game. The base then stays unchanged.
        let place = self.games.place(&encoded.record).map_err(refuse)?;
        let names = self.table.give_ids(encoded.names).map_err(refuse)?;
        self.games.push(&encoded.record, place)?;
        self.index.push(&IndexEntry { offset: place.offset, names, ..encoded.entry })?;
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    fn set_about(&mut self, about: &About, losses: &mut Losses) {
        self.info = new_info();
        self.facts_5.clear();
        let (info, version, encoding) = (&mut self.info, self.version, self.encoding);
        let mut held = Vec::new();
        for (fact, value) in about.iter() {
            if set_fact(info, version, encoding, fact, value) {
                held.push(fact);
            }
            encode_fact_5(info, fact, &mut self.facts_5);
        }
        about.lose(losses, |fact| held.contains(&fact));
    }

    fn finish(mut self) -> Result<(), Error> {
        let staged = self.staged.take();
        let at = Location::file(self.files.index);
        self.into_parts()?;
        staged.map_or(Ok(()), Staged::commit).map_err(Error::io(at))
    }

    fn own(&mut self) -> &mut ScratchEncoder<Self> {
        &mut self.own
    }
}

/// The initial data of a new base.
fn new_info() -> Info {
    Info { version: 400, autoload: 1, ..Info::default() }
}
