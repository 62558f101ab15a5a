//! Describes every byte of a game: its index entry, its names, its record.

use chess_core::Game;
use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Field, FieldWriter, TextDecoder};

use crate::database::{Database, State, read_names};
use crate::error::{Error, ErrorKind};
use crate::index::{IndexEntry, Rating};
use crate::layout::{RATING_TYPES, Version};
use crate::names::{NameKind, Names};
use crate::names_4::locate_name_4;
use crate::names_5::locate_name_5;
use crate::record::Record;
use crate::roster::{date, decode_eco};
use crate::stream::{Comments, StreamItem, split_nul};
use crate::unmarked::split_texts;

/// A field of an index entry: its name, its size in bytes, and how its value is described.
struct EntryField(&'static str, usize, fn(&Described<'_>) -> String);

/// An index entry and the names that its ids refer to.
struct Described<'a> {
    entry: &'a IndexEntry,
    names: &'a Names,
}

/// The fields before [`ENTRY_COMMON`], in file order.
const ENTRY_3: &[EntryField] = &[
    EntryField("offset", 4, |of| of.entry.offset.to_string()),
    EntryField("length", 2, |of| of.length()),
];
/// The fields before [`ENTRY_COMMON`], in file order.
const ENTRY_4: &[EntryField] = &[
    EntryField("offset", 4, |of| of.entry.offset.to_string()),
    EntryField("length", 2, |of| of.length()),
    EntryField("length high, custom flags", 1, |of| of.flags()),
];
/// The fields that versions 3 and 4 share, in file order. (scid §2.2 "Entry")
const ENTRY_COMMON: &[EntryField] = &[
    EntryField("flags", 2, |of| of.flags()),
    EntryField("white and black high", 1, |of| {
        let ids = &of.entry.names;
        format!("{}, {}", ids.white >> 16, ids.black >> 16)
    }),
    EntryField("white", 2, |of| of.white()),
    EntryField("black", 2, |of| of.black()),
    EntryField("event, site and round high", 1, |of| {
        let ids = &of.entry.names;
        format!("{}, {}, {}", ids.event >> 16, ids.site >> 16, ids.round >> 16)
    }),
    EntryField("event", 2, |of| of.event()),
    EntryField("site", 2, |of| of.site()),
    EntryField("round", 2, |of| of.round()),
    EntryField("result and counts", 2, |of| {
        let (result, counts) = (of.entry.result, &of.entry.counts);
        format!(
            "result {result}, NAGs code {}, comments code {}, variations code {}",
            counts.nags, counts.comments, counts.variations
        )
    }),
    EntryField("eco", 2, |of| of.eco()),
    EntryField("dates", 4, |of| format!("{}, event {}", of.date(), of.event_date())),
    EntryField("white rating", 2, |of| of.white_rating()),
    EntryField("black rating", 2, |of| of.black_rating()),
    EntryField("opening line", 1, |of| of.entry.derived.opening_line.to_string()),
    EntryField("material", 3, |of| format!("{:#08x}", of.entry.derived.material)),
    EntryField("plies", 1, |of| of.plies()),
    EntryField("plies high, home pawn count", 1, |of| of.plies()),
    EntryField("home pawns", 8, |_| String::new()),
];
/// All fields of version 5, in file order. (scid §5.2 "Entry of version 5")
const ENTRY_5: &[EntryField] = &[
    EntryField("comments, white", 4, |of| {
        format!("comments code {}, {}", of.entry.counts.comments, of.white())
    }),
    EntryField("variations, black", 4, |of| {
        format!("variations code {}, {}", of.entry.counts.variations, of.black())
    }),
    EntryField("nags, event", 4, |of| {
        format!("NAGs code {}, {}", of.entry.counts.nags, of.event())
    }),
    EntryField("site", 4, |of| of.site()),
    EntryField("chess960, round", 4, |of| {
        format!("{}{}", if of.entry.chess960 { "Chess960, " } else { "" }, of.round())
    }),
    EntryField("white rating, date", 4, |of| {
        format!("{}, {}", of.entry.white_rating.value, of.date())
    }),
    EntryField("black rating, event date", 4, |of| {
        format!("{}, {}", of.entry.black_rating.value, of.event_date())
    }),
    EntryField("plies, flags", 4, |of| format!("{} plies, {}", of.entry.derived.plies, of.flags())),
    EntryField("length, offset high", 4, |of| {
        format!("{}, offset {}", of.length(), of.entry.offset)
    }),
    EntryField("offset", 4, |of| of.entry.offset.to_string()),
    EntryField("opening line, material", 4, |of| {
        let derived = &of.entry.derived;
        format!("{}, {:#08x}", derived.opening_line, derived.material)
    }),
    EntryField("home pawn count, rating types, result, eco", 4, |of| {
        format!(
            "{}, {}, {}, result {}, {}",
            of.entry.derived.home_pawn_count,
            of.white_rating(),
            of.black_rating(),
            of.entry.result,
            of.eco()
        )
    }),
    EntryField("home pawns", 8, |_| String::new()),
];

impl Described<'_> {
    fn length(&self) -> String {
        format!("{} bytes", self.entry.length)
    }

    fn flags(&self) -> String {
        format!("flags {:#08x}", self.entry.flags)
    }

    fn name(&self, kind: NameKind, id: u32) -> String {
        let names = self.names.get(kind as usize);
        let name = names.and_then(|names| names.get(id)).unwrap_or("?");
        format!("{id}: {name:?}")
    }

    fn white(&self) -> String {
        self.name(NameKind::Player, self.entry.names.white)
    }

    fn black(&self) -> String {
        self.name(NameKind::Player, self.entry.names.black)
    }

    fn event(&self) -> String {
        self.name(NameKind::Event, self.entry.names.event)
    }

    fn site(&self) -> String {
        self.name(NameKind::Site, self.entry.names.site)
    }

    fn round(&self) -> String {
        self.name(NameKind::Round, self.entry.names.round)
    }

    fn eco(&self) -> String {
        decode_eco(self.entry.eco).map_or_else(|| String::from("none"), |eco| eco.to_string())
    }

    fn date(&self) -> String {
        describe_date(self.entry.date)
    }

    fn event_date(&self) -> String {
        describe_date(self.entry.event_date)
    }

    fn white_rating(&self) -> String {
        describe_rating(self.entry.white_rating)
    }

    fn black_rating(&self) -> String {
        describe_rating(self.entry.black_rating)
    }

    fn plies(&self) -> String {
        let derived = &self.entry.derived;
        format!("{} plies, {} home pawns left", derived.plies, derived.home_pawn_count)
    }
}

fn describe_date(stored: u32) -> String {
    date(stored).map_or_else(|| format!("{stored:#x}"), |date| date.to_string())
}

fn describe_rating(rating: Rating) -> String {
    let kind = RATING_TYPES.get(usize::from(rating.kind)).unwrap_or(&"?");
    format!("{kind} {}", rating.value)
}

impl<R: ReadAt> Database<R> {
    /// Describes every byte of a game: its index entry, the records of its names, its record.
    pub(crate) fn dump(
        &self,
        state: &mut State,
        game: u64,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Error> {
        let entry = self.entry(game)?;
        self.dump_entry(game, &entry, each)?;
        self.dump_names(&entry, each)?;
        let (games, record) = (&self.files.games, state.record.buffer());
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
        let (index, offset) = (self.files.extensions.index, self.version.entry_offset(game));
        let mut out = FieldWriter::new(index, offset, each);
        let (head, tail) = match self.version {
            Version::Si3 => (ENTRY_3, ENTRY_COMMON),
            Version::Si4 => (ENTRY_4, ENTRY_COMMON),
            Version::Si5 => (ENTRY_5, &[][..]),
        };
        let described = Described { entry, names: &self.names };
        for &EntryField(name, size, describe) in head.iter().chain(tail) {
            let mut bytes = Vec::new();
            self.files.index.read_into(out.offset(), size, &mut bytes).map_err(Error::io(at))?;
            out.field(&bytes, name, describe(&described));
        }
        Ok(())
    }

    /// Describes the records of the five names in the names file.
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
            each(Field::new(
                self.files.extensions.names,
                range.start as u64,
                file.get(range).unwrap_or_default(),
                field,
                format!("{name:?}"),
            ));
        }
        Ok(())
    }
}

/// Describes the bytes of a record. The dump ends at the first byte that cannot be decoded.
struct RecordDump<'a, 'e> {
    record: Record<'a>,
    file: &'static str,
    text: &'a TextDecoder,
    each: &'e mut dyn FnMut(Field),
}

impl<'a> RecordDump<'a, '_> {
    /// Reports the bytes from the start of `rest` up to the start of `next` as one field.
    fn name(&mut self, rest: &[u8], next: &[u8], name: &'static str, value: String) {
        let bytes = rest.get(..rest.len().saturating_sub(next.len())).unwrap_or_default();
        let offset = self.record.place(rest).offset.unwrap_or(0);
        (self.each)(Field::new(self.file, offset, bytes, name, value));
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
                // Comments follow the moves, but the dump reports each one at its marker.
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
        self.unmarked(comments.rest().unwrap_or(stream.rest()));
        Ok(())
    }

    fn quoted(&self, text: &[u8]) -> String {
        format!("{:?}", self.text.decode(text))
    }

    fn unmarked(&mut self, rest: &[u8]) {
        let (_, trailing) = split_texts(rest);
        let mut here = rest;
        while here.len() > trailing.len()
            && let Some((comment, next)) = split_nul(here)
        {
            let value = self.quoted(comment);
            self.name(here, next, "comment without a marker", value);
            here = next;
        }
        if !trailing.is_empty() {
            self.name(trailing, &[], "trailing bytes", String::new());
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
