//! Places in a text: byte, line, column.

/// A place, all counted from zero; the column in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Place {
    pub(crate) offset: u64,
    pub(crate) line: u64,
    pub(crate) column: u64,
}

impl Place {
    /// The place behind a text that begins here. A line ends with a line feed.
    pub(crate) fn after(self, text: &[u8]) -> Place {
        let length = text.len() as u64;
        let offset = self.offset.saturating_add(length);
        let Some(last) = memchr::memrchr(b'\n', text) else {
            return Place { offset, column: self.column.saturating_add(length), ..self };
        };
        let lines = memchr::memchr_iter(b'\n', text).count() as u64;
        let column = text.len().saturating_sub(last).saturating_sub(1) as u64;
        Place { offset, line: self.line.saturating_add(lines), column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_are_counted() {
        let start = Place { offset: 10, line: 1, column: 4 };
        assert_eq!(start.after(b""), start);
        assert_eq!(start.after(b"abc"), Place { offset: 13, line: 1, column: 7 });
        assert_eq!(start.after(b"a\r\nbc\nd"), Place { offset: 17, line: 3, column: 1 });
        assert_eq!(start.after(b"a\n"), Place { offset: 12, line: 2, column: 0 });
    }
}
