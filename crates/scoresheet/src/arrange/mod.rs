//! Games of several bases in another order, as a base of their own.
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
use chess_store::{About, Fact, Loss};

use crate::base::{Base, Kind, Progress};
use crate::columns::{Column, Rank, Row, SortKey};
use crate::error::Error;
use crate::filter::Filter;
use crate::scan::{Scanned, Scanner};
use part::Part;
use spool::GameSpool;

/// Gathers the games of bases, to have them in another order.
///
/// Of each game it keeps its place and what it is sorted by. The games of a stream go to a
/// temporary file, since they cannot be read again in any order.
#[derive(Debug)]
pub struct Arranger {
    order: Vec<SortKey>,
    divided_by: Option<Column>,
    scanner: Scanner,
    bases: Vec<Source>,
    /// The games of each group.
    games: BTreeMap<String, Vec<(Rank, Place)>>,
}

/// Where a game is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    base: u32,
    /// In the base that was added.
    number: u64,
    /// Where it can be read now.
    read_as: u64,
}

/// A base that games are of.
struct Source {
    path: PathBuf,
    format: &'static Format,
    games: Box<dyn Database>,
    about: About,
}

impl Arranger {
    /// Sorts by these columns; games that are equal in all of them stay in the order they came.
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

    /// Divides the games into [groups](Arrangement::groups) of the same value in a column.
    #[must_use]
    pub fn divided_by(self, column: Column) -> Arranger {
        Arranger { divided_by: Some(column), ..self }
    }

    /// Uses so many threads.
    #[must_use]
    pub fn threads(self, threads: usize) -> Arranger {
        Arranger { scanner: self.scanner.threads(threads), ..self }
    }

    /// Takes only games the filter chooses, from the next base on.
    pub fn set_filter(&mut self, filter: Filter) {
        self.scanner = std::mem::take(&mut self.scanner).filter(filter);
    }

    /// Reads the games of a base, telling each chosen one to `each`. Says how many games there
    /// were, chosen or not, and how far it has read.
    ///
    /// # Errors
    /// Those of `each`; what makes the base of no more use; those of the temporary file.
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
            let row = Row {
                number: scanned.number.saturating_add(1),
                file: &path,
                header: &scanned.game.header,
                plies: Some(scanned.game.ply_count() as u64),
            };
            let group = divided_by.as_ref().map(|column| column.group(&row)).unwrap_or_default();
            let place = Place { base: number, number: scanned.number, read_as };
            games.entry(group).or_default().push((Rank::new(order, &row), place));
            Ok::<_, E>(ControlFlow::Continue(()))
        })?;
        let (format, about, progress) = (base.format(), base.about(), base.reader().progress());
        let games = match (spool, base.into_database()) {
            (Some(spool), _) => Box::new(spool.finish().map_err(failed)?),
            (None, Some(database)) => database,
            (None, None) => return Ok((read, progress)),
        };
        self.bases.push(Source { path, format, games, about });
        Ok((read, progress))
    }

    /// The games in their order.
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
        let mut unmerged = Vec::new();
        let mut about = About::default();
        for source in &bases {
            about.merge(&source.about, &mut unmerged);
        }
        let inner = Inner { bases, games, about };
        let inner = inner.without_lost_default(&mut unmerged);
        Arrangement { inner: Arc::new(inner), groups: ranges, unmerged }
    }
}

/// What an arrangement and its parts share.
struct Inner {
    bases: Vec<Source>,
    games: Vec<Place>,
    about: About,
}

/// Games in an order of their own.
pub struct Arrangement {
    inner: Arc<Inner>,
    groups: Vec<(String, Range<u64>)>,
    unmerged: Vec<Loss>,
}

impl Arrangement {
    /// How many games there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.inner.games.len() as u64
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inner.games.is_empty()
    }

    /// The groups in the order of their names: what their games have in the column they are
    /// [divided by](Arranger::divided_by), and which games they are. One of all games, without a
    /// name, if they are not divided.
    #[must_use]
    pub fn groups(&self) -> &[(String, Range<u64>)] {
        &self.groups
    }

    /// The file of a game's base, and the game's number in it, from zero.
    #[must_use]
    pub fn origin(&self, game: u64) -> Option<(&Path, u64)> {
        let place = self.inner.place(game)?;
        Some((&self.inner.source(place)?.path, place.number))
    }

    /// Some of the games as a base: its first game is the first of the range. Its format is that
    /// of the first base, its facts those of all.
    ///
    /// # Panics
    /// If there is no base.
    #[must_use]
    pub fn base(&self, games: Range<u64>) -> Base {
        let end = games.end.min(self.len());
        let part = Part::new(Arc::clone(&self.inner), games.start.min(end)..end);
        let first = self.inner.bases.first();
        #[expect(clippy::expect_used, reason = "documented")]
        let Source { path, format, .. } = first.expect("an arrangement of some base");
        Base::from_database(Box::new(part), path, format)
    }

    /// Facts of bases that could not be kept beside those of others.
    #[must_use]
    pub fn unmerged(&self) -> &[Loss] {
        &self.unmerged
    }
}

impl Inner {
    /// The number of a game says nothing of several bases, nor without that game.
    fn without_lost_default(mut self, losses: &mut Vec<Loss>) -> Inner {
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
