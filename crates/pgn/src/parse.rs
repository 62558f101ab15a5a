//! Parses one game of a text: its start, its tags, its moves. pgn §3.1 "Games"

use std::ops::Range;

use chess_core::{Game, GameResult, Header, RESULT_SPELLING_TAG, Replay, ResultText};
use chess_store::TextDecoder;

use crate::cursor::{CommentEnd, Cursor, invisible};
use crate::date_order::SharedOrder;
use crate::error::{Error, ErrorKind};
use crate::known_text::KnownText;
use crate::letters::{ALPHABETS, Alphabet};
use crate::movetext::{Level, Movetext, TagResult, result_here};
use crate::notes::{Note, Notes};
use crate::quirk::Quirk;
use crate::san_parse::looks_like_move;
use crate::san_special::looks_like_castling_or_null;
use crate::tags::{Section, read_section, tag_begins};

/// Reads the games of the blocks that a [`Cutter`](crate::Cutter) makes; see [`ParseGames`]. It
/// reuses its memory from game to game.
///
/// [`ParseGames`]: chess_store::ParseGames
#[derive(Debug)]
pub struct Parser {
    pub(crate) decoder: TextDecoder,
    pub(crate) wanted: Wanted,
    pub(crate) notes: Notes,
    /// The range of the last game in its block, if the game was read without warnings.
    pub(crate) copyable: Option<Range<usize>>,
    /// Whether the last game has a known result that its tag section lacks. A copy of its text
    /// would lack the tag.
    pub(crate) tag_lacks_result: bool,
    /// The I/O error of a block, until it is reported.
    pub(crate) failure: Option<Error>,
    replay: Replay,
    stack: Vec<Level>,
    scratch: Vec<u8>,
    joined: String,
    /// The size limit that the error for a long game reports.
    pub(crate) max_game: usize,
    /// Whether the dates of the text are day-first or month-first.
    pub(crate) date_order: SharedOrder,
    letters: Letters,
}

/// The letters of the pieces.
#[derive(Clone, Copy, Debug)]
enum Letters {
    /// English letters, or else the letters of another language.
    Any,
    English,
    Foreign(&'static Alphabet),
}

/// The result of [`Parser::parse`].
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    /// Whether there was a game.
    pub(crate) found: bool,
    /// The start of the game.
    pub(crate) start: usize,
    /// The place where the next game is searched.
    pub(crate) end: usize,
    /// Whether the end of the text affected the result.
    pub(crate) hit_end: bool,
    /// The known [unclosed comments](Cursor::unclosed).
    pub(crate) unclosed: Range<usize>,
}

/// Which parts of a game are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    All,
    /// The tags and the result. The moves are skipped, which is faster.
    Header,
}

/// A game that ends within `MARGIN` bytes of the end of the text is provisional: more text could
/// change it, because results and signs are read as a whole.
pub(crate) const MARGIN: usize = 64;

impl Parser {
    pub(crate) fn new(decoder: TextDecoder, max_game: usize) -> Parser {
        Parser {
            decoder,
            wanted: Wanted::All,
            notes: Notes::default(),
            copyable: None,
            tag_lacks_result: false,
            failure: None,
            replay: Replay::default(),
            stack: Vec::new(),
            scratch: Vec::new(),
            joined: String::new(),
            max_game,
            date_order: SharedOrder::default(),
            letters: Letters::Any,
        }
    }

    /// Parses the first game of `text`. `file_start` means that `text` is the start of a file, and
    /// `unclosed` is what is known about its [unclosed comments](Cursor::unclosed).
    pub(crate) fn parse(
        &mut self,
        text: &[u8],
        file_start: bool,
        unclosed: Range<usize>,
        game: &mut Game,
    ) -> Outcome {
        self.notes.clear();
        self.tag_lacks_result = false;
        game.clear();
        let mut cursor = Cursor::new(text);
        cursor.unclosed = unclosed;
        if file_start && text.starts_with(b"\xef\xbb\xbf") {
            cursor.advance(3);
        }
        let found = find_game(&mut cursor, &mut self.notes);
        let start = cursor.at;
        if found && self.read_game(&mut cursor, game) {
            return self.parse_all(text, file_start, cursor.unclosed, game);
        }
        let near_end = cursor.at.saturating_add(MARGIN) > text.len();
        let outcome = Outcome {
            found,
            start,
            end: cursor.at,
            hit_end: cursor.hit_end || near_end,
            unclosed: cursor.unclosed,
        };
        if self.notes.fault.is_some() && matches!(self.letters, Letters::Any) {
            return self.parse_foreign(text, file_start, game, outcome);
        }
        outcome
    }

    /// Parses a game again whose moves cannot be read in English, with the letters of the languages
    /// that explain the unread move. Takes the reading without errors. Keeps `english`, the first
    /// reading, if there is none or if two of them have different moves.
    // pgn §3.3.2 "Letters of other languages"
    #[cold]
    fn parse_foreign(
        &mut self,
        text: &[u8],
        file_start: bool,
        game: &mut Game,
        english: Outcome,
    ) -> Outcome {
        let Some(token) = self.notes.unread_move() else { return english };
        let explains = |alphabet: &&Alphabet| alphabet.explains(token);
        let tried: Vec<&Alphabet> = ALPHABETS.iter().filter(explains).collect();
        if self.wanted == Wanted::Header || tried.is_empty() {
            return english;
        }
        let mut chosen: Option<(Letters, Game)> = None;
        let (mut hit_end, mut doubt) = (english.hit_end, false);
        for alphabet in tried {
            self.letters = Letters::Foreign(alphabet);
            let outcome = self.parse(text, file_start, english.unclosed.clone(), game);
            hit_end |= outcome.hit_end;
            let ends = [outcome.end, english.end];
            let between =
                text.get(outcome.end.min(english.end)..ends.into_iter().max().unwrap_or(0));
            let same_end = between.is_some_and(|text| text.iter().all(u8::is_ascii_whitespace));
            let is_foreign = |note: &Note| note.quirk == Quirk::ForeignLetters;
            if self.notes.fault.is_some() || !same_end || !self.notes.list.iter().any(is_foreign) {
                continue;
            }
            match &chosen {
                Some((_, other)) => doubt |= other != game,
                None => chosen = Some((self.letters, game.clone())),
            }
        }
        let chosen = chosen.filter(|_| !doubt).map(|(letters, _)| letters);
        self.letters = chosen.unwrap_or(Letters::English);
        let mut outcome = self.parse(text, file_start, english.unclosed, game);
        self.letters = Letters::Any;
        outcome.hit_end |= hit_end;
        outcome
    }

    /// Parses the moves too, to find the end of the game, and discards the notes about them.
    #[cold]
    fn parse_all(
        &mut self,
        text: &[u8],
        file_start: bool,
        unclosed: Range<usize>,
        game: &mut Game,
    ) -> Outcome {
        self.wanted = Wanted::All;
        let outcome = self.parse(text, file_start, unclosed, game);
        self.wanted = Wanted::Header;
        self.notes.forget_moves();
        outcome
    }

    /// Parses the game that begins at the cursor. Returns whether its end is doubtful because only
    /// the header is wanted.
    fn read_game(&mut self, cursor: &mut Cursor<'_>, game: &mut Game) -> bool {
        let notes = &mut self.notes;
        let mut texts = KnownText::new(cursor.text(), self.decoder);
        let (header, scratch) = (&mut game.header, &mut self.scratch);
        let section = read_section(cursor, &mut texts, header, self.decoder, notes, scratch);
        if section.spelt
            && let Some(order) = self.date_order.get()
        {
            game.header.reread_dates(order);
        }
        let playable = set_start(&section, game, notes);
        // Only variations need the position before each move.
        self.replay.restart_on(game.start_position(), false);
        let tag_result = tag_result(&section, &game.header);
        self.stack.clear();
        let mut movetext = Movetext {
            cursor,
            game,
            notes,
            stack: &mut self.stack,
            scratch: &mut self.scratch,
            joined: &mut self.joined,
            texts,
            decoder: self.decoder,
            replay: &mut self.replay,
            result_at: 0,
            tag_result,
            words: None,
            numbered: false,
            apart_at: None,
            unwanted: !playable || self.wanted == Wanted::Header,
            cautious: playable && self.wanted == Wanted::Header,
            doubtful: false,
            alphabet: match self.letters {
                Letters::Foreign(alphabet) => Some(alphabet),
                Letters::Any | Letters::English => None,
            },
            is_foreign: false,
        };
        movetext.comments_in_tags(&section.comments);
        let read = movetext.read();
        let doubtful = movetext.doubtful;
        let text = cursor.text();
        self.settle_result(&section, read, text, game);
        if section.chess960_by_tag && playable {
            if self.wanted == Wanted::Header {
                return true;
            }
            // The tag is redundant if a move already shows stray castling rights.
            if game.has_stray_castling() {
                game.header.tags.push("Variant", "Chess960");
            }
        }
        if self.wanted == Wanted::All && game.drop_stray_castling() {
            // The moves decide, so the note refers to the movetext.
            self.notes.ply = Some(0);
            self.notes.quirk(Quirk::CastlingRights, section.fen_at);
            self.notes.list.sort_by_key(|note| note.at);
        }
        doubtful
    }

    /// Chooses between the result tag and the result after the moves. The tag takes precedence,
    /// unless it is missing, unknown or unreadable. `read` is the result after the moves, and the
    /// place where it stands or is missing.
    fn settle_result(
        &mut self,
        section: &Section,
        read: (Option<ResultText>, usize),
        text: &[u8],
        game: &mut Game,
    ) {
        let (token, at) = read;
        let header = &mut game.header;
        let tag = tag_result(section, header);
        let Some(token) = token else {
            return self.notes.quirk(Quirk::MissingResult, at);
        };
        if let Some(known) = tag.known {
            if known != token.result {
                self.notes.quirk(Quirk::ResultMismatch, at);
            }
            return;
        }
        if section.has_result() && token.result != GameResult::Unknown && !section.result_spelt {
            self.notes.quirk(Quirk::ResultMismatch, at);
        }
        header.result = token.result;
        let known = token.result != GameResult::Unknown;
        self.tag_lacks_result = known && section.any && !section.has_result();
        if token.says_more && header.tags.get(RESULT_SPELLING_TAG).is_none() {
            let spelling = text.get(at..at.saturating_add(token.len)).unwrap_or_default();
            header.tags.push(RESULT_SPELLING_TAG, &self.decoder.decode(spelling));
        }
    }
}

/// Returns the result according to the tags.
fn tag_result(section: &Section, header: &Header) -> TagResult {
    if header.result != GameResult::Unknown {
        return TagResult { known: Some(header.result), is_both_lost: false };
    }
    if !section.any {
        return TagResult::default();
    }
    // PGN has no token for a double loss, which is not an unknown result.
    let spelling = header.tags.get(RESULT_SPELLING_TAG).and_then(ResultText::parse);
    let says_more = spelling.is_some_and(|read| read.says_more);
    TagResult { known: says_more.then_some(GameResult::Unknown), is_both_lost: says_more }
}

/// Sets the start position of `game`. Returns whether moves can be played from it.
fn set_start(section: &Section, game: &mut Game, notes: &mut Notes) -> bool {
    let Some(fen) = &section.fen else { return true };
    match game.set_start_fen(fen) {
        Ok(()) => true,
        Err(error) => {
            notes.fault(ErrorKind::Fen(error), section.fen_at);
            game.header.tags.push("FEN", fen);
            false
        }
    }
}

/// Moves the cursor to the start of the next game. Returns whether there is one.
fn find_game(cursor: &mut Cursor<'_>, notes: &mut Notes) -> bool {
    loop {
        cursor.skip_white();
        let Some(byte) = cursor.peek() else { return false };
        let rest = cursor.rest();
        match byte {
            b'%' if cursor.skip_hidden_line() => continue,
            b'[' if tag_begins(cursor) => return true,
            b'{' | b';' => {
                if !pass_comments_before_tags(cursor, notes) {
                    return true;
                }
                continue;
            }
            _ => {}
        }
        let (is_mark, result) = (rest.starts_with(b"\xef\xbb\xbf"), result_here(rest));
        if let (false, None, Some(length)) = (is_mark, result, invisible(rest)) {
            cursor.advance(length);
            continue;
        }
        let (quirk, length) = match result {
            _ if is_mark => (Quirk::ByteOrderMark, 3),
            Some(result) => (Quirk::StrayResult, result.len),
            None if movetext_begins(rest) => return true,
            None => (Quirk::TextBetweenGames, 0),
        };
        notes.quirk(quirk, cursor.at);
        cursor.advance(length);
        if quirk == Quirk::TextBetweenGames {
            cursor.take_line();
        }
    }
}

/// Skips comments before a tag section. They belong to no game.
fn pass_comments_before_tags(cursor: &mut Cursor<'_>, notes: &mut Notes) -> bool {
    let start = cursor.at;
    pass_comments(cursor, |_| {});
    let before_tags = tag_begins(cursor);
    cursor.at = start;
    if before_tags {
        pass_comments(cursor, |at| notes.quirk(Quirk::TextBetweenGames, at));
    }
    before_tags
}

/// Skips comments. Skips only the first line of an unclosed comment.
fn pass_comments(cursor: &mut Cursor<'_>, mut each: impl FnMut(usize)) {
    loop {
        cursor.skip_white();
        let brace = match cursor.peek() {
            Some(b'{') => true,
            Some(b';') => false,
            _ => return,
        };
        each(cursor.at);
        if brace {
            cursor.advance(1);
            if let CommentEnd::Closed { length, .. } = cursor.comment_end() {
                cursor.advance(length.saturating_add(1));
                continue;
            }
        }
        cursor.take_line();
    }
}

/// Returns whether text without tags is movetext: a move, with or without a number.
pub(crate) fn movetext_begins(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return looks_like_move(text);
    }
    let numbered = text.get(digits..).unwrap_or_default();
    let white = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b'.';
    let between = numbered.iter().take_while(white).count();
    let rest = numbered.get(between..).unwrap_or_default();
    looks_like_move(text)
        || between > 0 && (looks_like_move(rest) || looks_like_castling_or_null(rest))
}

#[cfg(test)]
mod tests {
    use chess_store::Encoding;

    use super::*;

    const TEXTS: [&str; 27] = [
        "1. e4 $1-0 e5 $21/2 2. Nf3 (2. d4 $1-0) Nc6 1-0\n\n",
        "1. e4\n[Foo 1-0 bar baz and more of it than is looked ahead for signs and results]\n 1-0 ",
        "1. e4\n[Foo*barbazandmoreofitthanislookedaheadforsignsandresultsandresults ] \n 1-0 ",
        "[Event \"x\"]\n[White \"y\"]\n\n1. e4 {c} e5 (1... c5 $1) !? 1-0\n\n",
        "1. e4 {a {b\n\n} c} 1-0 } *\n\n{d}\n\n[Event \"z\"]",
        "1. e4 {a\n\nb [Event \"in a comment\"]\n\n} *\n\n",
        "{a}{b}\n{c\n{d\n;{\n[Event \"after\"]\n\n*\n\n",
        "{closed\n\n[Event \"between\"]\n\n}\n[Event \"after\"]\n\n",
        "[A \"a\\\"]  \n[B \"unclosed\n[C d]\n[E]\n[F \"g\"] [H \"i\"] 1. e4 *\n\n",
        "[A \"\\\"] x\"]\n[B \"\"] \"]\n\n\n[White \"c\"]\n\n% d\n[White \"e\"]\n",
        "1. e4 [Foo 1-0 [Foo 1-0 ] 1-0 [Foo bar]\n[Foo bar] [A \"x\"] z ] 1-0\n",
        "[Foo 1-0 bar baz and more of it than is looked ahead for signs and results]\n 1-0 ",
        "[Foo1-0barbazandmoreofitthanislookedaheadforsignsandresults*] ] *\n 1-0 ",
        "1. e4 ( 1-0\n\n) 1-0 (1... e5 *)\n\n1 - 0 1/2 - 1/2 ½-½ ½ 0.5-0.5 ",
        "1. e4 e51-0 Nf31-0 1-0 0-0-1 $1-0 --1-0 e.p.1-0 e8=Q1-0 d5* Nc6#1-0 ",
        "words\n\n1\n\n\n\ne4 * 1. d4 *\n;c\n{d}\n\n;e\n\u{feff}\n%{\n*",
        "[FEN \"bad\"]\n\n1. e4 e51-0 1-0\n\n[FEN \"\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w\"]\n\nKe2 *",
        "1. e4 {x\r\r[Event \"y\"]\r\r*}\r\n\r\n[Event \"z\"]\r\n*\r\n",
        "1. e4 e5 2. Ba6 Ba3 3. Bxb7 Bxb2 4. Bxa8 Bxa1 ; {\n5. Nf3 --- @@@@ Z0 *",
        "[A \"b\n c\nd\"]\n[E \"f\n1. e4 \"x\"] *\n\n",
        "[A \"b\"]\n{c}\n;d\n[White \"e\"];f\n,[White \"g\"]\n{h}\n[Black \"i\"]\n{j}\n\n[K \"l\"]",
        "[White \"a\"]\n[Round \"1\"]\n[White \"b\"]\n[Round \"1\"]\n\n[WhiteElo \"1\"]\n[C \"d\"]",
        "\u{200b}[A \"b\"]\u{a0}\n\u{1a}001. e4 00. 002.\u{2009}d4 *\n\n001. e4\n\n001.d4\0",
        "[A\n\"b\"]\n[White “c”] [Black \"d\ne\"] [\nRound \"1\"\n] 1. Sf3 d5 +− ⇄ 2. <b>g3</b> [ ] 0.00 *\n",
        "1. e4 e5\n1. d4 d5\n1. Сb5 remis\n\n[A \"b\"][C \"\"[Event \"d\"]\n@ & x 5s a word\n\n1. c4 *",
        "1. e4 /* 1-0 */ e5 \"fine\" <!-- * --> 2. Qxd8 /* * */ d6 /* 1-0 <!-- * */ x *\n\n/* x */ 1-0\n",
        "[A \"b\"]\n[C\nD \"e\"]\n[White \"f\"]\n\"g\"]\n[H\n\n[I\n1. e4 *\n\n[White \"j\"]\n[K\n[White \"l\"]\n",
    ];

    /// Filler that moves the end of the text out of the margin.
    const FILLER: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 ";

    #[test]
    fn parse_without_hit_end_is_unchanged_by_more_text() {
        let decoder = TextDecoder::utf8_or(Encoding::WINDOWS_1252);
        let mut parser = Parser::new(decoder, usize::MAX);
        let (mut game, mut same) = (Game::new(), Game::new());
        let mut concluded = 0;
        for first in TEXTS {
            for second in TEXTS {
                let text = format!("{first}{second}{FILLER}{first}{second}");
                for wanted in [Wanted::All, Wanted::Header] {
                    parser.wanted = wanted;
                    let whole = parser.parse(text.as_bytes(), true, 0..0, &mut game);
                    let notes = format!("{:?}", parser.notes);
                    for length in 0..text.len() {
                        let part = text.as_bytes().get(..length).unwrap();
                        let outcome = parser.parse(part, true, 0..0, &mut same);
                        if outcome.hit_end {
                            continue;
                        }
                        concluded += 1;
                        let shown = || format!("{length} bytes of {text:?}");
                        assert_eq!(
                            (outcome.found, outcome.end),
                            (whole.found, whole.end),
                            "{}",
                            shown()
                        );
                        assert_eq!(format!("{:?}", parser.notes), notes, "{}", shown());
                        assert!(game == same, "{}", shown());
                    }
                }
            }
        }
        assert!(concluded > 10_000);
    }

    /// Texts in which a reading without moves could end a game elsewhere.
    const SUBTLE: [&str; 6] = [
        "1. e4\" e50.1/2-1/25-0.]\n\n",
        "1. e4 e5 2. Nf3&nbsp;Nc6 *\n1-0\n\n",
        "1. d4 d5\n\n{a}\n1. b1. e4 e5 *\n\n",
        "; a\n1. c1. e4 c5 *\n\n",
        "{a}\n\n{b}\nc1. e4 e5 1. d4 *\n\n",
        "1. e4 {[%clk 0:01] {a} b} e5 {c\n\n[White \"d\"]\n\n1. c4 {\ne} .5-.5\n\n",
    ];

    #[test]
    fn parse_header_alone_equals_header_of_game() {
        for first in TEXTS.iter().chain(&SUBTLE) {
            for second in TEXTS.iter().chain(&SUBTLE) {
                let text = format!("{first}{second}{FILLER}{second}\n\n{first}");
                let mut games = crate::Reader::new(text.as_bytes());
                let mut headers = crate::Reader::new(text.as_bytes());
                let (mut game, mut header) = (Game::new(), Header::default());
                let mut found = true;
                while found {
                    let notes = &mut chess_store::Diagnostics::lenient();
                    found = games.read_game(&mut game, notes).unwrap_or(true);
                    let found_too = headers.read_header(&mut header, notes).unwrap_or(true);
                    assert_eq!((found_too, &header), (found, &game.header), "{text:?}");
                    assert_eq!(headers.position(), games.position(), "{text:?}");
                }
            }
        }
    }
}
