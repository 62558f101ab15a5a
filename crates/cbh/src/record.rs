//! The record of a game in the `.cbg`.

use nom::number::complete::be_u32;

use crate::layout::{RECORD_MODE, RECORD_SETUP, RECORD_TEXT};

/// The four bytes before the contents of a record.
// cbh §4.1 "Header and record"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RecordHeader {
    pub(crate) flags: u8,
    /// The size of the record in bytes, header included.
    pub(crate) size: u32,
}

/// The size of a [`RecordHeader`] in bytes.
pub(crate) const RECORD_HEADER: usize = 4;

/// Parses the header of a record. Returns `None` if there are too few bytes.
pub(crate) fn parse_record_header(bytes: &[u8]) -> Option<RecordHeader> {
    let (_, word) = be_u32::<_, nom::error::Error<&[u8]>>(bytes).ok()?;
    let flags = u8::try_from(word >> 24).ok()?;
    Some(RecordHeader { flags, size: word & 0xff_ffff })
}

impl RecordHeader {
    /// Encodes the header. The size must fit three bytes.
    pub(crate) fn encode(self) -> [u8; RECORD_HEADER] {
        let [_, a, b, c] = self.size.to_be_bytes();
        [self.flags, a, b, c]
    }

    pub(crate) fn is_text(self) -> bool {
        self.flags & RECORD_TEXT != 0
    }

    pub(crate) fn has_setup(self) -> bool {
        self.flags & RECORD_SETUP != 0
    }

    pub(crate) fn mode(self) -> u8 {
        self.flags & RECORD_MODE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_header_example_round_trips() {
        #[rustfmt::skip]
        let bytes = [
            0x4a,             // a position follows, mode 10
            0x00, 0x01, 0x02, // 258 bytes
        ];
        let header = parse_record_header(&bytes).unwrap();
        assert!(header.has_setup() && !header.is_text());
        assert_eq!((header.mode(), header.size, header.encode()), (10, 258, bytes));
        assert_eq!(parse_record_header(&bytes[..3]), None);
    }
}
