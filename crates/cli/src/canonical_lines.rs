//! `scoresheet show --lines`: the test vectors of a base. (docs/model.md §5 "Canonical lines")

use std::io::Write;

use commands::Show;
use scoresheet::Base;
use scoresheet::chess_core::{CanonicalLine, Game};
use scoresheet::chess_store::{Diagnostics, Scope};

use crate::exit::{Done, Failure, Verbosity};
use crate::inputs;
use crate::output::Pipe;

/// Prints a line for each game. A base that does not open has one line, with its error.
pub(crate) fn run(arguments: &Show, verbosity: Verbosity) -> Result<Done, Failure> {
    let pipe = Pipe::default();
    let mut out = pipe.sink();
    let printed = match inputs::open_one(&arguments.file, &arguments.reading.options()) {
        Ok(mut base) => {
            inputs::report_odd(&base, verbosity);
            print(&mut base, &mut *out)
        }
        Err(Failure::Failed(error)) => {
            let closed = line(&mut *out, &Game::new(), Some(&error)).and_then(|()| out.flush());
            closed.map_err(Failure::from).and(Err(Failure::Failed(error)))
        }
        Err(failure) => Err(failure),
    };
    let done = printed.and_then(|done| out.flush().map(|()| done).map_err(Failure::from));
    if pipe.is_broken() { Err(Failure::BrokenPipe) } else { done }
}

fn print(base: &mut Base, out: &mut dyn Write) -> Result<Done, Failure> {
    let base_is_damaged = base.is_damaged();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let mut is_damaged = false;
    if let Some(database) = base.database() {
        let mut reader = database.reader();
        for number in 0..database.len() {
            let error = reader.game(number, &mut game, &mut diagnostics).err();
            is_damaged |= error.is_some();
            line(out, &game, error.map(|error| error.to_string()).as_deref())?;
        }
    } else {
        let mut reader = base.reader();
        loop {
            match reader.read_game(&mut game, &mut diagnostics) {
                Ok(false) => break,
                Ok(true) => line(out, &game, None)?,
                Err(error) => {
                    is_damaged = true;
                    line(out, &game, Some(&error.to_string()))?;
                    if error.scope() == Scope::Base {
                        break;
                    }
                }
            }
        }
    }
    Ok(Done::WELL.damaged(is_damaged || base_is_damaged))
}

fn line(out: &mut dyn Write, game: &Game, error: Option<&str>) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, &CanonicalLine { game, error })?;
    out.write_all(b"\n")
}
