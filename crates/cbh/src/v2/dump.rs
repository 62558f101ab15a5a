//! Annotated dump of every byte of a game.

use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Field, FieldWriter};

use super::database::{Database, Framed, State};
use super::decode::split_content;
use super::entities::{EntityType, FieldReader, parse_titles};
use super::frame::parse_frame;
use super::header::RecordKind;
use super::layout::{BLOCKS_END, FRAME_START, RECORD_SIZE, word};
use super::words::piece_of;
use crate::annotations::command::push_command;
use crate::annotations::dialect::Dialect;
use crate::annotations::modern::size_of;
use crate::annotations::text;
use crate::error::Error;
use crate::header::parse_date;
use crate::layout::item;
use crate::tags::{describe_eco, describe_result};

/// The fields of the record of a game, by size.
// cbh2 §3.3 "Game record"
const GAME_FIELDS: [(&str, usize); 31] = [
    ("type", 4),
    ("unknown_04", 4),
    ("moves", 8),
    ("annotations", 8),
    ("white", 8),
    ("black", 8),
    ("tournament", 8),
    ("annotator", 8),
    ("source", 8),
    ("white team", 8),
    ("black team", 8),
    ("title", 8),
    ("result", 1),
    ("evaluation", 1),
    ("round", 2),
    ("subround", 2),
    ("board", 2),
    ("white elo", 2),
    ("white rating type", 14),
    ("black elo", 2),
    ("black rating type", 14),
    ("eco", 2),
    ("medals", 2),
    ("flags", 4),
    ("magnitudes", 2),
    ("length", 2),
    ("material", 8),
    ("unknown_94", 4),
    ("created", 8),
    ("changed", 8),
    ("rest", 28),
];

/// The fields of the record of an analysis, by size.
const ANALYSIS_FIELDS: [(&str, usize); 8] = [
    ("type", 4),
    ("unknown_04", 4),
    ("moves", 8),
    ("annotations", 8),
    ("title", 8),
    ("source", 8),
    ("annotator", 8),
    ("unknown_30", 144),
];

impl<R: ReadAt> Database<R> {
    /// Dumps every byte of a game: its header, its names, its moves and its annotations.
    ///
    /// Fields before the damage are kept after an error.
    pub(crate) fn dump(
        &self,
        state: &mut State,
        game: u64,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Error> {
        let raw = self.read_raw(state, game)?;
        let offset = raw.at.offset.unwrap_or(0);
        let mut bytes = [0; RECORD_SIZE];
        self.parts.headers.read_full(offset, &mut bytes).map_err(Error::io(raw.at))?;
        let record = &raw.record;
        let analysis = record.kind == RecordKind::Analysis;
        let fields: &[(&str, usize)] = if analysis { &ANALYSIS_FIELDS } else { &GAME_FIELDS };
        let mut out = FieldWriter::new("2cbh", offset, each);
        let mut rest = bytes.as_slice();
        for (name, size) in fields {
            let (field, after) = rest.split_at_checked(*size).unwrap_or((rest, &[]));
            let value = match *name {
                "type" if record.is_deleted() => "deleted".into(),
                "result" => describe_result(record.result),
                "eco" => describe_eco(record.eco),
                "flags" => format!("{:#010x}", record.flags),
                "magnitudes" => format!("{:#06x}", record.magnitudes),
                "medals" => format!("{:#06x}", record.medals),
                "material" => {
                    let [greater, lesser] = record.material;
                    format!("{greater:#06x} {lesser:#06x}")
                }
                "rest" => {
                    let date = parse_date(record.date).0;
                    format!("endgames {:#x}, version {}, {date}", record.endgames, record.version)
                }
                "type" | "unknown_04" | "unknown_94" | "unknown_30" => String::new(),
                "white rating type" | "black rating type" => {
                    format!("{:?}", self.text.decode(field.get(6..).unwrap_or_default()))
                }
                _ => signed(field).to_string(),
            };
            out.field(field, name, value);
            rest = after;
        }
        let [white, black, tournament, annotator, source] = record.names;
        for (kind, id, name) in [
            (EntityType::Player, white, "white"),
            (EntityType::Player, black, "black"),
            (EntityType::Tournament, tournament, "tournament"),
            (EntityType::Player, annotator, "annotator"),
            (EntityType::Source, source, "source"),
            (EntityType::Team, record.teams[0], "white team"),
            (EntityType::Team, record.teams[1], "black team"),
            (EntityType::Title, record.title, "title"),
        ] {
            self.dump_entity(state, kind, id, name, each)?;
        }
        let mut diagnostics = Diagnostics::lenient();
        let framed = self.read_moves(state, record.moves, raw.at, &mut diagnostics);
        if let Ok(framed) = &framed {
            self.dump_frame(framed, "2cbg", state, each, |state, out| {
                dump_words(&state.content, out)
            })?;
        }
        let mut decoded = None;
        let result = self.decode_tree(state, &raw, &mut decoded, &mut diagnostics);
        let read = self.read_annotations(state, &raw, &mut diagnostics);
        if let Ok(Some(framed)) = &read {
            let size = usize::try_from(framed.frame.size).unwrap_or(usize::MAX);
            self.dump_frame(framed, "2cba", state, each, |state, out| {
                // Bytes that were appended for the rest of the record are not in the file.
                let notes = state.notes.get(..size).unwrap_or(&state.notes);
                self.dump_blocks(notes, out);
            })?;
        }
        framed.and(result).and(read.map(|_| ()))
    }

    // cbh2 §6.2 "Records"
    fn dump_entity(
        &self,
        state: &mut State,
        kind: EntityType,
        id: i64,
        name: &'static str,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Error> {
        let (Some(file), Some(header)) = (&self.parts.entities, &self.entities) else {
            return Ok(());
        };
        let Some(id) = u64::try_from(id).ok().filter(|id| *id < header.count(kind)) else {
            return Ok(());
        };
        let (offset, container) = header.place(kind, id);
        let at = chess_store::Location::file("2lid").at(offset);
        let size = usize::try_from(container).unwrap_or(0);
        let bytes = &mut state.fields;
        file.read_into(offset, size, bytes).map_err(Error::io(at))?;
        let mut out = FieldWriter::new("2lid", offset, each);
        let (start, rest) = bytes.split_at_checked(4).unwrap_or((bytes, &[]));
        out.field(start, "size", signed(start).to_string());
        let used = usize::try_from(signed(start)).unwrap_or(0).min(rest.len());
        let (fields, unused) = rest.split_at_checked(used).unwrap_or((rest, &[]));
        let mut reader = FieldReader::new(fields);
        let texts: Vec<&[u8]> = match kind {
            EntityType::Title => {
                parse_titles(&mut reader).into_iter().map(|title| title.1).collect()
            }
            EntityType::Team => vec![reader.string()],
            _ => vec![reader.string(), reader.string()],
        };
        let texts: Vec<String> = { texts.into_iter().filter(|text| !text.is_empty()) }
            .map(|text| format!("{:?}", self.text.decode(text)))
            .collect();
        out.field(fields, name, texts.join(" "));
        if !unused.is_empty() {
            out.field(unused, "unused", "");
        }
        Ok(())
    }

    // cbh2 §4.1 "Header and record"
    fn dump_frame(
        &self,
        framed: &Framed,
        file: &'static str,
        state: &State,
        each: &mut dyn FnMut(Field),
        content: impl FnOnce(&State, &mut FieldWriter<'_>),
    ) -> Result<(), Error> {
        let offset = framed.at.offset.unwrap_or(0);
        let Some(source) = self.parts.get(file) else { return Ok(()) };
        let mut start = [0; FRAME_START];
        source.read_full(offset, &mut start).map_err(Error::io(framed.at))?;
        let mut out = FieldWriter::new(file, offset, each);
        let frame = parse_frame(&start).unwrap_or(framed.frame);
        let fields = [
            ("mark", 8, String::new()),
            ("size", 4, frame.size.to_string()),
            ("spare", 4, frame.spare.to_string()),
            ("checksum", 8, format!("{:016x}", frame.checksum)),
            ("tag", 2, String::new()),
        ];
        out.fields(&start, fields);
        content(state, &mut out);
        if framed.missing > 0 {
            return Ok(());
        }
        let at = framed.at.at(out.offset());
        let mut end = Vec::new();
        let spare = usize::try_from(frame.spare).unwrap_or(usize::MAX);
        source.read_into(out.offset(), spare.saturating_add(8), &mut end).map_err(Error::io(at))?;
        let (spare, size) = end.split_at_checked(spare).unwrap_or((&end, &[]));
        if !spare.is_empty() {
            out.field(spare, "unused", "");
        }
        out.field(size, "whole size", signed(size).to_string());
        Ok(())
    }

    // cbh2 §5.1 "Record"
    fn dump_blocks(&self, notes: &[u8], out: &mut FieldWriter<'_>) {
        let mut rest = notes;
        let mut left = 0u32;
        while !rest.is_empty() {
            let (name, size, value) = if left == 0 {
                let position = rest.first_chunk().map(|bytes| i32::from_le_bytes(*bytes));
                let count = rest.get(4..).and_then(<[u8]>::first_chunk);
                match (position, count) {
                    (Some(BLOCKS_END), _) => ("end", 4, String::new()),
                    (Some(position), Some(count)) => {
                        left = u32::try_from(i32::from_le_bytes(*count)).unwrap_or(0);
                        let place = match position {
                            -1 => "the game".to_owned(),
                            position => format!("move {}", position.saturating_add(1)),
                        };
                        ("block", 8, format!("{place}, {left} annotations"))
                    }
                    _ => ("cut", rest.len(), String::new()),
                }
            } else {
                left = left.saturating_sub(1);
                match rest.split_first_chunk::<2>() {
                    Some(([kind, 0], data)) => match size_of(*kind, data) {
                        Some(size) => {
                            let data = data.get(..size).unwrap_or_default();
                            let value = self.annotation(*kind, data);
                            ("annotation", size.saturating_add(2), value)
                        }
                        None => ("rest", rest.len(), String::new()),
                    },
                    _ => ("rest", rest.len(), String::new()),
                }
            };
            let (field, after) = rest.split_at_checked(size).unwrap_or((rest, &[]));
            out.field(field, name, value);
            rest = after;
        }
    }

    fn annotation(&self, kind: u8, data: &[u8]) -> String {
        let mut value = format!("type {kind:02x}, ");
        let parts = Dialect::Modern.text_of(data);
        match (kind, parts) {
            (item::TEXT_AFTER | item::TEXT_BEFORE, Some(parts)) => {
                let letters = text::decode(parts.bytes, &self.text);
                value.push_str(&format!("language {}, {letters:?}", parts.language));
            }
            _ => push_command(Dialect::Modern, kind, data, &mut value),
        }
        value
    }
}

/// Returns the value of little-endian bytes, with their sign.
fn signed(bytes: &[u8]) -> i64 {
    let negative = bytes.last().is_some_and(|last| *last >= 0x80);
    let mut value = [if negative { 0xff } else { 0 }; 8];
    value.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
    i64::from_le_bytes(value)
}

// cbh2 §4.2 "Words"
fn dump_words(content: &[u8], out: &mut FieldWriter<'_>) {
    let moves = split_content(content, chess_store::Location::default());
    let offset = moves.map_or(content.len(), |content| content.offset);
    let table = super::words::table();
    let mut open = 1u32;
    for (index, bytes) in content.chunks(2).enumerate() {
        let found = bytes.try_into().map(u16::from_le_bytes).unwrap_or(0);
        let in_setup = index.saturating_mul(2) < offset;
        let (name, value) = match found {
            _ if open == 0 || bytes.len() < 2 => ("rest", String::new()),
            word::SETUP => ("start position", String::new()),
            word::MOVES => ("moves", String::new()),
            _ if in_setup => match piece_of(found) {
                Some((piece, square)) => ("piece", format!("{}{square}", piece.letter())),
                None => ("number", found.to_string()),
            },
            word::BRANCH => {
                open = open.saturating_add(1);
                ("branch", String::new())
            }
            word::END => {
                open = open.saturating_sub(1);
                ("end of line", String::new())
            }
            word::NULL => ("move", "--".to_owned()),
            _ => match table.get(found) {
                Some(named) => ("move", named.played.to_string()),
                None => ("move", "castling".to_owned()),
            },
        };
        out.field(bytes, name, value);
    }
}
