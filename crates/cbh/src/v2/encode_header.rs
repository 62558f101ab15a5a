//! Encodes a header to its record and its entities. The inverse is in `header_tags`.

use chess_core::{Elo, GameResult, Header};
use chess_store::{GuidingText, Location, Loss, LossKind, Losses};

use super::entities::{Player, Source, Team, Tournament, encode_titles};
use super::header::{GameRecord, Rating, RecordKind, game_flags};
use super::header_tags::{
    ANALYSIS_TAG, BLACK_PLAYER_TAG, BLACK_RATING_TAG, EVENT_END_TAG, EVENT_NATION_TAG,
    EVENT_PLACE_TAG, EVENT_TIEBREAKS_TAG, EVENT_UNKNOWN_TAG, WHITE_PLAYER_TAG, WHITE_RATING_TAG,
    title_language, title_tag,
};
use super::layout::CONTAINERS;
use crate::annotations::write::shorten;
use crate::entities::nations::nation_of;
use crate::error::{Error, ErrorKind};
use crate::options::LongNames;
use crate::tag_values::{
    EventValues, Limits, TagValues, known, plain_date, plain_number, positive, set, split_name,
};
use crate::texts::Numbering;

/// The entities of a game, each as the fields of its record: White, Black, tournament, annotator,
/// source, the teams, title.
pub(crate) type GameNames = [Option<Vec<u8>>; 8];

/// The parts of an encoded header.
#[derive(Debug)]
pub(crate) struct HeaderParts {
    /// The record without offsets, ids and derived fields.
    pub(crate) record: GameRecord,
    pub(crate) names: GameNames,
    /// The clocks at the end of the game, in hundredths of a second. They are stored as annotations.
    pub(crate) clocks: Vec<(u8, u32)>,
    /// Whether a tag declares the game as Chess960.
    pub(crate) chess960: bool,
}

/// The largest number of two bytes.
const MOST: u16 = i16::MAX.unsigned_abs();

/// A team without numbers has no tag, so a tag cannot give three zeros.
const LIMITS: Limits = Limits {
    number: MOST,
    team: |numbers| {
        let (number, _, year) = numbers;
        number <= 0xff && year <= MOST as u32 && numbers != (0, 0, 0)
    },
};

/// The tags of a player beside the name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct PlayerTags {
    fide_id: Option<i64>,
    numbers: Option<[i32; 4]>,
    rating: Option<Rating>,
}

/// The values of the tags that only this format knows.
#[derive(Debug, Default)]
struct OwnTags<'a> {
    board: i16,
    players: [PlayerTags; 2],
    tournament: Tournament<'static>,
    nation_now: Option<u8>,
    /// Titles by language.
    titles: Vec<(i32, &'a str)>,
    analysis: bool,
}

/// Encodes a header to its record and entities. Adds what they cannot hold to `losses`.
// cbh2 §9 "Tags"
pub(crate) fn encode_header(
    header: &Header,
    long_names: LongNames,
    losses: &mut Losses,
) -> Result<HeaderParts, Error> {
    let mut own = OwnTags::default();
    let values = TagValues::collect(header, LIMITS, losses, |name, value| own.take(name, value));
    Encoder { long_names, values, own }.encode(header)
}

/// Encodes the entities of a guiding text. Adds what they cannot hold to `losses`.
///
/// # Errors
/// If a name is too long.
pub(crate) fn encode_text_names(
    text: &GuidingText,
    long_names: LongNames,
    losses: &mut Losses,
) -> Result<GameNames, Error> {
    let titles = Numbering::Nation.numbered(&text.titles, losses);
    let titles = titles.into_iter().filter(|(_, title)| !title.is_empty());
    let titles = titles.map(|(language, title)| (i32::from(language), title)).collect();
    let mut own = OwnTags { titles, ..OwnTags::default() };
    let header = &text.header;
    let values = TagValues::collect(header, LIMITS, losses, |name, value| own.take(name, value));
    let parts = Encoder { long_names, values, own }.encode(header)?;
    let [_, _, tournament, annotator, source, _, _, title] = parts.names;
    if parts.record.round != 0 || parts.record.subround != 0 {
        losses.push(Loss::new(LossKind::Round, &header.round));
    }
    Ok([None, None, tournament, annotator, source, None, None, title])
}

impl<'a> OwnTags<'a> {
    /// Takes a tag. Returns `true` if its whole value is stored.
    fn take(&mut self, name: &str, value: &'a str) -> bool {
        if let Some(language) = title_language(name) {
            let first = self.titles.iter().all(|(known, _)| *known != language);
            if first && !value.is_empty() {
                self.titles.push((language, value));
            }
            return first && !value.is_empty();
        }
        let [white, black] = &mut self.players;
        let tournament = &mut self.tournament;
        match name {
            ANALYSIS_TAG => set(&mut self.analysis, Some(value == "1")),
            "Board" => set(&mut self.board, positive(value)),
            "WhiteFideId" => set(&mut white.fide_id, fide_id(value)),
            "BlackFideId" => set(&mut black.fide_id, fide_id(value)),
            WHITE_PLAYER_TAG => set(&mut white.numbers, player_numbers(value)),
            BLACK_PLAYER_TAG => set(&mut black.numbers, player_numbers(value)),
            WHITE_RATING_TAG => set(&mut white.rating, rating(value).map(Some)),
            BLACK_RATING_TAG => set(&mut black.rating, rating(value).map(Some)),
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
            _ => false,
        }
    }
}

struct Encoder<'a> {
    long_names: LongNames,
    values: TagValues<'a>,
    own: OwnTags<'a>,
}

impl Encoder<'_> {
    fn encode(mut self, header: &Header) -> Result<HeaderParts, Error> {
        let [white, black] = self.own.players;
        let ratings = [
            self.rating(header.white_elo, white.rating),
            self.rating(header.black_elo, black.rating),
        ];
        let annotator = self.values.texts.annotator;
        let analysis = self.own.analysis;
        if analysis {
            self.lose_in_analysis(header);
        }
        let mut names = [
            Some(self.player("White", &header.white, white)?),
            Some(self.player("Black", &header.black, black)?),
            Some(self.tournament(header)?),
            Some(self.player("Annotator", annotator, PlayerTags::default())?),
            Some(self.source()?),
            self.team(0)?,
            self.team(1)?,
            Some(self.titles()?),
        ];
        if analysis {
            let [.., annotator, source, _, _, title] = names;
            names = [None, None, None, annotator, source, None, None, title];
        }
        let values = self.values;
        let kind = if analysis { RecordKind::Analysis } else { RecordKind::Game };
        let record = GameRecord {
            flags_byte: game_flags(header.deleted),
            kind,
            version: 1,
            result: values.result_code,
            evaluation: values.evaluation,
            round: signed(values.round.0),
            subround: signed(values.round.1),
            board: self.own.board,
            ratings,
            eco: values.eco,
            date: values.date,
            ..GameRecord::default()
        };
        Ok(HeaderParts { record, names, clocks: values.clocks, chess960: values.chess960 })
    }

    /// Reports the tags of an analysis other than title, annotator and source.
    // cbh2 §9.8
    fn lose_in_analysis(&mut self, header: &Header) {
        for (name, text) in [
            ("White", &header.white),
            ("Black", &header.black),
            ("Event", &header.event),
            ("Site", &header.site),
            ("Round", &header.round),
        ] {
            if !known(text).is_empty() {
                self.values.lose(LossKind::Tag, name);
            }
        }
        let Rating { elo: white, .. } = self.rating(header.white_elo, None);
        let Rating { elo: black, .. } = self.rating(header.black_elo, None);
        let values = &self.values;
        let lost = [
            ("Date", values.date != 0),
            ("Result", header.result != GameResult::Unknown || values.evaluation != 0),
            ("ECO", values.eco != 0),
            ("WhiteElo", white != 0),
            ("BlackElo", black != 0),
            ("the other tags of the tournament", values.event != EventValues::default()),
            ("Board", self.own.board != 0),
            ("the teams", values.teams.iter().any(|team| !team.name.is_empty())),
            ("the tags of the players", self.own.players != [PlayerTags::default(); 2]),
        ];
        for (name, _) in lost.into_iter().filter(|(_, is_lost)| *is_lost) {
            self.values.lose(LossKind::Tag, format!("{name}, in an analysis"));
        }
    }

    // cbh2 §3.4 "Rating type"
    fn rating(&mut self, elo: Option<Elo>, of: Option<Rating>) -> Rating {
        let value = elo.map_or(0, Elo::get);
        let elo = i16::try_from(value).unwrap_or_else(|_| {
            self.values.lose(LossKind::Rating, value.to_string());
            0
        });
        let usual = if elo > 0 { Rating::FIDE } else { Rating::default() };
        Rating { elo, ..of.unwrap_or(usual) }
    }

    // cbh2 §6.4 "Fields"
    fn player(
        &mut self,
        name: &'static str,
        text: &str,
        tags: PlayerTags,
    ) -> Result<Vec<u8>, Error> {
        let (last, first) = split_name(text);
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
        let tiebreaks = self.own.tournament.tiebreaks.len().saturating_mul(2);
        let mut room = room(1, 120).saturating_sub(tiebreaks);
        let title = self.fit("Event", known(&header.event), &mut room)?;
        let place = self.fit("Site", known(&header.site), &mut room)?;
        let event = self.values.event;
        let tournament = Tournament {
            title: title.as_bytes(),
            place: place.as_bytes(),
            date: event.date,
            kind: event.kind,
            team: event.team,
            nation: event.nation,
            category: event.category,
            flags: event.flags,
            rounds: event.rounds,
            nation_now: self.own.nation_now.unwrap_or(event.nation),
            ..std::mem::take(&mut self.own.tournament)
        };
        let mut fields = Vec::with_capacity(160);
        tournament.encode(&mut fields);
        Ok(fields)
    }

    fn source(&mut self) -> Result<Vec<u8>, Error> {
        let mut room = room(2, 20);
        let (texts, values) = (self.values.texts, self.values.source);
        let title = self.fit("SourceTitle", texts.source, &mut room)?;
        let publisher = self.fit("Source", texts.publisher, &mut room)?;
        let source = Source {
            title: title.as_bytes(),
            publisher: publisher.as_bytes(),
            publication: values.publication(!title.is_empty() || !publisher.is_empty()),
            date: values.date,
            version: signed(values.version),
            quality: signed(values.quality),
        };
        let mut fields = Vec::with_capacity(64);
        source.encode(&mut fields);
        Ok(fields)
    }

    fn team(&mut self, side: usize) -> Result<Option<Vec<u8>>, Error> {
        let Some((name, team)) = self.values.team(side) else { return Ok(None) };
        let mut room = room(4, 9);
        let title = self.fit(name, team.name, &mut room)?;
        let (number, season, year) = team.numbers.unwrap_or_default();
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
        let titles = std::mem::take(&mut self.own.titles);
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
            self.values.lose(LossKind::TextCut, format!("{name} {:?}", shorten(text)));
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

/// Returns a number of two bytes.
fn signed(number: u16) -> i16 {
    i16::try_from(number).unwrap_or(i16::MAX)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn encode(tags: &[(&str, &str)]) -> (HeaderParts, Vec<String>) {
        let mut header = Header::default();
        tags.iter().for_each(|(name, value)| header.set(name, value));
        let mut losses = Losses::new();
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
                "tag: Opening",
            ]
        );
        assert_eq!(losses.len(), 11);
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
        let refused = encode_header(&header, LongNames::Refuse, &mut Losses::new());
        assert!(refused.unwrap_err().to_string().contains("more than 980 bytes"));
    }
}
