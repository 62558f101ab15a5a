//! The built program, as people run it.

mod choosing;
mod conversion;
mod editing;
mod every_format;
mod facts;
mod failures;
mod json;
mod junk;

mod place;
mod reading;
mod session;
mod sparing;
#[cfg(unix)]
mod strangers;
#[cfg(unix)]
mod terminal;
