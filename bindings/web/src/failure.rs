//! Errors with their locations, for callers who do more than show the message.

use std::path::Path;

use scoresheet::chess_store::{AnyError, Location};
use scoresheet::describe;
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::host::host_failure;

/// A location. Games, plies, lines and columns count from 1, byte offsets from 0, as in messages.
#[derive(Serialize)]
pub(crate) struct Place {
    /// The extension of the file that the error concerns.
    #[serde(skip_serializing_if = "str::is_empty")]
    file: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
}

impl From<Location> for Place {
    fn from(at: Location) -> Place {
        let from_one = |number: Option<u64>| number.map(|number| number.saturating_add(1));
        Place {
            file: at.file,
            offset: at.offset,
            game: from_one(at.game),
            ply: from_one(at.ply.map(u64::from)),
            line: from_one(at.line),
            column: from_one(at.column),
        }
    }
}

/// A message with its location.
#[derive(Serialize)]
pub(crate) struct Damage {
    pub(crate) message: String,
    pub(crate) place: Option<Place>,
}

impl Damage {
    pub(crate) fn new(path: &Path, error: &AnyError) -> Damage {
        let message = describe(path, error).to_string();
        Damage { message, place: Some(error.location().into()) }
    }
}

fn failure(message: &str, place: Option<Place>) -> JsValue {
    let place = place.and_then(|place| serde_json::to_string(&place).ok());
    host_failure(message, &place.unwrap_or_default())
}

/// Returns the error of a base that was opened from `path`.
pub(crate) fn failed_base(path: &Path, error: &AnyError) -> JsValue {
    failure(&describe(path, error).to_string(), Some(error.location().into()))
}

/// Returns the error of opening or writing a base.
pub(crate) fn failed_open(error: &scoresheet::Error) -> JsValue {
    failure(&error.to_string(), error.error().map(|error| error.location().into()))
}
