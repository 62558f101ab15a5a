//! Writing an archive as jose's export does: seven MyISAM tables in a gzipped tar.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek as _, Write as _};
use std::path::Path;

use chess_core::files::Staged;
use chess_core::seam::{CreateOptions, Loss};
use chess_core::{Game, Header, Location};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::encode::{EncodedGame, encode_game};
use crate::error::{Error, ErrorKind};
use crate::myisam::{Definition, MAX_ROW, encode_frm, encode_myi, encode_row, encode_row_block};
use crate::names::{FIRST_ID, Ids};
use crate::row_writer::{RowIds, RowTexts};
use crate::schema::Table;
use crate::small_tables::{collection_rows, meta_rows, name_rows, opening_rows};

/// Writes an archive.
///
/// The games' rows wait in a temporary file; memory grows with the names only. Nothing appears
/// under the archive's name before [`finish`](Writer::finish).
pub struct Writer {
    staged: Staged,
    archive: File,
    definition: Definition,
    rows: BufWriter<File>,
    written: u64,
    games: u64,
    encoded: EncodedGame,
    row: Vec<u8>,
    block: Vec<u8>,
    texts: RowTexts,
    players: Ids,
    events: Ids,
    sites: Ids,
    openings: Ids,
    collections: Ids,
    /// Games of each collection, by its number less [`FIRST_ID`].
    counts: Vec<i64>,
    /// For games without a collection tag.
    collection: String,
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("games", &self.games).finish_non_exhaustive()
    }
}

impl Writer {
    /// Begins an archive. The extra option `collection=NAME` names the collection of games that
    /// have no tag for it; else it is called like the file.
    ///
    /// # Errors
    /// Those of the disk; an unknown option.
    pub fn create(path: &Path, options: &CreateOptions) -> Result<Writer, Error> {
        let stem = path.file_stem().unwrap_or_default();
        let mut collection = stem.to_string_lossy().into_owned();
        for (name, value) in &options.extra {
            if name != "collection" {
                let option = ErrorKind::Option(format!("{name}={value}"));
                return Err(Error::new(option, Location::default()));
            }
            value.clone_into(&mut collection);
        }
        let mut staged = Staged::new();
        let archive = staged.create(path).map_err(io_error)?;
        let rows = tempfile::tempfile().map_err(io_error)?;
        Ok(Writer {
            staged,
            archive,
            definition: Table::Game.definition(),
            rows: BufWriter::with_capacity(1 << 16, rows),
            written: 0,
            games: 0,
            encoded: EncodedGame::default(),
            row: Vec::new(),
            block: Vec::new(),
            texts: RowTexts::default(),
            players: Ids::default(),
            events: Ids::default(),
            sites: Ids::default(),
            openings: Ids::default(),
            collections: Ids::default(),
            counts: Vec::new(),
            collection,
        })
    }

    /// Writes a game, and adds to `losses` whatever of it the archive cannot hold.
    ///
    /// # Errors
    /// If the game cannot be stored at all: a start position without codes, more than 16 MB.
    /// Those of the disk end the archive.
    pub fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), Error> {
        encode_game(game, &mut self.encoded, losses)?;
        self.texts.take(game, self.encoded.attributes, losses);
        let size = self.encoded.code.len().saturating_add(self.encoded.comments.len());
        // The other columns have 20 kB at most.
        if size > MAX_ROW.saturating_sub(20_000) {
            return Err(Error::new(ErrorKind::TooLong("16 MB are the most"), Location::default()));
        }
        let ids = self.ids(&game.header, losses);
        let values = self.texts.values(&self.encoded, &ids);
        self.row.clear();
        encode_row(&self.definition, &values, &mut self.row);
        self.block.clear();
        encode_row_block(&self.row, &mut self.block);
        self.rows.write_all(&self.block).map_err(io_error)?;
        self.written = self.written.saturating_add(self.block.len() as u64);
        self.games = self.games.saturating_add(1);
        Ok(())
    }

    /// The numbers of all names of a game, old ones and new ones.
    fn ids(&mut self, header: &Header, losses: &mut Vec<Loss>) -> RowIds {
        let collection = match self.texts.collection.as_deref().unwrap_or(&self.collection) {
            // That would be number 0, which is none.
            "-" => "?",
            named => named,
        };
        let collection = self.collections.of(collection, losses);
        let number = self.count(collection);
        let opening = self.texts.opening.as_deref();
        let annotator = self.texts.annotator.as_deref();
        RowIds {
            collection,
            number,
            white: self.players.of(&header.white, losses),
            black: self.players.of(&header.black, losses),
            event: self.events.of(&header.event, losses),
            site: self.sites.of(&header.site, losses),
            opening: opening.map_or(0, |name| self.openings.of(name, losses)),
            annotator: annotator.map(|name| self.players.of(name, losses)),
        }
    }

    /// The number, from 1, of a further game in a collection.
    fn count(&mut self, collection: i64) -> i64 {
        let place = usize::try_from(collection.saturating_sub(FIRST_ID)).unwrap_or(0);
        if place >= self.counts.len() {
            self.counts.resize(place.saturating_add(1), 0);
        }
        match self.counts.get_mut(place) {
            Some(count) => {
                *count = count.saturating_add(1);
                *count
            }
            None => 0,
        }
    }

    /// Completes the archive and gives it its name.
    ///
    /// # Errors
    /// Those of the disk.
    // movecode §8 "Archives"
    pub fn finish(mut self) -> Result<(), Error> {
        self.pack().map_err(io_error)?;
        self.staged.commit().map_err(io_error)
    }

    fn pack(&mut self) -> io::Result<()> {
        self.rows.flush()?;
        let small = [
            (Table::Collection, collection_rows(&self.collections, &self.counts)),
            (Table::Event, name_rows(Table::Event, &self.events)),
            (Table::Opening, opening_rows(&self.openings)),
            (Table::Player, name_rows(Table::Player, &self.players)),
            (Table::Site, name_rows(Table::Site, &self.sites)),
            (Table::MetaInfo, meta_rows()),
        ];
        let archive = BufWriter::new(self.archive.try_clone()?);
        let packer = GzEncoder::new(archive, Compression::default());
        let mut tar = tar::Builder::new(packer);
        for table in Table::ALL {
            if table == Table::Game {
                let mut rows = self.rows.get_ref().try_clone()?;
                rows.rewind()?;
                append(&mut tar, table, "MYD", rows, self.written)?;
                append_rest(&mut tar, table, self.games, self.written)?;
            } else if let Some((_, rows)) = small.iter().find(|(of, _)| *of == table) {
                let size = rows.bytes.len() as u64;
                append(&mut tar, table, "MYD", rows.bytes.as_slice(), size)?;
                append_rest(&mut tar, table, rows.count, size)?;
            }
        }
        tar.into_inner()?.finish()?.into_inner()?.sync_all()
    }
}

type Tar = tar::Builder<GzEncoder<BufWriter<File>>>;

/// Appends the state and the definition of a table.
fn append_rest(tar: &mut Tar, table: Table, rows: u64, size: u64) -> io::Result<()> {
    let definition = table.definition();
    let state = encode_myi(&definition, rows, size);
    append(tar, table, "MYI", state.as_slice(), state.len() as u64)?;
    let form = encode_frm(&definition, table.number_charset());
    append(tar, table, "frm", form.as_slice(), form.len() as u64)
}

/// Appends a file, always with the same owner and time.
fn append(
    tar: &mut Tar,
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

fn io_error(error: io::Error) -> Error {
    Error::new(ErrorKind::Io(error), Location::file("jose"))
}
