//! `scoresheet check`

use std::fmt::{self, Display};
use std::io::{self, StdoutLock, Write};
use std::ops::ControlFlow;
use std::path::Path;

use scoresheet::chess_store::erased::Database;
use scoresheet::chess_store::io::TemporaryFile;
use scoresheet::chess_store::{AnyError, Warning};
use scoresheet::{Scanned, Scanner, describe, describe_warning};
use serde_json::{Value, json};

use crate::args::Check;
use crate::clean::Clean;
use crate::exit::{Done, Failure, Verbosity, games, say};
use crate::inputs;
use crate::json;
use crate::progress::Bar;
use crate::report::Told;

pub(crate) fn run(arguments: &Check, verbosity: Verbosity) -> Result<Done, Failure> {
    let files = inputs::expand(&arguments.files)?;
    let (mut sound, mut unread) = (true, false);
    for file in &files {
        let tally = match check(file, arguments, verbosity) {
            Ok(tally) => tally,
            // A file that cannot be read does not keep the others from being checked.
            Err(Failure::Failed(message)) if files.len() > 1 => {
                say(format_args!("scoresheet: {message}"));
                unread = true;
                continue;
            }
            Err(failure) => return Err(failure),
        };
        sound &= tally.is_sound(arguments.strict);
        if !arguments.json {
            let name = inputs::input_name(file).display();
            verbosity.say(format_args!("{name}: {}", tally.words(arguments.strict)));
        }
    }
    Ok(Done { found_nothing: !sound, damage: !sound, refusals: unread, ..Done::WELL })
}

/// The findings in one base.
#[derive(Default)]
struct Tally {
    games: u64,
    damaged: u64,
    odd: u64,
    /// Damage of the base as a whole: a file is missing, or a names file is truncated.
    base_damaged: u64,
    base_odd: u64,
    /// Whether the base could not be opened or not be read to its end, or is a text without a game.
    broken: bool,
}

impl Tally {
    fn is_sound(&self, strict: bool) -> bool {
        let odd = self.odd.saturating_add(self.base_odd);
        !self.broken && self.damaged == 0 && self.base_damaged == 0 && (!strict || odd == 0)
    }

    fn words(&self, strict: bool) -> String {
        let verdict = match (self.broken, self.is_sound(strict)) {
            (true, _) => "broken",
            (_, true) => "sound",
            (_, false) => "damaged",
        };
        let mut words = format!("{verdict}; {}", games(self.games));
        for (count, word) in [(self.damaged, "damaged"), (self.odd, "with deviations")] {
            if count > 0 {
                words.push_str(&format!(", {count} {word}"));
            }
        }
        match self.base_odd {
            0 => {}
            1 => words.push_str(", 1 deviation of the base as a whole"),
            count => words.push_str(&format!(", {count} deviations of the base as a whole")),
        }
        if self.base_damaged > 0 {
            words.push_str("; the base as a whole is damaged");
        }
        words
    }
}

fn check(path: &Path, arguments: &Check, verbosity: Verbosity) -> Result<Tally, Failure> {
    let mut findings = Findings {
        path: inputs::input_name(path),
        json: arguments.json,
        tells_deviations: arguments.strict || verbosity == Verbosity::Verbose,
        out: Clean::new(io::stdout().lock()),
        told: Told::new(verbosity),
        tally: Tally::default(),
    };
    let mut base = match inputs::open(path, None, &arguments.reading.options()) {
        Ok(base) => base,
        Err(error) if error.is_unsupported() => {
            findings.unsupported(&error)?;
            return Err(error.into());
        }
        Err(error) if !is_damage(&error) => return Err(error.into()),
        Err(error) => {
            findings.broken(&error)?;
            return Ok(findings.tally);
        }
    };
    for warning in base.warnings() {
        findings.of_base(warning, verbosity)?;
    }
    match base.database().map(Database::check) {
        Some(Ok(odd)) => odd.iter().try_for_each(|what| findings.whole(what))?,
        Some(Err(error)) => findings.of_whole_base(&error)?,
        None => {}
    }
    let mut bar = Bar::new(verbosity);
    let read = Scanner::new().verify(true).run(&mut base, |scanned| {
        bar.set(scanned.progress);
        findings.game(scanned)?;
        Ok::<_, Stopped>(ControlFlow::Continue(()))
    });
    drop(bar);
    match read {
        Ok(_) => {}
        Err(Stopped::Telling(failure)) => return Err(failure),
        Err(Stopped::Reading(error)) if error.is_unsupported() => {
            findings.unsupported(&error)?;
            return Err(error.into());
        }
        Err(Stopped::Reading(error)) if !is_damage(&error) => return Err(error.into()),
        Err(Stopped::Reading(error)) => {
            findings.broken(&error)?;
        }
    }
    if base.database().is_none() {
        // Warnings about a compressed stream are complete once it has been read.
        for warning in base.warnings() {
            findings.of_base(warning, verbosity)?;
        }
    }
    if !findings.json {
        for line in findings.told.rest() {
            writeln!(findings.out, "{}: {line}", findings.path.display())?;
        }
    }
    findings.out.flush()?;
    findings.tally.broken |= !inputs::holds_games(&mut base, findings.tally.games);
    Ok(findings.tally)
}

/// Returns whether a base cannot be read because of the content of its files, rather than because the
/// system cannot read them or has no room for temporary files.
fn is_damage(error: &scoresheet::Error) -> bool {
    use std::io::ErrorKind::{InvalidData, OutOfMemory, PermissionDenied, UnexpectedEof};
    match error {
        scoresheet::Error::Io { error, .. } => matches!(error.kind(), InvalidData | UnexpectedEof),
        other => other.error().and_then(AnyError::io).is_none_or(|error| {
            !TemporaryFile::is_cause_of(error)
                && !matches!(error.kind(), OutOfMemory | PermissionDenied)
        }),
    }
}

/// The reason why a base was not read to its end.
enum Stopped {
    Telling(Failure),
    Reading(scoresheet::Error),
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Stopped {
        Stopped::Telling(failure)
    }
}

impl From<scoresheet::Error> for Stopped {
    fn from(error: scoresheet::Error) -> Stopped {
        Stopped::Reading(error)
    }
}

/// Prints and counts the findings in a base.
struct Findings<'a> {
    path: &'a Path,
    json: bool,
    /// Whether deviations are printed one by one. They are counted in any case.
    tells_deviations: bool,
    out: Clean<StdoutLock<'static>>,
    told: Told,
    tally: Tally,
}

impl Findings<'_> {
    /// Reports that the base cannot be opened.
    fn broken(&mut self, error: &scoresheet::Error) -> Result<(), Failure> {
        self.tally.broken = true;
        if self.json {
            self.line_about("broken", error)?;
        } else {
            say(error);
        }
        Ok(())
    }

    /// Reports that the file, or a part of it, is of a kind that cannot be read. The caller prints
    /// the message for people.
    fn unsupported(&mut self, error: &scoresheet::Error) -> Result<(), Failure> {
        if self.json {
            self.line_about("unsupported", error)?;
            self.out.flush()?;
        }
        Ok(())
    }

    fn line_about(&mut self, kind: &str, error: &scoresheet::Error) -> Result<(), Failure> {
        let base = self.path.display().to_string();
        let finding = json!({ "base": base, "kind": kind, "message": error.to_string() });
        Ok(json::line(&mut self.out, &finding)?)
    }

    /// Counts a warning about the base as a whole.
    fn count_of_base(&mut self, is_damage: bool) {
        let tally = &mut self.tally;
        let counter = if is_damage { &mut tally.base_damaged } else { &mut tally.base_odd };
        *counter = counter.saturating_add(1);
    }

    /// Reports the warnings that opening the base gave.
    fn of_base(&mut self, warning: &Warning, verbosity: Verbosity) -> Result<(), Failure> {
        self.count_of_base(warning.is_damage());
        if self.json {
            let kind = if warning.is_damage() { "damage" } else { "deviation" };
            let finding = json::finding(self.path, None, kind, json::warning(warning));
            json::line(&mut self.out, &finding)?;
        } else {
            verbosity.say(describe_warning(self.path, warning));
        }
        Ok(())
    }

    /// Reports errors found while the base as a whole was checked.
    fn of_whole_base(&mut self, error: &AnyError) -> Result<(), Failure> {
        self.count_of_base(true);
        if self.json {
            let finding = json::finding(self.path, None, "damage", json::error(error));
            json::line(&mut self.out, &finding)?;
        } else {
            writeln!(self.out, "{}", describe(self.path, error))?;
        }
        Ok(())
    }

    /// Reports a warning about the base as a whole.
    fn whole(&mut self, what: &str) -> Result<(), Failure> {
        self.count_of_base(false);
        let base = self.path.display();
        if self.json {
            let finding = json!({
                "base": base.to_string(), "kind": "deviation", "name": "whole-base", "message": what,
            });
            json::line(&mut self.out, &finding)?;
        } else if self.tells_deviations {
            writeln!(self.out, "{base}: {what} [whole-base]")?;
        }
        Ok(())
    }

    /// Reports the warnings of a game and of its index entry, and its damage.
    fn game(&mut self, scanned: &Scanned<'_>) -> Result<(), Failure> {
        for warning in scanned.warnings {
            self.warning(warning)?;
        }
        let number = scanned.number + 1;
        for (name, message, count) in scanned.unlisted.iter() {
            let words = format_args!("game {number}: {message}: {count} more [{name}]");
            self.deviation(json::unlisted_warnings(name, message, count), words)?;
        }
        let fields = scanned.stale.iter().map(|field| Stale::Field(field));
        let unknown = scanned.unverified.map(|why| Stale::Unknown(why.message().to_string()));
        // Damage is counted as damage, and not as a deviation too.
        let mut is_odd = scanned.warnings.iter().any(|warning| !warning.is_damage());
        for stale in fields.chain(unknown) {
            is_odd = true;
            self.deviation(stale.members(), format_args!("game {number}: {stale} [{STALE}]"))?;
        }
        self.tally.odd += u64::from(is_odd);
        if let Some(error) = scanned.damage {
            self.damage(error)?;
        }
        self.tally.games += 1;
        Ok(())
    }

    /// Reports a warning about a game. The line names the file as the user did.
    fn warning(&mut self, warning: &Warning) -> Result<(), Failure> {
        if self.json {
            let members = json::warning(warning);
            let finding = json::finding(self.path, Some(self.tally.games), "deviation", members);
            json::line(&mut self.out, &finding)?;
        } else if self.tells_deviations {
            writeln!(self.out, "{}", describe_warning(self.path, warning))?;
        }
        Ok(())
    }

    fn deviation(&mut self, members: Value, words: impl Display) -> Result<(), Failure> {
        if self.json {
            let finding = json::finding(self.path, Some(self.tally.games), "deviation", members);
            json::line(&mut self.out, &finding)?;
        } else if self.tells_deviations {
            writeln!(self.out, "{}: {words}", self.path.display())?;
        }
        Ok(())
    }

    fn damage(&mut self, error: &AnyError) -> Result<(), Failure> {
        self.tally.damaged += 1;
        if self.json {
            let members = json::error(error);
            let finding = json::finding(self.path, Some(self.tally.games), "damage", members);
            json::line(&mut self.out, &finding)?;
        } else if self.told.wants(&error.message().to_string()) {
            writeln!(self.out, "{}", describe(self.path, error))?;
        }
        Ok(())
    }
}

/// The name of the next kind of finding, in the style of the names of quirks.
const STALE: &str = "stale-index";

/// A difference between an index entry and its game.
enum Stale {
    Field(&'static str),
    /// The game can be read, but no index entry can be made from it for comparison.
    Unknown(String),
}

impl Stale {
    fn members(&self) -> Value {
        let message = self.to_string();
        match self {
            Stale::Field(field) => json!({ "name": STALE, "field": field, "message": message }),
            Stale::Unknown(_) => json!({ "name": STALE, "message": message }),
        }
    }
}

impl Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stale::Field(field) => write!(f, "the index entry disagrees with the game: {field}"),
            Stale::Unknown(why) => write!(f, "the index entry cannot be compared: {why}"),
        }
    }
}
