//! What every format's errors and warnings are made of.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use crate::location::Location;

/// How far a failure reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// This game only; the others can still be read or written.
    Game,
    /// The whole base.
    Base,
}

/// What went wrong, without where: a format's error kinds implement this.
pub trait ErrorKind: core::error::Error + Send + Sync + 'static {
    /// How far it reaches.
    fn scope(&self) -> Scope;
}

/// What went wrong and where. Each format crate names its own: `type Error = chess_core::Error<ErrorKind>`.
///
/// One word in size; the details are boxed, since errors are rare.
pub struct Error<K>(Box<(K, Location)>);

impl<K: ErrorKind> Error<K> {
    /// An error of this kind at this place.
    #[must_use]
    #[cold]
    pub fn new(kind: K, at: Location) -> Error<K> {
        Error(Box::new((kind, at)))
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &K {
        &self.0.0
    }

    /// Where.
    #[must_use]
    pub fn location(&self) -> Location {
        self.0.1
    }

    /// The same error with its place made more exact, as by a caller who knows the game.
    #[must_use]
    pub fn map_location(mut self, change: impl FnOnce(Location) -> Location) -> Error<K> {
        self.0.1 = change(self.0.1);
        self
    }
}

impl<K: fmt::Display> fmt::Display for Error<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.1, self.0.0)
    }
}

impl<K: fmt::Debug> fmt::Debug for Error<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error").field("kind", &self.0.0).field("at", &self.0.1).finish()
    }
}

impl<K: ErrorKind> core::error::Error for Error<K> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.kind().source()
    }
}

/// An error of any format, as the [seam](crate::seam) hands it on.
pub struct AnyError(Box<Erased>);

struct Erased {
    kind: Box<dyn ErrorKind>,
    at: Location,
}

impl AnyError {
    /// Where.
    #[must_use]
    pub fn location(&self) -> Location {
        self.0.at
    }

    /// How far it reaches.
    #[must_use]
    pub fn scope(&self) -> Scope {
        self.0.kind.scope()
    }

    /// What went wrong, without the place.
    #[must_use]
    pub fn message(&self) -> impl fmt::Display + '_ {
        &*self.0.kind
    }
}

impl<K: ErrorKind> From<Error<K>> for AnyError {
    fn from(error: Error<K>) -> AnyError {
        let (kind, at) = *error.0;
        AnyError(Box::new(Erased { kind: Box::new(kind), at }))
    }
}

impl fmt::Display for AnyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.at, self.0.kind)
    }
}

impl fmt::Debug for AnyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyError").field("kind", &self.0.kind).field("at", &self.0.at).finish()
    }
}

impl core::error::Error for AnyError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.0.kind.source()
    }
}

/// A deviation from a format that its reader tolerates: a warning when lenient, an error when
/// strict. Each format has an enum of them.
pub trait Quirk: Copy {
    /// A stable name in lower case with hyphens, prefixed with the format: `scid-surplus-comments`.
    fn name(self) -> &'static str;
    /// One sentence on what was found, without a full stop.
    fn message(self) -> &'static str;
}

/// A tolerated deviation and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{at}: {message} [{name}]")]
pub struct Warning {
    /// [`Quirk::name`]
    pub name: &'static str,
    /// [`Quirk::message`]
    pub message: &'static str,
    /// Where it was found.
    pub at: Location,
}

/// The one funnel every [`Quirk`] passes: strict or lenient, and what has been noted so far.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    strict: bool,
    warnings: Vec<Warning>,
    unlisted: u64,
}

impl Diagnostics {
    /// How many warnings are kept between two calls of [`clear`](Diagnostics::clear); a hostile
    /// record could make one a byte.
    pub const KEPT: usize = 256;

    /// Tolerates quirks and collects them.
    #[must_use]
    pub fn lenient() -> Diagnostics {
        Diagnostics::default()
    }

    /// Makes an error of the first quirk.
    #[must_use]
    pub fn strict() -> Diagnostics {
        Diagnostics { strict: true, ..Diagnostics::default() }
    }

    /// Whether quirks are errors.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// Notes a quirk.
    ///
    /// # Errors
    /// The warning itself, when strict.
    #[cold]
    pub fn note(&mut self, quirk: impl Quirk, at: Location) -> Result<(), Warning> {
        let warning = Warning { name: quirk.name(), message: quirk.message(), at };
        if self.strict {
            return Err(warning);
        }
        if self.warnings.len() < Diagnostics::KEPT {
            self.warnings.push(warning);
        } else {
            self.unlisted = self.unlisted.saturating_add(1);
        }
        Ok(())
    }

    /// What was noted since the last [`clear`](Diagnostics::clear).
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// How many more there were than [`warnings`](Diagnostics::warnings) holds.
    #[must_use]
    pub fn unlisted(&self) -> u64 {
        self.unlisted
    }

    /// Forgets what was noted.
    pub fn clear(&mut self) {
        self.warnings.clear();
        self.unlisted = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use alloc::string::ToString;

    #[derive(Clone, Copy)]
    struct Odd;

    impl Quirk for Odd {
        fn name(self) -> &'static str {
            "test-odd"
        }
        fn message(self) -> &'static str {
            "something odd"
        }
    }

    #[test]
    fn one_funnel() {
        let mut lenient = Diagnostics::lenient();
        for _ in 0..Diagnostics::KEPT + 3 {
            lenient.note(Odd, Location::file("x")).unwrap();
        }
        assert_eq!((lenient.warnings().len(), lenient.unlisted()), (Diagnostics::KEPT, 3));
        let warning = Diagnostics::strict().note(Odd, Location::file("x")).unwrap_err();
        assert_eq!(warning.to_string(), ".x: something odd [test-odd]");
    }

    #[derive(Debug, thiserror::Error)]
    #[error("broken")]
    struct Broken;

    impl ErrorKind for Broken {
        fn scope(&self) -> Scope {
            Scope::Game
        }
    }

    #[test]
    fn an_error_says_where_once() {
        let error = Error::new(Broken, Location::file("x").at(3));
        assert_eq!(error.to_string(), ".x, byte 3: broken");
        let any = AnyError::from(error);
        assert_eq!(any.to_string(), ".x, byte 3: broken");
        assert_eq!((any.scope(), any.message().to_string()), (Scope::Game, "broken".into()));
        assert_eq!(size_of::<AnyError>(), size_of::<usize>());
    }
}
