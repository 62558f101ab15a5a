//! Detects whether a file's dates are day-first or month-first. pgn §3.2 "Tags"

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use chess_core::{Date, DateOrder};

/// The number of bytes at the start of a text that are examined. It is the same for all block
/// sizes, so that a date does not depend on where the text is cut.
pub(crate) const SAMPLE: usize = 1 << 17;

/// The longest value that is examined.
const MAX_VALUE: usize = 16;

/// The date order of a text, shared with the parsers of its blocks. It is set before the first
/// block.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedOrder(Arc<AtomicU8>);

impl SharedOrder {
    /// Examines the dates with only one reading. If they are all day-first, or all month-first, the
    /// text has that order.
    pub(crate) fn find(&self, text: &[u8]) {
        let text = text.get(..SAMPLE).unwrap_or(text);
        let (mut day_first, mut month_first) = (false, false);
        for at in memchr::memmem::find_iter(text, b"Date \"") {
            let value = text.get(at.saturating_add(6)..).unwrap_or_default();
            let value = value.get(..MAX_VALUE).unwrap_or(value);
            let end = memchr::memchr(b'"', value).unwrap_or(0);
            let value = value.get(..end).and_then(|value| str::from_utf8(value).ok());
            match value.and_then(Date::told_order) {
                Some(DateOrder::DayFirst) => day_first = true,
                Some(DateOrder::MonthFirst) => month_first = true,
                None => {}
            }
        }
        let code = match (day_first, month_first) {
            (true, false) => 1,
            (false, true) => 2,
            _ => 0,
        };
        self.0.store(code, Ordering::Release);
    }

    pub(crate) fn get(&self) -> Option<DateOrder> {
        match self.0.load(Ordering::Acquire) {
            1 => Some(DateOrder::DayFirst),
            2 => Some(DateOrder::MonthFirst),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::read_all;

    fn dates(dates: &[&str]) -> Vec<String> {
        let text: String = dates.iter().map(|d| format!("[Date \"{d}\"]\n\n1. e4 *\n\n")).collect();
        let games = read_all(&text).unwrap();
        games.iter().map(|game| game.header.date.to_string()).collect()
    }

    #[test]
    fn ambiguous_date_follows_order_of_the_file() {
        let read = dates(&["01/02/2019", "12/31/2018", "3/3/2019", "2019.05.06"]);
        assert_eq!(read, ["2019.01.02", "2018.12.31", "2019.03.03", "2019.05.06"]);
        let read = dates(&["01/02/2019", "31/12/2018", "04-05-2019"]);
        assert_eq!(read, ["2019.02.01", "2018.12.31", "2019.05.04"]);
        assert_eq!(dates(&["01-02-2019", "12-31-2018"]), ["2019.01.02", "2018.12.31"]);
    }

    #[test]
    fn ambiguous_date_without_known_order_is_a_year() {
        assert_eq!(dates(&["01/02/2019"]), ["2019.??.??"]);
        let read = dates(&["01/02/2019", "31/12/2018", "12/31/2018"]);
        assert_eq!(read, ["2019.??.??", "2018.12.31", "2018.12.31"]);
        assert_eq!(dates(&["01.02.2019", "12/31/2018"]), ["2019.02.01", "2018.12.31"]);
    }
}
