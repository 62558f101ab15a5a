//! Properties of every base, whole or damaged, in any format.

use std::fmt::Write as _;

use chess_core::{Game, Replay};
use chess_store::erased::{Database, Format, Opener};
use chess_store::{AnyError, Describe, Diagnostics, Encoding, OpenOptions, Scope};

use crate::fixtures::cases;
use crate::searches::assert_visits;

/// Returns the messages about a base, one line for each, indented by two spaces: warnings on
/// opening it, then warnings and the error of each game. For a base that does not open, returns the
/// error.
pub fn what_is_said(base: Result<&dyn Database, &AnyError>) -> String {
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

/// Asserts that each case of a family that names options reads as expected with each of them.
/// Returns these options.
pub fn assert_options_read(family: &str, formats: &[Format]) -> Vec<String> {
    let mut met = Vec::new();
    for case in cases(family) {
        for option in &case.meta.options {
            let format = case.format_in(formats, family);
            let Some(Opener::Database(open)) = format.open else { panic!("no base of files") };
            let (name, value) = option.split_once('=').unwrap();
            let mut options = OpenOptions::default();
            options.settings.set(name, value);
            let label = case.meta.encoding.as_deref();
            options.encoding = label.map(|label| Encoding::from_label(label).unwrap());
            let base = open(&case.path(format.extensions[0]), &options).unwrap();
            case.assert_database_with(option, &*base);
            met.push(option.clone());
        }
    }
    met
}

/// Asserts that strict reading accepts exactly the games without a message, and reads them the
/// same. `name` is used in the message.
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

/// Reads the first `most` games of a base that may be damaged, and asserts its invariants. Returns
/// the games that were read whole.
///
/// - An error costs only its game and names its place in one of `files`.
/// - The rest of a damaged game can be replayed.
/// - Strict reading accepts a subset of what lenient reading accepts.
/// - A dump ends.
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

/// Like [`survive`], for the result of opening a damaged base. An error must concern the whole base
/// and name its place in one of `files`.
pub fn survive_opening(
    base: Result<impl Database, impl Into<AnyError>>,
    files: &[&str],
    most: u64,
) {
    match base.map_err(Into::into) {
        Ok(base) => {
            drop(survive(&base, files, most));
            let _ = Database::check(&base);
            let _ = Describe::details(&base);
        }
        Err(error) => {
            assert_eq!(error.scope(), Scope::Base, "{error}");
            assert!(files.contains(&error.location().file), "{error}");
        }
    }
}

/// Asserts that four threads read these games when they share one base and read it in different
/// orders.
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

/// Asserts that every game except `damaged` reads strictly and unchanged: damage to one game costs
/// no other.
pub fn assert_others_stand(base: &dyn Database, damaged: u64, healthy: &[Game]) {
    assert_eq!(base.len(), healthy.len() as u64);
    let (mut game, mut reader) = (Game::new(), base.reader());
    for (number, healthy) in (0..).zip(healthy).filter(|(number, _)| *number != damaged) {
        reader.game(number, &mut game, &mut Diagnostics::strict()).unwrap();
        assert_eq!(game, *healthy, "game {}", number + 1);
    }
}
