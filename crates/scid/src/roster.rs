//! Converts index entry and names to the header of a game. (scid §6 "Tags")

use chess_core::{Color, Date, Eco, EcoSub, Elo, GameResult, Header};
use chess_store::{Diagnostics, Location};

use crate::bits::{low_8, low_16};
use crate::error::Error;
use crate::index::{IndexEntry, Rating};
use crate::layout::{
    DATE_BITS, FLAG_LETTERS, FLAGS_TAG, MAX_RATING, MAX_YEAR, RATING_TYPES, RESULT_TAG, flag,
};
use crate::names::{NameKind, NameList, Names};
use crate::quirk::Quirk;

/// The tags of ratings other than Elo, for White and Black, by type.
pub(crate) const RATING_TAGS: [[&str; 2]; 7] = [
    ["WhiteElo", "BlackElo"],
    ["WhiteRating", "BlackRating"],
    ["WhiteRapid", "BlackRapid"],
    ["WhiteICCF", "BlackICCF"],
    ["WhiteUSCF", "BlackUSCF"],
    ["WhiteDWZ", "BlackDWZ"],
    ["WhiteECF", "BlackECF"],
];

/// Fills the header from index and names.
pub(crate) fn decode_roster(
    entry: &IndexEntry,
    names: &Names,
    header: &mut Header,
    at: Location,
    diagnostics: &mut Diagnostics,
) -> Result<(), Error> {
    header.clear();
    let ids = &entry.names;
    for (kind, id, field) in [
        (NameKind::Event, ids.event, &mut header.event),
        (NameKind::Site, ids.site, &mut header.site),
        (NameKind::Round, ids.round, &mut header.round),
        (NameKind::Player, ids.white, &mut header.white),
        (NameKind::Player, ids.black, &mut header.black),
    ] {
        match names.get(kind as usize).and_then(|list: &NameList<String>| list.get(id)) {
            Some(name) => {
                field.clear();
                field.push_str(name);
            }
            None => diagnostics.note(Quirk::NoName, at)?,
        }
    }
    decode_values(entry, header, at, diagnostics)
}

/// Fills the fields that need no names.
pub(crate) fn decode_values(
    entry: &IndexEntry,
    header: &mut Header,
    at: Location,
    diagnostics: &mut Diagnostics,
) -> Result<(), Error> {
    header.deleted = entry.flags & flag::DELETED != 0;
    header.result = match result_of(entry.result) {
        Some(result) => result,
        None => {
            diagnostics.note(Quirk::Result, at)?;
            header.tags.push(RESULT_TAG, &entry.result.to_string());
            GameResult::Unknown
        }
    };
    header.eco = decode_eco(entry.eco);
    if header.eco.is_some_and(|eco| eco.code() > 499) {
        diagnostics.note(Quirk::Eco, at)?;
    }
    header.date = decode_date(entry.date, "Date", header, at, diagnostics)?;
    if entry.event_date >> 9 > MAX_YEAR {
        diagnostics.note(Quirk::EventDateWraps, at)?;
    }
    if entry.event_date & DATE_BITS != 0 {
        let date = decode_date(entry.event_date, "EventDate", header, at, diagnostics)?;
        header.event_date = Some(date);
    }
    for (color, rating) in [(Color::White, entry.white_rating), (Color::Black, entry.black_rating)]
    {
        decode_rating(color, rating, header, at, diagnostics)?;
    }
    decode_flags(entry.flags, header);
    Ok(())
}

/// Decodes the ECO code. (scid §2.2 "Entry")
pub(crate) fn decode_eco(stored: u16) -> Option<Eco> {
    let number = stored.checked_sub(1)?;
    let (code, refinement) = (number / 131, number % 131);
    let sub = match refinement.checked_sub(1) {
        None => EcoSub::None,
        Some(index) => EcoSub::Letter(low_8(u32::from(index / 5)), low_8(u32::from(index % 5))),
    };
    Eco::with_sub(code, sub)
}

/// The year of a 20-bit date; 0 if unknown.
#[inline]
pub(crate) fn year(stored: u32) -> u16 {
    low_16(stored >> 9 & MAX_YEAR)
}

/// Decodes a 20-bit date. Returns `None` for an impossible month.
pub(crate) fn date(stored: u32) -> Option<Date> {
    let part = |bits: u32, mask: u32| u8::try_from(stored >> bits & mask).ok();
    Date::new(year(stored), part(5, 15)?, part(0, 31)?)
}

/// As [`date`]. A date with an impossible month is kept as a tag.
fn decode_date(
    stored: u32,
    tag: &'static str,
    header: &mut Header,
    at: Location,
    diagnostics: &mut Diagnostics,
) -> Result<Date, Error> {
    if let Some(date) = date(stored) {
        return Ok(date);
    }
    diagnostics.note(Quirk::Date, at)?;
    let (year, month, day) = (stored >> 9 & MAX_YEAR, stored >> 5 & 15, stored & 31);
    header.tags.push(tag, &format!("{year:04}.{month:02}.{day:02}"));
    Ok(date(stored & !(15 << 5)).unwrap_or_default())
}

/// Stores a rating. Elo ratings have a field. Others become tags, named by number if the type is
/// unknown.
fn decode_rating(
    color: Color,
    rating: Rating,
    header: &mut Header,
    at: Location,
    diagnostics: &mut Diagnostics,
) -> Result<(), Error> {
    if rating.value > MAX_RATING {
        diagnostics.note(Quirk::RatingRange, at)?;
    }
    if rating.value == 0 {
        return Ok(());
    }
    if rating.kind == 0 {
        let field = match color {
            Color::White => &mut header.white_elo,
            Color::Black => &mut header.black_elo,
        };
        *field = Elo::new(rating.value);
        return Ok(());
    }
    let value = rating.value.to_string();
    match RATING_TAGS.get(usize::from(rating.kind)) {
        Some([white, black]) => {
            let tag = if color == Color::White { white } else { black };
            header.tags.push(tag, &value);
        }
        None => {
            diagnostics.note(Quirk::RatingType, at)?;
            header.tags.push(&format!("{color:?}RatingType{}", rating.kind), &value);
        }
    }
    Ok(())
}

/// The user's flags as letters.
fn decode_flags(flags: u32, header: &mut Header) {
    if flags >> 4 == 0 {
        return;
    }
    let mut letters = [0u8; FLAG_LETTERS.len()];
    let mut count = 0;
    let set = FLAG_LETTERS.iter().filter(|(bit, _)| flags >> bit & 1 != 0);
    for (slot, (_, letter)) in letters.iter_mut().zip(set) {
        *slot = *letter as u8;
        count = usize::saturating_add(count, 1);
    }
    let letters = letters.get(..count).and_then(|letters| std::str::from_utf8(letters).ok());
    header.tags.push(FLAGS_TAG, letters.unwrap_or_default());
}

const _: () = assert!(RATING_TAGS.len() == RATING_TYPES.len());

/// Returns the result of a code of the index, if the code has one.
#[inline]
pub(crate) fn result_of(code: u8) -> Option<GameResult> {
    match code {
        0 => Some(GameResult::Unknown),
        1 => Some(GameResult::White),
        2 => Some(GameResult::Black),
        3 => Some(GameResult::Draw),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_of_agrees_with_table() {
        let rows = testkit::result_rows("scid", "index");
        assert_eq!(rows.len(), 4);
        for [code, result, _] in rows {
            assert_eq!(result_of(code.parse().unwrap()).unwrap().as_str(), result, "code {code}");
        }
        assert_eq!(result_of(4), None);
    }
}
