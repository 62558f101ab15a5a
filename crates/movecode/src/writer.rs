//! Writes an archive like jose's export: seven MyISAM tables in a gzipped tar.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;

use chess_store::files::Staged;
use chess_store::io::{Appender, FromStart, TemporaryFile, WriteAt};
use chess_store::names::{NameHasher, SharedNames};
use chess_store::{Location, Losses, ScratchEncoder, WriteGames};

use crate::encoder::{Encoded, Encoder};
use crate::error::Error;
use crate::gzip::GzipWriter;
use crate::ids::{Collected, NameIds};
use crate::myisam::{Definition, encode_frm, encode_myi};
use crate::options::CreateOptions;
use crate::schema::Table;
use crate::small_tables::{collection_rows, meta_rows, name_rows, opening_rows};

/// The default name of a collection.
const COLLECTION: &str = "games";
const ARCHIVE: Location = Location::file("jose");

/// The outputs of an archive.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Parts<W = File, R = TemporaryFile> {
    /// The archive, written sequentially after the last game.
    pub archive: W,
    /// Temporary storage of the games' rows; initially an empty file.
    pub rows: R,
}

impl<W, R> Parts<W, R> {
    /// Combines both outputs.
    pub fn new(archive: W, rows: R) -> Parts<W, R> {
        Parts { archive, rows }
    }
}

/// Writes an archive.
///
/// The games' rows are buffered in a separate file, so memory grows with the names only. Nothing
/// appears under the archive's name before [`finish`](Writer::finish).
pub struct Writer<W: Write + Send = File, R: WriteAt = TemporaryFile> {
    staged: Option<Staged>,
    archive: W,
    rows: Appender<R>,
    games: u64,
    names: SharedNames<NameIds>,
    collected: Collected,
    hasher: NameHasher,
    /// The collection of games without a collection tag.
    collection: Arc<str>,
    threads: Option<NonZero<usize>>,
    evals: bool,
    own: ScratchEncoder<Self>,
}

impl Writer {
    /// Creates an archive at `path`.
    ///
    /// # Errors
    /// I/O errors.
    pub fn create(path: impl AsRef<Path>) -> Result<Writer, Error> {
        Writer::create_with(path, &CreateOptions::default())
    }

    /// Like [`create`](Writer::create), with options.
    ///
    /// # Errors
    /// I/O errors.
    pub fn create_with(path: impl AsRef<Path>, options: &CreateOptions) -> Result<Writer, Error> {
        let path = path.as_ref();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut staged = Staged::new();
        let archive = staged.create(path).map_err(Error::io(ARCHIVE))?;
        let rows = TemporaryFile::new().map_err(Error::io(ARCHIVE))?;
        let writer = Writer::new(Parts { archive, rows }, options, &stem);
        Ok(Writer { staged: Some(staged), ..writer })
    }
}

impl Writer<Vec<u8>, Vec<u8>> {
    /// Creates an archive in memory; [`into_bytes`](Writer::into_bytes) returns its bytes.
    #[must_use]
    #[inline]
    pub fn in_memory() -> Writer<Vec<u8>, Vec<u8>> {
        Writer::in_memory_with(&CreateOptions::default())
    }

    /// Like [`in_memory`](Writer::in_memory), with options.
    #[must_use]
    #[inline]
    pub fn in_memory_with(options: &CreateOptions) -> Writer<Vec<u8>, Vec<u8>> {
        Writer::from_parts(Parts::default(), options)
    }

    /// Completes the archive and returns its bytes.
    ///
    /// # Errors
    /// No error is known to occur.
    #[inline]
    pub fn into_bytes(self) -> Result<Vec<u8>, Error> {
        Ok(self.into_parts()?.archive)
    }
}

impl<W: Write + Send, R: WriteAt> Writer<W, R> {
    /// Creates an archive in the given outputs.
    pub fn from_parts(parts: Parts<W, R>, options: &CreateOptions) -> Writer<W, R> {
        Writer::new(parts, options, COLLECTION)
    }

    fn new(parts: Parts<W, R>, options: &CreateOptions, collection: &str) -> Writer<W, R> {
        Writer {
            staged: None,
            archive: parts.archive,
            rows: Appender::new(parts.rows),
            games: 0,
            names: SharedNames::default(),
            collected: Collected::default(),
            hasher: NameHasher::default(),
            collection: options.collection.as_deref().unwrap_or(collection).into(),
            threads: options.threads,
            evals: options.evals,
            own: ScratchEncoder::default(),
        }
    }

    /// Completes the archive and returns its outputs. An archive on disk gets its name only by
    /// [`finish`](Writer::finish).
    ///
    /// # Errors
    /// I/O errors.
    pub fn into_parts(self) -> Result<Parts<W, R>, Error> {
        Ok(self.complete()?.0)
    }

    fn complete(self) -> Result<(Parts<W, R>, Option<Staged>), Error> {
        let Writer { staged, archive, rows, games, names, collected, threads, evals, .. } = self;
        let size = rows.size();
        let rows = rows.finish().map_err(Error::io(ARCHIVE))?;
        let names = (&*names.read(), &collected);
        let definition = Table::Game.definition_with(evals);
        let archive = pack(archive, &rows, (games, size, &definition), names, threads);
        Ok((Parts { archive: archive.map_err(Error::io(ARCHIVE))?, rows }, staged))
    }
}

chess_store::inherent!(WriteGames<Error, Encoder, Encoded> for [W: Write + Send, R: WriteAt] Writer<W, R>);

impl<W: Write + Send, R: WriteAt> WriteGames for Writer<W, R> {
    type Error = Error;
    type Encoder = Encoder;
    type Encoded = Encoded;

    fn encoder(&self) -> Encoder {
        let (hasher, names) = (self.hasher.clone(), self.names.clone());
        Encoder::new(Arc::clone(&self.collection), self.evals, hasher, names)
    }

    fn append(&mut self, encoded: &mut Encoded, _: &mut Losses) -> Result<(), Error> {
        let row = encoded.number(&self.names, &mut self.collected)?;
        self.rows.push(row).map_err(Error::io(ARCHIVE))?;
        self.games = self.games.saturating_add(1);
        Ok(())
    }

    fn finish(self) -> Result<(), Error> {
        let (mut parts, staged) = self.complete()?;
        parts.archive.flush().map_err(Error::io(ARCHIVE))?;
        drop(parts);
        staged.map_or(Ok(()), Staged::commit).map_err(Error::io(ARCHIVE))
    }

    fn own(&mut self) -> &mut ScratchEncoder<Self> {
        &mut self.own
    }
}

impl<W: Write + Send, R: WriteAt> fmt::Debug for Writer<W, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("games", &self.games).finish_non_exhaustive()
    }
}

/// Packs all tables. The games' rows come with their count, their size in bytes and their definition.
// movecode §8 "Archives"
fn pack<W: Write>(
    archive: W,
    rows: &impl WriteAt,
    (games, size, definition): (u64, u64, &Definition),
    (names, collected): (&NameIds, &Collected),
    threads: Option<NonZero<usize>>,
) -> io::Result<W> {
    let mut tar = tar::Builder::new(GzipWriter::new(archive, threads)?);
    for table in Table::ALL {
        let small = match table {
            Table::Game => {
                append(&mut tar, table, "MYD", FromStart::new(rows), size)?;
                append_rest(&mut tar, table, definition, (games, size))?;
                continue;
            }
            Table::Collection => collection_rows(&names.collections, collected.counts()),
            Table::Event => name_rows(table, &names.events),
            Table::Site => name_rows(table, &names.sites),
            Table::Player => name_rows(table, &names.players),
            Table::Opening => opening_rows(&names.openings),
            Table::MetaInfo => meta_rows(),
        };
        let size = small.bytes.len() as u64;
        append(&mut tar, table, "MYD", small.bytes.as_slice(), size)?;
        append_rest(&mut tar, table, &table.definition(), (small.count, size))?;
    }
    tar.into_inner()?.finish()
}

/// Appends the state and the definition of a table.
fn append_rest(
    tar: &mut tar::Builder<impl Write>,
    table: Table,
    definition: &Definition,
    (rows, size): (u64, u64),
) -> io::Result<()> {
    let state = encode_myi(definition, rows, size);
    append(tar, table, "MYI", state.as_slice(), state.len() as u64)?;
    let form = encode_frm(definition, table.number_charset());
    append(tar, table, "frm", form.as_slice(), form.len() as u64)
}

/// Appends a file, with a constant owner and time.
fn append(
    tar: &mut tar::Builder<impl Write>,
    table: Table,
    extension: &str,
    bytes: impl Read,
    size: u64,
) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(size);
    header.set_mode(0o644);
    tar.append_data(&mut header, format!("{}.{extension}", table.name()), bytes)
}
