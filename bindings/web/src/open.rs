//! The open database.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use scoresheet::chess_core::{Game, Header};
use scoresheet::chess_store::io::ReadAt;
use scoresheet::chess_store::{AnyError, Diagnostics, Encoding};
use scoresheet::{
    Base, Database, Error, Format, FoundSection, Indexed, Input, Inputs, OpenOptions,
    SectionFinder, SectionStep, TextSection, describe_warning,
};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use crate::failed;
use crate::failure::{failed_base, failed_open};
use crate::host::Spool;

/// The number of bytes that are decompressed in one step.
const STEP: u64 = 4 << 20;

/// If too few games are in a part of a compressed text, the next part is larger by this factor.
const MORE: u64 = 8;

/// The number of bytes in which the headers and main lines of a text are kept. Some two million games
/// fit.
const MAX_KEPT: usize = 384 << 20;

/// The games, or the progress of finding them.
#[derive(Default)]
#[allow(clippy::large_enum_variant, reason = "there is one of it")]
pub(crate) enum Games {
    #[default]
    None,
    /// A compressed text that is being decompressed.
    Packed(Packed),
    /// A text.
    Text(Text),
    Base(Base),
}

pub(crate) struct Packed {
    reader: Box<dyn Read + Send>,
    spool: Spool,
    text: Place,
    done: u64,
    part: Option<Part>,
}

/// The first part of a compressed text.
struct Part {
    /// The compressed text.
    packed: Input,
    /// The number of bytes that it is decompressed to.
    size: u64,
}

pub(crate) struct Text {
    games: Indexed,
    file: Input,
    /// The number of the file, if the text was decompressed into it.
    spooled: Option<u32>,
    /// The part of a compressed text that this is, if it is not the whole.
    part: Option<Part>,
    /// Finds the games of sections.
    finder: Option<SectionFinder>,
    place: Place,
    size: u64,
    grown: bool,
    /// The error that ended decompression, if any. It is reported once, when all games before it
    /// are known.
    broken: Option<String>,
    is_broken_reported: bool,
}

struct Place {
    path: PathBuf,
    format: &'static Format,
    options: OpenOptions,
}

/// The properties of a database.
#[derive(Serialize, Default)]
pub(crate) struct About {
    name: String,
    format: &'static str,
    title: &'static str,
    games: u64,
    /// Whether more games may be found.
    growing: bool,
    /// The number of bytes searched, and their total number.
    position: u64,
    size: u64,
    /// Whether no game has names or moves, so that the file probably holds something else.
    blank: bool,
    /// Whether a field-by-field dump is available.
    dumps: bool,
    warnings: Vec<String>,
    facts: Vec<(String, String)>,
}

/// How a database is opened.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Settings {
    pub(crate) encoding: Option<String>,
    pub(crate) password: Option<String>,
    pub(crate) max_unpacked: Option<u64>,
    /// Whether the caller stops when it has found enough games, so that a compressed text need not be
    /// decompressed to its end.
    pub(crate) partly: bool,
    /// Options of the format, by name.
    pub(crate) options: Vec<(String, String)>,
}

/// Finds an encoding by its label. An empty label is none.
pub(crate) fn encoding_named(label: Option<&str>) -> Result<Option<Encoding>, JsError> {
    let Some(label) = label.filter(|label| !label.is_empty()) else { return Ok(None) };
    let found = Encoding::from_label(label);
    found.map(Some).ok_or_else(|| failed(&format!("{label}: no encoding of this name")))
}

impl Settings {
    fn options(&self) -> Result<OpenOptions, JsError> {
        let mut options = OpenOptions::default();
        options.encoding = encoding_named(self.encoding.as_deref())?;
        options.max_unpacked = self.max_unpacked;
        if let Some(password) = self.password.as_deref().filter(|password| !password.is_empty()) {
            options.settings.set("password", password);
        }
        for (name, value) in &self.options {
            options.settings.set(name, value);
        }
        Ok(options)
    }
}

impl Games {
    pub(crate) fn open(inputs: &Inputs, settings: &Settings) -> Result<Games, JsValue> {
        let options = settings.options()?;
        let format = scoresheet::detect_inputs(inputs).map_err(|error| failed_open(&error))?;
        if format.open_inputs.is_some() {
            let base = scoresheet::open_inputs(inputs, &options);
            return Ok(Games::Base(base.map_err(|error| failed_open(&error))?));
        }
        let place = Place { path: inputs.named().into(), format, options };
        let file = inputs.main().map_err(|error| place.io(error))?;
        let part = settings.partly.then(|| Part { packed: file.clone(), size: STEP });
        place.unpack(file, part)
    }

    /// Performs one step of finding the games. Returns `false` if all games are known.
    pub(crate) fn grow(&mut self) -> Result<bool, JsValue> {
        match self {
            Games::None | Games::Base(_) => Ok(false),
            Games::Packed(packed) => {
                let more = packed.spool.copy(&mut packed.reader, STEP);
                packed.done = packed.done.saturating_add(STEP);
                let is_cut = packed.part.as_ref().is_some_and(|part| packed.done >= part.size);
                if matches!(more, Ok(true)) && !is_cut {
                    return Ok(true);
                }
                if let Games::Packed(Packed { spool, text, part, .. }) = std::mem::take(self) {
                    let part = part.filter(|_| matches!(more, Ok(true)));
                    let broken = more.err().map(|error| text.io_message(error));
                    let file = spool.finish().map_err(|error| text.io(error))?;
                    *self = text.index(Arc::new(file).into(), Some(file.0), part, broken)?;
                }
                Ok(true)
            }
            Games::Text(text) => {
                let grown = text.games.grow();
                text.grown = !matches!(grown, Ok(true));
                // The last game of a part may be cut.
                if text.part.is_some() && (text.grown || text.games.position() >= text.size) {
                    return self.unpack_more();
                }
                let broken =
                    text.broken.as_ref().filter(|_| text.grown && !text.is_broken_reported);
                if let Some(broken) = broken {
                    text.is_broken_reported = true;
                    return Err(failed(broken).into());
                }
                grown.map_err(|error| text.place.base(error))
            }
        }
    }

    /// Begins again with a larger part of a compressed text.
    fn unpack_more(&mut self) -> Result<bool, JsValue> {
        if let Games::Text(Text { place, part: Some(part), .. }) = std::mem::take(self) {
            let part = Part { size: part.size.saturating_mul(MORE), ..part };
            *self = place.unpack(part.packed.clone(), Some(part))?;
        }
        Ok(true)
    }

    /// Returns the number of the file that a compressed text was decompressed into.
    pub(crate) fn spooled(&self) -> Option<u32> {
        self.text().and_then(|text| text.spooled)
    }

    fn text(&self) -> Option<&Text> {
        if let Games::Text(text) = self { Some(text) } else { None }
    }

    fn text_mut(&mut self) -> Option<&mut Text> {
        if let Games::Text(text) = self { Some(text) } else { None }
    }

    /// Splits off the next section of a text.
    pub(crate) fn split(&mut self, size: usize) -> Option<TextSection> {
        self.text_mut()?.games.split(size)
    }

    /// Finds the games of a section.
    pub(crate) fn find(&mut self, section: TextSection) -> Option<FoundSection> {
        self.text_mut()?.finder()?.find(section)
    }

    /// Begins a section of this text.
    pub(crate) fn begin_section(&mut self, section: TextSection) {
        if let Some(finder) = self.text_mut().and_then(Text::finder) {
            finder.begin(section);
        }
    }

    /// Finds the games of a block of the section, and adds them at its end. Returns `false` then.
    pub(crate) fn step_section(&mut self) -> bool {
        let Some(text) = self.text_mut() else { return false };
        match text.finder().map(SectionFinder::step) {
            Some(SectionStep::Unfinished) => return true,
            Some(SectionStep::Done(found)) => {
                text.games.attach(found);
            }
            // `grow` finds the games, and the error.
            Some(SectionStep::Failed) | None => text.games.rejoin(),
        }
        false
    }

    /// Adds the games of a section. `None` is a section that was not found.
    pub(crate) fn attach(&mut self, found: Option<FoundSection>) -> bool {
        let Some(text) = self.text_mut() else { return false };
        let is_attached = found.is_some_and(|found| text.games.attach(found));
        if !is_attached {
            text.games.rejoin();
        }
        is_attached
    }

    /// Returns the error that ended decompression, if any. The last game may be incomplete then.
    pub(crate) fn broken(&self) -> Option<&str> {
        match self {
            Games::Text(text) => text.broken.as_deref(),
            _ => None,
        }
    }

    pub(crate) fn database(&self) -> Option<&dyn Database> {
        match self {
            Games::None | Games::Packed(_) => None,
            Games::Text(text) => Some(&text.games),
            Games::Base(base) => base.database(),
        }
    }

    /// Returns the path of the main file.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Games::None => Path::new(""),
            Games::Packed(packed) => &packed.text.path,
            Games::Text(text) => &text.place.path,
            Games::Base(base) => base.path(),
        }
    }

    pub(crate) fn about(&self) -> About {
        let name = self.path().display().to_string();
        let games = self.database().map_or(0, Database::len);
        let mut facts: Vec<(String, String)> = Vec::new();
        let about = self.database().map(|games| games.about()).unwrap_or_default();
        facts.extend(about.iter().map(|(fact, value)| (fact.to_string(), value.to_owned())));
        let details = self.database().map(|games| games.details()).unwrap_or_default();
        facts.extend(details.into_iter().map(|(name, value)| (name.to_owned(), value)));
        let of = |format: &'static Format| About {
            name: name.clone(),
            format: format.name,
            title: format.title,
            games,
            facts,
            ..About::default()
        };
        match self {
            Games::None => About::default(),
            Games::Packed(packed) => {
                About { growing: true, position: packed.done, ..of(packed.text.format) }
            }
            Games::Text(text) => About {
                growing: !text.grown,
                position: text.games.position(),
                size: text.size,
                blank: text.grown && games > 0 && is_blank(&text.games),
                ..of(text.place.format)
            },
            Games::Base(base) => {
                let warnings = base.warnings().iter();
                let warnings = warnings.map(|w| describe_warning(base.path(), w).to_string());
                About { dumps: true, warnings: warnings.collect(), ..of(base.format()) }
            }
        }
    }
}

/// The number of games that are examined for a name or moves.
const LOOKED_AT: u64 = 1000;

/// Returns whether none of the first games has a name or a line. A single move counts only if
/// nothing else is wrong with the game, because bytes that are not text look like such "games".
fn is_blank(database: &dyn Database) -> bool {
    let (mut reader, mut game) = (database.reader(), Game::new());
    (0..database.len().min(LOOKED_AT)).all(|number| {
        // A damaged game counts as far as it can be read.
        let mut diagnostics = Diagnostics::lenient();
        let read = reader.game(number, &mut game, &mut diagnostics);
        let is_clean = read.is_ok() && diagnostics.warnings().is_empty();
        let Header { white, black, event, site, .. } = &game.header;
        let names = [white, black, event, site];
        let least = if is_clean { 1 } else { 2 };
        let is_empty = game.ply_count() < least && game.setup().is_none();
        is_empty && names.into_iter().all(|name| name.is_empty() || name == "?")
    })
}

impl Text {
    fn finder(&mut self) -> Option<&mut SectionFinder> {
        if self.finder.is_none() {
            let Place { format, options, .. } = &self.place;
            self.finder = SectionFinder::new(self.file.clone(), format, options).ok();
        }
        self.finder.as_mut()
    }
}

impl Place {
    /// Begins to decompress a text, or to find the games of one that is not compressed.
    fn unpack(self, file: Input, part: Option<Part>) -> Result<Games, JsValue> {
        let unpacked = scoresheet::unpack_input(file.clone(), self.options.max_unpacked);
        match unpacked.map_err(|error| self.io(error))? {
            None => self.index(file, None, None, None),
            Some(reader) => {
                let spool = Spool::new();
                Ok(Games::Packed(Packed { reader, spool, text: self, done: 0, part }))
            }
        }
    }

    /// Finds the games of a text. `spooled` is the number of a file that it was decompressed into;
    /// `broken` is the error that truncated it, if any.
    fn index(
        self,
        file: Input,
        spooled: Option<u32>,
        part: Option<Part>,
        broken: Option<String>,
    ) -> Result<Games, JsValue> {
        let size = file.size().map_err(|error| self.io(error))?;
        let games = Indexed::new(file.clone(), self.format, &self.options);
        let games = games.map_err(|error| self.base(error))?.keep(MAX_KEPT);
        Ok(Games::Text(Text {
            games,
            file,
            spooled,
            part,
            finder: None,
            place: self,
            size,
            grown: false,
            broken,
            is_broken_reported: false,
        }))
    }

    fn io_message(&self, error: io::Error) -> String {
        Error::Io { path: self.path.clone(), error }.to_string()
    }

    fn io(&self, error: io::Error) -> JsValue {
        failed(&self.io_message(error)).into()
    }

    fn base(&self, error: AnyError) -> JsValue {
        failed_base(&self.path, &error)
    }
}
