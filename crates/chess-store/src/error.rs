//! Errors of all formats.

use std::fmt;
use std::io;

use crate::diagnostics::Warning;
use crate::location::{Locate, Location};

/// The extent of a failure. The enum is complete: callers may match both variants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// One game. The others can still be read or written.
    Game,
    /// The whole base.
    Base,
}

/// The cause of an error, without a location. The error kinds of a format implement this trait.
pub trait ErrorKind: std::error::Error + Send + Sync + 'static {
    /// Returns the extent of the failure.
    fn scope(&self) -> Scope;

    /// Returns the I/O error, if that is the cause.
    fn io(&self) -> Option<&io::Error> {
        None
    }

    /// Returns whether the file may be intact, but has a version or a compression that this reader
    /// does not support.
    fn is_unsupported(&self) -> bool {
        false
    }

    /// Returns the deviation, if strict reading refused one. Its location is the location of the
    /// error.
    fn warning_mut(&mut self) -> Option<&mut Warning> {
        None
    }

    /// Returns whether strict reading refused a deviation.
    fn is_strict(&self) -> bool {
        false
    }
}

/// Implements [`ErrorKind`] for the error enum of a format. The enum must have the variants
/// `Io(io::Error)` and `Strict(Warning)`. The macro implements `From` for both.
///
/// The variants that the patterns name have [`Scope::Base`]. So have `Io`, and a `Strict` without a
/// game number, which occurs while a base is opened. All other variants have [`Scope::Game`].
/// Patterns in `[unsupported: ...]` name the kinds for which
/// [`is_unsupported`](ErrorKind::is_unsupported) returns true.
///
/// ```
/// use chess_store::{ErrorKind as _, Scope, Warning};
///
/// #[derive(Debug, thiserror::Error)]
/// enum ErrorKind {
///     #[error("{0}")]
///     Io(std::io::Error),
///     #[error("the index does not start with its magic")]
///     Magic,
///     #[error("code {0} is not known")]
///     Code(u8),
///     #[error("{}", .0.message)]
///     Strict(Warning),
/// }
///
/// chess_store::error_kind!(ErrorKind: ErrorKind::Magic);
///
/// assert_eq!(ErrorKind::Magic.scope(), Scope::Base);
/// assert_eq!(ErrorKind::Code(7).scope(), Scope::Game);
/// ```
#[macro_export]
macro_rules! error_kind {
    ($kind:ident $([unsupported: $($unknown:pat),+ $(,)?])?: $($base:pat $(if $guard:expr)?),+ $(,)?) => {
        impl $crate::ErrorKind for $kind {
            fn scope(&self) -> $crate::Scope {
                match self {
                    $kind::Io(_) => $crate::Scope::Base,
                    $kind::Strict(warning) if warning.at.game.is_none() => $crate::Scope::Base,
                    $($base $(if $guard)? => $crate::Scope::Base,)+
                    _ => $crate::Scope::Game,
                }
            }

            fn io(&self) -> Option<&::std::io::Error> {
                match self {
                    $kind::Io(error) => Some(error),
                    _ => None,
                }
            }

            $(
                fn is_unsupported(&self) -> bool {
                    matches!(self, $($unknown)|+)
                }
            )?

            fn warning_mut(&mut self) -> Option<&mut $crate::Warning> {
                match self {
                    $kind::Strict(warning) => Some(warning),
                    _ => None,
                }
            }

            fn is_strict(&self) -> bool {
                matches!(self, $kind::Strict(_))
            }
        }

        impl From<::std::io::Error> for $kind {
            fn from(error: ::std::io::Error) -> $kind {
                $kind::Io(error)
            }
        }

        impl From<$crate::Warning> for $kind {
            fn from(warning: $crate::Warning) -> $kind {
                $kind::Strict(warning)
            }
        }
    };
}

/// An error with its cause and location. Each format crate defines its own alias: `type Error =
/// chess_store::Error<ErrorKind>`.
///
/// The size is one word. The details are boxed, because errors are rare.
pub struct Error<K>(Box<(K, Location)>);

impl<K: ErrorKind> Error<K> {
    /// Creates an error of this kind at a location.
    #[must_use]
    #[cold]
    pub fn new(kind: K, at: Location) -> Error<K> {
        Error(Box::new((kind, at)))
    }

    /// Returns the cause.
    #[must_use]
    pub fn kind(&self) -> &K {
        &self.0.0
    }

    /// Returns the location.
    #[must_use]
    pub fn location(&self) -> Location {
        self.0.1
    }

    /// Returns the extent of the failure.
    #[must_use]
    pub fn scope(&self) -> Scope {
        self.kind().scope()
    }

    /// Returns whether strict reading refused a deviation.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        self.kind().is_strict()
    }

    /// Returns the error of this kind at another location, for a cause that was found before its
    /// place in a file was known.
    #[must_use]
    pub fn moved_to(self, at: Location) -> Error<K> {
        self.relocate(&|_| at)
    }
}

impl<K: ErrorKind> Locate for Error<K> {
    fn relocate(mut self, change: &dyn Fn(Location) -> Location) -> Error<K> {
        let (kind, at) = &mut *self.0;
        relocate(kind, at, change);
        self
    }
}

/// Changes the location of an error, and of the warning that it may hold.
fn relocate(kind: &mut dyn ErrorKind, at: &mut Location, change: &dyn Fn(Location) -> Location) {
    *at = change(*at);
    if let Some(warning) = kind.warning_mut() {
        warning.at = *at;
    }
}

impl<K: ErrorKind + From<io::Error>> Error<K> {
    /// Converts an I/O error into an error at this location. Use it with `map_err`.
    pub fn io(at: Location) -> impl Fn(io::Error) -> Error<K> {
        move |error| Error::new(K::from(error), at)
    }
}

/// Converts a warning in strict mode, so that a format can write `diagnostics.note(quirk, place)?`.
impl<K: ErrorKind + From<Warning>> From<Warning> for Error<K> {
    fn from(warning: Warning) -> Error<K> {
        Error::new(K::from(warning), warning.at)
    }
}

impl<K: ErrorKind> fmt::Display for Error<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.1, Message(&self.0.0))
    }
}

impl<K: fmt::Debug> fmt::Debug for Error<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error").field("kind", &self.0.0).field("at", &self.0.1).finish()
    }
}

impl<K: ErrorKind> std::error::Error for Error<K> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.kind().source()
    }
}

/// Returns the system message for an I/O error without the error number: `No such file or
/// directory`.
#[must_use]
pub fn system_message(error: &io::Error) -> String {
    const NUMBER: &str = " (os error ";
    let text = error.to_string();
    let mut message = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once(NUMBER) {
        message.push_str(before);
        let end = after.trim_start_matches(['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        rest = match end.strip_prefix(')') {
            Some(end) => end,
            None => {
                message.push_str(NUMBER);
                after
            }
        };
    }
    message.push_str(rest);
    message
}

/// Displays an error kind. An I/O error is shown without its number.
struct Message<'a, K: ?Sized>(&'a K);

impl<K: ErrorKind + ?Sized> fmt::Display for Message<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.io() {
            Some(error) => f.write_str(&system_message(error)),
            None => fmt::Display::fmt(self.0, f),
        }
    }
}

/// An error of any format. The [erased traits](crate::erased) return it.
pub struct AnyError(Box<Erased>);

struct Erased {
    kind: Box<dyn ErrorKind>,
    at: Location,
}

impl AnyError {
    /// Returns the location.
    #[must_use]
    pub fn location(&self) -> Location {
        self.0.at
    }

    /// Returns the extent of the failure.
    #[must_use]
    pub fn scope(&self) -> Scope {
        self.0.kind.scope()
    }

    /// Returns the cause, if the error belongs to this format: `error.kind::<scid::ErrorKind>()`.
    #[must_use]
    pub fn kind<K: ErrorKind>(&self) -> Option<&K> {
        let kind: &dyn std::error::Error = &*self.0.kind;
        kind.downcast_ref()
    }

    /// Returns the I/O error, if that is the cause.
    #[must_use]
    pub fn io(&self) -> Option<&io::Error> {
        self.0.kind.io()
    }

    /// Returns whether the file may be intact, but has a version or a compression that its reader
    /// does not support, or is encrypted. An I/O error of the kind `Unsupported` counts.
    #[must_use]
    pub fn is_unsupported(&self) -> bool {
        let is_unsupported = |error: &io::Error| error.kind() == io::ErrorKind::Unsupported;
        self.0.kind.is_unsupported() || self.io().is_some_and(is_unsupported)
    }

    /// Returns the cause without the location.
    #[must_use]
    pub fn message(&self) -> impl fmt::Display + '_ {
        Message(&*self.0.kind)
    }
}

impl Locate for AnyError {
    fn relocate(mut self, change: &dyn Fn(Location) -> Location) -> AnyError {
        let Erased { kind, at } = &mut *self.0;
        relocate(&mut **kind, at, change);
        self
    }
}

impl<K: ErrorKind> From<Error<K>> for AnyError {
    fn from(error: Error<K>) -> AnyError {
        let (kind, at) = *error.0;
        AnyError(Box::new(Erased { kind: Box::new(kind), at }))
    }
}

/// A warning as an error, for code that belongs to no format.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.message)]
struct Refused(Warning);

impl ErrorKind for Refused {
    fn scope(&self) -> Scope {
        if self.0.at.game.is_some() { Scope::Game } else { Scope::Base }
    }

    fn warning_mut(&mut self) -> Option<&mut Warning> {
        Some(&mut self.0)
    }
}

impl From<Warning> for AnyError {
    fn from(warning: Warning) -> AnyError {
        Error::new(Refused(warning), warning.at).into()
    }
}

impl fmt::Display for AnyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.at, self.message())
    }
}

impl fmt::Debug for AnyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyError").field("kind", &self.0.kind).field("at", &self.0.at).finish()
    }
}

impl std::error::Error for AnyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.kind.source()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_message_of_os_error_has_no_number() {
        let absent = std::fs::File::open("no such file").unwrap_err();
        assert!(absent.to_string().contains("os error"));
        assert!(!system_message(&absent).contains("os error"));
        let wrapped = io::Error::other(format!("cannot open x: {absent}; try again"));
        let expected = format!("cannot open x: {}; try again", system_message(&absent));
        assert_eq!(system_message(&wrapped), expected);
        for text in ["plain", " (os error x)", "(os error 2", "a (os error 7) (os error 8)b"] {
            let message = system_message(&io::Error::other(text));
            let expected = if text.starts_with('a') { "ab" } else { text };
            assert_eq!(message, expected);
        }
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
    fn display_error_shows_location_once() {
        let error = Error::new(Broken, Location::file("x").at(3));
        assert_eq!(error.to_string(), ".x, byte 3: broken");
        let any = AnyError::from(error);
        assert_eq!(any.to_string(), ".x, byte 3: broken");
        assert_eq!((any.scope(), any.message().to_string()), (Scope::Game, "broken".into()));
        assert!(any.kind::<Broken>().is_some() && any.kind::<crate::OptionError>().is_none());
        assert_eq!(size_of::<AnyError>(), size_of::<usize>());
    }
}
