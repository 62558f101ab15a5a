//! Games from other bases.

use std::path::PathBuf;
use std::vec;

use scoresheet::chess_core::Game;
use scoresheet::chess_store::Scope;
use scoresheet::chess_store::erased::Opener;
use scoresheet::{Format, IntoGames, OpenOptions};

use crate::exit::{Failure, Verbosity, say};
use crate::inputs;
use crate::interrupt;
use crate::report::Reported;

/// Returns whether the games of a format are stored one after the other.
fn is_text(format: &Format) -> bool {
    matches!(format.open, Some(Opener::Source(_)))
}

/// The games of other bases, one after the other. A damaged game is reported, and ends at the damage.
pub(super) struct Incoming {
    paths: vec::IntoIter<PathBuf>,
    games: Option<IntoGames>,
    verbosity: Verbosity,
    pub(super) reported: Reported,
    pub(super) read: u64,
    /// The current base, and the number of its last game, from one.
    current: (PathBuf, u64),
    pub(super) damaged: u64,
    /// Whether a base is damaged as a whole.
    pub(super) damaged_base: bool,
}

impl Incoming {
    pub(super) fn new(paths: &[PathBuf], verbosity: Verbosity) -> Result<Incoming, Failure> {
        let paths = inputs::expand(paths)?;
        // The games appended so far stay: a compressed file is checked as a whole before its first
        // game is appended. A pipe can be read only once.
        for path in paths.iter().filter(|path| !scoresheet::is_pipe(path)) {
            if scoresheet::detect(path).is_ok_and(is_text) {
                scoresheet::verify_packed(path, None)?;
            }
        }
        let (paths, reported) = (paths.into_iter(), Reported::new(verbosity));
        Ok(Incoming {
            paths,
            games: None,
            verbosity,
            reported,
            read: 0,
            current: (PathBuf::new(), 0),
            damaged: 0,
            damaged_base: false,
        })
    }

    /// Reads the next game. Returns `false` if there is none.
    pub(super) fn next(&mut self, game: &mut Game) -> Result<bool, Failure> {
        loop {
            interrupt::check_edit()?;
            let Some(games) = &mut self.games else {
                let Some(path) = self.paths.next() else { return Ok(false) };
                let base = inputs::open(&path, None, &OpenOptions::default())?;
                inputs::report_odd(&base, self.verbosity);
                self.damaged_base |= base.is_damaged();
                self.games = Some(base.into_games());
                self.current = (path, 0);
                continue;
            };
            match games.read_game(game) {
                Ok(false) => {
                    self.games = None;
                    continue;
                }
                Ok(true) => {}
                Err(error) if error.scope() == Scope::Game => {
                    self.damaged += 1;
                    let message = error.error().map(|error| error.message().to_string());
                    if self.reported.wants(&message.unwrap_or_default()) {
                        say(error);
                    }
                }
                Err(error) => return Err(error.into()),
            }
            self.read += 1;
            self.current.1 += 1;
            return Ok(true);
        }
    }

    /// Returns `game 3 of new.pgn`, the last game.
    pub(super) fn place(&self) -> String {
        let (path, number) = &self.current;
        format!("game {number} of {}", inputs::input_name(path).display())
    }
}
