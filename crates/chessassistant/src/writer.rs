//! Creates bases.

use std::fs::File;
use std::io;
use std::path::Path;

use chess_store::files::{BaseFiles, Staged};
use chess_store::io::{Appender, WriteAt};
use chess_store::names::{NameHasher, SharedNames};
use chess_store::{About, Encoding, Fact, Location, Losses, ScratchEncoder, Warning, WriteGames};

use crate::database::Parts;
use crate::description::Description;
use crate::encode::Style;
use crate::encoder::{Encoded, Encoder};
use crate::error::{Error, ErrorKind};
use crate::guess::Guess;
use crate::names::NameKind;
use crate::open::INDEX;
use crate::options::CreateOptions;
use crate::quirk::Quirk;
use crate::record::codes_of;
use crate::row::Row;
use crate::tables::{Table, Tables};
use crate::volume;

/// Writes a new base.
///
/// ```
/// use chessassistant::{Game, Losses, Writer};
///
/// let mut writer = Writer::in_memory();
/// writer.write(&Game::new(), &mut Losses::new())?;
/// assert_eq!(writer.into_bytes()?.d00.len(), 38);
/// # Ok::<(), chessassistant::Error>(())
/// ```
pub struct Writer<F: WriteAt = File> {
    style: Style,
    comment: Vec<u8>,
    /// Whether an option sets the comment.
    own_comment: bool,
    hasher: NameHasher,
    tables: SharedNames<Tables>,
    games: u32,
    guess: Guess,
    /// The names of each table that `guess` has.
    guessed: [u32; 4],
    /// That a reader will detect another encoding, if `guess` says so.
    warning: [Warning; 1],
    cdp: F,
    emb: F,
    d00: Appender<F>,
    a02: Appender<F>,
    d02: Appender<F>,
    staged: Option<Staged>,
    own: ScratchEncoder<Writer<F>>,
}

impl<F: WriteAt> std::fmt::Debug for Writer<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("games", &self.games).finish_non_exhaustive()
    }
}

impl Writer {
    /// Creates a base at `path`. Its files appear when it is finished.
    ///
    /// # Errors
    /// I/O errors; another program changing the base.
    pub fn create(path: impl AsRef<Path>) -> Result<Writer, Error> {
        Writer::create_with(path, &CreateOptions::default())
    }

    /// As [`create`](Writer::create), with options.
    ///
    /// # Errors
    /// As [`create`](Writer::create).
    pub fn create_with(path: impl AsRef<Path>, options: &CreateOptions) -> Result<Writer, Error> {
        let files = BaseFiles::locate_for_change(path.as_ref(), INDEX).map_err(failed(INDEX))?;
        let mut staged = files.stage();
        let mut create = |extension| files.create(&mut staged, extension);
        let parts = Parts {
            d02: create("d02")?,
            a02: create("a02")?,
            emb: create("emb")?,
            cdp: create("cdp")?,
            // The index comes last: a base without its index is invalid.
            d00: create(INDEX)?,
        };
        let mut writer = Writer::from_parts(parts, options)?;
        writer.staged = Some(staged);
        Ok(writer)
    }
}

impl Writer<Vec<u8>> {
    /// Creates a base in memory. [`into_bytes`](Writer::into_bytes) returns its files.
    #[must_use]
    #[inline]
    pub fn in_memory() -> Writer<Vec<u8>> {
        #[expect(clippy::unwrap_used, reason = "memory does not fail")]
        Writer::in_memory_with(&CreateOptions::default()).unwrap()
    }

    /// Like [`in_memory`](Writer::in_memory), with options.
    ///
    /// # Errors
    /// No error is known to occur.
    #[inline]
    pub fn in_memory_with(options: &CreateOptions) -> Result<Writer<Vec<u8>>, Error> {
        Writer::from_parts(Parts::default(), options)
    }

    /// Completes the base and returns the bytes of its files.
    ///
    /// # Errors
    /// Names larger than 2 GiB.
    #[inline]
    pub fn into_bytes(self) -> Result<Parts<Vec<u8>>, Error> {
        self.into_parts()
    }
}

impl<F: WriteAt> Writer<F> {
    /// Creates a base in open, empty files.
    ///
    /// # Errors
    /// I/O errors.
    pub fn from_parts(parts: Parts<F>, options: &CreateOptions) -> Result<Writer<F>, Error> {
        let encoding = options.encoding.unwrap_or(Encoding::WINDOWS_1252);
        let mut d02 = Appender::new(parts.d02);
        // No address is zero, so that no reader takes it for the end of a chain.
        d02.push(&[0; 4]).map_err(failed("d02"))?;
        Ok(Writer {
            style: Style { encoding, symbols: options.symbols },
            comment: encoding.encode(&options.comment).0.into_owned(),
            own_comment: !options.comment.is_empty(),
            hasher: NameHasher::default(),
            tables: SharedNames::new(NameKind::ALL.map(Table::new)),
            games: 0,
            guess: Guess::new(encoding),
            guessed: [0; 4],
            warning: [Warning::new(Quirk::OtherEncoding, Location::file("emb"))],
            cdp: parts.cdp,
            emb: parts.emb,
            d00: Appender::new(parts.d00),
            a02: Appender::new(parts.a02),
            d02,
            staged: None,
            own: ScratchEncoder::default(),
        })
    }

    /// Finishes the base and returns its files. The files of a base on disk do not get their final
    /// names; use [`finish`](Writer::finish) for that.
    ///
    /// # Errors
    /// I/O errors; names larger than 2 GiB.
    pub fn into_parts(mut self) -> Result<Parts<F>, Error> {
        let files: Vec<_> = self.tables.read().iter().flat_map(Table::files).collect();
        self.emb.write_at(0, &volume::build(&files)?).map_err(failed("emb"))?;
        let cdp = Description::new(self.games, self.comment).encode();
        self.cdp.write_at(0, &cdp).map_err(failed("cdp"))?;
        Ok(Parts {
            cdp: self.cdp,
            emb: self.emb,
            d00: self.d00.finish().map_err(failed("d00"))?,
            a02: self.a02.finish().map_err(failed("a02"))?,
            d02: self.d02.finish().map_err(failed("d02"))?,
        })
    }

    /// The ids of a game's names, including new names.
    fn find_or_add(&self, encoded: &Encoded) -> Result<[u32; 6], Error> {
        let [white, black, event, place, annotator, source] = encoded.names();
        let [players, events, places, sources] = &mut *self.tables.write();
        Ok([
            players.id(white)?,
            players.id(black)?,
            events.id(event)?,
            places.id(place)?,
            // Only the name of an annotator is read back.
            match encoded.annotator_in_full {
                true => players.id_of_any(annotator)?,
                false => players.id(annotator)?,
            },
            sources.id(source)?,
        ])
    }

    /// Adds the texts of the last game to those whose encoding a reader will detect.
    fn add_texts(&mut self, record: &[u8]) {
        for (table, guessed) in self.tables.read().iter().zip(&mut self.guessed) {
            (*guessed..table.len()).for_each(|id| self.guess.add_name(id, table.texts(id)));
            *guessed = table.len();
        }
        self.guess.add_game(self.games, codes_of(record));
    }

    /// The offset of the next record, if there is room for it and one more game.
    fn address(&self, record: &[u8]) -> Result<i32, Error> {
        let start = self.d02.size();
        let end = start.saturating_add(record.len() as u64);
        match (i32::try_from(start), i32::try_from(end), self.games) {
            (Ok(address), Ok(_), games) if games < i32::MAX as u32 => Ok(address),
            _ => {
                let at = Location::file("d02").at(start).in_game(self.games.into());
                Err(Error::new(ErrorKind::Full("the records exceed 2 GiB"), at))
            }
        }
    }
}

chess_store::inherent!(WriteGames<Error, Encoder, Encoded> for [F: WriteAt] Writer<F>);

impl<F: WriteAt> WriteGames for Writer<F> {
    type Error = Error;
    type Encoder = Encoder;
    type Encoded = Encoded;

    fn encoder(&self) -> Encoder {
        Encoder::new(self.style, self.hasher.clone(), self.tables.clone())
    }

    fn append(&mut self, encoded: &mut Encoded, _: &mut Losses) -> Result<(), Error> {
        let address = self.address(encoded.record())?;
        let [white, black, event, place, annotator, source] = match encoded.ids() {
            Some(ids) => ids,
            None => self.find_or_add(encoded)?,
        };
        let game_id = self.games;
        let row = Row { game_id, white, black, event, place, annotator, source, ..encoded.row };

        self.d02.push(encoded.record()).map_err(failed("d02"))?;
        self.a02.push(&address.to_le_bytes()).map_err(failed("a02"))?;
        self.d00.push(&row.encode()).map_err(failed("d00"))?;
        self.add_texts(encoded.record());
        self.games = self.games.saturating_add(1);
        Ok(())
    }

    /// The comment on the base is its description, unless an option sets another.
    fn set_about(&mut self, about: &About, losses: &mut Losses) {
        let mut whole = false;
        if !self.own_comment {
            let description = about.get(Fact::Description).unwrap_or_default();
            let (comment, complete) = self.style.encoding.encode(description);
            self.comment = comment.into_owned();
            whole = complete;
        }
        about.lose(losses, |fact| fact == Fact::Description && whole);
    }

    fn warnings(&self) -> &[Warning] {
        if self.guess.is_wrong(&self.comment) { &self.warning } else { &[] }
    }

    fn finish(mut self) -> Result<(), Error> {
        let staged = self.staged.take();
        // Closes the files before they are renamed.
        drop(self.into_parts()?);
        staged.map_or(Ok(()), Staged::commit).map_err(failed(INDEX))
    }

    fn own(&mut self) -> &mut ScratchEncoder<Writer<F>> {
        &mut self.own
    }
}

/// For `map_err`: converts an I/O error to an error of this file.
fn failed(file: &'static str) -> impl Fn(io::Error) -> Error {
    move |error| Error::io(Location::file(file))(error)
}
