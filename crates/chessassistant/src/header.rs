//! Converts the fields of a row and its names to a [`Header`] and back.

use std::fmt::Write as _;

use chess_core::{Date, Eco, EcoSub, Elo, GameResult, Header, is_implied, is_typed};
use chess_store::{Diagnostics, Location, Loss, LossKind, Losses};

use crate::charset::Charset;
use crate::date::{decode_date, encode_date};
use crate::description::unpadded;
use crate::encode::shortened;
use crate::error::Error;
use crate::layout::{ASSESSMENTS, NO_ECO, OUTCOME_UNKNOWN};
use crate::names::{NameKind, Names, PlayerInfo, RawName};
use crate::quirk::Quirk;
use crate::row::{Row, row_place};

/// Tags for data that only this format has.
// chessassistant §5.1 "Fields and tags"
pub(crate) mod tags {
    pub(crate) const ANNOTATOR: &str = "Annotator";
    pub(crate) const SOURCE: &str = "Source";
    /// The assessment in place of a result.
    pub(crate) const RESULT: &str = "CAResult";
    pub(crate) const GAME_TYPE: &str = "CAGameType";
    /// An ECO field above the value for no code.
    pub(crate) const ECO: &str = "CAEco";
    pub(crate) const ROUND_BIT: &str = "CARoundBit";
    pub(crate) const UNKNOWN_1C: &str = "CAUnknown1C";

    /// The tags of a player.
    pub(crate) struct Player {
        pub(crate) title: &'static str,
        pub(crate) fide_id: &'static str,
        pub(crate) rating: &'static str,
        pub(crate) born: &'static str,
        pub(crate) gender: &'static str,
    }

    pub(crate) const WHITE: Player = Player {
        title: "WhiteTitle",
        fide_id: "WhiteFideId",
        rating: "CAWhiteRating",
        born: "CAWhiteBorn",
        gender: "CAWhiteGender",
    };
    pub(crate) const BLACK: Player = Player {
        title: "BlackTitle",
        fide_id: "BlackFideId",
        rating: "CABlackRating",
        born: "CABlackBorn",
        gender: "CABlackGender",
    };
}

/// The inputs for reading a header.
pub(crate) struct HeaderReader<'a> {
    pub(crate) names: &'a Names,
    pub(crate) charset: &'a Charset,
    pub(crate) game: u64,
}

impl HeaderReader<'_> {
    /// The location of the row.
    fn at(&self) -> Location {
        row_place(self.game)
    }

    pub(crate) fn read(
        &self,
        row: &Row,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        header.clear();
        self.numbers(row, header, diagnostics)?;
        // The tags are built in the buffer of a field that is filled afterwards.
        let mut text = std::mem::take(&mut header.site);
        let tags = self.tags(row, header, &mut text, diagnostics);
        header.site = text;
        for (id, kind, field) in [
            (row.white, NameKind::Players, &mut header.white),
            (row.black, NameKind::Players, &mut header.black),
            (row.event, NameKind::Events, &mut header.event),
            (row.place, NameKind::Places, &mut header.site),
        ] {
            self.name(id, kind, field, diagnostics)?;
        }
        tags
    }

    fn numbers(
        &self,
        row: &Row,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        match decode_date(row.date) {
            Some(date) => header.date = date,
            None => diagnostics.note(Quirk::Date, self.at())?,
        }
        if row.round > 1 {
            header.round.clear();
            // Writing to a String cannot fail.
            let _ = write!(header.round, "{}", row.round >> 1);
        }
        header.white_elo = Elo::new(row.white_elo);
        header.black_elo = Elo::new(row.black_elo);
        header.eco = eco_of(row.eco);
        if row.eco > NO_ECO {
            diagnostics.note(Quirk::Eco, self.at())?;
        }
        Ok(())
    }

    fn tags(
        &self,
        row: &Row,
        header: &mut Header,
        text: &mut String,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        for (id, tags) in [(row.white, tags::WHITE), (row.black, tags::BLACK)] {
            self.player_tags(id, &tags, header, text);
        }
        for (id, kind, tag) in [
            (row.annotator, NameKind::Players, tags::ANNOTATOR),
            (row.source, NameKind::Sources, tags::SOURCE),
        ] {
            self.name(id, kind, text, diagnostics)?;
            if text != "?" {
                header.tags.push(tag, text);
            }
        }
        self.outcome(row, header, text, diagnostics)?;
        if row.eco > NO_ECO {
            push_number(header, tags::ECO, row.eco.into(), text);
        }
        push_number(header, tags::GAME_TYPE, row.game_type, text);
        push_number(header, tags::ROUND_BIT, u32::from(row.round & 1), text);
        push_number(header, tags::UNKNOWN_1C, row.unknown_1c.into(), text);
        Ok(())
    }

    /// The name of an id; `?` if it is empty or unreadable.
    pub(crate) fn name(
        &self,
        id: u32,
        kind: NameKind,
        out: &mut String,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        out.clear();
        let found = match self.names.table(kind) {
            Some(table) => table.get(id).or_else(|error| self.unknown(error, diagnostics))?,
            None if id == 0 => RawName::default(),
            None => {
                diagnostics.note(Quirk::NoName, self.at())?;
                RawName::default()
            }
        };
        self.charset.decode_into(unpadded(found.name), out);
        if out.is_empty() {
            out.push('?');
        }
        Ok(())
    }

    /// An unreadable name is unknown, with a warning.
    fn unknown(
        &self,
        error: Error,
        diagnostics: &mut Diagnostics,
    ) -> Result<RawName<'static>, Error> {
        let Some(quirk) = Quirk::of_names(error.kind()) else { return Err(error) };
        let place = error.location();
        let place = place.offset.map_or(self.at(), |_| place.in_game(self.game));
        diagnostics.note(quirk, place)?;
        Ok(RawName::default())
    }

    fn player_tags(&self, id: u32, names: &tags::Player, header: &mut Header, text: &mut String) {
        let table = self.names.table(NameKind::Players);
        // An unreadable name has already been reported.
        let Some(Ok(player)) = table.map(|table| table.get(id)) else { return };
        if !player.title.is_empty() {
            text.clear();
            self.charset.decode_into(player.title, text);
            header.tags.push(names.title, text);
        }
        push_number(header, names.fide_id, player.info.fide_id, text);
        push_number(header, names.rating, player.info.rating.into(), text);
        if !player.info.born.is_unknown() {
            text.clear();
            let _ = write!(text, "{}", player.info.born);
            header.tags.push(names.born, text);
        }
        push_number(header, names.gender, player.info.gender.into(), text);
    }

    fn outcome(
        &self,
        row: &Row,
        header: &mut Header,
        text: &mut String,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        header.result = result_of(row.outcome).unwrap_or_default();
        if result_of(row.outcome).is_some() {
            return Ok(());
        }
        match ASSESSMENTS.get(usize::from(row.outcome.wrapping_sub(5))) {
            Some(assessment) => header.tags.push(tags::RESULT, assessment),
            None => {
                diagnostics.note(Quirk::Outcome, self.at())?;
                push_number_of(header, tags::RESULT, row.outcome.into(), text);
            }
        }
        Ok(())
    }
}

fn push_number(header: &mut Header, tag: &str, number: u32, text: &mut String) {
    if number != 0 {
        push_number_of(header, tag, number, text);
    }
}

/// As [`push_number`], for zero as well.
fn push_number_of(header: &mut Header, tag: &str, number: u32, text: &mut String) {
    text.clear();
    let _ = write!(text, "{number}");
    header.tags.push(tag, text);
}

/// The result for an outcome, if it is one.
pub(crate) fn result_of(outcome: u8) -> Option<GameResult> {
    match outcome {
        1 => Some(GameResult::Draw),
        2 => Some(GameResult::White),
        3 => Some(GameResult::Black),
        OUTCOME_UNKNOWN => Some(GameResult::Unknown),
        _ => None,
    }
}

/// The ECO code of a field value.
pub(crate) fn eco_of(code: u16) -> Option<Eco> {
    Some(code).filter(|code| *code < NO_ECO).and_then(Eco::new)
}

/// A player to be stored.
#[derive(Clone, Copy, Default)]
pub(crate) struct PlayerTags<'a> {
    pub(crate) title: &'a str,
    pub(crate) info: PlayerInfo,
}

impl PlayerTags<'_> {
    /// Whether there is only the name.
    pub(crate) fn is_plain(&self) -> bool {
        self.title.is_empty() && self.info == PlayerInfo::default()
    }
}

/// The part of a header that a writer needs besides the roster names: the numbers of the row, and
/// the tags stored in the tables.
#[derive(Default)]
pub(crate) struct Stored<'a> {
    pub(crate) row: Row,
    pub(crate) white: PlayerTags<'a>,
    pub(crate) black: PlayerTags<'a>,
    pub(crate) annotator: &'a str,
    pub(crate) source: &'a str,
}

/// Distributes a header to fields. A tag without a field is a loss. `setup` is whether the game has
/// its own start position.
pub(crate) fn store<'a>(header: &'a Header, setup: bool, losses: &mut Losses) -> Stored<'a> {
    let mut stored = Stored::default();
    let row = &mut stored.row;
    row.white_elo = header.white_elo.map_or(0, Elo::get);
    row.black_elo = header.black_elo.map_or(0, Elo::get);
    let [a, b, c] = encode_date(header.date);
    row.date = u32::from_le_bytes([a, b, c, 0]);
    row.outcome = match header.result {
        GameResult::Draw => 1,
        GameResult::White => 2,
        GameResult::Black => 3,
        GameResult::Unknown => OUTCOME_UNKNOWN,
    };
    row.eco = store_eco(header.eco, setup, losses);
    row.round = store_round(&header.round, losses);
    if let Some(date) = header.event_date {
        losses.push(Loss::new(LossKind::Date, format!("EventDate {date}")));
    }
    if header.deleted {
        losses.push(Loss::new(LossKind::Flag, "Deleted"));
    }
    for (name, text) in [
        ("White", &header.white),
        ("Black", &header.black),
        ("Event", &header.event),
        ("Site", &header.site),
    ] {
        if text.is_empty() {
            losses.push(Loss::new(LossKind::Tag, format!("{name} \"\"")));
        }
    }
    for (name, value) in header.tags.iter().filter(|(name, value)| !is_implied(name, value)) {
        if is_typed(name) || !store_tag(name, value, header.result, &mut stored) {
            losses.push(Loss::new(LossKind::Tag, format!("{name} \"{}\"", shortened(value))));
        }
    }
    stored
}

fn store_eco(eco: Option<Eco>, setup: bool, losses: &mut Losses) -> u16 {
    let Some(eco) = eco else { return NO_ECO };
    // A00 would read back as no code in a game with its own start position.
    let code = Some(eco.code()).filter(|code| *code < NO_ECO && !(setup && *code == 0));
    if code.is_none() || eco.sub() != EcoSub::None {
        losses.push(Loss::new(LossKind::Eco, eco.to_string()));
    }
    code.unwrap_or(NO_ECO)
}

/// Twice the round. Of `3.1` only the part before the dot is stored.
fn store_round(round: &str, losses: &mut Losses) -> u8 {
    let whole = round.split('.').next().unwrap_or_default();
    let number = canonical::<u8>(whole).filter(|number| *number < 128);
    if number.map_or(round != "?", |number| number == 0 || whole.len() < round.len()) {
        losses.push(Loss::new(LossKind::Round, round));
    }
    number.unwrap_or(0) << 1
}

/// Stores a tag in its field. Returns `false` if it has no field, or the field is in use.
fn store_tag<'a>(name: &str, value: &'a str, result: GameResult, stored: &mut Stored<'a>) -> bool {
    let row = &mut stored.row;
    match name {
        tags::ANNOTATOR => set_text(&mut stored.annotator, value),
        tags::SOURCE => set_text(&mut stored.source, value),
        tags::RESULT => {
            let fits = result == GameResult::Unknown && row.outcome == OUTCOME_UNKNOWN;
            let outcome = parse_outcome(value).filter(|_| fits);
            outcome.map(|outcome| row.outcome = outcome).is_some()
        }
        tags::ECO if row.eco == NO_ECO => {
            let eco = canonical(value).filter(|eco| *eco > NO_ECO);
            eco.map(|eco| row.eco = eco).is_some()
        }
        tags::GAME_TYPE => set_number(&mut row.game_type, canonical(value)),
        tags::UNKNOWN_1C => set_number(&mut row.unknown_1c, canonical(value)),
        tags::ROUND_BIT if value == "1" && row.round & 1 == 0 => {
            row.round |= 1;
            true
        }
        _ => {
            store_player_tag(name, value, &tags::WHITE, &mut stored.white)
                || store_player_tag(name, value, &tags::BLACK, &mut stored.black)
        }
    }
}

fn store_player_tag<'a>(
    name: &str,
    value: &'a str,
    names: &tags::Player,
    player: &mut PlayerTags<'a>,
) -> bool {
    let info = &mut player.info;
    if name == names.title {
        set_text(&mut player.title, value)
    } else if name == names.fide_id {
        set_number(&mut info.fide_id, canonical(value))
    } else if name == names.rating {
        set_number(&mut info.rating, canonical(value))
    } else if name == names.gender {
        set_number(&mut info.gender, canonical(value))
    } else if name == names.born && info.born.is_unknown() {
        let born = value.parse::<Date>().ok().filter(|date| !date.is_unknown());
        born.map(|born| info.born = born).is_some()
    } else {
        false
    }
}

fn set_text<'a>(field: &mut &'a str, value: &'a str) -> bool {
    // An empty text, or `?`, would not read back equal.
    let fits = field.is_empty() && !value.is_empty() && value != "?";
    if fits {
        *field = value;
    }
    fits
}

fn set_number<T: Copy + PartialEq + Default>(field: &mut T, value: Option<T>) -> bool {
    let none = T::default();
    match value {
        Some(value) if *field == none && value != none => {
            *field = value;
            true
        }
        _ => false,
    }
}

/// Parses a number, if it is spelt as this crate spells it. For unsigned types.
pub(crate) fn canonical<T: std::str::FromStr>(text: &str) -> Option<T> {
    let plain = text == "0" || !text.starts_with(['0', '+']);
    if plain { text.parse().ok() } else { None }
}

fn parse_outcome(value: &str) -> Option<u8> {
    let assessment = (5u8..).zip(ASSESSMENTS).find(|(_, text)| *text == value);
    assessment
        .map(|(outcome, _)| outcome)
        .or_else(|| canonical(value).filter(|outcome| !(1..=16).contains(outcome)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::ASSESSMENTS;

    #[test]
    fn result_of_agrees_with_table() {
        let rows = testkit::result_rows("chessassistant", "outcome");
        assert_eq!(rows.len(), ASSESSMENTS.len() + 4);
        for [outcome, result, tag] in rows {
            let outcome: u8 = outcome.parse().unwrap();
            assert_eq!(result_of(outcome).unwrap_or_default().as_str(), result, "{outcome}");
            let assessment = outcome.checked_sub(5).map_or("", |at| ASSESSMENTS[usize::from(at)]);
            assert_eq!(assessment, tag, "{outcome}");
        }
        assert_eq!(result_of(0), None);
        assert_eq!(result_of(17), None);
    }
}
