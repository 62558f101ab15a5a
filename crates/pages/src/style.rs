//! Styles of text on a terminal, and columns.

use std::fmt;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::clean::{BOLD, DIM, PLAIN, clean};

/// Formats text, bold if `wanted`.
#[derive(Clone, Copy, Debug)]
pub struct Bold<T>(pub T, pub bool);

impl<T: fmt::Display> fmt::Display for Bold<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.1 { write!(f, "{BOLD}{}{PLAIN}", self.0) } else { self.0.fmt(f) }
    }
}

/// Formats text, dim if `wanted`.
#[derive(Clone, Copy, Debug)]
pub struct Dim<T>(pub T, pub bool);

impl<T: fmt::Display> fmt::Display for Dim<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.1 { write!(f, "{DIM}{}{PLAIN}", self.0) } else { self.0.fmt(f) }
    }
}

/// Formats text for a column: cut with an ellipsis, or padded with spaces.
#[must_use]
pub fn column(text: &str, width: usize) -> String {
    let mut cell = clean(text).into_owned();
    let mut own = cell.width();
    if own > width {
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
        own = cell.width();
    }
    let missing = width.saturating_sub(own);
    cell.extend(std::iter::repeat_n(' ', missing));
    cell
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
