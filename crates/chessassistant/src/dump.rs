//! Describes every byte of a game.

use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Field, FieldWriter, Location};

use crate::board::Board;
use crate::codes::{code_size, container_size};
use crate::comment::{Meaning, meaning, put_raw};
use crate::database::{Database, State};
use crate::date::decode_date;
use crate::decode::Decoder;
use crate::error::Error;
use crate::layout::{
    ASSESSMENTS, BRANCH_BEGIN, BRANCH_END, CASTLE_LONG, CASTLE_SHORT, COMMENT, EN_PASSANT,
    EXTENDED, EXTENDED_LAST, LONG_COMMENT, MAX_REDIRECTS, NO_ECO, NULL_MOVE, PROMOTION, SETUP,
    SYMBOL, UNKNOWN_233, game_type_name,
};
use crate::names::NameKind;
use crate::row::{FIELDS, Row, row_offset};

impl<R: ReadAt> Database<R> {
    /// Describes every byte of a game: its row, the addresses of its record, its names, and the
    /// codes of its record.
    pub(crate) fn dump(
        &self,
        state: &mut State,
        game: u64,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Error> {
        let row = self.row(state, game)?;
        self.dump_row(game, &row, each);
        self.dump_names(&row, each);
        self.dump_addresses(state, &row, each)?;
        let record = self.record(state, game, &row)?;
        let codes = record.codes(&state.record);
        each(Field::new(
            "d02",
            record.offset,
            state.record.get(..record.prefix).unwrap_or_default(),
            "length",
            format!("{} bytes", record.length),
        ));
        let at = Location::file("d02").at(record.codes_at()).in_game(game);
        let mut decoder = Decoder::new(self.encoding(), self.check.chosen);
        dump_codes(codes, at, &mut decoder, each)?;
        record.check_whole(codes, game)
    }

    fn dump_row(&self, game: u64, row: &Row, each: &mut dyn FnMut(Field)) {
        let fields = FIELDS.map(|(name, width)| (name, width, self.row_value(name, row)));
        FieldWriter::new("d00", row_offset(game), each).fields(&row.encode(), fields);
    }

    fn row_value(&self, name: &str, row: &Row) -> String {
        let named = |kind, id| match self.table(kind).and_then(|table| table.get(id).ok()) {
            Some(name) => format!("{id} {:?}", self.text(name.name)),
            None => format!("{id}, no name"),
        };
        match name {
            "white" => named(NameKind::Players, row.white),
            "black" => named(NameKind::Players, row.black),
            "annotator" => named(NameKind::Players, row.annotator),
            "event" => named(NameKind::Events, row.event),
            "place" => named(NameKind::Places, row.place),
            "source" => named(NameKind::Sources, row.source),
            "white elo" => row.white_elo.to_string(),
            "black elo" => row.black_elo.to_string(),
            "outcome" => match row.outcome {
                1 => "1/2-1/2".to_owned(),
                2 => "1-0".to_owned(),
                3 => "0-1".to_owned(),
                4 => "*".to_owned(),
                other => match ASSESSMENTS.get(usize::from(other.wrapping_sub(5))) {
                    Some(text) => (*text).to_owned(),
                    None => "unknown".to_owned(),
                },
            },
            "date" => decode_date(row.date).map_or("none".to_owned(), |date| date.to_string()),
            "game type" => match game_type_name(row.game_type) {
                Some(name) => format!("{}, {name}", row.game_type),
                None => row.game_type.to_string(),
            },
            "game id" => row.game_id.to_string(),
            "round * 2" => format!("round {}", row.round >> 1),
            "eco" if row.eco < NO_ECO => {
                chess_core::Eco::new(row.eco).map_or(String::new(), |eco| eco.to_string())
            }
            "eco" => "none".to_owned(),
            _ => String::new(),
        }
    }

    fn dump_names(&self, row: &Row, each: &mut dyn FnMut(Field)) {
        for (kind, id, name) in [
            (NameKind::Players, row.white, "name of white"),
            (NameKind::Players, row.black, "name of black"),
            (NameKind::Events, row.event, "name of the event"),
            (NameKind::Places, row.place, "name of the place"),
            (NameKind::Players, row.annotator, "name of the annotator"),
            (NameKind::Sources, row.source, "name of the source"),
        ] {
            let Some(table) = self.table(kind) else { continue };
            let Some((offset, bytes)) = table.raw_record(id) else { continue };
            let text = table.get(id).map(|found| self.text(found.name)).unwrap_or_default();
            let value = format!("{text:?}");
            each(Field::new("emb", offset, bytes, name, value));
        }
    }

    fn dump_addresses(
        &self,
        state: &State,
        row: &Row,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Error> {
        let a02 = state.a02.cached(&self.a02);
        let mut id = u64::from(row.game_id);
        for _ in 0..MAX_REDIRECTS {
            let offset = id.saturating_mul(4);
            let mut bytes = [0; 4];
            let place = Location::file("a02").at(offset);
            if a02.read_full(offset, &mut bytes).map_err(Error::io(place))? < 4 {
                // The record cannot be found; reading the game reports it.
                return Ok(());
            }
            let entry = i32::from_le_bytes(bytes);
            let redirect = entry < 0;
            let to = entry.unsigned_abs();
            each(Field::new(
                "a02",
                offset,
                bytes,
                if redirect { "redirect" } else { "address" },
                if redirect { format!("see id {to}") } else { format!("byte {to}") },
            ));
            if !redirect {
                return Ok(());
            }
            id = u64::from(to);
        }
        Ok(())
    }
}

/// Describes the codes in stored order. Moves are played on a board, which is saved at the start of
/// a branch and restored at its end.
fn dump_codes(
    mut codes: &[u8],
    at: Location,
    decoder: &mut Decoder,
    each: &mut dyn FnMut(Field),
) -> Result<(), Error> {
    let mut out = FieldWriter::new("d02", at.offset.unwrap_or(0), each);
    let mut board = Some(Board::start());
    let mut outer = Vec::new();
    while let Some(code) = codes.first().copied() {
        let size = code_size(codes).map_err(|kind| Error::new(kind, at.at(out.offset())))?;
        let (bytes, rest) = codes.split_at_checked(size).unwrap_or((codes, &[]));
        let (name, value) = match code {
            SETUP => {
                let block = bytes.get(1..).unwrap_or_default();
                let mut discarded = Diagnostics::lenient();
                let decoded =
                    crate::setup::decode_setup(block, Location::default(), &mut discarded);
                board = decoded.as_ref().ok().map(|(board, _)| *board);
                let fen = decoded.map(|(_, position)| position.to_fen());
                ("start position", fen.unwrap_or_else(|error| error.to_string()))
            }
            BRANCH_BEGIN => {
                outer.push(board);
                ("branch begins", String::new())
            }
            BRANCH_END => {
                board = outer.pop().unwrap_or(board);
                ("branch ends", String::new())
            }
            EN_PASSANT => ("en passant marker", String::new()),
            UNKNOWN_233 => ("unknown_233", String::new()),
            SYMBOL | COMMENT | LONG_COMMENT => {
                let content = bytes.get(container_size(code)..).unwrap_or_default();
                ("comment", comment_value(content))
            }
            _ => {
                let played = board.as_mut().and_then(|board| decoder.describe_move(bytes, board));
                if played.is_none() {
                    board = None;
                }
                (move_name(code), played.unwrap_or_else(|| "not possible here".to_owned()))
            }
        };
        out.field(bytes, name, value);
        codes = rest;
    }
    Ok(())
}

fn move_name(code: u8) -> &'static str {
    match code {
        CASTLE_LONG | CASTLE_SHORT => "castling",
        PROMOTION => "promotion",
        NULL_MOVE => "null move",
        EXTENDED..=EXTENDED_LAST => "extended move",
        _ => "move",
    }
}

fn comment_value(content: &[u8]) -> String {
    let Some((kind, rest)) = content.split_first() else { return "empty".to_owned() };
    match meaning(*kind, rest) {
        Meaning::Text { text, before } => {
            let place = if before { "before" } else { "after" };
            format!("text {place}: {:?}", String::from_utf8_lossy(text))
        }
        Meaning::Symbol { nag, before } => {
            format!("symbol {}: ${nag}", if before { "before" } else { "after" })
        }
        Meaning::Diagram { before } => {
            format!("diagram {}", if before { "before" } else { "after" })
        }
        Meaning::Eval { centipawns, cap } => {
            format!("evaluation: {centipawns}{}", if cap { " CAP" } else { "" })
        }
        Meaning::Raw(kind, content) => {
            let mut text = String::new();
            put_raw(kind, content, &mut text);
            text
        }
    }
}
