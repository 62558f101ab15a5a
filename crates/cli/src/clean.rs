//! Texts of strangers on a terminal: names and comments must not move the cursor, change colours or
//! turn the direction of writing.

use std::borrow::Cow;
use std::io::{self, Write};

/// What the program itself writes to a terminal.
pub(crate) const BOLD: &str = "\x1b[1m";
pub(crate) const PLAIN: &str = "\x1b[0m";

/// Bytes without a line feed that are held back at most.
const LONGEST: usize = 1 << 16;

/// Whether a character does something rather than show something: the controls C0, DEL and C1, line
/// and paragraph separators, and those that turn the direction of writing.
pub(crate) fn is_command(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// One line of text without commands; each becomes a space.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains(is_command) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|letter| if is_command(letter) { ' ' } else { letter }).collect()
}

/// Lines of text without commands but those of the program itself. Every text for people goes
/// through it, and on a terminal everything.
pub(crate) struct Clean<W: Write> {
    out: W,
    /// The line that is not yet complete.
    line: Vec<u8>,
}

impl<W: Write> Clean<W> {
    pub(crate) fn new(out: W) -> Clean<W> {
        Clean { out, line: Vec::new() }
    }

    fn put(&mut self) -> io::Result<()> {
        let mut text = String::new();
        for chunk in self.line.utf8_chunks() {
            clean_lines(chunk.valid(), &mut text);
            if !chunk.invalid().is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        self.line.clear();
        self.out.write_all(text.as_bytes())
    }
}

fn clean_lines(mut text: &str, out: &mut String) {
    loop {
        let own = [BOLD, PLAIN].into_iter().find_map(|own| Some((own, text.strip_prefix(own)?)));
        if let Some((own, rest)) = own {
            out.push_str(own);
            text = rest;
            continue;
        }
        let mut letters = text.chars();
        let Some(letter) = letters.next() else { return };
        let is_plain = matches!(letter, '\n' | '\t') || !is_command(letter);
        out.push(if is_plain { letter } else { ' ' });
        text = letters.as_str();
    }
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
        // Who wants to know of an error flushes.
        let _ = self.put();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_do_not_pass() {
        assert_eq!(clean("Müller, 日本 🙂"), "Müller, 日本 🙂");
        assert_eq!(clean("a\x1b[2J\u{9b}31m\x7f\r\n\u{202e}b"), "a [2J 31m    b");
        let mut out = Vec::new();
        let mut screen = Clean::new(&mut out);
        write!(screen, "{BOLD}title{PLAIN}\nname\x1b[31").unwrap();
        screen.write_all(b"m\xc2").unwrap();
        screen.write_all(b"\x9b2J\xff\t.\n").unwrap();
        drop(screen);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, format!("{BOLD}title{PLAIN}\nname [31m 2J\u{fffd}\t.\n"));
    }
}
