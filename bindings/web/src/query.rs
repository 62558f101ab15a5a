//! Parses the fields of the page's filter form, with the grammar of the program's options.

use std::collections::BTreeMap;
use std::sync::Arc;

use scoresheet::Filter;
use scoresheet::filter::{CRITERIA, NamedError};
use scoresheet::spelling::Spelling;
use serde::{Deserialize, Serialize};

/// The fields, named like the criteria in camel case. An empty field has no effect.
#[derive(Deserialize, Default)]
#[serde(transparent)]
pub(crate) struct Query(BTreeMap<String, Field>);

#[derive(Deserialize)]
#[serde(untagged)]
enum Field {
    Text(String),
    Choice(Option<bool>),
}

/// An invalid field, and the reason.
#[derive(Serialize)]
pub(crate) struct Wrong {
    field: String,
    why: String,
}

/// Returns the name of the field for a criterion.
fn field_name(criterion: &str) -> String {
    let mut words = criterion.split('-');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
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
        let mut given = Vec::new();
        for criterion in CRITERIA {
            let value = match self.0.get(&field_name(criterion.name)) {
                Some(Field::Text(text)) => text.trim(),
                Some(Field::Choice(Some(true))) => "yes",
                Some(Field::Choice(Some(false))) => "no",
                Some(Field::Choice(None)) | None => "",
            };
            if !value.is_empty() {
                given.push((criterion.name, value));
            }
        }
        let is_known = |field: &&String| CRITERIA.iter().any(|one| field_name(one.name) == **field);
        if let Some(field) = self.0.keys().find(|field| !is_known(field)) {
            let why = NamedError::Name(field.clone()).to_string();
            return Err(Wrong { field: field.clone(), why });
        }
        Filter::named(given).map_err(|error| match error {
            NamedError::Value { name, error } => {
                Wrong { field: field_name(&name), why: error.to_string() }
            }
            other => Wrong { field: String::new(), why: other.to_string() },
        })
    }
}
