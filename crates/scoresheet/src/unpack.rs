//! Compressed files, with the formats of this build.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use chess_store::Input;

use crate::base::is_pipe;
use crate::error::Error;
use crate::formats::formats;

/// Opens the content of a compressed file, or the game texts of a zip archive, as one stream.
/// Returns `None` if the file is not compressed. The [options](chess_store::OpenOptions) may limit
/// the number of unpacked bytes.
///
/// If the file is damaged, the stream returns the bytes before the damage and then fails.
///
/// # Errors
/// I/O errors, and content that cannot be unpacked.
pub fn unpack_input(
    file: impl Into<Input>,
    max_unpacked: Option<u64>,
) -> io::Result<Option<Box<dyn Read + Send>>> {
    compress::unpack_input(file, max_unpacked, formats())
}

/// Reads a compressed file or a zip archive to its end to verify it. Does nothing with other files.
///
/// # Errors
/// [`Error::Io`]
pub fn verify_packed(path: impl AsRef<Path>, max_unpacked: Option<u64>) -> Result<(), Error> {
    let path = path.as_ref();
    if is_pipe(path) || !path.is_file() {
        return Ok(());
    }
    let read = || {
        let unpacked = unpack_input(File::open(path)?, max_unpacked)?;
        unpacked.map_or(Ok(0), |mut input| io::copy(&mut input, &mut io::sink()))
    };
    read().map(drop).map_err(|error| Error::io(path, error))
}
