//! Dates in three bytes.

use chess_core::Date;

/// Decodes `((year * 13) + month) * 32 + day`; a part of zero is unknown. Returns `None` for an
/// invalid date.
// chessassistant §5.2 "Dates"
pub(crate) fn decode_date(value: u32) -> Option<Date> {
    let (months, day) = (value / 32, value % 32);
    let (year, month) = (months / 13, months % 13);
    Date::new(u16::try_from(year).ok()?, u8::try_from(month).ok()?, u8::try_from(day).ok()?)
}

pub(crate) fn encode_date(date: Date) -> [u8; 3] {
    let (year, month, day) = date.parts();
    let months = u32::from(year).saturating_mul(13).saturating_add(month.into());
    let [a, b, c, _] = months.saturating_mul(32).saturating_add(day.into()).to_le_bytes();
    [a, b, c]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_date_described_values_are_read() {
        let morphy = Date::new(1858, 11, 2).unwrap();
        assert_eq!(encode_date(morphy), [0xa2, 0xcc, 0x0b]); // 773282
        assert_eq!(decode_date(773_282), Some(morphy));
        assert_eq!(decode_date(0), Some(Date::UNKNOWN));
        assert_eq!(decode_date(1910 * 13 * 32), Date::new(1910, 0, 0));
        assert_eq!(encode_date(Date::new(9999, 12, 31).unwrap()), [0xff, 0x79, 0x3f]);
        assert_eq!(decode_date(0x00ff_ffff), None, "year 40329");
    }
}
