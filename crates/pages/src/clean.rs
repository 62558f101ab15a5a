//! Keeps foreign text harmless on a terminal. Names and comments must not move the cursor, change
//! colours or change the direction of writing.

use std::borrow::Cow;
use std::io::{self, Write};

/// Starts bold text.
pub const BOLD: &str = "\x1b[1m";
/// Starts dim text.
pub const DIM: &str = "\x1b[2m";
/// Ends bold and dim text.
pub const PLAIN: &str = "\x1b[0m";

/// Every escape sequence that the program writes. [`Clean::styled`] passes these unchanged, so a
/// new style must be added here.
const STYLES: [&str; 3] = [BOLD, DIM, PLAIN];

/// The most bytes without a line feed that are buffered.
const LONGEST: usize = 1 << 16;

/// Returns whether a character is a command rather than text: C0 controls, DEL and C1 controls,
/// line and paragraph separators, and controls of the direction of writing.
#[must_use]
pub fn is_command(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Returns whether a text is printable ASCII, as most texts are.
fn is_plain(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Returns `text` as one line, with each terminal command replaced by a space.
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    if is_plain(text.as_bytes()) || !text.contains(is_command) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|letter| if is_command(letter) { ' ' } else { letter }).collect()
}

/// A writer that replaces terminal commands in lines of text. All text for people goes through it;
/// on a terminal, all data does, too.
#[derive(Debug)]
pub struct Clean<W: Write> {
    out: W,
    /// The current incomplete line.
    line: Vec<u8>,
    /// The escape sequences that pass unchanged.
    styles: &'static [&'static str],
}

impl<W: Write> Clean<W> {
    /// Returns a writer for data: no escape sequence passes.
    #[must_use]
    pub fn new(out: W) -> Clean<W> {
        Clean { out, line: Vec::new(), styles: &[] }
    }

    /// Returns a writer for text that the program styles itself. Foreign text in it must have been
    /// through [`clean`].
    #[must_use]
    pub fn styled(out: W) -> Clean<W> {
        Clean { out, line: Vec::new(), styles: &STYLES }
    }

    fn put(&mut self) -> io::Result<()> {
        if self.line.split(|byte| *byte == b'\n').all(is_plain) {
            let written = self.out.write_all(&self.line);
            self.line.clear();
            return written;
        }
        let mut text = String::new();
        for chunk in self.line.utf8_chunks() {
            clean_lines(chunk.valid(), self.styles, &mut text);
            if !chunk.invalid().is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        self.line.clear();
        self.out.write_all(text.as_bytes())
    }
}

fn clean_lines(mut text: &str, styles: &[&str], out: &mut String) {
    let is_forbidden = |letter| is_command(letter) && !matches!(letter, '\n' | '\t');
    while let Some((plain, rest)) = text.find(is_forbidden).and_then(|at| text.split_at_checked(at))
    {
        out.push_str(plain);
        let own = styles.iter().find_map(|own| Some((*own, rest.strip_prefix(own)?)));
        let (shown, after) = own.unwrap_or_else(|| {
            let mut letters = rest.chars();
            letters.next();
            (" ", letters.as_str())
        });
        out.push_str(shown);
        text = after;
    }
    out.push_str(text);
}

impl<W: Write> Write for Clean<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if bytes.contains(&b'\n') || self.line.len() > LONGEST {
            self.put()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.put()?;
        self.out.flush()
    }
}

impl<W: Write> Drop for Clean<W> {
    fn drop(&mut self) {
        // A caller that wants to see an error calls `flush`.
        let _ = self.put();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clean_text_with_commands_has_spaces() {
        assert_eq!(clean("Müller, 日本 🙂"), "Müller, 日本 🙂");
        assert_eq!(clean("a\x1b[2J\u{9b}31m\x7f\r\n\u{202e}b"), "a [2J 31m    b");
    }

    #[test]
    fn styled_output_passes_own_styles_only() {
        let mut out = Vec::new();
        let mut screen = Clean::styled(&mut out);
        write!(screen, "{BOLD}title{PLAIN} {DIM}comment{PLAIN}\nname\x1b[31").unwrap();
        screen.write_all(b"m\xc2").unwrap();
        screen.write_all(b"\x9b2J\xff\t.\n").unwrap();
        drop(screen);
        let text = String::from_utf8(out).unwrap();
        let title = format!("{BOLD}title{PLAIN} {DIM}comment{PLAIN}");
        assert_eq!(text, format!("{title}\nname [31m 2J\u{fffd}\t.\n"));
    }

    #[test]
    fn clean_style_within_data_is_removed() {
        let mut out = Vec::new();
        let mut screen = Clean::new(&mut out);
        writeln!(screen, "{BOLD}name{PLAIN}{DIM}").unwrap();
        write!(screen, "plain\r\n").unwrap();
        drop(screen);
        assert_eq!(String::from_utf8(out).unwrap(), " [1mname [0m [2m\nplain \n");
    }
}
