//! Options by name, for opening and for writing.

use std::mem::MaybeUninit;

use scoresheet::changes::{Addition, Changes, Strip};
use scoresheet::chess_store::{Encoding, Settings};
use scoresheet::{CreateOptions, Format, OpenOptions, format_named};

use crate::ffi::CText;
use crate::status::{Error, Failure, call, needed};
use crate::text::given;

/// Options by name, as the program has them. An empty set means the defaults.
#[derive(Debug, Default)]
pub struct Options {
    given: Vec<(String, String)>,
}

/// Creates an empty set of options. Free it with `scoresheet_options_free`. NULL in place of options
/// means the defaults, too.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_options_new() -> *mut Options {
    Box::into_raw(Box::default())
}

/// Adds an option. A later value of the same name replaces an earlier one.
///
/// To open a base: `format` (a name of `scoresheet_format_at`), `encoding` (`windows-1252`),
/// `password` (of a `.cbz`), `strict` (`yes`: the first deviation is an error), `max-unpacked` (bytes),
/// `threads` (of searches, checks and conversions).
///
/// To write a base: `format`, `encoding`, `overwrite` (`yes`), `strict` (`yes`: damage, refusals and
/// losses are errors), `drop-damaged` (`yes`), `threads`, `strip`, `add`, `from-ply` and `plies`, as
/// the options of `scoresheet convert`.
///
/// All other names are options of the format. Names and values are checked where they are used.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_options_set(
    options: Option<&mut Options>,
    name: CText<'_>,
    value: CText<'_>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> crate::Status {
    call(error, || {
        let options = needed(options, "options")?;
        let pair = (given(name, "name")?, given(value, "value")?);
        options.given.retain(|(name, _)| *name != pair.0);
        options.given.push(pair);
        Ok(())
    })
}

/// Frees options. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_options_free(options: Option<Box<Options>>) {
    drop(options);
}

/// The options for opening a base.
#[derive(Clone, Debug, Default)]
pub(crate) struct Opening {
    pub(crate) format: Option<&'static Format>,
    pub(crate) open: OpenOptions,
    pub(crate) threads: Option<usize>,
}

impl Opening {
    pub(crate) fn new(options: Option<&Options>) -> Result<Opening, Failure> {
        let mut opening = Opening::default();
        for (name, value) in options.map(|options| &*options.given).unwrap_or_default() {
            let open = &mut opening.open;
            match &**name {
                "format" => opening.format = Some(format(value)?),
                "encoding" => open.encoding = Some(encoding(value)?),
                "strict" => open.strict = yes_or_no(name, value)?,
                "max-unpacked" => open.max_unpacked = Some(number(name, value)?),
                "threads" => opening.threads = Some(threads(value)?),
                _ => open.settings.set(name, value),
            }
        }
        Ok(opening)
    }
}

/// The options for writing a base.
#[derive(Debug, Default)]
pub(crate) struct Writing {
    pub(crate) format: Option<&'static Format>,
    encoding: Option<Encoding>,
    settings: Settings,
    pub(crate) overwrite: bool,
    pub(crate) strict: bool,
    pub(crate) drop_damaged: bool,
    pub(crate) threads: Option<usize>,
    pub(crate) changes: Changes,
}

impl Writing {
    pub(crate) fn new(options: Option<&Options>) -> Result<Writing, Failure> {
        let mut writing = Writing::default();
        for (name, value) in options.map(|options| &*options.given).unwrap_or_default() {
            let changes = &mut writing.changes;
            let wrong = |error| Failure::argument(format_args!("{name}: {error}"));
            match &**name {
                "format" => writing.format = Some(format(value)?),
                "encoding" => writing.encoding = Some(encoding(value)?),
                "overwrite" => writing.overwrite = yes_or_no(name, value)?,
                "strict" => writing.strict = yes_or_no(name, value)?,
                "drop-damaged" => writing.drop_damaged = yes_or_no(name, value)?,
                "threads" => writing.threads = Some(threads(value)?),
                "strip" => changes.strip = Strip::list(value).map_err(wrong)?,
                "add" => changes.add = Addition::list(value).map_err(wrong)?,
                "from-ply" => changes.from_ply = Some(number(name, value)?),
                "plies" => changes.plies = Some(number(name, value)?),
                _ => writing.settings.set(name, value),
            }
        }
        Ok(writing)
    }

    /// Returns the options for creating a base of `format`.
    pub(crate) fn create(&self, format: &Format) -> CreateOptions {
        let mut create = CreateOptions::default();
        create.encoding = self.encoding;
        let has_threads = format.create_options.iter().any(|option| option.name == "threads");
        if let Some(threads) = self.threads.filter(|_| has_threads) {
            create.settings.set("threads", threads.to_string());
        }
        for (name, value) in self.settings.iter() {
            create.settings.set(name, value);
        }
        create
    }
}

/// The options for rows of a table.
#[cfg(feature = "arrow")]
pub(crate) struct Tabling {
    pub(crate) selection: scoresheet::tables::Selection,
    pub(crate) strict: bool,
    pub(crate) threads: Option<usize>,
    pub(crate) batch_rows: Option<usize>,
}

#[cfg(feature = "arrow")]
impl Tabling {
    pub(crate) fn new(options: Option<&Options>) -> Result<Tabling, Failure> {
        use scoresheet::chess_store::TypedOptions as _;
        let mut columns = scoresheet::tables::CreateOptions::default();
        let (mut strict, mut number_of_threads, mut batch_rows) = (false, None, None);
        for (name, value) in options.map(|options| &*options.given).unwrap_or_default() {
            match &**name {
                "strict" => strict = yes_or_no(name, value)?,
                "threads" => number_of_threads = Some(threads(value)?),
                "batch-rows" => batch_rows = Some(number(name, value)?),
                "rows" | "columns" | "time-unit" | "min-ply" | "max-ply" => {
                    if !columns.set(name, value) {
                        return Err(Failure::argument(format_args!("{name} is not {value:?}")));
                    }
                }
                _ => return Err(Failure::argument(format_args!("a stream has no option {name}"))),
            }
        }
        let selection = columns.selection().map_err(|error| Failure::argument(error.kind()))?;
        Ok(Tabling { selection, strict, threads: number_of_threads, batch_rows })
    }
}

fn format(name: &str) -> Result<&'static Format, Failure> {
    format_named(name).ok_or_else(|| {
        let names: Vec<&str> = scoresheet::formats().map(|format| format.name).collect();
        Failure::argument(format_args!(
            "no format is called {name:?}; they are {}",
            names.join(", ")
        ))
    })
}

fn encoding(label: &str) -> Result<Encoding, Failure> {
    let unknown = || Failure::argument(format_args!("no encoding is called {label:?}"));
    Encoding::from_label(label).ok_or_else(unknown)
}

fn yes_or_no(name: &str, value: &str) -> Result<bool, Failure> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(Failure::argument(format_args!("{name} is yes or no, and not {value:?}"))),
    }
}

fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, Failure> {
    let wrong = |_| Failure::argument(format_args!("{name} is a number, and not {value:?}"));
    value.parse().map_err(wrong)
}

fn threads(value: &str) -> Result<usize, Failure> {
    let threads: u16 = number("threads", value)?;
    Ok(usize::from(threads.max(1)))
}
