//! Encodes a header to its record and its names. The inverse is in `game`.

use chess_core::Header;
use chess_store::{Encoding, Location, LossKind, Losses, TextDecoder};

use crate::annotations::text::encode_name;
use crate::annotations::write::shorten;
use crate::entities::fields::{Source, Team, Tournament, field_text, push_field};
use crate::error::{Error, ErrorKind};
use crate::header::{GameRecord, game_kind};
use crate::options::LongNames;
use crate::tag_values::{Limits, TagValues, known, split_name, take_first};
use crate::tags::TITLE_TAG;

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
    /// The clocks at the end of the game, in hundredths of a second.
    /// They are stored as annotations.
    pub(crate) clocks: Vec<(u8, u32)>,
    /// Whether a tag declares the game as Chess960.
    pub(crate) chess960: bool,
}

/// Rounds and the numbers of a source are bytes. A team has numbers of four bytes.
const LIMITS: Limits = Limits { number: 255, team: |_| true };

/// Encodes a header to its record and names. Adds what they cannot hold to `losses`.
// cbh §10 "Tags"
pub(crate) fn encode_header(
    header: &Header,
    long_names: LongNames,
    losses: &mut Losses,
) -> Result<HeaderParts, Error> {
    let mut title = "";
    let values = TagValues::collect(header, LIMITS, losses, |name, value| {
        name == TITLE_TAG && take_first(&mut title, value)
    });
    Encoder { long_names, values, title }.encode(header)
}

struct Encoder<'a> {
    long_names: LongNames,
    values: TagValues<'a>,
    title: &'a str,
}

impl Encoder<'_> {
    fn encode(mut self, header: &Header) -> Result<HeaderParts, Error> {
        let year = u32::from(header.date.year().unwrap_or(0));
        let names = GameNames {
            white: self.player("White", &header.white)?,
            black: self.player("Black", &header.black)?,
            tournament: self.tournament(header)?,
            annotator: self.whole("Annotator", self.values.texts.annotator, 45)?,
            source: self.source()?,
            white_team: self.team(0, year)?,
            black_team: self.team(1, year)?,
            title: match self.title {
                "" => None,
                title => {
                    let mut fields = self.whole(TITLE_TAG, title, 200)?;
                    fields.resize(1600, 0);
                    Some(fields)
                }
            },
        };
        let values = self.values;
        let byte = |number: u16| u8::try_from(number).unwrap_or(u8::MAX);
        let record = GameRecord {
            kind: game_kind(header.deleted),
            date: values.date,
            result: values.result_code,
            evaluation: values.evaluation,
            round: byte(values.round.0),
            subround: byte(values.round.1),
            white_elo: header.white_elo.map_or(0, chess_core::Elo::get),
            black_elo: header.black_elo.map_or(0, chess_core::Elo::get),
            eco: values.eco,
            ..GameRecord::default()
        };
        Ok(HeaderParts { record, names, clocks: values.clocks, chess960: values.chess960 })
    }

    // cbh §6.2 "Fields"
    fn player(&mut self, name: &'static str, text: &str) -> Result<Vec<u8>, Error> {
        let (last, first) = split_name(text);
        let mut fields = Vec::with_capacity(50);
        self.field(name, last, 30, &mut fields)?;
        self.field(name, first, 20, &mut fields)?;
        Ok(fields)
    }

    fn tournament(&mut self, header: &Header) -> Result<Vec<u8>, Error> {
        let title = self.whole("Event", known(&header.event), 40)?;
        let place = self.whole("Site", known(&header.site), 30)?;
        let event = self.values.event;
        let tournament = Tournament {
            title: &title,
            place: &place,
            date: event.date,
            kind: event.kind,
            team: event.team,
            nation: event.nation,
            category: event.category,
            flags: event.flags,
            rounds: event.rounds,
            ..Tournament::default()
        };
        let mut fields = Vec::with_capacity(82);
        tournament.encode(&mut fields);
        Ok(fields)
    }

    fn source(&mut self) -> Result<Vec<u8>, Error> {
        let (texts, values) = (self.values.texts, self.values.source);
        let title = self.whole("SourceTitle", texts.source, 25)?;
        let publisher = self.whole("Source", texts.publisher, 16)?;
        let named = !texts.source.is_empty() || !texts.publisher.is_empty();
        let byte = |number: u16| u8::try_from(number).unwrap_or(u8::MAX);
        let source = Source {
            title: &title,
            publisher: &publisher,
            publication: values.publication(named),
            date: values.date,
            version: byte(values.version),
            quality: byte(values.quality),
        };
        let mut fields = Vec::with_capacity(51);
        source.encode(&mut fields);
        Ok(fields)
    }

    fn team(&mut self, side: usize, year: u32) -> Result<Option<Vec<u8>>, Error> {
        let Some((name, team)) = self.values.team(side) else { return Ok(None) };
        let title = self.whole(name, team.name, 45)?;
        let (number, season, year) = team.numbers.unwrap_or((0, 0, year));
        let mut fields = Vec::with_capacity(55);
        Team { title: &title, number, season, year, nation: team.country }.encode(&mut fields);
        Ok(Some(fields))
    }

    /// Returns a text as a field of fixed size.
    fn whole(&mut self, name: &'static str, text: &str, size: usize) -> Result<Vec<u8>, Error> {
        let mut field = Vec::with_capacity(size);
        self.field(name, text, size, &mut field)?;
        Ok(field)
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
            self.values.lose(LossKind::Characters, format!("{name} {:?}", shorten(text)));
        }
        let mut bytes = encode_name(kept);
        // A reader takes some last letters of a full field for a part of a UTF-8 character.
        let decoder = TextDecoder::utf8_or(Encoding::WINDOWS_1252);
        let fits = |bytes: &[u8]| bytes.len() <= size && !field_text(bytes, size, &decoder).1;
        if !fits(&bytes) {
            if self.long_names == LongNames::Refuse {
                let long = ErrorKind::LongName(name, size, shorten(text));
                return Err(long.at(Location::file("cbh")));
            }
            // Each character takes at least one byte, so no longer text fits.
            if let Some((end, _)) = kept.char_indices().nth(size) {
                kept = kept.get(..end).unwrap_or_default();
                bytes = encode_name(kept);
            }
            while !fits(&bytes) {
                let last = kept.char_indices().next_back().map_or(0, |(at, _)| at);
                kept = kept.get(..last).unwrap_or_default();
                bytes = encode_name(kept);
            }
            self.values.lose(LossKind::TextCut, format!("{name} {:?}", shorten(text)));
        }
        push_field(&bytes, size, out);
        Ok(())
    }
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
    fn encode_header_names_fill_entity_fields() {
        let (parts, losses) = encode(&[("White", "Tal, Mikhail"), ("Black", "Ding Liren")]);
        assert_eq!(
            (&parts.names.white[..4], &parts.names.white[30..35]),
            (&b"Tal\0"[..], &b"Mikha"[..])
        );
        assert_eq!(&parts.names.black[..11], b"Ding Liren\0");
        assert!(losses.is_empty());
        let long = "aÖ".repeat(16);
        let (parts, losses) = encode(&[("White", &long), ("Black", &"Ж".repeat(16))]);
        assert_eq!(parts.names.white[..30], *b"a\xd6".repeat(15));
        assert_eq!(parts.names.black[..30], *"Ж".repeat(15).as_bytes());
        assert_eq!(losses.len(), 2, "{losses:?}");
        let last = format!("Miller {}\u{c5}", "a".repeat(22));
        let (parts, losses) = encode(&[("White", &last)]);
        assert_eq!(parts.names.white[28..30], *b"a\0");
        assert_eq!(losses.len(), 1, "{losses:?}");
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
            (crate::tags::RESULT_TAG, "0-1 by forfeit"),
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
        assert_eq!(parts.clocks, [(0x16, 215_700)]);
    }
}
