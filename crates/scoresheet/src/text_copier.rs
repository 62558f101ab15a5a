//! Copies the guiding texts of a base to an output.

use std::sync::Arc;

use chess_store::erased::Database;
use chess_store::{AnyError, Describe, GuidingText, Loss, LossKind, Losses, Scope};

use crate::base::Base;
use crate::create::Output;

/// Copies texts while the games of a base are written, so that they keep their places.
pub(crate) struct TextCopier {
    base: Option<Arc<dyn Database>>,
    /// The number of texts in the base.
    count: u64,
    /// The number of texts that were read.
    read: u64,
    /// The text that was read and not yet written.
    next: Option<GuidingText>,
    losses: Losses,
}

impl TextCopier {
    /// Copies the texts of `base` if all its games are `selected`. Otherwise the texts count as not
    /// selected.
    pub(crate) fn new(base: &Base, selected: bool, output: &Output) -> TextCopier {
        let base = base.shared().filter(|_| selected);
        let count = base.as_deref().map_or(0, Describe::text_count);
        let mut copier = TextCopier { base, count, read: 0, next: None, losses: Losses::new() };
        if count > 0 && !output.has_texts() {
            let texts = if count == 1 { "guiding text" } else { "guiding texts" };
            copier.losses.push(Loss::new(LossKind::BaseFact, format!("{count} {texts}")));
            copier.base = None;
        }
        copier
    }

    /// Writes the texts that stand before `game`, numbered from zero.
    ///
    /// # Errors
    /// Errors that concern the output as a whole.
    pub(crate) fn write_before(&mut self, game: u64, output: &mut Output) -> Result<(), AnyError> {
        while self.base.is_some() {
            if self.next.is_none() {
                self.read_next();
            }
            let Some(text) = self.next.take_if(|text| text.games_before <= game) else {
                return Ok(());
            };
            self.write(&text, output)?;
        }
        Ok(())
    }

    /// Reads the next text that is readable.
    fn read_next(&mut self) {
        while let Some(base) = self.base.as_ref().filter(|_| self.read < self.count) {
            let number = self.read;
            self.read = number.saturating_add(1);
            match base.text(number) {
                Ok(text) => {
                    self.next = text;
                    return;
                }
                Err(error) => self.lose_of(number, LossKind::BaseFact, &error.to_string()),
            }
        }
        self.base = None;
    }

    fn write(&mut self, text: &GuidingText, output: &mut Output) -> Result<(), AnyError> {
        let number = self.read.saturating_sub(1);
        let mut losses = Losses::new();
        match output.append_text(text, &mut losses) {
            Err(error) if error.scope() == Scope::Base => return Err(error),
            Err(error) => self.lose_of(number, LossKind::BaseFact, &error.to_string()),
            Ok(()) => {}
        }
        for loss in &losses {
            self.lose_of(number, loss.kind, &loss.detail);
        }
        Ok(())
    }

    /// Reports a loss in the text `number`, counted from zero.
    fn lose_of(&mut self, number: u64, kind: LossKind, what: &str) {
        let number = number.saturating_add(1);
        self.losses.push(Loss::new(kind, format!("guiding text {number}: {what}")));
    }

    /// Returns the losses.
    pub(crate) fn into_losses(self) -> Losses {
        self.losses
    }
}
