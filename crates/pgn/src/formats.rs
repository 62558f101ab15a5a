//! The registration of the format.

use std::io;

use chess_store as store;
use chess_store::erased::{self, Creator, Format, Opener};
use chess_store::{AnyError, StreamInput, TypedOptions};

use crate::cutter::Cutter;
use crate::options::{CreateOptions, OpenOptions};
use crate::probe::probe;
use crate::writer::Writer;

/// The formats of this crate.
pub const FORMATS: &[Format] = &[Format::new("pgn", "Portable Game Notation", &["pgn"], probe)
    .opened_by(Opener::Source(open), OpenOptions::LIST)
    .created_by(Creator::Sink(create), CreateOptions::LIST)];

fn open(
    source: StreamInput,
    options: &store::OpenOptions,
) -> Result<Box<dyn erased::Source>, AnyError> {
    let own: OpenOptions = options.typed()?;
    let mut cutter = Cutter::of_input(source, &own);
    cutter.begin()?;
    Ok(Box::new(cutter))
}

fn create(
    sink: Box<dyn io::Write + Send>,
    options: &store::CreateOptions,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    let own: CreateOptions = options.typed()?;
    Ok(Box::new(Writer::with_options(sink, &own)))
}
