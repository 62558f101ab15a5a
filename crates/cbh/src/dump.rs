//! Annotated dump of every byte of a game.

use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Field, FieldWriter, Location};

use crate::annotations::command::push_command;
use crate::annotations::dialect::Dialect;
use crate::annotations::items::parse_item;
use crate::annotations::text;
use crate::database::{Database, Decoded, State};
use crate::entities::file::EntityFile;
use crate::error::Error;
use crate::header::{GameRecord, parse_date};
use crate::layout::{ANNOTATIONS_HEADER, ENTITY_LINKS, ITEM_HEADER, RECORD_SIZE, item};
use crate::moves::codes;
use crate::record::RECORD_HEADER;
use crate::setup;
use crate::tags::{describe_eco, describe_result};

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
        dump_record(&raw.record, FieldWriter::new("cbh", offset, each));
        let names = &self.names;
        for (file, id, name) in [
            (&names.players, raw.record.white, "white"),
            (&names.players, raw.record.black, "black"),
            (&names.tournaments, raw.record.tournament, "tournament"),
            (&names.annotators, raw.record.annotator, "annotator"),
            (&names.sources, raw.record.source, "source"),
        ] {
            self.dump_name(file, id, name, each);
        }
        for (file, id, name) in [
            (&names.teams, raw.extended.white_team, "white team"),
            (&names.teams, raw.extended.black_team, "black team"),
            (&names.tags, raw.extended.tag, "title"),
        ] {
            if let Some(id) = id {
                self.dump_name(file, id, name, each);
            }
        }
        let (mut decoded, mut diagnostics) = (None, Diagnostics::lenient());
        let result = self.decode_tree(state, &raw, &mut decoded, &mut diagnostics);
        if let Some(decoded) = decoded {
            dump_moves(state, decoded, FieldWriter::new("cbg", raw.moves(), each));
        }
        let read = self.read_annotations(state, &raw, &mut diagnostics);
        if raw.annotations() != 0 && self.parts.cba.is_some() {
            self.dump_annotations(state, FieldWriter::new("cba", raw.annotations(), each));
        }
        result.and(read)
    }

    // cbh §6.1 "File and tree"
    fn dump_name(
        &self,
        file: &EntityFile,
        id: u32,
        name: &'static str,
        each: &mut dyn FnMut(Field),
    ) {
        let Some(record) = file.record(id) else { return };
        let Location { file: extension, offset, .. } = file.place(id);
        let mut out = FieldWriter::new(extension, offset.unwrap_or(0), each);
        let (links, data) = record.split_at_checked(ENTITY_LINKS).unwrap_or_default();
        let tree = file.links(id).map(|links| {
            format!("left {}, right {}, balance {}", links.left, links.right, links.balance)
        });
        out.field(links, "links", tree.unwrap_or_default());
        let (fields, counts) =
            data.split_at_checked(data.len().saturating_sub(8)).unwrap_or_default();
        let texts: Vec<_> = fields
            .split(|byte| *byte == 0)
            .filter(|text| text.len() > 1)
            .map(|text| format!("{:?}", self.text.decode(text)))
            .collect();
        out.field(fields, name, texts.join(" "));
        let (references, first) = file.counts(id).unwrap_or_default();
        out.field(counts, "counts", format!("{references} references, first game {first}"));
    }

    // cbh §5.1 "Record"
    fn dump_annotations(&self, state: &State, mut out: FieldWriter<'_>) {
        let Some((header, mut rest)) = state.notes.split_at_checked(ANNOTATIONS_HEADER) else {
            return out.field(&state.notes, "annotations", "cut");
        };
        let (game, others) = header.split_at_checked(3).unwrap_or_default();
        let (mark, others) = others.split_at_checked(4).unwrap_or_default();
        let (count, size) = others.split_at_checked(3).unwrap_or_default();
        out.field(game, "game", number(game));
        out.field(mark, "mark", "");
        out.field(count, "count", format!("{} and 1", number(count)));
        out.field(size, "size", number(size));
        while let Some((found, after)) = parse_item(rest) {
            let size = rest.len().saturating_sub(after.len());
            let (bytes, _) = rest.split_at_checked(size).unwrap_or_default();
            let (start, data) = bytes.split_at_checked(ITEM_HEADER).unwrap_or_default();
            let place = match found.position {
                -1 => "the game".to_owned(),
                position => format!("move {}", position.saturating_add(1)),
            };
            out.field(
                start,
                "item",
                format!("{place}, type {:02x}, {} bytes", found.kind, bytes.len()),
            );
            let mut value = String::new();
            match (found.kind, data) {
                (item::TEXT_AFTER | item::TEXT_BEFORE, [_, language, letters @ ..]) => {
                    value = format!("language {language}, {:?}", text::decode(letters, &self.text));
                }
                _ => push_command(Dialect::Classic, found.kind, data, &mut value),
            }
            out.field(data, "data", value);
            rest = after;
        }
        if !rest.is_empty() {
            out.field(rest, "cut", "");
        }
    }
}

/// Returns the value of big-endian bytes.
fn number(bytes: &[u8]) -> String {
    bytes.iter().fold(0u64, |value, byte| value << 8 | u64::from(*byte)).to_string()
}

// cbh §3.2 "Game record"
fn dump_record(record: &GameRecord, mut out: FieldWriter<'_>) {
    let bytes = record.encode();
    let date = parse_date(record.date).0.to_string();
    let fields: [(&'static str, usize, String); 20] = [
        ("type", 1, if record.is_deleted() { "deleted".into() } else { String::new() }),
        ("moves", 4, record.moves.to_string()),
        ("annotations", 4, record.annotations.to_string()),
        ("white", 3, record.white.to_string()),
        ("black", 3, record.black.to_string()),
        ("tournament", 3, record.tournament.to_string()),
        ("annotator", 3, record.annotator.to_string()),
        ("source", 3, record.source.to_string()),
        ("date", 3, date),
        ("result", 1, describe_result(record.result)),
        ("evaluation", 1, record.evaluation.to_string()),
        ("round", 1, record.round.to_string()),
        ("subround", 1, record.subround.to_string()),
        ("white elo", 2, record.white_elo.to_string()),
        ("black elo", 2, record.black_elo.to_string()),
        ("eco", 2, describe_eco(record.eco)),
        ("medals", 2, format!("{:#06x}", record.medals)),
        ("flags", 4, format!("{:#010x}", record.flags)),
        ("magnitudes", 2, format!("{:#06x}", record.magnitudes)),
        ("length", 1, format!("{} moves", record.length)),
    ];
    debug_assert_eq!(fields.iter().map(|field| field.1).sum::<usize>(), RECORD_SIZE);
    out.fields(&bytes, fields);
}

// cbh §4.1 "Header and record"
fn dump_moves(state: &State, decoded: Decoded, mut out: FieldWriter<'_>) {
    let bytes = state.record.as_slice();
    let (header, mut rest) = bytes.split_at_checked(RECORD_HEADER).unwrap_or((bytes, &[]));
    let (flags, size) = header.split_at_checked(1).unwrap_or_default();
    out.field(flags, "flags", format!("mode {}", decoded.mode.number));
    out.field(size, "size", number(size));
    if let Some(start) = decoded.start {
        let setup = setup::size(decoded.mode.is_chess960());
        let (setup, after) = rest.split_at_checked(setup).unwrap_or((rest, &[]));
        out.field(setup, "start position", start.to_fen());
        rest = after;
    }
    // The tree holds the moves in byte order.
    let (mut node, mut open) = (0u32, 1u32);
    while let Some(byte) = rest.first().filter(|_| open > 0) {
        // The modes count moves modulo 256.
        let count = u8::try_from(node & 0xff).unwrap_or(0);
        let code = decoded.mode.decode(*byte, count);
        let (name, size, moves) = match code {
            _ if decoded.mode.simple => ("move", 2, true),
            Some(codes::BRANCH) => ("branch", 1, false),
            Some(codes::END) => ("end of line", 1, false),
            Some(codes::WORD) => ("move", 3, true),
            Some(codes::IGNORED..=253) => ("ignored", 1, false),
            _ => ("move", 1, true),
        };
        match name {
            "branch" => open = open.saturating_add(1),
            "end of line" => open = open.saturating_sub(1),
            _ => {}
        }
        if moves {
            node = node.saturating_add(1);
        }
        let Some(played) = state.tree.get(node).filter(|_| rest.len() >= size) else { break };
        let (field, after) = rest.split_at_checked(size).unwrap_or((rest, &[]));
        out.field(field, name, if moves { played.to_string() } else { String::new() });
        rest = after;
    }
    if !rest.is_empty() {
        out.field(rest, "rest", "");
    }
}
