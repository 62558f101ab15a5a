//! Encodes a header to its record and its entities. The inverse is in `header_tags`.

use chess_core::{Date, Header, RESULT_SPELLING_TAG, Variant, is_implied, is_typed};
use chess_store::{Location, Loss, LossKind};

use super::entities::{Player, Source, Team, Tournament, encode_titles};
use super::header::{GameRecord, Rating, RecordKind, game_flags};
use super::header_tags::{
    BLACK_PLAYER_TAG, BLACK_RATING_TAG, EVENT_END_TAG, EVENT_NATION_TAG, EVENT_PLACE_TAG,
    EVENT_TIEBREAKS_TAG, EVENT_UNKNOWN_TAG, WHITE_PLAYER_TAG, WHITE_RATING_TAG, push_round,
    title_language, title_tag,
};
use super::layout::CONTAINERS;
use crate::annotations::write::shorten;
use crate::encode_header::{known, parse_team_numbers, plain_date, plain_number, set};
use crate::entities::nations::nation_of;
use crate::error::{Error, ErrorKind};
use crate::header::encode_date;
use crate::layout::item;
use crate::options::LongNames;
use crate::tags::{
    BLACK_TEAM_TAG, EVALUATION_TAG, EVENT_FLAGS_TAG, RESULT_TAG, WHITE_TEAM_TAG, code_of_result,
    detail_of_result, number_of_eco, parse_clock, parse_event_type,
};

/// The entities of a game, each as the fields of its record: White, Black, tournament, annotator,
/// source, the teams, title.
pub(crate) type GameNames = [Option<Vec<u8>>; 8];

/// The parts of an encoded header.
#[derive(Debug)]
pub(crate) struct HeaderParts {
    /// The record without offsets, ids and derived fields.
    pub(crate) record: GameRecord,
    pub(crate) names: GameNames,
    /// The clocks at the end of the game, which are stored as annotations.
    pub(crate) clocks: Vec<(u8, [u8; 4])>,
    /// Whether a tag declares the game as Chess960.
    pub(crate) chess960: bool,
}

/// The tags of a player beside the name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct PlayerTags {
    fide_id: Option<i64>,
    numbers: Option<[i32; 4]>,
    rating: Option<Rating>,
}

/// The tags of a team.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct TeamTags<'a> {
    name: &'a str,
    country: u8,
    more: Option<(u32, u8, u32)>,
}

/// The texts of tags that become entities.
#[derive(Clone, Debug, Default)]
struct Texts<'a> {
    annotator: &'a str,
    source: &'a str,
    publisher: &'a str,
    /// Titles by language.
    titles: Vec<(i32, &'a str)>,
}

struct Encoder<'a> {
    long_names: LongNames,
    losses: &'a mut Vec<Loss>,
    record: GameRecord,
    /// The detailed result, such as a forfeit.
    result: &'a str,
    tournament: Tournament<'static>,
    nation_now: Option<u8>,
    source: Source<'static>,
    publication: Option<u32>,
    texts: Texts<'a>,
    players: [PlayerTags; 2],
    teams: [TeamTags<'a>; 2],
    clocks: Vec<(u8, [u8; 4])>,
    chess960: bool,
}

/// Encodes a header to its record and entities. Adds what they cannot hold to `losses`.
// cbh2 §9 "Tags"
pub(crate) fn encode_header(
    header: &Header,
    long_names: LongNames,
    losses: &mut Vec<Loss>,
) -> Result<HeaderParts, Error> {
    let flags_byte = game_flags(header.deleted);
    let mut encoder = Encoder {
        long_names,
        losses,
        record: GameRecord {
            flags_byte,
            kind: RecordKind::Game,
            version: 1,
            ..GameRecord::default()
        },
        result: "",
        tournament: Tournament::default(),
        nation_now: None,
        source: Source::default(),
        publication: None,
        texts: Texts::default(),
        players: [PlayerTags::default(); 2],
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
        let [white, black] = [header.white_elo, header.black_elo].map(|elo| {
            let value = elo.map_or(0, chess_core::Elo::get);
            i16::try_from(value).unwrap_or_else(|_| {
                self.losses.push(Loss::new(LossKind::Rating, value.to_string()));
                0
            })
        });
        (self.record.ratings[0].elo, self.record.ratings[1].elo) = (white, black);
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
        if let Some(language) = title_language(name) {
            let titles = &mut self.texts.titles;
            let first = titles.iter().all(|(known, _)| *known != language);
            if first && !value.is_empty() {
                titles.push((language, value));
            }
            return first && !value.is_empty();
        }
        let [white, black] = &mut self.teams;
        let texts = &mut self.texts;
        let text = match name {
            "Annotator" => &mut texts.annotator,
            "SourceTitle" => &mut texts.source,
            "Source" => &mut texts.publisher,
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
        let [white_player, black_player] = &mut self.players;
        let tournament = &mut self.tournament;
        match name {
            "EventRounds" => set(&mut tournament.rounds, positive(value)),
            "EventCategory" => set(&mut tournament.category, positive(value)),
            EVENT_FLAGS_TAG => set(&mut tournament.flags, positive(value)),
            "SourceVersion" => set(&mut self.source.version, positive(value)),
            "SourceQuality" => set(&mut self.source.quality, positive(value)),
            EVALUATION_TAG => set(&mut self.record.evaluation, positive(value)),
            "Board" => set(&mut self.record.board, positive(value)),
            "WhiteFideId" => set(&mut white_player.fide_id, fide_id(value)),
            "BlackFideId" => set(&mut black_player.fide_id, fide_id(value)),
            WHITE_PLAYER_TAG => set(&mut white_player.numbers, player_numbers(value)),
            BLACK_PLAYER_TAG => set(&mut black_player.numbers, player_numbers(value)),
            WHITE_RATING_TAG => set(&mut white_player.rating, rating(value).map(Some)),
            BLACK_RATING_TAG => set(&mut black_player.rating, rating(value).map(Some)),
            "EventType" => {
                let found = parse_event_type(value);
                let (mut kind, mut team) = (tournament.kind, tournament.team);
                let sound = set(&mut kind, found.map(|found| found.0))
                    && set(&mut team, found.map(|found| found.1));
                (tournament.kind, tournament.team) = (kind, team);
                sound
            }
            "EventCountry" => set(&mut tournament.nation, nation_of(value)),
            EVENT_NATION_TAG => {
                let nation = if value == "none" { Some(0) } else { nation_of(value) };
                set(&mut self.nation_now, nation.map(Some))
            }
            EVENT_END_TAG => set(&mut tournament.end_date, plain_date(value)),
            EVENT_PLACE_TAG => {
                let found = coordinates(value);
                let empty = (tournament.latitude, tournament.longitude) == (0.0, 0.0);
                if let (Some(found), true) = (found, empty) {
                    (tournament.latitude, tournament.longitude) = found;
                }
                empty && found.is_some()
            }
            EVENT_TIEBREAKS_TAG => set(&mut tournament.tiebreaks, tiebreaks(value)),
            EVENT_UNKNOWN_TAG => {
                let found = unknown_bytes(value);
                if let Some((one, two, unknown)) = found {
                    (tournament.unknown_7, tournament.unknown_11) = (one, two);
                    tournament.unknown = unknown;
                }
                found.is_some() && tournament.is_unusual()
            }
            "WhiteTeamCountry" => set(&mut white.country, nation_of(value)),
            "BlackTeamCountry" => set(&mut black.country, nation_of(value)),
            WHITE_TEAM_TAG => set(&mut white.more, team_numbers(value)),
            BLACK_TEAM_TAG => set(&mut black.more, team_numbers(value)),
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
            Some(hundredths) => self.clocks.push((kind, hundredths.to_le_bytes())),
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
        let [white, black] = self.players;
        for (place, tags) in self.record.ratings.iter_mut().zip([white, black]) {
            let usual = if place.elo > 0 { Rating::FIDE } else { Rating::default() };
            *place = Rating { elo: place.elo, ..tags.rating.unwrap_or(usual) };
        }
        let names = [
            Some(self.player("White", &header.white, white)?),
            Some(self.player("Black", &header.black, black)?),
            Some(self.tournament(header)?),
            Some(self.player("Annotator", self.texts.annotator, PlayerTags::default())?),
            Some(self.source()?),
            self.team(0)?,
            self.team(1)?,
            Some(self.titles()?),
        ];
        let (record, clocks, chess960) = (self.record, self.clocks, self.chess960);
        Ok(HeaderParts { record, names, clocks, chess960 })
    }

    // cbh2 §6.4 "Fields"
    fn player(
        &mut self,
        name: &'static str,
        text: &str,
        tags: PlayerTags,
    ) -> Result<Vec<u8>, Error> {
        let text = known(text);
        let split =
            text.split_once(", ").filter(|(last, first)| !last.is_empty() && !first.is_empty());
        let (last, first) = split.unwrap_or((text, ""));
        let mut room = room(0, 40);
        let last = self.fit(name, last, &mut room)?;
        let first = self.fit(name, first, &mut room)?;
        let [chessbase_id, one, two, unknown_8] = tags.numbers.unwrap_or([-1, 0, 0, 8]);
        let player = Player {
            last: last.as_bytes(),
            first: first.as_bytes(),
            unknown: [one, two],
            chessbase_id,
            unknown_8,
            fide_id: tags.fide_id.unwrap_or(-1),
        };
        let mut fields = Vec::with_capacity(64);
        player.encode(&mut fields);
        Ok(fields)
    }

    fn tournament(&mut self, header: &Header) -> Result<Vec<u8>, Error> {
        let tiebreaks = self.tournament.tiebreaks.len().saturating_mul(2);
        let mut room = room(1, 120).saturating_sub(tiebreaks);
        let title = self.fit("Event", known(&header.event), &mut room)?;
        let place = self.fit("Site", known(&header.site), &mut room)?;
        let nation_now = self.nation_now.unwrap_or(self.tournament.nation);
        let tournament = Tournament {
            title: title.as_bytes(),
            place: place.as_bytes(),
            nation_now,
            ..self.tournament.clone()
        };
        let mut fields = Vec::with_capacity(160);
        tournament.encode(&mut fields);
        Ok(fields)
    }

    fn source(&mut self) -> Result<Vec<u8>, Error> {
        let mut room = room(2, 20);
        let (source, publisher) = (self.texts.source, self.texts.publisher);
        let title = self.fit("SourceTitle", source, &mut room)?;
        let publisher = self.fit("Source", publisher, &mut room)?;
        let unnamed = title.is_empty() && publisher.is_empty();
        let usual = if unnamed { self.source.date } else { 0 };
        let publication = self.publication.unwrap_or(usual);
        let (title, publisher) = (title.as_bytes(), publisher.as_bytes());
        let mut fields = Vec::with_capacity(64);
        Source { title, publisher, publication, ..self.source }.encode(&mut fields);
        Ok(fields)
    }

    fn team(&mut self, side: usize) -> Result<Option<Vec<u8>>, Error> {
        let team = self.teams.get(side).copied().unwrap_or_default();
        if team.name.is_empty() {
            if team.country != 0 || team.more.is_some() {
                self.lose(LossKind::Tag, "the country or number of a team without a name");
            }
            return Ok(None);
        }
        let name = ["WhiteTeam", "BlackTeam"].get(side).copied().unwrap_or("");
        let mut room = room(4, 9);
        let title = self.fit(name, team.name, &mut room)?;
        let (number, season, year) = team.more.unwrap_or_default();
        let team = Team {
            title: title.as_bytes(),
            number: u8::try_from(number).unwrap_or(0),
            season,
            year: i16::try_from(year).unwrap_or(0),
            nation: team.country,
        };
        let mut fields = Vec::with_capacity(64);
        team.encode(&mut fields);
        Ok(Some(fields))
    }

    fn titles(&mut self) -> Result<Vec<u8>, Error> {
        let titles = std::mem::take(&mut self.texts.titles);
        // Each entry has a language and a length; seven languages always have one.
        let entries = titles.len().saturating_add(7);
        let mut room = room(5, 4).saturating_sub(entries.saturating_mul(8));
        let mut fitting = Vec::new();
        for (language, text) in titles {
            fitting.push((language, self.fit(&title_tag(language), text, &mut room)?));
        }
        let fitting: Vec<(i32, &[u8])> = { fitting.iter() }
            .filter(|(_, text)| !text.is_empty())
            .map(|(language, text)| (*language, text.as_bytes()))
            .collect();
        let mut fields = Vec::new();
        encode_titles(&fitting, &mut fields);
        Ok(fields)
    }

    /// Returns a text that fits the room of its entity, and takes it from the room.
    fn fit<'t>(&mut self, name: &str, text: &'t str, room: &mut usize) -> Result<&'t str, Error> {
        let mut end = text.len().min(*room);
        while !text.is_char_boundary(end) {
            end = end.saturating_sub(1);
        }
        if end < text.len() {
            if self.long_names == LongNames::Refuse {
                let long = ErrorKind::LongText(name.to_owned(), *room, shorten(text));
                return Err(long.at(Location::file("2lid")));
            }
            self.lose(LossKind::TextCut, format!("{name} {:?}", shorten(text)));
        }
        *room = room.saturating_sub(end);
        Ok(text.get(..end).unwrap_or_default())
    }
}

/// Returns the bytes that a container of this type has for texts, given the size of its fields.
fn room(kind: usize, fields: usize) -> usize {
    let container = CONTAINERS.get(kind).copied().unwrap_or(0);
    usize::try_from(container).unwrap_or(0).saturating_sub(4).saturating_sub(fields)
}

/// Parses a number above 0 that is written canonically.
fn positive<T: std::str::FromStr + ToString + PartialOrd + Default>(text: &str) -> Option<T> {
    plain_number(text).filter(|number| *number > T::default())
}

fn fide_id(text: &str) -> Option<Option<i64>> {
    positive(text).map(Some)
}

fn player_numbers(text: &str) -> Option<Option<[i32; 4]>> {
    let mut numbers = text.split(' ').map(plain_number);
    let found = [numbers.next()??, numbers.next()??, numbers.next()??, numbers.next()??];
    let unusual = found[0] > 0 || found[1..] != [0, 0, 8];
    (numbers.next().is_none() && unusual).then_some(Some(found))
}

/// Parses the type of a rating: kind, list, nation, name.
fn rating(text: &str) -> Option<Rating> {
    let mut parts = text.splitn(4, ' ');
    let mut number = || plain_number(parts.next()?);
    let (kind, list, nation) = (number()?, number()?, number()?);
    let mut name = [0; 8];
    let text = parts.next().unwrap_or("");
    name.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
    Some(Rating { elo: 0, kind, list, nation, name })
}

fn team_numbers(text: &str) -> Option<Option<(u32, u8, u32)>> {
    let (number, season, year) = parse_team_numbers(text)?;
    let fits = number <= 0xff && year <= u32::from(i16::MAX.unsigned_abs());
    (fits && (number, season, year) != (0, 0, 0)).then_some(Some((number, season, year)))
}

fn coordinates(text: &str) -> Option<(f32, f32)> {
    let (latitude, longitude) = text.split_once(' ')?;
    let found: (f32, f32) = (latitude.parse().ok()?, longitude.parse().ok()?);
    (format!("{} {}", found.0, found.1) == text && found != (0.0, 0.0)).then_some(found)
}

fn tiebreaks(text: &str) -> Option<Vec<i16>> {
    /// More tiebreaks would crowd out the texts of the tournament.
    const MOST: usize = 100;
    let numbers: Option<Vec<i16>> = text.split(' ').map(plain_number).collect();
    numbers.filter(|numbers| numbers.len() <= MOST)
}

/// Parses the unknown bytes of a tournament.
fn unknown_bytes(text: &str) -> Option<(u8, u8, [u8; 37])> {
    let mut bytes = Vec::new();
    for index in (0..text.len()).step_by(2) {
        let digits = text.get(index..index.checked_add(2)?)?;
        let plain = digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        bytes.push(u8::from_str_radix(digits, 16).ok().filter(|_| plain)?);
    }
    let ([one, two], unknown) = bytes.split_first_chunk()?;
    Some((*one, *two, unknown.try_into().ok()?))
}

/// Parses a round, if the format can represent it.
fn parse_round(round: &str) -> Option<(i16, i16)> {
    if round == "?" {
        return Some((0, 0));
    }
    let (whole, part) = round.split_once('.').unwrap_or((round, "0"));
    let found = (whole.parse().ok()?, part.parse().ok()?);
    let mut again = String::new();
    push_round(found.0, found.1, &mut again);
    (again == round).then_some(found)
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
    fn encode_header_unsupported_tags_are_losses() {
        let (parts, losses) = encode(&[
            ("Round", "1.2.3"),
            ("ECO", "C65a"),
            ("EventType", "swiss (blitz)"),
            ("EventCountry", "XXX"),
            ("EventRounds", "011"),
            ("WhiteFideId", "0"),
            ("CbhEventCoordinates", "x y"),
            ("CbhEventTiebreaks", "1 x"),
            ("CbhEventUnknown", "00"),
            ("CbhWhitePlayer", "0 0 0 8"),
            ("CbhWhiteTeam", "1 0 99999"),
            ("CbhAnalysis", "1"),
            ("Opening", "Ruy Lopez"),
        ]);
        let mut found = losses.clone();
        found.retain(|loss| loss != "round: 1.2.3" && loss != "eco: C65a");
        assert_eq!(
            found,
            [
                "tag: EventCountry",
                "tag: EventRounds",
                "tag: WhiteFideId",
                "tag: CbhEventCoordinates",
                "tag: CbhEventTiebreaks",
                "tag: CbhEventUnknown",
                "tag: CbhWhitePlayer",
                "tag: CbhWhiteTeam",
                "tag: CbhAnalysis",
                "tag: Opening",
            ]
        );
        assert_eq!(losses.len(), 12);
        assert_eq!(parts.record.eco, 266 << 7);
    }

    #[test]
    fn encode_header_long_name_is_cut_at_its_container() {
        let long = "Ö".repeat(600);
        let (parts, losses) = encode(&[("White", &long), ("Event", &long), ("CbhTitle_de", &long)]);
        assert_eq!(losses.len(), 3, "{losses:?}");
        let sizes: Vec<usize> = parts.names.iter().flatten().map(Vec::len).collect();
        for (size, kind) in sizes.iter().zip([0, 0, 1, 0, 2, 5]) {
            assert!(*size <= CONTAINERS[kind] as usize - 4, "{size}");
        }
        let mut header = Header::default();
        header.set("White", &long);
        let refused = encode_header(&header, LongNames::Refuse, &mut Vec::new());
        assert!(refused.unwrap_err().to_string().contains("more than 980 bytes"));
    }
}
