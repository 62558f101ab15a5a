//! Converts a game's index entry and names to a `Header` and back.

use std::fmt::Write as _;
use std::io;

use chess_core::{Date, Eco, EcoSub, Elo, GameResult, Header, is_implied};
use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Location, Loss, LossKind, Losses, TextDecoder};

use crate::encode::shorten;
use crate::error::{Error, ErrorKind};
use crate::index::IndexEntry;
use crate::layout::{NO_NAME, STATUS_DELETED, STATUS_LIVE};
use crate::name_table::{Name, NameTables};
use crate::names::{NameFile, NameFiles, NameKind, encode_name};
use crate::options::LongNames;
use crate::quirk::Quirk;

/// The tag for a status other than 0x00 and 0xFF, a decimal number.
// dcg §8 "Tags this format maps to"
pub const STATUS_TAG: &str = "DCGStatus";
/// The tag for a result code above 3, a decimal number.
// dcg §8 "Tags this format maps to"
pub const RESULT_TAG: &str = "DCGResult";
/// The tag for a date out of range: year, month and day as decimal numbers separated by full stops.
// dcg §8 "Tags this format maps to"
pub const DATE_TAG: &str = "DCGDate";
/// The tag for three ECO bytes that are not text, six hexadecimal digits.
// dcg §8 "Tags this format maps to"
pub const ECO_TAG: &str = "DCGEco";

/// The inputs for reading one header.
pub(crate) struct HeaderDecoder<'a, R> {
    pub(crate) names: &'a NameFiles<R>,
    pub(crate) text: TextDecoder,
    pub(crate) diagnostics: &'a mut Diagnostics,
    /// The number of the game, and the location of its entry.
    pub(crate) game: u64,
    pub(crate) at: Location,
}

impl<R: ReadAt> HeaderDecoder<'_, R> {
    /// Replaces `header` with the contents of an entry.
    // dcg §4.1 "Values"
    pub(crate) fn decode(mut self, entry: &IndexEntry, header: &mut Header) -> Result<(), Error> {
        header.clear();
        header.deleted = entry.is_deleted();
        if !matches!(entry.status, STATUS_LIVE | STATUS_DELETED) {
            self.note(Quirk::UnknownStatus)?;
            header.tags.push(STATUS_TAG, &entry.status.to_string());
        }
        if entry.round > 0 {
            header.round.clear();
            let _ = write!(header.round, "{}", entry.round);
        }
        header.white_elo = Elo::new(entry.white_elo);
        header.black_elo = Elo::new(entry.black_elo);
        header.result = result_of(entry.result).unwrap_or_default();
        if result_of(entry.result).is_none() {
            self.note(Quirk::UnknownResult)?;
            header.tags.push(RESULT_TAG, &entry.result.to_string());
        }
        self.eco(entry.eco, header)?;
        self.date(entry, header)?;
        let NameFiles { players, sites, events } = self.names;
        self.name(players, entry.white, &mut header.white)?;
        self.name(players, entry.black, &mut header.black)?;
        self.name(sites, entry.site, &mut header.site)?;
        match events {
            Some(file) => self.name(file, entry.event, &mut header.event),
            // The events file is missing. Bases of the old layout have no references to it.
            None if entry.event == NO_NAME => Ok(()),
            None => {
                let at = Location::file("dce").at(entry.event.into()).in_game(self.game);
                Ok(self.diagnostics.note(Quirk::DanglingName, at)?)
            }
        }
    }

    fn eco(&mut self, eco: [u8; 3], header: &mut Header) -> Result<(), Error> {
        match std::str::from_utf8(&eco) {
            Ok("\0\0\0") => {}
            // An invalid code is kept as a tag.
            Ok(text) if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) => {
                header.set("ECO", text);
            }
            _ => {
                self.note(Quirk::OddEco)?;
                let [a, b, c] = eco;
                header.tags.push(ECO_TAG, &format!("{a:02x}{b:02x}{c:02x}"));
            }
        }
        Ok(())
    }

    fn date(&mut self, entry: &IndexEntry, header: &mut Header) -> Result<(), Error> {
        let (date, whole) = date_of(entry);
        header.date = date;
        if !whole {
            let IndexEntry { year, month, day, .. } = *entry;
            self.note(Quirk::OddDate)?;
            header.tags.push(DATE_TAG, &format!("{year}.{month}.{day}"));
        }
        Ok(())
    }

    fn name(&mut self, file: &NameFile<R>, reference: u32, text: &mut String) -> Result<(), Error> {
        file.read(reference, text, self.text, self.diagnostics, self.game)
    }

    fn note(&mut self, quirk: Quirk) -> Result<(), Error> {
        Ok(self.diagnostics.note(quirk, self.at)?)
    }
}

/// The result for a code, if it is valid.
pub(crate) fn result_of(code: u8) -> Option<GameResult> {
    match code {
        0 => Some(GameResult::Unknown),
        1 => Some(GameResult::White),
        2 => Some(GameResult::Black),
        3 => Some(GameResult::Draw),
        _ => None,
    }
}

/// The ECO code of three letters, if it is valid.
pub(crate) fn eco_of(letters: [u8; 3]) -> Option<Eco> {
    std::str::from_utf8(&letters).ok()?.parse().ok()
}

/// Returns the date of an entry, and whether it is exact.
pub(crate) fn date_of(entry: &IndexEntry) -> (Date, bool) {
    let IndexEntry { year, month, day, .. } = *entry;
    if let Some(date) = Date::new(year, month, day) {
        return (date, true);
    }
    let known = |part: u8, max: u8| if part > max { 0 } else { part };
    let year = if year > 9999 { 0 } else { year };
    (Date::new(year, known(month, 12), known(day, 31)).unwrap_or_default(), false)
}

/// The names of a game; `None` where the entry has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct EntryNames {
    pub(crate) white: Option<Name>,
    pub(crate) black: Option<Name>,
    pub(crate) site: Option<Name>,
    pub(crate) event: Option<Name>,
}

impl EntryNames {
    /// Looks up the numbers of names that the base already has.
    pub(crate) fn find_in(&mut self, tables: &NameTables) {
        for (kind, name) in [
            (NameKind::Players, &mut self.white),
            (NameKind::Players, &mut self.black),
            (NameKind::Sites, &mut self.site),
            (NameKind::Events, &mut self.event),
        ] {
            if let Some(name) = name {
                name.number = tables.of(kind).number(name);
            }
        }
    }
}

/// Converts a header to an entry, without offset and references, and the names for the references.
/// Adds to `losses` everything that the entry cannot hold.
// dcg §9.2 "Header"
pub(crate) fn encode_header(
    header: &Header,
    long: LongNames,
    losses: &mut Losses,
) -> Result<(IndexEntry, EntryNames), Error> {
    let mut name = |tag: &'static str, text: &str| {
        let (record, fits) = encode_name(text);
        if !fits {
            if long == LongNames::Refuse {
                let kind = ErrorKind::LongName(tag, text.to_string());
                return Err(kind.at(Location::file("dcg")));
            }
            losses.push(Loss::new(LossKind::TextCut, format!("{tag} {:?}", shorten(text))));
        }
        Ok(Some(Name::new(record)))
    };
    let names = EntryNames {
        white: name("White", &header.white)?,
        black: name("Black", &header.black)?,
        site: name("Site", &header.site)?,
        event: name("Event", &header.event)?,
    };
    let (year, month, day) = header.date.parts();
    let mut entry = IndexEntry {
        status: if header.deleted { STATUS_DELETED } else { STATUS_LIVE },
        round: encode_round(&header.round, losses),
        white_elo: header.white_elo.map_or(0, Elo::get),
        black_elo: header.black_elo.map_or(0, Elo::get),
        result: match header.result {
            GameResult::Unknown => 0,
            GameResult::White => 1,
            GameResult::Black => 2,
            GameResult::Draw => 3,
        },
        eco: header.eco.map_or([0; 3], |eco| encode_eco(eco, losses)),
        year,
        month,
        day,
        ..IndexEntry::default()
    };
    if header.event_date.is_some() {
        losses.push(Loss::new(LossKind::Tag, "EventDate"));
    }
    for (tag, value) in header.tags.iter() {
        encode_tag(tag, value, header, &mut entry, losses);
    }
    Ok((entry, names))
}

/// Parses a whole number. Anything else is 0, as in the author's program.
fn encode_round(round: &str, losses: &mut Losses) -> u16 {
    if matches!(round, "?" | "") {
        return 0;
    }
    let number = round.trim().parse::<u16>().unwrap_or(0);
    if number == 0 || round.starts_with(['0', '+']) || round.trim() != round {
        losses.push(Loss::new(LossKind::Round, round));
    }
    number
}

fn encode_eco(eco: Eco, losses: &mut Losses) -> [u8; 3] {
    if eco.sub() != EcoSub::None {
        losses.push(Loss::new(LossKind::Eco, eco.to_string()));
    }
    // The refinement of an ECO code is lost.
    let mut bytes = [0; 3];
    let _ = io::Write::write_fmt(&mut bytes.as_mut_slice(), format_args!("{eco}"));
    bytes
}

/// Unusual spellings of typed tags, this format's own tags, and tags without a field.
fn encode_tag(
    tag: &str,
    value: &str,
    header: &Header,
    entry: &mut IndexEntry,
    losses: &mut Losses,
) {
    let unknown = matches!(value.trim(), "" | "?" | "-" | "0");
    let kept = match tag {
        "ECO" => match <[u8; 3]>::try_from(value.as_bytes()) {
            Ok(eco) if header.eco.is_none() => {
                entry.eco = eco;
                true
            }
            _ => false,
        },
        STATUS_TAG => value.parse().map(|status| entry.status = status).is_ok(),
        RESULT_TAG => value.parse().map(|result| entry.result = result).is_ok(),
        DATE_TAG => parse_raw_date(value)
            .map(|(year, month, day)| {
                (entry.year, entry.month, entry.day) = (year, month, day);
            })
            .is_some(),
        ECO_TAG => u32::from_str_radix(value, 16)
            .ok()
            .filter(|_| value.len() == 6)
            .map(|eco| {
                let [_, a, b, c] = eco.to_be_bytes();
                entry.eco = [a, b, c];
            })
            .is_some(),
        _ => false,
    };
    if kept {
        return;
    }
    let kind = match tag {
        "WhiteElo" | "BlackElo" if !unknown => LossKind::Rating,
        "ECO" if !unknown => LossKind::Eco,
        "Date" if !header.date.is_all_of(value) => LossKind::Date,
        "Result" if !unknown => LossKind::Result,
        "WhiteElo" | "BlackElo" | "ECO" | "Date" | "Result" => return,
        "Deleted" => LossKind::Flag,
        // Reported only once.
        "EventDate" => return,
        _ if is_implied(tag, value) => return,
        _ => LossKind::Tag,
    };
    let detail = match kind {
        LossKind::Tag => tag.to_string(),
        _ => format!("{tag} {:?}", shorten(value)),
    };
    losses.push(Loss::new(kind, detail));
}

fn parse_raw_date(text: &str) -> Option<(u16, u8, u8)> {
    let mut parts = text.split('.');
    let date =
        (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    parts.next().is_none().then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_of_agrees_with_table() {
        let rows = testkit::result_rows("dcg", "entry");
        assert_eq!(rows.len(), 4);
        for [code, result, _] in rows {
            assert_eq!(result_of(code.parse().unwrap()).unwrap().as_str(), result, "code {code}");
        }
        assert_eq!(result_of(4), None);
    }

    use crate::names::NameKind;
    use chess_store::Encoding;

    fn decode(entry: &IndexEntry) -> (Header, Vec<&'static str>) {
        let bytes = [b"SimpleCDbn".as_slice(), &encode_name("Alpha, A").0].concat();
        let file = |kind| NameFile::new(kind, Some(bytes.clone())).unwrap();
        let names = NameFiles {
            players: file(NameKind::Players),
            sites: file(NameKind::Sites),
            events: None,
        };
        let mut header = Header::default();
        let mut diagnostics = Diagnostics::lenient();
        let decoder = HeaderDecoder {
            names: &names,
            text: TextDecoder::utf8_or(Encoding::WINDOWS_1252),
            diagnostics: &mut diagnostics,
            game: 0,
            at: Location::file("dci").in_game(0),
        };
        decoder.decode(entry, &mut header).unwrap();
        (header, diagnostics.warnings().iter().map(|warning| warning.name).collect())
    }

    fn encode(header: &Header) -> (IndexEntry, Vec<String>) {
        let mut losses = Losses::new();
        let (entry, _) = encode_header(header, LongNames::Cut, &mut losses).unwrap();
        (entry, losses.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn header_zero_fields_are_unknown() {
        let (header, notes) = decode(&IndexEntry::default());
        assert_eq!(header, Header::default());
        assert!(notes.is_empty());
        assert_eq!(encode(&header), (IndexEntry::default(), vec![]));
    }

    #[test]
    fn header_unknown_bytes_are_kept() {
        let entry = IndexEntry {
            status: 7,
            result: 9,
            eco: [0xff, 0, 0x41],
            year: 12_000,
            month: 13,
            day: 4,
            ..IndexEntry::default()
        };
        let (header, notes) = decode(&entry);
        assert_eq!(
            notes,
            ["dcg-unknown-status", "dcg-unknown-result", "dcg-odd-eco", "dcg-odd-date"]
        );
        let tags: Vec<_> = header.tags.iter().collect();
        assert_eq!(
            tags,
            [
                ("DCGStatus", "7"),
                ("DCGResult", "9"),
                ("DCGEco", "ff0041"),
                ("DCGDate", "12000.13.4")
            ]
        );
        assert_eq!(header.date.to_string(), "????.??.04");
        assert_eq!(encode(&header), (entry, vec![]));
    }

    #[test]
    fn header_invalid_eco_becomes_tag() {
        let entry = IndexEntry { eco: *b"B9?", ..IndexEntry::default() };
        let (header, notes) = decode(&entry);
        assert_eq!((header.eco, header.tags.get("ECO")), (None, Some("B9?")));
        assert!(notes.is_empty());
        assert_eq!(encode(&header), (entry, vec![]));
    }

    #[test]
    fn decode_header_bad_reference_is_quirk() {
        let (header, notes) =
            decode(&IndexEntry { white: 10, black: 46, site: 12, ..IndexEntry::default() });
        assert_eq!((header.white.as_str(), header.black.as_str()), ("Alpha, A", "?"));
        assert_eq!(header.site, "pha, A");
        assert_eq!(notes, ["dcg-dangling-name", "dcg-misaligned-name", "dcg-short-name"]);
    }

    #[test]
    fn encode_header_inexpressible_is_loss() {
        let mut header = Header::default();
        for (tag, value) in [
            ("Round", "3.1"),
            ("White", "Wolfeschlegelsteinhausenbergerdorff, Hubert"),
            ("WhiteElo", "70000"),
            ("BlackElo", "?"),
            ("Date", "2150.13.40"),
            ("ECO", "B90g"),
            ("Result", "½-½"),
            ("EventDate", "2024.01.01"),
            ("Annotator", "Me"),
        ] {
            header.set(tag, value);
        }
        let (entry, losses) = encode(&header);
        assert_eq!(
            losses,
            [
                "text-cut: White \"Wolfeschlegelsteinhausenbergerdorff, Hubert\"",
                "round: 3.1",
                "eco: B90g",
                "tag: EventDate",
                "rating: WhiteElo \"70000\"",
                "date: Date \"2150.13.40\"",
                "tag: Annotator",
            ]
        );
        assert_eq!((entry.round, entry.year, &entry.eco), (0, 2150, b"B90"));
        let refused = encode_header(&header, LongNames::Refuse, &mut Losses::new()).unwrap_err();
        assert_eq!(
            refused.kind().to_string(),
            "White has more than 36 bytes: \"Wolfeschlegelsteinhausenbergerdorff, Hubert\""
        );
    }
}
