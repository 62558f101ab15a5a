//! Reads a row of `IO_Game` to a header.

use std::borrow::Cow;

use chess_core::{Date, Elo, GameResult, Header};
use chess_store::{Diagnostics, Encoding, Location};

use crate::error::Error;
use crate::info::for_each_tag;
use crate::layout::IS_CHESS960;
use crate::myisam::{Row, Value};
use crate::names::{NameTables, Names};
use crate::quirk::Quirk;
use crate::schema::{GameColumn, GameColumns};
use crate::text::decode_text;

/// The tag of the collection that a game belongs to.
pub const COLLECTION_TAG: &str = "Collection";

/// Bits of `DateFlags`: the unknown parts of a date. The bits of the event's date are shifted by eight.
pub(crate) const DAY_UNKNOWN: i64 = 0x10;
pub(crate) const MONTH_UNKNOWN: i64 = 0x20;
pub(crate) const YEAR_UNKNOWN: i64 = 0x40;
pub(crate) const EVENT_SHIFT: u32 = 8;

/// Reads a row into a header.
pub(crate) struct HeaderReader<'a, 'r> {
    pub(crate) columns: &'a GameColumns,
    pub(crate) names: &'a NameTables,
    pub(crate) encoding: Option<Encoding>,
    pub(crate) row: &'a Row<'r>,
    pub(crate) at: Location,
    pub(crate) diagnostics: &'a mut Diagnostics,
}

impl<'r> HeaderReader<'_, 'r> {
    /// Fills `header`, which must be clear.
    // movecode §9.3 "IO_Game"
    pub(crate) fn read(&mut self, header: &mut Header) -> Result<(), Error> {
        use GameColumn as C;
        let names = self.names;
        self.name(C::WhiteId, &names.players, &mut header.white)?;
        self.name(C::BlackId, &names.players, &mut header.black)?;
        self.name(C::EventId, &names.events, &mut header.event)?;
        self.name(C::SiteId, &names.sites, &mut header.site)?;
        if let Some(round) = self.text(C::Round)? {
            header.round.clear();
            header.round.push_str(&round);
        }
        header.result = self.result()?;
        header.white_elo = self.elo(C::WhiteElo)?;
        header.black_elo = self.elo(C::BlackElo)?;
        let flags = self.number(C::DateFlags).unwrap_or(0);
        header.date = self.date(C::GameDate, flags)?.unwrap_or(Date::UNKNOWN);
        header.event_date = self.date(C::EventDate, flags >> EVENT_SHIFT)?;
        if let Some(eco) = self.text(C::Eco)?.filter(|eco| !eco.is_empty()) {
            header.set("ECO", &eco);
        }
        self.tags(header)?;
        self.unknown_columns()
    }

    /// Reads the columns without a header field into tags.
    fn tags(&mut self, header: &mut Header) -> Result<(), Error> {
        use GameColumn as C;
        let names = self.names;
        self.named_tag(C::CId, &names.collections, COLLECTION_TAG, header)?;
        self.named_tag(C::AnnotatorId, &names.players, "Annotator", header)?;
        self.named_tag(C::OpeningId, &names.openings, "Opening", header)?;
        for (column, tag) in
            [(C::WhiteTitle, "WhiteTitle"), (C::BlackTitle, "BlackTitle"), (C::Board, "Board")]
        {
            if let Some(text) = self.text(column)? {
                header.tags.push(tag, &text);
            }
        }
        if let Some(info) = self.text(C::Info)?
            && !for_each_tag(&info, |name, value| header.set(name, value))
        {
            self.note(Quirk::BadValue)?;
        }
        let attributes = self.number(C::Attributes).unwrap_or(0);
        let chess960 = attributes & i64::from(IS_CHESS960) != 0;
        if chess960 && header.tags.get("Variant").is_none() {
            header.tags.push("Variant", "Chess960");
        }
        Ok(())
    }

    fn result(&mut self) -> Result<GameResult, Error> {
        let Some(number) = self.number(GameColumn::Result) else {
            return Ok(GameResult::Unknown);
        };
        if let Some(result) = result_of(number) {
            return Ok(result);
        }
        self.note(Quirk::BadValue)?;
        Ok(GameResult::Unknown)
    }

    /// Warns about unknown columns with a value.
    fn unknown_columns(&mut self) -> Result<(), Error> {
        let unknown = self.columns.unknown.iter().filter_map(|place| self.row.get(*place));
        let nothing = |value: &Value<'_>| {
            matches!(*value, Value::Null | Value::Int(0) | Value::Bytes(&[], _))
        };
        if !{ unknown }.all(nothing) {
            self.note(Quirk::UnknownColumn)?;
        }
        Ok(())
    }

    fn number(&self, column: GameColumn) -> Option<i64> {
        self.columns.number(self.row, column)
    }

    fn text(&mut self, column: GameColumn) -> Result<Option<Cow<'r, str>>, Error> {
        let Some((bytes, _)) = self.columns.bytes(self.row, column) else { return Ok(None) };
        let (text, sound) = decode_text(bytes, self.encoding);
        if !sound {
            self.note(Quirk::TextEncoding)?;
        }
        Ok(Some(text))
    }

    /// Looks up the name of a column's number. Zero is jose's entry for none, called `-`.
    fn lookup<'n>(
        &mut self,
        column: GameColumn,
        names: &'n Names,
    ) -> Result<Option<&'n str>, Error> {
        let Some(id) = self.number(column) else { return Ok(None) };
        let name = names.get(id);
        if name.is_none() && id != 0 {
            self.note(Quirk::MissingEntry)?;
        }
        Ok(name)
    }

    fn name(&mut self, column: GameColumn, names: &Names, field: &mut String) -> Result<(), Error> {
        if let Some(name) = self.lookup(column, names)? {
            field.clear();
            field.push_str(name);
        }
        Ok(())
    }

    fn named_tag(
        &mut self,
        column: GameColumn,
        names: &Names,
        tag: &str,
        header: &mut Header,
    ) -> Result<(), Error> {
        let name = self.lookup(column, names)?;
        if let Some(name) = name.filter(|name| !matches!(*name, "" | "-")) {
            header.tags.push(tag, name);
        }
        Ok(())
    }

    fn elo(&mut self, column: GameColumn) -> Result<Option<Elo>, Error> {
        let Some(number) = self.number(column).filter(|number| *number != 0) else {
            return Ok(None);
        };
        let elo = u16::try_from(number).ok().and_then(Elo::new);
        if elo.is_none() {
            self.note(Quirk::BadValue)?;
        }
        Ok(elo)
    }

    // movecode §9.5 "Dates"
    fn date(&mut self, column: GameColumn, flags: i64) -> Result<Option<Date>, Error> {
        let Some(packed) = self.number(column) else { return Ok(None) };
        let known = |part: i64, unknown: i64| if flags & unknown == 0 { part } else { 0 };
        let year = u16::try_from(known(packed >> 9, YEAR_UNKNOWN));
        let month = u8::try_from(known(packed >> 5 & 15, MONTH_UNKNOWN));
        let day = u8::try_from(known(packed & 31, DAY_UNKNOWN));
        let date = match (year, month, day) {
            (Ok(year), Ok(month), Ok(day)) => Date::new(year, month, day),
            _ => None,
        };
        if date.is_none() {
            self.note(Quirk::BadDate)?;
        }
        Ok(date)
    }

    fn note(&mut self, quirk: Quirk) -> Result<(), Error> {
        Ok(self.diagnostics.note(quirk, self.at)?)
    }
}

/// Returns the result of a number of the column, if it has one.
fn result_of(number: i64) -> Option<GameResult> {
    match number {
        2 => Some(GameResult::White),
        1 => Some(GameResult::Draw),
        0 => Some(GameResult::Black),
        -1 => Some(GameResult::Unknown),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_of_agrees_with_table() {
        let rows = testkit::result_rows("movecode", "column");
        assert_eq!(rows.len(), 4);
        for [number, result, _] in rows {
            assert_eq!(result_of(number.parse().unwrap()).unwrap().as_str(), result, "{number}");
        }
        assert_eq!(result_of(3), None);
    }
}
