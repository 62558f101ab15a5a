//! A report in all its forms.

use serde_json::{Map, Value};

use crate::numbers::grouped;
use crate::page::Page;

/// The forms of a report.
pub trait Forms {
    /// Returns the report as tables for people.
    fn page(&self) -> Page;

    /// Returns the report as an object of JSON.
    fn json(&self) -> Map<String, Value>;

    /// Returns the lines of comma-separated values, the names of the columns first.
    fn csv(&self) -> Vec<Vec<String>>;
}

/// The games that a report counts.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// The name of the file, or the number of files.
    pub source: String,
    /// The games that were selected.
    pub selected: u64,
    /// All games that were read.
    pub seen: u64,
    /// The selected games that are damaged.
    pub damaged: u64,
    /// The games that the filter could not decide.
    pub undecided: u64,
}

impl Counted {
    /// Returns `1,212 games of 103,087 in twic.si4`.
    pub(crate) fn text(&self) -> String {
        let Counted { source, selected, seen, .. } = self;
        let noun = if *seen == 1 { "game" } else { "games" };
        match selected == seen {
            true => format!("{} {noun} in {source}", grouped(*seen)),
            false => format!("{} of {} {noun} in {source}", grouped(*selected), grouped(*seen)),
        }
    }

    /// Inserts the counts that every report has.
    pub(crate) fn insert_into(&self, object: &mut Map<String, Value>) {
        object.insert("selected".into(), self.selected.into());
        object.insert("seen".into(), self.seen.into());
        object.insert("damaged".into(), self.damaged.into());
        if self.undecided > 0 {
            object.insert("undecided".into(), self.undecided.into());
        }
    }
}

/// Returns the note about the rows that a limit leaves out.
pub(crate) fn left_out(all: usize, most: usize) -> Option<String> {
    let more = all.saturating_sub(most);
    (more > 0).then(|| format!("… {} more", grouped(more as u64)))
}

/// Inserts a list, and how many entries the limit leaves out.
pub(crate) fn insert_list<T>(
    object: &mut Map<String, Value>,
    name: &str,
    list: &[T],
    most: usize,
    value: impl Fn(&T) -> Value,
) {
    object.insert(name.into(), list.iter().take(most).map(value).collect());
    let more = list.len().saturating_sub(most);
    if more > 0 {
        object.insert(format!("{name}_left_out"), more.into());
    }
}
