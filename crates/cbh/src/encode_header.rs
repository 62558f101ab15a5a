//! Encodes a header to its record and its names. The inverse is in `game`.

use chess_core::{Date, Header, RESULT_SPELLING_TAG, Variant, is_implied, is_typed};
use chess_store::{Location, Loss, LossKind};

use crate::annotations::text::encode_name;
use crate::annotations::write::shorten;
use crate::entities::fields::{Source, Team, Tournament, push_field};
use crate::entities::nations::nation_of;
use crate::error::{Error, ErrorKind};
use crate::header::{GameRecord, encode_date, game_kind};
use crate::layout::item;
use crate::options::LongNames;
use crate::tags::{
    BLACK_TEAM_TAG, EVALUATION_TAG, EVENT_FLAGS_TAG, RESULT_TAG, TITLE_TAG, WHITE_TEAM_TAG,
    code_of_result, detail_of_result, number_of_eco, parse_clock, parse_event_type, parse_round,
};

/// The names of a game, each as the fields of its entity.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct GameNames {
    pub(crate) white: Vec<u8>,
    pub(crate) black: Vec<u8>,
    pub(crate) tournament: Vec<u8>,
    pub(crate) annotator: Vec<u8>,
    pub(crate) source: Vec<u8>,
    pub(crate) white_team: Option<Vec<u8>>,
    pub(crate) black_team: Option<Vec<u8>>,
    pub(crate) title: Option<Vec<u8>>,
}

impl GameNames {
    /// Returns White, Black, tournament, annotator, source, teams and title.
    pub(crate) fn into_fields(self) -> [Option<Vec<u8>>; 8] {
        let [white, black] = [Some(self.white), Some(self.black)];
        let [tournament, annotator] = [Some(self.tournament), Some(self.annotator)];
        let teams = (self.white_team, self.black_team);
        [white, black, tournament, annotator, Some(self.source), teams.0, teams.1, self.title]
    }
}

/// The parts of an encoded header.
#[derive(Debug)]
pub(crate) struct HeaderParts {
    /// The record without offsets, name ids and derived fields.
    pub(crate) record: GameRecord,
    pub(crate) names: GameNames,
    /// The clocks at the end of the game, which are stored as annotations.
    pub(crate) clocks: Vec<(u8, [u8; 4])>,
    /// Whether a tag declares the game as Chess960.
    pub(crate) chess960: bool,
}

/// The tags of a team.
#[derive(Clone, Copy, Debug, Default)]
struct TeamTags<'a> {
    name: &'a str,
    country: u8,
    more: Option<(u32, u8, u32)>,
}

/// Encodes a header to its record and names. Adds what they cannot hold to `losses`.
// cbh §10 "Tags"
pub(crate) fn encode_header(
    header: &Header,
    long_names: LongNames,
    losses: &mut Vec<Loss>,
) -> Result<HeaderParts, Error> {
    let mut encoder = Encoder {
        long_names,
        losses,
        record: GameRecord { kind: game_kind(header.deleted), ..GameRecord::default() },
        result: "",
        tournament: Tournament::default(),
        source: Source::default(),
        publication: None,
        texts: Texts::default(),
        teams: [TeamTags::default(); 2],
        clocks: Vec::new(),
        chess960: false,
    };
    encoder.typed(header);
    for (name, value) in header.tags.iter() {
        if is_typed(name) {
            encoder.spelling(name, value, header);
        } else if !encoder.tag(name, value) && !is_implied(name, value) {
            encoder.losses.push(Loss::new(LossKind::Tag, name));
        }
    }
    encoder.finish(header)
}

/// The texts of tags that become entities.
#[derive(Clone, Copy, Debug, Default)]
struct Texts<'a> {
    annotator: &'a str,
    source: &'a str,
    publisher: &'a str,
    title: &'a str,
}

struct Encoder<'a> {
    long_names: LongNames,
    losses: &'a mut Vec<Loss>,
    record: GameRecord,
    /// The detailed result, such as a forfeit.
    result: &'a str,
    tournament: Tournament<'static>,
    source: Source<'static>,
    publication: Option<u32>,
    texts: Texts<'a>,
    teams: [TeamTags<'a>; 2],
    clocks: Vec<(u8, [u8; 4])>,
    chess960: bool,
}

impl<'a> Encoder<'a> {
    fn lose(&mut self, kind: LossKind, detail: impl Into<String>) {
        self.losses.push(Loss::new(kind, detail));
    }

    fn typed(&mut self, header: &Header) {
        self.record.date = self.date("Date", header.date);
        self.tournament.date = self.date("EventDate", header.event_date.unwrap_or_default());
        match parse_round(&header.round) {
            Some((round, subround)) => {
                (self.record.round, self.record.subround) = (round, subround);
            }
            None if header.round.is_empty() => {}
            None => self.lose(LossKind::Round, shorten(&header.round)),
        }
        self.record.white_elo = header.white_elo.map_or(0, chess_core::Elo::get);
        self.record.black_elo = header.black_elo.map_or(0, chess_core::Elo::get);
        if let Some(eco) = header.eco {
            let (number, whole) = number_of_eco(eco);
            self.record.eco = number;
            if !whole {
                self.lose(LossKind::Eco, eco.to_string());
            }
        }
    }

    fn date(&mut self, name: &str, date: Date) -> u32 {
        encode_date(date).unwrap_or_else(|| {
            self.lose(LossKind::Date, format!("{name} {date}"));
            0
        })
    }

    /// Reports the spelling of a typed tag if it is not canonical and so not kept.
    fn spelling(&mut self, name: &str, value: &str, header: &Header) {
        let kind = match name {
            _ if matches!(value.trim(), "" | "?" | "-" | "0" | "*" | "????.??.??") => return,
            "WhiteElo" | "BlackElo" => LossKind::Rating,
            "ECO" => LossKind::Eco,
            "Date" if header.date.is_all_of(value) => return,
            "EventDate" if header.event_date.unwrap_or_default().is_all_of(value) => return,
            "Date" | "EventDate" => LossKind::Date,
            "Result" => LossKind::Result,
            "Deleted" => LossKind::Flag,
            _ => LossKind::Tag,
        };
        self.lose(kind, format!("{name} {:?}", shorten(value)));
    }

    /// Takes a tag. Returns `true` if its whole value is stored.
    fn tag(&mut self, name: &str, value: &'a str) -> bool {
        let [white, black] = &mut self.teams;
        let texts = &mut self.texts;
        let text = match name {
            "Annotator" => &mut texts.annotator,
            "SourceTitle" => &mut texts.source,
            "Source" => &mut texts.publisher,
            TITLE_TAG => &mut texts.title,
            "WhiteTeam" => &mut white.name,
            "BlackTeam" => &mut black.name,
            RESULT_TAG => &mut self.result,
            RESULT_SPELLING_TAG => return self.result_spelling(value),
            _ => return self.value(name, value),
        };
        // A tag may occur twice.
        let first = text.is_empty();
        if first {
            *text = value;
        }
        first && !value.is_empty()
    }

    fn value(&mut self, name: &str, value: &str) -> bool {
        let [white, black] = &mut self.teams;
        let number = match name {
            "EventRounds" => Some(&mut self.tournament.rounds),
            "EventCategory" => Some(&mut self.tournament.category),
            EVENT_FLAGS_TAG => Some(&mut self.tournament.flags),
            "SourceVersion" => Some(&mut self.source.version),
            "SourceQuality" => Some(&mut self.source.quality),
            EVALUATION_TAG => Some(&mut self.record.evaluation),
            _ => None,
        };
        if let Some(number) = number {
            return set(number, plain_number(value).filter(|number| *number != 0));
        }
        match name {
            "EventType" => {
                let found = parse_event_type(value);
                let (mut kind, mut team) = (self.tournament.kind, self.tournament.team);
                let sound = set(&mut kind, found.map(|found| found.0))
                    && set(&mut team, found.map(|found| found.1));
                (self.tournament.kind, self.tournament.team) = (kind, team);
                sound
            }
            "EventCountry" => set(&mut self.tournament.nation, nation_of(value)),
            "WhiteTeamCountry" => set(&mut white.country, nation_of(value)),
            "BlackTeamCountry" => set(&mut black.country, nation_of(value)),
            WHITE_TEAM_TAG => set(&mut white.more, parse_team_numbers(value).map(Some)),
            BLACK_TEAM_TAG => set(&mut black.more, parse_team_numbers(value).map(Some)),
            "SourceDate" => set(&mut self.publication, plain_date(value).map(Some)),
            "SourceVersionDate" => set(&mut self.source.date, plain_date(value)),
            "WhiteClock" => self.clock(item::WHITE_CLOCK, value),
            "BlackClock" => self.clock(item::BLACK_CLOCK, value),
            "Variant" => {
                self.chess960 |= Variant::from_tag(value) == Variant::Chess960;
                value == "Chess960"
            }
            _ => false,
        }
    }

    fn clock(&mut self, kind: u8, value: &str) -> bool {
        let taken = self.clocks.iter().any(|(known, _)| *known == kind);
        match parse_clock(value).filter(|_| !taken) {
            Some(hundredths) => self.clocks.push((kind, hundredths.to_be_bytes())),
            None => return false,
        }
        self.clocks.sort_unstable();
        true
    }

    /// Takes the spelling of a result that adds detail: a forfeit, or a loss of both sides.
    fn result_spelling(&mut self, value: &str) -> bool {
        let Some(word) = detail_of_result(value) else { return false };
        if self.result.is_empty() {
            self.result = word;
        }
        self.result == word
    }

    fn finish(mut self, header: &Header) -> Result<HeaderParts, Error> {
        self.record.result = match code_of_result(header.result, self.result) {
            Some(code) => code,
            None => {
                let word = self.result;
                self.lose(LossKind::Result, word);
                code_of_result(header.result, "").unwrap_or(3)
            }
        };
        let year = u32::from(header.date.year().unwrap_or(0));
        let texts = self.texts;
        let names = GameNames {
            white: self.player("White", &header.white)?,
            black: self.player("Black", &header.black)?,
            tournament: self.tournament(header)?,
            annotator: {
                let mut fields = Vec::with_capacity(45);
                self.field("Annotator", texts.annotator, 45, &mut fields)?;
                fields
            },
            source: self.source()?,
            white_team: self.team(0, year)?,
            black_team: self.team(1, year)?,
            title: match texts.title {
                "" => None,
                title => {
                    let mut fields = Vec::new();
                    self.field(TITLE_TAG, title, 200, &mut fields)?;
                    fields.resize(1600, 0);
                    Some(fields)
                }
            },
        };
        let (record, clocks, chess960) = (self.record, self.clocks, self.chess960);
        Ok(HeaderParts { record, names, clocks, chess960 })
    }

    // cbh §6.2 "Fields"
    fn player(&mut self, name: &'static str, text: &str) -> Result<Vec<u8>, Error> {
        let text = known(text);
        let split =
            text.split_once(", ").filter(|(last, first)| !last.is_empty() && !first.is_empty());
        let (last, first) = split.unwrap_or((text, ""));
        let mut fields = Vec::with_capacity(50);
        self.field(name, last, 30, &mut fields)?;
        self.field(name, first, 20, &mut fields)?;
        Ok(fields)
    }

    fn tournament(&mut self, header: &Header) -> Result<Vec<u8>, Error> {
        let (mut title, mut place) = (Vec::with_capacity(40), Vec::with_capacity(30));
        let mut fields = Vec::with_capacity(82);
        self.field("Event", known(&header.event), 40, &mut title)?;
        self.field("Site", known(&header.site), 30, &mut place)?;
        Tournament { title: &title, place: &place, ..self.tournament.clone() }.encode(&mut fields);
        Ok(fields)
    }

    fn source(&mut self) -> Result<Vec<u8>, Error> {
        let texts = self.texts;
        let (mut title, mut publisher) = (Vec::with_capacity(25), Vec::with_capacity(16));
        let mut fields = Vec::with_capacity(51);
        self.field("SourceTitle", texts.source, 25, &mut title)?;
        self.field("Source", texts.publisher, 16, &mut publisher)?;
        let unnamed = texts.source.is_empty() && texts.publisher.is_empty();
        let usual = if unnamed { self.source.date } else { 0 };
        let publication = self.publication.unwrap_or(usual);
        let source =
            Source { title: &title, publisher: &publisher, publication, ..self.source.clone() };
        source.encode(&mut fields);
        Ok(fields)
    }

    fn team(&mut self, side: usize, year: u32) -> Result<Option<Vec<u8>>, Error> {
        let team = self.teams.get(side).copied().unwrap_or_default();
        if team.name.is_empty() {
            if team.country != 0 || team.more.is_some() {
                self.lose(LossKind::Tag, "the country or number of a team without a name");
            }
            return Ok(None);
        }
        let (mut title, mut fields) = (Vec::new(), Vec::with_capacity(55));
        self.field(
            ["WhiteTeam", "BlackTeam"].get(side).copied().unwrap_or(""),
            team.name,
            45,
            &mut title,
        )?;
        let (number, season, year) = team.more.unwrap_or((0, 0, year));
        Team { title: &title, number, season, year, nation: team.country }.encode(&mut fields);
        Ok(Some(fields))
    }

    /// Appends a text to a field of fixed size.
    fn field(
        &mut self,
        name: &'static str,
        text: &str,
        size: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let mut kept = text;
        if let Some((before, _)) = kept.split_once('\0') {
            kept = before;
            self.lose(LossKind::Characters, format!("{name} {:?}", shorten(text)));
        }
        let mut bytes = encode_name(kept);
        if bytes.len() > size {
            if self.long_names == LongNames::Refuse {
                let long = ErrorKind::LongName(name, size, shorten(text));
                return Err(long.at(Location::file("cbh")));
            }
            // Each character takes at least one byte, so no longer text fits.
            if let Some((end, _)) = kept.char_indices().nth(size) {
                kept = kept.get(..end).unwrap_or_default();
                bytes = encode_name(kept);
            }
            while bytes.len() > size {
                let last = kept.char_indices().next_back().map_or(0, |(at, _)| at);
                kept = kept.get(..last).unwrap_or_default();
                bytes = encode_name(kept);
            }
            self.losses.push(Loss::new(LossKind::TextCut, format!("{name} {:?}", shorten(text))));
        }
        push_field(&bytes, size, out);
        Ok(())
    }
}

/// Sets `place` unless an earlier tag did. Returns whether `value` was valid and stored.
pub(crate) fn set<T: Default + PartialEq>(place: &mut T, value: Option<T>) -> bool {
    match value {
        Some(value) if *place == T::default() => {
            *place = value;
            true
        }
        _ => false,
    }
}

/// Returns the text of a typed field, or an empty text if it is unknown.
pub(crate) fn known(text: &str) -> &str {
    if text == "?" { "" } else { text }
}

/// Parses a number that is written canonically.
pub(crate) fn plain_number<T: std::str::FromStr + ToString>(text: &str) -> Option<T> {
    text.parse::<T>().ok().filter(|number| number.to_string() == text)
}

/// Returns the bits of a date that is at least partly known.
pub(crate) fn plain_date(text: &str) -> Option<u32> {
    let date: Date = text.parse().ok()?;
    encode_date(date).filter(|bits| *bits != 0)
}

pub(crate) fn parse_team_numbers(text: &str) -> Option<(u32, u8, u32)> {
    let mut numbers = text.split(' ');
    let found = (
        plain_number(numbers.next()?)?,
        plain_number(numbers.next()?)?,
        plain_number(numbers.next()?)?,
    );
    numbers.next().is_none().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode(tags: &[(&str, &str)]) -> (HeaderParts, Vec<String>) {
        let mut header = Header::default();
        tags.iter().for_each(|(name, value)| header.set(name, value));
        let mut losses = Vec::new();
        let parts = encode_header(&header, LongNames::Cut, &mut losses).unwrap();
        (parts, losses.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn encode_header_names_fill_entity_fields() {
        let (parts, losses) = encode(&[("White", "Tal, Mikhail"), ("Black", "Ding Liren")]);
        assert_eq!(
            (&parts.names.white[..4], &parts.names.white[30..35]),
            (&b"Tal\0"[..], &b"Mikha"[..])
        );
        assert_eq!(&parts.names.black[..11], b"Ding Liren\0");
        assert!(losses.is_empty());
        let long = "Ö".repeat(31);
        let (parts, losses) = encode(&[("White", &long), ("Black", &"Ж".repeat(16))]);
        assert_eq!(parts.names.white[..30], [0xd6; 30]);
        assert_eq!(parts.names.black[..30], *"Ж".repeat(15).as_bytes());
        assert_eq!(losses.len(), 2, "{losses:?}");
    }

    #[test]
    fn encode_header_unsupported_tags_are_losses() {
        let (parts, losses) = encode(&[
            ("Round", "1.2.3"),
            ("ECO", "C65a"),
            ("EventType", "swiss (blitz)"),
            ("EventCountry", "XXX"),
            ("EventRounds", "011"),
            ("WhiteFideId", "1"),
            ("SetUp", "1"),
            ("Variant", "chess 960"),
            ("WhiteClock", "0:35:57"),
            ("WhiteClock", "0:35:58"),
            ("Result", "1-0"),
            (RESULT_TAG, "0-1 by forfeit"),
        ]);
        assert_eq!(
            losses,
            [
                "round: 1.2.3",
                "eco: C65a",
                "tag: EventCountry",
                "tag: EventRounds",
                "tag: WhiteFideId",
                "tag: Variant",
                "tag: WhiteClock",
                "result: 0-1 by forfeit",
            ]
        );
        assert!(parts.chess960);
        assert_eq!((parts.record.result, parts.record.eco), (2, 266 << 7));
        assert_eq!(parts.clocks, [(0x16, 215_700u32.to_be_bytes())]);
    }
}
