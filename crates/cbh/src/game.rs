//! Records to headers and games.

use chess_core::{Date, Game, Header, LineError};
use chess_store::{Diagnostics, Location, TextDecoder};

use crate::annotations::comments::{Notes, is_clock};
use crate::entities::fields::{parse_source, parse_team, parse_tournament, until_zero};
use crate::entities::file::EntityFile;
use crate::entities::nations::push_nation;
use crate::error::Error;
use crate::extended::Extended;
use crate::header::{GameRecord, parse_date};
use crate::layout::item;
use crate::name_texts::{Day, NameTexts, Texts};
use crate::names::Names;
use crate::quirk::Quirk;
use crate::tags::{
    BLACK_TEAM_TAG, EVALUATION_TAG, EVENT_FLAGS_TAG, RESULT_TAG, TITLE_TAG, WHITE_TEAM_TAG, clock,
    eco_of, event_type, push_round, result_of,
};
use crate::tree::{ROOT, Step, Tree};

/// Makes the header of a game of its record and its names.
pub(crate) struct HeaderDecoder<'a> {
    pub(crate) names: &'a Names,
    pub(crate) texts: &'a NameTexts,
    pub(crate) text: TextDecoder,
    pub(crate) diagnostics: &'a mut Diagnostics,
    /// The place of the record.
    pub(crate) at: Location,
}

impl HeaderDecoder<'_> {
    // cbh §10 "Tags"
    pub(crate) fn decode(
        &mut self,
        record: &GameRecord,
        extended: &Extended,
        header: &mut Header,
    ) -> Result<(), Error> {
        header.clear();
        header.deleted = record.is_deleted();
        header.date = self.date(record.date)?;
        self.player(record.white, &mut header.white)?;
        self.player(record.black, &mut header.black)?;
        push_round(record.round, record.subround, &mut header.round);
        header.white_elo = chess_core::Elo::new(record.white_elo);
        header.black_elo = chess_core::Elo::new(record.black_elo);
        header.eco = match eco_of(record.eco) {
            Ok(eco) => eco,
            Err(()) => {
                self.note(Quirk::OddEco)?;
                None
            }
        };
        match result_of(record.result) {
            Some((result, word)) => {
                header.result = result;
                push_tag(header, RESULT_TAG, word);
            }
            None => self.note(Quirk::UnknownResult)?,
        }
        if record.evaluation != 0 {
            header.tags.push(EVALUATION_TAG, &record.evaluation.to_string());
        }
        self.tournament(record.tournament, header)?;
        let texts = self.texts;
        if let Some(name) = self.text_of(&texts.annotators, record.annotator)? {
            push_tag(header, "Annotator", name);
        }
        if !self.texts.is_silent(record.source) {
            self.source(record.source, header)?;
        }
        let year = header.date.year().unwrap_or(0);
        for (team, tags) in [
            (extended.white_team, ["WhiteTeam", "WhiteTeamCountry", WHITE_TEAM_TAG]),
            (extended.black_team, ["BlackTeam", "BlackTeamCountry", BLACK_TEAM_TAG]),
        ] {
            if let Some(team) = team {
                self.team(team, year, tags, header)?;
            }
        }
        self.title(extended.tag, header)
    }

    fn player(&mut self, id: u32, into: &mut String) -> Result<(), Error> {
        let texts = self.texts;
        if let Some(name) = self.text_of(&texts.players, id)? {
            assign(name, into);
        }
        Ok(())
    }

    fn tournament(&mut self, id: u32, header: &mut Header) -> Result<(), Error> {
        let texts = self.texts;
        let Some(event) = self.text_of(&texts.events, id)? else { return Ok(()) };
        assign(event, &mut header.event);
        assign(texts.sites.get(id).unwrap_or_default().0, &mut header.site);
        match texts.day(id) {
            Some(Day { date: 0, more: false }) => Ok(()),
            Some(Day { date, more: false }) => {
                header.event_date = Some(self.date(date)?);
                Ok(())
            }
            _ => self.more_of_tournament(id, header),
        }
    }

    #[cold]
    fn more_of_tournament(&mut self, id: u32, header: &mut Header) -> Result<(), Error> {
        let data = self.names.tournaments.data(id).unwrap_or_default().0;
        let Some(fields) = parse_tournament(data) else { return Ok(()) };
        if fields.date != 0 {
            header.event_date = Some(self.date(fields.date)?);
        }
        if (fields.kind, fields.team) != (0, 0) {
            push_tag(header, "EventType", &event_type(fields.kind, fields.team));
        }
        push_number(header, "EventRounds", fields.rounds);
        push_nation_tag(header, "EventCountry", fields.nation);
        push_number(header, "EventCategory", fields.category);
        push_number(header, EVENT_FLAGS_TAG, fields.flags);
        Ok(())
    }

    #[cold]
    fn source(&mut self, id: u32, header: &mut Header) -> Result<(), Error> {
        let names = self.names;
        let Some(data) = self.entity(&names.sources, id)? else { return Ok(()) };
        let Some(fields) = parse_source(data) else { return Ok(()) };
        push_tag(header, "SourceTitle", &self.text.decode(fields.title));
        push_tag(header, "Source", &self.text.decode(fields.publisher));
        let named = !fields.title.is_empty() || !fields.publisher.is_empty();
        if fields.publication != 0 && (named || fields.publication != fields.date) {
            header.tags.push("SourceDate", &self.date(fields.publication)?.to_string());
        }
        push_number(header, "SourceVersion", fields.version);
        if fields.date != 0 {
            header.tags.push("SourceVersionDate", &self.date(fields.date)?.to_string());
        }
        push_number(header, "SourceQuality", fields.quality);
        Ok(())
    }

    fn team(
        &mut self,
        id: u32,
        year: u16,
        [name, country, more]: [&str; 3],
        header: &mut Header,
    ) -> Result<(), Error> {
        let names = self.names;
        let Some(data) = self.entity(&names.teams, id)? else { return Ok(()) };
        let Some(team) = parse_team(data) else { return Ok(()) };
        push_tag(header, name, &self.text.decode(team.title));
        push_nation_tag(header, country, team.nation);
        if (team.number, team.season, team.year) != (0, 0, u32::from(year)) {
            let (number, season, year) = (team.number, team.season, team.year);
            header.tags.push(more, &format!("{number} {season} {year}"));
        }
        Ok(())
    }

    fn title(&mut self, id: Option<u32>, header: &mut Header) -> Result<(), Error> {
        // A base without titles has none to name, and its games name the first. (cbh §7.3)
        let names = self.names;
        let Some(id) = id.filter(|_| names.tags.len() > 0) else { return Ok(()) };
        let Some(data) = self.entity(&names.tags, id)? else { return Ok(()) };
        let title = data.get(..200).unwrap_or_default();
        push_tag(header, TITLE_TAG, &self.text.decode(until_zero(title)));
        Ok(())
    }

    /// The text of a name that every game has.
    #[inline]
    fn text_of<'n>(&mut self, of: &'n Texts, id: u32) -> Result<Option<&'n str>, Error> {
        match of.get(id) {
            Some((text, false)) => return Ok(Some(text)),
            Some((_, true)) => self.note(Quirk::DeletedName)?,
            None => self.note(Quirk::UnknownName)?,
        }
        Ok(of.get(id).map(|(text, _)| text))
    }

    fn entity<'n>(&mut self, file: &'n EntityFile, id: u32) -> Result<Option<&'n [u8]>, Error> {
        let found = file.data(id);
        match found {
            Some((_, false)) => {}
            Some((_, true)) => self.note(Quirk::DeletedName)?,
            None => self.note(Quirk::UnknownName)?,
        }
        Ok(found.map(|(data, _)| data))
    }

    fn date(&mut self, bits: u32) -> Result<Date, Error> {
        let (date, sound) = parse_date(bits);
        if !sound {
            self.note(Quirk::OddDate)?;
        }
        Ok(date)
    }

    #[cold]
    fn note(&mut self, quirk: Quirk) -> Result<(), Error> {
        Ok(self.diagnostics.note(quirk, self.at)?)
    }
}

/// Gives a field a text, if there is one.
fn assign(text: &str, into: &mut String) {
    if !text.is_empty() {
        into.clear();
        into.push_str(text);
    }
}

fn push_tag(header: &mut Header, name: &str, value: &str) {
    if !value.is_empty() {
        header.tags.push(name, value);
    }
}

fn push_number(header: &mut Header, name: &str, value: u8) {
    if value != 0 {
        header.tags.push(name, &value.to_string());
    }
}

fn push_nation_tag(header: &mut Header, name: &str, nation: u8) {
    let mut value = String::new();
    push_nation(nation, &mut value);
    push_tag(header, name, &value);
}

/// What putting moves and annotations into a game reuses.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    open: Vec<(u32, Option<u32>)>,
    comment: String,
}

/// Puts the moves of a tree and their annotations into a game.
// cbh §5.3 "Annotations in PGN"
pub(crate) fn push_line(
    tree: &Tree,
    notes: &Notes<'_>,
    game: &mut Game,
    scratch: &mut Scratch,
) -> Result<(), LineError> {
    let Scratch { open, comment } = scratch;
    if notes.items.is_empty() && tree.is_line() {
        game.push_moves(tree.stored());
        return Ok(());
    }
    if notes.items.is_empty() {
        for step in tree.walk(open) {
            match step {
                Step::Move(number) => game.push_move(move_of(tree, number)),
                Step::Start => game.start_variation()?,
                Step::End => game.end_variation()?,
            }
        }
        return Ok(());
    }
    for item in notes.items.of(-1, notes.record).filter(|item| is_clock(item)) {
        let name = if item.kind == item::WHITE_CLOCK { "WhiteClock" } else { "BlackClock" };
        let hundredths = item.data.first_chunk().map_or(0, |bytes| u32::from_be_bytes(*bytes));
        game.header.tags.push(name, &clock(hundredths));
    }
    notes.push_after(-1, game, comment)?;
    // Whether a comment that stands here belongs before the next move anyway.
    let mut plain = false;
    for step in tree.walk(open) {
        match step {
            Step::Move(number) => {
                let position = i32::try_from(number).unwrap_or(0).saturating_sub(1);
                notes.push_before(position, plain, game, comment)?;
                game.push_move(move_of(tree, number));
                notes.push_after(position, game, comment)?;
                plain = false;
            }
            Step::Start => {
                game.start_variation()?;
                plain = true;
            }
            Step::End => {
                game.end_variation()?;
                plain = true;
            }
        }
    }
    Ok(())
}

fn move_of(tree: &Tree, number: u32) -> chess_core::Move {
    tree.get(number).unwrap_or(chess_core::Move::NULL)
}

/// The move that annotations of moves that are not there go to.
pub(crate) fn end_of(tree: &Tree) -> i32 {
    match tree.main_end() {
        ROOT => -1,
        number => i32::try_from(number).unwrap_or(0).saturating_sub(1),
    }
}
