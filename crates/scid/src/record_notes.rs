//! Comments and NAGs as a record has them: NAGs and a marker behind the move, the texts behind all
//! moves. (scid §4.4 "The stream")

use chess_core::{Game, Token};
use chess_store::{Encoding, Loss, LossKind};

use crate::encode::shorten;
use crate::layout::{MAX_NAGS, marker};

/// Writes the notes of a record node by node, and counts them.
#[derive(Debug)]
pub(crate) struct RecordNotes {
    encoding: Encoding,
    /// Whether it has every text as it is.
    verbatim: bool,
    /// The texts of all comments so far.
    comments: Vec<u8>,
    /// Whether there is a zero in any comment of the game.
    zeros: bool,
    /// How many comments that say something, and NAGs, there are.
    pub(crate) comment_count: u32,
    pub(crate) nag_count: u32,
    /// Of the node at hand.
    node: Node,
}

/// The notes of a node that are written so far.
#[derive(Clone, Copy, Default, Debug)]
struct Node {
    nags: usize,
    texts: u32,
    /// Where its texts begin among all.
    start: usize,
}

/// Where a note stands.
#[derive(Clone, Copy)]
pub(crate) struct NotePlace {
    pub(crate) ply: u32,
    /// A NAG needs a move.
    pub(crate) at_move: bool,
    /// Whether the game has it elsewhere than right behind its node.
    pub(crate) is_moved: bool,
}

impl RecordNotes {
    pub(crate) fn new(encoding: Encoding) -> RecordNotes {
        RecordNotes {
            encoding,
            verbatim: encoding == Encoding::UTF_8,
            comments: Vec::new(),
            zeros: false,
            comment_count: 0,
            nag_count: 0,
            node: Node::default(),
        }
    }

    /// Before the first node of a game.
    pub(crate) fn restart(&mut self, game: &Game) {
        self.comments.clear();
        self.zeros = memchr::memchr(0, game.all_comments().as_bytes()).is_some();
        (self.comment_count, self.nag_count, self.node) = (0, 0, Node::default());
    }

    /// Writes a note of the node at hand.
    #[inline]
    pub(crate) fn add(
        &mut self,
        note: Token<'_>,
        place: NotePlace,
        record: &mut Vec<u8>,
        losses: &mut Vec<Loss>,
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

    #[inline]
    fn add_comment(&mut self, text: &str, place: NotePlace, losses: &mut Vec<Loss>) {
        if self.node.texts == 0 {
            self.node.start = self.comments.len();
        } else {
            self.part_texts(text);
        }
        if !self.push_text(text) {
            losses.push(Loss::at_ply(LossKind::Characters, shorten(text), place.ply));
        }
        if place.is_moved || self.node.texts > 0 {
            losses.push(Loss::at_ply(LossKind::CommentMoved, shorten(text), place.ply));
        }
        self.node.texts = self.node.texts.saturating_add(1);
    }

    /// Puts a space between the texts of a node so far and the next one, which become one comment.
    // scid §4.4.17
    #[cold]
    fn part_texts(&mut self, next: &str) {
        let before = self.comments.get(self.node.start..).unwrap_or_default();
        let is_parted = before.last().is_none_or(u8::is_ascii_whitespace)
            || next.chars().next().is_none_or(char::is_whitespace);
        if !is_parted {
            self.comments.push(b' ');
        }
    }

    /// Appends a text, in which a zero would end it; whether every character had a place.
    #[inline]
    fn push_text(&mut self, text: &str) -> bool {
        if self.verbatim && !self.zeros {
            self.comments.extend_from_slice(text.as_bytes());
            return true;
        }
        let (bytes, complete) = self.encoding.encode(text);
        self.comments.extend(bytes.iter().map(|byte| if *byte == 0 { b' ' } else { *byte }));
        complete && !bytes.contains(&0)
    }

    /// Goes on to the next node: the texts of this one are one, whose marker stands behind the NAGs.
    #[inline]
    pub(crate) fn end_node(&mut self, record: &mut Vec<u8>) {
        if self.node.texts > 0 {
            record.push(marker::COMMENT);
            // Scid counts texts, and an empty one is none.
            let any = self.comments.len() > self.node.start;
            self.comment_count = self.comment_count.saturating_add(u32::from(any));
            self.comments.push(0);
        }
        (self.node.texts, self.node.nags) = (0, 0);
    }

    /// Appends the texts to the record whose moves end here.
    pub(crate) fn append_texts(&mut self, record: &mut Vec<u8>) {
        record.append(&mut self.comments);
    }
}
