//! Styles of text on a terminal, and widths of columns.

use std::env;
use std::fmt;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::clean::{BOLD, DIM, PLAIN, clean};
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

/// Formats text, bold if `wanted`.
pub(crate) struct Bold<T>(pub(crate) T, pub(crate) bool);

impl<T: fmt::Display> fmt::Display for Bold<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.1 { write!(f, "{BOLD}{}{PLAIN}", self.0) } else { self.0.fmt(f) }
    }
}

/// Formats text, dim if `wanted`.
pub(crate) struct Dim<T>(pub(crate) T, pub(crate) bool);

impl<T: fmt::Display> fmt::Display for Dim<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.1 { write!(f, "{DIM}{}{PLAIN}", self.0) } else { self.0.fmt(f) }
    }
}

/// Formats text for a column: cut with an ellipsis, or padded with spaces.
pub(crate) fn column(text: &str, width: usize) -> String {
    let mut cell = clean(text).into_owned();
    if cell.width() > width {
        let mut cut = String::new();
        let mut used = 0usize;
        for letter in cell.chars() {
            used = used.saturating_add(letter.width().unwrap_or(0));
            if used >= width {
                break;
            }
            cut.push(letter);
        }
        cut.push('…');
        cell = cut;
    }
    let missing = width.saturating_sub(cell.width());
    cell.extend(std::iter::repeat_n(' ', missing));
    cell
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_their_width() {
        assert_eq!(column("Karpov", 8), "Karpov  ");
        assert_eq!(column("Kasparov, Garry", 8), "Kasparo…");
        assert_eq!(column("日本の将棋", 6), "日本… ");
        assert_eq!(column("a\x1b[2Jb", 6), "a [2Jb");
    }
}
