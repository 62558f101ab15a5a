//! Archives: `.cbv`, and `.cbz`, which is one encrypted.
//!
//! ```no_run
//! # fn main() -> Result<(), cbh::Error> {
//! let archive = cbh::archive::Archive::open("twic1134.cbv", None)?;
//! for member in archive.members() {
//!     println!("{}: {} bytes", member.name, member.size);
//! }
//! let headers = archive.read(0)?;
//! # Ok(())
//! # }
//! ```

mod blocks;
mod cipher;
mod directory;
mod huffman;
mod lz;
mod unpack;
mod unpacked;
mod write;
mod writer;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use chess_store::io::{DecompressionLimit, ReadAt, Spool};
use chess_store::{Diagnostics, Input, Inputs, Location};

pub use directory::Member;
pub use unpacked::Unpacked;
pub use write::write_archive;
pub use writer::ArchiveWriter;

use crate::database::Database;
use crate::error::{Error, ErrorKind};
use crate::options::OpenOptions;
use crate::parts::Parts;
use crate::quirk::Quirk;
use cipher::Decrypted;
use unpacked::Stored;

/// An archive and the list of its members.
#[derive(Debug)]
pub struct Archive<R = Input> {
    bytes: Arc<Bytes<R>>,
    members: Vec<Member>,
    /// The archive file, for errors.
    at: Location,
}

/// The bytes of an archive, encrypted or not.
#[derive(Debug)]
enum Bytes<R> {
    Plain(R),
    Encrypted(Decrypted<R>),
}

impl<R: ReadAt> ReadAt for Bytes<R> {
    fn size(&self) -> std::io::Result<u64> {
        match self {
            Bytes::Plain(file) => file.size(),
            Bytes::Encrypted(file) => file.size(),
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Bytes::Plain(file) => file.read_at(offset, buffer),
            Bytes::Encrypted(file) => file.read_at(offset, buffer),
        }
    }
}

/// The location of errors in an archive that is not encrypted.
const PLAIN: Location = Location::file("cbv");
/// The location of errors in an encrypted archive.
const ENCRYPTED: Location = Location::file("cbz");

/// Returns the location of errors in the archive file `path`.
fn location_of(path: &Path) -> Location {
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("cbz") => ENCRYPTED,
        _ => PLAIN,
    }
}

impl Archive {
    /// Opens an archive. `password` is needed only for an encrypted one.
    ///
    /// # Errors
    /// I/O errors; if the file is not an archive; if the password is missing or wrong.
    pub fn open(path: impl AsRef<Path>, password: Option<&str>) -> Result<Archive, Error> {
        let (path, at) = (path.as_ref(), location_of(path.as_ref()));
        let file = File::open(path).map_err(Error::io(at))?;
        Archive::named(file.into(), password, at)
    }

    fn open_base(&self, options: &OpenOptions) -> Result<Database, Error> {
        let mut diagnostics = options.diagnostics();
        let parts = self.base_with(&mut diagnostics, options.max_unpacked)?;
        let parts = parts.map(|unpacked| Some(Input::from(Arc::new(unpacked))));
        Database::from_parts_with(parts, options, diagnostics)
    }
}

impl<R: ReadAt> Archive<R> {
    /// Opens an archive from any random-access source.
    ///
    /// # Errors
    /// As [`open`](Archive::open).
    // cbh §9.1 "Directory"
    pub fn new(file: R, password: Option<&str>) -> Result<Archive<R>, Error> {
        let plain = directory::is_archive(&file, PLAIN)?
            || password.is_none() && !directory::may_be_encrypted(&file, PLAIN)?;
        let at = if plain { PLAIN } else { ENCRYPTED };
        Archive::named(file, password, at)
    }

    /// Like [`new`](Archive::new). Errors name the file `at`.
    fn named(file: R, password: Option<&str>, at: Location) -> Result<Archive<R>, Error> {
        let plain = directory::is_archive(&file, at)?;
        let bytes = match password {
            _ if plain => Bytes::Plain(file),
            Some(password) => Bytes::Encrypted(Decrypted::new(file, password)),
            None if directory::may_be_encrypted(&file, at)? => {
                return Err(ErrorKind::NeedsPassword.at(at));
            }
            None => return Err(ErrorKind::NotAnArchive("it has no directory").at(at)),
        };
        if !plain && !directory::is_archive(&bytes, at)? {
            return Err(ErrorKind::WrongPassword.at(at));
        }
        let members = directory::read_members(&bytes, at)?;
        Ok(Archive { bytes: Arc::new(bytes), members, at })
    }

    /// Returns the members in directory order.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Unpacks the member at index `member` of [`members`](Archive::members) and verifies its
    /// checksums.
    ///
    /// Small members are unpacked to memory, others to a temporary file. Members of stored blocks
    /// are read in place.
    ///
    /// # Errors
    /// I/O errors; if the member is damaged or does not exist.
    pub fn read(&self, member: usize) -> Result<Unpacked<R>, Error> {
        let missing = || ErrorKind::Archive("it has no such member").at(self.at);
        let member = self.members.get(member).ok_or_else(missing)?;
        if let Some(stored) = Stored::find(&self.bytes, member, self.at)? {
            return Ok(Unpacked::stored(stored));
        }
        let mut spool = Spool::default();
        unpack::unpack(&*self.bytes, member, self.at, |bytes| spool.push(bytes))?;
        spool.finish().map(Unpacked::spooled).map_err(Error::io(self.at))
    }

    /// Returns the base in the archive: the first file of game headers and all files with the same
    /// stem.
    ///
    /// # Errors
    /// As [`read`](Archive::read); if there is no base; if it exceeds the [`DecompressionLimit`].
    pub fn base(&self) -> Result<Parts<Unpacked<R>>, Error> {
        self.base_with(&mut Diagnostics::strict(), None)
    }

    /// Like [`base`](Archive::base), but damage in optional files is a warning. `most` replaces the
    /// usual [`DecompressionLimit`].
    // cbh §9.2.3
    fn base_with(
        &self,
        diagnostics: &mut Diagnostics,
        most: Option<u64>,
    ) -> Result<Parts<Unpacked<R>>, Error> {
        let limit = DecompressionLimit::new(most);
        limit.add_packed(self.bytes.size().map_err(Error::io(self.at))?);
        let none = || ErrorKind::NoBaseInside.at(self.at);
        let split = |name: &str| {
            let name = name.to_lowercase();
            name.rsplit_once('.').map(|(stem, end)| (stem.to_owned(), end.to_owned()))
        };
        let names: Vec<_> = self.members.iter().map(|member| split(&member.name)).collect();
        let headers = names.iter().flatten().find(|(_, end)| end == "cbh");
        let (stem, _) = headers.ok_or_else(none)?;
        Parts::from_files(
            |file| {
                let wanted = Some((stem.clone(), file.to_owned()));
                let place = names.iter().position(|name| *name == wanted);
                let size = place.and_then(|place| self.members.get(place)).map(|found| found.size);
                if limit.take(size.unwrap_or_default()).is_err() {
                    return Err(ErrorKind::TooBig(limit.limit()).at(self.at));
                }
                match place.map(|place| self.read(place)).transpose() {
                    Err(error) if can_do_without(file) && is_damage(&error) => {
                        let noted = diagnostics.note(Quirk::DamagedFile, Location::file(file));
                        noted.map(|()| None).map_err(|_| error)
                    }
                    read => read,
                }
            },
            |file| match file {
                "cbg" => ErrorKind::Archive("it has no .cbg file beside its .cbh file").at(self.at),
                _ => none(),
            },
        )
    }
}

fn can_do_without(file: &str) -> bool {
    !matches!(file, "cbh" | "cbg")
}

fn is_damage(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Archive(_))
}

impl Database {
    /// Unpacks the base in an archive and opens it.
    ///
    /// # Errors
    /// As [`Archive::open`], [`Archive::base`] and [`Database::from_parts`].
    pub fn open_archive(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Database, Error> {
        Archive::open(path, options.password.as_deref())?.open_base(options)
    }

    /// Like [`open_archive`](Database::open_archive), for a file that is already open.
    ///
    /// # Errors
    /// As [`open_archive`](Database::open_archive).
    pub fn open_archive_input(inputs: &Inputs, options: &OpenOptions) -> Result<Database, Error> {
        let at = location_of(inputs.named());
        let file = inputs.main().map_err(Error::io(at))?;
        Archive::named(file, options.password.as_deref(), at)?.open_base(options)
    }
}
