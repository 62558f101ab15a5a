//! Parquet's RLE/bit-packing hybrid encoding.

use chess_store::field_size;

/// The maximum number of values packed under one header, so that the header fits one byte.
const PACKED: usize = 63 * GROUP;
/// Values are packed in groups of eight.
const GROUP: usize = 8;
/// The minimum number of equal values that are written as a run.
const RUN: usize = 24;

/// One-bit levels, as runs of equal levels.
#[derive(Debug, Default)]
pub(crate) struct Levels {
    bytes: Vec<u8>,
    value: u8,
    run: usize,
}

impl Levels {
    #[inline]
    pub(crate) fn push(&mut self, value: u8, count: usize) {
        if count == 0 {
            return;
        }
        if value != self.value {
            self.end_run();
            self.value = value;
        }
        self.run = self.run.saturating_add(count);
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        if run > 0 {
            push_head(run, &mut self.bytes);
            self.bytes.push(self.value);
        }
    }

    /// Appends all levels after their length, and clears them.
    pub(crate) fn write(&mut self, out: &mut Vec<u8>) {
        self.end_run();
        let length: u32 = field_size(self.bytes.len(), "a page holds a limited number of rows");
        out.extend_from_slice(&length.to_le_bytes());
        out.append(&mut self.bytes);
    }
}

/// Appends values of `width` bits each: long runs of one value as runs, and the values between them
/// bit-packed.
pub(crate) fn mix(values: &[u16], width: u32, out: &mut Vec<u8>) {
    let (mut packed, mut rest) = (0usize, values);
    while let [value, ..] = rest {
        // A shorter run does not justify its own header.
        let run = rest.iter().take_while(|other| *other == value).count();
        let (taken, after) = rest.split_at(if run < RUN { GROUP.min(rest.len()) } else { run });
        rest = after;
        if run < RUN {
            packed = packed.wrapping_add(taken.len());
            continue;
        }
        let before = values.len().wrapping_sub(rest.len()).wrapping_sub(run);
        let stretch = before.wrapping_sub(std::mem::take(&mut packed))..before;
        pack(values.get(stretch).unwrap_or_default(), width, out);
        push_head(run, out);
        out.extend(value.to_le_bytes().iter().take(if width > 8 { 2 } else { 1 }));
    }
    pack(values.get(values.len().wrapping_sub(packed)..).unwrap_or_default(), width, out);
}

/// Appends the header of a run of equal values.
fn push_head(run: usize, out: &mut Vec<u8>) {
    let mut head = run.wrapping_shl(1);
    while head > 0x7f {
        out.push(head.to_le_bytes().first().copied().unwrap_or(0) | 0x80);
        head >>= 7;
    }
    out.push(head.to_le_bytes().first().copied().unwrap_or(0));
}

/// Returns the number of bits for an index below `places`, at least one.
pub(crate) fn width(places: usize) -> u32 {
    places.saturating_sub(1).checked_ilog2().map_or(1, |log| log.saturating_add(1))
}

/// Appends values of `width` bits each.
pub(crate) fn pack(values: &[u16], width: u32, out: &mut Vec<u8>) {
    let bytes = usize::try_from(width).unwrap_or(0);
    for run in values.chunks(PACKED) {
        let groups = u8::try_from(run.len().div_ceil(GROUP)).unwrap_or(0);
        out.push(groups << 1 | 1);
        let (whole, rest) = run.as_chunks::<GROUP>();
        let mut last = [0; GROUP];
        last.iter_mut().zip(rest).for_each(|(to, value)| *to = *value);
        for group in whole.iter().chain((!rest.is_empty()).then_some(&last)) {
            let end = out.len().wrapping_add(bytes);
            out.extend_from_slice(&joined(group, width).to_le_bytes());
            out.truncate(end);
        }
    }
}

/// Joins eight values; the first has the lowest bits.
#[inline]
fn joined(values: &[u16; GROUP], width: u32) -> u128 {
    let half = |values: &[u16]| {
        values.iter().rev().fold(0u64, |bits, value| bits.wrapping_shl(width) | u64::from(*value))
    };
    let (low, high) = values.split_at(GROUP / 2);
    u128::from(half(high)).wrapping_shl(width.wrapping_mul(4)) | u128::from(half(low))
}

/// Packs the group of value `changed` again. That value has changed since all values were
/// [packed](pack).
pub(crate) fn repack(values: &[u16], changed: usize, width: u32, packed: &mut [u8]) {
    let bytes = usize::try_from(width).unwrap_or(0);
    let (run, group) = (changed / PACKED, changed % PACKED / GROUP);
    let whole_run = bytes.wrapping_mul(PACKED / GROUP).wrapping_add(1);
    let start = run.wrapping_mul(whole_run).wrapping_add(1).wrapping_add(group.wrapping_mul(bytes));
    let mut eight = [0; GROUP];
    let around = values.iter().skip(changed.wrapping_sub(changed % GROUP));
    eight.iter_mut().zip(around).for_each(|(to, value)| *to = *value);
    let to = packed.get_mut(start..).unwrap_or_default().iter_mut().take(bytes);
    to.zip(joined(&eight, width).to_le_bytes()).for_each(|(to, byte)| *to = byte);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_write_runs_of_equal_levels_are_joined() {
        let (mut levels, mut out) = (Levels::default(), Vec::new());
        levels.push(0, 1);
        levels.push(1, 63);
        levels.push(1, 1);
        levels.push(0, 1);
        levels.push(1, 0);
        levels.push(0, 1);
        levels.write(&mut out);
        assert_eq!(out, [7, 0, 0, 0, 2, 0, 0x80, 1, 1, 4, 0]);
        out.clear();
        levels.write(&mut out);
        assert_eq!(out, [0; 4]);
    }

    #[test]
    fn pack_matches_the_specification() {
        // The example of the specification: 0 to 7 in three bits each.
        let mut out = Vec::new();
        pack(&[0, 1, 2, 3, 4, 5, 6, 7], 3, &mut out);
        assert_eq!(out, [3, 0b1000_1000, 0b1100_0110, 0b1111_1010]);
        out.clear();
        pack(&[1; 505], 1, &mut out);
        assert_eq!((out.len(), out[0], out[64], out[65]), (1 + 63 + 2, 127, 3, 1));
        out.clear();
        pack(&[u16::MAX; 3], 16, &mut out);
        assert_eq!(out[..7], [3, 255, 255, 255, 255, 255, 255]);
        assert_eq!(out[7..], [0; 10]);
    }

    #[test]
    fn repack_changed_values_equals_pack() {
        let mut values: Vec<u16> = (0..1_239).map(|n| n % 501).collect();
        for width in [9, 11, 16] {
            let mut packed = Vec::new();
            pack(&values, width, &mut packed);
            for changed in [0, 7, 8, 503, 504, 1_007, 1_008, 1_231, 1_238] {
                values[changed] ^= 5;
                repack(&values, changed, width, &mut packed);
            }
            let mut expected = Vec::new();
            pack(&values, width, &mut expected);
            assert_eq!(packed, expected);
        }
    }

    /// Decodes the values like a reader.
    fn unmix(mut bytes: &[u8], width: usize) -> Vec<u16> {
        let mut values = Vec::new();
        while !bytes.is_empty() {
            let (mut head, mut shift) = (0usize, 0);
            loop {
                head |= usize::from(bytes[0] & 0x7f) << shift;
                shift += 7;
                let more = bytes[0] & 0x80 != 0;
                bytes = &bytes[1..];
                if !more {
                    break;
                }
            }
            let count = head >> 1;
            if head & 1 == 0 {
                let size = width.div_ceil(8);
                let value =
                    bytes[..size].iter().rev().fold(0, |value, byte| value << 8 | u16::from(*byte));
                values.extend(std::iter::repeat_n(value, count));
                bytes = &bytes[size..];
            } else {
                let bit = |at: usize| u16::from(bytes[at / 8] >> (at % 8) & 1);
                let value = |at: usize| (0..width).map(|n| bit(at * width + n) << n).sum::<u16>();
                values.extend((0..count * 8).map(value));
                bytes = &bytes[count * width..];
            }
        }
        values
    }

    #[test]
    fn mix_runs_and_packed_values_decode_equal() {
        let run = |value: u16, count: usize| vec![value; count];
        let ragged = |count: u16| (0..count).map(|n| n * 7 % 5).collect::<Vec<_>>();
        for values in [
            vec![],
            run(0, 1),
            run(3, 20_000),
            [run(1, 25), ragged(9), run(2, 300), ragged(1)].concat(),
            [ragged(999), run(4, 23), run(0, 24), ragged(17), run(1, 99)].concat(),
            [ragged(3), run(2, 29)].concat(),
        ] {
            for width in [3, 8, 9, 11, 16] {
                let mut out = Vec::new();
                mix(&values, width, &mut out);
                let read = unmix(&out, width as usize);
                assert_eq!(read[..values.len()], values[..], "{width}");
                assert!(read.len() < values.len() + 8);
                assert!(values.len() < 20_000 || out.len() <= 5, "one run is enough");
            }
        }
    }

    #[test]
    fn width_is_bits_of_largest_index() {
        let widths = [0, 1, 2, 3, 4, 5, 1 << 11, (1 << 11) + 1, 1 << 16].map(width);
        assert_eq!(widths, [1, 1, 1, 2, 2, 3, 11, 12, 16]);
    }
}
