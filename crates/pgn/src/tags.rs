//! The tag section, read. pgn §3.2 "Tags"

use std::borrow::Cow;

use chess_core::{Header, TYPED_TAGS, Tags, TextDecoder, is_implied};

use crate::cursor::Cursor;
use crate::notes::Notes;
use crate::quirk::Quirk;
use crate::text::{decode_name, decode_value};

/// Among how many tags without a typed field the reader looks for double ones.
const DUPLICATES_SOUGHT: usize = 64;

/// Nearly all tag sections are shorter; their texts are seen to be UTF-8 all at once.
const SECTION: usize = 512;

/// A tag's name and value as they stand in the text, and the end of the tag.
#[derive(Clone, Copy)]
struct RawTag<'a> {
    name: &'a [u8],
    /// Its place in [`TYPED_TAGS`], if it is one of them.
    place: Option<usize>,
    value: &'a [u8],
    /// The value, if it is known to be text as it stands.
    text: Option<&'a str>,
    end: usize,
    /// Whether there may be a backslash in the value.
    escaped: bool,
    quirk: Option<Quirk>,
}

/// What a tag section said that the header does not hold.
#[derive(Debug, Default)]
pub(crate) struct Section {
    pub(crate) any: bool,
    /// Typed tags met, by their place in [`TYPED_TAGS`].
    seen: u16,
    /// Whether the last tag was `FEN`, or one it implies.
    after_fen: bool,
    /// Whether a typed tag is spelt in its own way.
    spelt: bool,
    /// Whether there is a FEN tag without a value.
    empty_fen: bool,
}

const EVENT: usize = 0;
const RESULT: usize = 6;

impl Section {
    pub(crate) fn has_result(&self) -> bool {
        self.seen & 1 << RESULT != 0
    }
}

/// Whether a tag begins here: `[`, a name, a quote; on a line of its own, the quote may lack.
pub(crate) fn looks_like_tag(text: &[u8], line_start: bool) -> bool {
    let Some(rest) = text.strip_prefix(b"[") else { return false };
    let rest = skip_blanks(rest);
    let name = name_length(rest);
    let after = skip_blanks(rest.get(name..).unwrap_or_default());
    if name == 0 {
        return false;
    }
    match after.first() {
        Some(b'"') => true,
        _ if !line_start => false,
        Some(b']') => rest.first().is_some_and(u8::is_ascii_uppercase),
        _ => {
            let line = memchr::memchr2(b'\n', b'\r', after).and_then(|end| after.get(..end));
            let line = line.unwrap_or(after).trim_ascii_end();
            rest.first().is_some_and(u8::is_ascii_uppercase) && line.ends_with(b"]")
        }
    }
}

/// Whether a tag begins here that begins a game: it stands after an empty line, inside a comment
/// that nobody closed.
pub(crate) fn game_start_in(comment: &[u8], rest: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'[', comment).find(|&at| {
        let before = comment.get(..at).unwrap_or_default();
        let blank_line =
            before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n") || before.ends_with(b"\r\r");
        let tag = rest.get(at..).unwrap_or_default();
        blank_line && tag.get(1).is_some_and(u8::is_ascii_alphabetic) && looks_like_tag(tag, false)
    })
}

fn skip_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    text.get(blanks..).unwrap_or_default()
}

/// How long the name is that the text begins with; pgn names are short, 255 bytes at most.
fn name_length(text: &[u8]) -> usize {
    let name =
        |byte: &&u8| !matches!(byte, 0..=b' ' | b'"' | b'[' | b']' | b'{' | b'}' | b'%' | 0x7f);
    text.iter().take_while(name).count()
}

/// Reads the tags that begin at the cursor into the header. FEN comes back by itself; its text is
/// left in `fen`.
pub(crate) fn read_section(
    cursor: &mut Cursor<'_>,
    header: &mut Header,
    decoder: TextDecoder,
    notes: &mut Notes,
    scratch: &mut Vec<u8>,
    fen: &mut Option<String>,
) -> Section {
    let mut section = Section::default();
    let mut lines = 0usize;
    let mut name = Vec::new();
    let mut expected = EVENT;
    let start = cursor.at;
    let texts = decoder.utf8_prefix(cursor.rest().get(..SECTION).unwrap_or(cursor.rest()));
    loop {
        lines = lines.saturating_add(cursor.skip_white());
        let known = texts.get(cursor.at.saturating_sub(start)..).unwrap_or_default();
        let tag = match plain_tag(cursor.rest(), known, expected) {
            Some(tag) => tag,
            None if cursor.peek() == Some(b'%') && cursor.skip_hidden_line() => continue,
            None if looks_like_tag(cursor.rest(), cursor.at_line_start()) => {
                let mut tag = raw_tag(cursor.rest());
                if tag.name.contains(&b'\\') {
                    name.clear();
                    decode_name(tag.name, &mut name);
                    tag.name = &name;
                }
                RawTag { place: typed_place(tag.name), ..tag }
            }
            None => break,
        };
        expected = tag.place.map_or(expected, |place| place.saturating_add(1));
        if section.any && lines > 1 {
            let seen = |place: usize| place == EVENT || section.seen & 1 << place != 0;
            if tag.place.is_some_and(seen) {
                break;
            }
            notes.quirk(Quirk::BlankLineInTags, cursor.at);
        }
        cursor.hit_end |= tag.end >= cursor.rest().len();
        if let Some(quirk) = tag.quirk {
            notes.quirk(quirk, cursor.at);
        }
        section.take(&tag, cursor.at, header, decoder, notes, scratch, fen);
        cursor.advance(tag.end);
        lines = 0;
        section.any = true;
    }
    if section.empty_fen && fen.is_none() {
        header.tags.push("FEN", "");
    }
    if section.spelt {
        sort_spellings(header);
    }
    section
}

impl Section {
    #[allow(clippy::too_many_arguments, reason = "one caller, and each of them is its own thing")]
    fn take(
        &mut self,
        tag: &RawTag<'_>,
        at: usize,
        header: &mut Header,
        decoder: TextDecoder,
        notes: &mut Notes,
        scratch: &mut Vec<u8>,
        fen: &mut Option<String>,
    ) {
        let value: Cow<'_, str> = if tag.escaped {
            scratch.clear();
            decode_value(tag.value, scratch);
            decode(scratch, decoder, at, notes)
        } else {
            tag.text.map_or_else(|| decode(tag.value, decoder, at, notes), Cow::Borrowed)
        };
        if let Some(place) = tag.place {
            self.after_fen = false;
            if self.seen & 1 << place != 0 {
                notes.quirk(Quirk::DuplicateTag, at);
                return;
            }
            self.seen |= 1 << place;
            let before = header.tags.len();
            match place {
                EVENT => assign(&mut header.event, &value),
                1 => assign(&mut header.site, &value),
                3 => assign(&mut header.round, &value),
                4 => assign(&mut header.white, &value),
                5 => assign(&mut header.black, &value),
                _ => header.set(TYPED_TAGS.get(place).copied().unwrap_or_default(), &value),
            }
            self.spelt |= header.tags.len() != before;
            return;
        }
        let after_fen = std::mem::take(&mut self.after_fen);
        match tag.name {
            b"FEN" => self.take_fen(&value, at, notes, fen),
            // What follows from the FEN is written after it by our writer: pgn §3.2 "Tags".
            b"SetUp" if after_fen && is_implied("SetUp", &value) => self.after_fen = true,
            b"Variant" if after_fen && value == "Chess960" && implies_chess960(fen.as_deref()) => {
                self.after_fen = true;
            }
            name => self.take_other(name, &value, at, header, decoder, notes),
        }
    }

    fn take_fen(&mut self, value: &str, at: usize, notes: &mut Notes, fen: &mut Option<String>) {
        if fen.is_some() {
            notes.quirk(Quirk::DuplicateTag, at);
        } else if value.is_empty() {
            notes.quirk(Quirk::EmptyFen, at);
            self.empty_fen = true;
        } else {
            *fen = Some(value.to_owned());
            notes.fen_at = at;
            self.after_fen = true;
        }
    }

    fn take_other(
        &mut self,
        name: &[u8],
        value: &str,
        at: usize,
        header: &mut Header,
        decoder: TextDecoder,
        notes: &mut Notes,
    ) {
        let name = decode(name, decoder, at, notes);
        if header.tags.len() < DUPLICATES_SOUGHT && header.tags.get(&name).is_some() {
            notes.quirk(Quirk::DuplicateTag, at);
        }
        header.tags.push(&name, value);
    }
}

/// Whether a FEN lets a side castle as in Chess960.
fn implies_chess960(fen: Option<&str>) -> bool {
    let position = fen.and_then(|fen| chess_core::Position::from_fen(fen).ok());
    position.is_some_and(|position| crate::export::castles_as_chess960(&position))
}

/// Bytes as text, noting those that are not UTF-8.
pub(crate) fn decode<'a>(
    bytes: &'a [u8],
    decoder: TextDecoder,
    at: usize,
    notes: &mut Notes,
) -> Cow<'a, str> {
    let text = decoder.decode(bytes);
    if matches!(text, Cow::Owned(_)) {
        notes.quirk(Quirk::NotUtf8, at);
    }
    text
}

#[inline]
fn typed_place(name: &[u8]) -> Option<usize> {
    Some(match name {
        b"Event" => EVENT,
        b"Site" => 1,
        b"Date" => 2,
        b"Round" => 3,
        b"White" => 4,
        b"Black" => 5,
        b"Result" => RESULT,
        b"WhiteElo" => 7,
        b"BlackElo" => 8,
        b"ECO" => 9,
        b"EventDate" => 10,
        b"Deleted" => 11,
        _ => return None,
    })
}

/// Brings the spellings of typed tags before all other tags and in their own order, in which they
/// are written: so that what is written reads back equal.
fn sort_spellings(header: &mut Header) {
    let place = |name: &str| typed_place(name.as_bytes()).unwrap_or(TYPED_TAGS.len());
    let places = header.tags.iter().map(|(name, _)| place(name));
    if places.is_sorted() {
        return;
    }
    let mut tags: Vec<(&str, &str)> = header.tags.iter().collect();
    tags.sort_by_key(|(name, _)| place(name));
    let sorted: Tags = tags.into_iter().collect();
    header.tags = sorted;
}

fn assign(field: &mut String, value: &str) {
    field.clear();
    field.push_str(value);
}

/// Takes a tag apart as nearly all are written: `[Name "value"]` with nothing to escape. The names
/// come in the same order, nearly always: the `expected` one is tried first. `known` is as much of
/// the text as is known to be UTF-8.
#[allow(clippy::indexing_slicing, reason = "a byte is below 256")]
fn plain_tag<'a>(text: &'a [u8], known: &'a str, expected: usize) -> Option<RawTag<'a>> {
    let inside = text.strip_prefix(b"[")?;
    let likely = TYPED_TAGS.get(expected).map_or(0, |name| name.len());
    let (name, place) = match inside.split_at_checked(likely) {
        Some((name, [b' ', ..])) if typed_name(expected) == Some(name) => (name, Some(expected)),
        _ => {
            let length = inside.iter().position(|byte| !byte.is_ascii_alphanumeric())?;
            let name = inside.get(..length).filter(|name| !name.is_empty())?;
            (name, typed_place(name))
        }
    };
    let rest = inside.get(name.len()..)?.strip_prefix(b" \"")?;
    let length = rest.iter().position(|byte| VALUE_ENDS[usize::from(*byte)])?;
    let (value, rest) = rest.split_at_checked(length)?;
    if !rest.starts_with(b"\"]") {
        return None;
    }
    let start = name.len().saturating_add(3);
    let end = start.saturating_add(value.len());
    let text = known.get(start..end);
    let end = end.saturating_add(2);
    Some(RawTag { name, place, value, text, end, escaped: false, quirk: None })
}

/// What ends a plain value.
static VALUE_ENDS: [bool; 256] = value_ends();

#[allow(clippy::indexing_slicing, reason = "runs in the compiler only")]
const fn value_ends() -> [bool; 256] {
    let mut ends = [false; 256];
    let mut bytes: &[u8] = b"\"\\\n\r";
    while let [byte, others @ ..] = bytes {
        ends[*byte as usize] = true;
        bytes = others;
    }
    ends
}

fn typed_name(place: usize) -> Option<&'static [u8]> {
    TYPED_TAGS.get(place).map(|name| name.as_bytes())
}

/// Takes the tag apart that the text begins with; it [looks like one](looks_like_tag).
fn raw_tag(text: &[u8]) -> RawTag<'_> {
    let start = 1usize.saturating_add(blanks_at(text, 1));
    let name_end = start.saturating_add(name_length(text.get(start..).unwrap_or_default()));
    let name = text.get(start..name_end).unwrap_or_default();
    let open = name_end.saturating_add(blanks_at(text, name_end));
    let rest = text.get(open..).unwrap_or_default();
    let Some(value) = rest.strip_prefix(b"\"") else {
        return unquoted_tag(name, rest, open);
    };
    let value_start = open.saturating_add(1);
    let line_end = memchr::memchr2(b'\n', b'\r', value).unwrap_or(value.len());
    let line = value.get(..line_end).unwrap_or_default();
    let (value, length, quirk) = quoted_value(line);
    let end = value_start.saturating_add(length);
    RawTag { name, place: None, value, text: None, end, escaped: true, quirk }
}

fn blanks_at(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.len().saturating_sub(skip_blanks(rest).len())
}

fn unquoted_tag<'a>(name: &'a [u8], rest: &'a [u8], at: usize) -> RawTag<'a> {
    let end = memchr::memchr3(b']', b'\n', b'\r', rest).unwrap_or(rest.len());
    let value = rest.get(..end).unwrap_or_default().trim_ascii_end();
    let bracket = usize::from(rest.get(end) == Some(&b']'));
    let end = at.saturating_add(end).saturating_add(bracket);
    let quirk = Some(Quirk::UnquotedTag);
    RawTag { name, place: None, value, text: None, end, escaped: false, quirk }
}

/// The value that ends on this line: itself, the length with quote and bracket, what is odd.
fn quoted_value(line: &[u8]) -> (&[u8], usize, Option<Quirk>) {
    let mut at = 0usize;
    let mut quirk = None;
    while let Some(found) = memchr::memchr2(b'"', b'\\', line.get(at..).unwrap_or_default()) {
        at = at.saturating_add(found);
        let rest = line.get(at..).unwrap_or_default();
        match rest {
            // A backslash before the last quote of the line ends the value, and is part of it.
            [b'\\', b'"', after @ ..] if !closes_line(after) => at = at.saturating_add(2),
            [b'\\', b'\\', ..] => at = at.saturating_add(2),
            [b'\\', ..] => {
                quirk = quirk.or_else(|| (!escapes(rest)).then_some(Quirk::TagQuoting));
                at = at.saturating_add(1);
            }
            [_, after @ ..] => {
                let blanks = after.len().saturating_sub(skip_blanks(after).len());
                if after.get(blanks) == Some(&b']') {
                    let value = line.get(..at).unwrap_or_default();
                    return (value, at.saturating_add(blanks).saturating_add(2), quirk);
                }
                if after.iter().all(u8::is_ascii_whitespace) {
                    let value = line.get(..at).unwrap_or_default();
                    return (value, line.len(), Some(Quirk::UnclosedTag));
                }
                quirk = Some(Quirk::TagQuoting);
                at = at.saturating_add(1);
            }
            [] => break,
        }
    }
    let value = line.trim_ascii_end();
    let value = value.strip_suffix(b"]").unwrap_or(value);
    (value, line.len(), Some(Quirk::UnclosedTag))
}

/// Whether a text is the bracket that closes a tag, and nothing more.
fn closes_line(text: &[u8]) -> bool {
    text.trim_ascii() == b"]"
}

/// Whether a backslash here is the beginning of an escape our writer makes.
fn escapes(text: &[u8]) -> bool {
    text.starts_with(b"\\x0a") || text.starts_with(b"\\x0d")
}
