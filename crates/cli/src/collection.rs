//! `scoresheet update`, `undo` and `compare`

use std::fmt;
use std::io::Write as _;
use std::ops::ControlFlow;

use commands::{Compare, Undo, Update, Which};
use pages::clean::clean;
use pages::numbers::{counted, games};
use scoresheet::chess_core::Game;
use scoresheet::chess_store::{AnyError, Losses};
use scoresheet::collection::{self, Applied, History, Updating};
use scoresheet::dedupe::Taken;
use scoresheet::{IndexBefore, describe};
use serde_json::json;

use crate::convert;
use crate::edit::{extend, not_changed};
use crate::exit::{Done, Failure, Verbosity, say};
use crate::inputs;
use crate::interrupt;
use crate::json;
use crate::output::Stdout;
use crate::progress::Bar;
use crate::report::{self, Reported};
use crate::unique::check_twice;

pub(crate) fn update(arguments: &Update, verbosity: Verbosity) -> Result<Done, Failure> {
    let (path, options) = (&arguments.base, arguments.reading.options());
    let files = inputs::expand(&arguments.from)?;
    check_twice(&files)?;
    interrupt::watch_edit();
    let mut editor = match collection::is_text(path)? {
        true => None,
        false => {
            let opened = arguments.waiting.until_free(|| scoresheet::edit(path, &options));
            Some(opened.map_err(|error| not_changed(&error))?)
        }
    };
    let mut history = History::open(path)?;
    let mut updating = Updating::default();
    updating.options = options.clone();
    let mut base = inputs::open(path, None, &options)?;
    let mut bar = Bar::new(verbosity);
    let mut update =
        collection::Update::plan(&mut base, &files, &updating, &history, &mut |progress| {
            bar.set(progress);
            if interrupt::is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
    drop((bar, base));
    interrupt::check_edit()?;
    for (number, before, taken) in update.changes() {
        verbosity.say(Line { number, before, taken });
    }
    let damage = update.damaged > 0;
    let same = games(update.same);
    let words = |what: &str, added: u64, changed: u64| {
        format!("{what}added {}, changed {}; {same} changed nothing", games(added), games(changed))
    };
    if arguments.dry_run || update.is_empty() {
        let what = if arguments.dry_run { "dry run, nothing is written: " } else { "" };
        verbosity.say(words(what, update.new_games(), update.changes().count() as u64));
        return Ok(Done::WELL.damaged(damage));
    }
    let index = IndexBefore::of(path, &options);
    history.save()?;
    let (mut losses, mut reported) = (Losses::new(), Reported::new(verbosity));
    let refused = &mut |error: &AnyError| {
        if reported.wants(&error.message().to_string()) {
            say(format_args!("refused: {}", describe(path, error)));
        }
    };
    let applied = match &mut editor {
        Some(editor) => update.apply(&mut **editor, &mut losses, refused),
        None => update.rewrite(&mut losses, refused),
    };
    let has_only_added = applied.as_ref().is_ok_and(|applied| applied.changed == 0);
    // Without losses the old games of a text are written as they were.
    if has_only_added && (editor.is_some() || losses.is_empty()) {
        extend(index, verbosity);
    }
    drop(editor);
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let Applied { added, changed, refused, .. } = applied?;
    history.add(&names.join(" "), &update.log)?;
    reported.rest().for_each(|line| verbosity.say(line));
    report::report_losses(&losses.counts().collect(), None, verbosity);
    let mut line = words("", added, changed);
    if refused > 0 {
        line.push_str(&format!("; {} refused", counted(refused, "game", "games")));
    }
    verbosity.say(line);
    let losses = !losses.is_empty();
    Ok(Done { losses, refusals: refused > 0, ..Done::WELL.damaged(damage) })
}

pub(crate) fn undo(arguments: &Undo, verbosity: Verbosity) -> Result<Done, Failure> {
    let (base, force) = (&arguments.base, arguments.force);
    let what = arguments.waiting.until_free(|| collection::undo(base, force))?;
    verbosity.say(format_args!("took back: {what}"));
    Ok(Done::WELL)
}

pub(crate) fn compare(arguments: &Compare, verbosity: Verbosity) -> Result<Done, Failure> {
    let paths = [&arguments.a, &arguments.b];
    check_twice(&paths.map(Clone::clone))?;
    let options = arguments.reading.options();
    let mut bar = Bar::new(verbosity);
    let open = |number: usize| {
        let path = if number == 0 { &arguments.a } else { &arguments.b };
        inputs::open(path, None, &options)
    };
    let found = collection::compare(open, &mut |progress| {
        bar.set(progress);
        if interrupt::is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    drop(bar);
    if interrupt::is_asked() {
        return Err(Failure::Stopped);
    }
    let [only_a, only_b] = &found.only;
    let of_b = found.differing.iter().map(|([_, of_b], _)| *of_b);
    let (path, mut numbers) = match arguments.games {
        Some(Which::OnlyA) => (&arguments.a, only_a.clone()),
        Some(Which::OnlyB) | None => (&arguments.b, only_b.clone()),
        Some(Which::Differing) => (&arguments.b, of_b.collect()),
    };
    numbers.sort_unstable();
    if let Some(out) = &arguments.out {
        return convert::chosen(path, numbers, out, &arguments.writing, options, verbosity);
    }
    let mut out = Stdout.data();
    if arguments.json {
        let one_based = |numbers: &[u64]| numbers.iter().map(|n| n + 1).collect::<Vec<_>>();
        let differing = found
            .differing
            .iter()
            .map(|([a, b], parts)| json!({ "a": a + 1, "b": b + 1, "differs": parts }));
        let line = json!({
            "a": { "base": arguments.a.display().to_string(), "games": found.games[0],
                "only": one_based(only_a) },
            "b": { "base": arguments.b.display().to_string(), "games": found.games[1],
                "only": one_based(only_b) },
            "both": found.both.len(),
            "differing": differing.collect::<Vec<_>>(),
        });
        json::line(&mut out, &line)?;
    } else {
        if arguments.games == Some(Which::Differing) {
            for ([a, b], parts) in &found.differing {
                writeln!(out, "game {} of A, game {} of B: {}", a + 1, b + 1, parts.join(", "))?;
            }
        } else if arguments.games.is_some() {
            numbers.iter().try_for_each(|number| writeln!(out, "game {}", number + 1))?;
        }
        for (name, path, games_of, only) in [
            ("A", &arguments.a, found.games[0], only_a),
            ("B", &arguments.b, found.games[1], only_b),
        ] {
            let path = path.display().to_string();
            let (path, only) = (clean(&path), games(only.len() as u64));
            verbosity.say(format_args!("{name}, {path}: {}, {only} only there", games(games_of)));
        }
        let (both, differing) = (found.both.len() as u64, found.differing.len() as u64);
        verbosity.say(format_args!("both: {}, of which {differing} differ", games(both)));
    }
    out.flush()?;
    Ok(Done::WELL)
}

/// `game 12, Tal - Geller: Result 1-0 → 0-1`
struct Line<'a> {
    number: u64,
    before: &'a Game,
    taken: &'a [Taken],
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = &self.before.header;
        write!(f, "game {}, {} - {}: ", self.number + 1, header.white, header.black)?;
        for (place, taken) in self.taken.iter().enumerate() {
            let between = if place > 0 { ", " } else { "" };
            write!(f, "{between}{taken}")?;
        }
        Ok(())
    }
}
