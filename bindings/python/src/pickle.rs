//! Converts games to text and back without loss, for `pickle`, `copy` and other processes.
//!
//! The canonical JSON of a game has each tag once, as text. A header also has the order of its tags
//! and the interpretation of non-standard tags, so it is stored separately.

use pyo3::prelude::*;
use scoresheet::chess_core::{Date, Eco, Elo, Game, GameResult, Header};

use crate::errors::value;

/// Event, site, round, White, Black.
type Texts = [String; 5];
/// The Elo of White and of Black, the ECO code, the start date of the event, and whether the game
/// is deleted.
type Optional = (Option<Elo>, Option<Elo>, Option<Eco>, Option<Date>, bool);
type Parts = (Texts, Date, GameResult, Optional, Vec<(String, String)>);

/// Returns the text of the header, and the text of the rest.
pub(crate) fn to_texts(game: &Game) -> PyResult<(String, String)> {
    let header = &game.header;
    let texts = [&header.event, &header.site, &header.round, &header.white, &header.black];
    let (white_elo, black_elo) = (header.white_elo, header.black_elo);
    let tags = header.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
    let parts: Parts = (
        texts.map(String::clone),
        header.date,
        header.result,
        (white_elo, black_elo, header.eco, header.event_date, header.deleted),
        tags.collect(),
    );
    let mut rest = game.clone();
    rest.header.clear();
    // The castling rights of a FEN depend on the variant.
    if let Some(variant) = game.header.tags.get("Variant") {
        rest.header.tags.push("Variant", variant);
    }
    let text = serde_json::to_string(&parts).map_err(value)?;
    Ok((text, serde_json::to_string(&rest).map_err(value)?))
}

/// Restores a game from the result of [`to_texts`].
pub(crate) fn from_texts(header: &str, rest: &str) -> PyResult<Game> {
    let mut game: Game = serde_json::from_str(rest).map_err(value)?;
    let parts: Parts = serde_json::from_str(header).map_err(value)?;
    let (texts, date, result, (white_elo, black_elo, eco, event_date, deleted), tags) = parts;
    let mut header = Header::default();
    [header.event, header.site, header.round, header.white, header.black] = texts;
    (header.date, header.result) = (date, result);
    (header.white_elo, header.black_elo) = (white_elo, black_elo);
    (header.eco, header.event_date, header.deleted) = (eco, event_date, deleted);
    tags.iter().for_each(|(name, value)| header.tags.push(name, value));
    game.header = header;
    Ok(game)
}
