//! Sequential output of the games file and the index.

use chess_store::Location;
use chess_store::io::{Appender, WriteAt};

use crate::bits::low_32;
use crate::error::{Error, ErrorKind};
use crate::header::{Info, encode_header};
use crate::index::IndexEntry;
use crate::layout::{Extensions, Version};

/// The location of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RecordPlace {
    /// The gap before it, which keeps the record within one block.
    gap: usize,
    pub(crate) offset: u64,
    pub(crate) end: u64,
}

impl RecordPlace {
    /// Places a record after all others, which end at `end`. (scid §4.1 "Blocks")
    ///
    /// # Errors
    /// The location exceeds the largest offset.
    pub(crate) fn after(end: u64, record: &[u8], version: Version) -> Result<Self, ErrorKind> {
        let (length, block) = (record.len() as u64, version.block_size());
        let left = block.saturating_sub(end & block.saturating_sub(1));
        let gap = if length > left { left } else { 0 };
        let offset = end.saturating_add(gap);
        let end = offset.saturating_add(length);
        let most = version.max_games_size();
        if end > most {
            return Err(ErrorKind::TooManyBytes(most));
        }
        // A gap is shorter than a block.
        Ok(RecordPlace { gap: low_32(gap) as usize, offset, end })
    }

    /// The bytes that fill the gap: the beginning of the record that did not fit, as in Scid 4.7.
    pub(crate) fn filler(self, record: &[u8]) -> &[u8] {
        record.get(..self.gap).unwrap_or_default()
    }
}

/// A games file being written.
#[derive(Debug)]
pub(crate) struct GamesOut<F> {
    file: Appender<F>,
    version: Version,
    pub(crate) at: Location,
}

impl<F: WriteAt> GamesOut<F> {
    pub(crate) fn new(file: F, files: Extensions, version: Version) -> GamesOut<F> {
        GamesOut { file: Appender::new(file), version, at: Location::file(files.games) }
    }

    /// The location of the next record.
    pub(crate) fn place(&self, record: &[u8]) -> Result<RecordPlace, ErrorKind> {
        RecordPlace::after(self.file.size(), record, self.version)
    }

    /// Appends a record at its location.
    pub(crate) fn push(&mut self, record: &[u8], place: RecordPlace) -> Result<(), Error> {
        let filled = self.file.push(place.filler(record));
        filled.and_then(|()| self.file.push(record)).map_err(Error::io(self.at))
    }

    pub(crate) fn finish(self) -> Result<F, Error> {
        self.file.finish().map_err(Error::io(self.at))
    }
}

/// An index being written.
#[derive(Debug)]
pub(crate) struct IndexOut<F> {
    file: Appender<F>,
    version: Version,
    at: Location,
}

impl<F: WriteAt> IndexOut<F> {
    pub(crate) fn new(file: F, files: Extensions, version: Version) -> Result<IndexOut<F>, Error> {
        let (at, mut file) = (Location::file(files.index), Appender::new(file));
        if version == Version::Si4 {
            file.push(&encode_header(&Info::default())).map_err(Error::io(at))?;
        }
        Ok(IndexOut { file, version, at })
    }

    pub(crate) fn push(&mut self, entry: &IndexEntry) -> Result<(), Error> {
        let pushed = match self.version {
            Version::Si5 => self.file.push(&entry.encode_5()),
            Version::Si3 | Version::Si4 => self.file.push(&entry.encode_4()),
        };
        pushed.map_err(Error::io(self.at))
    }

    /// Adds entries that are encoded already.
    pub(crate) fn push_entries(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.push(bytes).map_err(Error::io(self.at))
    }

    /// Writes the header at the end. Version 5 has none.
    pub(crate) fn finish(self, info: &Info) -> Result<F, Error> {
        let mut file = self.file.finish().map_err(Error::io(self.at))?;
        if self.version == Version::Si4 {
            file.write_at(0, &encode_header(info)).map_err(Error::io(self.at))?;
        }
        Ok(file)
    }
}
