//! Games from other bases.

use std::path::PathBuf;
use std::vec;

use scoresheet::chess_core::Game;
use scoresheet::chess_store::Scope;
use scoresheet::chess_store::erased::Opener;
use scoresheet::{Format, IntoGames, OpenOptions};

use crate::exit::{Failure, Verbosity};
use crate::inputs;
use crate::interrupt;

/// Returns whether the games of a format are stored one after the other.
fn is_text(format: &Format) -> bool {
    matches!(format.open, Some(Opener::Source(_)))
}

/// The undamaged games of other bases, one after the other. Damaged games are reported and skipped.
pub(super) struct Incoming {
    paths: vec::IntoIter<PathBuf>,
    games: Option<IntoGames>,
    verbosity: Verbosity,
    /// Whether no game was skipped.
    pub(super) sound: bool,
}

impl Incoming {
    pub(super) fn new(paths: &[PathBuf], verbosity: Verbosity) -> Result<Incoming, Failure> {
        let paths = inputs::expand(paths)?;
        // The games appended so far stay: a compressed file is checked as a whole before its first
        // game is appended.
        for path in paths.iter().filter(|path| scoresheet::detect(path).is_ok_and(is_text)) {
            scoresheet::verify_packed(path, None)?;
        }
        let paths = paths.into_iter();
        Ok(Incoming { paths, games: None, verbosity, sound: true })
    }

    /// Reads the next game. Returns `false` if there is none.
    pub(super) fn next(&mut self, game: &mut Game) -> Result<bool, Failure> {
        loop {
            interrupt::check_edit()?;
            match self.games.as_mut().and_then(Iterator::next) {
                Some(Ok(next)) => {
                    *game = next;
                    return Ok(true);
                }
                Some(Err(error)) if error.scope() == Scope::Game => {
                    self.verbosity.say(error);
                    self.sound = false;
                }
                Some(Err(error)) => return Err(error.into()),
                None => {
                    let Some(path) = self.paths.next() else { return Ok(false) };
                    let base = inputs::open(&path, None, &OpenOptions::default())?;
                    self.games = Some(base.into_games());
                }
            }
        }
    }
}
