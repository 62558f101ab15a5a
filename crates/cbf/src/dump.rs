//! Dumps every byte of a game as a named field.

use chess_core::{Game, Square, Token};
use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Field};

use crate::comments::{Comments, decode_text};
use crate::decode::Decoder;
use crate::error::Error;
use crate::finder::entry_location;
use crate::header::{Checksum, RecordHeader, parse_elo};
use crate::index::{entry_offset, parse_entry};
use crate::layout::{ENTRY_SIZE, HEADER_SIZE, SETUP_SIZE, mark};
use crate::place::Place;
use crate::record::Record;

/// Dumps the index entry of a game.
pub(crate) fn dump_entry<R: ReadAt>(
    cbi: &R,
    place: Place,
    each: &mut dyn FnMut(Field),
) -> Result<(), Error> {
    let offset = entry_offset(place.game);
    let mut bytes = [0; ENTRY_SIZE];
    let read = cbi.read_full(offset, &mut bytes);
    read.map_err(Error::io(entry_location(place.game)))?;
    let value = format!("byte {}", parse_entry(bytes, place.game));
    each(Field::new("cbi", offset, bytes, "entry", value));
    Ok(())
}

/// Emits fields one after the other from the start of a record.
struct Fields<'a> {
    masked: &'a [u8],
    place: Place,
    done: usize,
    each: &'a mut dyn FnMut(Field),
}

impl Fields<'_> {
    /// Emits the next `length` bytes as field `name`, or fewer if the file ends.
    fn next(&mut self, length: usize, name: &'static str, value: String) {
        let rest = self.masked.get(self.done..).unwrap_or_default();
        let bytes = rest.get(..length).unwrap_or(rest).to_vec();
        if bytes.is_empty() {
            return;
        }
        let offset = self.place.offset_of(self.done);
        self.done = self.done.saturating_add(bytes.len());
        (self.each)(Field::new("cbf", offset, bytes, name, value));
    }
}

/// Dumps the parts of a record in order. Bytes are masked, values are unmasked.
pub(crate) fn dump_record(
    masked: &[u8],
    place: Place,
    decoder: &Decoder,
    each: &mut dyn FnMut(Field),
) -> Result<(), Error> {
    let mut buffer = masked.to_vec();
    let record = Record::unmask(&mut buffer, place)?;
    let mut fields = Fields { masked, place, done: 0, each };
    dump_header(&record.header, &mut fields);
    debug_assert_eq!(fields.done, HEADER_SIZE, "the header's fields add up");
    for (text, name) in [(record.players(), "players"), (record.source(), "source")] {
        let value = format!("{:?}", decoder.page.decode(text));
        fields.next(text.len(), name, value);
    }
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let decoded = decoder.decode(&mut masked.to_vec(), place, &mut game, &mut diagnostics);
    dump_moves(&record, decoded.is_ok().then_some(&game), &mut fields);
    dump_comments(&record, decoder, &mut fields);
    if let Some(block) = record.setup() {
        dump_setup(block, &mut fields);
    }
    decoded
}

fn dump_header(header: &RecordHeader, fields: &mut Fields<'_>) {
    let elo = |byte| match parse_elo(byte) {
        Some(elo) => elo.to_string(),
        None => "none".to_owned(),
    };
    let (result, evaluation) = header.outcome();
    let eco = header.eco().map_or("none".to_owned(), |eco| eco.to_string());
    let check = match header.check() {
        Checksum::Public => "public",
        Checksum::Second => "second",
        Checksum::Foreign => "foreign",
    };
    fields.next(1, "year", header.date().to_string());
    fields.next(1, "result", format!("{result}, line evaluation {evaluation}"));
    fields.next(2, "moves_size", format!("{}: {} bytes", header.moves_size, header.moves_len()));
    fields.next(
        1,
        "players_size",
        format!("{:02x}: {} bytes", header.players, header.players_len()),
    );
    fields.next(1, "source_size", format!("{:02x}: {} bytes", header.source, header.source_len()));
    fields.next(2, "comments_size", format!("{} bytes", header.comments_size));
    fields.next(1, "white_elo", elo(header.white_elo));
    fields.next(1, "black_elo", elo(header.black_elo));
    fields.next(1, "flags_1", format!("{:08b}", header.flags_1));
    fields.next(1, "flags_2", format!("{:08b}, ECO {eco}", header.flags_2));
    fields.next(1, "move_count", header.move_count.to_string());
    fields.next(1, "checksum", format!("{:02x}: {check}", header.checksum));
}

/// Dumps one field per byte. Without a decoded `game` the values are move numbers only.
fn dump_moves(record: &Record<'_>, game: Option<&Game>, fields: &mut Fields<'_>) {
    let tokens = game.into_iter().flat_map(Game::tokens);
    let mut moves = tokens.filter_map(|token| match token {
        Token::Move(m) => Some(m.to_string()),
        _ => None,
    });
    for byte in record.moves() {
        let (name, value) = match *byte {
            mark::VARIATION => ("variation", "(".to_owned()),
            mark::END => ("end", ")".to_owned()),
            mark::STOP => ("stop", String::new()),
            byte => {
                let number = byte & mark::HIGHEST;
                let flag = if byte & mark::COMMENTED == 0 { "" } else { ", commented" };
                let m = moves.next().map_or(String::new(), |m| format!("{m}, "));
                ("move", format!("{m}number {number}{flag}"))
            }
        };
        fields.next(1, name, value);
    }
}

fn dump_comments(record: &Record<'_>, decoder: &Decoder, fields: &mut Fields<'_>) {
    let start = fields.done;
    for comment in Comments::new(record.comments()) {
        let border = start.saturating_add(comment.offset).saturating_sub(fields.done);
        fields.next(border, "comment_border", String::new());
        let mut text = String::new();
        decode_text(comment.text, decoder.page, &mut text);
        let [m, position, extra] = comment.codes;
        let value = format!("move {m}, position {position}, extra {extra}, {text:?}");
        fields.next(comment.bytes.len(), "comment", value);
    }
    let end = start.saturating_add(record.comments().len());
    fields.next(end.saturating_sub(fields.done), "comment_border", String::new());
}

fn dump_setup(block: &[u8; SETUP_SIZE], fields: &mut Fields<'_>) {
    let [squares @ .., number] = block;
    for (pair, square) in squares.iter().zip((0u8..).step_by(2)) {
        let square = Square::from_low_bits(square);
        fields.next(1, "squares", format!("{square} and right: {pair:02x}"));
    }
    fields.next(1, "move_number", u16::from(*number).saturating_add(1).to_string());
}
