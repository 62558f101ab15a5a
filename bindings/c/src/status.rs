//! Results of calls: a status, and an error with its place.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::io;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::Path;
use std::ptr::null_mut;
use std::sync::Once;

use scoresheet::chess_store::{AnyError, Location, OptionError, Scope, system_message};
use scoresheet::{ConvertError, describe};

use crate::text::{OneText, Text};

/// The result of a call.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The call did what it says.
    Ok = 0,
    /// A callback asked to stop.
    Cancelled = 1,
    /// A game or a part of the base is damaged. The function says which part can be read.
    Damaged = 2,
    /// An argument is NULL, has an unknown name, or has a value that cannot be understood.
    BadArgument = 3,
    /// There is no game, tag or item with this number.
    OutOfRange = 4,
    /// There is no such file.
    NotFound = 5,
    /// The system cannot read or write a file.
    Io = 6,
    /// The file has no known format, or the format cannot do this.
    Unsupported = 7,
    /// The base as a whole cannot be read.
    Broken = 8,
    /// The output exists, and nobody asked to replace it.
    Exists = 9,
    /// The target format cannot hold the game. In a strict conversion: cannot hold all of it.
    Refused = 10,
    /// A fault of this library. Please report it.
    Internal = 11,
}

/// The value of a place that is not known.
pub(crate) const NONE: u64 = u64::MAX;

/// A place in the files of a base. All numbers count from zero. A number that is not known is
/// `SCORESHEET_NONE`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The byte in the file.
    pub offset: u64,
    /// The number of the game.
    pub game: u64,
    /// The number of half-moves played before this place, on its line.
    pub ply: u64,
    /// The line of a text file.
    pub line: u64,
    /// The byte in the line of a text file.
    pub column: u64,
}

impl From<Location> for Place {
    fn from(at: Location) -> Place {
        Place {
            offset: at.offset.unwrap_or(NONE),
            game: at.game.unwrap_or(NONE),
            ply: at.ply.map_or(NONE, u64::from),
            line: at.line.unwrap_or(NONE),
            column: at.column.unwrap_or(NONE),
        }
    }
}

/// The failure of a call, before C sees it.
#[derive(Clone, Debug)]
pub(crate) struct Failure(Box<Details>);

#[derive(Clone, Debug)]
struct Details {
    status: Status,
    message: String,
    file: String,
    at: Location,
}

impl Failure {
    /// Creates a failure without a place.
    pub(crate) fn new(status: Status, message: impl fmt::Display) -> Failure {
        let message = message.to_string();
        let (file, at) = (String::new(), Location::default());
        Failure(Box::new(Details { status, message, file, at }))
    }

    /// An argument that cannot be used.
    pub(crate) fn argument(message: impl fmt::Display) -> Failure {
        Failure::new(Status::BadArgument, message)
    }

    /// An argument that is NULL.
    pub(crate) fn null(name: &str) -> Failure {
        Failure::argument(format_args!("{name} is NULL"))
    }

    pub(crate) fn cancelled() -> Failure {
        Failure::new(Status::Cancelled, "the callback asked to stop")
    }

    /// Returns the failure as damage of one game.
    pub(crate) fn as_damage(&self) -> Failure {
        self.clone().with_status(Status::Damaged)
    }

    fn with_status(mut self, status: Status) -> Failure {
        self.0.status = status;
        self
    }

    pub(crate) fn in_file(mut self, path: &Path) -> Failure {
        self.0.file = path.display().to_string();
        self
    }

    /// An error of the system.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Failure {
        let text = format!("{}: {}", path.display(), system_message(error));
        Failure::new(io_status(error), text).in_file(path)
    }

    /// The error of a format, about a game or a base.
    pub(crate) fn of(path: &Path, error: &AnyError) -> Failure {
        let status = if let Some(error) = error.io() {
            io_status(error)
        } else if error.kind::<OptionError>().is_some() {
            Status::BadArgument
        } else if error.is_unsupported() {
            Status::Unsupported
        } else if error.scope() == Scope::Game {
            Status::Damaged
        } else {
            Status::Broken
        };
        let mut failure = Failure::new(status, describe(path, error)).in_file(path);
        failure.0.at = error.location();
        failure
    }

    /// The error of a writer, about a game or a base.
    pub(crate) fn written(path: &Path, error: &AnyError) -> Failure {
        let failure = Failure::of(path, error);
        match failure.0.status {
            Status::Damaged => failure.with_status(Status::Refused),
            Status::Broken => failure.with_status(Status::Io),
            _ => failure,
        }
    }

    pub(crate) fn conversion(error: &ConvertError, input: &Path, output: &Path) -> Failure {
        match error {
            ConvertError::Read(error) => Failure::of(input, error),
            ConvertError::Write(error) => Failure::written(output, error),
            ConvertError::Output(warning) => {
                let text = scoresheet::describe_warning(output, warning);
                Failure::new(Status::Refused, text).in_file(output)
            }
            other => {
                let text = format!("{}: {other}", input.display());
                Failure::new(Status::Refused, text).in_file(input)
            }
        }
    }

    fn panicked(panic: &(dyn Any + Send)) -> Failure {
        let why = panic.downcast_ref::<&str>().copied();
        let why = why.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let why = why.unwrap_or("no reason was given");
        Failure::new(Status::Internal, format_args!("a fault of the library: {why}"))
    }
}

fn io_status(error: &io::Error) -> Status {
    match error.kind() {
        io::ErrorKind::NotFound => Status::NotFound,
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => Status::Broken,
        io::ErrorKind::Unsupported => Status::Unsupported,
        _ => Status::Io,
    }
}

impl From<scoresheet::Error> for Failure {
    fn from(error: scoresheet::Error) -> Failure {
        match &error {
            scoresheet::Error::Base { path, error } => Failure::of(path, error),
            scoresheet::Error::Io { path, error } => Failure::io(path, error),
            other => Failure::new(Status::Unsupported, other).in_file(other.path()),
        }
    }
}

/// The failure of a call. Free it with `scoresheet_error_free`.
pub struct Error {
    status: Status,
    message: OneText,
    file: OneText,
    part: OneText,
    place: Place,
}

impl From<&Failure> for Error {
    fn from(Failure(details): &Failure) -> Error {
        Error {
            status: details.status,
            message: (&*details.message).into(),
            file: (&*details.file).into(),
            part: details.at.file.into(),
            place: details.at.into(),
        }
    }
}

thread_local! {
    /// Whether this thread is inside a call, where a panic becomes a status.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Keeps the message of a panic from being printed: the error has it. This library has a copy of
/// Rust's runtime of its own, so that the hook concerns no other code of a C program.
fn silence() {
    static SILENCED: Once = Once::new();
    SILENCED.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !INSIDE.get() {
                usual(panic);
            }
        }));
    });
}

/// Runs the body of a call. A panic becomes a failure: nothing unwinds into C.
pub(crate) fn caught<T>(run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    silence();
    let before = INSIDE.replace(true);
    let done = catch_unwind(AssertUnwindSafe(run));
    INSIDE.set(before);
    done.unwrap_or_else(|panic| Err(Failure::panicked(&*panic)))
}

/// Runs the body of a call that reports its failure in `error`, unless that is NULL.
pub(crate) fn call(
    error: Option<&mut MaybeUninit<*mut Error>>,
    run: impl FnOnce() -> Result<(), Failure>,
) -> Status {
    let (status, made) = match caught(run) {
        Ok(()) => (Status::Ok, null_mut()),
        Err(failure) if error.is_none() => (failure.0.status, null_mut()),
        Err(failure) => (failure.0.status, Box::into_raw(Box::new(Error::from(&failure)))),
    };
    if let Some(error) = error {
        error.write(made);
    }
    status
}

/// Runs the body of a call that has no error to report. Returns `otherwise` if it fails.
pub(crate) fn ask<T>(otherwise: T, run: impl FnOnce() -> Option<T>) -> T {
    caught(|| Ok(run())).ok().flatten().unwrap_or(otherwise)
}

/// Returns an argument of C that must not be NULL.
///
/// # Errors
/// The argument is NULL.
pub(crate) fn needed<T>(argument: Option<T>, name: &str) -> Result<T, Failure> {
    argument.ok_or_else(|| Failure::null(name))
}

/// Creates a handle and puts it in the place `out`, which is NULL after an error.
pub(crate) fn create<T>(
    out: Option<&mut MaybeUninit<*mut T>>,
    name: &str,
    error: Option<&mut MaybeUninit<*mut Error>>,
    make: impl FnOnce() -> Result<T, Failure>,
) -> Status {
    call(error, || {
        let out = needed(out, name)?;
        out.write(std::ptr::null_mut());
        out.write(Box::into_raw(Box::new(make()?)));
        Ok(())
    })
}

/// Frees a handle whose destructor may panic.
pub(crate) fn free<T>(handle: Option<Box<T>>) {
    ask((), || {
        drop(handle);
        Some(())
    });
}

/// Returns the status of an error. `SCORESHEET_STATUS_OK` for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_error_status(error: Option<&Error>) -> Status {
    error.map_or(Status::Ok, |error| error.status)
}

/// Returns the message of an error: one line with file, place and cause.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_error_message(error: Option<&Error>) -> Text {
    error.map_or(Text::NONE, |error| error.message.view())
}

/// Returns the file that was named, if the error concerns a file. Otherwise the text is empty.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_error_file(error: Option<&Error>) -> Text {
    error.map_or(Text::NONE, |error| error.file.view())
}

/// Returns the file of the base that `scoresheet_error_place` refers to, by its usual extension, such
/// as `sg4`. Empty if it is the named file or not known.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_error_part(error: Option<&Error>) -> Text {
    error.map_or(Text::NONE, |error| error.part.view())
}

/// Returns the place of an error: byte, game, half-move, line, column. The message counts games,
/// half-moves and lines from one, the place counts them from zero.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_error_place(error: Option<&Error>) -> Place {
    error.map_or(Location::default().into(), |error| error.place)
}

/// Frees an error. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_error_free(error: Option<Box<Error>>) {
    drop(error);
}

/// Returns the name of a status, such as `damaged`, as a text that ends with a zero byte and is never
/// freed. `unknown` for a number that is no status.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_status_name(status: i32) -> *const std::ffi::c_char {
    const NAMES: [(Status, &std::ffi::CStr); 12] = [
        (Status::Ok, c"ok"),
        (Status::Cancelled, c"cancelled"),
        (Status::Damaged, c"damaged"),
        (Status::BadArgument, c"bad argument"),
        (Status::OutOfRange, c"out of range"),
        (Status::NotFound, c"not found"),
        (Status::Io, c"input or output"),
        (Status::Unsupported, c"unsupported"),
        (Status::Broken, c"broken"),
        (Status::Exists, c"exists"),
        (Status::Refused, c"refused"),
        (Status::Internal, c"internal"),
    ];
    let name = NAMES.iter().find(|(known, _)| *known as i32 == status);
    name.map_or(c"unknown", |(_, name)| name).as_ptr()
}
