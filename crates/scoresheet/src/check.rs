//! Checks a base: reads every game, and compares it with its index entry.
//!
//! ```
//! use scoresheet::check;
//!
//! let mut base = scoresheet::open("../../fixtures/scid/plain/base.si4")?;
//! let counts = check::run(&mut base, |finding| {
//!     println!("{finding}");
//!     Ok::<_, scoresheet::Error>(())
//! })?;
//! assert!(counts.is_sound(false));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::ops::ControlFlow;

use chess_core::Game;
use chess_store::erased::{Database, GameReader};
use chess_store::{AnyError, Diagnostics, Warning, WarningCounts};

use crate::base::{Base, Progress, Unit};
use crate::error::Error;
use crate::scan::Scanner;

/// A deviation or damage. `Display` writes its message, without the place.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Finding<'a> {
    /// The number of the game, from zero; `None` for the base as a whole.
    pub game: Option<u64>,
    /// The deviation or damage.
    pub what: What<'a>,
}

/// A deviation or damage, with its cause.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum What<'a> {
    /// A deviation that was tolerated. In the base as a whole, it can be damage.
    Warning(&'a Warning),
    /// Deviations of a game beyond those that are listed.
    Unlisted {
        /// The name of the deviation.
        name: &'static str,
        /// Its message.
        message: &'static str,
        /// How many there are.
        count: u64,
    },
    /// The field of an index entry that disagrees with the game.
    Stale(&'static str),
    /// The error that prevented the comparison of a game with its index entry.
    Unverified(&'a AnyError),
    /// A deviation that only a look at the base as a whole shows.
    WholeBase(&'a str),
    /// Something is lost.
    Damage(&'a AnyError),
    /// The base cannot be opened, or not be read to its end.
    Broken(&'a Error),
    /// A text without a game.
    NoGames,
}

impl<'a> Finding<'a> {
    /// Creates the finding that a base cannot be opened.
    #[must_use]
    pub fn broken(error: &'a Error) -> Finding<'a> {
        Finding { game: None, what: What::Broken(error) }
    }

    /// Returns whether something is lost.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self.what {
            What::Warning(warning) => warning.is_damage(),
            What::Damage(_) | What::Broken(_) | What::NoGames => true,
            _ => false,
        }
    }

    /// Returns the stable name of the deviation; empty for an error.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.what {
            What::Warning(warning) => warning.name,
            What::Unlisted { name, .. } => name,
            What::Stale(_) | What::Unverified(_) => "stale-index",
            What::WholeBase(_) => "whole-base",
            What::Broken(_) | What::NoGames => "broken",
            What::Damage(_) => "",
        }
    }
}

impl fmt::Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.what {
            What::Warning(warning) => f.write_str(warning.message),
            What::Unlisted { message, count, .. } => write!(f, "{message}: {count} more"),
            What::Stale(field) => write!(f, "the index entry disagrees with the game: {field}"),
            What::Unverified(why) => {
                write!(f, "the index entry cannot be compared: {}", why.message())
            }
            What::WholeBase(what) => f.write_str(what),
            What::Damage(error) => write!(f, "{}", error.message()),
            What::Broken(error) => write!(f, "{error}"),
            What::NoGames => f.write_str("contains no games"),
        }
    }
}

/// The counts of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Games read.
    pub games: u64,
    /// Damaged games.
    pub damaged: u64,
    /// Games with deviations.
    pub deviating: u64,
    /// Damage of the base as a whole: a file is missing, or a names file is truncated.
    pub base_damages: u64,
    /// Deviations of the base as a whole.
    pub base_deviations: u64,
    /// Whether the base cannot be opened, cannot be read to its end, or is a text without a game.
    pub is_broken: bool,
}

impl Counts {
    /// Returns whether nothing is broken or damaged, and with `strict` nothing deviates.
    #[must_use]
    pub fn is_sound(&self, strict: bool) -> bool {
        let deviations = self.deviating + self.base_deviations;
        !self.is_broken
            && self.damaged == 0
            && self.base_damages == 0
            && (!strict || deviations == 0)
    }

    /// Counts a finding. The games of findings are counted by [`Check`].
    fn count(&mut self, finding: &Finding<'_>) {
        match (finding.what, finding.game) {
            (What::Broken(_) | What::NoGames, _) => self.is_broken = true,
            (_, None) if finding.is_damage() => self.base_damages += 1,
            (_, None) => self.base_deviations += 1,
            (_, Some(_)) => {}
        }
    }
}

/// Checks all games of a base on all cores, and hands the findings to `each` in order.
///
/// # Errors
/// Errors of `each`, and errors of the system: what is damaged or broken is a finding, and what is of an
/// unsupported kind is an error.
pub fn run<E: From<Error>>(
    base: &mut Base,
    each: impl FnMut(&Finding<'_>) -> Result<(), E>,
) -> Result<Counts, E> {
    run_watched(base, &Scanner::new(), each, |_| ControlFlow::Continue(()))
}

/// Like [`run`], with the threads and the filter of `scanner`. Also calls `watch` after each batch of games,
/// and stops if it breaks.
///
/// # Errors
/// As [`run`].
pub fn run_watched<E: From<Error>>(
    base: &mut Base,
    scanner: &Scanner,
    mut each: impl FnMut(&Finding<'_>) -> Result<(), E>,
    watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Counts, E> {
    let mut check = Check::default();
    check.base(base.warnings(), base.database(), &mut each)?;
    let told = base.warnings().len();
    let read = scanner.verifying().run_watched(
        base,
        |scanned| {
            let game = OfGame {
                warnings: scanned.warnings,
                unlisted: scanned.unlisted,
                damage: scanned.damage,
                stale: scanned.stale,
                unverified: scanned.unverified,
            };
            check.count_game(scanned.number, &game, &mut each).map_err(Stopped::Telling)?;
            Ok(ControlFlow::Continue(()))
        },
        watch,
    );
    match read {
        Ok(_) => {}
        Err(Stopped::Telling(error)) => return Err(error),
        Err(Stopped::Reading(error)) if error.is_unsupported() || !error.is_damage() => {
            return Err(error.into());
        }
        Err(Stopped::Reading(error)) => check.find(None, What::Broken(&error), &mut each)?,
    }
    // Warnings about a compressed stream are complete once it has been read.
    for warning in base.warnings().iter().skip(told) {
        check.find(None, What::Warning(warning), &mut each)?;
    }
    let reached = base.reader().progress();
    let is_empty = check.counts.games == 0 && reached.unit == Unit::Bytes && reached.done > 0;
    if is_empty && !check.counts.is_broken {
        check.find(None, What::NoGames, &mut each)?;
    }
    Ok(check.counts)
}

/// Why a scan stopped.
enum Stopped<E> {
    Telling(E),
    Reading(Error),
}

impl<E> From<Error> for Stopped<E> {
    fn from(error: Error) -> Stopped<E> {
        Stopped::Reading(error)
    }
}

/// A check whose games are read one by one by the caller, for programs without threads.
#[derive(Debug, Default)]
pub struct Check {
    counts: Counts,
    game: Game,
    notes: Diagnostics,
}

/// The findings in a game.
struct OfGame<'a> {
    warnings: &'a [Warning],
    unlisted: &'a WarningCounts,
    damage: Option<&'a AnyError>,
    stale: &'a [&'static str],
    unverified: Option<&'a AnyError>,
}

impl Check {
    /// Returns the counts so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    fn find<E>(
        &mut self,
        game: Option<u64>,
        what: What<'_>,
        each: &mut impl FnMut(&Finding<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let finding = Finding { game, what };
        self.counts.count(&finding);
        each(&finding)
    }

    /// Checks a base as a whole: `warnings` are the warnings of its opening.
    ///
    /// # Errors
    /// Errors of `each`.
    pub fn base<E>(
        &mut self,
        warnings: &[Warning],
        database: Option<&dyn Database>,
        each: &mut impl FnMut(&Finding<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for warning in warnings {
            self.find(None, What::Warning(warning), each)?;
        }
        match database.map(Database::check) {
            Some(Ok(deviations)) => {
                for what in &deviations {
                    self.find(None, What::WholeBase(what), each)?;
                }
                Ok(())
            }
            Some(Err(error)) => self.find(None, What::Damage(&error), each),
            None => Ok(()),
        }
    }

    /// Reads a game and checks it.
    ///
    /// # Errors
    /// Errors of `each`.
    pub fn game<E>(
        &mut self,
        reader: &mut dyn GameReader,
        number: u64,
        each: &mut impl FnMut(&Finding<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut game, mut notes) =
            (std::mem::take(&mut self.game), std::mem::take(&mut self.notes));
        notes.clear();
        let read = reader.game(number, &mut game, &mut notes);
        let verified = if read.is_ok() { reader.verify(number, &game) } else { Ok(Vec::new()) };
        let found = OfGame {
            warnings: notes.warnings(),
            unlisted: notes.unlisted(),
            damage: read.as_ref().err(),
            stale: verified.as_deref().unwrap_or_default(),
            unverified: verified.as_ref().err(),
        };
        let counted = self.count_game(number, &found, each);
        (self.game, self.notes) = (game, notes);
        counted
    }

    fn count_game<E>(
        &mut self,
        number: u64,
        found: &OfGame<'_>,
        each: &mut impl FnMut(&Finding<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let game = Some(number);
        for warning in found.warnings {
            self.find(game, What::Warning(warning), each)?;
        }
        for (name, message, count) in found.unlisted.iter() {
            self.find(game, What::Unlisted { name, message, count }, each)?;
        }
        for field in found.stale {
            self.find(game, What::Stale(field), each)?;
        }
        if let Some(why) = found.unverified {
            self.find(game, What::Unverified(why), each)?;
        }
        if let Some(error) = found.damage {
            self.find(game, What::Damage(error), each)?;
        }
        // Damage is counted as damage, and not as a deviation too.
        let deviates = found.warnings.iter().any(|warning| !warning.is_damage())
            || !found.stale.is_empty()
            || found.unverified.is_some();
        self.counts.games += 1;
        self.counts.damaged += u64::from(found.damage.is_some());
        self.counts.deviating += u64::from(deviates);
        Ok(())
    }
}
