//! Writing of games into a base in an archive.

use std::fs::File;
use std::path::Path;

use chess_store::files::Staged;
use chess_store::io::TemporaryFile;
use chess_store::{GuidingText, Location, Losses, ScratchEncoder, WriteGames};

use super::{PLAIN, write_archive};
use crate::error::Error;
use crate::options::CreateOptions;
use crate::parts::EXTENSIONS;
use crate::writer::{Encoded, Encoder, Writer};

/// Writes games into a new `.cbv` archive. Its blocks are stored without compression.
#[derive(Debug)]
pub struct ArchiveWriter {
    /// A writer into temporary files.
    base: Writer<TemporaryFile>,
    /// The stem of the file names in the archive.
    stem: String,
    file: File,
    staged: Staged,
    own: ScratchEncoder<ArchiveWriter>,
}

impl ArchiveWriter {
    /// Creates an archive at `path`. The base in it takes the archive's name.
    ///
    /// The file appears at `path` when [`finish`](ArchiveWriter::finish) succeeds.
    ///
    /// # Errors
    /// I/O errors.
    pub fn create(path: impl AsRef<Path>) -> Result<ArchiveWriter, Error> {
        ArchiveWriter::create_with(path, &CreateOptions::default())
    }

    /// Like [`create`](ArchiveWriter::create), with options.
    ///
    /// # Errors
    /// As [`create`](ArchiveWriter::create).
    pub fn create_with(
        path: impl AsRef<Path>,
        options: &CreateOptions,
    ) -> Result<ArchiveWriter, Error> {
        let path = path.as_ref();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut staged = Staged::new();
        let file = staged.create(path).map_err(Error::io(PLAIN))?;
        let mut files = Vec::new();
        for extension in EXTENSIONS {
            files.push(TemporaryFile::new().map_err(Error::io(Location::file(extension)))?);
        }
        let base = Writer::new(|_| files.pop(), options)?;
        Ok(ArchiveWriter { base, stem, file, staged, own: ScratchEncoder::default() })
    }
}

chess_store::inherent!(WriteGames<Error, Encoder, Encoded> for [] ArchiveWriter);

impl WriteGames for ArchiveWriter {
    type Error = Error;
    type Encoder = Encoder;
    type Encoded = Encoded;

    fn encoder(&self) -> Encoder {
        self.base.encoder()
    }

    fn append(&mut self, encoded: &mut Encoded, losses: &mut Losses) -> Result<(), Error> {
        self.base.append(encoded, losses)
    }

    fn has_texts(&self) -> bool {
        true
    }

    fn append_text(&mut self, text: &GuidingText, losses: &mut Losses) -> Result<(), Error> {
        self.base.write_text(text, losses)
    }

    fn finish(self) -> Result<(), Error> {
        let parts = self.base.into_parts()?;
        let files = EXTENSIONS.iter().filter_map(|extension| {
            Some((format!("{}.{extension}", self.stem), parts.get(extension)?))
        });
        let files: Vec<_> = files.collect();
        let named: Vec<_> = files.iter().map(|(name, file)| (name.as_str(), *file)).collect();
        drop(write_archive(self.file, &named).map_err(Error::io(PLAIN))?);
        self.staged.commit().map_err(Error::io(PLAIN))
    }

    fn own(&mut self) -> &mut ScratchEncoder<ArchiveWriter> {
        &mut self.own
    }
}
