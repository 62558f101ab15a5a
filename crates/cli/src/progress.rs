//! A bar on a terminal, nothing in a pipe.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use scoresheet::chess_core::{AnyError, Diagnostics, Game};
use scoresheet::{Progress, Reader, Source, Unit};

/// The bar of one input.
struct Bar(ProgressBar);

impl Bar {
    /// For an input that has so much to be done. Draws on standard error, if that is a terminal.
    fn new(progress: Progress) -> Bar {
        let target = ProgressDrawTarget::stderr();
        let bar = ProgressBar::with_draw_target(progress.total, target);
        let template = match (progress.unit, progress.total) {
            (Unit::Games, Some(_)) => {
                "{bar:30} {human_pos}/{human_len} games, {per_sec}, {eta} left"
            }
            (Unit::Bytes, Some(_)) => "{bar:30} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left",
            (_, None) => "{spinner} {bytes}, {bytes_per_sec}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Bar(bar)
    }

    /// So much is done.
    fn set(&self, done: u64) {
        self.0.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A reader with a bar that follows it.
pub(crate) struct Metered<'a> {
    reader: Reader<'a>,
    bar: Bar,
}

impl<'a> Metered<'a> {
    pub(crate) fn new(reader: Reader<'a>) -> Metered<'a> {
        let bar = Bar::new(reader.progress());
        Metered { reader, bar }
    }
}

impl Source for Metered<'_> {
    fn next(&mut self, into: &mut Game, diagnostics: &mut Diagnostics) -> Result<bool, AnyError> {
        let read = self.reader.next(into, diagnostics);
        self.bar.set(self.reader.progress().done);
        read
    }

    fn position(&self) -> Option<u64> {
        self.reader.position()
    }
}
