//! Naming every byte of a game.

use chess_core::io::ReadAt;
use chess_core::seam::Field;
use chess_core::{Diagnostics, Game, Square};

use crate::comments::{Comments, decode_text};
use crate::decode::Decoder;
use crate::error::{Error, io_error};
use crate::finder::entry_location;
use crate::header::{Checksum, RecordHeader, parse_elo};
use crate::index::read_entry;
use crate::layout::{HEADER_SIZE, SETUP_SIZE, mark};
use crate::place::Place;
use crate::record::Record;

/// The index entry of a game.
pub(crate) fn dump_entry<R: ReadAt>(
    cbi: &R,
    place: Place,
    each: &mut dyn FnMut(Field),
) -> Result<(), Error> {
    let at = entry_location(place.game);
    let offset = at.offset.unwrap_or(0);
    let mut bytes = [0; 4];
    cbi.read_full(offset, &mut bytes).map_err(io_error(at))?;
    let target = read_entry(cbi, place.game).map_err(io_error(at))?;
    each(Field {
        file: "cbi",
        offset,
        bytes: bytes.to_vec(),
        name: "entry",
        value: target.map_or(String::new(), |target| format!("byte {target}")),
    });
    Ok(())
}

/// Hands fields on, one after the other from the start of a record.
struct Fields<'a> {
    masked: &'a [u8],
    place: Place,
    done: usize,
    each: &'a mut dyn FnMut(Field),
}

impl Fields<'_> {
    /// The next bytes under a name; fewer if the file ends.
    fn next(&mut self, length: usize, name: &'static str, value: String) {
        let rest = self.masked.get(self.done..).unwrap_or_default();
        let bytes = rest.get(..length).unwrap_or(rest).to_vec();
        if bytes.is_empty() {
            return;
        }
        let offset = self.place.byte(self.done).offset.unwrap_or(0);
        self.done = self.done.saturating_add(bytes.len());
        (self.each)(Field { file: "cbf", offset, bytes, name, value });
    }
}

/// The parts of a record in their order, values without masks.
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
    dump_moves(&record, masked, place, decoder, &mut fields);
    dump_comments(&record, decoder, &mut fields);
    if let Some(block) = record.setup() {
        dump_setup(block, &mut fields);
    }
    let mut scratch = Game::new();
    let mut copy = masked.to_vec();
    decoder.decode(&mut copy, place, &mut scratch, &mut Diagnostics::lenient())
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

/// One field a byte. The moves are those the decoder finds; a line it gives up has numbers only.
fn dump_moves(
    record: &Record<'_>,
    masked: &[u8],
    place: Place,
    decoder: &Decoder,
    fields: &mut Fields<'_>,
) {
    let mut game = Game::new();
    let mut copy = masked.to_vec();
    // Its damage is reported after the last field.
    let decoded = decoder.decode(&mut copy, place, &mut game, &mut Diagnostics::lenient());
    let mut moves = game.tokens().filter_map(|token| match token {
        chess_core::Token::Move(m) => Some(m.to_string()),
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
                let m = if decoded.is_ok() { moves.next() } else { None };
                let m = m.map_or(String::new(), |m| format!("{m}, "));
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
