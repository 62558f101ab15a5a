//! Corrects names by a spelling file.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use commands::Sampling;
use commands::selection::{Selection, spelling};
use pages::named;
use pages::numbers::{counted, grouped};
use scoresheet::chess_core::{Color, Header};
use scoresheet::filter::{Identity, People};
use scoresheet::player_names;
use scoresheet::spelling::{NameKind, Speller, Spelling};

use super::set::Outcome;
use super::{Choice, Session};
use crate::exit::Failure;
use crate::spell::Corrections;

/// The most names, and people of a name, that are listed without `--verbose`.
const TOLD: usize = 10;

/// The names of players that a spelling file corrects, by the new name.
type Renamed = BTreeMap<String, BTreeSet<String>>;

/// The facts of the games whose names become one.
#[derive(Default)]
struct Joined {
    /// The players of the games under the new name.
    as_one: People,
    /// The same under their own names.
    apart: People,
}

impl Session<'_> {
    /// Corrects names by a spelling file. Names whose games would become games of several people stay,
    /// unless `all` is set.
    pub(super) fn spell(
        &mut self,
        file: &Path,
        all: bool,
        selection: Option<&Selection>,
        sampling: Sampling,
    ) -> Result<(), Failure> {
        let spelling = spelling(file)?;
        let renamed = self.renamed(&spelling)?;
        let mut speller = Speller::new(spelling);
        let choice = self.choice(&[], selection, sampling)?;
        let joined = self.joined(&renamed, &choice)?;
        let staying = if all { BTreeSet::new() } else { self.staying(&renamed, &joined) };
        let mut correct = |header: &mut Header, names: Option<&mut Corrections>| {
            let before = [header.white.clone(), header.black.clone()];
            let mut corrected = Vec::new();
            speller.correct(header, |one| corrected.push(one));
            for (player, before) in [&mut header.white, &mut header.black].into_iter().zip(before) {
                if staying.contains(&*before) {
                    *player = before;
                }
            }
            let is_player = |tag: &str| matches!(tag, "White" | "Black");
            corrected.retain(|one| !is_player(one.tag) || !staying.contains(&one.old));
            let is_corrected = !corrected.is_empty();
            if let Some(names) = names {
                corrected.into_iter().for_each(|one| names.count(one));
            }
            is_corrected
        };
        let mut names = Corrections::default();
        let tally = self.change_chosen(&choice, |session, found, game| {
            if !correct(&mut game.header.clone(), None) {
                return Ok(Outcome::Already);
            }
            let Some(what) = session.read_to_change(found, game)? else {
                return Ok(Outcome::Refused);
            };
            correct(&mut game.header, Some(&mut names));
            Ok(Outcome::Changed(what))
        })?;
        self.sum_up("changed", tally);
        for line in names.lines(self.tells()) {
            self.verbosity.say(line);
        }
        self.report_other_names(&renamed, &joined, &staying);
        Ok(())
    }

    /// Returns the names of the base that the file corrects.
    fn renamed(&self, spelling: &Spelling) -> Result<Renamed, Failure> {
        let mut renamed = Renamed::new();
        player_names(&mut self.base()?, |name, _| {
            let new = spelling.canonical(NameKind::Player, name).filter(|new| new != name);
            if let Some(new) = new {
                renamed.entry(new.into_owned()).or_default().insert(name.to_owned());
            }
        })?;
        Ok(renamed)
    }

    /// Collects the facts of the games whose names become one.
    fn joined(
        &mut self,
        renamed: &Renamed,
        choice: &Choice,
    ) -> Result<HashMap<String, Joined>, Failure> {
        let news = renamed.keys().map(|new| (&**new, &**new));
        let olds = renamed.iter().flat_map(|(new, olds)| olds.iter().map(|old| (&**old, &**new)));
        let new_of: HashMap<&str, &str> = news.chain(olds).collect();
        let mut joined: HashMap<String, Joined> = HashMap::new();
        let base = self.base()?;
        self.each_chosen(&base, choice, |_, _, game| {
            for color in [Color::White, Color::Black] {
                let name = match color {
                    Color::White => &game.header.white,
                    Color::Black => &game.header.black,
                };
                let Some(new) = new_of.get(&**name).copied() else { continue };
                let joined = joined.entry(new.to_owned()).or_default();
                joined.apart.add(game, color);
                let own = if color == Color::White {
                    &mut game.header.white
                } else {
                    &mut game.header.black
                };
                new.clone_into(own);
                joined.as_one.add(game, color);
            }
            Ok(false)
        })?;
        Ok(joined)
    }

    /// Returns the names that stay because the games would be of several people, and tells them.
    fn staying(&self, renamed: &Renamed, joined: &HashMap<String, Joined>) -> BTreeSet<String> {
        let mut staying = BTreeSet::new();
        let mut told = 0usize;
        for (new, olds) in renamed {
            let Some(found) = joined.get(new).map(|joined| joined.as_one.identities()) else {
                continue;
            };
            if found.people.len() < 2 {
                continue;
            }
            staying.extend(olds.iter().cloned());
            told += 1;
            if told > TOLD && !self.tells() {
                continue;
            }
            let olds: Vec<&str> = olds.iter().map(|old| &**old).collect();
            let people = grouped(found.people.len() as u64);
            let olds = olds.join("; ");
            self.verbosity.say(format_args!("left: {olds}: as {new} it would be {people} people"));
            let most = if self.tells() { usize::MAX } else { TOLD };
            for person in found.people.iter().take(most) {
                self.verbosity.say(format_args!("  {}", named(person)));
            }
        }
        if told > 0 {
            let names = counted(told as u64, "name", "names");
            self.verbosity
                .say(format_args!("{names} would join several people; --all corrects all"));
        }
        staying
    }

    /// Tells of corrected names that no other knowledge than the file would take for the new name.
    fn report_other_names(
        &self,
        renamed: &Renamed,
        joined: &HashMap<String, Joined>,
        staying: &BTreeSet<String>,
    ) {
        let mut others: Vec<(u64, &str, &str)> = Vec::new();
        for (new, olds) in renamed {
            let Some(joined) = joined.get(new) else { continue };
            for old in olds.iter().filter(|old| !staying.contains(*old)) {
                let mut both = joined.apart.only(|name| name == old);
                both.add_name(new, None, (None, None), 1);
                let people = both.identities().people;
                let has_old = |one: &&Identity| one.names.iter().any(|(name, _)| name == old);
                if people.len() > 1
                    && let Some(person) = people.iter().find(has_old)
                {
                    others.push((person.games, old, new));
                }
            }
        }
        others.sort_by_key(|(games, old, _)| (u64::MAX - games, *old));
        if let Some((_, old, new)) = others.first() {
            let noun = "name that differs in surname or given names";
            let names =
                counted(others.len() as u64, noun, "names that differ in surname or given names");
            self.verbosity
                .say(format_args!("note: by the file alone: {names}, such as {old} for {new}"));
        }
    }
}
