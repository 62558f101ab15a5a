//! Reads the tag section. pgn §3.2 "Tags"

mod raw;
mod typed;

use std::borrow::Cow;
use std::ops::Range;

use chess_core::{
    Date, Game, Header, RESULT_SPELLING_TAG, TYPED_TAGS, Tags, exceeds_move_numbers, is_implied,
    names_castling_files,
};
use chess_store::TextDecoder;

use crate::cursor::{CommentEnd, Cursor, invisible};
use crate::known_text::KnownText;
use crate::notes::Notes;
use crate::quirk::Quirk;
use crate::text::{decode_name, decode_value};
use raw::{RawTag, plain_tag, raw_tag};
use typed::{Typed, TypedSet};

pub(crate) use raw::{broken_tag, looks_like_tag, tag_after_empty_line, tag_begins};

/// The number of tags without a typed field that are checked for duplicates.
const DUPLICATES_SOUGHT: usize = 64;

/// The number of repeated typed tags that replace earlier values.
const MAX_REPLACED: usize = 64;

/// The number of tags of lookahead to detect the tag section of another game.
const LOOKAHEAD: usize = 32;

/// The number of comments and signs that are passed over between two tags.
const MAX_BETWEEN: usize = 32;

/// The facts of a tag section that the header does not hold.
#[derive(Debug, Default)]
pub(crate) struct Section {
    pub(crate) any: bool,
    /// The start position, and the place of its tag.
    pub(crate) fen: Option<String>,
    pub(crate) fen_at: usize,
    /// Whether a tag `Variant "Chess960"` after the FEN was dropped, although the FEN alone does
    /// not imply it.
    pub(crate) chess960_by_tag: bool,
    /// Whether the result is missing, or not in the standard spelling.
    pub(crate) result_spelt: bool,
    seen: TypedSet,
    /// Whether there is a tag other than `FEN` and the tags it implies.
    more_than_start: bool,
    replaced: usize,
    /// Whether the last tag was `FEN`, or a tag it implies.
    after_fen: bool,
    /// Whether a typed tag has a non-standard spelling.
    pub(crate) spelt: bool,
    /// Whether there is a FEN tag without a value.
    empty_fen: bool,
    /// The comments between the tags.
    pub(crate) comments: Vec<Range<usize>>,
}

impl Section {
    pub(crate) fn has_result(&self) -> bool {
        self.seen.contains(Typed::Result)
    }

    /// Returns whether the section already has a tag with this name.
    #[inline]
    fn has(&self, tag: &RawTag<'_>, header: &Header) -> bool {
        match (tag.typed, tag.name) {
            (Some(typed), _) => self.seen.contains(typed),
            (None, b"FEN") => self.fen.is_some() || self.empty_fen,
            (None, name) => {
                let tags = &header.tags;
                tags.len() < DUPLICATES_SOUGHT
                    && match tag.name_text {
                        Some(name) => tags.get(name).is_some(),
                        None => tags.iter().any(|(other, _)| other.as_bytes() == name),
                    }
            }
        }
    }
}

/// Reads the tags that begin at the cursor into the header.
pub(crate) fn read_section<'t>(
    cursor: &mut Cursor<'t>,
    texts: &mut KnownText<'t>,
    header: &mut Header,
    decoder: TextDecoder,
    notes: &mut Notes,
    scratch: &mut Vec<u8>,
) -> Section {
    let mut reader = SectionReader { section: Section::default(), header, decoder, notes };
    let mut lines = 0usize;
    let mut name = Vec::new();
    let mut expected = Some(Typed::Event);
    loop {
        lines = lines.saturating_add(cursor.skip_white());
        let tag = match plain_tag(cursor, texts, expected) {
            Some(tag) => tag,
            None if cursor.peek() == Some(b'%') && cursor.skip_hidden_line() => continue,
            None => match odd_tag(cursor, &mut name) {
                Some(tag) => tag,
                None if reader.section.any && lines < 2 && reader.pass_between(cursor) => continue,
                None => break,
            },
        };
        if let Some(typed) = tag.typed {
            expected = typed.next();
        }
        let repeated = reader.section.has(&tag, reader.header);
        if reader.section.any && (lines > 1 || repeated) {
            if reader.begins_game(cursor, &tag, repeated, lines > 1) {
                break;
            }
            if lines > 1 {
                reader.notes.quirk(Quirk::BlankLineInTags, cursor.at);
            }
        }
        cursor.hit_end |= tag.end >= cursor.rest().len();
        cursor.hit_end |= tag.unsure;
        reader.take(&tag, repeated, cursor.at, scratch);
        cursor.advance(tag.end);
        lines = 0;
    }
    reader.end()
}

/// Parses a tag that is not plain, if one begins at the cursor. `name` is scratch space for a name
/// with escapes.
fn odd_tag<'n, 'a: 'n>(cursor: &mut Cursor<'a>, name: &'n mut Vec<u8>) -> Option<RawTag<'n>> {
    if !tag_begins(cursor) {
        return None;
    }
    let mut tag = raw_tag(cursor.rest());
    if tag.name.contains(&b'\\') {
        name.clear();
        decode_name(tag.name, name);
        tag.name = name;
    }
    Some(RawTag { typed: Typed::named(tag.name), ..tag })
}

/// Adds tags to a header, one by one.
struct SectionReader<'a> {
    section: Section,
    header: &'a mut Header,
    decoder: TextDecoder,
    notes: &'a mut Notes,
}

impl SectionReader<'_> {
    /// Returns whether `tag`, which stands at the cursor, begins the section of another game.
    /// `repeated` means that this section has a tag of the same name, `apart` that an empty line
    /// precedes it.
    ///
    /// A second `Event` begins a section. After an empty line, so does any repeated tag that is not
    /// only a rating, a code or a date of the event, and any tag if such a tag follows it. Without
    /// an empty line, repeated tags in a row begin a section if they name the players, and other
    /// players or another round: many programs write a tag twice.
    fn begins_game(
        &self,
        cursor: &mut Cursor<'_>,
        tag: &RawTag<'_>,
        repeated: bool,
        apart: bool,
    ) -> bool {
        let start_only = tag.name == b"FEN" && !self.section.more_than_start;
        if tag.typed == Some(Typed::Event) || repeated && start_only {
            return true;
        }
        let mut found = if apart { repeated && !tag.is_detail() } else { self.differs(tag) };
        // Without an empty line, a single repeated tag begins nothing.
        let (mut several, mut players) = (apart, apart || tag.is_player());
        let mut ahead = cursor.clone();
        ahead.advance(tag.end);
        let mut name = Vec::new();
        for _ in 0..LOOKAHEAD {
            if found && several && players || ahead.skip_white() > 1 {
                break;
            }
            let Some(next) = odd_tag(&mut ahead, &mut name) else { break };
            let again = self.section.has(&next, self.header);
            let end = next.end;
            ahead.hit_end |= next.unsure || end >= ahead.rest().len();
            if apart {
                found |= again && !next.is_detail();
            } else if again {
                several |= next.name != tag.name;
                players |= next.is_player();
                found |= self.differs(&next);
            } else {
                break;
            }
            ahead.advance(end);
        }
        cursor.hit_end |= ahead.hit_end;
        found && several && players
    }

    /// Returns whether a repeated tag names another event, player or round than this section.
    #[cold]
    fn differs(&self, tag: &RawTag<'_>) -> bool {
        let known = match tag.typed {
            Some(Typed::Event) => return true,
            Some(Typed::White) => &self.header.white,
            Some(Typed::Black) => &self.header.black,
            Some(Typed::Round) => &self.header.round,
            _ => return false,
        };
        let mut value = Vec::new();
        decode_value(tag.value, &mut value);
        let value = self.decoder.decode(&value);
        let unknown = |text: &str| matches!(text, "" | "?");
        *known != value && !unknown(known) && !unknown(&value)
    }

    /// Skips comments, commas, broken tags and invisible characters between two tags without an
    /// empty line. The comments are kept before the first move. Skips nothing if no other tag of
    /// this section follows.
    #[cold]
    fn pass_between(&mut self, cursor: &mut Cursor<'_>) -> bool {
        let mut ahead = cursor.clone();
        let mut passed: Vec<(Quirk, Range<usize>)> = Vec::new();
        let follows = loop {
            if passed.len() > MAX_BETWEEN || ahead.skip_white() > 1 {
                break false;
            }
            let at = ahead.at;
            let mut quirk = Quirk::StraySign;
            match ahead.peek() {
                Some(b'[') if tag_begins(&mut ahead) => break self.continues(&mut ahead),
                Some(_) if broken_tag(&mut ahead) => quirk = Quirk::UnclosedTag,
                Some(b';') => {
                    ahead.take_line();
                    quirk = Quirk::CommentInTags;
                }
                Some(b'{') => {
                    ahead.advance(1);
                    let CommentEnd::Closed { length, opened: 0 } = ahead.comment_end() else {
                        break false;
                    };
                    ahead.advance(length.saturating_add(1));
                    quirk = Quirk::CommentInTags;
                }
                Some(b',' | b'.' | b']') => ahead.advance(1),
                _ => match invisible(ahead.rest()) {
                    Some(length) => ahead.advance(length),
                    None => break false,
                },
            }
            passed.push((quirk, at..ahead.at));
        };
        cursor.hit_end |= ahead.hit_end;
        if follows {
            cursor.at = passed.last().map_or(cursor.at, |(_, text)| text.end);
            for (quirk, text) in passed {
                self.notes.quirk(quirk, text.start);
                if quirk == Quirk::CommentInTags {
                    self.section.comments.push(text);
                }
            }
        }
        follows
    }

    /// Returns whether the tags that begin here, up to an empty line, are all new to this section.
    fn continues(&self, cursor: &mut Cursor<'_>) -> bool {
        let (mut name, mut any) = (Vec::new(), false);
        for _ in 0..LOOKAHEAD {
            let Some(tag) = odd_tag(cursor, &mut name) else { break };
            if tag.typed == Some(Typed::Event) || self.section.has(&tag, self.header) {
                return false;
            }
            any = true;
            let end = tag.end;
            cursor.hit_end |= tag.unsure || end >= cursor.rest().len();
            cursor.advance(end);
            if cursor.skip_white() > 1 {
                break;
            }
        }
        any
    }

    fn take(&mut self, tag: &RawTag<'_>, repeated: bool, at: usize, scratch: &mut Vec<u8>) {
        self.section.any = true;
        if let Some(quirk) = tag.quirk {
            self.notes.quirk(quirk, at);
        }
        let value: Cow<'_, str> = if tag.escaped {
            scratch.clear();
            match tag.quirk {
                Some(Quirk::WrappedTag) => decode_value(&join_lines(tag.value), scratch),
                _ => decode_value(tag.value, scratch),
            }
            decode(scratch, self.decoder, at, self.notes)
        } else {
            let decode = || decode(tag.value, self.decoder, at, self.notes);
            tag.text.map_or_else(decode, Cow::Borrowed)
        };
        let after_fen = std::mem::take(&mut self.section.after_fen);
        match (tag.typed, tag.name) {
            (Some(typed), _) => self.take_typed(typed, repeated, &value, at),
            (None, b"FEN") => self.take_fen(&value, repeated, at),
            // Our writer writes the tags implied by the FEN after it: pgn §3.2 "Tags".
            (None, name) if after_fen && self.follows_from_fen(name, &value) => {
                self.section.after_fen = true;
                let fen = self.section.fen.as_deref().unwrap_or_default();
                self.section.chess960_by_tag |= name == b"Variant" && !names_castling_files(fen);
            }
            (None, name) => {
                let decode = || decode(name, self.decoder, at, self.notes);
                let name = tag.name_text.map_or_else(decode, Cow::Borrowed);
                self.take_other(&name, &value, repeated, at);
            }
        }
    }

    /// Stores a typed tag. The last value of a repeated tag wins, as in other readers.
    fn take_typed(&mut self, tag: Typed, repeated: bool, value: &str, at: usize) {
        self.section.more_than_start = true;
        if repeated {
            self.notes.quirk(Quirk::DuplicateTag, at);
            if self.section.replaced >= MAX_REPLACED {
                return;
            }
            self.section.replaced = self.section.replaced.saturating_add(1);
            self.header.remove_tags(tag.name());
            if tag == Typed::Result && self.section.result_spelt {
                self.header.remove_tags(RESULT_SPELLING_TAG);
            }
        }
        self.section.seen.insert(tag);
        let before = self.header.tags.len();
        tag.set(self.header, value);
        let spelt = self.header.tags.len() != before;
        self.section.spelt |= spelt;
        if tag == Typed::Result {
            self.section.result_spelt = spelt || value.is_empty();
            if self.section.result_spelt {
                self.notes.quirk(Quirk::ResultSpelling, at);
            }
        }
    }

    fn take_fen(&mut self, value: &str, repeated: bool, at: usize) {
        if repeated {
            self.notes.quirk(Quirk::DuplicateTag, at);
        }
        if value.is_empty() {
            self.notes.quirk(Quirk::EmptyFen, at);
            self.section.empty_fen = true;
        } else if says_no_position(value) {
            self.notes.quirk(Quirk::EmptyFen, at);
        } else {
            if exceeds_move_numbers(value) {
                self.notes.quirk(Quirk::MoveNumber, at);
            }
            let (board, rest) = value.trim_ascii_start().split_once(' ').unwrap_or((value, ""));
            let ninth = board.strip_suffix('/').filter(|ranks| ranks.matches('/').count() == 7);
            self.section.fen = Some(match ninth {
                Some(ranks) => {
                    self.notes.quirk(Quirk::FenSlash, at);
                    format!("{ranks} {rest}")
                }
                None => value.to_owned(),
            });
            self.section.fen_at = at;
            self.section.after_fen = true;
        }
    }

    /// Returns whether a tag only repeats what the FEN implies.
    fn follows_from_fen(&self, name: &[u8], value: &str) -> bool {
        match name {
            b"SetUp" => is_implied("SetUp", value),
            b"Variant" if value == "Chess960" => {
                let (mut game, fen) = (Game::new(), self.section.fen.as_deref());
                fen.is_some_and(|fen| game.set_start_fen(fen).is_ok())
                    && game.start_position().is_chess960()
            }
            _ => false,
        }
    }

    fn take_other(&mut self, name: &str, value: &str, repeated: bool, at: usize) {
        if repeated {
            self.notes.quirk(Quirk::DuplicateTag, at);
        }
        self.section.more_than_start |= !matches!(name, "SetUp" | "Variant");
        self.header.tags.push(name, value);
    }

    /// Takes the day from `UTCDate`, because online games often have it only there. A different
    /// value of `Date` is kept as its spelling.
    fn take_utc_date(&mut self) {
        let utc = self.header.tags.get("UTCDate").and_then(|text| text.parse::<Date>().ok());
        let Some(date) = utc.filter(|date| !date.is_unknown()) else { return };
        if self.section.seen.contains(Typed::Date) && self.header.tags.get("Date").is_none() {
            self.header.tags.push("Date", "????.??.??");
            self.section.spelt = true;
        }
        self.header.date = date;
    }

    fn end(mut self) -> Section {
        if self.header.date.is_unknown() && !self.header.tags.is_empty() {
            self.take_utc_date();
        }
        if self.section.empty_fen && self.section.fen.is_none() {
            self.header.tags.push("FEN", "");
        }
        if self.section.spelt {
            sort_spellings(self.header);
        }
        self.section
    }
}

/// Returns whether the value of a FEN tag is a non-standard spelling of the usual start position.
fn says_no_position(value: &str) -> bool {
    matches!(value.trim(), "" | "-" | "?" | "*" | "startpos" | "start" | "none")
}

/// Joins the lines of a wrapped value by single spaces.
#[cold]
fn join_lines(value: &[u8]) -> Vec<u8> {
    let lines = value.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    let lines: Vec<&[u8]> = lines.filter(|line| !line.is_empty()).collect();
    lines.join(&b' ')
}

/// Decodes bytes as text, and reports text that is not UTF-8.
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

/// Moves the spellings of typed tags before all other tags and sorts them in writing order, so that
/// written games read back equal.
fn sort_spellings(header: &mut Header) {
    let place = |name: &str| Typed::named(name.as_bytes()).map_or(TYPED_TAGS.len(), Typed::place);
    let places = header.tags.iter().map(|(name, _)| place(name));
    if places.is_sorted() {
        return;
    }
    let of_place = |wanted| header.tags.iter().filter(move |(name, _)| place(name) == wanted);
    let sorted: Tags = (0..=TYPED_TAGS.len()).flat_map(of_place).collect();
    header.tags = sorted;
}
