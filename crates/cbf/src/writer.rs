//! Creates a database.

use std::fs::File;
use std::io;
use std::path::Path;

use chess_store::files::{BaseFiles, Staged};
use chess_store::io::{Appender, WriteAt};
use chess_store::{Diagnostics, Encoding, Location, Losses, ScratchEncoder, Warning, WriteGames};

use crate::encode::{Encoded, Encoder};
use crate::error::{Error, ErrorKind};
use crate::index::{encode_count, encode_entry};
use crate::layout::{ENTRY_SIZE, limit};
use crate::options::{CreateOptions, page};
use crate::parts::Parts;
use crate::quirk::Quirk;

/// Writes a new database, one game after the other. Memory use is constant, except for files held in
/// memory.
#[derive(Debug)]
pub struct Writer<F: WriteAt = File> {
    cbf: Appender<F>,
    cbi: Appender<F>,
    page: Encoding,
    games: u64,
    staged: Option<Staged>,
    limits: Diagnostics,
    own: ScratchEncoder<Self>,
}

impl Writer {
    /// Creates a database of two files; `path` names either. The files appear when
    /// [`finish`](Writer::finish) has completed both.
    ///
    /// # Errors
    /// I/O errors; [`ResourceBusy`](std::io::ErrorKind::ResourceBusy) while another program changes
    /// the database.
    pub fn create(path: impl AsRef<Path>) -> Result<Writer, Error> {
        Writer::create_with(path, &CreateOptions::default())
    }

    /// Like [`create`](Writer::create), with options.
    ///
    /// # Errors
    /// I/O errors; a multi-byte encoding.
    pub fn create_with(path: impl AsRef<Path>, options: &CreateOptions) -> Result<Writer, Error> {
        let path = path.as_ref();
        let named = path.extension().and_then(|text| text.to_str());
        let upper = named.is_some_and(|text| text.chars().all(|c| c.is_ascii_uppercase()));
        let [cbf, cbi] = if upper { ["CBF", "CBI"] } else { ["cbf", "cbi"] };
        let base = BaseFiles::locate_for_change(path, cbf);
        let base = base.map_err(Error::io(Location::file("cbf")))?;
        let mut staged = base.stage();
        let mut create = |extension: &str, name: &'static str| {
            let file = base.target(extension).and_then(|path| staged.create(&path));
            file.map_err(Error::io(Location::file(name)))
        };
        // The .cbf is renamed last: without it there is no database.
        let (cbi, cbf) = (create(cbi, "cbi")?, create(cbf, "cbf")?);
        let mut writer = Writer::from_parts(Parts { cbf, cbi: Some(cbi) }, options)?;
        writer.staged = Some(staged);
        Ok(writer)
    }
}

impl Writer<Vec<u8>> {
    /// Creates a database in memory; [`into_bytes`](Writer::into_bytes) returns its files.
    #[must_use]
    #[inline]
    pub fn in_memory() -> Writer<Vec<u8>> {
        #[expect(clippy::unwrap_used, reason = "no file is missing, and memory does not fail")]
        Writer::in_memory_with(&CreateOptions::default()).unwrap()
    }

    /// Like [`in_memory`](Writer::in_memory), with options.
    ///
    /// # Errors
    /// A multi-byte encoding.
    #[inline]
    pub fn in_memory_with(options: &CreateOptions) -> Result<Writer<Vec<u8>>, Error> {
        Writer::from_parts(Parts::new(Vec::new(), Some(Vec::new())), options)
    }

    /// Completes the database and returns the bytes of its files.
    ///
    /// # Errors
    /// [`ErrorKind::Full`].
    #[inline]
    pub fn into_bytes(self) -> Result<Parts<Vec<u8>>, Error> {
        self.into_parts()
    }
}

impl<F: WriteAt> Writer<F> {
    /// Creates a database in two empty files.
    ///
    /// # Errors
    /// I/O errors; a missing `.cbi`; a multi-byte encoding.
    pub fn from_parts(parts: Parts<F>, options: &CreateOptions) -> Result<Writer<F>, Error> {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        let cbi = parts.cbi.ok_or_else(missing).map_err(Error::io(Location::file("cbi")))?;
        let mut cbi = Appender::new(cbi);
        // `into_parts` overwrites this with the number of games.
        cbi.push(&[0; ENTRY_SIZE]).map_err(Error::io(Location::file("cbi")))?;
        Ok(Writer {
            cbf: Appender::new(parts.cbf),
            cbi,
            page: page(options.encoding)?,
            games: 0,
            staged: None,
            limits: Diagnostics::lenient(),
            own: ScratchEncoder::default(),
        })
    }

    /// Warns about limits of contemporary programs. cbf §11 "Limits"
    fn warn(&mut self, moves: u32, at: Location) {
        // Lenient diagnostics never refuse.
        if moves > limit::DOS_MOVES {
            let _ = self.limits.note(Quirk::ManyMoves, at);
        }
        if [limit::KNIGHTSTALKER_GAMES, limit::GAMES].contains(&self.games) {
            let _ = self.limits.note(Quirk::ManyGames, at);
        }
    }

    /// Returns the number of games written.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.games
    }

    /// Returns `true` if no game is written yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games == 0
    }

    /// Completes both files and returns them. The files of a database on disk do not get their
    /// final names; use [`finish`](Writer::finish) for that.
    ///
    /// # Errors
    /// I/O errors; [`ErrorKind::Full`].
    pub fn into_parts(mut self) -> Result<Parts<F>, Error> {
        let (cbf_at, cbi_at) = (Location::file("cbf"), Location::file("cbi"));
        let full = || Error::new(ErrorKind::Full, cbi_at);
        let end = encode_entry(self.cbf.size(), self.games).ok_or_else(full)?;
        let count = encode_count(self.games).ok_or_else(full)?;
        self.cbi.push(&end).map_err(Error::io(cbi_at))?;
        let mut cbi = self.cbi.finish().map_err(Error::io(cbi_at))?;
        cbi.write_at(0, &count).map_err(Error::io(cbi_at))?;
        Ok(Parts { cbf: self.cbf.finish().map_err(Error::io(cbf_at))?, cbi: Some(cbi) })
    }
}

chess_store::inherent!(WriteGames<Error, Encoder, Encoded> for [F: WriteAt] Writer<F>);

impl<F: WriteAt> WriteGames for Writer<F> {
    type Error = Error;
    type Encoder = Encoder;
    type Encoded = Encoded;

    fn encoder(&self) -> Encoder {
        Encoder::new(self.page)
    }

    fn append(&mut self, encoded: &mut Encoded, _: &mut Losses) -> Result<(), Error> {
        let offset = self.cbf.size();
        let at = Location::file("cbf").at(offset).in_game(self.games);
        let end = offset.saturating_add(encoded.record.len() as u64);
        let games = self.games.saturating_add(1);
        // The next entry, the end of this record, must fit too.
        let (Some(entry), Some(_)) = (encode_entry(offset, self.games), encode_entry(end, games))
        else {
            return Err(Error::new(ErrorKind::Full, at));
        };
        self.cbf.push(&encoded.record).map_err(Error::io(at))?;
        self.cbi.push(&entry).map_err(Error::io(at))?;
        self.warn(encoded.moves, at);
        self.games = games;
        Ok(())
    }

    fn warnings(&self) -> &[Warning] {
        self.limits.warnings()
    }

    fn finish(mut self) -> Result<(), Error> {
        let staged = self.staged.take();
        // Close the files before they are renamed.
        drop(self.into_parts()?);
        staged.map_or(Ok(()), Staged::commit).map_err(Error::io(Location::file("cbf")))
    }

    fn own(&mut self) -> &mut ScratchEncoder<Self> {
        &mut self.own
    }
}
