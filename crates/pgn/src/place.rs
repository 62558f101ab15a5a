//! Computes places in a text: byte, line, column.

use chess_store::Place;

/// Returns the place after `text`, which begins at `start`. A line ends with a line feed.
pub(crate) fn after(start: Place, text: &[u8]) -> Place {
    let length = text.len() as u64;
    let offset = start.offset.saturating_add(length);
    let Some(last) = memchr::memrchr(b'\n', text) else {
        return Place { offset, column: start.column.saturating_add(length), ..start };
    };
    let lines = memchr::memchr_iter(b'\n', text).count() as u64;
    let column = text.len().saturating_sub(last).saturating_sub(1) as u64;
    Place { offset, line: start.line.saturating_add(lines), column }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_counts_lines_and_columns() {
        let start = Place { offset: 10, line: 1, column: 4 };
        assert_eq!(after(start, b""), start);
        assert_eq!(after(start, b"abc"), Place { offset: 13, line: 1, column: 7 });
        assert_eq!(after(start, b"a\r\nbc\nd"), Place { offset: 17, line: 3, column: 1 });
        assert_eq!(after(start, b"a\n"), Place { offset: 12, line: 2, column: 0 });
    }
}
