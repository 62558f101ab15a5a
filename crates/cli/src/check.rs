//! `scoresheet check`

use std::io::{self, Write};
use std::path::Path;

use scoresheet::chess_core::{Diagnostics, Game, Scope};
use scoresheet::{Source, describe};
use serde_json::json;

use crate::args::Check;
use crate::exit::{Done, Failure, Verbosity, say};
use crate::inputs;
use crate::json;
use crate::progress::Metered;

pub(crate) fn run(arguments: &Check, verbosity: Verbosity) -> Result<Done, Failure> {
    let files = inputs::expand(&arguments.files)?;
    let mut sound = true;
    for file in &files {
        let tally = check(file, arguments, verbosity)?;
        sound &= tally.is_sound(arguments.strict);
        if !arguments.json {
            verbosity.say(format_args!("{}: {}", file.display(), tally.words(arguments.strict)));
        }
    }
    Ok(Done::well_if(sound))
}

/// What was found in one base.
#[derive(Default)]
struct Tally {
    games: u64,
    damaged: u64,
    odd: u64,
    /// It could not be opened, or not be read to its end.
    broken: bool,
}

impl Tally {
    fn is_sound(&self, strict: bool) -> bool {
        !self.broken && self.damaged == 0 && (!strict || self.odd == 0)
    }

    fn words(&self, strict: bool) -> String {
        let verdict = match (self.broken, self.is_sound(strict)) {
            (true, _) => "broken",
            (_, true) => "sound",
            (_, false) => "damaged",
        };
        let mut words = format!("{verdict}; {} games", self.games);
        for (count, word) in [(self.damaged, "damaged"), (self.odd, "with deviations")] {
            if count > 0 {
                words.push_str(&format!(", {count} {word}"));
            }
        }
        words
    }
}

fn check(path: &Path, arguments: &Check, verbosity: Verbosity) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    let mut out = io::stdout().lock();
    let mut base = match inputs::open(path, None, &arguments.reading.options()) {
        Ok(base) => base,
        Err(error @ scoresheet::Error::Io { .. }) => return Err(error.into()),
        Err(error) => {
            tally.broken = true;
            if arguments.json {
                let message = error.to_string();
                let finding = json!({
                    "base": path.display().to_string(), "kind": "broken", "message": message,
                });
                json::line(&mut out, &finding)?;
            } else {
                say(error);
            }
            return Ok(tally);
        }
    };
    if let Some(database) = base.database() {
        for warning in database.warnings() {
            tally.odd = tally.odd.saturating_add(1);
            verbosity.say(format_args!("{}: {warning}", path.display()));
        }
    }
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let mut reader = Metered::new(base.reader(), verbosity);
    loop {
        diagnostics.clear();
        let error = match reader.next(&mut game, &mut diagnostics) {
            Ok(false) => break,
            Ok(true) => None,
            Err(error) => Some(error),
        };
        let number = tally.games;
        tally.games = tally.games.saturating_add(1);
        tally.odd = tally.odd.saturating_add(u64::from(!diagnostics.warnings().is_empty()));
        for warning in diagnostics.warnings() {
            if arguments.json {
                let finding = json::finding(path, number, "deviation", json::warning(warning));
                json::line(&mut out, &finding)?;
            } else if arguments.strict || verbosity == Verbosity::Verbose {
                writeln!(out, "{}: {warning}", path.display())?;
            }
        }
        let Some(error) = error else { continue };
        tally.damaged = tally.damaged.saturating_add(1);
        if arguments.json {
            json::line(&mut out, &json::finding(path, number, "damage", json::error(&error)))?;
        } else {
            writeln!(out, "{}", describe(path, &error))?;
        }
        if error.scope() == Scope::Base {
            tally.broken = true;
            break;
        }
    }
    out.flush()?;
    Ok(tally)
}
