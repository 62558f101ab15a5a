//! The comments and NAGs of a game, gathered by the move they belong to.
//!
//! A record has NAGs and one comment right after a move, then the variations to it. A game may
//! have them in any order, so they are gathered before the record is written.

use chess_core::{Game, Token};
use chess_store::{Loss, LossKind};

use crate::encode::shorten;
use crate::error::Error;
use crate::layout::{TAG_COMMENT, TAG_NAGS};
use crate::length::encode_length;

/// What is written after each move. Moves are named by their number in the game: 1 for the first
/// move token, variations included; 0 stands for the start.
#[derive(Debug, Default)]
pub(crate) struct Annotations {
    comments: Vec<Comment>,
    nags: Vec<PlacedNag>,
    /// The texts of the comments.
    text: String,
    /// How many of each were written or passed over.
    comments_done: usize,
    nags_done: usize,
    /// The lines around the one being gathered.
    outer: Vec<Line>,
    joined: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct PlacedNag {
    after: u32,
    order: usize,
    code: u8,
}

#[derive(Clone, Copy, Debug)]
struct Comment {
    after: u32,
    /// Where its text stands in `Annotations::text`.
    start: usize,
    end: usize,
    /// Whether it stood elsewhere than right after its move.
    moved: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// Its last move so far.
    last: Option<u32>,
    /// Whether that move has had a variation.
    branched: bool,
}

impl Annotations {
    // dcg §9.1 "Comments and NAGs"
    pub(crate) fn gather(&mut self, game: &Game, losses: &mut Vec<Loss>) {
        self.comments.clear();
        self.nags.clear();
        self.text.clear();
        self.outer.clear();
        (self.comments_done, self.nags_done) = (0, 0);
        let mut line = Line::default();
        let mut moves = 0u32;
        let mut sorted = true;
        for token in game.tokens() {
            match token {
                Token::Move(_) => {
                    moves = moves.saturating_add(1);
                    line = Line { last: Some(moves), branched: false };
                }
                Token::VariationStart => {
                    self.outer.push(line);
                    line = Line::default();
                }
                Token::VariationEnd => {
                    let last = self.outer.pop().and_then(|line| line.last);
                    line = Line { last, branched: true };
                    sorted = false;
                }
                Token::Comment(text) => self.comment(text, line),
                Token::Nag(nag) => match (line.last, u8::try_from(nag.0)) {
                    (Some(after), Ok(code)) => {
                        self.nags.push(PlacedNag { after, order: self.nags.len(), code });
                    }
                    _ => losses.push(Loss::new(LossKind::Nag, nag.to_string())),
                },
            }
        }
        if !sorted {
            self.comments.sort_unstable_by_key(|comment| (comment.after, comment.start));
            self.nags.sort_unstable();
        }
    }

    fn comment(&mut self, text: &str, line: Line) {
        // Before the first move of a variation: to the move that the variation replaces.
        let replaced = || self.outer.last().and_then(|outer| outer.last);
        let (after, moved) = match line.last {
            Some(last) => (last, line.branched),
            None => replaced().map_or((0, false), |replaced| (replaced, true)),
        };
        let start = self.text.len();
        self.text.push_str(text);
        let end = self.text.len();
        // A byte between texts keeps empty ones in order.
        self.text.push(' ');
        self.comments.push(Comment { after, start, end, moved });
    }

    /// Appends what belongs after a move. Moves come in ascending order.
    #[inline]
    pub(crate) fn write(
        &mut self,
        after: u32,
        ply: u32,
        losses: &mut Vec<Loss>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        if self.nags.get(self.nags_done).is_some_and(|nag| nag.after <= after) {
            self.write_nags(after, out)?;
        }
        if self.comments.get(self.comments_done).is_some_and(|comment| comment.after <= after) {
            self.write_comment(after, ply, losses, out)?;
        }
        Ok(())
    }

    fn write_nags(&mut self, after: u32, out: &mut Vec<u8>) -> Result<(), Error> {
        let rest = self.nags.get(self.nags_done..).unwrap_or_default();
        let nags = rest.iter().take_while(|nag| nag.after <= after);
        let count = nags.clone().count();
        out.push(TAG_NAGS);
        encode_length(count, out)?;
        out.extend(nags.map(|nag| nag.code));
        self.nags_done = self.nags_done.saturating_add(count);
        Ok(())
    }

    fn write_comment(
        &mut self,
        after: u32,
        ply: u32,
        losses: &mut Vec<Loss>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        self.joined.clear();
        let rest = self.comments.get(self.comments_done..).unwrap_or_default();
        for comment in rest.iter().take_while(|comment| comment.after <= after) {
            self.comments_done = self.comments_done.saturating_add(1);
            let text = self.text.get(comment.start..comment.end).unwrap_or_default();
            if text.is_empty() {
                losses.push(Loss::at_ply(LossKind::Comment, "an empty one", ply));
                continue;
            }
            if comment.moved || !self.joined.is_empty() {
                losses.push(Loss::at_ply(LossKind::CommentMoved, shorten(text), ply));
            }
            if !self.joined.is_empty() {
                self.joined.push(' ');
            }
            self.joined.push_str(text);
        }
        if !self.joined.is_empty() {
            out.push(TAG_COMMENT);
            encode_length(self.joined.len(), out)?;
            out.extend_from_slice(self.joined.as_bytes());
        }
        Ok(())
    }

    /// Passes over what belongs after a move that is not written.
    pub(crate) fn skip(&mut self, after: u32) {
        while self.nags.get(self.nags_done).is_some_and(|nag| nag.after <= after) {
            self.nags_done = self.nags_done.saturating_add(1);
        }
        while self.comments.get(self.comments_done).is_some_and(|comment| comment.after <= after) {
            self.comments_done = self.comments_done.saturating_add(1);
        }
    }
}
