//! Builds the header of a game from its record and its entities. The inverse is in
//! `encode_header`.

use chess_core::{Date, Elo, Header, Tags};
use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Location, TextDecoder, Warning};

use super::entities::{EntityHeader, EntityType, Found};
use super::entity::{Entity, date, push_number};
use super::entity_cache::EntityCache;
use super::header::{GameRecord, Rating, RecordKind};
use super::quirk::Quirk;
use crate::entities::fields::until_zero;
use crate::entity_tags::{push_nation_tag, push_tag};
use crate::error::Error;
use crate::game::{assign, in_file};
use crate::tags::{
    self, BLACK_TEAM_TAG, EVALUATION_TAG, TITLE_TAG, WHITE_TEAM_TAG, set_eco, set_result,
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
        if !set_eco(record.eco, header) {
            self.note(Quirk::OddEco)?;
        }
        if record.kind != RecordKind::Text && !set_result(record.result, header) {
            self.note(Quirk::UnknownResult)?;
        }
        if record.evaluation != 0 {
            header.tags.push(EVALUATION_TAG, &record.evaluation.to_string());
        }
        push_number(&mut header.tags, "Board", record.board);
        if record.kind != RecordKind::Analysis {
            self.tournament(tournament, header)?;
        }
        self.annotator(annotator, header)?;
        self.tags(EntityType::Source, source, header)?;
        for (team, tags) in [
            (record.teams[0], ["WhiteTeam", "WhiteTeamCountry", WHITE_TEAM_TAG]),
            (record.teams[1], ["BlackTeam", "BlackTeamCountry", BLACK_TEAM_TAG]),
        ] {
            if team >= 0 {
                self.team(team, tags, header)?;
            }
        }
        if record.title >= 0 {
            self.tags(EntityType::Title, record.title, header)?;
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

    /// Reads an entity and reports its deviations. Returns `None` if it has no fields.
    fn read(&mut self, kind: EntityType, id: i64) -> Result<Option<&Entity>, Error> {
        let Some((file, header)) = self.entities else { return Ok(None) };
        let (found, entity) = self.cache.read((file, header), kind, id, &self.text)?;
        match found {
            Found::Fields => {}
            Found::Missing => {
                self.diagnostics.note(Quirk::UnknownName, self.at)?;
                return Ok(None);
            }
            Found::Deleted(_) => {
                self.diagnostics.note(Quirk::DeletedName, self.at)?;
                return Ok(None);
            }
        }
        if !entity.warnings.is_empty() {
            let (offset, _) = header.place(kind, u64::try_from(id).unwrap_or(0));
            let at = in_file("2lid", self.at, offset);
            for quirk in entity.warnings.iter().filter_map(Warning::quirk::<Quirk>) {
                self.diagnostics.note(quirk, at)?;
            }
        }
        Ok(Some(entity))
    }

    fn player(
        &mut self,
        id: i64,
        into: &mut String,
        tags: &mut Tags,
        [fide, numbers]: [&str; 2],
    ) -> Result<(), Error> {
        let Some(player) = self.read(EntityType::Player, id)? else { return Ok(()) };
        assign(&player.name, into);
        push_tag(tags, fide, &player.fide_id);
        push_tag(tags, numbers, &player.numbers);
        Ok(())
    }

    fn annotator(&mut self, id: i64, header: &mut Header) -> Result<(), Error> {
        if let Some(player) = self.read(EntityType::Player, id)? {
            push_tag(&mut header.tags, "Annotator", &player.name);
        }
        Ok(())
    }

    fn tournament(&mut self, id: i64, header: &mut Header) -> Result<(), Error> {
        let Some(event) = self.read(EntityType::Tournament, id)? else { return Ok(()) };
        assign(&event.name, &mut header.event);
        assign(&event.site, &mut header.site);
        header.event_date = event.event_date;
        append(&event.tags, &mut header.tags);
        Ok(())
    }

    fn team(
        &mut self,
        id: i64,
        [name, country, more]: [&str; 3],
        header: &mut Header,
    ) -> Result<(), Error> {
        let Some(team) = self.read(EntityType::Team, id)? else { return Ok(()) };
        push_tag(&mut header.tags, name, &team.name);
        push_nation_tag(&mut header.tags, country, team.nation);
        push_tag(&mut header.tags, more, &team.numbers);
        Ok(())
    }

    /// Appends the tags of a source or title.
    fn tags(&mut self, kind: EntityType, id: i64, header: &mut Header) -> Result<(), Error> {
        if let Some(entity) = self.read(kind, id)? {
            append(&entity.tags, &mut header.tags);
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

fn append(tags: &Tags, to: &mut Tags) {
    if !tags.is_empty() {
        to.append(tags, 0..tags.len());
    }
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
