//! `scoresheet book check`, and the part of `info` and `check` that reads books.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use commands::BookCheck;
use pages::clean::Clean;
use pages::numbers::counted;
use scoresheet::books::polyglot::repair;
use scoresheet::books::{AnyBook, Kind, Quirk, Summary, WalkOptions};
use scoresheet::chess_store::{Diagnostics, Quirk as _, Warning};
use scoresheet::describe_warning;
use serde_json::{Value, json};

use super::{Output, facts, failure, may_write, open, open_polyglot};
use crate::exit::{Done, Failure, Verbosity, say};
use crate::json;
use crate::output::Stdout;

pub(super) fn run(arguments: &BookCheck, verbosity: Verbosity) -> Result<Done, Failure> {
    let mut sound = true;
    let mut done = Done::WELL;
    let mut out = Clean::new(Stdout);
    for path in &arguments.books {
        let checked = open(path).and_then(|book| read(&book, path));
        let checked = match checked {
            Ok(checked) => checked,
            Err(Failure::Failed(message)) if arguments.books.len() > 1 => {
                say(format_args!("scoresheet: {message}"));
                done.refusals = true;
                continue;
            }
            Err(failure) => return Err(failure),
        };
        checked.print(path, arguments.json, &mut out)?;
        sound &= checked.is_sound(arguments.strict);
        if !arguments.json {
            let words = checked.words(arguments.strict);
            verbosity.say(format_args!("{}: {words}", path.display()));
        }
    }
    out.flush()?;
    if let Some(output) = &arguments.repair {
        let [path] = arguments.books.as_slice() else {
            return Err(Failure::Usage("--repair takes one book".into()));
        };
        may_write(output, &["bin"], arguments.force, &[path])?;
        let book = open_polyglot(path)?;
        let (target, file) = Output::create(output)?;
        let options = WalkOptions::default();
        let repaired = repair(&book, options, arguments.drop_unplayed, file);
        let (_, repaired) = repaired.map_err(|error| failure(path, error))?;
        target.commit()?;
        verbosity.say(format_args!(
            "{}: {}; left out: {} twice or no move, {} illegal, {} of weight 0",
            output.display(),
            counted(repaired.entries, "move", "moves"),
            repaired.merged,
            repaired.illegal,
            repaired.unplayed
        ));
    }
    Ok(Done { found_nothing: !sound, damage: !sound, ..done })
}

/// The findings in a book.
pub(crate) struct Checked {
    pub(crate) kind: Kind,
    pub(crate) summary: Summary,
    pub(crate) diagnostics: Diagnostics,
}

/// Reads a whole book.
pub(crate) fn read(book: &AnyBook, path: &Path) -> Result<Checked, Failure> {
    let mut diagnostics = Diagnostics::lenient();
    let summary = book.check(WalkOptions::default(), &mut diagnostics);
    let summary = summary.map_err(|error| failure(path, error))?;
    Ok(Checked { kind: book.kind(), summary, diagnostics })
}

impl Checked {
    /// Returns whether a sorted Polyglot book has entries, and none can be reached: any file could be
    /// called a Polyglot book.
    fn is_barren(&self) -> bool {
        let is_unsorted = |warning: &Warning| warning.quirk() == Some(Quirk::Unsorted);
        self.kind == Kind::Polyglot
            && self.summary.entries > 0
            && self.summary.reached == 0
            && !self.diagnostics.warnings().iter().any(is_unsorted)
    }

    /// Returns an error if no position can be reached: any bytes could be called a Polyglot book.
    pub(crate) fn refuse_noise(&self, path: &Path) -> Result<(), Failure> {
        if self.kind == Kind::Polyglot && self.summary.entries > 0 && self.summary.reached == 0 {
            let what = "no position can be reached from the start; perhaps it is no opening book";
            return Err(Failure::Failed(format!("{}: {what}", path.display())));
        }
        Ok(())
    }

    pub(crate) fn is_damaged(&self) -> bool {
        let listed = self.diagnostics.warnings().iter().any(|warning| warning.is_damage());
        let is_damage =
            |name: &str| Quirk::ALL.iter().any(|quirk| quirk.name() == name && quirk.is_damage());
        let unlisted = self.diagnostics.unlisted().iter().any(|(name, ..)| is_damage(name));
        self.is_barren() || listed || unlisted
    }

    pub(crate) fn is_sound(&self, strict: bool) -> bool {
        !self.is_damaged() && (!strict || self.diagnostics.warnings().is_empty())
    }

    pub(crate) fn words(&self, strict: bool) -> String {
        let verdict = if self.is_sound(strict) { "sound" } else { "damaged" };
        let summary = &self.summary;
        let (moves, positions) = (
            counted(summary.entries, "move", "moves"),
            counted(summary.positions, "position", "positions"),
        );
        let mut words = format!("{verdict}; {}: {moves}, {positions}", self.kind.title());
        if self.is_barren() {
            words.push_str("; none can be reached from the start position, perhaps it is no book");
        }
        words
    }

    /// Prints the findings, a line each.
    pub(crate) fn print(
        &self,
        path: &Path,
        as_json: bool,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        for warning in self.diagnostics.warnings() {
            if as_json {
                let kind = if warning.is_damage() { "damage" } else { "deviation" };
                json::line(out, &json::finding(path, None, kind, json::warning(warning)))?;
            } else {
                writeln!(out, "{}", describe_warning(path, warning))?;
            }
        }
        for (name, message, count) in self.diagnostics.unlisted().iter() {
            if as_json {
                let members = json::unlisted_warnings(name, message, count);
                json::line(out, &json::finding(path, None, "deviation", members))?;
            } else {
                writeln!(out, "{}: {count} more: {message} [{name}]", path.display())?;
            }
        }
        Ok(())
    }

    /// Writes what `info` tells.
    pub(crate) fn describe(&self, path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "{:<12} {}", "file", path.display())?;
        writeln!(out, "{:<12} {}", "format", self.kind.title())?;
        for (name, count) in facts(&self.summary) {
            if count > 0 || matches!(name, "moves" | "positions" | "reached") {
                writeln!(out, "{name:<12} {count}")?;
            }
        }
        let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
        for warning in self.diagnostics.warnings() {
            *counts.entry((warning.name, warning.message)).or_default() += 1;
        }
        for (name, message, count) in self.diagnostics.unlisted().iter() {
            *counts.entry((name, message)).or_default() += count;
        }
        for ((name, message), count) in counts {
            writeln!(out, "{:<12} {count} × {message} [{name}]", "deviation")?;
        }
        if self.is_barren() {
            let message = "no position can be reached from the start; perhaps it is no book";
            writeln!(out, "{:<12} {message}", "damage")?;
        }
        Ok(())
    }

    pub(crate) fn to_json(&self, path: &Path) -> Value {
        let mut object = serde_json::Map::new();
        object.insert("file".into(), path.display().to_string().into());
        object.insert("format".into(), self.kind.extension().into());
        object.insert("book".into(), true.into());
        for (name, count) in facts(&self.summary) {
            object.insert(name.into(), count.into());
        }
        let opening: Vec<Value> = self.diagnostics.warnings().iter().map(json::warning).collect();
        object.insert("warnings".into(), json!(opening));
        Value::Object(object)
    }
}
