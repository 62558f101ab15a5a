//! Conversion of records to headers and games.

use std::borrow::Cow;

use chess_core::{Date, Game, Header, LineError, Position};
use chess_store::{Diagnostics, Location, TextDecoder};

use crate::annotations::comments::{AnnotationFormatter, is_clock};
use crate::annotations::dialect::Dialect;
use crate::entities::fields::{field_text, parse_team, until_zero};
use crate::entities::file::EntityFile;
use crate::entity_tags::{push_nation_tag, push_tag};
use crate::error::Error;
use crate::extended::Extended;
use crate::header::{GameRecord, parse_date};
use crate::layout::item;
use crate::name_texts::{NameState, NameTexts, Texts};
use crate::names::Names;
use crate::quirk::Quirk;
use crate::tags::{
    BLACK_TEAM_TAG, EVALUATION_TAG, TITLE_TAG, WHITE_TEAM_TAG, clock, push_round, set_eco,
    set_result,
};
use crate::texts::TextRecord;
use crate::tree::{ROOT, Step, Tree};

/// Builds the header of a game from its record and its names.
pub(crate) struct HeaderDecoder<'a> {
    pub(crate) names: &'a Names,
    pub(crate) texts: &'a NameTexts,
    pub(crate) text: TextDecoder,
    pub(crate) diagnostics: &'a mut Diagnostics,
    /// The location of the record.
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
        push_round(u16::from(record.round), u16::from(record.subround), &mut header.round);
        header.white_elo = chess_core::Elo::new(record.white_elo);
        header.black_elo = chess_core::Elo::new(record.black_elo);
        if !set_eco(record.eco, header) {
            self.note(Quirk::OddEco)?;
        }
        if !set_result(record.result, header) {
            self.note(Quirk::UnknownResult)?;
        }
        if record.evaluation != 0 {
            header.tags.push(EVALUATION_TAG, &record.evaluation.to_string());
        }
        self.tournament(record.tournament, header)?;
        self.annotator(record.annotator, header)?;
        self.source(record.source, header)?;
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

    /// Builds the header of a guiding text.
    // cbh §3.3 "Text record"
    pub(crate) fn decode_text(
        &mut self,
        record: &TextRecord,
        header: &mut Header,
    ) -> Result<(), Error> {
        header.clear();
        header.deleted = record.deleted;
        push_round(u16::from(record.round), u16::from(record.subround), &mut header.round);
        self.tournament(record.tournament, header)?;
        self.annotator(record.annotator, header)?;
        self.source(record.source, header)
    }

    fn annotator(&mut self, id: u32, header: &mut Header) -> Result<(), Error> {
        let texts = self.texts;
        if let Some(name) = self.text_of(&texts.annotators, id)? {
            push_tag(&mut header.tags, "Annotator", name);
        }
        Ok(())
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
        let (site, state) = texts.sites.get(id).unwrap_or_default();
        assign(site, &mut header.site);
        if matches!(state, NameState::Cut | NameState::DeletedAndCut) {
            self.note(Quirk::CutName)?;
        }
        let date = texts.day(id);
        if date != 0 {
            header.event_date = Some(self.date(date)?);
        }
        texts.event_tags.append_to(id, &mut header.tags);
        Ok(())
    }

    fn source(&mut self, id: u32, header: &mut Header) -> Result<(), Error> {
        let texts = self.texts;
        let Some(source) = texts.source(id) else { return self.note(Quirk::UnknownName) };
        if source.deleted {
            self.note(Quirk::DeletedName)?;
        }
        texts.source_tags.append_to(id, &mut header.tags);
        for _ in 0..source.odd.cut {
            self.note(Quirk::CutName)?;
        }
        for _ in 0..source.odd.dates {
            self.note(Quirk::OddDate)?;
        }
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
        push_tag(&mut header.tags, name, &self.field(team.title, 45)?);
        push_nation_tag(&mut header.tags, country, team.nation);
        if (team.number, team.season, team.year) != (0, 0, u32::from(year)) {
            let (number, season, year) = (team.number, team.season, team.year);
            header.tags.push(more, &format!("{number} {season} {year}"));
        }
        Ok(())
    }

    fn title(&mut self, id: Option<u32>, header: &mut Header) -> Result<(), Error> {
        // Without a `.cbl` there are no titles, although the games name the first. (cbh §7.3)
        let names = self.names;
        let Some(id) = id.filter(|id| *id > 0 || names.tags.len() > 0) else { return Ok(()) };
        let Some(data) = self.entity(&names.tags, id)? else { return Ok(()) };
        let title = data.get(..200).unwrap_or_default();
        push_tag(&mut header.tags, TITLE_TAG, &self.field(until_zero(title), 200)?);
        Ok(())
    }

    /// Returns the text of a name that every game has.
    #[inline]
    fn text_of<'n>(&mut self, of: &'n Texts, id: u32) -> Result<Option<&'n str>, Error> {
        let Some((text, state)) = of.get(id) else {
            self.note(Quirk::UnknownName)?;
            return Ok(None);
        };
        if state != NameState::Sound {
            self.note_state(state)?;
        }
        Ok(Some(text))
    }

    #[cold]
    fn note_state(&mut self, state: NameState) -> Result<(), Error> {
        if matches!(state, NameState::Deleted | NameState::DeletedAndCut) {
            self.note(Quirk::DeletedName)?;
        }
        if matches!(state, NameState::Cut | NameState::DeletedAndCut) {
            self.note(Quirk::CutName)?;
        }
        Ok(())
    }

    /// Decodes the text of a field of a name.
    fn field<'f>(&mut self, bytes: &'f [u8], size: usize) -> Result<Cow<'f, str>, Error> {
        let (text, cut) = field_text(bytes, size, &self.text);
        if cut {
            self.note(Quirk::CutName)?;
        }
        Ok(text)
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

/// Assigns a text unless it is empty.
pub(crate) fn assign(text: &str, into: &mut String) {
    if !text.is_empty() {
        into.clear();
        into.push_str(text);
    }
}

/// Returns a location in another file for the same game.
pub(crate) fn in_file(file: &'static str, mut at: Location, offset: u64) -> Location {
    at.file = file;
    at.at(offset)
}

/// Sets the start position and the variant of a game whose moves were decoded.
pub(crate) fn push_start(start: Option<Position>, chess960: bool, game: &mut Game) {
    if let Some(start) = start {
        game.set_start(start);
    }
    if chess960 {
        game.header.tags.push("Variant", "Chess960");
    }
}

/// Reusable buffers for building a game from moves and annotations.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    open: Vec<(u32, Option<u32>)>,
    comment: String,
}

/// Appends the moves of a tree and their annotations to a game.
// cbh §5.3 "Annotations in PGN"
pub(crate) fn push_line(
    tree: &Tree,
    notes: &AnnotationFormatter<'_>,
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
        game.header.tags.push(name, &clock(notes.dialect.clock(item.data)));
    }
    notes.push_after(-1, game, comment)?;
    // Whether a comment at this place belongs before the next move without a prefix.
    let mut plain = false;
    let mut shown = -1i32;
    for step in tree.walk(open) {
        match step {
            Step::Move(number) => {
                shown = shown.saturating_add(1);
                let position = match notes.dialect {
                    // Stored order.
                    Dialect::Classic => i32::try_from(number).unwrap_or(0).saturating_sub(1),
                    // PGN order.
                    Dialect::Modern => shown,
                };
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

/// Returns the move that receives the annotations of missing moves.
pub(crate) fn end_of(tree: &Tree) -> i32 {
    match tree.main_end() {
        ROOT => -1,
        number => i32::try_from(number).unwrap_or(0).saturating_sub(1),
    }
}

/// Like [`end_of`], with moves numbered in PGN order.
pub(crate) fn pgn_end_of(tree: &Tree, scratch: &mut Scratch) -> i32 {
    let end = tree.main_end();
    if tree.is_line() {
        return end_of(tree);
    }
    let moves = tree.walk(&mut scratch.open).filter(|step| matches!(step, Step::Move(_)));
    let place = moves.take_while(|step| *step != Step::Move(end)).count();
    if end == ROOT { -1 } else { i32::try_from(place).unwrap_or(i32::MAX) }
}
