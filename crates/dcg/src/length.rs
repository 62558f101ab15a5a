//! Lengths of records and texts: one byte, or a byte count followed by the bytes.

use chess_store::Location;
use nom::IResult;
use nom::number::complete::{be_u16, be_u24, be_u32, u8 as byte};

use crate::error::{Error, ErrorKind};
use crate::layout::{LENGTH_1, LONG_LENGTH};
use crate::quirk::Quirk;

/// A parsed length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Length {
    /// The value: the number of bytes that follow.
    pub(crate) value: u32,
    /// The size of the length itself, 1 to 5 bytes.
    pub(crate) size: usize,
    /// The deviation of its form, if any.
    pub(crate) quirk: Option<Quirk>,
}

/// Why a length is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LengthError {
    /// The bytes end within the length.
    Cut,
    /// An invalid first byte.
    Form(u8),
}

/// Parses the length at the start of `bytes`.
// dcg §6.1 "Lengths"
pub(crate) fn parse_length(bytes: &[u8]) -> Result<Length, LengthError> {
    let first = *bytes.first().ok_or(LengthError::Cut)?;
    if first == 0x80 || first > 0x84 {
        return Err(LengthError::Form(first));
    }
    let (_, (value, size)) = value(bytes).map_err(|_| LengthError::Cut)?;
    let quirk = if first == 0x7f {
        Some(Quirk::Length7f)
    } else if size > size_of_length(value) {
        Some(Quirk::OverlongLength)
    } else {
        None
    };
    Ok(Length { value, size, quirk })
}

fn value(input: &[u8]) -> IResult<&[u8], (u32, usize)> {
    let (input, first) = byte(input)?;
    match first {
        0x81 => byte(input).map(|(rest, value)| (rest, (u32::from(value), 2))),
        0x82 => be_u16(input).map(|(rest, value)| (rest, (u32::from(value), 3))),
        0x83 => be_u24(input).map(|(rest, value)| (rest, (value, 4))),
        0x84 => be_u32(input).map(|(rest, value)| (rest, (value, 5))),
        short => Ok((input, (u32::from(short), 1))),
    }
}

/// Parses the length of a record in a base of the [old layout](crate::layout::Layout::Old), whose
/// builds wrote the bytes of longer lengths in reverse.
// dcg §2.1 "Reversed lengths"
pub(crate) fn parse_old_record_length(bytes: &[u8]) -> Result<Length, LengthError> {
    let reversed =
        |value: u32, size| Ok(Length { value, size, quirk: Some(Quirk::ReversedLength) });
    let [first, second, third] = [0, 1, 2].map(|at: usize| bytes.get(at).copied());
    match (first, second, third) {
        // A third byte 0x82 decides, because a record starts with 00 or 01 and never with a
        // length's tag. These builds used two bytes from 255 on.
        (Some(low), Some(high), Some(0x82)) if high != 0 || low == 0xff => {
            reversed(u32::from(low) | u32::from(high) << 8, 3)
        }
        (Some(value), Some(LENGTH_1), Some(0 | 1)) if value >= 0x7f => {
            reversed(u32::from(value), 2)
        }
        _ => parse_length(bytes),
    }
}

/// Appends a length as the author's program writes it.
///
/// # Errors
/// A value too large for a length.
// dcg §6.1 "Lengths"
pub(crate) fn encode_length(length: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let too_long = |_| ErrorKind::GameTooLong.at(Location::file("dcg"));
    let value = u32::try_from(length).map_err(too_long)?;
    let [a, b, c, d] = value.to_be_bytes();
    match size_of_length(value) {
        1 => out.push(d),
        2 => out.extend_from_slice(&[0x81, d]),
        3 => out.extend_from_slice(&[0x82, c, d]),
        4 => out.extend_from_slice(&[0x83, b, c, d]),
        _ => out.extend_from_slice(&[0x84, a, b, c, d]),
    }
    Ok(())
}

/// The size that [`encode_length`] writes. The author's program steps up one early, at 127, 255 and
/// 65535.
const fn size_of_length(value: u32) -> usize {
    match value {
        0..LONG_LENGTH => 1,
        LONG_LENGTH..0xff => 2,
        0xff..0xffff => 3,
        0xffff..0xff_ffff => 4,
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The boundaries as in files of the author's program (fixtures/dcg/ber).
    const WRITTEN: [(u32, &[u8]); 12] = [
        (0, &[0x00]),
        (126, &[0x7e]),
        (127, &[0x81, 0x7f]),
        (128, &[0x81, 0x80]),
        (254, &[0x81, 0xfe]),
        (255, &[0x82, 0x00, 0xff]),
        (300, &[0x82, 0x01, 0x2c]),
        (65_534, &[0x82, 0xff, 0xfe]),
        (65_535, &[0x83, 0x00, 0xff, 0xff]),
        (70_000, &[0x83, 0x01, 0x11, 0x70]),
        (16_777_214, &[0x83, 0xff, 0xff, 0xfe]),
        (16_777_215, &[0x84, 0x00, 0xff, 0xff, 0xff]),
    ];

    #[test]
    fn length_program_forms_round_trip() {
        for (value, bytes) in WRITTEN {
            let mut out = Vec::new();
            encode_length(value as usize, &mut out).unwrap();
            assert_eq!(out, bytes, "{value}");
            let size = bytes.len();
            assert_eq!(parse_length(bytes), Ok(Length { value, size, quirk: None }));
            assert_eq!(parse_length(&bytes[..size - 1]), Err(LengthError::Cut), "{value} cut");
        }
    }

    #[cfg(target_pointer_width = "64")]
    #[test]
    fn length_out_of_range_is_refused() {
        let error = encode_length(1 << 32, &mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), ".dcg: the game is too long");
    }

    #[test]
    fn length_odd_form_is_quirk() {
        let quirk = |bytes: &[u8]| parse_length(bytes).map(|length| (length.value, length.quirk));
        assert_eq!(quirk(&[0x7f]), Ok((127, Some(Quirk::Length7f))));
        assert_eq!(quirk(&[0x81, 0x03]), Ok((3, Some(Quirk::OverlongLength))));
        assert_eq!(quirk(&[0x84, 0, 0, 1, 0]), Ok((256, Some(Quirk::OverlongLength))));
        assert_eq!(quirk(&[0x80, 0]), Err(LengthError::Form(0x80)));
        assert_eq!(quirk(&[0x85, 0]), Err(LengthError::Form(0x85)));
        assert_eq!(quirk(&[]), Err(LengthError::Cut));
    }

    #[test]
    fn length_reversed_by_old_builds_is_read() {
        let old =
            |bytes: &[u8]| parse_old_record_length(bytes).map(|found| (found.value, found.size));
        // 200: the byte, then the tag, then a record that starts with 00.
        assert_eq!(old(&[200, 0x81, 0x00]), Ok((200, 2)));
        // 300 = 0x012c: low byte, high byte, tag.
        assert_eq!(old(&[0x2c, 0x01, 0x82, 0x00]), Ok((300, 3)));
        assert_eq!(old(&[0xff, 0x00, 0x82, 0x00]), Ok((255, 3)));
        assert_eq!(old(&[0x81, 0x01, 0x82, 0x00]), Ok((0x181, 3)));
        // Short lengths have the usual form.
        assert_eq!(old(&[3, 0x00, 0x03, 0x1c]), Ok((3, 1)));
        assert_eq!(old(&[2, 0x01, 0x00]), Ok((2, 1)));
        // A length in the usual byte order.
        assert_eq!(old(&[0x81, 0x80, 0x00]), Ok((128, 2)));
        assert_eq!(old(&[0x82, 0x01, 0x2c, 0x00]), Ok((300, 3)));
    }
}
