//! What holds of every base, whole or damaged, whatever its format.

use std::fmt::Write as _;

use chess_core::{Game, Replay};
use chess_store::erased::{Database, Format, Opener};
use chess_store::{AnyError, Diagnostics, OpenOptions, Scope};

use crate::fixtures::cases;
use crate::searches::assert_visits;

/// What is said of a base, a line each with two spaces in front: warnings on opening it, then
/// warnings and the error of each game. Of one that does not open, why.
pub fn what_is_said(base: &Result<impl Database, AnyError>) -> String {
    let mut said = String::new();
    let base = match base {
        Ok(base) => base,
        Err(error) => {
            writeln!(said, "  error: {error}").unwrap();
            return said;
        }
    };
    for warning in base.warnings() {
        writeln!(said, "  {warning}").unwrap();
    }
    let (mut game, mut reader) = (Game::new(), base.reader());
    for number in 0..base.len() {
        let mut diagnostics = Diagnostics::lenient();
        let read = reader.game(number, &mut game, &mut diagnostics);
        for warning in diagnostics.warnings() {
            writeln!(said, "  {warning}").unwrap();
        }
        if let Err(error) = read {
            writeln!(said, "  error: {error}").unwrap();
        }
    }
    said
}

/// Fails unless each case of a family that names options reads with each of them as it must. Gives
/// these options.
pub fn assert_options_read(family: &str, formats: &[Format]) -> Vec<String> {
    let mut met = Vec::new();
    for case in cases(family) {
        for option in &case.meta.options {
            let format = formats.iter().find(|format| {
                [format.name, family].contains(&case.meta.format.as_str())
                    && format.extensions.iter().any(|name| case.path(name).is_file())
            });
            let format = format.unwrap_or_else(|| panic!("{}: no such format", case.name));
            let Some(Opener::Database(open)) = format.open else { panic!("no base of files") };
            let (name, value) = option.split_once('=').unwrap();
            let mut options = OpenOptions::default();
            options.settings.set(name, value);
            let base = open(&case.path(format.extensions[0]), &options).unwrap();
            case.assert_database_with(option, &*base);
            met.push(option.clone());
        }
    }
    met
}

/// Fails unless reading strictly takes just the games of which nothing is said, and reads them
/// the same. `name` is for the message.
pub fn assert_strict_takes_the_sound(base: &dyn Database, name: &str) {
    let (mut lenient, mut strict) = (Game::new(), Game::new());
    let mut reader = base.reader();
    for number in 0..base.len() {
        let mut diagnostics = Diagnostics::lenient();
        let read = reader.game(number, &mut lenient, &mut diagnostics);
        let sound = read.is_ok() && diagnostics.warnings().is_empty();
        let taken = reader.game(number, &mut strict, &mut Diagnostics::strict());
        assert_eq!(taken.is_ok(), sound, "{name}, game {}", number + 1);
        if sound {
            assert_eq!(strict, lenient, "{name}, game {}", number + 1);
        }
    }
}

/// Reads the games of a base that may be damaged, the first `most` of them, and fails unless all
/// that must hold does: an error costs its game only and says where in one of these `files` it is;
/// what is left of a game replays; strict reading is within lenient; a dump ends. Gives the games
/// read whole.
pub fn survive(base: &dyn Database, files: &[&str], most: u64) -> Vec<Option<Game>> {
    let (mut game, mut strict) = (Game::new(), Game::new());
    let (mut games, mut reader) = (Vec::new(), base.reader());
    for number in 0..base.len().min(most) {
        let read = reader.game(number, &mut game, &mut Diagnostics::lenient());
        if let Err(error) = &read {
            let at = error.location();
            assert!(files.contains(&at.file) && at.offset.is_some(), "{error}");
            assert_eq!(at.game, Some(number), "{error}");
            assert_eq!(error.scope(), Scope::Game, "{error}");
        }
        assert_eq!(game.open_variations(), 0);
        let mut replay = Replay::new(&game);
        game.tokens().for_each(|token| replay.step(token));
        if reader.game(number, &mut strict, &mut Diagnostics::strict()).is_ok() {
            assert!(read.is_ok() && strict == game, "what strict accepts, lenient reads the same");
        }
        let _ = reader.dump(number, &mut |_| ());
        assert_visits(&mut *reader, number, &game, read.is_ok());
        games.push(read.is_ok().then(|| game.clone()));
    }
    games
}

/// As [`survive`], of what opening a damaged base gave: an error must be of the whole base and say
/// in which of `files` it is.
pub fn survive_opening(
    base: Result<impl Database, impl Into<AnyError>>,
    files: &[&str],
    most: u64,
) {
    match base.map_err(Into::into) {
        Ok(base) => drop(survive(&base, files, most)),
        Err(error) => {
            assert_eq!(error.scope(), Scope::Base, "{error}");
            assert!(files.contains(&error.location().file), "{error}");
        }
    }
}

/// Fails unless four threads that read one base together, each in another order, read these games.
pub fn assert_threads_share(base: &dyn Database, games: &[Game]) {
    assert_eq!(base.len(), games.len() as u64);
    std::thread::scope(|scope| {
        for first in 0..4u64 {
            scope.spawn(move || {
                let (mut reader, mut game) = (base.reader(), Game::new());
                for number in (first..base.len()).chain(0..first) {
                    reader.game(number, &mut game, &mut Diagnostics::strict()).unwrap();
                    assert_eq!(game, games[number as usize]);
                }
            });
        }
    });
}

/// Fails unless every game but one reads strictly, and as it was: damage to that one costs no
/// other.
pub fn assert_others_stand(base: &dyn Database, damaged: u64, healthy: &[Game]) {
    assert_eq!(base.len(), healthy.len() as u64);
    let (mut game, mut reader) = (Game::new(), base.reader());
    for (number, healthy) in (0..).zip(healthy).filter(|(number, _)| *number != damaged) {
        reader.game(number, &mut game, &mut Diagnostics::strict()).unwrap();
        assert_eq!(game, *healthy, "game {}", number + 1);
    }
}
