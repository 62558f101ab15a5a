//! Colours and width of the terminal.

use std::env;

use crate::output::Stdout;

/// Returns whether standard output takes colours: it is a terminal, and the user has not turned
/// colours off.
pub(crate) fn colours() -> bool {
    let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    Stdout.is_terminal() && !refused && !is_dumb()
}

/// Returns whether the terminal supports no commands.
pub(crate) fn is_dumb() -> bool {
    env::var_os("TERM").is_some_and(|value| value == "dumb")
}

/// Returns the width that `COLUMNS` sets, or else the width of the terminal. `None` if standard output is no
/// terminal: a file or pipe has no width.
pub(crate) fn terminal_width() -> Option<usize> {
    let wished = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let there = || {
        let size = terminal_size::terminal_size();
        Stdout.is_terminal().then(|| size.map_or(100, |(width, _)| usize::from(width.0)))
    };
    wished.or_else(there)
}
