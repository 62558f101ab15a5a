//! `scoresheet edit`

use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::vec;

use scoresheet::chess_core::Game;
use scoresheet::chess_store::{AnyError, Diagnostics, Scope};
use scoresheet::filter::ranges;
use scoresheet::{Editor, Filter, GameReader, IntoGames, Loss, OpenOptions, describe};

use crate::args::{Change, Chosen, Edit};
use crate::exit::{Done, Failure, Verbosity};
use crate::inputs;

pub(crate) fn run(arguments: &Edit, verbosity: Verbosity) -> Result<Done, Failure> {
    let editor = scoresheet::edit(&arguments.file, &arguments.reading.options())?;
    let mut session = Session {
        arguments,
        count: editor.len(),
        editor: Some(editor),
        verbosity,
        losses: Vec::new(),
        done: Done::WELL,
    };
    let done = match &arguments.change {
        Change::Delete(games) => session.mark(games, true),
        Change::Undelete(games) => session.mark(games, false),
        Change::Flag { game, flags } => session.flag(*game, flags),
        Change::Replace { game, with } => session.replace(*game, with),
        Change::Append { from } => session.append(from),
        Change::Compact => session.compact(),
    };
    for loss in &session.losses {
        verbosity.say(format_args!("lost {loss}"));
    }
    done.map(|()| Done { losses: !session.losses.is_empty(), ..session.done })
}

/// One change of one base.
struct Session<'a> {
    arguments: &'a Edit,
    count: u64,
    /// Gone once the base is compacted.
    editor: Option<Box<dyn Editor>>,
    verbosity: Verbosity,
    losses: Vec<Loss>,
    done: Done,
}

impl Session<'_> {
    fn mark(&mut self, games: &Chosen, deleted: bool) -> Result<(), Failure> {
        let numbers = self.numbers(&games.numbers)?.into_iter().flatten();
        let mut marked = 0u64;
        let mut mark = |session: &mut Self, number| {
            marked = marked.saturating_add(1);
            session.mark_one(number, deleted)
        };
        match &games.selection {
            Some(selection) => self.each_chosen(numbers, &selection.filter()?, &mut mark)?,
            None => numbers.into_iter().try_for_each(|number| mark(self, number))?,
        }
        self.done.found_nothing = marked == 0;
        self.sum_up(if deleted { "deleted" } else { "undeleted" }, marked);
        Ok(())
    }

    fn mark_one(&mut self, number: u64, deleted: bool) -> Result<(), Failure> {
        let word = if deleted { "delete" } else { "undelete" };
        self.tell(format_args!("{word} game {}", number.saturating_add(1)));
        self.act(|editor, _| editor.set_deleted(number, deleted))
    }

    /// Hands on those of the numbers whose games the filter chooses.
    fn each_chosen(
        &mut self,
        numbers: impl Iterator<Item = u64>,
        filter: &Filter,
        each: &mut dyn FnMut(&mut Self, u64) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let path = &self.arguments.file;
        let base = inputs::open(path, None, &self.arguments.reading.options())?;
        let Some(database) = base.database() else {
            return Err(Failure::Failed(format!("{}: its games have no numbers", path.display())));
        };
        let mut reader = database.reader();
        let mut game = Game::new();
        for number in numbers {
            if self.is_chosen(filter, &mut *reader, number, &mut game) {
                each(self, number)?;
            }
        }
        Ok(())
    }

    /// The numbers given, which must be in the base; all if there are none.
    fn numbers(&self, given: &[String]) -> Result<Vec<RangeInclusive<u64>>, Failure> {
        let mut numbers = Vec::new();
        for text in given {
            let read = ranges::games(text);
            for range in read.map_err(|error| Failure::Usage(error.to_string()))? {
                numbers.push(self.clip(&range)?);
            }
        }
        if given.is_empty()
            && let Some(last) = self.count.checked_sub(1)
        {
            numbers.push(0..=last);
        }
        Ok(numbers)
    }

    /// Whether a filter chooses a game, as it does in `list`. One that cannot be read is told of.
    fn is_chosen(
        &mut self,
        filter: &Filter,
        reader: &mut dyn GameReader,
        number: u64,
        game: &mut Game,
    ) -> bool {
        if filter.passes_over(reader, number, game) {
            return false;
        }
        let mut diagnostics = Diagnostics::lenient();
        let (read, chosen) = if filter.asks_moves() {
            let read = reader.game(number, game, &mut diagnostics);
            (read, filter.selects(game))
        } else {
            let read = reader.header(number, &mut game.header, &mut diagnostics);
            let chosen = read.is_ok();
            (read, chosen)
        };
        if let Err(error) = read {
            self.verbosity.say(describe(&self.arguments.file, &error));
            self.done.damage = true;
        }
        chosen
    }

    fn flag(&mut self, game: u64, flags: &str) -> Result<(), Failure> {
        let number = self.number(game)?;
        self.verbosity.say(format_args!("set the flags of game {game} to {flags:?}"));
        self.act(|editor, _| editor.set_flags(number, flags))
    }

    fn replace(&mut self, game: u64, with: &Path) -> Result<(), Failure> {
        let number = self.number(game)?;
        let mut incoming = Incoming::new(&[with.to_path_buf()], self.verbosity)?;
        let mut new = Game::new();
        let found = incoming.next(&mut new)?;
        if !found || !incoming.sound {
            let what = if incoming.sound { "no game" } else { "its first game is damaged" };
            return Err(Failure::Failed(format!("{}: {what}", with.display())));
        }
        let (white, black) = (&new.header.white, &new.header.black);
        self.verbosity.say(format_args!("replace game {game} with {white} - {black}"));
        self.act(|editor, losses| editor.replace(number, &new, losses).map(|_| ()))
    }

    fn append(&mut self, from: &[PathBuf]) -> Result<(), Failure> {
        let (verbosity, tells) = (self.verbosity, self.tells());
        let mut incoming = Incoming::new(from, verbosity)?;
        let mut next = |game: &mut Game| {
            let more = incoming.next(game)?;
            if more && tells {
                let (white, black) = (&game.header.white, &game.header.black);
                verbosity.say(format_args!("append {white} - {black}"));
            }
            Ok(more)
        };
        let done = match self.arguments.dry_run {
            true => pass_through(&mut next),
            false => self.append_each(&mut next),
        };
        self.done.refusals |= !incoming.sound;
        done
    }

    /// Appends what `next` gives. A game that the format cannot hold is told of and passed over.
    fn append_each(
        &mut self,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        let Some(editor) = &mut self.editor else { return Ok(()) };
        let mut failure = None;
        let mut next_or_end = |game: &mut Game| {
            Ok(next(game).unwrap_or_else(|error| {
                failure = Some(error);
                false
            }))
        };
        let done = loop {
            match editor.append_all(&mut next_or_end, &mut self.losses) {
                Err(error) if error.scope() == Scope::Game => {
                    self.verbosity.say(describe(&self.arguments.file, &error));
                    self.done.refusals = true;
                }
                done => break done,
            }
        };
        let added = editor.len().saturating_sub(self.count);
        self.sum_up("appended", added);
        done.map_err(|error| failed(&self.arguments.file, &error))?;
        failure.map_or(Ok(()), Err)
    }

    fn compact(&mut self) -> Result<(), Failure> {
        self.verbosity.say("compact");
        match self.editor.take() {
            Some(editor) if !self.arguments.dry_run => {
                editor.compact().map_err(|error| failed(&self.arguments.file, &error))
            }
            _ => Ok(()),
        }
    }

    /// Changes the base, unless it is a rehearsal.
    fn act(
        &mut self,
        act: impl FnOnce(&mut dyn Editor, &mut Vec<Loss>) -> Result<(), AnyError>,
    ) -> Result<(), Failure> {
        match &mut self.editor {
            Some(editor) if !self.arguments.dry_run => act(&mut **editor, &mut self.losses)
                .map_err(|error| failed(&self.arguments.file, &error)),
            _ => Ok(()),
        }
    }

    /// Whether each of many games is told.
    fn tells(&self) -> bool {
        self.arguments.dry_run || self.verbosity == Verbosity::Verbose
    }

    fn tell(&self, what: impl fmt::Display) {
        if self.tells() {
            self.verbosity.say(what);
        }
    }

    /// What was done, where not each game was told.
    fn sum_up(&self, done: &str, count: u64) {
        if !self.tells() {
            let games = if count == 1 { "game" } else { "games" };
            self.verbosity.say(format_args!("{done} {count} {games}"));
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
        Failure::Failed(format!("{}: has {} games", self.arguments.file.display(), self.count))
    }
}

/// The sound games of other bases, one after the other. Nothing damaged is put into another base:
/// it is told of and passed over.
struct Incoming {
    paths: vec::IntoIter<PathBuf>,
    games: Option<IntoGames>,
    verbosity: Verbosity,
    /// Whether nothing was passed over.
    sound: bool,
}

impl Incoming {
    fn new(paths: &[PathBuf], verbosity: Verbosity) -> Result<Incoming, Failure> {
        let paths = inputs::expand(paths)?.into_iter();
        Ok(Incoming { paths, games: None, verbosity, sound: true })
    }

    /// Reads the next game; `false` if there is none.
    fn next(&mut self, game: &mut Game) -> Result<bool, Failure> {
        loop {
            match self.games.as_mut().and_then(Iterator::next) {
                Some(Ok(next)) => {
                    *game = next;
                    return Ok(true);
                }
                Some(Err(error)) if error.scope() == Scope::Game => {
                    self.verbosity.say(error);
                    self.sound = false;
                }
                Some(Err(error)) => return Err(error.into()),
                None => {
                    let Some(path) = self.paths.next() else { return Ok(false) };
                    let base = inputs::open(&path, None, &OpenOptions::default())?;
                    self.games = Some(base.into_games());
                }
            }
        }
    }
}

/// Reads all games, for what is said of them.
fn pass_through(next: &mut dyn FnMut(&mut Game) -> Result<bool, Failure>) -> Result<(), Failure> {
    let mut game = Game::new();
    while next(&mut game)? {}
    Ok(())
}

fn failed(path: &Path, error: &AnyError) -> Failure {
    Failure::Failed(describe(path, error).to_string())
}
