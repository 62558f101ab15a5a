//! Messages of a program.

use std::fmt;
use std::io::{self, Write as _};

use crate::clean::clean;

/// The most bytes of a message. A file from a stranger may have names of any length.
const LONGEST: usize = 4 << 10;

/// Prints a line on standard error. Ignores errors: if standard error is closed, nobody reads the
/// message.
pub fn say(line: impl fmt::Display) {
    let line = line.to_string();
    let end = (0..=LONGEST).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
    let (start, rest) = line.split_at_checked(end).unwrap_or((&line, ""));
    let dots = if rest.is_empty() { "" } else { " ..." };
    let _ = writeln!(io::stderr(), "{}{dots}", clean(start));
}
