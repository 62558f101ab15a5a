//! Writes a folder of Parquet files, one for each value of a field: `by_eco=B90/games.parquet`.

#![allow(clippy::disallowed_methods, reason = "files inside a `StagedFolder`, which syncs them")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chess_core::{Game, Header};
use chess_store::erased::Origin;
use chess_store::files::StagedFolder;
use chess_store::{EncodeGames, Losses, ScratchEncoder, Trim, WriteGames};

use crate::columns::{Columns, Selection, StoredOrigin};
use crate::encode::Encoder;
use crate::error::{Error, ErrorKind, location};
use crate::options::CreateOptions;
use crate::parquet_write::ParquetTarget;
use crate::schema::{Of, Rows};
use crate::writer::Target;

/// The maximum number of bytes of rows, over all files, that wait for compression. It is also the
/// limit for row groups that wait to be written.
const WAITING: usize = 64 << 20;
const OPEN: usize = 256 << 20;
/// The fixed memory cost of a row group: tables for the dictionaries of its columns.
const GROUP: usize = 6 << 18;
/// The longest part of a value that becomes a folder name, in bytes. Even with `%41` escapes it is
/// a valid name.
const MAX_NAME: usize = 80;

/// The maximum number of folders. With more folders, no program reads the table well.
const MAX_FOLDERS: usize = 10_000;

/// The folder name that Hive uses for rows without a value.
const NO_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

/// The value by which the files are partitioned.
#[derive(Clone, Debug)]
enum By {
    Year,
    Month,
    Eco,
    Tag(String),
}

/// The treatment of a folder that is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Existing {
    /// It is an error.
    #[default]
    Refuse,
    /// The new folder replaces it if it has nothing but partitions.
    Replace,
    /// It keeps its partitions, and gets new ones. A partition that it has is an error.
    Add,
    /// Like [`Add`](Existing::Add), but a new partition replaces the one of its name.
    Update,
}

impl Existing {
    /// Returns the treatment for two choices of a user: `adds` keeps the other partitions of the folder, and
    /// `replaces` allows old files to be replaced.
    #[must_use]
    pub fn new(adds: bool, replaces: bool) -> Existing {
        match (adds, replaces) {
            (true, true) => Existing::Update,
            (true, false) => Existing::Add,
            (false, true) => Existing::Replace,
            (false, false) => Existing::Refuse,
        }
    }
}

impl By {
    fn new(text: &str) -> By {
        match text.to_ascii_lowercase().as_str() {
            "year" => By::Year,
            "month" => By::Month,
            "eco" => By::Eco,
            _ => By::Tag(text.to_owned()),
        }
    }

    fn name(&self) -> &str {
        match self {
            By::Year => "year",
            By::Month => "month",
            By::Eco => "eco",
            By::Tag(tag) => tag,
        }
    }

    /// Appends the name of a folder in Hive's style. The part before the equals sign becomes a
    /// column, so it must differ from the columns in the files; otherwise readers could not tell
    /// the two columns apart.
    fn folder(&self, header: &Header, out: &mut String) {
        out.clear();
        let value = match self {
            By::Year => header.date.year().map(|year| year.to_string()),
            By::Month => {
                let month = header.date.year().zip(header.date.month());
                month.map(|(year, month)| format!("{year:04}-{month:02}"))
            }
            By::Eco => header.eco.map(|eco| eco.to_string().chars().take(3).collect()),
            By::Tag(tag) => match tag.as_str() {
                "Result" => Some(header.result.to_string()),
                "Date" => (!header.date.is_unknown()).then(|| header.date.to_string()),
                "WhiteElo" => header.white_elo.map(|elo| elo.to_string()),
                "BlackElo" => header.black_elo.map(|elo| elo.to_string()),
                _ => header.get(tag).filter(|value| value != "?"),
            },
        };
        out.push_str("by_");
        escape(self.name(), out);
        out.push('=');
        match value.filter(|value| !value.is_empty()) {
            Some(value) => escape(&value, out),
            None => out.push_str(NO_VALUE),
        }
    }
}

/// Appends the characters that every file system and reader accepts; other bytes become `%41`.
/// Truncates the result to the length of a name.
fn escape(text: &str, out: &mut String) {
    let ends = text.char_indices().map(|(at, letter)| at.saturating_add(letter.len_utf8()));
    let end = ends.take_while(|end| *end <= MAX_NAME).last().unwrap_or(0);
    let start = text.get(..end).unwrap_or_default();
    for (place, byte) in start.bytes().enumerate() {
        // Windows drops trailing full stops and spaces, and a leading full stop hides a file.
        let at_an_end = place == 0 || place.saturating_add(1) == end;
        let plain = byte.is_ascii_alphanumeric() || b"_-,+()'".contains(&byte);
        if plain || b" .".contains(&byte) && !at_an_end {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

/// Writes a folder of Parquet files. The folder appears when it is complete.
pub struct PartitionedWriter {
    folder: StagedFolder,
    existing: Existing,
    by: By,
    options: CreateOptions,
    selection: Selection,
    files: BTreeMap<String, Part>,
    waiting: usize,
    open: usize,
    origin: StoredOrigin,
    of_origin: Arc<[(usize, Of)]>,
    own: ScratchEncoder<PartitionedWriter>,
}

struct Part {
    columns: Columns,
    /// The size in bytes of the file's columns, and of its current row group before compression.
    waiting: usize,
    open: usize,
    target: Box<ParquetTarget<BufWriter<Reopened>>>,
}

/// A file that is open only during a write, because there may be more files than the system can
/// keep open.
struct Reopened(PathBuf);

impl io::Write for Reopened {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        File::options().append(true).open(&self.0)?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl PartitionedWriter {
    /// Creates a folder. `by` is `year`, `month`, `eco` or the name of a tag.
    ///
    /// # Errors
    /// I/O errors, also for something at `path` that `existing` refuses; an unknown column; an empty `by`.
    pub fn create(
        path: impl Into<PathBuf>,
        by: &str,
        options: &CreateOptions,
        existing: Existing,
    ) -> Result<PartitionedWriter, Error> {
        if by.is_empty() {
            let kind = ErrorKind::Column { rows: options.rows, name: "".into() };
            return Err(Error::new(kind, location()));
        }
        let selection = options.selection()?;
        let path = path.into();
        let may_replace = existing != Existing::Refuse;
        let is_ours = |path: &Path| may_replace && matches!(other_file(path), Ok(None));
        let folder = StagedFolder::replace(&path, is_ours).map_err(|error| {
            if !may_replace || error.kind() != io::ErrorKind::AlreadyExists {
                return io_error(error);
            }
            let text = match other_file(&path) {
                Ok(Some(name)) => format!("the folder has other files: {name}"),
                _ => "it is not a folder of partitions".to_owned(),
            };
            io_error(io::Error::new(io::ErrorKind::AlreadyExists, text))
        })?;
        Ok(PartitionedWriter {
            folder,
            existing,
            by: By::new(by),
            options: CreateOptions { threads: Some(1), ..options.clone() },
            of_origin: selection.of_origin().into(),
            selection,
            files: BTreeMap::new(),
            waiting: 0,
            open: 0,
            origin: StoredOrigin::default(),
            own: ScratchEncoder::default(),
        })
    }

    fn part(&mut self, folder: &str) -> Result<&mut Part, Error> {
        if !self.files.contains_key(folder) {
            if self.files.len() >= MAX_FOLDERS {
                let (by, most) = (self.by.name().into(), MAX_FOLDERS);
                return Err(Error::new(ErrorKind::Folders { by, most }, location()));
            }
            let name = match self.selection.rows() {
                Rows::Games => "games.parquet",
                Rows::Plies => "plies.parquet",
            };
            self.may_add(folder, name)?;
            let path = self.folder.temporary().join(folder);
            fs::create_dir(&path).map_err(io_error)?;
            let path = path.join(name);
            File::create_new(&path).map_err(io_error)?;
            let file = BufWriter::new(Reopened(path));
            let (level, rows) = (self.options.level, self.options.row_group());
            let target = Box::new(ParquetTarget::new(file, &self.selection, level, rows, 1)?);
            let columns = Columns::new(&self.selection);
            self.files.insert(folder.to_owned(), Part { columns, waiting: 0, open: 0, target });
        }
        self.files.get_mut(folder).ok_or_else(|| io_error(io::ErrorKind::NotFound.into()))
    }

    /// Returns an error if the folder has a partition of this name that stays.
    fn may_add(&self, folder: &str, file: &str) -> Result<(), Error> {
        let place = self.folder.path().join(folder);
        let is_free = match self.existing {
            Existing::Refuse | Existing::Replace => true,
            Existing::Add => !place.exists(),
            // Files of another program would be read beside the new one.
            Existing::Update => fs::read_dir(&place).map_or(true, |mut files| {
                files.all(|found| found.is_ok_and(|found| found.file_name() == *file))
            }),
        };
        if is_free {
            return Ok(());
        }
        let what = match self.existing {
            Existing::Add => "exists",
            _ => "has other files",
        };
        let text = format!("the partition {folder} {what}");
        Err(io_error(io::Error::new(io::ErrorKind::AlreadyExists, text)))
    }

    /// Compresses the rows of the file with the most waiting rows.
    fn compress(&mut self) -> Result<(), Error> {
        let fullest = self.files.values_mut().max_by_key(|part| part.waiting);
        let Some(part) = fullest else { return Ok(()) };
        self.waiting = self.waiting.saturating_sub(part.waiting);
        let before = part.open;
        part.compress(&self.selection)?;
        self.open = self.open.saturating_add(part.open.saturating_sub(before));
        if self.open > OPEN
            && let Some(part) = self.files.values_mut().max_by_key(|part| part.open)
        {
            self.open = self.open.saturating_sub(part.open);
            part.open = 0;
            part.target.end()?;
        }
        Ok(())
    }
}

/// Returns the name of a file or folder in a folder that is no partition.
fn other_file(folder: &Path) -> io::Result<Option<String>> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !(name.starts_with("by_") && name.contains('=')) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

impl Part {
    fn compress(&mut self, selection: &Selection) -> Result<(), Error> {
        let columns = std::mem::replace(&mut self.columns, Columns::new(selection));
        let group = if self.open == 0 { GROUP } else { 0 };
        self.open = self.open.saturating_add(self.waiting).saturating_add(group);
        self.waiting = 0;
        if columns.rows() == 0 { Ok(()) } else { self.target.write(columns) }
    }
}

fn io_error(error: io::Error) -> Error {
    Error::new(ErrorKind::Io(error), location())
}

impl std::fmt::Debug for PartitionedWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PartitionedWriter").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// The rows of a game, and the file they belong to.
#[derive(Debug, Default)]
pub struct PartRows {
    columns: Columns,
    folder: String,
}

impl Trim for PartRows {
    fn trim(&mut self, most: usize) {
        self.columns.trim(most);
    }
}

/// An [`Encoder`] that also determines the file of a game.
#[derive(Debug)]
pub struct PartEncoder {
    encoder: Encoder,
    by: By,
}

chess_store::inherent!(EncodeGames<Error, PartRows> for [] PartEncoder);

impl EncodeGames for PartEncoder {
    type Error = Error;
    type Encoded = PartRows;

    fn encode(
        &mut self,
        game: &Game,
        into: &mut PartRows,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        self.by.folder(&game.header, &mut into.folder);
        self.encoder.encode(game, &mut into.columns, losses)
    }
}

chess_store::inherent!(WriteGames<Error, PartEncoder, PartRows> for [] PartitionedWriter);

impl WriteGames for PartitionedWriter {
    type Error = Error;
    type Encoder = PartEncoder;
    type Encoded = PartRows;

    fn encoder(&self) -> PartEncoder {
        PartEncoder { encoder: Encoder::new(&self.selection), by: self.by.clone() }
    }

    fn set_origin(&mut self, origin: &Origin<'_>) {
        self.origin.set(origin);
    }

    fn append(&mut self, encoded: &mut PartRows, _: &mut Losses) -> Result<(), Error> {
        let origin = std::mem::take(&mut self.origin);
        let of_origin = Arc::clone(&self.of_origin);
        let part = self.part(&encoded.folder)?;
        part.columns.append_origin(&of_origin, &origin, encoded.columns.rows());
        part.columns.append(&encoded.columns, 0..encoded.columns.rows());
        let size = encoded.columns.size();
        part.waiting = part.waiting.saturating_add(size);
        self.origin = origin;
        self.origin.forget();
        self.waiting = self.waiting.saturating_add(size);
        if self.waiting > WAITING { self.compress() } else { Ok(()) }
    }

    /// If no game has the tag, the name is probably misspelt.
    fn finish(mut self) -> Result<(), Error> {
        let valued = self.files.keys().any(|folder| !folder.ends_with(NO_VALUE));
        if let By::Tag(tag) = &self.by
            && !valued
            && !self.files.is_empty()
        {
            return Err(Error::new(ErrorKind::NoValue(tag.as_str().into()), location()));
        }
        for (_, mut part) in std::mem::take(&mut self.files) {
            part.compress(&self.selection)?;
            part.target.finish()?;
        }
        let put = match self.existing {
            Existing::Refuse | Existing::Replace => StagedFolder::commit,
            Existing::Add | Existing::Update => StagedFolder::commit_parts,
        };
        put(self.folder).map_err(io_error)
    }

    fn own(&mut self) -> &mut ScratchEncoder<PartitionedWriter> {
        &mut self.own
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Kind;

    fn folder(by: &str, value: &str) -> String {
        let (mut header, mut out) = (Header::default(), String::new());
        header.set("White", value);
        By::new(by).folder(&header, &mut out);
        out
    }

    #[test]
    fn row_group_of_one_row_costs_no_more_than_counted() {
        for rows in [Rows::Games, Rows::Plies] {
            let selection = Selection::named(rows, rows.fields().iter().map(|f| f.name)).unwrap();
            let mut columns = Columns::new(&selection);
            for (field, column) in columns.iter_mut() {
                match field.kind {
                    _ if field.nullable => column.null(),
                    Kind::Text => column.text("x"),
                    Kind::Int16 => column.int16(1),
                    Kind::UInt64 => column.uint64(1),
                    Kind::UciList | Kind::UInt16List | Kind::TextMap => column.end_list(),
                    Kind::Bytes32 => column.bytes32(&[0; 32]),
                    _ => column.int32(1),
                }
            }
            columns.end_rows(1);
            let mut target = ParquetTarget::new(Vec::new(), &selection, 1, 1000, 1).unwrap();
            let memory = testkit::peak(|| target.write(columns).unwrap());
            assert!(memory <= GROUP as u64, "{memory} bytes for {rows:?}");
            assert!(memory > GROUP as u64 / 8, "{memory} bytes for {rows:?}");
        }
    }

    #[test]
    fn folder_any_value_is_a_valid_name() {
        for (value, name) in [
            ("Karpov, A.", "by_White=Karpov, A%2E"),
            ("a/b\\c:d*?", "by_White=a%2Fb%5Cc%3Ad%2A%3F"),
            ("..", "by_White=%2E%2E"),
            (".", "by_White=%2E"),
            (" x ", "by_White=%20x%20"),
            ("\u{e9}", "by_White=%C3%A9"),
            ("100%", "by_White=100%25"),
            ("?", "by_White=__HIVE_DEFAULT_PARTITION__"),
            ("", "by_White=__HIVE_DEFAULT_PARTITION__"),
        ] {
            assert_eq!(folder("White", value), name);
        }
        assert!(folder("White", &"\u{20ac}".repeat(200)).len() <= 255);
        assert_eq!(folder("YEAR", "x"), "by_year=__HIVE_DEFAULT_PARTITION__");
        assert!(folder("a/../b", "x").starts_with("by_a%2F..%2Fb="));
    }
}
