//! Entities with decoded texts, as the header of a game needs them.
//!
//! A reader keeps the entities of recent games. Decoding an entity once for many games is the reason
//! for this form.

use std::fmt::Write as _;

use chess_core::{Date, Tags};
use chess_store::{Diagnostics, Location, TextDecoder, Warning};

use super::entities::{
    EntityType, FieldReader, Player, Source, Team, Tournament, name_text, parse_titles,
};
use super::header_tags::{
    EVENT_END_TAG, EVENT_NATION_TAG, EVENT_PLACE_TAG, EVENT_TIEBREAKS_TAG, EVENT_UNKNOWN_TAG,
    title_tag,
};
use super::quirk::Quirk;
use crate::entity_tags::{push_nation_tag, push_tag};
use crate::error::Error;
use crate::header::parse_date;
use crate::tags::{EVENT_FLAGS_TAG, event_type};

/// The decoded fields of an entity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entity {
    /// The name of a player as `Last, First`, the title of a tournament or team.
    pub(crate) name: String,
    /// The place of a tournament.
    pub(crate) site: String,
    pub(crate) event_date: Option<Date>,
    /// The FIDE id of a player, or nothing.
    pub(crate) fide_id: String,
    /// The other numbers of a player or team, or nothing.
    pub(crate) numbers: String,
    /// The nation of a team.
    pub(crate) nation: u8,
    /// The tags whose names do not depend on the role of the entity.
    pub(crate) tags: Tags,
    /// The deviations to report with each use.
    pub(crate) warnings: Vec<Warning>,
}

impl Entity {
    fn clear(&mut self) {
        for text in [&mut self.name, &mut self.site, &mut self.fide_id, &mut self.numbers] {
            text.clear();
        }
        self.event_date = None;
        self.tags.clear();
        self.warnings.clear();
    }

    /// Replaces the entity by the one with these fields.
    // cbh2 §6.4 "Fields"
    pub(crate) fn decode(
        &mut self,
        kind: EntityType,
        bytes: &[u8],
        text: &TextDecoder,
    ) -> Result<(), Error> {
        self.clear();
        let mut notes = Notes { text, diagnostics: Diagnostics::lenient() };
        let fields = FieldReader::new(bytes);
        match kind {
            EntityType::Player => self.player(fields, &mut notes)?,
            EntityType::Tournament => self.tournament(fields, &mut notes)?,
            EntityType::Source => self.source(fields, &mut notes)?,
            EntityType::Team => self.team(fields, &mut notes)?,
            EntityType::Title => self.titles(fields, &mut notes)?,
            EntityType::Unused => {}
        }
        self.warnings.extend_from_slice(notes.diagnostics.warnings());
        Ok(())
    }

    fn player(&mut self, mut fields: FieldReader<'_>, notes: &mut Notes<'_>) -> Result<(), Error> {
        let player = Player::parse(&mut fields);
        notes.cut(&fields)?;
        let Notes { text, diagnostics } = notes;
        push_player(&player, text, diagnostics, Location::default(), &mut self.name)?;
        if player.fide_id > 0 {
            self.fide_id = player.fide_id.to_string();
        }
        let Player { chessbase_id, unknown: [one, two], unknown_8, .. } = player;
        if chessbase_id > 0 || (one, two, unknown_8) != (0, 0, 8) {
            self.numbers = format!("{chessbase_id} {one} {two} {unknown_8}");
        }
        Ok(())
    }

    fn tournament(
        &mut self,
        mut fields: FieldReader<'_>,
        notes: &mut Notes<'_>,
    ) -> Result<(), Error> {
        let event = Tournament::parse(&mut fields);
        notes.cut(&fields)?;
        notes.name(event.title, &mut self.name)?;
        notes.name(event.place, &mut self.site)?;
        if event.date != 0 {
            self.event_date = Some(notes.date(event.date)?);
        }
        push_tournament(&event, &mut self.tags);
        if event.end_date != 0 {
            let end = notes.date(event.end_date)?;
            self.tags.push(EVENT_END_TAG, &end.to_string());
        }
        Ok(())
    }

    fn source(&mut self, mut fields: FieldReader<'_>, notes: &mut Notes<'_>) -> Result<(), Error> {
        let source = Source::parse(&mut fields);
        notes.cut(&fields)?;
        let tags = &mut self.tags;
        for (name, bytes) in [("SourceTitle", source.title), ("Source", source.publisher)] {
            notes.tag(name, bytes, tags)?;
        }
        let named = !source.title.is_empty() || !source.publisher.is_empty();
        if source.publication != 0 && (named || source.publication != source.date) {
            tags.push("SourceDate", &notes.date(source.publication)?.to_string());
        }
        push_number(tags, "SourceVersion", source.version);
        if source.date != 0 {
            tags.push("SourceVersionDate", &notes.date(source.date)?.to_string());
        }
        push_number(tags, "SourceQuality", source.quality);
        Ok(())
    }

    fn team(&mut self, mut fields: FieldReader<'_>, notes: &mut Notes<'_>) -> Result<(), Error> {
        let team = Team::parse(&mut fields);
        notes.cut(&fields)?;
        notes.name(team.title, &mut self.name)?;
        self.nation = team.nation;
        let Team { number, season, year: of, .. } = team;
        if (number, season, of) != (0, 0, 0) {
            self.numbers = format!("{number} {season} {of}");
        }
        Ok(())
    }

    fn titles(&mut self, mut fields: FieldReader<'_>, notes: &mut Notes<'_>) -> Result<(), Error> {
        let titles = parse_titles(&mut fields);
        notes.cut(&fields)?;
        for (language, bytes) in titles {
            notes.tag(&title_tag(language), bytes, &mut self.tags)?;
        }
        Ok(())
    }
}

/// Decodes fields and collects deviations.
struct Notes<'a> {
    text: &'a TextDecoder,
    diagnostics: Diagnostics,
}

impl Notes<'_> {
    fn cut(&mut self, fields: &FieldReader<'_>) -> Result<(), Error> {
        if fields.cut {
            self.diagnostics.note(Quirk::NameCut, Location::default())?;
        }
        Ok(())
    }

    fn name(&mut self, bytes: &[u8], into: &mut String) -> Result<(), Error> {
        let at = Location::default();
        into.push_str(&name_text(bytes, self.text, &mut self.diagnostics, at)?);
        Ok(())
    }

    fn tag(&mut self, name: &str, bytes: &[u8], tags: &mut Tags) -> Result<(), Error> {
        let at = Location::default();
        push_tag(tags, name, &name_text(bytes, self.text, &mut self.diagnostics, at)?);
        Ok(())
    }

    fn date(&mut self, bits: u32) -> Result<Date, Error> {
        date(bits, &mut self.diagnostics, Location::default())
    }
}

pub(super) fn date(bits: u32, diagnostics: &mut Diagnostics, at: Location) -> Result<Date, Error> {
    let (date, sound) = parse_date(bits);
    if !sound {
        diagnostics.note(Quirk::OddDate, at)?;
    }
    Ok(date)
}

/// Appends the name of a player as `Last, First`.
pub(crate) fn push_player(
    player: &Player<'_>,
    text: &TextDecoder,
    diagnostics: &mut Diagnostics,
    at: Location,
    into: &mut String,
) -> Result<(), Error> {
    into.push_str(&name_text(player.last, text, diagnostics, at)?);
    if !player.first.is_empty() {
        into.push_str(", ");
        into.push_str(&name_text(player.first, text, diagnostics, at)?);
    }
    Ok(())
}

/// Appends the tags of a tournament other than its texts and dates.
fn push_tournament(event: &Tournament<'_>, tags: &mut Tags) {
    push_tag(tags, "EventType", &event_type(event.kind, event.team));
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

pub(super) fn push_number(tags: &mut Tags, name: &str, value: i16) {
    if value != 0 {
        tags.push(name, &value.to_string());
    }
}
