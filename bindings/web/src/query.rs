//! What the page asks for, as the texts of its fields.

use scoresheet::Filter;
use scoresheet::filter::{Line, PositionPattern, QueryError, TagTest, Text, ranges};
use serde::{Deserialize, Serialize};

/// The fields. An empty one asks for nothing.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Query {
    player: String,
    white: String,
    black: String,
    event: String,
    site: String,
    date: String,
    eco: String,
    elo: String,
    result: String,
    length: String,
    moves: String,
    tag: String,
    position: String,
    in_variations: bool,
    annotated: Option<bool>,
    deleted: Option<bool>,
}

/// What cannot be read, and in which field.
#[derive(Serialize)]
pub(crate) struct Wrong {
    field: &'static str,
    why: String,
}

/// What one field says; nothing where it is empty.
fn field<T>(
    name: &'static str,
    text: &str,
    read: impl FnOnce(&str) -> Result<Vec<T>, QueryError>,
) -> Result<Vec<T>, Wrong> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    read(text).map_err(|error| Wrong { field: name, why: error.to_string() })
}

fn one<T>(
    read: fn(&str) -> Result<T, QueryError>,
) -> impl FnOnce(&str) -> Result<Vec<T>, QueryError> {
    move |text| read(text).map(|value| vec![value])
}

impl Query {
    pub(crate) fn filter(&self) -> Result<Filter, Wrong> {
        let mut filter = Filter::default();
        filter.player = field("player", &self.player, one(Text::name))?;
        filter.white = field("white", &self.white, one(Text::name))?;
        filter.black = field("black", &self.black, one(Text::name))?;
        filter.event = field("event", &self.event, one(Text::part))?;
        filter.site = field("site", &self.site, one(Text::part))?;
        filter.date = field("date", &self.date, ranges::dates)?;
        filter.eco = field("eco", &self.eco, ranges::ecos)?;
        filter.elo = field("elo", &self.elo, ranges::ratings)?;
        filter.results = field("result", &self.result, ranges::results)?;
        filter.length = field("length", &self.length, ranges::lengths)?;
        filter.lines = field("moves", &self.moves, one(Line::parse))?;
        filter.tags = field("tag", &self.tag, one(TagTest::parse))?;
        filter.positions = field("position", &self.position, one(PositionPattern::parse))?;
        filter.in_variations = self.in_variations;
        filter.annotated = self.annotated;
        filter.deleted = self.deleted;
        Ok(filter)
    }
}
