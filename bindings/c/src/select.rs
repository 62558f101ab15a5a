//! Searches for games.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ops::ControlFlow;

use crate::base::Base;
use crate::filter::Filter;
use crate::status::{Error, Failure, NONE, Status, create, needed};
use crate::{Progress, Watcher};

/// The numbers of the games that a search found, in rising order. It takes eight bytes a game.
#[derive(Debug)]
pub struct Selection {
    numbers: Vec<u64>,
    undecided: u64,
}

/// Searches a base for the games that `filter` selects, on all cores. Names, dates and most positions are searched
/// in the index of the base. `filter` may be NULL, which selects all games. `progress` may be NULL.
///
/// `*selection` is NULL after a failure. Free it with `scoresheet_selection_free`.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_select(
    base: Option<&Base>,
    filter: Option<&Filter>,
    progress: Progress,
    context: *mut c_void,
    selection: Option<&mut MaybeUninit<*mut Selection>>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    create(selection, "selection", error, || {
        select(needed(base, "base")?, filter, Watcher::new(progress, context))
    })
}

fn select(base: &Base, filter: Option<&Filter>, watcher: Watcher) -> Result<Selection, Failure> {
    let criteria = Filter::criteria(filter)?;
    let mut games = base.in_order()?;
    let (mut numbers, mut stopped) = (Vec::new(), false);
    base.scanner().filter(criteria.clone()).run_watched(
        &mut games,
        |scanned| {
            numbers.push(scanned.number);
            Ok::<_, scoresheet::Error>(ControlFlow::Continue(()))
        },
        |reached| {
            let told = watcher.reached(reached);
            stopped |= told.is_break();
            told
        },
    )?;
    if stopped {
        return Err(Failure::cancelled());
    }
    Ok(Selection { numbers, undecided: criteria.undecided() })
}

/// Returns the number of games found.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_selection_count(selection: Option<&Selection>) -> usize {
    selection.map_or(0, |selection| selection.numbers.len())
}

/// Returns the number of the game at `index` of the selection. Both count from zero. `SCORESHEET_NONE` if
/// there is no such game.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_selection_at(selection: Option<&Selection>, index: usize) -> u64 {
    selection.and_then(|selection| selection.numbers.get(index)).copied().unwrap_or(NONE)
}

/// Returns the numbers of all games found. The array belongs to the selection.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_selection_numbers(selection: Option<&Selection>) -> *const u64 {
    selection.map_or(std::ptr::null(), |selection| selection.numbers.as_ptr())
}

/// Returns how many games were not selected only because their date is partly known and can be inside or outside
/// the range.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_selection_undecided(selection: Option<&Selection>) -> u64 {
    selection.map_or(0, |selection| selection.undecided)
}

/// Frees a selection. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_selection_free(selection: Option<Box<Selection>>) {
    drop(selection);
}
