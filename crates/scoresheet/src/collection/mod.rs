//! Keeps a base up to date: adds games that it does not have, and completes and corrects its games by
//! newer copies.
//!
//! ```no_run
//! use std::ops::ControlFlow;
//! use std::path::Path;
//!
//! use scoresheet::collection::{History, Update, Updating};
//!
//! let path = Path::new("base.si4");
//! let mut editor = scoresheet::edit(path, &Default::default())?;
//! let mut history = History::open(path)?;
//! let (files, updating) = (["week.pgn".into()], Updating::default());
//! let mut base = scoresheet::open(path)?;
//! let each = &mut |_| ControlFlow::Continue(());
//! let mut update = Update::plan(&mut base, &files, &updating, &history, each)?;
//! if !update.is_empty() {
//!     history.save()?;
//!     update.apply(&mut *editor, &mut Default::default(), &mut |_| {})?;
//!     drop(editor);
//!     history.add("week.pgn", &update.log)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod compare;
mod history;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use chess_core::Game;
use chess_store::erased::{Creator, Editor, Format, Opener};
use chess_store::{AnyError, CreateOptions, Diagnostics, Losses, OpenOptions, Replacement, Scope};
use dedupe::{Duplicates, Place, Taken, hash_whole, merge};
use query::Filter;

use crate::base::{Base, IntoGames, Progress, open_with};
use crate::convert::{ConvertError, Converter};
use crate::create::{can_be_packed, create_as, is_stream};
use crate::dedupe::Deduper;
use crate::detect::detect;
use crate::error::Error;
use crate::raw_games::RawGames;
use crate::scan::Scanner;

pub use compare::{Comparison, compare};
pub use history::{History, undo};

/// How an [`Update`] is planned.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Updating {
    /// How the files are read.
    pub options: OpenOptions,
    /// Adds new games only. The games of the base stay as they are.
    pub only_new: bool,
}

/// The games that files would add to a base, and change in it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Update {
    /// Games read.
    pub read: u64,
    /// Damaged games. They are added up to the damage, and change nothing.
    pub damaged: u64,
    /// Games that the base has, and that change nothing.
    pub same: u64,
    /// A hash of each game that no update has read before, and what comes of it.
    pub log: Vec<(u64, String)>,
    base: PathBuf,
    files: Vec<PathBuf>,
    options: OpenOptions,
    changed: BTreeMap<u64, Changed>,
    /// The games of a text that are copied as they are.
    raw_games: RawGames,
    /// Games to append, by the place of the first copy. If several copies were merged, the game is in
    /// memory.
    new: BTreeMap<Place, Option<Game>>,
}

/// A game of the base that changes.
#[derive(Debug)]
struct Changed {
    game: Game,
    before: Game,
    taken: Vec<Taken>,
    /// Whether the base has the game only up to a damage.
    is_damaged: bool,
}

/// The counts of an update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Applied {
    /// Games appended.
    pub added: u64,
    /// Games of the base that were replaced.
    pub changed: u64,
    /// Games that the format cannot hold.
    pub refused: u64,
}

impl Update {
    /// Compares the games of `files` with the games of `base`. Games marked as deleted do not count.
    ///
    /// Memory: as for [`Deduper`], and each game that changes; of a text each game that has copies.
    ///
    /// # Errors
    /// Errors that concern a base as a whole; a text with a damaged game, which would be cut.
    pub fn plan(
        base: &mut Base,
        files: &[PathBuf],
        updating: &Updating,
        history: &History,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Update, Error> {
        let mut filter = Filter::default();
        filter.deleted = Some(false);
        let mut deduper = Deduper::new().filter(filter);
        if is_text_format(base.format()) {
            deduper = deduper.copied_to(base.format());
        }
        deduper.add(base, progress)?;
        for path in files {
            deduper.add(&mut open_with(path, &updating.options)?, progress)?;
        }
        let raw_games = deduper.take_raw_games().into_iter().next().unwrap_or_default();
        let copies = Copies::of(&deduper.finish());
        let texts = if is_text_format(base.format()) {
            copies.read(base, &updating.options)?
        } else {
            HashMap::new()
        };
        let update = Update {
            read: 0,
            damaged: 0,
            same: 0,
            log: Vec::new(),
            base: base.path().to_owned(),
            files: files.to_vec(),
            options: updating.options.clone(),
            changed: BTreeMap::new(),
            raw_games,
            new: BTreeMap::new(),
        };
        let (first, seen) = (HashMap::new(), HashSet::new());
        let mut plan = Plan { base, copies, texts, history, updating, first, seen, update };
        let mut incoming = Incoming::new(files, &updating.options);
        let mut game = Game::new();
        while let Some((place, is_damaged)) = incoming.next(&mut game)? {
            plan.add(place, &game, is_damaged)?;
        }
        let Plan { mut update, .. } = plan;
        update.changed.retain(|_, changed| changed.game != changed.before);
        Ok(update)
    }

    /// Returns whether nothing is added and nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.new.is_empty()
    }

    /// Returns the number of games that are added.
    #[must_use]
    pub fn new_games(&self) -> u64 {
        self.new.len() as u64
    }

    /// Returns the games of the base that change: the number from zero, the game before, and what it
    /// takes.
    pub fn changes(&self) -> impl Iterator<Item = (u64, &Game, &[Taken])> {
        self.changed.iter().map(|(number, changed)| (*number, &changed.before, &*changed.taken))
    }

    /// Writes a text anew, in its format and beside the file, which it then replaces. Games that do
    /// not change are copied as they are. Passes the errors of new games that the format cannot hold
    /// to `refused`.
    ///
    /// # Errors
    /// Errors that concern a base as a whole; a text that was changed meanwhile.
    pub fn rewrite(
        &mut self,
        losses: &mut Losses,
        refused: &mut dyn FnMut(&AnyError),
    ) -> Result<Applied, Error> {
        let path = self.base.clone();
        let mut base = open_with(&path, &self.options)?;
        let mut output = create_as(&path, base.format(), &CreateOptions::default())?;
        let changed = std::mem::take(&mut self.changed);
        let mut raw_games = std::mem::take(&mut self.raw_games);
        raw_games.leave_out(|number| changed.contains_key(&number));
        let mut applied = Applied { changed: changed.len() as u64, ..Applied::default() };
        let mut converter = Converter::new();
        converter.set_raw_games(raw_games);
        converter.set_merged(changed.into_values().map(|one| (one.before, one.game)).collect());
        converter.run(&mut base, &mut output, &mut ()).map_err(|error| match error {
            ConvertError::Read(error) | ConvertError::Write(error) => Error::base(&path, error),
            other => Error::io(&path, io::Error::other(other.to_string())),
        })?;
        // The file was changed since it was read.
        let summary = converter.summary();
        if summary.damaged > 0 || summary.refused > 0 || base.is_damaged() {
            return Err(would_be_cut(&path, summary.read));
        }
        let mut new = std::mem::take(&mut self.new);
        let (mut incoming, mut game) = (Incoming::new(&self.files, &self.options), Game::new());
        while let Some((place, _)) = incoming.next(&mut game)? {
            match new.remove(&place) {
                Some(Some(merged)) => game = merged,
                Some(None) => {}
                None => continue,
            }
            match output.write(&game, losses) {
                Ok(()) => applied.added += 1,
                Err(error) if error.scope() == Scope::Game => {
                    refused(&error);
                    applied.refused += 1;
                }
                Err(error) => return Err(Error::base(&path, error)),
            }
        }
        output.finish()?;
        Ok(applied)
    }

    /// Changes the base. Passes the errors of games that the format cannot hold to `refused`.
    ///
    /// # Errors
    /// Errors that concern a base as a whole.
    pub fn apply(
        &mut self,
        editor: &mut dyn Editor,
        losses: &mut Losses,
        refused: &mut dyn FnMut(&AnyError),
    ) -> Result<Applied, Error> {
        let mut changed = std::mem::take(&mut self.changed).into_iter();
        let changes = changed.len() as u64;
        let mut next = |game: &mut Game| {
            Ok(changed.next().map(|(number, changed)| {
                *game = changed.game;
                (number, Replacement::Game)
            }))
        };
        let base = self.base.clone();
        // Calls `write` until all games are written. Returns the count of games that were refused.
        let mut run = |write: &mut dyn FnMut() -> Result<u64, AnyError>| {
            let mut refusals = 0u64;
            loop {
                match write() {
                    Err(error) if error.scope() == Scope::Game => {
                        refused(&error);
                        refusals += 1;
                    }
                    done => {
                        break done.map(|_| refusals).map_err(|error| Error::base(&base, error));
                    }
                }
            }
        };
        let unchanged = run(&mut || editor.replace_all(&mut next, losses))?;
        let before = editor.len();
        let mut new = std::mem::take(&mut self.new);
        let (mut incoming, mut failure) = (Incoming::new(&self.files, &self.options), None);
        let mut next = |game: &mut Game| {
            while let Some((place, _)) = incoming.next(game).unwrap_or_else(|error| {
                failure = Some(error);
                None
            }) {
                match new.remove(&place) {
                    Some(Some(merged)) => *game = merged,
                    Some(None) => {}
                    None => continue,
                }
                return Ok(true);
            }
            Ok(false)
        };
        let left_out = run(&mut || editor.append_all(&mut next, losses))?;
        editor.sync().map_err(|error| Error::base(&self.base, error))?;
        let added = editor.len().saturating_sub(before);
        let changed = changes.saturating_sub(unchanged);
        failure.map_or(Ok(Applied { added, changed, refused: unchanged + left_out }), Err)
    }
}

/// The plan of an update, while the files are read.
struct Plan<'a> {
    base: &'a Base,
    copies: Copies,
    /// The games of a text that have copies.
    texts: HashMap<u64, Game>,
    history: &'a History,
    updating: &'a Updating,
    /// The first copy of each new game that has several, by the copy that the deduper keeps.
    first: HashMap<Place, Place>,
    /// Hashes of the games that were read.
    seen: HashSet<u64>,
    update: Update,
}

impl Plan<'_> {
    fn add(&mut self, place: Place, game: &Game, is_damaged: bool) -> Result<(), Error> {
        self.update.read += 1;
        self.update.damaged += u64::from(is_damaged);
        let hash = hash_whole(game);
        if game.header.deleted || self.history.knows(hash) || !self.seen.insert(hash) {
            self.update.same += 1;
            return Ok(());
        }
        let kept = self.copies.kept(place);
        let what = match (self.copies.in_base.get(&kept).copied(), self.first.get(&kept)) {
            (Some(number), _) => self.change(number, game, is_damaged)?,
            (None, Some(first)) => {
                if let Some(Some(merged)) = self.update.new.get_mut(first) {
                    merge(merged, game, true);
                }
                "another copy of a new game".to_owned()
            }
            (None, None) => {
                let several = self.copies.several.contains(&kept);
                if several {
                    self.first.insert(kept, place);
                }
                self.update.new.insert(place, several.then(|| game.clone()));
                format!("new: {} - {}", game.header.white, game.header.black)
            }
        };
        self.update.log.push((hash, what));
        Ok(())
    }

    /// Completes a game of the base by a newer copy. Returns what it takes.
    fn change(&mut self, number: u64, newer: &Game, is_damaged: bool) -> Result<String, Error> {
        let mut taken = Vec::new();
        if !is_damaged && !self.updating.only_new {
            let changed = match self.update.changed.remove(&number) {
                Some(changed) => Some(changed),
                None => self.load(number)?,
            };
            if let Some(mut changed) = changed {
                let before = changed.game.clone();
                taken = merge(&mut changed.game, newer, true);
                // The moves behind a damage are lost if the game is written without its moves.
                let has_moves = taken.iter().any(|taken| matches!(taken, Taken::Moves(_)));
                if changed.is_damaged && !has_moves {
                    (changed.game, taken) = (before.clone(), Vec::new());
                }
                if !taken.is_empty() {
                    // The copy that is corrected here may come again, in an older file.
                    let what = format!("game {}: before the change", number + 1);
                    self.update.log.push((hash_whole(&before), what));
                }
                changed.is_damaged &= !has_moves;
                changed.taken.extend(taken.iter().cloned());
                if !changed.taken.is_empty() {
                    self.update.changed.insert(number, changed);
                }
            }
        }
        self.update.same += u64::from(taken.is_empty());
        let taken: Vec<String> = taken.iter().map(Taken::to_string).collect();
        let what = if taken.is_empty() { "nothing new".to_owned() } else { taken.join(", ") };
        Ok(format!("game {}: {what}", number + 1))
    }

    fn load(&self, number: u64) -> Result<Option<Changed>, Error> {
        let Some(database) = self.base.database() else {
            return Ok(self.texts.get(&number).map(|game| Changed {
                game: game.clone(),
                before: game.clone(),
                taken: Vec::new(),
                is_damaged: false,
            }));
        };
        let mut game = Game::new();
        let read = database.reader().game(number, &mut game, &mut Diagnostics::lenient());
        let is_damaged = match read {
            Ok(()) => false,
            Err(error) if error.scope() == Scope::Game => true,
            Err(error) => return Err(Error::base(self.base.path(), error)),
        };
        Ok(Some(Changed { before: game.clone(), game, taken: Vec::new(), is_damaged }))
    }
}

/// Returns the error about a text with a damaged game.
fn would_be_cut(path: &Path, number: u64) -> Error {
    let message = format!(
        "game {} is damaged, and would be cut; convert the text first",
        number.saturating_add(1)
    );
    Error::io(path, io::Error::other(message))
}

/// Returns whether an update writes a base anew, because it is a text: PGN, also compressed.
///
/// # Errors
/// The file cannot be read, or its format is not known.
pub fn is_text(path: &Path) -> Result<bool, Error> {
    Ok(!is_stream(path) && is_text_format(detect(path)?) && can_be_packed(path))
}

fn is_text_format(format: &Format) -> bool {
    let is_stream = matches!(format.open, Some(Opener::Source(_)));
    is_stream && matches!(format.create, Some(Creator::Sink(_)))
}

/// The copies of each game, as a deduper finds them.
struct Copies {
    /// For each duplicate, the copy that is kept.
    kept: HashMap<Place, Place>,
    /// For each copy that is kept, the number of a copy in the first base.
    in_base: HashMap<Place, u64>,
    /// The copies that are kept and have others.
    several: HashSet<Place>,
}

impl Copies {
    fn of(found: &Duplicates) -> Copies {
        let (mut kept, mut in_base, mut several) = (HashMap::new(), HashMap::new(), HashSet::new());
        for pair in &found.pairs {
            kept.insert(pair.game, pair.stays);
            several.insert(pair.stays);
            // The pairs are in the order of the games.
            for copy in [pair.stays, pair.game].into_iter().filter(|copy| copy.base == 0) {
                in_base.entry(pair.stays).or_insert(copy.number);
            }
        }
        Copies { kept, in_base, several }
    }

    /// Reads the games of a text that have copies. A text with a damaged game is refused, because the game
    /// would be cut.
    fn read(&self, base: &Base, options: &OpenOptions) -> Result<HashMap<u64, Game>, Error> {
        let numbers: HashSet<u64> = self.in_base.values().copied().collect();
        let (mut games, mut damaged) = (HashMap::new(), None);
        Scanner::new().for_each(&mut open_with(base.path(), options)?, |scanned| {
            if scanned.damage.is_some() {
                damaged.get_or_insert(scanned.number);
            }
            if numbers.contains(&scanned.number) {
                games.insert(scanned.number, scanned.game.clone());
            }
        })?;
        damaged.map_or(Ok(games), |number| Err(would_be_cut(base.path(), number)))
    }

    fn kept(&self, place: Place) -> Place {
        self.kept.get(&place).copied().unwrap_or(place)
    }
}

/// The games of files, one after the other.
struct Incoming<'a> {
    paths: std::slice::Iter<'a, PathBuf>,
    options: &'a OpenOptions,
    games: Option<IntoGames>,
    /// The place of the next game. The base has number 0.
    next: Place,
}

impl<'a> Incoming<'a> {
    fn new(paths: &'a [PathBuf], options: &'a OpenOptions) -> Incoming<'a> {
        let next = Place { base: 0, number: 0 };
        Incoming { paths: paths.iter(), options, games: None, next }
    }

    /// Reads the next game. Returns its place, and whether it is damaged.
    fn next(&mut self, game: &mut Game) -> Result<Option<(Place, bool)>, Error> {
        loop {
            let Some(games) = &mut self.games else {
                let Some(path) = self.paths.next() else { return Ok(None) };
                self.games = Some(open_with(path, self.options)?.into_games());
                self.next = Place { base: self.next.base + 1, number: 0 };
                continue;
            };
            let is_damaged = match games.read_game(game) {
                Ok(true) => false,
                Ok(false) => {
                    self.games = None;
                    continue;
                }
                Err(error) if error.scope() == Scope::Game => true,
                Err(error) => return Err(error),
            };
            let place = self.next;
            self.next.number += 1;
            return Ok(Some((place, is_damaged)));
        }
    }
}
