//! Writes the annotations of each move: its NAGs and one comment, before its variations.

use chess_core::{Game, Note, Token};
use chess_store::{Loss, LossKind, Losses, has_cr_lf};

use crate::encode::shorten;
use crate::error::Error;
use crate::layout::{TAG_COMMENT, TAG_NAGS};
use crate::length::encode_length;

/// Writes the annotations of a game's nodes. Reusable.
#[derive(Debug, Default)]
pub(crate) struct AnnotationWriter {
    nags: Vec<u8>,
    comment: String,
}

impl AnnotationWriter {
    /// Appends the annotations of a node. Node 0 is the start of the game, which has no NAGs.
    // dcg §9.1 "Comments and NAGs"
    pub(crate) fn write(
        &mut self,
        node: u32,
        notes: &[Note],
        game: &Game,
        ply: u32,
        losses: &mut Losses,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        self.nags.clear();
        self.comment.clear();
        for note in notes {
            match note.token(game) {
                Some(Token::Nag(nag)) => match u8::try_from(nag.0) {
                    Ok(code) if node > 0 && !note.is_before_line() => self.nags.push(code),
                    _ => losses.push(Loss::at_ply(LossKind::Nag, nag.to_string(), ply)),
                },
                Some(Token::Comment(text)) => self.add_comment(text, note.is_moved(), ply, losses),
                _ => {}
            }
        }
        if !self.nags.is_empty() {
            out.push(TAG_NAGS);
            encode_length(self.nags.len(), out)?;
            out.extend_from_slice(&self.nags);
        }
        if !self.comment.is_empty() {
            out.push(TAG_COMMENT);
            encode_length(self.comment.len(), out)?;
            out.extend_from_slice(self.comment.as_bytes());
        }
        Ok(())
    }

    fn add_comment(&mut self, text: &str, moved: bool, ply: u32, losses: &mut Losses) {
        if text.is_empty() {
            losses.push(Loss::at_ply(LossKind::Comment, "an empty one", ply));
            return;
        }
        if moved || !self.comment.is_empty() {
            losses.push(Loss::at_ply(LossKind::CommentMoved, shorten(text), ply));
        }
        if has_cr_lf(text) {
            losses.push(Loss::at_ply(LossKind::Characters, shorten(text), ply));
        }
        if !self.comment.is_empty() {
            self.comment.push(' ');
        }
        self.comment.push_str(text);
    }
}
