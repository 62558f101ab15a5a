//! A progress bar on a terminal. Nothing is drawn in a pipe.

use std::fmt;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use scoresheet::{Progress, Unit};

use crate::exit::{Verbosity, say};

/// The bar on the screen, for code that must end the program at once.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Clears the bar from the screen.
pub(crate) fn clear() {
    if let Ok(Some(bar)) = SHOWN.lock().map(|mut shown| shown.take()) {
        bar.finish_and_clear();
    }
}

/// The bar of one input. It is drawn on standard error once there is progress.
pub(crate) struct Bar {
    bar: ProgressBar,
    shown: bool,
}

impl Bar {
    pub(crate) fn new(verbosity: Verbosity) -> Bar {
        let target = match verbosity {
            Verbosity::Quiet => ProgressDrawTarget::hidden(),
            _ => ProgressDrawTarget::stderr(),
        };
        Bar { bar: ProgressBar::with_draw_target(None, target), shown: false }
    }

    /// Sets the progress.
    pub(crate) fn set(&mut self, progress: Progress) {
        if !self.shown {
            self.shown = true;
            self.style(progress);
            self.bar.enable_steady_tick(Duration::from_millis(200));
            if let Ok(mut shown) = SHOWN.lock() {
                *shown = Some(self.bar.clone());
            }
        }
        self.bar.set_position(progress.done);
    }

    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a speed is positive, and no machine does so many games in a second"
    )]
    fn style(&self, progress: Progress) {
        let template = match (progress.unit, progress.total) {
            (Unit::Games, _) => "{bar:30} {human_pos}/{human_len} games, {rate}/s, {eta} left",
            (Unit::Bytes, Some(_)) => "{bar:30} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left",
            (Unit::Bytes, None) => "{spinner} {bytes}, {bytes_per_sec}",
        };
        if let Some(total) = progress.total {
            self.bar.set_length(total);
        }
        // The percentage of the bar itself has four decimals.
        let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
            let _ = write!(out, "{}", HumanCount(state.per_sec().max(0.0).round() as u64));
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.with_key("rate", rate));
        }
    }

    /// Prints a line above the bar.
    pub(crate) fn say(&self, line: &str) {
        self.bar.suspend(|| say(line));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        clear();
        self.bar.finish_and_clear();
    }
}
