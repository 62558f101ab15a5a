//! Any book: its format is detected.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use chess_store::io::ReadAt;
use chess_store::{FindFiles as _, Inputs, Location};

use crate::book::{Kind, ReadBook};
use crate::error::{Error, ErrorKind};
use crate::{abk, ctg, obk, polyglot};

/// A book of any format.
pub type AnyBook = Box<dyn ReadBook + Send + Sync>;

/// A file up to this size is read into memory, where look-ups are fast.
const IN_MEMORY: u64 = 64 << 20;

/// Returns the format of a book by the first bytes of its file and the extension of the name, in
/// lower case. Polyglot's and ChessBase's books are known by their extension alone.
#[must_use]
pub fn detect(start: &[u8], extension: &str) -> Option<Kind> {
    match (start, extension) {
        ([3, b'A', b'B', b'K' | b'2', ..], _) | (_, "abk") => Some(Kind::Arena),
        ([b'B', b'O', b'O', b'!', ..] | [b'U', b'G', b'W', b'S', ..], _) | (_, "obk") => {
            Some(Kind::ChessMaster)
        }
        (_, "ctg" | "cto" | "ctb") => Some(Kind::ChessBase),
        (_, "bin") => Some(Kind::Polyglot),
        _ => None,
    }
}

/// Opens a book. A book of ChessBase may be named by any of its files. Returns `None` if the file
/// is no book of a format that this crate reads.
///
/// # Errors
/// I/O errors; a file without the header of its format.
pub fn open(path: impl AsRef<Path>) -> Result<Option<AnyBook>, Error> {
    let path = path.as_ref();
    let disk = Error::io(Location::default());
    let file = File::open(path).map_err(&disk)?;
    let kind = kind_of(&file, path).map_err(&disk)?;
    let is_small = file.size().map_err(&disk)? <= IN_MEMORY;
    Ok(Some(match kind {
        Some(Kind::Polyglot) if is_small => {
            Box::new(polyglot::Book::new(fs::read(path).map_err(&disk)?)?)
        }
        Some(Kind::Polyglot) => Box::new(polyglot::Book::new(file)?),
        Some(Kind::Arena) if is_small => Box::new(abk::Book::new(fs::read(path).map_err(&disk)?)?),
        Some(Kind::Arena) => Box::new(abk::Book::new(file)?),
        Some(Kind::ChessMaster) => Box::new(obk::Book::new(file)?),
        Some(Kind::ChessBase) => Box::new(open_ctg(path)?),
        Some(Kind::OldChessBase) | None => return Ok(None),
    }))
}

/// Opens a book of files that are open already; see [`Inputs`]. Otherwise like [`open`].
///
/// # Errors
/// As [`open`].
pub fn open_inputs(inputs: &Inputs) -> Result<Option<AnyBook>, Error> {
    let disk = Error::io(Location::default());
    let file = inputs.main().map_err(&disk)?;
    let beside = |extension: &'static str| {
        inputs.optional(extension).map_err(Error::io(Location::file(extension)))
    };
    Ok(Some(match kind_of(&file, inputs.named()).map_err(&disk)? {
        Some(Kind::Polyglot) => Box::new(polyglot::Book::new(file)?),
        Some(Kind::Arena) => Box::new(abk::Book::new(file)?),
        Some(Kind::ChessMaster) => Box::new(obk::Book::new(file)?),
        Some(Kind::ChessBase) => {
            let missing = || ErrorKind::NoPositions.at(Location::file("ctg"));
            let ctg = beside("ctg")?.ok_or_else(missing)?;
            Box::new(ctg::Book::new(ctg, beside("cto")?, beside("ctb")?)?)
        }
        Some(Kind::OldChessBase) | None => return Ok(None),
    }))
}

/// Returns the format of a book by its file and its name.
fn kind_of(file: &impl ReadAt, path: &Path) -> io::Result<Option<Kind>> {
    let mut start = [0; 16];
    let count = file.read_full(0, &mut start)?;
    Ok(detect(start.get(..count).unwrap_or_default(), &extension_of(path)))
}

fn extension_of(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Opens a book of ChessBase by any of its files.
fn open_ctg(path: &Path) -> Result<ctg::Book<File>, Error> {
    if extension_of(path) == "ctg" {
        return ctg::Book::open(path);
    }
    let upper = path.with_extension("CTG");
    let beside = if upper.is_file() { upper } else { path.with_extension("ctg") };
    if !beside.is_file() {
        return Err(ErrorKind::NoPositions.at(Location::file("ctg")));
    }
    ctg::Book::open(beside)
}
