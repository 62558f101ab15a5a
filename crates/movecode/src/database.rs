//! An archive: any game by its number.

use std::io::{Read, Seek};
use std::path::Path;

use chess_core::io::ReadAt;
use chess_core::seam::OpenOptions;
use chess_core::{Diagnostics, Game, Header, Location, Warning};

use crate::container::Tables;
use crate::decode::{DecodeOptions, Dialect, GameCode, decode_game};
use crate::error::{Error, ErrorKind, strict};
use crate::header::HeaderReader;
use crate::index::{Index, IndexBuilder};
use crate::myisam::{Definition, ReadError, Row, RowPart, Rows, parse_frm, parse_row, read_row};
use crate::names::NameTables;
use crate::quirk::Quirk;
use crate::schema::{GameColumn, GameColumns, Table};
use crate::text::decode_text;

/// A jose archive, open for reading.
pub struct Database {
    pub(crate) definition: Definition,
    pub(crate) columns: GameColumns,
    pub(crate) rows: Box<dyn ReadAt>,
    pub(crate) index: Index,
    names: NameTables,
    pub(crate) options: DecodeOptions,
    wrapping: &'static str,
    /// What was noted on opening it.
    diagnostics: Diagnostics,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("games", &self.len()).finish_non_exhaustive()
    }
}

/// A row in one piece, or put together.
pub(crate) struct RowBytes {
    /// Where its first block is.
    pub(crate) block: u64,
    /// Where its first byte is, if it lies in one piece.
    pub(crate) start: Option<u64>,
}

impl Database {
    /// Opens an archive in any wrapping, a folder of its tables, or one of their files.
    ///
    /// The extra option `dialect=published` reads the codes as jose's description has them.
    ///
    /// # Errors
    /// If it is no archive, or has no games in it; those of the disk.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Database, Error> {
        Database::new(Tables::open(path)?, options)
    }

    /// Opens an archive that is at hand as a stream.
    ///
    /// # Errors
    /// As [`open`](Database::open).
    pub fn from_archive<R: Read + Seek + 'static>(
        archive: R,
        options: &OpenOptions,
    ) -> Result<Database, Error> {
        Database::new(Tables::from_archive(archive)?, options)
    }

    /// Opens the files of the tables by their names: `IO_Game.frm`, `IO_Game.MYD`, ...
    ///
    /// # Errors
    /// As [`open`](Database::open).
    pub fn from_parts(
        files: Vec<(String, Box<dyn ReadAt>)>,
        options: &OpenOptions,
    ) -> Result<Database, Error> {
        let mut tables = Tables::default();
        tables.wrapping = "files";
        for (name, file) in files {
            tables.add(&name, file)?;
        }
        Database::new(tables, options)
    }

    fn new(mut tables: Tables, options: &OpenOptions) -> Result<Database, Error> {
        let options = decode_options(options)?;
        let mut diagnostics = Diagnostics::lenient();
        if tables.cut {
            diagnostics.note(Quirk::ArchiveCut, Location::file("jose")).map_err(strict)?;
        }
        let (definition, rows) = tables
            .take(Table::Game)
            .ok_or_else(|| Error::new(ErrorKind::NoTable("IO_Game"), Location::file("jose")))?;
        let definition = parse_frm(&definition).map_err(bad_definition)?;
        let columns = GameColumns::find(&definition);
        if !columns.has(GameColumn::Bin) {
            return Err(bad_definition("a column Bin"));
        }
        let index = index_rows(&*rows, &mut diagnostics)?;
        let names = NameTables::read(&mut tables, options.encoding, &mut diagnostics)?;
        let wrapping = tables.wrapping;
        Ok(Database { definition, columns, rows, index, names, options, wrapping, diagnostics })
    }

    /// How many games it lists, readable or not.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.index.len()
    }

    /// Whether it lists no game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The deviations met on opening it.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        self.diagnostics.warnings()
    }

    /// What it says of itself: how it is wrapped, its collections.
    #[must_use]
    pub fn about(&self) -> Vec<(&'static str, String)> {
        let mut about = vec![("wrapping", self.wrapping.to_string())];
        for (_, name) in self.names.collections.sorted() {
            about.push(("collection", name.to_string()));
        }
        about
    }

    /// Reads the header of a game, numbered from zero, replacing what `header` held.
    ///
    /// # Errors
    /// Where the row is damaged.
    pub fn header(
        &self,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        header.clear();
        let mut bytes = Vec::new();
        let place = self.row(game, &mut bytes)?;
        let row = self.parse(game, &bytes, &place)?;
        self.read_header(game, &row, &place, header, diagnostics)
    }

    /// Reads a game, numbered from zero, replacing what `into` held. After an error, `into` holds
    /// what stood before the damage, its variations closed.
    ///
    /// # Errors
    /// Where the row or its codes are damaged.
    pub fn game(
        &self,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        let mut bytes = into.take_buffer();
        let outcome = self.read_game(game, &mut bytes, into, diagnostics);
        into.return_buffer(bytes);
        outcome
    }

    fn read_game(
        &self,
        number: u64,
        bytes: &mut Vec<u8>,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let place = self.row(number, bytes)?;
        let row = self.parse(number, bytes, &place)?;
        self.read_header(number, &row, &place, &mut into.header, diagnostics)?;
        let (code, at) = self.columns.bytes(&row, GameColumn::Bin).unwrap_or((&[], 0));
        let at = place.location(number, at);
        let (comments, _) = self.columns.bytes(&row, GameColumn::Comments).unwrap_or((&[], 0));
        let fen = self.columns.bytes(&row, GameColumn::Fen);
        let fen = fen.filter(|(fen, _)| !fen.is_empty());
        let fen = fen.map(|(fen, _)| decode_text(fen, self.options.encoding).0);
        let from = GameCode { fen: fen.as_deref(), code, comments };
        decode_game(&from, into, &self.options, diagnostics, at)?;
        let plies = self.columns.number(&row, GameColumn::PlyCount);
        if plies.is_some_and(|plies| usize::try_from(plies) != Ok(into.ply_count())) {
            diagnostics.note(Quirk::PlyCount, at).map_err(strict)?;
        }
        Ok(())
    }

    fn read_header(
        &self,
        game: u64,
        row: &Row<'_>,
        place: &RowBytes,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let mut reader = HeaderReader {
            columns: &self.columns,
            names: &self.names,
            encoding: self.options.encoding,
            row,
            at: place.location(game, 0),
            diagnostics,
        };
        reader.read(header)
    }

    /// Reads the row of a game into `bytes`.
    pub(crate) fn row(&self, game: u64, bytes: &mut Vec<u8>) -> Result<RowBytes, Error> {
        let here = Location::file("MYD").in_game(game);
        let block = self.index.get(game).map_err(|error| Error::new(error.into(), here))?;
        let block = block.ok_or_else(|| Error::new(ErrorKind::NoSuchGame, here))?;
        match read_row(&self.rows, block, bytes) {
            Ok(start) => Ok(RowBytes { block, start }),
            Err(ReadError::Io(error)) => Err(Error::new(error.into(), here.at(block))),
            Err(ReadError::Damaged(expected, at)) => {
                Err(Error::new(ErrorKind::Row(expected), here.at(at)))
            }
        }
    }

    pub(crate) fn parse<'a>(
        &self,
        game: u64,
        bytes: &'a [u8],
        place: &RowBytes,
    ) -> Result<Row<'a>, Error> {
        parse_row(&self.definition, bytes).map_err(|(expected, at)| {
            Error::new(ErrorKind::Row(expected), place.location(game, at))
        })
    }
}

impl RowBytes {
    /// A byte of the row; of a row in pieces, its first block.
    pub(crate) fn location(&self, game: u64, at: usize) -> Location {
        let offset = match self.start {
            Some(start) => start.saturating_add(at as u64),
            None => self.block,
        };
        Location::file("MYD").in_game(game).at(offset)
    }
}

/// Where the rows of the games begin. A stretch that is no row counts as one.
fn index_rows(rows: &dyn ReadAt, diagnostics: &mut Diagnostics) -> Result<Index, Error> {
    let mut index = IndexBuilder::default();
    let mut blocks = Rows::new(rows).map_err(io_error)?;
    while let Some(part) = blocks.next().map_err(io_error)? {
        let (RowPart::Row(at) | RowPart::Damage(at)) = part;
        if let RowPart::Damage(at) = part {
            let here = Location::file("MYD").at(at);
            diagnostics.note(Quirk::DamagedRow, here).map_err(strict)?;
        }
        index.push(at).map_err(io_error)?;
    }
    index.finish().map_err(io_error)
}

fn decode_options(options: &OpenOptions) -> Result<DecodeOptions, Error> {
    let mut decode = DecodeOptions { encoding: options.encoding, ..DecodeOptions::default() };
    for (name, value) in &options.extra {
        decode.dialect = match (name.as_str(), value.as_str()) {
            ("dialect", "jose") => Dialect::Jose,
            ("dialect", "published") => Dialect::Published,
            _ => {
                let option = ErrorKind::Option(format!("{name}={value}"));
                return Err(Error::new(option, Location::default()));
            }
        };
    }
    Ok(decode)
}

fn bad_definition(expected: &'static str) -> Error {
    let kind = ErrorKind::Table { table: "IO_Game", expected };
    Error::new(kind, Location::file("frm"))
}

fn io_error(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Io(error), Location::file("MYD"))
}
