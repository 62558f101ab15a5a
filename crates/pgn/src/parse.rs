//! One game of a text: where it begins, its tags, its moves. pgn §3.1 "Games"

use chess_core::{Game, GameResult, TextDecoder};

use crate::cursor::Cursor;
use crate::error::ErrorKind;
use crate::movetext::{Level, Movetext, result_here};
use crate::notes::Notes;
use crate::quirk::Quirk;
use crate::san_parse::looks_like_move;
use crate::san_special::looks_like_castling_or_null;
use crate::tags::{Section, looks_like_tag, read_section};

/// Finds and reads games in a text; keeps its memory from game to game.
#[derive(Debug)]
pub(crate) struct Parser {
    decoder: TextDecoder,
    pub(crate) notes: Notes,
    stack: Vec<Level>,
    scratch: Vec<u8>,
}

/// What [`Parser::parse`] found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    /// Whether there was a game.
    pub(crate) found: bool,
    /// Where the text goes on.
    pub(crate) end: usize,
    /// Whether the end of the text has played a part in it.
    pub(crate) hit_end: bool,
}

/// How much of a game is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    All,
    Header,
}

/// A game found nearer than this to the end of what has been read may look otherwise when more
/// follows: results and signs are looked at as a whole.
const MARGIN: usize = 64;

impl Parser {
    pub(crate) fn new(decoder: TextDecoder) -> Parser {
        let (notes, stack, scratch) = (Notes::default(), Vec::new(), Vec::new());
        Parser { decoder, notes, stack, scratch }
    }

    /// Reads the first game of a text. `file_start` says that the text is the beginning of a file.
    pub(crate) fn parse(
        &mut self,
        text: &[u8],
        file_start: bool,
        wanted: Wanted,
        game: &mut Game,
    ) -> Outcome {
        self.notes.clear();
        game.clear();
        let mut cursor = Cursor::new(text);
        if file_start && text.starts_with(b"\xef\xbb\xbf") {
            cursor.advance(3);
        }
        let found = find_game(&mut cursor, &mut self.notes);
        if found {
            self.read_game(&mut cursor, wanted, game);
        }
        let near_end = cursor.at.saturating_add(MARGIN) > text.len();
        Outcome { found, end: cursor.at, hit_end: cursor.hit_end || near_end }
    }

    fn read_game(&mut self, cursor: &mut Cursor<'_>, wanted: Wanted, game: &mut Game) {
        let mut fen = None;
        let section = read_section(
            cursor,
            &mut game.header,
            self.decoder,
            &mut self.notes,
            &mut self.scratch,
            &mut fen,
        );
        let playable = self.set_start(fen, game);
        let position = game.start_position();
        self.stack.clear();
        self.notes.ply = Some(0);
        let mut movetext = Movetext {
            cursor,
            game,
            notes: &mut self.notes,
            stack: &mut self.stack,
            scratch: &mut self.scratch,
            decoder: self.decoder,
            position,
            before: position,
            tracking: false,
            ply: 0,
            result_at: 0,
            unwanted: !playable || wanted == Wanted::Header,
        };
        let (token, at) = movetext.read();
        self.settle_result(&section, token, at, game);
    }

    /// Gives the game its start position; says whether moves can be played from it.
    fn set_start(&mut self, fen: Option<String>, game: &mut Game) -> bool {
        let Some(fen) = fen else { return true };
        match game.set_start_fen(&fen) {
            Ok(()) => true,
            Err(error) => {
                let at = self.notes.fen_at;
                self.notes.fault(ErrorKind::Fen(error), at);
                game.header.tags.push("FEN", &fen);
                false
            }
        }
    }

    /// The tag's result holds, if there is one that can be understood.
    fn settle_result(
        &mut self,
        section: &Section,
        token: Option<GameResult>,
        at: usize,
        game: &mut Game,
    ) {
        let header = &mut game.header;
        let Some(token) = token else {
            return self.notes.quirk(Quirk::MissingResult, at);
        };
        if !section.has_result() {
            header.result = token;
        } else if header.result == GameResult::Unknown && header.tags.get("Result").is_some() {
            self.notes.quirk(Quirk::ResultSpelling, at);
            header.result = token;
        } else if header.result != token {
            self.notes.quirk(Quirk::ResultMismatch, at);
        }
    }
}

/// Goes to where the next game begins, if there is one.
fn find_game(cursor: &mut Cursor<'_>, notes: &mut Notes) -> bool {
    loop {
        cursor.skip_white();
        let Some(byte) = cursor.peek() else { return false };
        let rest = cursor.rest();
        let quirk = match byte {
            b'%' if cursor.skip_hidden_line() => continue,
            b'[' if looks_like_tag(rest, cursor.at_line_start()) => return true,
            b'{' | b';' if !comment_before_tags(cursor) => return true,
            b'{' | b';' => Quirk::TextBetweenGames,
            0xef if rest.starts_with(b"\xef\xbb\xbf") => {
                notes.quirk(Quirk::ByteOrderMark, cursor.at);
                cursor.advance(3);
                continue;
            }
            _ => match result_here(rest) {
                Some((_, length)) => {
                    notes.quirk(Quirk::StrayResult, cursor.at);
                    cursor.advance(length);
                    continue;
                }
                None if movetext_begins(rest) => return true,
                None => Quirk::TextBetweenGames,
            },
        };
        notes.quirk(quirk, cursor.at);
        pass_text(byte, cursor);
    }
}

/// Whether comments stand here that a tag section follows: they belong to no game.
fn comment_before_tags(cursor: &mut Cursor<'_>) -> bool {
    let at = cursor.at;
    let before_tags = loop {
        cursor.skip_white();
        match cursor.peek() {
            Some(byte @ (b'{' | b';')) => pass_text(byte, cursor),
            Some(b'[') => break looks_like_tag(cursor.rest(), cursor.at_line_start()),
            _ => break false,
        }
    };
    cursor.at = at;
    before_tags
}

/// Goes past a comment, or else the rest of the line.
fn pass_text(first: u8, cursor: &mut Cursor<'_>) {
    if first == b'{'
        && let Some(length) = cursor.find(b'}')
    {
        cursor.advance(length.saturating_add(1));
    } else {
        cursor.take_line();
    }
}

/// Whether text without tags is movetext: a move, perhaps after its number.
fn movetext_begins(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let numbered = text.get(digits..).unwrap_or_default();
    let white = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b'.';
    let between = numbered.iter().take_while(white).count();
    let rest = numbered.get(between..).unwrap_or_default();
    looks_like_move(text)
        || digits > 0 && between > 0 && (looks_like_move(rest) || looks_like_castling_or_null(rest))
}
