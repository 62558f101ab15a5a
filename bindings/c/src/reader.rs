//! Reads games by their numbers.

use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};

use scoresheet::GameReader;
use scoresheet::chess_store::{Diagnostics, Scope};

use crate::Watcher;
use crate::base::Base;
use crate::game::Game;
use crate::status::{Error, Failure, Status, call, create, free, needed};
use crate::unpack::Numbered;

/// Reads games of a base by number. One thread at a time uses a reader; each thread has its own. A
/// reader stays usable when its base is freed.
pub struct Reader {
    path: PathBuf,
    reader: Box<dyn GameReader + Send>,
    count: u64,
    strict: bool,
    /// Why the text could not be read to its end. Its last game may be incomplete then.
    cut: Option<Failure>,
}

impl Reader {
    fn new(base: &Base) -> Result<Reader, Failure> {
        let watcher = Watcher::new(None, std::ptr::null_mut());
        let Numbered { games, failure } = base.numbered(watcher)?;
        Ok(Reader {
            path: base.path().into(),
            count: games.len(),
            reader: games.into_reader(),
            strict: base.is_strict(),
            cut: failure,
        })
    }

    fn diagnostics(&self) -> Diagnostics {
        if self.strict { Diagnostics::strict() } else { Diagnostics::lenient() }
    }

    fn has(&self, number: u64) -> Result<(), Failure> {
        if number < self.count {
            return Ok(());
        }
        let Reader { path, count, .. } = self;
        let text = format!(
            "{}: there is no game {number}; the base has {count}, and the first is 0",
            path.display()
        );
        Err(Failure::new(Status::OutOfRange, text).in_file(path))
    }

    /// Reads a header.
    fn header(&mut self, number: u64, game: &mut Game) -> Result<(), Failure> {
        game.start(number);
        self.has(number)?;
        let mut notes = self.diagnostics();
        let read = self.reader.header(number, &mut game.inner.header, &mut notes);
        game.take(&notes);
        self.failed(game, read)
    }

    /// Reads a game.
    fn game(&mut self, number: u64, game: &mut Game) -> Result<(), Failure> {
        game.start(number);
        self.has(number)?;
        let mut notes = self.diagnostics();
        let read = self.reader.game(number, &mut game.inner, &mut notes);
        game.take(&notes);
        self.failed(game, read)?;
        let is_last = number.checked_add(1) == Some(self.count);
        match self.cut.as_ref().filter(|_| is_last) {
            Some(failure) => Err(failure.as_damage()),
            None => Ok(()),
        }
    }

    fn failed(
        &self,
        game: &mut Game,
        read: Result<(), scoresheet::chess_store::AnyError>,
    ) -> Result<(), Failure> {
        let path: &Path = &self.path;
        read.map_err(|error| {
            if error.scope() == Scope::Base {
                // The game is not known, not even its header.
                game.inner.clear();
            }
            Failure::of(path, &error)
        })
    }
}

/// Creates a reader. A text is numbered first, as by `scoresheet_base_index`; damage further on in the text
/// is no failure here. `*reader` is NULL after a failure. Free it with `scoresheet_reader_free`.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_reader_new(
    base: Option<&Base>,
    reader: Option<&mut MaybeUninit<*mut Reader>>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    create(reader, "reader", error, || Reader::new(needed(base, "base")?))
}

/// Reads the header of a game into `game`, which then has tags but no moves. For most formats only the
/// index is read, which is fast enough to fill a list while it is scrolled. Tags that the index does not hold are
/// missing. `number` counts from zero.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_reader_header(
    reader: Option<&mut Reader>,
    number: u64,
    game: Option<&mut Game>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    call(error, || needed(reader, "reader")?.header(number, needed(game, "game")?))
}

/// Reads a game into `game`. `number` counts from zero.
///
/// `SCORESHEET_STATUS_DAMAGED`: `game` holds the tags and moves before the damage. After other
/// failures it is empty.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_reader_game(
    reader: Option<&mut Reader>,
    number: u64,
    game: Option<&mut Game>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    call(error, || needed(reader, "reader")?.game(number, needed(game, "game")?))
}

/// Frees a reader. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_reader_free(reader: Option<Box<Reader>>) {
    free(reader);
}
