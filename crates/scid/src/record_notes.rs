//! Writes comments and NAGs as a record stores them: NAGs and a comment marker after the move, the
//! texts after all moves. (scid §4.4 "The stream")

use chess_core::{Game, Token};
use chess_store::{Encoding, Loss, LossKind, Losses, has_cr_lf};

use crate::encode::shorten;
use crate::layout::{MAX_NAGS, marker};

/// Writes the annotations of a record node by node and counts them.
#[derive(Debug)]
pub(crate) struct RecordNotes {
    encoding: Encoding,
    /// Whether every text is stored unchanged.
    verbatim: bool,
    /// The texts of all comments so far.
    comments: Vec<u8>,
    /// Whether the texts of the current game are stored unchanged, because no comment contains a NUL.
    game_verbatim: bool,
    /// The numbers of non-empty comments and NAGs.
    pub(crate) comment_count: u32,
    pub(crate) nag_count: u32,
    /// The state of the current node.
    node: Node,
}

/// The annotations written for a node so far.
#[derive(Clone, Copy, Default, Debug)]
struct Node {
    nags: usize,
    texts: u32,
    /// The offset of the node's texts among all texts.
    start: usize,
}

/// The position of an annotation.
#[derive(Clone, Copy)]
pub(crate) struct NotePlace {
    pub(crate) ply: u32,
    /// A NAG must follow a move.
    pub(crate) at_move: bool,
    /// Whether the game has the annotation elsewhere than directly after its node.
    pub(crate) is_moved: bool,
}

impl RecordNotes {
    pub(crate) fn new(encoding: Encoding) -> RecordNotes {
        RecordNotes {
            encoding,
            verbatim: encoding == Encoding::UTF_8,
            comments: Vec::new(),
            game_verbatim: false,
            comment_count: 0,
            nag_count: 0,
            node: Node::default(),
        }
    }

    /// Before the first node of a game.
    pub(crate) fn restart(&mut self, game: &Game) {
        self.comments.clear();
        self.game_verbatim =
            self.verbatim && memchr::memchr2(0, b'\r', game.all_comments().as_bytes()).is_none();
        (self.comment_count, self.nag_count, self.node) = (0, 0, Node::default());
    }

    /// Writes an annotation of the current node.
    #[inline]
    pub(crate) fn add(
        &mut self,
        note: Token<'_>,
        place: NotePlace,
        record: &mut Vec<u8>,
        losses: &mut Losses,
    ) {
        match note {
            Token::Comment(text) => self.add_comment(text, place, losses),
            Token::Nag(nag) => match u8::try_from(nag.0) {
                Ok(code) if place.at_move && self.node.nags < MAX_NAGS => {
                    record.extend_from_slice(&[marker::NAG, code]);
                    self.node.nags = self.node.nags.saturating_add(1);
                    self.nag_count = self.nag_count.saturating_add(1);
                }
                _ => losses.push(Loss::at_ply(LossKind::Nag, nag.to_string(), place.ply)),
            },
            Token::Move(_) | Token::VariationStart | Token::VariationEnd => {}
        }
    }

    /// Writes a comment that is the first of its node and is stored unchanged. Returns `false` for
    /// any other comment and writes nothing.
    #[inline(always)] // most annotations
    pub(crate) fn add_plain(&mut self, note: Token<'_>) -> bool {
        let Token::Comment(text) = note else { return false };
        if !self.game_verbatim || self.node.texts > 0 {
            return false;
        }
        self.node.start = self.comments.len();
        self.node.texts = 1;
        self.comments.extend_from_slice(text.as_bytes());
        true
    }

    #[inline]
    fn add_comment(&mut self, text: &str, place: NotePlace, losses: &mut Losses) {
        if self.node.texts == 0 {
            self.node.start = self.comments.len();
        } else {
            self.part_texts(text);
        }
        if !self.push_text(text) || has_cr_lf(text) {
            losses.push(Loss::at_ply(LossKind::Characters, shorten(text), place.ply));
        }
        if place.is_moved || self.node.texts > 0 {
            losses.push(Loss::at_ply(LossKind::CommentMoved, shorten(text), place.ply));
        }
        self.node.texts = self.node.texts.saturating_add(1);
    }

    /// Separates the texts of a node with a space, because they become one comment.
    // scid §4.4.17
    #[cold]
    fn part_texts(&mut self, next: &str) {
        let before = self.comments.get(self.node.start..).unwrap_or_default();
        // A CR and a LF would become one line end.
        let is_line_end = before.ends_with(b"\r") && next.starts_with('\n');
        let is_parted = before.last().is_none_or(u8::is_ascii_whitespace)
            || next.chars().next().is_none_or(char::is_whitespace);
        if is_line_end || !is_parted {
            self.comments.push(b' ');
        }
    }

    /// Appends a text up to its first NUL. Returns whether every character could be encoded.
    #[inline]
    fn push_text(&mut self, text: &str) -> bool {
        if self.game_verbatim {
            self.comments.extend_from_slice(text.as_bytes());
            return true;
        }
        let (bytes, complete) = self.encoding.encode(text);
        self.comments.extend(bytes.iter().map(|byte| if *byte == 0 { b' ' } else { *byte }));
        complete && !bytes.contains(&0)
    }

    /// Ends the current node. All its comments are joined into one, whose marker follows the NAGs.
    #[inline]
    pub(crate) fn end_node(&mut self, record: &mut Vec<u8>) {
        if self.node.texts > 0 {
            record.push(marker::COMMENT);
            // Scid counts texts, and an empty text is not counted.
            let any = self.comments.len() > self.node.start;
            self.comment_count = self.comment_count.saturating_add(u32::from(any));
            self.comments.push(0);
        }
        (self.node.texts, self.node.nags) = (0, 0);
    }

    /// Appends the texts to the record after its moves.
    pub(crate) fn append_texts(&mut self, record: &mut Vec<u8>) {
        record.append(&mut self.comments);
    }
}
