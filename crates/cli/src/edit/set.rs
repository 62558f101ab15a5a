//! Changes tags and flags of games in a base.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::mem;

use commands::selection::{Selection, unread};
use commands::{Chosen, Sampling};
use pages::numbers::{counted, games as counted_games, grouped};
use scoresheet::chess_core::{Date, Game, Header, is_typed};
use scoresheet::chess_store::{AnyError, Diagnostics, NextReplacement, Replacement};
use scoresheet::columns::known_tags;
use scoresheet::player_names;
use scoresheet::spelling::{Filled, Filler};
use strsim::osa_distance;

use super::{Choice, Found, Session, Tally, failed};
use crate::exit::Failure;

/// The values that tags had before, with the number of games of each.
#[derive(Default)]
struct Replaced(Vec<HashMap<String, u64>>);

/// The most values that are reported by name.
const VALUES_SHOWN: usize = 10;

impl Replaced {
    fn count(&mut self, setting: usize, value: String) {
        if self.0.len() <= setting {
            self.0.resize_with(setting.saturating_add(1), HashMap::new);
        }
        if let Some(values) = self.0.get_mut(setting) {
            let games = values.entry(value).or_default();
            *games += 1;
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
            let mut reported: Vec<String> = values.iter().take(VALUES_SHOWN).map(shown).collect();
            let more = values.len().saturating_sub(VALUES_SHOWN);
            if more > 0 {
                reported.push(format!("and {} more", grouped(more as u64)));
            }
            format!("{tag}: {} {noun}: {}", grouped(values.len() as u64), reported.join("; "))
        };
        // For other tags, only several values are a surprise.
        let is_told = |(values, (tag, _)): &(&HashMap<String, u64>, &(&str, String))| {
            values.len() > usize::from(!matches!(*tag, "White" | "Black"))
        };
        self.0.iter().zip(settings).filter(is_told).map(line).collect()
    }
}

/// The tags of names that `rename` changes.
const NAMES: [&str; 4] = ["White", "Black", "Event", "Site"];

/// The result for a game that is to be changed.
pub(super) enum Outcome {
    Changed(Replacement),
    /// It needs no change.
    Already,
    /// It is damaged, and was reported.
    Refused,
}

impl Tally {
    pub(super) fn count_outcome(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Changed(_) => self.count(true),
            Outcome::Already => self.count(false),
            Outcome::Refused => {}
        }
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
        self.note_tags(settings.iter().map(|(name, _)| *name));
        let numbers: Vec<String> = numbers.into_iter().cloned().collect();
        let choice = self.choice(&numbers, selection, sampling)?;
        let mut replaced = Replaced::default();
        let tally = self.change_chosen(&choice, |session, found, game| {
            let number = found.number;
            let Some(what) = session.read_to_change(found, game)? else {
                return Ok(Outcome::Refused);
            };
            Ok(match session.set_one(number, game, &settings, &mut replaced) {
                true => Outcome::Changed(what),
                false => Outcome::Already,
            })
        })?;
        self.sum_up("changed", tally);
        for line in replaced.lines(&settings) {
            self.verbosity.say(line);
        }
        self.report_unknown_tags();
        Ok(())
    }

    /// Gives a name in `tags`, or in all of [`NAMES`], another spelling. Tells first how many games
    /// have the old and the new name.
    pub(super) fn rename(&mut self, old: &str, new: &str, tags: &[String]) -> Result<(), Failure> {
        let is_renamed = |tag: &&str| tags.is_empty() || tags.iter().any(|own| own == tag);
        let tags: Vec<&str> = NAMES.into_iter().filter(is_renamed).collect();
        let choice = self.choice(&[], None, Sampling::default())?;
        let mut counts = vec![[0u64; 2]; tags.len()];
        let base = self.base()?;
        self.each_chosen(&base, &choice, |_, _, game| {
            for (tag, counts) in tags.iter().zip(&mut counts) {
                let value = game.header.get(tag).unwrap_or_default();
                for (name, count) in [old, new].into_iter().zip(counts) {
                    *count += u64::from(value == name);
                }
            }
            Ok(false)
        })?;
        drop(base);
        for (tag, [of_old, of_new]) in tags.iter().zip(&counts).filter(|(_, c)| **c != [0, 0]) {
            let (of_old, of_new) = (grouped(*of_old), grouped(*of_new));
            self.verbosity.say(format_args!("{tag}: {old} ({of_old}) → {new} ({of_new})"));
        }
        let tally = self.change_chosen(&choice, |session, found, game| {
            let has_old = |tag: &&&str| game.header.get(tag).is_some_and(|value| value == old);
            let renamed: Vec<&str> = tags.iter().filter(has_old).copied().collect();
            if renamed.is_empty() {
                return Ok(Outcome::Already);
            }
            let Some(what) = session.read_to_change(found, game)? else {
                return Ok(Outcome::Refused);
            };
            renamed.iter().for_each(|tag| game.header.put(tag, new));
            Ok(Outcome::Changed(what))
        })?;
        self.done.found_nothing = tally.changed == 0;
        self.sum_up("changed", Tally { already: 0, ..tally });
        Ok(())
    }

    /// Writes what a list of players knows and the games lack.
    pub(super) fn fill(
        &mut self,
        selection: &Selection,
        sampling: Sampling,
    ) -> Result<(), Failure> {
        let Some(list) = selection.players() else {
            return Err(Failure::Usage("name the list of players: --players FILE".to_owned()));
        };
        let mut names = BTreeSet::new();
        player_names(&mut self.base()?, |name, _| {
            names.insert(name.to_owned());
        })?;
        let mut filler = Filler::open(list, names.iter().map(String::as_str))
            .map_err(|error| unread(list, &error))?;
        let choice = self.choice(&[], Some(selection), sampling)?;
        let mut filled: BTreeMap<&str, u64> = BTreeMap::new();
        let tally = self.change_chosen(&choice, |session, found, game| {
            let number = found.number;
            let Some(what) = session.read_to_change(found, game)? else {
                return Ok(Outcome::Refused);
            };
            let mut is_filled = false;
            filler.fill(game, |Filled { tag, value, .. }| {
                is_filled = true;
                *filled.entry(tag).or_default() += 1;
                session.report_change(number, tag, None, &value);
            });
            Ok(if is_filled { Outcome::Changed(what) } else { Outcome::Already })
        })?;
        self.sum_up("changed", tally);
        for (tag, games) in filled {
            self.verbosity.say(format_args!("{tag}: filled in {}", counted_games(games)));
        }
        let unclear = filler.unclear();
        if let Some(((name, games), all)) = unclear.first().zip(Some(unclear.len() as u64)) {
            let names = counted(all, "name is of several players", "names are of several players");
            let games = counted_games(*games);
            self.verbosity.say(format_args!("left: {names} of the list, such as {name} ({games})"));
        }
        Ok(())
    }

    /// Returns whether a game changes.
    fn set_one(
        &mut self,
        number: u64,
        game: &mut Game,
        settings: &[(&str, String)],
        replaced: &mut Replaced,
    ) -> bool {
        let before = game.header.clone();
        self.unknown_tags.retain(|name| before.get(name).is_none());
        settings.iter().for_each(|(name, value)| game.header.put(name, value));
        if game.header == before {
            return false;
        }
        for (setting, (name, value)) in settings.iter().enumerate() {
            let (old, new) = (before.get(name), game.header.get(name));
            if old != new {
                self.report_change(number, name, old.as_deref(), value);
                replaced.count(setting, old.unwrap_or_default());
            }
        }
        true
    }

    /// Reports the change of a tag.
    pub(super) fn report_change(&mut self, number: u64, name: &str, old: Option<&str>, new: &str) {
        if self.tells() {
            let quoted = |value: &str| match value {
                "" => "(none)".to_owned(),
                value => format!("{value:?}"),
            };
            let (number, old) = (number + 1, quoted(old.unwrap_or_default()));
            self.tell(format_args!("game {number}: {name} {old} → {}", quoted(new)));
        }
    }

    /// Collects the tags of a change that nobody knows. The games may know them.
    pub(super) fn note_tags<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        let unknown = names.filter(|name| !known_tags().any(|known| known == *name));
        self.unknown_tags.extend(unknown.map(str::to_owned));
    }

    pub(super) fn report_unknown_tags(&self) {
        for name in &self.unknown_tags {
            let distance = |known: &str| osa_distance(&name.to_lowercase(), &known.to_lowercase());
            let near = known_tags().min_by_key(|known| distance(known));
            let near = near.filter(|known| distance(known) <= name.len().div_ceil(4));
            let meant = near.map_or(String::new(), |near| format!("; is {near} meant?"));
            self.verbosity.say(format_args!("note: {name} is a tag that no program knows{meant}"));
        }
    }

    /// Passes the chosen games to `each`, which may change them.
    pub(super) fn change_chosen(
        &mut self,
        choice: &Choice,
        mut each: impl FnMut(&mut Self, Found<'_>, &mut Game) -> Result<Outcome, Failure>,
    ) -> Result<Tally, Failure> {
        let base = self.base()?;
        let (mut search, mut tally) = (self.search(&base, choice)?, Tally::default());
        self.replace_all(|session, game| {
            while let Some(found) = search.next(session, game)? {
                let number = found.number;
                let outcome = each(session, found, game)?;
                tally.count_outcome(&outcome);
                if let Outcome::Changed(what) = outcome {
                    return Ok(Some((number, what)));
                }
            }
            Ok(None)
        })?;
        self.end_search(choice, tally);
        Ok(tally)
    }

    /// Replaces the games that `next` provides, unless this is a dry run. The games before an error
    /// are replaced.
    pub(super) fn replace_all(
        &mut self,
        mut next: impl FnMut(&mut Self, &mut Game) -> Result<Option<(u64, Replacement)>, Failure>,
    ) -> Result<(), Failure> {
        let Some(mut editor) = self.editor.take() else { return Ok(()) };
        let (mut losses, mut failure) = (mem::take(&mut self.losses), None);
        let is_dry = self.arguments.dry_run;
        let mut next_or_end = |game: &mut Game| {
            Ok(next(self, game).unwrap_or_else(|error| {
                failure = Some(error);
                None
            }))
        };
        let done = match is_dry {
            true => read_all(&mut next_or_end),
            false => editor.replace_all(&mut next_or_end, &mut losses),
        };
        (self.editor, self.losses) = (Some(editor), losses);
        done.map_err(|error| failed(&self.arguments.file, &error))?;
        failure.map_or(Ok(()), Err)
    }

    /// Reads a game that is to be changed: only its header, if the base can change that alone. Reports
    /// a damaged game and returns `None`.
    pub(super) fn read_to_change(
        &mut self,
        Found { number, reader }: Found<'_>,
        game: &mut Game,
    ) -> Result<Option<Replacement>, Failure> {
        game.clear();
        let header = reader.full_header(number, &mut game.header, &mut Diagnostics::lenient());
        if header.is_ok_and(|is_full| is_full) {
            return Ok(Some(Replacement::Header));
        }
        let read = reader.game(number, game, &mut Diagnostics::lenient());
        if let Some(error) = Failure::or_damage(&self.arguments.file, read)? {
            self.report_damage(number, &error);
            self.done.refusals = true;
            return Ok(None);
        }
        Ok(Some(Replacement::Game))
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

/// Reads the games that would be replaced, and counts them.
fn read_all(next: &mut NextReplacement<'_>) -> Result<u64, AnyError> {
    let (mut game, mut count) = (Game::new(), 0u64);
    while next(&mut game)?.is_some() {
        count += 1;
    }
    Ok(count)
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
