//! `scoresheet check`

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use commands::Check;
use pages::clean::Clean;
use pages::numbers::games;
use scoresheet::check::{self, Counts, Finding, What};
use scoresheet::{Scanner, describe, describe_warning, detect};
use serde_json::json;

use crate::book;
use crate::exit::{Done, Failure, Verbosity, say};
use crate::inputs;
use crate::json;
use crate::output::Stdout;
use crate::progress::Bar;
use crate::report::Reported;

pub(crate) fn run(arguments: &Check, verbosity: Verbosity) -> Result<Done, Failure> {
    let files = inputs::expand(&arguments.files)?;
    let (mut sound, mut unread) = (true, false);
    for file in &files {
        if book::is_book(file) && detect(file).is_err() {
            let checked = book::check(file)?;
            checked.print(file, arguments.json, &mut Clean::new(Stdout))?;
            sound &= checked.is_sound(arguments.strict);
            if !arguments.json {
                let words = checked.words(arguments.strict);
                verbosity.say(format_args!("{}: {words}", file.display()));
            }
            continue;
        }
        let counts = match check(file, arguments, verbosity) {
            Ok(counts) => counts,
            // A file that cannot be read does not keep the others from being checked.
            Err(Failure::Failed(message)) if files.len() > 1 => {
                say(format_args!("scoresheet: {message}"));
                unread = true;
                continue;
            }
            Err(failure) => return Err(failure),
        };
        sound &= counts.is_sound(arguments.strict);
        if !arguments.json {
            let name = inputs::input_name(file).display();
            verbosity.say(format_args!("{name}: {}", words(&counts, arguments.strict)));
        }
    }
    Ok(Done { found_nothing: !sound, damage: !sound, refusals: unread, ..Done::WELL })
}

fn words(counts: &Counts, strict: bool) -> String {
    let verdict = match (counts.is_broken, counts.is_sound(strict)) {
        (true, _) => "broken",
        (_, true) => "sound",
        (_, false) => "damaged",
    };
    let mut words = format!("{verdict}; {}", games(counts.games));
    for (count, word) in [(counts.damaged, "damaged"), (counts.deviating, "with deviations")] {
        if count > 0 {
            words.push_str(&format!(", {count} {word}"));
        }
    }
    match counts.base_deviations {
        0 => {}
        1 => words.push_str(", 1 deviation of the base as a whole"),
        count => words.push_str(&format!(", {count} deviations of the base as a whole")),
    }
    if counts.base_damages > 0 {
        words.push_str("; the base as a whole is damaged");
    }
    words
}

fn check(path: &Path, arguments: &Check, verbosity: Verbosity) -> Result<Counts, Failure> {
    let mut printer = Printer {
        path: inputs::input_name(path),
        json: arguments.json,
        prints_deviations: arguments.strict || verbosity == Verbosity::Verbose,
        verbosity,
        out: Clean::new(Stdout),
        reported: Reported::new(verbosity),
    };
    let mut base = match inputs::open(path, None, &arguments.reading.options()) {
        Ok(base) => base,
        Err(error) => {
            if error.is_unsupported() || !error.is_damage() {
                return Err(printer.unsupported(error));
            }
            printer.print(&Finding::broken(&error))?;
            let mut counts = Counts::default();
            counts.is_broken = true;
            return Ok(counts);
        }
    };
    let mut bar = Bar::new(verbosity);
    let checked = check::run_watched(
        &mut base,
        &Scanner::new(),
        |finding| printer.print(finding).map_err(Stopped::Printing),
        |progress| {
            bar.set(progress);
            ControlFlow::Continue(())
        },
    );
    drop(bar);
    let counts = checked.map_err(|stopped| match stopped {
        Stopped::Printing(failure) => failure,
        Stopped::Reading(error) => printer.unsupported(error),
    })?;
    if !printer.json {
        for line in printer.reported.rest() {
            writeln!(printer.out, "{}: {line}", printer.path.display())?;
        }
    }
    printer.out.flush()?;
    Ok(counts)
}

/// The reason why a base was not read to its end.
enum Stopped {
    Printing(Failure),
    Reading(scoresheet::Error),
}

impl From<scoresheet::Error> for Stopped {
    fn from(error: scoresheet::Error) -> Stopped {
        Stopped::Reading(error)
    }
}

/// Prints the findings in a base.
struct Printer<'a> {
    path: &'a Path,
    json: bool,
    /// Whether deviations are printed one by one. They are counted in any case.
    prints_deviations: bool,
    verbosity: Verbosity,
    out: Clean<Stdout>,
    reported: Reported,
}

impl Printer<'_> {
    /// Prints that the file, or a part of it, is of a kind that cannot be read. The caller prints the
    /// message for people.
    fn unsupported(&mut self, error: scoresheet::Error) -> Failure {
        if self.json && error.is_unsupported() {
            let printed =
                self.line_about("unsupported", &error).and_then(|()| Ok(self.out.flush()?));
            if let Err(failure) = printed {
                return failure;
            }
        }
        error.into()
    }

    fn line_about(&mut self, kind: &str, error: &scoresheet::Error) -> Result<(), Failure> {
        let base = self.path.display().to_string();
        let finding = json!({ "base": base, "kind": kind, "message": error.to_string() });
        Ok(json::line(&mut self.out, &finding)?)
    }

    fn print(&mut self, finding: &Finding<'_>) -> Result<(), Failure> {
        match finding.what {
            What::NoGames => {
                say(format_args!("{}: {finding}", self.path.display()));
                Ok(())
            }
            What::Broken(error) if !self.json => {
                say(error);
                Ok(())
            }
            What::Broken(error) => self.line_about("broken", error),
            _ if self.json => self.line(finding),
            _ => self.words(finding),
        }
    }

    fn line(&mut self, finding: &Finding<'_>) -> Result<(), Failure> {
        let message = finding.to_string();
        let members = match finding.what {
            What::Warning(warning) => json::warning(warning),
            What::Unlisted { name, message, count } => {
                json::unlisted_warnings(name, message, count)
            }
            What::Stale(field) => {
                json!({ "name": finding.name(), "field": field, "message": message })
            }
            What::Damage(error) => json::error(error),
            _ => json!({ "name": finding.name(), "message": message }),
        };
        // The damage of a game has a line of its own after the deviations.
        let is_damage = finding.is_damage()
            && !(finding.game.is_some() && matches!(finding.what, What::Warning(_)));
        let kind = if is_damage { "damage" } else { "deviation" };
        let line = json::finding(self.path, finding.game, kind, members);
        Ok(json::line(&mut self.out, &line)?)
    }

    fn words(&mut self, finding: &Finding<'_>) -> Result<(), Failure> {
        let path = self.path;
        match (finding.what, finding.game) {
            (What::Warning(warning), None) => self.verbosity.say(describe_warning(path, warning)),
            (What::Damage(error), game) => {
                if game.is_none() || self.reported.wants(&error.message().to_string()) {
                    writeln!(self.out, "{}", describe(path, error))?;
                }
            }
            _ if !self.prints_deviations => {}
            (What::Warning(warning), Some(_)) => {
                writeln!(self.out, "{}", describe_warning(path, warning))?;
            }
            (_, game) => {
                let game = game.map(|number| format!("game {}: ", number + 1)).unwrap_or_default();
                writeln!(self.out, "{}: {game}{finding} [{}]", path.display(), finding.name())?;
            }
        }
        Ok(())
    }
}
