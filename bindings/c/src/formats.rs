//! The formats that the library knows.

use std::mem::MaybeUninit;
use std::sync::OnceLock;

use scoresheet::Filter;

use crate::status::{Status, ask};
use crate::text::{Span, Text, Texts};

/// A format. Its texts are never freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Format {
    /// A short name in lower case: `si4`.
    pub name: Text,
    /// A name for people: `Scid 4`.
    pub title: Text,
    /// The extensions of its files, with blanks between them: `si4 sg4 sn4`. The first names a base.
    pub extensions: Text,
    /// Whether bases can be read.
    pub can_read: bool,
    /// Whether bases can be written.
    pub can_write: bool,
    /// Whether bases can be changed in place, by the program.
    pub can_edit: bool,
}

#[derive(Default)]
struct Known {
    texts: Texts,
    /// The name, title and extensions of each format, in the order of `scoresheet::formats`.
    formats: Vec<[Span; 3]>,
    filters: Vec<Span>,
}

fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let mut known = Known::default();
        for format in scoresheet::formats() {
            let texts = [format.name, format.title, &format.extensions.join(" ")];
            known.formats.push(texts.map(|text| known.texts.add(text)));
        }
        known.filters = Filter::names().map(|name| known.texts.add(name)).collect();
        known
    })
}

/// Returns the number of formats.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_format_count() -> usize {
    ask(0, || Some(known().formats.len()))
}

/// Describes a format; `index` counts from zero.
///
/// `SCORESHEET_STATUS_OUT_OF_RANGE`: there is no such format, and `format` stays as it is.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_format_at(
    index: usize,
    format: Option<&mut MaybeUninit<Format>>,
) -> Status {
    let Some(out) = format else { return Status::BadArgument };
    ask(Status::OutOfRange, || {
        let known = known();
        let [name, title, extensions] =
            known.formats.get(index)?.map(|span| known.texts.view(span));
        let format = scoresheet::formats().nth(index)?;
        out.write(Format {
            name,
            title,
            extensions,
            can_read: format.open.is_some(),
            can_write: format.create.is_some(),
            can_edit: format.edit.is_some(),
        });
        Some(Status::Ok)
    })
}

/// Returns the number of criteria that a filter knows.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_filter_name_count() -> usize {
    Filter::names().count()
}

/// Returns the name of a criterion for `scoresheet_filter_add`; `index` counts from zero. No text if there
/// is no such criterion. The text is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_filter_name_at(index: usize) -> Text {
    ask(Text::NONE, || {
        let known = known();
        known.filters.get(index).map(|name| known.texts.view(*name))
    })
}
