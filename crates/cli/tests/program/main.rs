//! Tests of the built program.

mod answers;
mod arranging;
#[cfg(unix)]
mod attacked;
mod books;
mod broken_packing;
mod changing;
mod choosing;
mod codes;
mod collections;
mod conversion;
mod editing;
mod every_format;
mod everyday;
mod exploring;
mod facts;
mod failures;
mod indexing;
mod json;
mod junk;
#[cfg(unix)]
mod links;
mod messages;
mod names;

mod overwriting;
mod place;
mod position_index;
mod printing;
mod reading;
mod reporting;
mod sampling;
mod scripts;
mod session;
#[cfg(unix)]
mod signals;
mod spelling;
#[cfg(unix)]
mod strangers;
#[cfg(unix)]
mod temporary;
#[cfg(unix)]
mod terminal;
mod verdicts;
