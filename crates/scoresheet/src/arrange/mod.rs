//! Sorts games of several bases and presents them as one base.
//!
//! ```no_run
//! use scoresheet::arrange::Arranger;
//! use scoresheet::columns::SortKey;
//! use scoresheet::{Converter, CreateOptions};
//!
//! let mut arranger = Arranger::new(vec![SortKey::parse("date")?]);
//! arranger.add(scoresheet::open("games.pgn")?, |_| Ok::<_, scoresheet::Error>(()))?;
//! let all = arranger.finish();
//! let mut output = scoresheet::create("sorted.si4", &CreateOptions::default())?;
//! Converter::new().run(&mut all.base(0..all.len()), &mut output, &mut ())?;
//! output.finish()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod part;
mod spool;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chess_store::erased::{Database, Format};
use chess_store::{About, Fact, Losses};
use query::Filter;
use query::columns::{Column, Rank, Row, SortKey};

use crate::base::{Base, Kind, Progress};
use crate::error::Error;
use crate::scan::{Scanned, Scanner};
use part::Part;
use spool::GameSpool;

/// Collects games of bases to sort them.
///
/// Keeps the location and the sort key of each game. Games of a stream are spooled to a temporary
/// file, because a stream has no random access.
#[derive(Debug)]
pub struct Arranger {
    order: Vec<SortKey>,
    divided_by: Option<Column>,
    scanner: Scanner,
    bases: Vec<Source>,
    /// The games of each group.
    games: BTreeMap<String, Vec<(Rank, Place)>>,
}

/// The location of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    base: u32,
    /// Number in the base that was added.
    number: u64,
    /// Number in the database or spool that it is read from.
    read_as: u64,
}

/// A base that was added.
struct Source {
    path: PathBuf,
    format: &'static Format,
    games: Arc<dyn Database>,
    about: About,
    /// Whether all games are selected, and the guiding texts with them.
    with_texts: bool,
}

impl Arranger {
    /// Creates an arranger that sorts by `order`. The sort is stable.
    #[must_use]
    pub fn new(order: Vec<SortKey>) -> Arranger {
        Arranger {
            order,
            divided_by: None,
            scanner: Scanner::new(),
            bases: Vec::new(),
            games: BTreeMap::new(),
        }
    }

    /// Divides the games into [groups](Arrangement::groups) by the value of a column.
    #[must_use]
    pub fn divided_by(self, column: Column) -> Arranger {
        Arranger { divided_by: Some(column), ..self }
    }

    /// Uses `threads` threads.
    #[must_use]
    pub fn threads(self, threads: usize) -> Arranger {
        Arranger { scanner: self.scanner.threads(threads), ..self }
    }

    /// Selects games with `filter`, from the next base on.
    pub fn set_filter(&mut self, filter: Filter) {
        self.scanner = std::mem::take(&mut self.scanner).filter(filter);
    }

    /// Reads the games of `base` and passes each selected game to `each`. Returns the number of
    /// games, selected or not, and the progress.
    ///
    /// # Errors
    /// Errors of `each`, errors that concern the base as a whole, and I/O errors of the temporary
    /// file.
    pub fn add<E: From<Error>>(
        &mut self,
        mut base: Base,
        mut each: impl FnMut(&Scanned<'_>) -> Result<(), E>,
    ) -> Result<(u64, Progress), E> {
        let path = base.path().to_path_buf();
        let failed = |error| E::from(Error::io(&path, error));
        let mut spool = match base.kind() {
            Kind::Database(_) => None,
            Kind::Stream(_) => Some(GameSpool::default()),
        };
        let number = u32::try_from(self.bases.len()).unwrap_or(u32::MAX);
        let (games, order, divided_by) = (&mut self.games, &self.order, &self.divided_by);
        let read = self.scanner.run(&mut base, |scanned| {
            each(scanned)?;
            let read_as = match &mut spool {
                Some(spool) => spool.push(scanned.game, scanned.damage).map_err(failed)?,
                None => scanned.number,
            };
            let row = Row::new(scanned.number + 1, &path, &scanned.game.header);
            let row = row.with_game(Some(scanned.game));
            let group = divided_by.as_ref().map(|column| column.group(&row)).unwrap_or_default();
            let place = Place { base: number, number: scanned.number, read_as };
            games.entry(group).or_default().push((Rank::new(order, &row), place));
            Ok::<_, E>(ControlFlow::Continue(()))
        })?;
        let (format, about, progress) = (base.format(), base.about(), base.reader().progress());
        let games: Arc<dyn Database> = match (spool, base.into_database()) {
            (Some(spool), _) => Arc::new(spool.finish().map_err(failed)?),
            (None, Some(database)) => database,
            (None, None) => return Ok((read, progress)),
        };
        let with_texts = self.scanner.selects_all();
        self.bases.push(Source { path, format, games, about, with_texts });
        Ok((read, progress))
    }

    /// Sorts the games.
    #[must_use]
    pub fn finish(self) -> Arrangement {
        let Arranger { bases, games: groups, .. } = self;
        let (mut games, mut ranges) = (Vec::new(), Vec::new());
        for (group, mut places) in groups {
            places.sort();
            let first = games.len() as u64;
            games.extend(places.into_iter().map(|(_, place)| place));
            ranges.push((group, first..games.len() as u64));
        }
        let mut unmerged = Losses::new();
        let mut about = About::default();
        for source in &bases {
            about.merge(&source.about, &mut unmerged);
        }
        let inner = Inner { bases, games, about };
        let inner = inner.without_lost_default(&mut unmerged);
        Arrangement { inner: Arc::new(inner), groups: ranges, unmerged }
    }
}

/// The data that an arrangement shares with its parts.
struct Inner {
    bases: Vec<Source>,
    games: Vec<Place>,
    about: About,
}

/// Sorted games.
pub struct Arrangement {
    inner: Arc<Inner>,
    groups: Vec<(String, Range<u64>)>,
    unmerged: Losses,
}

impl Arrangement {
    /// The number of games.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.inner.games.len() as u64
    }

    /// Returns whether there are no games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inner.games.is_empty()
    }

    /// Returns the groups, sorted by name: the value of the column that the games are [divided
    /// by](Arranger::divided_by), and the range of games. Undivided games form one group without a
    /// name.
    #[must_use]
    pub fn groups(&self) -> &[(String, Range<u64>)] {
        &self.groups
    }

    /// Returns the file of a game's base, and the zero-based number of the game in it.
    #[must_use]
    pub fn origin(&self, game: u64) -> Option<(&Path, u64)> {
        let place = self.inner.place(game)?;
        Some((&self.inner.source(place)?.path, place.number))
    }

    /// Presents a range of games as a base. The base has the format of the first base added, and
    /// the merged facts of all bases.
    ///
    /// # Panics
    /// If no base was added.
    #[must_use]
    pub fn base(&self, games: Range<u64>) -> Base {
        let end = games.end.min(self.len());
        let part = Part::new(Arc::clone(&self.inner), games.start.min(end)..end);
        let first = self.inner.bases.first();
        #[expect(clippy::expect_used, reason = "documented")]
        let Source { path, format, .. } = first.expect("an arrangement of some base");
        let part: Arc<dyn Database> = Arc::new(part);
        Base::from_database(part, path, format)
    }

    /// Facts of bases that conflict with facts of other bases.
    #[must_use]
    pub fn unmerged(&self) -> &Losses {
        &self.unmerged
    }
}

impl Inner {
    /// Drops the default game if there are several bases, or if that game is not included.
    fn without_lost_default(mut self, losses: &mut Losses) -> Inner {
        let is_there = |number: u64| {
            number == 0
                || self.games.iter().any(|place| place.number.checked_add(1) == Some(number))
        };
        let default = self.about.get(Fact::DefaultGame).map(|value| value.parse::<u64>());
        if default.is_some_and(|number| self.bases.len() > 1 || !number.is_ok_and(is_there)) {
            self.about.lose(losses, |fact| fact != Fact::DefaultGame);
            self.about.set(Fact::DefaultGame, "");
        }
        self
    }

    fn place(&self, game: u64) -> Option<Place> {
        self.games.get(usize::try_from(game).ok()?).copied()
    }

    fn source(&self, place: Place) -> Option<&Source> {
        self.bases.get(place.base as usize)
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("path", &self.path).finish_non_exhaustive()
    }
}

impl fmt::Debug for Arrangement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bases = &self.inner.bases;
        f.debug_struct("Arrangement").field("bases", bases).field("games", &self.len()).finish()
    }
}
