//! The format as data.

use std::io;

use chess_store as store;
use chess_store::seam::{self, Confidence, Creator, Format, Opener};
use chess_store::{AnyError, StreamInput, TypedOptions};

use crate::cutter::{Cutter, is_utf16};
use crate::options::{CreateOptions, OpenOptions};
use crate::writer::Writer;

/// The formats of this crate.
pub const FORMATS: &[Format] = &[Format::new("pgn", "Portable Game Notation", &["pgn"], probe)
    .opened_by(Opener::Source(open), OpenOptions::LIST)
    .created_by(Creator::Sink(create), CreateOptions::LIST)];

fn open(
    source: StreamInput,
    options: &store::OpenOptions,
) -> Result<Box<dyn seam::Source>, AnyError> {
    let mut own: OpenOptions = options.settings.read()?;
    own.encoding = options.encoding;
    let mut cutter = Cutter::of_input(source, &own);
    cutter.begin()?;
    Ok(Box::new(cutter))
}

fn create(
    sink: Box<dyn io::Write + Send>,
    options: &store::CreateOptions,
) -> Result<Box<dyn seam::Writer>, AnyError> {
    let mut own: CreateOptions = options.settings.read()?;
    own.encoding = options.encoding;
    Ok(Box::new(Writer::with_options(sink, &own)))
}

/// A tag section, or movetext that starts with move 1.
fn probe(start: &[u8], extension: &str) -> Option<Confidence> {
    let utf16: Vec<u8>;
    let text = if is_utf16(start) {
        // Such a text is recognised, to be refused with the reason.
        utf16 = start.iter().copied().filter(|byte| !matches!(byte, 0 | 0xfe | 0xff)).collect();
        &utf16
    } else {
        start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start)
    };
    let text = text.trim_ascii_start();
    let tag = text.starts_with(b"[") && text.get(1).is_some_and(u8::is_ascii_alphabetic);
    match (tag || text.starts_with(b"1."), extension == "pgn") {
        (true, true) => Some(Confidence::Certain),
        (true, false) if text.starts_with(b"[Event \"") => Some(Confidence::Certain),
        (true, false) => Some(Confidence::Likely),
        (false, true) => Some(Confidence::Name),
        (false, false) => None,
    }
}
