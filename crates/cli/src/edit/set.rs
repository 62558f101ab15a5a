//! Changes tags and flags of games in a base.

use std::collections::HashMap;
use std::path::Path;

use scoresheet::chess_core::{Date, Game, Header, is_typed};
use scoresheet::chess_store::Diagnostics;
use scoresheet::spelling::Speller;
use scoresheet::{Base, GameReader, describe};

use super::{Found, Session};
use crate::args::{Chosen, Sampling};
use crate::exit::Failure;
use crate::select::{Selection, grouped, spelling};
use crate::spell::Corrections;

/// Limits of a batch: the number of games that are replaced together, and their bytes.
const BATCH: usize = 1 << 12;
const BYTES: usize = 1 << 24;

/// Games that have changed and are not in the base yet.
pub(super) struct Changed<'b> {
    /// Reads games whose moves must be written anew with their headers. It shows the base as it was.
    reader: Box<dyn GameReader + Send + 'b>,
    headers: Vec<(u64, Header)>,
    games: Vec<(u64, Game)>,
    bytes: usize,
    replaced: Replaced,
}

/// The part of a game that has been read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The header with all tags. The format changes it without the moves.
    Header,
    Whole,
}

impl<'b> Changed<'b> {
    /// Returns `None` for a base whose games have no numbers.
    pub(super) fn of(base: &'b Base) -> Option<Changed<'b>> {
        let reader = base.database()?.reader();
        let (headers, games, replaced) = Default::default();
        Some(Changed { reader, headers, games, bytes: 0, replaced })
    }
}

/// The values that tags had before, with the number of games of each.
#[derive(Default)]
struct Replaced(Vec<HashMap<String, u64>>);

/// The most values that are reported by name.
const VALUES_TOLD: usize = 10;

impl Replaced {
    fn count(&mut self, setting: usize, value: String) {
        if self.0.len() <= setting {
            self.0.resize_with(setting.saturating_add(1), HashMap::new);
        }
        if let Some(values) = self.0.get_mut(setting) {
            let games = values.entry(value).or_default();
            *games = games.saturating_add(1);
        }
    }

    /// `White: 3 different names: Adams, Michael (210); Adams,Mi (4); M Adams (1)`
    fn lines(&self, settings: &[(&str, String)]) -> Vec<String> {
        let line = |(values, (tag, _)): (&HashMap<String, u64>, &(&str, String))| {
            let mut values: Vec<(&str, u64)> =
                values.iter().map(|(value, games)| (&**value, *games)).collect();
            values.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(other.0)));
            let noun = match (*tag, values.len()) {
                ("White" | "Black", 1) => "name",
                ("White" | "Black", _) => "different names",
                (_, 1) => "value",
                _ => "different values",
            };
            let shown = |(value, games): &(&str, u64)| {
                let value = if value.is_empty() { "(none)" } else { value };
                format!("{value} ({})", grouped(*games))
            };
            let mut told: Vec<String> = values.iter().take(VALUES_TOLD).map(shown).collect();
            let more = values.len().saturating_sub(VALUES_TOLD);
            if more > 0 {
                told.push(format!("and {} more", grouped(more as u64)));
            }
            format!("{tag}: {} {noun}: {}", grouped(values.len() as u64), told.join("; "))
        };
        // For other tags, only several values are a surprise.
        let is_told = |(values, (tag, _)): &(&HashMap<String, u64>, &(&str, String))| {
            values.len() > usize::from(!matches!(*tag, "White" | "Black"))
        };
        self.0.iter().zip(settings).filter(is_told).map(line).collect()
    }
}

impl Session<'_> {
    /// Sets tags. `words` holds settings and numbers of games.
    pub(super) fn set(
        &mut self,
        words: &[String],
        selection: Option<&Selection>,
        sampling: Sampling,
    ) -> Result<(), Failure> {
        let (settings, numbers): (Vec<&String>, Vec<&String>) =
            words.iter().partition(|word| word.contains('='));
        let settings: Vec<(&str, String)> =
            settings.into_iter().map(|word| setting(word)).collect::<Result<_, _>>()?;
        if settings.is_empty() {
            return Err(Failure::Usage("name a tag and its value: TAG=VALUE".to_owned()));
        }
        if numbers.is_empty() && selection.is_none() && sampling.sample.is_none() {
            let message = "which games? Name numbers, or options that choose; 1- means all";
            return Err(Failure::Usage(message.to_owned()));
        }
        let numbers: Vec<String> = numbers.into_iter().cloned().collect();
        let choice = self.choice(&numbers, selection, sampling)?;
        let base = self.base()?;
        let mut changed = self.changes_of(&base)?;
        let tally = self.each_chosen(&base, &choice, |session, found, game| {
            let number = found.number;
            match session.read_to_change(found, game)? {
                Some(part) => session.set_one((number, part), game, &settings, &mut changed),
                None => Ok(false),
            }
        })?;
        self.put(&mut changed)?;
        for line in changed.replaced.lines(&settings) {
            self.verbosity.say(line);
        }
        self.sum_up("changed", tally);
        Ok(())
    }

    /// Corrects names by a spelling file.
    pub(super) fn spell(
        &mut self,
        file: &Path,
        selection: Option<&Selection>,
        sampling: Sampling,
    ) -> Result<(), Failure> {
        let mut speller = Speller::new(spelling(file)?);
        let choice = self.choice(&[], selection, sampling)?;
        let base = self.base()?;
        let (mut changed, mut names) = (self.changes_of(&base)?, Corrections::default());
        let tally = self.each_chosen(&base, &choice, |session, found, game| {
            let number = found.number;
            let mut is_corrected = false;
            speller.correct(&mut game.header.clone(), |_| is_corrected = true);
            if !is_corrected {
                return Ok(false);
            }
            let Some(part) = session.read_to_change(found, game)? else {
                return Ok(false);
            };
            speller.correct(&mut game.header, |corrected| names.count(corrected));
            session.push((number, part), game, &mut changed)?;
            Ok(true)
        })?;
        self.put(&mut changed)?;
        for line in names.lines(self.tells()) {
            self.verbosity.say(line);
        }
        self.sum_up("changed", tally);
        Ok(())
    }

    fn set_one(
        &mut self,
        (number, part): (u64, Part),
        game: &mut Game,
        settings: &[(&str, String)],
        changed: &mut Changed<'_>,
    ) -> Result<bool, Failure> {
        let before = game.header.clone();
        settings.iter().for_each(|(name, value)| game.header.put(name, value));
        if game.header == before {
            return Ok(false);
        }
        for (setting, (name, value)) in settings.iter().enumerate() {
            let game_number = number + 1;
            self.tell(format_args!("game {game_number}: {name} = {value:?}"));
            let (old, new) = (before.get(name), game.header.get(name));
            if old != new {
                changed.replaced.count(setting, old.unwrap_or_default());
            }
        }
        self.push((number, part), game, changed)?;
        Ok(true)
    }

    pub(super) fn changes_of<'b>(&self, base: &'b Base) -> Result<Changed<'b>, Failure> {
        Changed::of(base).ok_or_else(|| self.without_numbers())
    }

    /// Reads a game that is to be changed: only its header, if the base can change that alone. Reports
    /// a damaged game and returns `None`.
    pub(super) fn read_to_change(
        &mut self,
        Found { number, reader }: Found<'_>,
        game: &mut Game,
    ) -> Result<Option<Part>, Failure> {
        game.clear();
        let header = reader.full_header(number, &mut game.header, &mut Diagnostics::lenient());
        if header.is_ok_and(|is_full| is_full) {
            return Ok(Some(Part::Header));
        }
        let read = reader.game(number, game, &mut Diagnostics::lenient());
        if let Some(error) = Failure::or_damage(&self.arguments.file, read)? {
            self.verbosity.say(describe(&self.arguments.file, &error));
            self.done.refusals = true;
            return Ok(None);
        }
        Ok(Some(Part::Whole))
    }

    /// Adds a changed game, and writes the changed games if they are many.
    pub(super) fn push(
        &mut self,
        (number, part): (u64, Part),
        game: &Game,
        changed: &mut Changed<'_>,
    ) -> Result<(), Failure> {
        changed.bytes = changed.bytes.saturating_add(game.size());
        match part {
            Part::Header => changed.headers.push((number, game.header.clone())),
            Part::Whole => changed.games.push((number, game.clone())),
        }
        let count = changed.headers.len().saturating_add(changed.games.len());
        if count >= BATCH || changed.bytes > BYTES {
            self.put(changed)?;
        }
        Ok(())
    }

    /// Writes the changed games in place of the old ones.
    pub(super) fn put(&mut self, changed: &mut Changed<'_>) -> Result<(), Failure> {
        let headers = std::mem::take(&mut changed.headers);
        let games = std::mem::take(&mut changed.games);
        changed.bytes = 0;
        if !headers.is_empty() {
            let reader = &mut changed.reader;
            let mut read =
                |number, game: &mut Game| reader.game(number, game, &mut Diagnostics::lenient());
            self.act(|editor, losses| editor.replace_headers(&headers, &mut read, losses))?;
        }
        if !games.is_empty() {
            self.act(|editor, losses| editor.replace_all(&games, losses))?;
        }
        Ok(())
    }

    /// Adds and removes flags.
    pub(super) fn flag(
        &mut self,
        [add, take, only]: [&Option<String>; 3],
        games: &Chosen,
    ) -> Result<(), Failure> {
        let Some(flags) = self.format()?.flags else {
            let title = self.format()?.title;
            return Err(Failure::Failed(format!("{title} bases have no flags")));
        };
        if [add, take, only].iter().all(|letters| letters.is_none()) {
            return Err(Failure::Usage("say which flags: --add, --take or --only".to_owned()));
        }
        let letters = |text: &Option<String>| text.clone().unwrap_or_default();
        let (add, take) = (letters(add) + &letters(only), letters(take));
        let known = |letter: &char| flags.letters.iter().any(|(known, _)| known == letter);
        if let Some(letter) = add.chars().chain(take.chars()).find(|letter| !known(letter)) {
            let all: Vec<String> =
                flags.letters.iter().map(|(letter, what)| format!("{letter} {what}")).collect();
            let message = format!("{letter:?} is no flag; the flags are {}", all.join(", "));
            return Err(Failure::Usage(message));
        }
        let choice = self.choice(&games.numbers, games.selection.as_ref(), games.sampling)?;
        let base = self.base()?;
        let tally = self.each_chosen(&base, &choice, |session, Found { number, .. }, game| {
            let before = game.header.get(flags.tag).unwrap_or_default();
            let stays = |letter: &char| {
                add.contains(*letter)
                    || only.is_none() && before.contains(*letter) && !take.contains(*letter)
            };
            let after: String =
                flags.letters.iter().map(|(letter, _)| *letter).filter(stays).collect();
            if after == before {
                return Ok(false);
            }
            session.tell(format!("game {}: flags {before:?} become {after:?}", number + 1));
            session.act(|editor, _| editor.set_flags(number, &after))?;
            Ok(true)
        })?;
        self.sum_up("flagged", tally);
        Ok(())
    }
}

/// Parses `TAG=VALUE`, and normalises the value for the type of the tag.
pub(super) fn setting(word: &str) -> Result<(&str, String), Failure> {
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    let wrong = |what: &str| Err(Failure::Usage(format!("{word:?}: {what}")));
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if name.is_empty() || !name.chars().all(is_name) {
        return wrong("a tag is letters and digits, as in Event=Linares");
    }
    match name {
        "FEN" | "SetUp" => return wrong("the start position belongs to the moves"),
        "Deleted" => return wrong("use `edit BASE delete` and `undelete`"),
        "ScidFlags" => return wrong("use `edit BASE flag`"),
        _ => {}
    }
    let mut value = value.to_owned();
    if matches!(name, "Date" | "EventDate") && !value.is_empty() {
        let date = Date::parse_lenient(&value);
        if date.is_unknown() || !date.is_all_of(&value) {
            return wrong("a date is written 2020-02-03, or 2020.02.03 with ? for what is unknown");
        }
        value = date.to_string();
    }
    let mut header = Header::default();
    header.put(name, &value);
    if is_typed(name) && !header.tags.is_empty() {
        return wrong("this tag cannot have that value");
    }
    Ok((name, value))
}
