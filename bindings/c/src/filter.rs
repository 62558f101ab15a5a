//! Filters in the words of the program's options.

use std::mem::MaybeUninit;

use scoresheet::Filter as Criteria;
use scoresheet::filter::NamedError;

use crate::ffi::{CNumbers, CText};
use crate::status::{Error, Failure, Status, call, needed};
use crate::text::given;

/// Criteria that select games. An empty filter, or NULL in place of a filter, selects all games.
#[derive(Debug, Default)]
pub struct Filter {
    given: Vec<(String, String)>,
    numbers: Option<Vec<u64>>,
}

impl Filter {
    /// Builds the filter.
    ///
    /// # Errors
    /// A criterion that needs another one, such as `against` without `player`.
    pub(crate) fn criteria(filter: Option<&Filter>) -> Result<Criteria, Failure> {
        let Some(filter) = filter else { return Ok(Criteria::default()) };
        let pairs = filter.given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let criteria = Criteria::named(pairs).map_err(Failure::argument)?;
        Ok(match &filter.numbers {
            Some(numbers) => criteria.only_games(numbers.clone()),
            None => criteria,
        })
    }

    fn add(&mut self, name: String, value: String) -> Result<(), Failure> {
        match Criteria::named([(&*name, &*value)]) {
            // The criterion that these need may follow.
            Ok(_) | Err(NamedError::NoPosition | NamedError::NoPlayer(_) | NamedError::NoBoard) => {
            }
            Err(error) => return Err(Failure::argument(error)),
        }
        self.given.push((name, value));
        Ok(())
    }
}

/// Creates a filter that selects all games. Free it with `scoresheet_filter_free`.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_filter_new() -> *mut Filter {
    Box::into_raw(Box::default())
}

/// Adds a criterion: the name and the value of an option of the program, such as `player` and
/// `carlsen m`, `date` and `2019-05..2021`, or `position` and a FEN. `exact`, `variations`, `deleted`
/// and `annotated` take `yes` or `no`. `games` counts games from one, as the program does.
///
/// A name that is added twice means "or"; different names must all hold.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_filter_add(
    filter: Option<&mut Filter>,
    name: CText<'_>,
    value: CText<'_>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    call(error, || {
        let filter = needed(filter, "filter")?;
        filter.add(given(name, "name")?, given(value, "value")?)
    })
}

/// Adds a criterion that is written as one word: `player=carlsen m`. The first `=` ends the name.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_filter_add_word(
    filter: Option<&mut Filter>,
    word: CText<'_>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    call(error, || {
        let filter = needed(filter, "filter")?;
        let word = given(word, "word")?;
        let Some((name, value)) = word.split_once('=') else {
            return Err(Failure::argument(format_args!("{word:?} is not NAME=VALUE")));
        };
        filter.add(name.to_owned(), value.to_owned())
    })
}

/// Selects only games with these numbers, which count from zero. A second call replaces the numbers of the
/// first. `numbers` may be NULL if `count` is 0; then no game is selected. The numbers are copied.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_filter_only_games(
    filter: Option<&mut Filter>,
    numbers: CNumbers,
    count: usize,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    call(error, || {
        let filter = needed(filter, "filter")?;
        let wrong = || Failure::argument("numbers is NULL or misaligned, or count is too large");
        filter.numbers = Some(numbers.copy(count).ok_or_else(wrong)?);
        Ok(())
    })
}

/// Frees a filter. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_filter_free(filter: Option<Box<Filter>>) {
    drop(filter);
}
