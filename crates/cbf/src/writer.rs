//! Creating a base.

use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use chess_core::files::Staged;
use chess_core::seam::Loss;
use chess_core::{Diagnostics, Game, Location, Warning};

use crate::encode::Encoder;
use crate::error::{Error, ErrorKind, io_error};
use crate::index::{encode_count, encode_entry};
use crate::layout::{ENTRY_SIZE, limit};
use crate::options::{CreateOptions, page};
use crate::quirk::Quirk;

/// Writes a new base, game after game. Nothing in memory grows with it.
#[derive(Debug)]
pub struct Writer<W: Write + Seek = BufWriter<File>> {
    cbf: W,
    cbi: W,
    games: u64,
    /// Where the next record goes.
    offset: u64,
    encoder: Encoder,
    record: Vec<u8>,
    staged: Option<Staged>,
    limits: Diagnostics,
}

impl Writer {
    /// Starts a base of two files, of which `path` names either. They appear when
    /// [`finish`](Writer::finish) has completed both.
    ///
    /// # Errors
    /// Those of the disk; an encoding of several bytes a letter.
    pub fn create(path: &Path, options: &CreateOptions) -> Result<Writer, Error> {
        let upper = path
            .extension()
            .and_then(|text| text.to_str())
            .is_some_and(|text| text.chars().all(|c| c.is_ascii_uppercase()));
        let [cbf, cbi] = if upper { ["CBF", "CBI"] } else { ["cbf", "cbi"] };
        let mut staged = Staged::new();
        let mut create = |extension: &str, name: &'static str| {
            let file = staged.create(&path.with_extension(extension));
            file.map(BufWriter::new).map_err(io_error(Location::file(name)))
        };
        let (cbf, cbi) = (create(cbf, "cbf")?, create(cbi, "cbi")?);
        let mut writer = Writer::new(cbf, cbi, options)?;
        writer.staged = Some(staged);
        Ok(writer)
    }

    /// Completes both files and gives them their names.
    ///
    /// # Errors
    /// Those of the disk; nothing is left behind then.
    pub fn finish(mut self) -> Result<(), Error> {
        self.complete()?;
        // Closed before they are renamed.
        let Writer { cbf, cbi, staged, .. } = self;
        drop((cbf, cbi));
        match staged {
            Some(staged) => staged.commit().map_err(io_error(Location::file("cbf"))),
            None => Ok(()),
        }
    }
}

impl<W: Write + Seek> Writer<W> {
    /// Starts a base on two empty outputs, for .cbf and .cbi.
    ///
    /// # Errors
    /// Those of the outputs; an encoding of several bytes a letter.
    pub fn new(cbf: W, mut cbi: W, options: &CreateOptions) -> Result<Writer<W>, Error> {
        let encoder = Encoder::new(page(options.encoding)?);
        // The number of games goes here in the end.
        cbi.write_all(&[0; ENTRY_SIZE]).map_err(io_error(Location::file("cbi")))?;
        Ok(Writer {
            cbf,
            cbi,
            games: 0,
            offset: 0,
            encoder,
            record: Vec::new(),
            staged: None,
            limits: Diagnostics::lenient(),
        })
    }

    /// Writes a game, and adds what the format cannot hold of it to `losses`.
    ///
    /// # Errors
    /// Those of the outputs; a base beyond 4 GiB.
    pub fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), Error> {
        let at = Location::file("cbf").at(self.offset).in_game(self.games);
        let moves = self.encoder.encode(game, &mut self.record, losses);
        let next = self.offset.saturating_add(u64::try_from(self.record.len()).unwrap_or(u64::MAX));
        let entry = encode_entry(self.offset, self.games);
        // The entry after this game's must fit too.
        let after = encode_entry(next, self.games.saturating_add(1));
        let (Some(entry), Some(_)) = (entry, after) else {
            return Err(Error::new(ErrorKind::Full, at));
        };
        self.cbf.write_all(&self.record).map_err(io_error(at))?;
        self.cbi.write_all(&entry).map_err(io_error(at))?;
        self.offset = next;
        self.games = self.games.saturating_add(1);
        self.warn(moves, at);
        Ok(())
    }

    /// Notes limits of the programs of the time. cbf §11 "Limits"
    fn warn(&mut self, moves: u32, at: Location) {
        // Lenient diagnostics never refuse.
        if moves > limit::DOS_MOVES {
            let _ = self.limits.note(Quirk::ManyMoves, at);
        }
        if [limit::KNIGHTSTALKER_GAMES, limit::GAMES].contains(&self.games.saturating_sub(1)) {
            let _ = self.limits.note(Quirk::ManyGames, at);
        }
    }

    /// What programs of the time will not read of the games so far.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        self.limits.warnings()
    }

    /// How many games are written.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.games
    }

    /// Whether no game is written yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games == 0
    }

    /// Completes both outputs and gives them back.
    ///
    /// # Errors
    /// Those of the outputs.
    pub fn into_parts(mut self) -> Result<(W, W), Error> {
        self.complete()?;
        Ok((self.cbf, self.cbi))
    }

    /// Writes the last entry and the number of games.
    fn complete(&mut self) -> Result<(), Error> {
        let at = Location::file("cbi");
        let full = || Error::new(ErrorKind::Full, at);
        let end = encode_entry(self.offset, self.games).ok_or_else(full)?;
        let count = encode_count(self.games).ok_or_else(full)?;
        self.cbi.write_all(&end).map_err(io_error(at))?;
        self.cbi.seek(SeekFrom::Start(0)).map_err(io_error(at))?;
        self.cbi.write_all(&count).map_err(io_error(at))?;
        self.cbi.flush().map_err(io_error(at))?;
        self.cbf.flush().map_err(io_error(Location::file("cbf")))
    }
}
