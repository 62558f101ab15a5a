//! The tags that depend on a tournament or a source alone. They are computed once and shared by all
//! games.

use chess_core::{Date, Tags};
use chess_store::TextDecoder;

use crate::entities::fields::{Source, Tournament, field_text};
use crate::entities::nations::push_nation;
use crate::header::parse_date;
use crate::tags::{EVENT_FLAGS_TAG, event_type};

/// The tags of all entities of a kind, concatenated.
#[derive(Clone, Debug, Default)]
pub(crate) struct EntityTags {
    tags: Tags,
    ends: Vec<usize>,
}

impl EntityTags {
    /// Adds the next entity. `push` appends its tags.
    pub(crate) fn add(&mut self, push: impl FnOnce(&mut Tags)) {
        push(&mut self.tags);
        self.ends.push(self.tags.len());
    }

    /// Appends the tags of entity `id` to the tags of a game.
    #[inline]
    pub(crate) fn append_to(&self, id: u32, to: &mut Tags) {
        let id = id as usize;
        let Some(end) = self.ends.get(id).copied() else { return };
        let start = id.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        let start = start.unwrap_or(0);
        if start < end {
            to.append(&self.tags, start..end);
        }
    }
}

/// Appends the tags of a tournament other than its texts and date.
// cbh §10 "Tags"
pub(crate) fn push_tournament(fields: &Tournament<'_>, tags: &mut Tags) {
    if (fields.kind, fields.team) != (0, 0) {
        push_tag(tags, "EventType", &event_type(fields.kind, fields.team));
    }
    push_number(tags, "EventRounds", fields.rounds);
    push_nation_tag(tags, "EventCountry", fields.nation);
    push_number(tags, "EventCategory", fields.category);
    push_number(tags, EVENT_FLAGS_TAG, fields.flags);
}

/// The numbers of problems in a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SourceProblems {
    pub(crate) dates: u8,
    /// The number of texts whose last character is cut off.
    pub(crate) cut: u8,
}

/// Appends the tags of a source.
// cbh §10 "Tags"
pub(crate) fn push_source(
    fields: &Source<'_>,
    text: &TextDecoder,
    tags: &mut Tags,
) -> SourceProblems {
    let mut odd = SourceProblems::default();
    for (name, field, size) in [("SourceTitle", fields.title, 25), ("Source", fields.publisher, 16)]
    {
        let (value, cut) = field_text(field, size, text);
        push_tag(tags, name, &value);
        odd.cut = odd.cut.saturating_add(u8::from(cut));
    }
    let mut date = |bits| -> Date {
        let (date, sound) = parse_date(bits);
        odd.dates = odd.dates.saturating_add(u8::from(!sound));
        date
    };
    let named = !fields.title.is_empty() || !fields.publisher.is_empty();
    if fields.publication != 0 && (named || fields.publication != fields.date) {
        tags.push("SourceDate", &date(fields.publication).to_string());
    }
    push_number(tags, "SourceVersion", fields.version);
    if fields.date != 0 {
        tags.push("SourceVersionDate", &date(fields.date).to_string());
    }
    push_number(tags, "SourceQuality", fields.quality);
    odd
}

/// Appends a tag unless its value is empty.
pub(crate) fn push_tag(tags: &mut Tags, name: &str, value: &str) {
    if !value.is_empty() {
        tags.push(name, value);
    }
}

fn push_number(tags: &mut Tags, name: &str, value: u8) {
    if value != 0 {
        tags.push(name, &value.to_string());
    }
}

/// Appends a nation unless it is unknown.
pub(crate) fn push_nation_tag(tags: &mut Tags, name: &str, nation: u8) {
    let mut value = String::new();
    push_nation(nation, &mut value);
    push_tag(tags, name, &value);
}
