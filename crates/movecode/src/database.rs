//! Random access to the games of an archive.

use std::borrow::Cow;
use std::io::{Read, Seek};
use std::path::Path;

use chess_core::{Game, Header, exceeds_move_numbers};
use chess_store::io::{PageCache, ReadAt};
use chess_store::{
    Describe, Diagnostics, Field, Inputs, Location, Quirk as _, ReadGames, SearchIndex, Warning,
    check_variant,
};

use crate::container::{TableFile, Tables};
use crate::decode::{DecodeOptions, Dialect, GameCode, decode_game};
use crate::error::{Error, ErrorKind};
use crate::evals::attach;
use crate::header::HeaderReader;
use crate::index::{Index, IndexBuilder};
use crate::myisam::{Definition, ReadError, Row, RowPart, Rows, parse_frm, parse_row, read_row};
use crate::names::NameTables;
use crate::options::OpenOptions;
use crate::quirk::Quirk;
use crate::schema::{GameColumn, GameColumns, Table};
use crate::text::decode_text;

/// The number of games that tell the dialect.
const SURVEYED: u64 = 64;

/// A jose archive, open for reading.
pub struct Database {
    pub(crate) definition: Definition,
    pub(crate) columns: GameColumns,
    rows: TableFile,
    index: Index,
    names: NameTables,
    pub(crate) options: DecodeOptions,
    wrapping: &'static str,
    /// Warnings found on opening.
    diagnostics: Diagnostics,
}

/// The per-thread state of reading games.
#[derive(Debug, Default)]
pub struct State {
    row: Vec<u8>,
    rows: PageCache,
    index: PageCache,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("games", &self.index.len()).finish_non_exhaustive()
    }
}

impl Database {
    /// Opens an archive in any container format, a folder of its tables, or one of their files.
    ///
    /// # Errors
    /// I/O errors; a file that is no archive; an archive without games.
    pub fn open(path: impl AsRef<Path>) -> Result<Database, Error> {
        Database::open_with(path, &OpenOptions::default())
    }

    /// Like [`open`](Database::open), with options.
    ///
    /// # Errors
    /// The errors of [`open`](Database::open).
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Database, Error> {
        Database::new(Tables::open(path.as_ref(), options)?, options)
    }

    /// Like [`open_with`](Database::open_with), with files that are open already.
    ///
    /// # Errors
    /// The errors of [`open`](Database::open).
    pub fn open_inputs(inputs: &Inputs, options: &OpenOptions) -> Result<Database, Error> {
        Database::new(Tables::from_inputs(inputs, options)?, options)
    }

    /// Opens an archive from a seekable stream, such as a [`Cursor`](std::io::Cursor) over bytes.
    ///
    /// # Errors
    /// The errors of [`open`](Database::open).
    pub fn from_archive(
        archive: impl Read + Seek,
        options: &OpenOptions,
    ) -> Result<Database, Error> {
        Database::new(Tables::from_archive(archive, options)?, options)
    }

    /// Opens the files of the tables by their names: `IO_Game.frm`, `IO_Game.MYD`, ...
    ///
    /// # Errors
    /// The errors of [`open`](Database::open).
    pub fn from_parts<N: AsRef<str>, F: ReadAt + Send + Sync + 'static>(
        files: impl IntoIterator<Item = (N, F)>,
        options: &OpenOptions,
    ) -> Result<Database, Error> {
        let mut tables = Tables::default();
        tables.wrapping = "files";
        for (name, file) in files {
            tables.add(name.as_ref(), Box::new(file))?;
        }
        Database::new(tables, options)
    }

    fn new(mut tables: Tables, options: &OpenOptions) -> Result<Database, Error> {
        let mut diagnostics =
            if options.strict { Diagnostics::strict() } else { Diagnostics::lenient() };
        let (asked, encoding) = (options.dialect, options.encoding);
        // Tables in a folder have no archive to name.
        let whole = match tables.wrapping {
            "folder" | "files" => Location::file("MYD"),
            _ => Location::file("jose"),
        };
        if tables.cut {
            diagnostics.note(Quirk::ArchiveCut, whole)?;
        }
        if tables.damaged {
            diagnostics.note(Quirk::ArchiveDamaged, whole)?;
        }
        if tables.twice {
            diagnostics.note(Quirk::TableTwice, whole)?;
        }
        let is_torn = tables.cut || tables.damaged;
        let missing = if is_torn { ErrorKind::TableLost } else { ErrorKind::NoTable };
        let games = tables.take(Table::Game);
        let (definition, rows) = games.ok_or_else(|| Error::new(missing("IO_Game"), whole))?;
        let definition = parse_frm(&definition).map_err(bad_definition)?;
        let columns = GameColumns::find(&definition);
        if !columns.has(GameColumn::Bin) {
            return Err(bad_definition("a column Bin"));
        }
        let index = index_rows(&PageCache::default().cached(&*rows), &mut diagnostics)?;
        let names = NameTables::read(&mut tables, encoding, whole, &mut diagnostics)?;
        let wrapping = tables.wrapping;
        let options = DecodeOptions { dialect: asked.unwrap_or_default(), encoding };
        let mut base =
            Database { definition, columns, rows, index, names, options, wrapping, diagnostics };
        if asked.is_none() && base.is_published() {
            base.options.dialect = Dialect::Published;
            base.diagnostics.note(Quirk::PublishedDialect, Location::file("MYD"))?;
        }
        Ok(base)
    }

    /// Returns whether more of the first games are whole and legal only as the published description
    /// has the codes than only as jose has them.
    // movecode §14 "The published description"
    fn is_published(&self) -> bool {
        let (mut state, mut game) = (State::default(), Game::new());
        let mut fits = |number, dialect| {
            let mut diagnostics = Diagnostics::lenient();
            let options = DecodeOptions { dialect, encoding: self.options.encoding };
            let bytes = self.row(&mut state, number).ok()?;
            let row = bytes.parse(&self.definition).ok()?;
            let read = self.decode(&bytes, &row, &mut game, &options, &mut diagnostics);
            let is_illegal = |warning: &Warning| warning.name == Quirk::IllegalMove.name();
            Some(read.is_ok() && !diagnostics.warnings().iter().any(is_illegal))
        };
        let (mut jose, mut published) = (0u32, 0u32);
        for number in 0..self.index.len().min(SURVEYED) {
            let of_jose = fits(number, Dialect::Jose).unwrap_or_default();
            let of_published = fits(number, Dialect::Published).unwrap_or_default();
            jose = jose.saturating_add(u32::from(of_jose && !of_published));
            published = published.saturating_add(u32::from(of_published && !of_jose));
        }
        published > jose
    }

    /// Decodes the codes of a row.
    fn decode(
        &self,
        bytes: &RowBytes<'_>,
        row: &Row<'_>,
        into: &mut Game,
        options: &DecodeOptions,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let (code, at) = self.columns.bytes(row, GameColumn::Bin).unwrap_or((&[], 0));
        let (comments, _) = self.columns.bytes(row, GameColumn::Comments).unwrap_or((&[], 0));
        let fen = self.fen(row);
        let from = GameCode { fen: fen.as_deref(), code, comments };
        decode_game(&from, into, options, diagnostics, bytes.location(at))
    }

    fn fen<'r>(&self, row: &Row<'r>) -> Option<Cow<'r, str>> {
        let (fen, _) = self.columns.bytes(row, GameColumn::Fen)?;
        (!fen.is_empty()).then(|| decode_text(fen, self.options.encoding).0)
    }

    /// Reads the row of a game.
    pub(crate) fn row<'s>(&self, state: &'s mut State, game: u64) -> Result<RowBytes<'s>, Error> {
        let State { row, rows, index } = state;
        let here = Location::file("MYD").in_game(game);
        let block = self.index.get(game, index).map_err(Error::io(here))?;
        let (block, readable) = block.ok_or_else(|| Error::new(ErrorKind::NoSuchGame, here))?;
        if !readable {
            let expected = "rows in parts that have no more bytes than the table";
            return Err(Error::new(ErrorKind::Row(expected), here.at(block)));
        }
        match read_row(&rows.cached(&*self.rows), block, row) {
            Ok(start) => Ok(RowBytes { bytes: row, game, block, start }),
            Err(ReadError::Io(error)) => Err(Error::io(here.at(block))(error)),
            Err(ReadError::Damaged(expected, at)) => {
                Err(Error::new(ErrorKind::Row(expected), here.at(at)))
            }
        }
    }

    /// Adds the evaluations to the moves of a game, which are complete if `is_whole` is true.
    // movecode §9.6
    fn attach_evals(
        &self,
        bytes: &RowBytes<'_>,
        row: &Row<'_>,
        is_whole: bool,
        game: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let column = self.columns.bytes(row, GameColumn::Eval);
        let Some((evals, at)) = column.filter(|(evals, _)| !evals.is_empty()) else {
            return Ok(());
        };
        let at = bytes.location(at);
        let fits = attach(game, evals);
        let fits = fits.map_err(|error| Error::new(ErrorKind::Line(error), at))?;
        if is_whole && !fits {
            diagnostics.note(Quirk::EvalSize, at)?;
        }
        Ok(())
    }

    fn read_header(
        &self,
        row: &Row<'_>,
        at: Location,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        let mut reader = HeaderReader {
            columns: &self.columns,
            names: &self.names,
            encoding: self.options.encoding,
            row,
            at,
            diagnostics,
        };
        reader.read(header)
    }
}

chess_store::inherent!(ReadGames<Error> for [] Database);

impl ReadGames for Database {
    type Error = Error;
    type State = State;

    fn len(&self) -> u64 {
        self.index.len()
    }

    fn header_with(
        &self,
        state: &mut State,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        header.clear();
        let bytes = self.row(state, game)?;
        let row = bytes.parse(&self.definition)?;
        self.read_header(&row, bytes.location(0), header, diagnostics)
    }

    fn game_with(
        &self,
        state: &mut State,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        let bytes = self.row(state, game)?;
        let row = bytes.parse(&self.definition)?;
        self.read_header(&row, bytes.location(0), &mut into.header, diagnostics)?;
        let (_, at) = self.columns.bytes(&row, GameColumn::Bin).unwrap_or((&[], 0));
        let at = bytes.location(at);
        let fen = self.fen(&row);
        let read = self.decode(&bytes, &row, into, &self.options, diagnostics);
        self.attach_evals(&bytes, &row, read.is_ok(), into, diagnostics)?;
        if into.drop_stray_castling() {
            diagnostics.note(Quirk::CastlingRights, at)?;
        }
        if fen.as_deref().is_some_and(exceeds_move_numbers) {
            diagnostics.note(Quirk::MoveNumber, at)?;
        }
        check_variant(into, read, || at)?;
        let plies = self.columns.number(&row, GameColumn::PlyCount);
        if plies.is_some_and(|plies| usize::try_from(plies) != Ok(into.ply_count())) {
            diagnostics.note(Quirk::PlyCount, at)?;
        }
        Ok(())
    }

    /// Dumps every byte of a game's row, including each code and text. In a row of several blocks,
    /// offsets count on from the first block.
    fn dump_with(
        &self,
        state: &mut State,
        game: u64,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Error> {
        let bytes = self.row(state, game)?;
        self.dump_row(&bytes, each)
    }
}

impl SearchIndex for Database {}

impl Describe for Database {
    /// Returns the container format and the collections.
    fn details(&self) -> Vec<(&'static str, String)> {
        let mut about = vec![("wrapping", self.wrapping.to_string())];
        for (_, name) in self.names.collections.sorted() {
            about.push(("collection", name.to_string()));
        }
        if self.options.dialect == Dialect::Published {
            about.push(("dialect", "as jose's published description has it".to_string()));
        }
        about
    }

    fn warnings(&self) -> &[Warning] {
        self.diagnostics.warnings()
    }
}

/// The bytes of a game's row, contiguous or reassembled.
pub(crate) struct RowBytes<'s> {
    pub(crate) bytes: &'s [u8],
    game: u64,
    /// Offset of the first block.
    block: u64,
    /// Offset of the first byte, if the row is contiguous.
    start: Option<u64>,
}

impl<'s> RowBytes<'s> {
    fn parse(&self, definition: &Definition) -> Result<Row<'s>, Error> {
        parse_row(definition, self.bytes).map_err(|(expected, at)| self.damaged(expected, at))
    }

    pub(crate) fn damaged(&self, expected: &'static str, at: usize) -> Error {
        Error::new(ErrorKind::Row(expected), self.location(at))
    }

    /// Returns the location of a byte of the row, or of the first block if the row is fragmented.
    pub(crate) fn location(&self, at: usize) -> Location {
        let offset = self.start.map_or(self.block, |start| start.saturating_add(at as u64));
        Location::file("MYD").in_game(self.game).at(offset)
    }

    /// Returns the offset of a byte of the row for a dump.
    pub(crate) fn offset(&self, at: usize) -> u64 {
        self.start.unwrap_or(self.block).saturating_add(at as u64)
    }
}

/// Indexes the starts of the games' rows. A damaged range counts as one row.
fn index_rows(rows: &impl ReadAt, diagnostics: &mut Diagnostics) -> Result<Index, Error> {
    let io = Error::io(Location::file("MYD"));
    let mut index = IndexBuilder::default();
    let mut blocks = Rows::new(rows).map_err(&io)?;
    while let Some(part) = blocks.next().map_err(&io)? {
        match part {
            RowPart::Row(at) => index.push(at).map_err(&io)?,
            RowPart::Excessive(at) => index.push_unreadable(at).map_err(&io)?,
            RowPart::Damage(at) => {
                diagnostics.note(Quirk::DamagedRow, Location::file("MYD").at(at))?;
                index.push(at).map_err(&io)?;
            }
        }
    }
    index.finish().map_err(&io)
}

fn bad_definition(expected: &'static str) -> Error {
    let kind = ErrorKind::Table { table: "IO_Game", expected };
    Error::new(kind, Location::file("frm"))
}
