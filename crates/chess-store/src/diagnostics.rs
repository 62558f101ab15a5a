//! Deviations from a format that a reader tolerates.

use std::collections::BTreeMap;

use crate::location::{InBlock, Locate, Location};

/// A deviation from a format that its reader tolerates. It is a warning in lenient mode and an
/// error in strict mode. Each format has an enum of its quirks.
///
/// The macro [`quirks!`](crate::quirks) defines the enum and implements this trait.
pub trait Quirk: Copy + 'static {
    /// All quirks of the format.
    const ALL: &'static [Self];
    /// A stable name in lower case with hyphens, prefixed with the format: `scid-surplus-comments`.
    fn name(self) -> &'static str;
    /// A one-sentence description without a full stop.
    fn message(self) -> &'static str;
    /// Whether part of a game or of the base is lost. See [`Warning::is_damage`].
    fn is_damage(self) -> bool {
        false
    }
}

/// A tolerated deviation and its location.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{at}: {message} [{name}]")]
#[non_exhaustive]
pub struct Warning {
    /// [`Quirk::name`]
    pub name: &'static str,
    /// [`Quirk::message`]
    pub message: &'static str,
    /// The location of the deviation.
    pub at: Location,
    /// [`Quirk::is_damage`]
    pub damage: bool,
}

impl Warning {
    /// Creates the warning for a quirk at a location.
    #[must_use]
    pub fn new(quirk: impl Quirk, at: Location) -> Warning {
        let (name, message, damage) = (quirk.name(), quirk.message(), quirk.is_damage());
        Warning { name, message, at, damage }
    }

    /// Returns whether data is lost. Returns `false` if the data is only written in an unusual way.
    ///
    /// A base with such a warning is damaged. A game with one is damaged too: [`Reader`] returns the
    /// first such warning as an error of [`Scope::Game`] after it has read the whole game.
    ///
    /// [`Reader`]: crate::Reader
    /// [`Scope::Game`]: crate::Scope::Game
    #[must_use]
    pub fn is_damage(&self) -> bool {
        self.damage
    }

    /// Returns the quirk, if it belongs to this format: `warning.quirk::<scid::Quirk>()`.
    #[must_use]
    pub fn quirk<Q: Quirk>(&self) -> Option<Q> {
        Q::ALL.iter().copied().find(|quirk| quirk.name() == self.name)
    }
}

/// Defines the `Quirk` enum of a format from variants, names and messages. The keyword `damage`
/// marks a quirk that means that data is lost.
///
/// ```
/// chess_store::quirks! {
///     /// What this reader tolerates.
///     MissingFile = "demo-missing-file", "a file is missing", damage;
///     OddDate = "demo-odd-date", "the date is out of range";
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! quirks {
    (@is_damage) => { false };
    (@is_damage damage) => { true };
    ($(#[$about:meta])* $($variant:ident = $name:literal, $message:literal $(, $mark:ident)?;)+) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Quirk {
            $(#[doc = $message] $variant,)+
        }

        impl $crate::Quirk for Quirk {
            const ALL: &'static [Quirk] = &[$(Quirk::$variant,)+];

            fn name(self) -> &'static str {
                match self {
                    $(Quirk::$variant => $name,)+
                }
            }

            fn message(self) -> &'static str {
                match self {
                    $(Quirk::$variant => $message,)+
                }
            }

            fn is_damage(self) -> bool {
                match self {
                    $(Quirk::$variant => $crate::quirks!(@is_damage $($mark)?),)+
                }
            }
        }
    };
}

/// Counts of warnings by name and message. A count costs no more memory than its first warning.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WarningCounts(BTreeMap<(&'static str, &'static str), u64>);

impl WarningCounts {
    /// Creates counts of no warnings.
    #[must_use]
    pub const fn new() -> WarningCounts {
        WarningCounts(BTreeMap::new())
    }

    /// Adds `more` warnings like `warning`.
    fn add(&mut self, warning: Warning, more: u64) {
        let count = self.0.entry((warning.name, warning.message)).or_default();
        *count = count.saturating_add(more);
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &WarningCounts) {
        for (kind, more) in &other.0 {
            let count = self.0.entry(*kind).or_default();
            *count = count.saturating_add(*more);
        }
    }

    /// Iterates over the names of the warnings, with message and count.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &'static str, u64)> {
        self.0.iter().map(|((name, message), count)| (*name, *message, *count))
    }

    /// Returns the number of warnings of all names.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.values().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Removes all counts.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// Collects quirks. Every [`Quirk`] passes through this type, which applies the strict or lenient
/// mode.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    strict: bool,
    warnings: Vec<Warning>,
    unlisted: WarningCounts,
    /// The first damage warning of a game.
    damage: Option<Warning>,
}

impl Diagnostics {
    /// Maximum number of warnings kept between two calls of [`clear`](Diagnostics::clear). Without
    /// this limit, a hostile record could create one warning for every byte.
    pub const KEPT: usize = 256;

    /// Creates diagnostics that tolerate and collect quirks.
    #[must_use]
    pub fn lenient() -> Diagnostics {
        Diagnostics::default()
    }

    /// Creates diagnostics that turn the first quirk into an error.
    #[must_use]
    pub fn strict() -> Diagnostics {
        Diagnostics { strict: true, ..Diagnostics::default() }
    }

    /// Returns whether quirks are errors.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// Records a quirk.
    ///
    /// # Errors
    /// The warning itself, in strict mode.
    #[cold]
    pub fn note(&mut self, quirk: impl Quirk, at: Location) -> Result<(), Warning> {
        self.add(Warning::new(quirk, at))
    }

    /// Like [`note`](Diagnostics::note), with a message that says more than the quirk's own.
    ///
    /// # Errors
    /// As [`note`](Diagnostics::note).
    #[cold]
    pub fn note_as(
        &mut self,
        quirk: impl Quirk,
        message: &'static str,
        at: Location,
    ) -> Result<(), Warning> {
        self.add(Warning { message, ..Warning::new(quirk, at) })
    }

    fn add(&mut self, warning: Warning) -> Result<(), Warning> {
        if self.strict {
            return Err(warning);
        }
        if warning.damage && warning.at.game.is_some() && self.damage.is_none() {
            self.damage = Some(warning);
        }
        if self.warnings.len() < Diagnostics::KEPT {
            self.warnings.push(warning);
        } else {
            self.unlisted.add(warning, 1);
        }
        Ok(())
    }

    /// Records warnings that were collected elsewhere.
    ///
    /// # Errors
    /// The first warning, in strict mode.
    pub fn append(&mut self, other: &Diagnostics) -> Result<(), Warning> {
        if let (true, Some(first)) = (self.strict, other.warnings.first()) {
            return Err(*first);
        }
        let room = Diagnostics::KEPT.saturating_sub(self.warnings.len());
        let kept = other.warnings.get(..room).unwrap_or(&other.warnings);
        self.warnings.extend_from_slice(kept);
        let left = other.warnings.get(kept.len()..).unwrap_or_default();
        left.iter().for_each(|warning| self.unlisted.add(*warning, 1));
        self.unlisted.merge(&other.unlisted);
        self.damage = self.damage.or(other.damage);
        Ok(())
    }

    /// Turns the first damage warning since the last `clear` into an error, if the game was read
    /// without another error. The warning is then no longer listed.
    pub(crate) fn judge<E: From<Warning>>(&mut self, read: Result<(), E>) -> Result<(), E> {
        let Some(damage) = self.damage.take() else { return read };
        read?;
        if let Some(listed) = self.warnings.iter().position(|warning| *warning == damage) {
            self.warnings.remove(listed);
        }
        Err(damage.into())
    }

    /// Returns the warnings collected since the last [`clear`](Diagnostics::clear).
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns the counts of the warnings that were not kept because
    /// [`warnings`](Diagnostics::warnings) was full.
    #[must_use]
    pub fn unlisted(&self) -> &WarningCounts {
        &self.unlisted
    }

    /// Removes all warnings.
    pub fn clear(&mut self) {
        self.warnings.clear();
        self.unlisted.clear();
        self.damage = None;
    }
}

impl Locate for Warning {
    fn relocate(self, change: &dyn Fn(Location) -> Location) -> Warning {
        Warning { at: change(self.at), ..self }
    }
}

impl Locate for Diagnostics {
    fn relocate(mut self, change: &dyn Fn(Location) -> Location) -> Diagnostics {
        let all = self.warnings.iter_mut().chain(&mut self.damage);
        all.for_each(|warning| *warning = warning.relocate(change));
        self
    }
}

impl InBlock<Diagnostics> {
    /// Takes the strictness and the buffer of `diagnostics`, and leaves it empty. The parser of a
    /// block then fills the result.
    pub fn taking(diagnostics: &mut Diagnostics) -> InBlock<Diagnostics> {
        let mut taken = std::mem::take(diagnostics);
        taken.clear();
        InBlock::new(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::{Diagnostics, Location, Warning};

    crate::quirks! {
        /// For the tests.
        #[allow(unreachable_pub, reason = "a format's own is public")]
        Odd = "test-odd", "something odd";
        Even = "test-even", "something even";
        Lost = "test-lost", "something is lost", damage;
    }

    #[test]
    fn game_warning_that_is_damage_becomes_an_error() {
        let at = Location::file("x").in_game(3);
        let mut diagnostics = Diagnostics::lenient();
        for quirk in [Quirk::Even, Quirk::Lost, Quirk::Lost] {
            diagnostics.note(quirk, at).unwrap();
        }
        let damage = diagnostics.judge(Ok::<(), Warning>(())).unwrap_err();
        assert_eq!((damage.name, damage.is_damage()), ("test-lost", true));
        let names: Vec<_> = diagnostics.warnings().iter().map(|warning| warning.name).collect();
        assert_eq!(names, ["test-even", "test-lost"]);
        assert!(diagnostics.judge(Ok::<(), Warning>(())).is_ok());
    }

    #[test]
    fn base_warning_that_is_damage_costs_no_game() {
        let mut diagnostics = Diagnostics::lenient();
        diagnostics.note(Quirk::Lost, Location::file("x")).unwrap();
        assert!(diagnostics.judge(Ok::<(), Warning>(())).is_ok());
        assert!(diagnostics.warnings()[0].is_damage());
    }

    #[test]
    fn note_strict_quirk_is_error() {
        let mut lenient = Diagnostics::lenient();
        for _ in 0..Diagnostics::KEPT + 3 {
            lenient.note(Quirk::Even, Location::file("x")).unwrap();
        }
        assert_eq!((lenient.warnings().len(), lenient.unlisted().total()), (Diagnostics::KEPT, 3));
        let warning = Diagnostics::strict().note(Quirk::Odd, Location::file("x")).unwrap_err();
        assert_eq!(warning.to_string(), ".x: something odd [test-odd]");
        assert_eq!(warning.quirk::<Quirk>(), Some(Quirk::Odd));
    }
}
