//! Extracts the tables from archives and folders.

use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use chess_store::io::compressed::{Source, bzip2, gzip};
use chess_store::io::{DecompressionLimit, FromStart, ReadAt, Spool};
use chess_store::{Inputs, Location};
use tar::EntryType;
use zip::result::ZipError;

use crate::error::{Error, ErrorKind};
use crate::options::OpenOptions;
use crate::schema::Table;

/// Size limit of a table definition, which usually has about ten thousand bytes.
const MAX_DEFINITION: usize = 1 << 20;
/// Length limit of file names. Files with longer names are ignored.
const MAX_NAME: u64 = 4096;
/// Maximum number of nested compression layers.
const MAX_LAYERS: u32 = 3;

const GZIP: &[u8] = &[0x1f, 0x8b];
const BZIP2: &[u8] = b"BZh";
/// bzip2 without its first two bytes, as jose writes and reads it.
const BARE_BZIP2: &[u8] = b"h";
const BZIP2_BLOCK: &[u8] = &[0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
const ZIP: &[u8] = b"PK\x03\x04";
const RAR: &[u8] = b"Rar!\x1a\x07";
const SEVEN_ZIP: &[u8] = b"7z\xbc\xaf\x27\x1c";
const XZ: &[u8] = b"\xfd7zXZ\0";
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";

/// The file with the rows of a table, on disk or in memory.
pub(crate) type TableFile = Box<dyn ReadAt + Send + Sync>;

/// The files of the tables.
#[derive(Default)]
pub(crate) struct Tables {
    definitions: Vec<(Table, Vec<u8>)>,
    rows: Vec<(Table, TableFile)>,
    /// `true` if the archive is truncated.
    pub(crate) cut: bool,
    /// `true` if a checksum or a length of the archive is wrong.
    pub(crate) damaged: bool,
    /// `true` if a table's file occurs more than once.
    pub(crate) twice: bool,
    /// Human-readable name of the container.
    pub(crate) wrapping: &'static str,
}

/// The kind of a table's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Definition,
    Rows,
}

impl Tables {
    /// Takes the definition and the rows of a table, if both are present.
    pub(crate) fn take(&mut self, table: Table) -> Option<(Vec<u8>, TableFile)> {
        let definition = self.definitions.iter().position(|(of, _)| *of == table)?;
        let rows = self.rows.iter().position(|(of, _)| *of == table)?;
        Some((self.definitions.swap_remove(definition).1, self.rows.swap_remove(rows).1))
    }

    /// Adds a file if it belongs to a table.
    pub(crate) fn add(&mut self, name: &str, file: TableFile) -> Result<(), Error> {
        match table_file(name) {
            Some((table, Part::Rows)) => self.put_rows(table, file)?,
            Some((table, Part::Definition)) => {
                let mut bytes = Vec::new();
                file.read_into(0, MAX_DEFINITION, &mut bytes).map_err(Error::io(ARCHIVE))?;
                self.put_definition(table, bytes);
            }
            None => {}
        }
        Ok(())
    }

    /// Stores the rows of a table. A later file replaces an earlier one, as when unpacking to a folder,
    /// unless it is empty.
    fn put_rows(&mut self, table: Table, file: TableFile) -> Result<(), Error> {
        let Some(old) = self.rows.iter_mut().find(|(of, _)| *of == table) else {
            self.rows.push((table, file));
            return Ok(());
        };
        self.twice = true;
        if file.size().map_err(Error::io(ARCHIVE))? > 0 {
            old.1 = file;
        }
        Ok(())
    }

    fn put_definition(&mut self, table: Table, bytes: Vec<u8>) {
        let Some(old) = self.definitions.iter_mut().find(|(of, _)| *of == table) else {
            self.definitions.push((table, bytes));
            return;
        };
        self.twice = true;
        if !bytes.is_empty() {
            old.1 = bytes;
        }
    }

    /// Opens the tables at `path`: an archive, a folder, or a file in a folder of tables.
    pub(crate) fn open(path: &Path, options: &OpenOptions) -> Result<Tables, Error> {
        if path.is_dir() {
            return Tables::from_folder(path);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if table_file(&name).is_some() || name.to_ascii_lowercase().ends_with(".myi") {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            return Tables::from_folder(folder.unwrap_or(Path::new(".")));
        }
        Tables::from_archive(File::open(path).map_err(Error::io(ARCHIVE))?, options)
    }

    /// Like [`open`](Tables::open), with files that are open already.
    pub(crate) fn from_inputs(inputs: &Inputs, options: &OpenOptions) -> Result<Tables, Error> {
        let name_of =
            |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = name_of(inputs.named());
        if table_file(&name).is_none() && !name.to_ascii_lowercase().ends_with(".myi") {
            let archive = inputs.main().map_err(Error::io(ARCHIVE))?;
            return Tables::from_archive(FromStart::new(archive), options);
        }
        let mut tables = Tables { wrapping: "folder", ..Tables::default() };
        for (path, file) in inputs.folder() {
            tables.add(&name_of(path), Box::new(file.clone()))?;
        }
        Ok(tables)
    }

    fn from_folder(folder: &Path) -> Result<Tables, Error> {
        let mut tables = Tables { wrapping: "folder", ..Tables::default() };
        for entry in fs::read_dir(folder).map_err(Error::io(ARCHIVE))? {
            let path = entry.map_err(Error::io(ARCHIVE))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if table_file(&name).is_some() && path.is_file() {
                tables.add(&name, Box::new(File::open(&path).map_err(Error::io(ARCHIVE))?))?;
            }
        }
        Ok(tables)
    }

    /// Unpacks an archive in any container format. Large files go to unnamed temporary files.
    // movecode §8 "Archives"
    pub(crate) fn from_archive<R: Read + Seek>(
        mut archive: R,
        options: &OpenOptions,
    ) -> Result<Tables, Error> {
        let size = archive.seek(SeekFrom::End(0)).map_err(Error::io(ARCHIVE))?;
        archive.rewind().map_err(Error::io(ARCHIVE))?;
        let allowance = DecompressionLimit::new(options.max_unpacked);
        allowance.add_packed(size);
        let mut unpacker = Unpacker { allowance, tables: Tables::default() };
        let start = peek(&mut archive).map_err(Error::io(ARCHIVE))?;
        archive.rewind().map_err(Error::io(ARCHIVE))?;
        if start.starts_with(ZIP) {
            unpacker.zip(&mut BufReader::new(archive))?;
            unpacker.tables.wrapping = "zip";
        } else {
            unpacker.stream(Box::new(BufReader::new(archive)), 0)?;
        }
        Ok(unpacker.tables)
    }
}

/// Returns the table and kind of a file by its name, which may include folders.
fn table_file(name: &str) -> Option<(Table, Part)> {
    let name = name.rsplit(['/', '\\']).next()?;
    let (stem, extension) = name.rsplit_once('.')?;
    let part = match extension {
        _ if extension.eq_ignore_ascii_case("frm") => Part::Definition,
        _ if extension.eq_ignore_ascii_case("MYD") => Part::Rows,
        _ => return None,
    };
    Some((Table::from_name(stem)?, part))
}

/// An unpacked file. The archive reader writes to it, and it is taken when the reader has finished.
#[cfg(feature = "rar")]
#[derive(Clone, Default)]
struct Unpacking(std::sync::Arc<std::sync::Mutex<Spool>>);

#[cfg(feature = "rar")]
impl Unpacking {
    fn lock(&self) -> std::sync::MutexGuard<'_, Spool> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(feature = "rar")]
impl io::Write for Unpacking {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().push(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Object-safe `Read + Seek`, so that the zip reader is compiled once.
trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

struct Unpacker {
    /// Limits the total output of all decoders.
    allowance: DecompressionLimit,
    tables: Tables,
}

impl Unpacker {
    fn stream(&mut self, mut input: Box<dyn Read + '_>, layer: u32) -> Result<(), Error> {
        let start = match peek(&mut input) {
            Ok(start) => start,
            Err(error) => return self.broken(error),
        };
        if layer >= MAX_LAYERS {
            return Err(not_an_archive());
        }
        let is_bare = start.starts_with(BARE_BZIP2) && start.get(2..8) == Some(BZIP2_BLOCK);
        let input: Box<dyn Read + '_> = Box::new(Cursor::new(start.clone()).chain(input));
        let next = layer.saturating_add(1);
        if start.starts_with(GZIP) {
            self.wrapped("gzip");
            let unpacked = self.allowance.unpacked(gzip(Source::new(input)));
            return self.stream(Box::new(unpacked), next);
        }
        if start.starts_with(BZIP2) {
            self.wrapped("bzip2");
            let unpacked = self.allowance.unpacked(bzip2(Source::new(input)));
            return self.stream(Box::new(unpacked), next);
        }
        if is_bare {
            self.wrapped("bzip2");
            let whole = Cursor::new(b"BZ").chain(input);
            let unpacked = self.allowance.unpacked(bzip2(Source::new(whole)));
            return self.stream(Box::new(unpacked), next);
        }
        if start.starts_with(ZIP) {
            let file = self.spool(input)?;
            return self.zip(&mut BufReader::new(FromStart::new(file)));
        }
        // Old archives carry programs, and without threads nothing stops a long one.
        let is_old = start.get(RAR.len()) == Some(&0);
        if start.starts_with(RAR) && cfg!(target_family = "wasm") && is_old {
            return Err(container("RAR before version 5", "unrar, 7-Zip or bsdtar"));
        }
        if start.starts_with(RAR) {
            self.wrapped("rar");
            return self.rar(input);
        }
        if start.starts_with(SEVEN_ZIP) {
            return Err(container("7-Zip", "7-Zip or bsdtar"));
        }
        if start.starts_with(XZ) {
            return Err(container(".xz", "xz or 7-Zip"));
        }
        if start.starts_with(ZSTD) {
            return Err(container(".zst", "zstd or 7-Zip"));
        }
        if !is_tar(&start) {
            return Err(not_an_archive());
        }
        self.wrapped("tar");
        self.tar(input)
    }

    /// Records the outermost container format.
    fn wrapped(&mut self, wrapping: &'static str) {
        if self.tables.wrapping.is_empty() {
            self.tables.wrapping = wrapping;
        }
    }

    fn tar(&mut self, input: Box<dyn Read + '_>) -> Result<(), Error> {
        let mut archive = tar::Archive::new(input);
        // Raw entries, since the library reads long names into memory without a limit.
        let entries = archive.entries().map_err(Error::io(ARCHIVE))?.raw(true);
        let mut long_name = None;
        for entry in entries {
            let mut entry = match entry {
                Ok(entry) => entry,
                Err(error) => return self.broken(error),
            };
            match entry.header().entry_type() {
                EntryType::GNULongName | EntryType::XHeader => {
                    long_name = match long_name_of(&mut entry) {
                        Ok(name) => name,
                        Err(error) => return self.broken(error),
                    };
                }
                EntryType::Regular | EntryType::Continuous => {
                    let name = long_name.take();
                    let name = name.unwrap_or_else(|| entry.path_bytes().into_owned());
                    let size = entry.size();
                    self.file(&String::from_utf8_lossy(&name), size, &mut entry)?;
                }
                // Links, folders and other entries without data.
                _ => long_name = None,
            }
            if self.is_broken() {
                return Ok(());
            }
        }
        // The checksum of the compression layer follows the end of the tar.
        match io::copy(&mut archive.into_inner(), &mut io::sink()) {
            Ok(_) => Ok(()),
            Err(error) => self.broken(error),
        }
    }

    fn is_broken(&self) -> bool {
        self.tables.cut || self.tables.damaged
    }

    fn zip(&mut self, input: &mut dyn ReadSeek) -> Result<(), Error> {
        let mut archive = zip::ZipArchive::new(input).map_err(zip_error)?;
        for index in 0..archive.len() {
            let is_table = archive
                .name_for_index(index)
                .and_then(Result::ok)
                .is_some_and(|name| table_file(&name).is_some());
            let mut entry = match archive.by_index(index) {
                Ok(entry) => entry,
                // Encrypted, or compressed by an unknown method.
                Err(
                    ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_),
                ) if !is_table => continue,
                Err(error) => return Err(zip_error(error)),
            };
            if !entry.is_file() {
                continue;
            }
            let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
            let size = entry.size();
            let allowance = self.allowance.clone();
            let mut unpacked = allowance.unpacked(&mut entry);
            self.file(&name, size, &mut unpacked)?;
            // Other files are read to verify their checksum.
            if let Err(error) = io::copy(&mut unpacked, &mut io::sink()) {
                self.broken(error)?;
            }
        }
        Ok(())
    }

    #[cfg(not(feature = "rar"))]
    #[allow(clippy::unused_self, reason = "the same call with and without the feature")]
    fn rar(&mut self, _input: Box<dyn Read + '_>) -> Result<(), Error> {
        Err(container("RAR", "unrar, 7-Zip or bsdtar"))
    }

    #[cfg(feature = "rar")]
    fn rar(&mut self, input: Box<dyn Read + '_>) -> Result<(), Error> {
        let file = self.spool(input)?;
        let mut unpacked: Vec<(String, Unpacking)> = Vec::new();
        let mut open = |name: &[u8]| -> Option<movecode_rar::Output> {
            let name = String::from_utf8_lossy(name).into_owned();
            table_file(&name)?;
            let output = Unpacking::default();
            unpacked.push((name, output.clone()));
            Some(Box::new(output))
        };
        let file = Box::new(FromStart::new(file));
        // After damage, encryption or a decompression bomb, the files unpacked before are used.
        self.tables.cut = !movecode_rar::unpack(file, self.allowance.left(), &mut open);
        for (name, output) in unpacked {
            let spool = std::mem::take(&mut *output.lock());
            let file = spool.finish().map_err(Error::io(ARCHIVE))?;
            self.tables.add(&name, Box::new(file))?;
        }
        Ok(())
    }

    /// Unpacks a file if it belongs to a table.
    fn file(&mut self, name: &str, size: u64, input: &mut dyn Read) -> Result<(), Error> {
        let Some((table, part)) = table_file(name) else { return Ok(()) };
        if size > self.allowance.limit() {
            return Err(self.too_big());
        }
        match part {
            Part::Definition => {
                let mut bytes = Vec::new();
                match input.take(MAX_DEFINITION as u64).read_to_end(&mut bytes) {
                    Ok(_) => {}
                    Err(error) => self.broken(error)?,
                }
                self.tables.put_definition(table, bytes);
            }
            Part::Rows => {
                let file = self.spool(input)?;
                self.tables.put_rows(table, Box::new(file))?;
            }
        }
        Ok(())
    }

    /// Copies the whole stream.
    fn spool(&mut self, mut input: impl Read) -> Result<Spool, Error> {
        let mut spool = Spool::default();
        let mut buffer = vec![0; 64 << 10];
        loop {
            let count = match input.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.broken(error)?;
                    break;
                }
            };
            spool.push(buffer.get(..count).unwrap_or_default()).map_err(Error::io(ARCHIVE))?;
        }
        spool.finish().map_err(Error::io(ARCHIVE))
    }

    /// Handles an error while unpacking: either damage of the archive, or an I/O error.
    fn broken(&mut self, error: io::Error) -> Result<(), Error> {
        if self.allowance.is_exceeded() {
            return Err(self.too_big());
        }
        match error.kind() {
            // The tar library reports the latter for a truncated tar.
            io::ErrorKind::UnexpectedEof | io::ErrorKind::Other => {
                self.tables.cut = true;
                Ok(())
            }
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                self.tables.damaged = true;
                Ok(())
            }
            _ => Err(Error::io(ARCHIVE)(error)),
        }
    }

    fn too_big(&self) -> Error {
        Error::new(ErrorKind::TooBig(self.allowance.limit()), ARCHIVE)
    }
}

/// Returns the name that an entry gives to the next one. Returns `None` if it gives none, or one too
/// long for a table.
fn long_name_of(entry: &mut tar::Entry<'_, impl Read>) -> io::Result<Option<Vec<u8>>> {
    let is_pax = entry.header().entry_type() == EntryType::XHeader;
    let mut bytes = Vec::new();
    let length = entry.by_ref().take(MAX_NAME).read_to_end(&mut bytes)?;
    if length as u64 == MAX_NAME {
        return Ok(None);
    }
    if !is_pax {
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(length);
        bytes.truncate(end);
        return Ok(Some(bytes));
    }
    let paths = tar::PaxExtensions::new(&bytes).filter_map(|record| {
        let record = record.ok()?;
        (record.key_bytes() == b"path").then(|| record.value_bytes().to_vec())
    });
    Ok(paths.last())
}

/// Verifies a tar header's checksum: the sum of its bytes, with the checksum field as eight blanks.
fn is_tar(start: &[u8]) -> bool {
    let Some(header) = start.get(..512) else { return false };
    let Some(field) = header.get(148..156) else { return false };
    let digits = field.iter().filter(|byte| matches!(byte, b'0'..=b'7'));
    let told = digits.fold(0u32, |sum, digit| sum << 3 | u32::from(digit & 7));
    let all: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    let own: u32 = field.iter().map(|byte| u32::from(*byte)).sum();
    all.wrapping_sub(own).wrapping_add(8 * 32) == told && told != 256
}

/// Reads the first bytes of a stream, up to the length of a tar header.
fn peek(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    match input.take(512).read_to_end(&mut start) {
        // A truncated stream is identified by elimination.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(start),
        other => other.map(|_| start),
    }
}

/// Returns `true` if a file with these first bytes may be an archive.
pub(crate) fn looks_packed(start: &[u8]) -> bool {
    [GZIP, BZIP2, ZIP, RAR].iter().any(|magic| start.starts_with(magic))
        || start.get(2..8) == Some(BZIP2_BLOCK)
        || is_tar(start)
}

/// Returns `true` if a plain tar starts with a file of a table.
pub(crate) fn is_tar_of_tables(start: &[u8]) -> bool {
    let name = start.get(..100).unwrap_or_default();
    let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
    let name = String::from_utf8_lossy(name);
    is_tar(start) && (table_file(&name).is_some() || name.to_ascii_lowercase().ends_with(".myi"))
}

const ARCHIVE: Location = Location::file("jose");

fn zip_error(error: ZipError) -> Error {
    let kind = match error {
        ZipError::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
            return Error::io(ARCHIVE)(error);
        }
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => ErrorKind::Encrypted,
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            return container("zip", "7-Zip or bsdtar");
        }
        _ => ErrorKind::BrokenZip,
    };
    Error::new(kind, ARCHIVE)
}

fn not_an_archive() -> Error {
    Error::new(ErrorKind::NotAnArchive, ARCHIVE)
}

fn container(format: &'static str, tool: &'static str) -> Error {
    Error::new(ErrorKind::Container { format, tool }, ARCHIVE)
}
