//! Parses the fields of the page's filter form, with the grammar of the program's options.

use std::sync::Arc;

use scoresheet::Filter;
use scoresheet::filter::NamedError;
use scoresheet::spelling::Spelling;
use serde::{Deserialize, Serialize};

/// The fields. An empty field has no effect.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Query {
    player: String,
    against: String,
    white: String,
    black: String,
    event: String,
    site: String,
    date: String,
    eco: String,
    opening: String,
    elo: String,
    time_class: String,
    result: String,
    length: String,
    moves: String,
    tag: String,
    position: String,
    material: String,
    pattern: String,
    comment: String,
    in_variations: bool,
    annotated: Option<bool>,
    deleted: Option<bool>,
}

/// An invalid field, and the reason.
#[derive(Serialize)]
pub(crate) struct Wrong {
    field: String,
    why: String,
}

impl Query {
    /// Returns the filter. It takes the spellings of one name in `spelling` for one name.
    pub(crate) fn filter(&self, spelling: Option<&Arc<Spelling>>) -> Result<Filter, Wrong> {
        let filter = self.unspelt()?;
        Ok(match spelling {
            Some(spelling) => filter.spelt(spelling),
            None => filter,
        })
    }

    fn unspelt(&self) -> Result<Filter, Wrong> {
        let yes_or_no =
            |value: Option<bool>| value.map_or("", |yes| if yes { "yes" } else { "no" });
        let in_variations = Some(true).filter(|_| self.in_variations && !self.position.is_empty());
        let named = [
            ("player", &*self.player),
            ("against", &self.against),
            ("white", &self.white),
            ("black", &self.black),
            ("event", &self.event),
            ("site", &self.site),
            ("date", &self.date),
            ("eco", &self.eco),
            ("opening", &self.opening),
            ("elo", &self.elo),
            ("time-class", &self.time_class),
            ("result", &self.result),
            ("length", &self.length),
            ("moves", &self.moves),
            ("where", &self.tag),
            ("position", &self.position),
            ("material", &self.material),
            ("pattern", &self.pattern),
            ("comment", &self.comment),
            ("variations", yes_or_no(in_variations)),
            ("annotated", yes_or_no(self.annotated)),
            ("deleted", yes_or_no(self.deleted)),
        ];
        let named = named.map(|(name, value)| (name, value.trim()));
        let given = named.iter().copied().filter(|(_, value)| !value.is_empty());
        Filter::named(given).map_err(|error| match error {
            NamedError::Value { name, error } => {
                let field = match &*name {
                    "where" => String::from("tag"),
                    "time-class" => String::from("timeClass"),
                    _ => name,
                };
                Wrong { field, why: error.to_string() }
            }
            other => Wrong { field: String::new(), why: other.to_string() },
        })
    }
}
