//! Names every byte of a game: its index entry, its names, its record.

use chess_core::Game;
use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Field, TextDecoder};

use crate::database::{Database, State, read_names};
use crate::error::{Error, ErrorKind};
use crate::index::{IndexEntry, Rating};
use crate::layout::{RATING_TYPES, Version};
use crate::names::NameKind;
use crate::names_4::locate_name_4;
use crate::names_5::locate_name_5;
use crate::record::Record;
use crate::roster::{date, decode_eco};
use crate::stream::{Comments, StreamItem, split_nul};

/// The fields of an entry in the order of the file: name and bytes.
const ENTRY_3: &[(&str, usize)] = &[("offset", 4), ("length", 2)];
const ENTRY_4: &[(&str, usize)] = &[("offset", 4), ("length", 2), ("length high, custom flags", 1)];
/// What follows in both. (scid §2.2 "Entry")
const ENTRY_COMMON: &[(&str, usize)] = &[
    ("flags", 2),
    ("white and black high", 1),
    ("white", 2),
    ("black", 2),
    ("event, site and round high", 1),
    ("event", 2),
    ("site", 2),
    ("round", 2),
    ("result and counts", 2),
    ("eco", 2),
    ("dates", 4),
    ("white rating", 2),
    ("black rating", 2),
    ("opening line", 1),
    ("material", 3),
    ("plies", 1),
    ("plies high, home pawn count", 1),
    ("home pawns", 8),
];
/// (scid §5.2 "Entry of version 5")
const ENTRY_5: &[(&str, usize)] = &[
    ("comments, white", 4),
    ("variations, black", 4),
    ("nags, event", 4),
    ("site", 4),
    ("chess960, round", 4),
    ("white rating, date", 4),
    ("black rating, event date", 4),
    ("plies, flags", 4),
    ("length, offset high", 4),
    ("offset", 4),
    ("opening line, material", 4),
    ("home pawn count, rating types, result, eco", 4),
    ("home pawns", 8),
];

impl<R: ReadAt> Database<R> {
    /// Names every byte of a game: its index entry, the records of its names, its record.
    pub(crate) fn dump(
        &self,
        state: &mut State,
        game: u64,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Error> {
        let entry = self.entry(game)?;
        self.dump_entry(game, &entry, each)?;
        self.dump_names(&entry, each)?;
        let (games, record) = (&self.files.games, &mut state.record);
        let at = self.read_record(games, &entry, game, record, &mut Diagnostics::lenient())?;
        let record = Record { bytes: record, at };
        let file = self.files.extensions.games;
        let result = RecordDump { record, file, text: &self.text, each }.dump();
        self.check_length(&entry, record.bytes, at)?;
        result
    }

    fn dump_entry(
        &self,
        game: u64,
        entry: &IndexEntry,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Error> {
        let at = self.entry_location(game);
        let mut offset = self.version.entry_offset(game);
        let (head, tail) = match self.version {
            Version::Si3 => (ENTRY_3, ENTRY_COMMON),
            Version::Si4 => (ENTRY_4, ENTRY_COMMON),
            Version::Si5 => (ENTRY_5, &[][..]),
        };
        for &(name, length) in head.iter().chain(tail) {
            let mut bytes = Vec::new();
            self.files.index.read_into(offset, length, &mut bytes).map_err(Error::io(at))?;
            let value = self.describe(name, entry);
            each(Field { file: self.files.extensions.index, offset, bytes, name, value });
            offset = offset.saturating_add(length as u64);
        }
        Ok(())
    }

    /// What a field of an entry means.
    fn describe(&self, field: &str, entry: &IndexEntry) -> String {
        let name = |kind: NameKind, id: u32| {
            let names = self.names.get(kind as usize);
            let name = names.and_then(|names| names.get(id)).unwrap_or("?");
            format!("{id}: {name:?}")
        };
        let (ids, counts, derived) = (&entry.names, &entry.counts, &entry.derived);
        let dates = |stored: u32| {
            date(stored).map_or_else(|| format!("{stored:#x}"), |date| date.to_string())
        };
        let rating = |rating: Rating| {
            let kind = RATING_TYPES.get(usize::from(rating.kind)).unwrap_or(&"?");
            format!("{kind} {}", rating.value)
        };
        let eco =
            || decode_eco(entry.eco).map_or_else(|| String::from("none"), |eco| eco.to_string());
        match field {
            "offset" => entry.offset.to_string(),
            "length" => format!("{} bytes", entry.length),
            "length, offset high" => format!("{} bytes, offset {}", entry.length, entry.offset),
            "length high, custom flags" | "flags" => format!("flags {:#08x}", entry.flags),
            "white and black high" => format!("{}, {}", ids.white >> 16, ids.black >> 16),
            "event, site and round high" => {
                format!("{}, {}, {}", ids.event >> 16, ids.site >> 16, ids.round >> 16)
            }
            "white" => name(NameKind::Player, ids.white),
            "black" => name(NameKind::Player, ids.black),
            "event" => name(NameKind::Event, ids.event),
            "site" => name(NameKind::Site, ids.site),
            "round" => name(NameKind::Round, ids.round),
            "comments, white" => {
                format!("comments code {}, {}", counts.comments, name(NameKind::Player, ids.white))
            }
            "variations, black" => format!(
                "variations code {}, {}",
                counts.variations,
                name(NameKind::Player, ids.black)
            ),
            "nags, event" => {
                format!("NAGs code {}, {}", counts.nags, name(NameKind::Event, ids.event))
            }
            "chess960, round" => {
                let chess960 = if entry.chess960 { "Chess960, " } else { "" };
                format!("{chess960}{}", name(NameKind::Round, ids.round))
            }
            "result and counts" => format!(
                "result {}, NAGs code {}, comments code {}, variations code {}",
                entry.result, counts.nags, counts.comments, counts.variations
            ),
            "eco" => eco(),
            "dates" => format!("{}, event {}", dates(entry.date), dates(entry.event_date)),
            "white rating" => rating(entry.white_rating),
            "black rating" => rating(entry.black_rating),
            "white rating, date" => {
                format!("{}, {}", entry.white_rating.value, dates(entry.date))
            }
            "black rating, event date" => {
                format!("{}, {}", entry.black_rating.value, dates(entry.event_date))
            }
            "plies, flags" => format!("{} plies, flags {:#08x}", derived.plies, entry.flags),
            "plies" | "plies high, home pawn count" => {
                format!("{} plies, {} home pawns left", derived.plies, derived.home_pawn_count)
            }
            "material" => format!("{:#08x}", derived.material),
            "opening line" => derived.opening_line.to_string(),
            "opening line, material" => {
                format!("{}, {:#08x}", derived.opening_line, derived.material)
            }
            "home pawn count, rating types, result, eco" => format!(
                "{}, {}, {}, result {}, {}",
                derived.home_pawn_count,
                rating(entry.white_rating),
                rating(entry.black_rating),
                entry.result,
                eco()
            ),
            _ => String::new(),
        }
    }

    /// The records of the five names in the names file.
    fn dump_names(&self, entry: &IndexEntry, each: &mut dyn FnMut(Field)) -> Result<(), Error> {
        let file = read_names(&self.files)?;
        let ids = &entry.names;
        for (field, kind, id) in [
            ("white name", NameKind::Player, ids.white),
            ("black name", NameKind::Player, ids.black),
            ("event name", NameKind::Event, ids.event),
            ("site name", NameKind::Site, ids.site),
            ("round name", NameKind::Round, ids.round),
        ] {
            let found = match self.version {
                Version::Si5 => locate_name_5(&file, kind, id),
                Version::Si3 | Version::Si4 => locate_name_4(&file, kind, id),
            };
            let Some(range) = found else { continue };
            let names = self.names.get(kind as usize);
            let name = names.and_then(|names| names.get(id)).unwrap_or("?");
            each(Field {
                file: self.files.extensions.names,
                offset: range.start as u64,
                bytes: file.get(range).unwrap_or_default().to_vec(),
                name: field,
                value: format!("{name:?}"),
            });
        }
        Ok(())
    }
}

/// Names the bytes of a record. What cannot be decoded ends it, as it ends the game.
struct RecordDump<'a, 'e> {
    record: Record<'a>,
    file: &'static str,
    text: &'a TextDecoder,
    each: &'e mut dyn FnMut(Field),
}

impl<'a> RecordDump<'a, '_> {
    /// Names the bytes from where `rest` begins up to where `next` does.
    fn name(&mut self, rest: &[u8], next: &[u8], name: &'static str, value: String) {
        let bytes = rest.get(..rest.len().saturating_sub(next.len())).unwrap_or_default();
        let offset = self.record.place(rest).offset.unwrap_or(0);
        (self.each)(Field { file: self.file, offset, bytes: bytes.to_vec(), name, value });
    }

    fn dump(&mut self) -> Result<(), Error> {
        let record = self.record;
        let rest = self.tags(record.bytes)?;
        let (fen_place, flags) = record.flags(rest)?;
        self.name(rest, fen_place, "flags", format!("{flags:#04x}"));
        let (stream, fen) = record.fen(flags, fen_place)?;
        if let Some(fen) = fen {
            let value = self.quoted(fen);
            self.name(fen_place, stream, "start position", value);
        }
        self.stream(fen, fen_place, stream)
    }

    fn tags(&mut self, mut rest: &'a [u8]) -> Result<&'a [u8], Error> {
        loop {
            let (next, tag) = self.record.tag(rest)?;
            let Some(tag) = tag else {
                self.name(rest, next, "end of tags", String::new());
                return Ok(next);
            };
            self.name(rest, next, "tag", tag.describe(self.text));
            rest = next;
        }
    }

    fn stream(
        &mut self,
        fen: Option<&[u8]>,
        fen_place: &[u8],
        stream: &'a [u8],
    ) -> Result<(), Error> {
        let record = self.record;
        let mut stream = record.start(fen, fen_place, stream, self.text, &mut Game::new())?;
        let mut comments = Comments::after(stream.rest());
        let mut missing = None;
        loop {
            let (here, ply) = (stream.rest(), stream.ply());
            let place = || record.place(here).after_ply(ply);
            let item = stream.next().map_err(|kind| Error::new(kind, place()))?;
            if let StreamItem::Comment = item {
                // They stand after the moves, but are told where their markers are.
                let from = comments.rest().unwrap_or_default();
                match comments.next() {
                    Some(comment) => {
                        let next = comments.rest().unwrap_or_default();
                        let value = self.quoted(comment);
                        self.name(from, next, "comment", value);
                    }
                    None => missing = missing.or_else(|| Some(place())),
                }
            }
            let (name, value) = describe_item(item);
            self.name(here, stream.rest(), name, value);
            if let StreamItem::GameEnd = item {
                break;
            }
        }
        if let Some(at) = missing {
            return Err(Error::new(ErrorKind::NoComment, at));
        }
        self.surplus(comments.rest().unwrap_or(stream.rest()));
        Ok(())
    }

    fn quoted(&self, text: &[u8]) -> String {
        format!("{:?}", self.text.decode(text))
    }

    fn surplus(&mut self, mut rest: &[u8]) {
        while let Some((comment, next)) = split_nul(rest).filter(|(comment, _)| !comment.is_empty())
        {
            let value = self.quoted(comment);
            self.name(rest, next, "surplus comment", value);
            rest = next;
        }
        if !rest.is_empty() {
            self.name(rest, &[], "trailing bytes", String::new());
        }
    }
}

fn describe_item(item: StreamItem) -> (&'static str, String) {
    match item {
        StreamItem::Move(m) | StreamItem::OddMove(m, _) => ("move", m.to_string()),
        StreamItem::Nag(nag) => ("nag", format!("${nag}")),
        StreamItem::Comment => ("comment marker", String::new()),
        StreamItem::VariationStart => ("variation start", String::new()),
        StreamItem::VariationEnd => ("variation end", String::new()),
        StreamItem::GameEnd => ("game end", String::new()),
    }
}
