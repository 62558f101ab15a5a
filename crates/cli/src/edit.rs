//! `scoresheet edit`

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use scoresheet::chess_core::seam::Editor;
use scoresheet::chess_core::{AnyError, Diagnostics, Game};
use scoresheet::{Loss, Source, describe};

use crate::args::{Change, Edit};
use crate::exit::{Done, Failure, Verbosity};
use crate::inputs;
use crate::select::ranges;

pub(crate) fn run(arguments: &Edit, verbosity: Verbosity) -> Result<Done, Failure> {
    let editor = scoresheet::edit(&arguments.file, &arguments.reading.options())?;
    let mut session = Session {
        path: &arguments.file,
        count: editor.len(),
        editor: Some(editor),
        dry_run: arguments.dry_run,
        verbosity,
        losses: Vec::new(),
    };
    match &arguments.change {
        Change::Delete { games } => session.mark(games, true)?,
        Change::Undelete { games } => session.mark(games, false)?,
        Change::Flag { game, flags } => session.flag(*game, flags)?,
        Change::Replace { game, with } => session.replace(*game, with)?,
        Change::Append { from } => session.append(from)?,
        Change::Compact => session.compact()?,
    }
    for loss in &session.losses {
        verbosity.say(format_args!("lost {loss}"));
    }
    Ok(Done::well_if(session.losses.is_empty()))
}

/// One change of one base.
struct Session<'a> {
    path: &'a Path,
    count: u64,
    /// Gone once the base is compacted.
    editor: Option<Box<dyn Editor>>,
    dry_run: bool,
    verbosity: Verbosity,
    losses: Vec<Loss>,
}

impl Session<'_> {
    fn mark(&mut self, games: &[String], deleted: bool) -> Result<(), Failure> {
        let mut chosen = Vec::new();
        for text in games {
            chosen.extend(ranges(text).map_err(Failure::Usage)?.0);
        }
        let word = if deleted { "delete" } else { "undelete" };
        for range in chosen {
            for number in self.clip(&range)? {
                let what = format!("{word} game {}", number.saturating_add(1));
                self.step(&what, |editor, _| editor.set_deleted(number, deleted))?;
            }
        }
        Ok(())
    }

    fn flag(&mut self, game: u64, flags: &str) -> Result<(), Failure> {
        let number = self.number(game)?;
        let what = format!("set the flags of game {game} to {flags:?}");
        self.step(&what, |editor, _| editor.set_flags(number, flags))
    }

    fn replace(&mut self, game: u64, with: &Path) -> Result<(), Failure> {
        let number = self.number(game)?;
        let mut new = None;
        games_of(with, &mut |game| {
            new.get_or_insert(game.clone());
            Ok(())
        })?;
        let new = new.ok_or_else(|| Failure::Failed(format!("{}: no game", with.display())))?;
        let what = format!("replace game {game} with {} - {}", new.header.white, new.header.black);
        self.step(&what, |editor, losses| editor.replace(number, &new, losses))
    }

    fn append(&mut self, from: &[PathBuf]) -> Result<(), Failure> {
        for path in inputs::expand(from)? {
            games_of(&path, &mut |game| {
                let what = format!("append {} - {}", game.header.white, game.header.black);
                self.step(&what, |editor, losses| editor.append(game, losses))
            })?;
        }
        Ok(())
    }

    fn compact(&mut self) -> Result<(), Failure> {
        self.verbosity.say("compact");
        match self.editor.take() {
            Some(editor) if !self.dry_run => {
                editor.compact().map_err(|error| failed(self.path, &error))
            }
            _ => Ok(()),
        }
    }

    /// Says what is done, and does it unless it is a rehearsal.
    fn step(
        &mut self,
        what: &str,
        act: impl FnOnce(&mut dyn Editor, &mut Vec<Loss>) -> Result<(), AnyError>,
    ) -> Result<(), Failure> {
        self.verbosity.say(what);
        match &mut self.editor {
            Some(editor) if !self.dry_run => {
                act(&mut **editor, &mut self.losses).map_err(|error| failed(self.path, &error))
            }
            _ => Ok(()),
        }
    }

    fn number(&self, game: u64) -> Result<u64, Failure> {
        if game <= self.count { Ok(game.saturating_sub(1)) } else { Err(self.missing()) }
    }

    /// The games of a range, which begins within the base; it may be open at its end.
    fn clip(&self, range: &RangeInclusive<u64>) -> Result<RangeInclusive<u64>, Failure> {
        let (first, last) = (*range.start(), *range.end());
        let open = last == u64::MAX;
        if first >= self.count || (last >= self.count && !open) {
            return Err(self.missing());
        }
        Ok(first..=last.min(self.count.saturating_sub(1)))
    }

    fn missing(&self) -> Failure {
        Failure::Failed(format!("{}: has {} games", self.path.display(), self.count))
    }
}

/// Reads a base whose games must all be sound: nothing damaged is put into another.
fn games_of(
    path: &Path,
    each: &mut dyn FnMut(&Game) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut base = scoresheet::open(path)?;
    let mut reader = base.reader();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    loop {
        diagnostics.clear();
        match reader.next(&mut game, &mut diagnostics) {
            Ok(true) => each(&game)?,
            Ok(false) => return Ok(()),
            Err(error) => return Err(failed(path, &error)),
        }
    }
}

fn failed(path: &Path, error: &AnyError) -> Failure {
    Failure::Failed(describe(path, error).to_string())
}
