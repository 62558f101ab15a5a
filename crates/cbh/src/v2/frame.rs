//! The frame of a record in `.2cbg` and `.2cba`: mark, sizes, checksum, tag, content, spare bytes.

use super::layout::{FRAME_MARK, FRAME_SIZE, FRAME_START, TAG_ANNOTATIONS};

/// The start of a record.
// cbh2 §4.1 "Header and record"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    /// The size of the content in bytes.
    pub(crate) size: u32,
    /// The number of spare bytes after the content.
    pub(crate) spare: u32,
    pub(crate) checksum: u64,
    pub(crate) tag: [u8; 2],
}

/// Parses the start of a record. Returns `None` if it is too short, has another mark, or a negative
/// size.
pub(crate) fn parse_frame(bytes: &[u8]) -> Option<Frame> {
    let start = bytes.first_chunk::<FRAME_START>()?;
    let [mark @ .., s1, s2, s3, s4, p1, p2, p3, p4, c1, c2, c3, c4, c5, c6, c7, c8, t1, t2] =
        *start;
    let size = |bytes| u32::try_from(i32::from_le_bytes(bytes)).ok();
    let frame = Frame {
        size: size([s1, s2, s3, s4])?,
        spare: size([p1, p2, p3, p4])?,
        checksum: u64::from_be_bytes([c1, c2, c3, c4, c5, c6, c7, c8]),
        tag: [t1, t2],
    };
    (mark == FRAME_MARK).then_some(frame)
}

impl Frame {
    /// Returns the size of the whole record.
    pub(crate) fn whole(&self) -> u64 {
        let content = u64::from(self.size).saturating_add(u64::from(self.spare));
        content.saturating_add(FRAME_SIZE as u64)
    }
}

/// Appends a record without spare bytes. Returns `false` if the content is too long.
pub(crate) fn encode_frame(tag: [u8; 2], content: &[u8], out: &mut Vec<u8>) -> bool {
    let start = start_frame(out);
    out.extend_from_slice(content);
    end_frame(start, tag, out)
}

/// Starts a record without spare bytes. The content is appended next, and [`end_frame`] completes the
/// record. So the content of a long game is not copied. Returns the place of the record.
pub(crate) fn start_frame(out: &mut Vec<u8>) -> usize {
    let start = out.len();
    out.extend_from_slice(&[0; FRAME_START]);
    start
}

/// Completes the record at `start`. Returns `false` if the content is too long.
pub(crate) fn end_frame(start: usize, tag: [u8; 2], out: &mut Vec<u8>) -> bool {
    let content = out.get(start.saturating_add(FRAME_START)..).unwrap_or_default();
    let (Ok(size), checksum) = (i32::try_from(content.len()), checksum(content)) else {
        return false;
    };
    let [s1, s2, s3, s4] = size.to_le_bytes();
    let [c1, c2, c3, c4, c5, c6, c7, c8] = checksum.to_be_bytes();
    let [t1, t2] = tag;
    let rest = [s1, s2, s3, s4, 0, 0, 0, 0, c1, c2, c3, c4, c5, c6, c7, c8, t1, t2];
    if let Some(place) = out.get_mut(start..).and_then(<[u8]>::first_chunk_mut::<FRAME_START>) {
        let (mark, others) = place.split_at_mut(FRAME_MARK.len());
        mark.copy_from_slice(&FRAME_MARK);
        others.copy_from_slice(&rest);
    }
    let whole = i64::from(size).saturating_add(FRAME_SIZE as i64);
    out.extend_from_slice(&whole.to_le_bytes());
    true
}

/// Returns the checksum of the content of a record.
///
/// The content is cut in eight parts of equal size; bytes after the last part do not count. Each
/// byte of the checksum, from the lowest, is the sum of the bytes of one part. Content of less than
/// eight bytes is its own checksum, as a little-endian number.
// cbh2 §4.1 "Header and record"
pub(crate) fn checksum(content: &[u8]) -> u64 {
    let mut sums = [0u8; 8];
    match content.len() / 8 {
        0 => sums.iter_mut().zip(content).for_each(|(sum, byte)| *sum = *byte),
        size => {
            for (sum, part) in sums.iter_mut().zip(content.chunks_exact(size)) {
                *sum = sum_of(part);
            }
        }
    }
    u64::from_le_bytes(sums)
}

/// Returns the sum of bytes. Adds eight bytes at once, each to its own sum.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "only the three lowest bits matter")]
fn sum_of(part: &[u8]) -> u8 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    let add = |sums: u64, bytes: u64| {
        // No carry reaches the next byte, because the high bits are added without one.
        (sums & LOW).wrapping_add(bytes & LOW) ^ ((sums ^ bytes) & !LOW)
    };
    let (chunks, rest) = part.as_chunks::<8>();
    let mut sums = chunks.iter().fold(0, |sums, chunk| add(sums, u64::from_le_bytes(*chunk)));
    match part.last_chunk() {
        // The last eight bytes, without the ones that are counted already.
        Some(last) if !rest.is_empty() => {
            let counted = (part.len() as u32).wrapping_neg() & 7;
            sums = add(sums, u64::from_le_bytes(*last).wrapping_shr(counted.wrapping_mul(8)));
        }
        Some(_) => {}
        None => return rest.iter().fold(0, |sum, byte| sum.wrapping_add(*byte)),
    }
    let pairs = (sums & EVEN).wrapping_add(sums >> 8 & EVEN);
    let [.., sum, _] = pairs.wrapping_mul(0x0001_0001_0001_0001).to_le_bytes();
    sum
}

/// The record of a game without annotations and spare bytes.
#[rustfmt::skip]
pub(crate) const EMPTY_ANNOTATIONS: [u8; 38] = [
    0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, // mark
    0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, // four bytes of content
    0x00, 0x00, 0x00, 0x00, 0x7f, 0xff, 0xff, 0xff, // checksum
    0x00, 0x20,                                     // annotations
    0xff, 0xff, 0xff, 0x7f,                         // the end
    0x26, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, // 38 bytes
];

/// The start of [`EMPTY_ANNOTATIONS`].
pub(crate) const EMPTY_FRAME: Frame =
    Frame { size: 4, spare: 0, checksum: 0x7fff_ffff, tag: TAG_ANNOTATIONS };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_example_round_trips() {
        #[rustfmt::skip]
        let bytes = [
            0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, // mark
            0x04, 0x00, 0x00, 0x00,                         // four bytes of content
            0x00, 0x00, 0x00, 0x00,                         // no spare bytes
            0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xfc, // checksum
            0x01, 0x00,                                     // a game
            0xfc, 0xff, 0xff, 0xff,                         // without moves
            0x26, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, // 38 bytes
        ];
        let frame = parse_frame(&bytes).unwrap();
        assert_eq!((frame.size, frame.spare, frame.tag, frame.whole()), (4, 0, [1, 0], 38));
        let mut again = Vec::new();
        assert!(encode_frame(frame.tag, &[0xfc, 0xff, 0xff, 0xff], &mut again));
        assert_eq!(again, bytes);
        assert_eq!(parse_frame(&bytes[..25]), None);
        assert_eq!(parse_frame(&bytes[1..]), None);
    }

    #[test]
    fn checksum_long_content_sums_eighths() {
        // Parts of two bytes. The last three bytes do not count.
        let content: Vec<u8> = (1..=16).chain([200, 201, 202]).collect();
        assert_eq!(checksum(&content), u64::from_le_bytes([3, 7, 11, 15, 19, 23, 27, 31]));
        assert_eq!(checksum(&[255; 16]), 0xfefe_fefe_fefe_fefe);
        assert_eq!(checksum(&[]), 0);
    }

    #[test]
    fn empty_annotations_match_the_encoder() {
        let mut out = Vec::new();
        let end = super::super::layout::BLOCKS_END.to_le_bytes();
        assert!(encode_frame(TAG_ANNOTATIONS, &end, &mut out));
        assert_eq!(out, EMPTY_ANNOTATIONS);
        assert_eq!(parse_frame(&EMPTY_ANNOTATIONS), Some(EMPTY_FRAME));
        assert_eq!(EMPTY_FRAME.whole(), EMPTY_ANNOTATIONS.len() as u64);
    }

    #[test]
    fn sum_of_any_length_equals_sum_of_bytes() {
        let bytes: Vec<u8> = (0..200u8).map(|number| number.wrapping_mul(151)).collect();
        for length in 0..bytes.len() {
            let part = &bytes[..length];
            let plain = part.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
            assert_eq!(sum_of(part), plain, "{length}");
        }
        assert_eq!(sum_of(&[0xff; 1024]), 0);
    }
}
