//! Searches by index entries and by the moves of a record. (dcg §4.2 "Searches")

use std::fmt::Write as _;
use std::ops::Range;

use chess_core::Elo;
use chess_store::io::ReadAt;
use chess_store::{Diagnostics, IndexRows, IndexSummary, NameField, Query, SearchIndex, Walk};

use crate::database::{Database, State};
use crate::header::{date_of, eco_of, result_of};
use crate::index::IndexEntry;
use crate::layout::{MAGIC_SIZE, NAME_STEP, NO_NAME};
use crate::line::walk;

impl<R: ReadAt + Send + Sync> SearchIndex for Database<R> {
    fn prefilter(&self, state: &mut State, range: Range<u64>, _: &Query, rows: &mut IndexRows) {
        // No entry rules out a position.
        let layout = self.entries.layout;
        let size = usize::try_from(layout.entry_size()).unwrap_or(0);
        let place = (layout.entry_offset(range.start), size);
        state.read_ahead.each_entry(&self.index, place, range, |game, bytes| {
            rows.push_with(game, || IndexEntry::parse(bytes, layout).as_ref().and_then(summary_of));
        });
    }

    fn summarize(&self, state: &mut State, game: u64) -> Option<IndexSummary> {
        let entry = self.entries.read(&state.index_file(&self.index), game).ok()?;
        summary_of(&entry)
    }

    fn walk_main_line(&self, state: &mut State, game: u64, each: &mut Walk<'_>) -> bool {
        self.entry_and_record(state, game).is_ok_and(|(_, record)| {
            record.complete().is_ok() && walk(record.body, self.numbering.promotions, each)
        })
    }

    fn name(&self, _: &mut State, field: NameField, id: u32, name: &mut String) {
        name.clear();
        name.push('?');
        let file = match field {
            NameField::White | NameField::Black => Some(&self.names.players),
            NameField::Site => Some(&self.names.sites),
            NameField::Event => self.names.events.as_ref(),
            NameField::Round => {
                if id > 0 {
                    name.clear();
                    // Writing to a String cannot fail.
                    let _ = write!(name, "{id}");
                }
                return;
            }
        };
        let (Some(file), Some(reference)) = (file, reference_of(id)) else { return };
        // Unreadable fields are unknown; reading the game reports them.
        let _ = file.read(reference, name, self.text, &mut Diagnostics::lenient(), 0);
    }
}

/// Summarises an entry whose names have numbers.
fn summary_of(entry: &IndexEntry) -> Option<IndexSummary> {
    let mut summary = IndexSummary::default();
    summary.names = [
        number_of(entry.white)?,
        number_of(entry.black)?,
        number_of(entry.event)?,
        number_of(entry.site)?,
        entry.round.into(),
    ];
    summary.result = result_of(entry.result).unwrap_or_default();
    summary.date = date_of(entry).0;
    summary.white_elo = Elo::new(entry.white_elo);
    summary.black_elo = Elo::new(entry.black_elo);
    summary.eco = eco_of(entry.eco);
    summary.deleted = entry.is_deleted();
    Some(summary)
}

/// Name records counted from 1; 0 for no name. `None` for a reference into the middle of a record.
fn number_of(reference: u32) -> Option<u32> {
    if reference == NO_NAME {
        return Some(0);
    }
    let offset = u64::from(reference).checked_sub(MAGIC_SIZE)?;
    let number = offset.is_multiple_of(NAME_STEP).then_some(offset / NAME_STEP)?;
    u32::try_from(number.saturating_add(1)).ok()
}

fn reference_of(number: u32) -> Option<u32> {
    let before = u64::from(number.checked_sub(1)?);
    u32::try_from(before.saturating_mul(NAME_STEP).saturating_add(MAGIC_SIZE)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_number_reference_round_trips() {
        for (reference, number) in
            [(0, Some(0)), (10, Some(1)), (46, Some(2)), (9, None), (11, None)]
        {
            assert_eq!(number_of(reference), number, "{reference}");
        }
        assert_eq!(reference_of(0), None);
        for number in [1, 2, 119_304_647] {
            assert_eq!(number_of(reference_of(number).unwrap()), Some(number));
        }
        assert_eq!(reference_of(u32::MAX), None);
    }
}
