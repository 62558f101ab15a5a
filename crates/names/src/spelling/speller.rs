//! Corrects the names of headers, and remembers what it found.

use std::collections::HashMap;
use std::sync::Arc;

use chess_core::Header;

use super::{NameKind, Spelling};

/// The most names that are remembered.
const REMEMBERED: usize = 1 << 16;

/// Corrects the names of headers by a spelling file. For use on one thread: names that come again are
/// looked up once.
#[derive(Debug)]
pub struct Speller {
    spelling: Arc<Spelling>,
    /// The corrected names. `None` for names that stay.
    known: HashMap<(NameKind, Box<str>), Option<Box<str>>>,
}

/// A name that was corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Corrected {
    /// The tag.
    pub tag: &'static str,
    /// The name before.
    pub old: String,
    /// The name that replaces it.
    pub new: String,
}

impl Speller {
    /// Creates a speller.
    #[must_use]
    pub fn new(spelling: Arc<Spelling>) -> Speller {
        Speller { spelling, known: HashMap::new() }
    }

    /// Corrects White, Black, Event, Site and Round, and calls `each` with every name that changes.
    pub fn correct(&mut self, header: &mut Header, mut each: impl FnMut(Corrected)) {
        let Header { event, site, round, white, black, .. } = header;
        for (tag, kind, text) in [
            ("White", NameKind::Player, white),
            ("Black", NameKind::Player, black),
            ("Event", NameKind::Event, event),
            ("Site", NameKind::Site, site),
            ("Round", NameKind::Round, round),
        ] {
            if let Some(new) = self.corrected(kind, text) {
                each(Corrected { tag, old: text.to_string(), new: new.to_owned() });
                *text = new.into();
            }
        }
    }

    /// Returns the corrected name, if it differs.
    fn corrected(&mut self, kind: NameKind, name: &str) -> Option<&str> {
        let key = (kind, Box::from(name));
        if self.known.len() >= REMEMBERED && !self.known.contains_key(&key) {
            self.known.clear();
        }
        let spelling = &self.spelling;
        let known = self.known.entry(key).or_insert_with(|| {
            let new = spelling.canonical(kind, name)?;
            (new != name).then(|| Box::from(&*new))
        });
        known.as_deref()
    }
}
