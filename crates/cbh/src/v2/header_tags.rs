//! Builds the header of a game from its record and its entities. The inverse is in
//! `encode_header`.

use std::fmt::Write as _;

use chess_core::{Date, Elo, Header, Tags};
use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Location, TextDecoder};

use super::entities::{
    EntityHeader, EntityType, FieldReader, Found, Player, Source, Team, Tournament, name_text,
    parse_titles,
};
use super::entity_cache::{EntityCache, Place};
use super::header::{GameRecord, Rating, RecordKind};
use super::quirk::Quirk;
use crate::entities::fields::until_zero;
use crate::entity_tags::{push_nation_tag, push_tag};
use crate::error::Error;
use crate::header::parse_date;
use crate::tags::{
    self, BLACK_TEAM_TAG, EVALUATION_TAG, EVENT_FLAGS_TAG, RESULT_TAG, TITLE_TAG, WHITE_TEAM_TAG,
    eco_of, event_type, result_of,
};

/// The record is an analysis, not a game.
pub const ANALYSIS_TAG: &str = "CbhAnalysis";
/// The type of White's rating: kind, list, nation, name. Absent for a FIDE rating.
pub const WHITE_RATING_TAG: &str = "CbhWhiteRating";
/// Like [`WHITE_RATING_TAG`], for Black.
pub const BLACK_RATING_TAG: &str = "CbhBlackRating";
/// White's numbers in the player base of ChessBase: the id, and three unknown numbers.
pub const WHITE_PLAYER_TAG: &str = "CbhWhitePlayer";
/// Like [`WHITE_PLAYER_TAG`], for Black.
pub const BLACK_PLAYER_TAG: &str = "CbhBlackPlayer";
/// The last day of a tournament.
pub const EVENT_END_TAG: &str = "CbhEventEndDate";
/// The latitude and longitude of a tournament.
pub const EVENT_PLACE_TAG: &str = "CbhEventCoordinates";
/// The nation that the place of a tournament belongs to today, if it is another one.
pub const EVENT_NATION_TAG: &str = "CbhEventCountryNow";
/// The tiebreaks of a tournament by number.
pub const EVENT_TIEBREAKS_TAG: &str = "CbhEventTiebreaks";
/// The unknown bytes of a tournament in hexadecimal, if they are unusual.
pub const EVENT_UNKNOWN_TAG: &str = "CbhEventUnknown";
/// The language of titles without a suffix: English, as a nation.
pub(crate) const ENGLISH: i32 = 42;
/// The suffixes of [`TITLE_TAG`] for other languages: `CbhTitle_de`.
pub(crate) const TITLE_SUFFIXES: [(i32, &str); 6] =
    [(43, "es"), (49, "fr"), (53, "de"), (70, "it"), (103, "nl"), (117, "pt")];

/// Builds headers.
pub(crate) struct HeaderDecoder<'a, R> {
    /// The file of entities and its header, if there is one.
    pub(crate) entities: Option<(&'a R, &'a EntityHeader)>,
    pub(crate) text: TextDecoder,
    pub(crate) diagnostics: &'a mut Diagnostics,
    /// The location of the record.
    pub(crate) at: Location,
    pub(crate) cache: &'a mut EntityCache,
}

impl<R: ReadAt> HeaderDecoder<'_, R> {
    // cbh2 §9 "Tags"
    pub(crate) fn decode(&mut self, record: &GameRecord, header: &mut Header) -> Result<(), Error> {
        header.clear();
        header.deleted = record.is_deleted();
        if record.kind == RecordKind::Unknown {
            self.note(Quirk::RecordKind)?;
        }
        header.date = self.date(record.date)?;
        let [white, black, tournament, annotator, source] = record.names;
        let players = !matches!(record.kind, RecordKind::Analysis | RecordKind::Text);
        if players {
            self.player(
                white,
                &mut header.white,
                &mut header.tags,
                ["WhiteFideId", WHITE_PLAYER_TAG],
            )?;
            self.player(
                black,
                &mut header.black,
                &mut header.tags,
                ["BlackFideId", BLACK_PLAYER_TAG],
            )?;
        }
        push_round(record.round, record.subround, &mut header.round);
        if record.round < 0 || record.subround < 0 {
            self.note(Quirk::OddRating)?;
        }
        header.white_elo = self.elo(&record.ratings[0])?;
        header.black_elo = self.elo(&record.ratings[1])?;
        header.eco = match eco_of(record.eco) {
            Ok(eco) => eco,
            Err(()) => {
                self.note(Quirk::OddEco)?;
                None
            }
        };
        match result_of(record.result) {
            _ if record.kind == RecordKind::Text => {}
            Some((result, word)) => {
                header.result = result;
                push_tag(&mut header.tags, RESULT_TAG, word);
            }
            None => self.note(Quirk::UnknownResult)?,
        }
        if record.evaluation != 0 {
            header.tags.push(EVALUATION_TAG, &record.evaluation.to_string());
        }
        push_number(&mut header.tags, "Board", record.board);
        if record.kind != RecordKind::Analysis {
            self.tournament(tournament, header)?;
        }
        self.annotator(annotator, header)?;
        self.source(source, header)?;
        for (team, tags) in [
            (record.teams[0], ["WhiteTeam", "WhiteTeamCountry", WHITE_TEAM_TAG]),
            (record.teams[1], ["BlackTeam", "BlackTeamCountry", BLACK_TEAM_TAG]),
        ] {
            if team >= 0 {
                self.team(team, tags, header)?;
            }
        }
        if record.title >= 0 {
            self.title(record.title, header)?;
        }
        self.rating_type(&record.ratings[0], WHITE_RATING_TAG, header);
        self.rating_type(&record.ratings[1], BLACK_RATING_TAG, header);
        if record.kind == RecordKind::Analysis {
            header.tags.push(ANALYSIS_TAG, "1");
        }
        Ok(())
    }

    fn elo(&mut self, rating: &Rating) -> Result<Option<Elo>, Error> {
        if rating.elo < 0 {
            self.note(Quirk::OddRating)?;
        }
        Ok(u16::try_from(rating.elo).ok().and_then(Elo::new))
    }

    fn rating_type(&self, rating: &Rating, tag: &str, header: &mut Header) {
        let usual = if rating.elo > 0 { Rating::FIDE } else { Rating::default() };
        if *rating == (Rating { elo: rating.elo, ..usual }) {
            return;
        }
        let Rating { kind, list, nation, name, .. } = rating;
        let name = self.text.decode(until_zero(name));
        header.tags.push(tag, format!("{kind} {list} {nation} {name}").trim_end());
    }

    /// Reads an entity. Returns its location and its place in the cache, or `None` if it has no fields.
    fn read(&mut self, kind: EntityType, id: i64) -> Result<Option<(Location, Place)>, Error> {
        let Some((file, header)) = self.entities else { return Ok(None) };
        let (found, place) = self.cache.read(file, header, kind, id)?;
        match found {
            Found::Fields => {
                let (offset, _) = header.place(kind, u64::try_from(id).unwrap_or(0));
                let mut at = self.at;
                at.file = "2lid";
                Ok(Some((at.at(offset), place)))
            }
            Found::Missing => self.note(Quirk::UnknownName).map(|()| None),
            Found::Deleted(_) => self.note(Quirk::DeletedName).map(|()| None),
        }
    }

    fn player(
        &mut self,
        id: i64,
        into: &mut String,
        tags: &mut Tags,
        [fide, numbers]: [&str; 2],
    ) -> Result<(), Error> {
        let Some((at, place)) = self.read(EntityType::Player, id)? else { return Ok(()) };
        let mut fields = FieldReader::new(self.cache.fields(place));
        let player = Player::parse(&mut fields);
        cut(&fields, self.diagnostics, at)?;
        push_player(&player, &self.text, self.diagnostics, at, into)?;
        if fields.cut {
            return Ok(());
        }
        if player.fide_id > 0 {
            tags.push(fide, &player.fide_id.to_string());
        }
        let Player { chessbase_id, unknown: [one, two], unknown_8, .. } = player;
        if chessbase_id > 0 || (one, two, unknown_8) != (0, 0, 8) {
            tags.push(numbers, &format!("{chessbase_id} {one} {two} {unknown_8}"));
        }
        Ok(())
    }

    fn annotator(&mut self, id: i64, header: &mut Header) -> Result<(), Error> {
        let Some((at, place)) = self.read(EntityType::Player, id)? else { return Ok(()) };
        let mut fields = FieldReader::new(self.cache.fields(place));
        let player = Player::parse(&mut fields);
        cut(&fields, self.diagnostics, at)?;
        let name = player_name(&player, &self.text, self.diagnostics, at)?;
        push_tag(&mut header.tags, "Annotator", &name);
        Ok(())
    }

    fn tournament(&mut self, id: i64, header: &mut Header) -> Result<(), Error> {
        let Some((at, place)) = self.read(EntityType::Tournament, id)? else { return Ok(()) };
        let mut fields = FieldReader::new(self.cache.fields(place));
        let event = Tournament::parse(&mut fields);
        cut(&fields, self.diagnostics, at)?;
        for (bytes, into) in [(event.title, &mut header.event), (event.place, &mut header.site)] {
            if !bytes.is_empty() {
                let name = name_text(bytes, &self.text, self.diagnostics, at)?;
                into.clear();
                into.push_str(&name);
            }
        }
        if event.date != 0 {
            header.event_date = Some(date(event.date, self.diagnostics, at)?);
        }
        push_tournament(&event, &mut header.tags);
        if event.end_date != 0 {
            let end = date(event.end_date, self.diagnostics, at)?;
            header.tags.push(EVENT_END_TAG, &end.to_string());
        }
        Ok(())
    }

    fn source(&mut self, id: i64, header: &mut Header) -> Result<(), Error> {
        let Some((at, place)) = self.read(EntityType::Source, id)? else { return Ok(()) };
        let mut fields = FieldReader::new(self.cache.fields(place));
        let source = Source::parse(&mut fields);
        cut(&fields, self.diagnostics, at)?;
        let tags = &mut header.tags;
        for (name, bytes) in [("SourceTitle", source.title), ("Source", source.publisher)] {
            push_tag(tags, name, &name_text(bytes, &self.text, self.diagnostics, at)?);
        }
        let named = !source.title.is_empty() || !source.publisher.is_empty();
        if source.publication != 0 && (named || source.publication != source.date) {
            let publication = date(source.publication, self.diagnostics, at)?;
            tags.push("SourceDate", &publication.to_string());
        }
        push_number(tags, "SourceVersion", source.version);
        if source.date != 0 {
            tags.push("SourceVersionDate", &date(source.date, self.diagnostics, at)?.to_string());
        }
        push_number(tags, "SourceQuality", source.quality);
        Ok(())
    }

    fn team(
        &mut self,
        id: i64,
        [name, country, more]: [&str; 3],
        header: &mut Header,
    ) -> Result<(), Error> {
        let Some((at, place)) = self.read(EntityType::Team, id)? else { return Ok(()) };
        let mut fields = FieldReader::new(self.cache.fields(place));
        let team = Team::parse(&mut fields);
        cut(&fields, self.diagnostics, at)?;
        push_tag(&mut header.tags, name, &name_text(team.title, &self.text, self.diagnostics, at)?);
        push_nation_tag(&mut header.tags, country, team.nation);
        let Team { number, season, year: of, .. } = team;
        if (number, season, of) != (0, 0, 0) {
            header.tags.push(more, &format!("{number} {season} {of}"));
        }
        Ok(())
    }

    fn title(&mut self, id: i64, header: &mut Header) -> Result<(), Error> {
        let Some((at, place)) = self.read(EntityType::Title, id)? else { return Ok(()) };
        let mut fields = FieldReader::new(self.cache.fields(place));
        let titles = parse_titles(&mut fields);
        cut(&fields, self.diagnostics, at)?;
        for (language, bytes) in titles {
            if bytes.is_empty() {
                continue;
            }
            let text = name_text(bytes, &self.text, self.diagnostics, at)?;
            header.tags.push(&title_tag(language), &text);
        }
        Ok(())
    }

    fn date(&mut self, bits: u32) -> Result<Date, Error> {
        date(bits, self.diagnostics, self.at)
    }

    #[cold]
    fn note(&mut self, quirk: Quirk) -> Result<(), Error> {
        Ok(self.diagnostics.note(quirk, self.at)?)
    }
}

fn cut(fields: &FieldReader<'_>, diagnostics: &mut Diagnostics, at: Location) -> Result<(), Error> {
    if fields.cut {
        diagnostics.note(Quirk::NameCut, at)?;
    }
    Ok(())
}

fn date(bits: u32, diagnostics: &mut Diagnostics, at: Location) -> Result<Date, Error> {
    let (date, sound) = parse_date(bits);
    if !sound {
        diagnostics.note(Quirk::OddDate, at)?;
    }
    Ok(date)
}

/// Returns the name of a player as `Last, First`.
pub(crate) fn player_name(
    player: &Player<'_>,
    text: &TextDecoder,
    diagnostics: &mut Diagnostics,
    at: Location,
) -> Result<String, Error> {
    let mut name = String::new();
    push_player(player, text, diagnostics, at, &mut name)?;
    Ok(name)
}

/// Replaces `into` with the name of a player, unless it is empty.
fn push_player(
    player: &Player<'_>,
    text: &TextDecoder,
    diagnostics: &mut Diagnostics,
    at: Location,
    into: &mut String,
) -> Result<(), Error> {
    if player.last.is_empty() && player.first.is_empty() {
        return Ok(());
    }
    let last = name_text(player.last, text, diagnostics, at)?;
    into.clear();
    into.push_str(&last);
    if !player.first.is_empty() {
        into.push_str(", ");
        into.push_str(&name_text(player.first, text, diagnostics, at)?);
    }
    Ok(())
}

/// Returns the tag of a title in a language.
pub(crate) fn title_tag(language: i32) -> String {
    if language == ENGLISH {
        return TITLE_TAG.to_owned();
    }
    match TITLE_SUFFIXES.iter().find(|(known, _)| *known == language) {
        Some((_, suffix)) => format!("{TITLE_TAG}_{suffix}"),
        None => format!("{TITLE_TAG}_{language}"),
    }
}

/// Returns the language of a tag from [`title_tag`].
pub(crate) fn title_language(name: &str) -> Option<i32> {
    let suffix = name.strip_prefix(TITLE_TAG)?;
    if suffix.is_empty() {
        return Some(ENGLISH);
    }
    let suffix = suffix.strip_prefix('_')?;
    if let Some((language, _)) = TITLE_SUFFIXES.iter().find(|(_, known)| *known == suffix) {
        return Some(*language);
    }
    let language: i32 = suffix.parse().ok()?;
    (title_tag(language) == name).then_some(language)
}

/// Appends the tags of a tournament other than its texts and dates.
fn push_tournament(event: &Tournament<'_>, tags: &mut Tags) {
    if (event.kind, event.team) != (0, 0) {
        push_tag(tags, "EventType", &event_type(event.kind, event.team));
    }
    push_number(tags, "EventRounds", i16::from(event.rounds));
    push_nation_tag(tags, "EventCountry", event.nation);
    push_number(tags, "EventCategory", i16::from(event.category));
    push_number(tags, EVENT_FLAGS_TAG, i16::from(event.flags));
    if event.nation_now != event.nation {
        let mut nation = String::new();
        crate::entities::nations::push_nation(event.nation_now, &mut nation);
        tags.push(EVENT_NATION_TAG, if nation.is_empty() { "none" } else { &nation });
    }
    if (event.latitude, event.longitude) != (0.0, 0.0) {
        tags.push(EVENT_PLACE_TAG, &format!("{} {}", event.latitude, event.longitude));
    }
    if !event.tiebreaks.is_empty() {
        let numbers: Vec<String> = event.tiebreaks.iter().map(ToString::to_string).collect();
        tags.push(EVENT_TIEBREAKS_TAG, &numbers.join(" "));
    }
    if event.is_unusual() {
        let mut digits = String::new();
        for byte in [event.unknown_7, event.unknown_11].iter().chain(&event.unknown) {
            // Writing to a string does not fail.
            let _ = write!(digits, "{byte:02x}");
        }
        tags.push(EVENT_UNKNOWN_TAG, &digits);
    }
}

fn push_number(tags: &mut Tags, name: &str, value: i16) {
    if value != 0 {
        tags.push(name, &value.to_string());
    }
}

/// Appends round and subround in PGN form. Negative numbers count as unknown.
pub(crate) fn push_round(round: i16, subround: i16, out: &mut String) {
    let [round, subround] = [round, subround].map(|number| u16::try_from(number).unwrap_or(0));
    tags::push_round(round, subround, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_language_every_tag_round_trips() {
        for language in 0..200 {
            assert_eq!(title_language(&title_tag(language)), Some(language));
        }
        assert_eq!(title_tag(53), "CbhTitle_de");
        for name in ["CbhTitle_53", "CbhTitle_", "CbhTitles", "CbhTitle_07"] {
            assert_eq!(title_language(name), None, "{name}");
        }
    }
}
