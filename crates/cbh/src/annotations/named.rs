//! Commands with named fields.

use std::fmt::Write as _;

use chess_core::Evaluation;

use crate::layout::item;

/// Phases of a game that a critical position may belong to, from 1.
const PARTS: [&str; 3] = ["opening", "middlegame", "endgame"];

/// Appends hours, minutes, seconds and hundredths.
pub(super) fn push_time(data: &[u8], out: &mut String) -> Option<()> {
    let [hours, minutes @ ..=59, seconds @ ..=59, hundredths @ ..=99] = data else { return None };
    write!(out, "[%emt {hours}:{minutes:02}:{seconds:02}").ok()?;
    if *hundredths > 0 {
        write!(out, ".{hundredths:02}").ok()?;
    }
    out.push(']');
    Some(())
}

pub(super) fn parse_time(text: &str, data: &mut Vec<u8>) -> Option<u8> {
    let (whole, hundredths) = text.split_once('.').unwrap_or((text, "0"));
    for part in whole.split(':').chain([hundredths]) {
        data.push(part.parse().ok()?);
    }
    Some(item::TIME_SPENT)
}

/// Appends three two-byte numbers: value, kind (0 centipawns, 1 mate), depth.
pub(super) fn push_evaluation(data: &[u8], out: &mut String) -> Option<()> {
    let [v1, v2, k1, k2, d1, d2] = data.try_into().ok()?;
    let (value, depth) = (i16::from_le_bytes([v1, v2]), i16::from_le_bytes([d1, d2]));
    match i16::from_le_bytes([k1, k2]) {
        0 => {
            let sign = if value < 0 { "-" } else { "" };
            let value = value.unsigned_abs();
            write!(out, "[%eval {sign}{}.{:02}", value / 100, value % 100).ok()?;
        }
        1 => write!(out, "[%eval #{value}").ok()?,
        _ => return None,
    }
    if depth != 0 {
        write!(out, ",{depth}").ok()?;
    }
    out.push(']');
    Some(())
}

pub(super) fn parse_evaluation(text: &str, data: &mut Vec<u8>) -> Option<u8> {
    let (value, depth) = text.split_once(',').unwrap_or((text, "0"));
    let depth: i16 = depth.parse().ok()?;
    let (value, kind) = match value.strip_prefix('#') {
        Some(mate) => (mate.parse::<i16>().ok()?, 1i16),
        None => {
            let (sign, digits) = value.strip_prefix('-').map_or((1, value), |digits| (-1, digits));
            let (pawns, rest) = digits.split_once('.').filter(|(_, rest)| rest.len() == 2)?;
            let value = pawns.parse::<i32>().ok()?.checked_mul(100)?;
            let value = value.checked_add(rest.parse().ok()?)?.checked_mul(sign)?;
            (i16::try_from(value).ok()?, 0)
        }
    };
    for number in [value, kind, depth] {
        data.extend_from_slice(&number.to_le_bytes());
    }
    Some(item::EVALUATION)
}

/// Parses an evaluation as ChessBase writes it.
// cbh §5.3.19
pub(super) fn parse_centipawns(text: &str, data: &mut Vec<u8>) -> Option<u8> {
    let (number, depth) = text.split_once(',')?;
    let (value, kind, depth) = match Evaluation::parse_centipawns(number, depth)? {
        (Evaluation::Centipawns(value), depth) => (value, 0i16, depth),
        (Evaluation::Mate(moves), depth) => (moves, 1, depth),
    };
    for number in [value, kind, depth] {
        data.extend_from_slice(&number.to_le_bytes());
    }
    Some(item::EVALUATION)
}

pub(super) fn push_critical(data: &[u8], out: &mut String) -> Option<()> {
    let [part] = data else { return None };
    let part = usize::from(*part).checked_sub(1).and_then(|part| PARTS.get(part))?;
    write!(out, "[%cbh critical {part}]").ok()
}

pub(super) fn parse_critical(text: &str, data: &mut Vec<u8>) -> Option<u8> {
    let (number, _) = (1..).zip(PARTS).find(|(_, part)| *part == text)?;
    data.push(number);
    Some(item::CRITICAL)
}

/// Appends a colour. Stored as flags, blue, green, red; written as red, green, blue, flags.
pub(super) fn push_colour(data: &[u8], out: &mut String) -> Option<()> {
    let [flags, blue, green, red] = data else { return None };
    write!(out, "[%cbh colour {red:02x}{green:02x}{blue:02x}").ok()?;
    if *flags != 0 {
        write!(out, " {flags}").ok()?;
    }
    out.push(']');
    Some(())
}

pub(super) fn parse_colour(text: &str, data: &mut Vec<u8>) -> Option<u8> {
    let (colour, flags) = text.split_once(' ').unwrap_or((text, "0"));
    if colour.len() != 6 {
        return None;
    }
    let [_, red, green, blue] = u32::from_str_radix(colour, 16).ok()?.to_be_bytes();
    data.extend_from_slice(&[flags.parse().ok()?, blue, green, red]);
    Some(item::VARIATION_COLOUR)
}

/// Appends a web link: the size of the data, an address and a caption.
///
/// Only links of plain characters have a named command.
pub(super) fn push_link(data: &[u8], out: &mut String) -> Option<()> {
    let (size, rest) = data.split_first_chunk::<2>()?;
    if usize::from(u16::from_le_bytes(*size)) != data.len() {
        return None;
    }
    let (length, rest) = rest.split_first()?;
    let (address, rest) = rest.split_at_checked(usize::from(*length))?;
    let (length, caption) = rest.split_first()?;
    let plain = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b']' | b'{' | b'}');
    let sound = usize::from(*length) == caption.len()
        && !address.is_empty()
        && !address.contains(&b' ')
        && address.iter().chain(caption).all(plain)
        && !caption.starts_with(b" ");
    let address = std::str::from_utf8(address).ok().filter(|_| sound)?;
    write!(out, "[%cbh link {address}").ok()?;
    if !caption.is_empty() {
        write!(out, " {}", std::str::from_utf8(caption).ok()?).ok()?;
    }
    out.push(']');
    Some(())
}

pub(super) fn parse_link(text: &str, data: &mut Vec<u8>) -> Option<u8> {
    let (address, caption) = text.split_once(' ').unwrap_or((text, ""));
    let size = address.len().checked_add(caption.len())?.checked_add(4)?;
    data.extend_from_slice(&u16::try_from(size).ok()?.to_le_bytes());
    for part in [address, caption] {
        data.push(u8::try_from(part.len()).ok()?);
        data.extend_from_slice(part.as_bytes());
    }
    Some(item::WEB_LINK)
}
