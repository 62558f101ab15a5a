//! Converts a record's header and texts to a [`Header`] and back. cbf §9 "Tags"

use std::borrow::Cow;

use chess_core::{GameResult, Header, is_implied};
use chess_store::{Diagnostics, Encoding, Loss, LossKind, Losses};

use crate::error::Error;
use crate::header::{Checksum, RecordHeader, Spare, encode_elo, parse_elo};
use crate::layout::{LINE_EVALUATIONS, NAME_LIMIT, NO_YEAR, YEAR_BASE, flag, offset};
use crate::names::{
    SPACE, Source, decode_players, encode_players, is_round, join_players, join_source,
    same_but_blanks, split_players, split_source,
};
use crate::place::Place;
use crate::quirk::Quirk;

/// The annotator of the game.
pub const ANNOTATOR: &str = "Annotator";
/// The original player text, if it can be split in another way.
pub const PLAYERS: &str = "CbfPlayers";
/// Evaluation of a line: `+-`, `=`, ...; see docs/formats/cbf.md.
pub const LINE: &str = "CbfLine";
/// `1` for a marked game.
pub const MARKED: &str = "CbfMarked";
/// `1` if the version bit is set.
pub const VERSION: &str = "CbfVersion";
/// `second` or `foreign`; absent for public games. Not written back.
pub const CHECKSUM: &str = "CbfChecksum";
/// The result byte in hexadecimal, if some of its bits have no meaning.
pub const RESULT: &str = "CbfResult";
/// The bits without meaning of header bytes 4, 5, 10 and 11, in hexadecimal.
pub const SPARE: &str = "CbfSpare";

const OWN: [&str; 8] = [ANNOTATOR, PLAYERS, LINE, MARKED, VERSION, CHECKSUM, RESULT, SPARE];

/// Fills a header from a record's header and texts. `unused` holds the bits of the set-up's state
/// that its board does not allow.
pub(crate) fn fill_header(
    record: &RecordHeader,
    (players, source): (&[u8], &[u8]),
    page: Encoding,
    unused: Spare,
    into: &mut Header,
) {
    into.date = record.date();
    let (result, evaluation) = record.outcome();
    into.result = result;
    into.white_elo = parse_elo(record.white_elo);
    into.black_elo = parse_elo(record.black_elo);
    into.eco = record.eco();
    into.deleted = record.is_deleted();
    fill_source(&page.decode(source), into);
    fill_players(&decode_players(players, page), into);
    if let Some((_, name)) = LINE_EVALUATIONS.iter().find(|(code, _)| *code == evaluation) {
        into.tags.push(LINE, name);
    }
    for (set, name) in
        [(record.is_marked(), MARKED), (record.flags_2 & flag::VERSION != 0, VERSION)]
    {
        if set {
            into.tags.push(name, "1");
        }
    }
    if let Some(state) = record.check().tag() {
        into.tags.push(CHECKSUM, state);
    }
    if has_unused_result_bits(record) {
        into.tags.push(RESULT, &format!("{:02x}", record.result));
    }
    let mut spare = record.spare();
    for (bits, unused) in spare.iter_mut().zip(unused) {
        *bits |= unused;
    }
    if spare != [0; 4] {
        into.tags.push(SPARE, &format!("{:08x}", u32::from_be_bytes(spare)));
    }
}

/// Reports the quirks of a record's header.
pub(crate) fn note_oddities(
    record: &RecordHeader,
    place: Place,
    diagnostics: &mut Diagnostics,
) -> Result<(), Error> {
    if record.check() == Checksum::Foreign {
        diagnostics.note(Quirk::Checksum, place.byte(offset::CHECKSUM))?;
    }
    if has_unused_result_bits(record) {
        diagnostics.note(Quirk::ResultBits, place.byte(offset::RESULT))?;
    }
    if record.spare() != [0; 4] {
        diagnostics.note(Quirk::SpareBits, place.byte(offset::FLAGS_1))?;
    }
    if record.moves_size == 0 {
        diagnostics.note(Quirk::MovesSize, place.byte(offset::MOVES_SIZE))?;
    }
    Ok(())
}

/// Returns `true` if bit 6 or 7 of the result byte is set, or if a game with a result has an
/// evaluation.
fn has_unused_result_bits(record: &RecordHeader) -> bool {
    let (result, _) = record.outcome();
    record.result & 0xc0 != 0 || result != GameResult::Unknown && record.result > 2
}

fn assign(field: &mut String, value: Option<&str>) {
    if let Some(value) = value {
        field.clear();
        field.push_str(value);
    }
}

fn fill_players(text: &str, into: &mut Header) {
    let players = split_players(text);
    assign(&mut into.white, players.white);
    assign(&mut into.black, players.black);
    // Other spellings exist only for a text with two hyphens, or with one at its end.
    let plain = text.matches('-').count() <= 1 && !text.trim_end_matches(SPACE).ends_with('-');
    if players.ambiguous || !plain && !rejoins_players(text) {
        into.tags.push(PLAYERS, text);
    }
}

fn rejoins_players(text: &str) -> bool {
    let players = split_players(text);
    let mut joined = String::new();
    join_players(players.white, players.black, &mut joined);
    same_but_blanks(&joined, text)
}

fn fill_source(text: &str, into: &mut Header) {
    let source = split_source(text);
    assign(&mut into.event, source.event);
    assign(&mut into.round, source.round);
    if let Some(annotator) = source.annotator {
        into.tags.push(ANNOTATOR, annotator);
    }
}

/// Returns the trimmed value, or `None` if it is empty or `?`.
fn known(text: &str) -> Option<&str> {
    let text = text.trim_matches(SPACE);
    (text != "?" && !text.is_empty()).then_some(text)
}

/// Reports leading and trailing blanks as lost, since the format does not keep them.
fn report_blanks(header: &Header, losses: &mut Losses) {
    let annotator = header.tags.get(ANNOTATOR).unwrap_or("?");
    for (text, name) in [
        (header.white.as_str(), "White"),
        (header.black.as_str(), "Black"),
        (header.event.as_str(), "Event"),
        (annotator, ANNOTATOR),
    ] {
        if text.trim_matches(SPACE) != text || text.is_empty() {
            losses.push(Loss::new(LossKind::TextCut, format!("{name}: {text:?}")));
        }
    }
}

/// The buffers in which the two texts of a record are built.
pub(crate) struct Texts<'a> {
    pub(crate) page: Encoding,
    /// Scratch for one text at a time.
    pub(crate) text: &'a mut String,
    /// The encoded bytes of both texts.
    pub(crate) bytes: &'a mut Vec<u8>,
}

/// Encodes the tags to a record's header and its two texts. The caller fills in the section sizes,
/// move count, set-up and checksum. `has_setup` is `true` for a custom start position.
pub(crate) fn encode_tags(
    header: &Header,
    has_setup: bool,
    mut texts: Texts<'_>,
    losses: &mut Losses,
) -> RecordHeader {
    let mut record = RecordHeader::default();
    report_blanks(header, losses);
    players_text(header, texts.text, losses);
    record.players = put_text(&mut texts, encode_players, losses);
    source_text(header, texts.text, losses);
    record.source = put_text(&mut texts, encode_source, losses);
    put_date(header, &mut record, losses);
    put_result(header, &mut record, losses);
    for (elo, byte) in
        [(header.white_elo, &mut record.white_elo), (header.black_elo, &mut record.black_elo)]
    {
        if let Some(elo) = elo {
            let (stored, exact) = encode_elo(elo);
            *byte = stored;
            if !exact {
                losses.push(Loss::new(LossKind::Rating, elo.to_string()));
            }
        }
    }
    if let Some(eco) = header.eco
        && (has_setup || !record.set_eco(eco))
    {
        losses.push(Loss::new(LossKind::Eco, eco.to_string()));
    }
    put_flags(header, has_setup, &mut record, losses);
    let foreign = |(name, value): &(&str, &str)| !OWN.contains(name) && !is_implied(name, value);
    for (name, _) in header.tags.iter().filter(foreign) {
        losses.push(Loss::new(LossKind::Tag, name));
    }
    record
}

/// Appends the encoded bytes of a text, at most 63, and returns their number.
fn put_text(
    Texts { page, text, bytes }: &mut Texts<'_>,
    encode: impl Fn(&str, Encoding) -> (Cow<'_, [u8]>, bool),
    losses: &mut Losses,
) -> u8 {
    let (all, complete) = encode(text, *page);
    if !complete {
        losses.push(Loss::new(LossKind::Characters, text.as_str()));
    }
    if all.len() > NAME_LIMIT {
        losses.push(Loss::new(LossKind::TextCut, text.as_str()));
    }
    let kept = all.get(..NAME_LIMIT).unwrap_or(&all);
    bytes.extend_from_slice(kept);
    let [length, ..] = kept.len().to_le_bytes();
    length
}

fn encode_source(text: &str, page: Encoding) -> (Cow<'_, [u8]>, bool) {
    page.encode(text)
}

fn players_text(header: &Header, text: &mut String, losses: &mut Losses) {
    let (white, black) = (known(&header.white), known(&header.black));
    if let Some(whole) = header.tags.get(PLAYERS) {
        let read = split_players(whole);
        if (read.white, read.black) == (white, black) && whole.chars().count() <= NAME_LIMIT {
            text.clear();
            text.push_str(whole);
            return;
        }
        losses.push(Loss::new(LossKind::Tag, PLAYERS));
    }
    join_players(white, black, text);
    if text.chars().count() > NAME_LIMIT {
        let (white, black) = shortened(white, black);
        losses.push(Loss::new(LossKind::TextCut, text.as_str()));
        return join_players(white, black, text);
    }
    let read = split_players(text);
    for (read, wanted, name) in [(read.white, white, "White"), (read.black, black, "Black")] {
        if read != wanted {
            losses.push(Loss::new(LossKind::Tag, name));
        }
    }
}

/// Shortens two names to fit one text. Each may use half of it, or what the other leaves.
fn shortened<'a>(
    white: Option<&'a str>,
    black: Option<&'a str>,
) -> (Option<&'a str>, Option<&'a str>) {
    let room = NAME_LIMIT.saturating_sub(" - ".len());
    let length = |name: Option<&str>| name.map_or(0, |name| name.chars().count());
    let half = room / 2;
    let for_white = half.max(room.saturating_sub(length(black)));
    let for_black = room.saturating_sub(for_white.min(length(white)));
    (white.map(|name| cut(name, for_white)), black.map(|name| cut(name, for_black)))
}

/// Returns the first `letters` characters of a text without trailing blanks.
fn cut(text: &str, letters: usize) -> &str {
    let end = text.char_indices().nth(letters).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text).trim_end_matches(SPACE)
}

fn source_text(header: &Header, text: &mut String, losses: &mut Losses) {
    let (event, site) = (known(&header.event), known(&header.site));
    let mut source = Source {
        event: event.or(site),
        round: known(&header.round).filter(|round| is_round(round)),
        annotator: header.tags.get(ANNOTATOR).and_then(known),
    };
    if source.round != known(&header.round) {
        losses.push(Loss::new(LossKind::Round, header.round.as_str()));
    }
    // Event and site share one text, which does not distinguish them.
    let joined = match (event, site) {
        (Some(event), Some(site)) if event != site => Some(format!("{event}, {site}")),
        _ => None,
    };
    let whole = Source { event: joined.as_deref().or(source.event), ..source };
    join_source(whole, text);
    if let Some(site) = site {
        let is_moved = text.chars().count() <= NAME_LIMIT;
        let kind = if is_moved { LossKind::TagMoved } else { LossKind::Tag };
        losses.push(Loss::new(kind, format!("Site: {site}")));
    }
    if text.chars().count() > NAME_LIMIT {
        join_source(source, text);
    } else {
        source = whole;
    }
    if text.chars().count() > NAME_LIMIT && source.annotator.is_some() {
        source.annotator = None;
        losses.push(Loss::new(LossKind::Tag, ANNOTATOR));
        join_source(source, text);
    }
    if text.chars().count() > NAME_LIMIT {
        losses.push(Loss::new(LossKind::TextCut, text.as_str()));
        let rest = source.round.map_or(0, |round| round.len().saturating_add(" ()".len()));
        if rest >= NAME_LIMIT {
            source.round = None;
        }
        let room = NAME_LIMIT.saturating_sub(if source.round.is_some() { rest } else { 0 });
        source.event = source.event.map(|event| cut(event, room));
        join_source(source, text);
        return;
    }
    if split_source(text) != source {
        losses.push(Loss::new(LossKind::Tag, format!("Event: {text}")));
    }
}

fn put_date(header: &Header, record: &mut RecordHeader, losses: &mut Losses) {
    let (year, month, day) = header.date.parts();
    let stored = i32::from(year).checked_sub(i32::from(YEAR_BASE));
    let stored = stored.and_then(|year| i8::try_from(year).ok()).filter(|year| *year != NO_YEAR);
    record.year = if year == 0 { NO_YEAR } else { stored.unwrap_or(NO_YEAR) };
    if year != 0 && stored.is_none() || month != 0 || day != 0 {
        losses.push(Loss::new(LossKind::Date, header.date.to_string()));
    }
    if let Some(date) = header.event_date {
        losses.push(Loss::new(LossKind::Date, format!("EventDate {date}")));
    }
}

fn put_result(header: &Header, record: &mut RecordHeader, losses: &mut Losses) {
    record.result = match header.result {
        GameResult::Black => 0,
        GameResult::Draw => 1,
        GameResult::White => 2,
        GameResult::Unknown => 3,
    };
    if let Some(name) = header.tags.get(LINE) {
        match LINE_EVALUATIONS.iter().find(|(_, known)| *known == name) {
            Some((code, _)) if header.result == GameResult::Unknown => record.result |= code << 2,
            _ => losses.push(Loss::new(LossKind::Tag, LINE)),
        }
    }
    if let Some(byte) = header.tags.get(RESULT) {
        match u8::from_str_radix(byte, 16) {
            Ok(byte) if byte & 3 == record.result & 3 => record.result = byte,
            _ => losses.push(Loss::new(LossKind::Tag, RESULT)),
        }
    }
}

fn put_flags(header: &Header, has_setup: bool, record: &mut RecordHeader, losses: &mut Losses) {
    if header.deleted {
        record.flags_1 |= flag::DELETED;
    }
    for (name, byte, bit) in
        [(MARKED, &mut record.flags_1, flag::MARKED), (VERSION, &mut record.flags_2, flag::VERSION)]
    {
        match header.tags.get(name) {
            Some("1") => *byte |= bit,
            Some(_) => losses.push(Loss::new(LossKind::Flag, name)),
            None => {}
        }
    }
    if let Some(state) = header.tags.get(CHECKSUM) {
        losses.push(Loss::new(LossKind::Flag, format!("{CHECKSUM} {state}")));
    }
    if let Some(hex) = header.tags.get(SPARE) {
        let mut with = *record;
        let spare = u32::from_str_radix(hex, 16).unwrap_or(0).to_be_bytes();
        if has_setup {
            with.flags_1 |= flag::SETUP;
        }
        with.set_spare(spare);
        let fits = spare != [0; 4] && (has_setup || with.spare() == spare);
        if fits {
            record.set_spare(spare);
        } else {
            losses.push(Loss::new(LossKind::Tag, SPARE));
        }
    }
}
