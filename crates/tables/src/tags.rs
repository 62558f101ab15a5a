//! Parses and writes tags that are numbers, dates and times.

use std::fmt::Write as _;

/// Parses `+12` and `-3`, also without a sign.
pub(crate) fn parse_signed(text: &str) -> Option<i16> {
    text.trim().parse().ok()
}

/// Returns the days from 1970-01-01 to a date `YYYY.MM.DD` of the Gregorian calendar.
pub(crate) fn parse_days(text: &str) -> Option<i32> {
    let mut parts = text.trim().splitn(3, ['.', '-', '/']);
    let mut part = || parts.next()?.parse::<i32>().ok();
    let (year, month, day) = (part()?, part()?, part()?);
    let possible = (1..=9999).contains(&year) && (1..=12).contains(&month);
    (possible && (1..=month_length(year, month)).contains(&day)).then(|| days(year, month, day))
}

const fn month_length(year: i32, month: i32) -> i32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The year is counted from March, so that the leap day is its last day.
#[allow(clippy::arithmetic_side_effects, reason = "years have four digits")]
const fn days(year: i32, month: i32, day: i32) -> i32 {
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    365 * year + year / 4 - year / 100 + year / 400 + of_year - 719_468
}

/// Writes the date of [`parse_days`].
#[allow(clippy::arithmetic_side_effects, reason = "the days of 10,000 years")]
pub(crate) fn write_days(days: i32, out: &mut String) {
    if !(-719_162..=2_932_896).contains(&days) {
        return;
    }
    let days = days + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = era * 400 + year + i32::from(month <= 2);
    let _ = write!(out, "{year:04}.{month:02}.{day:02}");
}

/// Returns the milliseconds from midnight to `HH:MM:SS`.
pub(crate) fn parse_time(text: &str) -> Option<i32> {
    let mut parts = text.trim().splitn(3, ':');
    let mut part = |most: i32| parts.next()?.parse::<i32>().ok().filter(|n| (0..=most).contains(n));
    let (hours, minutes, seconds) = (part(23)?, part(59)?, part(59)?);
    let minutes = hours.checked_mul(60)?.checked_add(minutes)?;
    minutes.checked_mul(60)?.checked_add(seconds)?.checked_mul(1000)
}

/// Writes the time of [`parse_time`].
pub(crate) fn write_time(milliseconds: i32, out: &mut String) {
    if !(0..86_400_000).contains(&milliseconds) {
        return;
    }
    let seconds = milliseconds / 1000;
    let _ = write!(out, "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_and_write_days_round_trip() {
        assert_eq!(parse_days("1970.01.01"), Some(0));
        assert_eq!(parse_days("2000.02.29"), Some(11016));
        assert_eq!(parse_days("2013.05.31"), Some(15856));
        assert_eq!(parse_days("1969.12.31"), Some(-1));
        for wrong in ["1900.02.29", "2013.??.??", "2013.05", "2013.13.01", "0000.01.01", "", "x"] {
            assert_eq!(parse_days(wrong), None, "{wrong}");
        }
        for day in (-719_162..=2_932_896).step_by(17) {
            let mut text = String::new();
            write_days(day, &mut text);
            assert_eq!(parse_days(&text), Some(day), "{text}");
        }
    }

    #[test]
    fn parse_and_write_time_round_trip() {
        assert_eq!(parse_time("22:00:22"), Some(79_222_000));
        for wrong in ["24:00:00", "1:2", "", "-1:00:00", "12:60:00"] {
            assert_eq!(parse_time(wrong), None, "{wrong}");
        }
        let mut text = String::new();
        write_time(79_222_000, &mut text);
        assert_eq!(text, "22:00:22");
    }
}
