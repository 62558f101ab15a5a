//! Checks the counts in pages of deltas, before the parquet crate decodes them.
//!
//! A sequence of deltas begins with its number of values, which the parquet crate allocates on
//! trust. All numbers are of seven bits a byte:
//!
//! ```text
//! sequence:  size of block | parts of a block | number of values | first value | block | ...
//! block:     least delta | bits of each part, a byte each | the deltas of each part
//! page:      lengths | texts                  (DELTA_LENGTH_BYTE_ARRAY)
//!            shared lengths | lengths | texts (DELTA_BYTE_ARRAY)
//! ```

use parquet::basic::Encoding;
use parquet::column::page::Page;
use parquet::schema::types::ColumnDescriptor;

use crate::pages::varint;

/// The largest block. The format has no limit; writers choose 128 or 256.
const MAX_IN_BLOCK: u64 = 1 << 20;

/// Checks a page of the column. Returns `None` if a sequence of deltas claims more values than the
/// page.
pub(crate) fn check(page: &Page, column: &ColumnDescriptor) -> Option<()> {
    let sequences = match page.encoding() {
        Encoding::DELTA_BINARY_PACKED | Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
        Encoding::DELTA_BYTE_ARRAY => 2,
        _ => return Some(()),
    };
    let bytes = page.buffer();
    let mut rest = match page {
        Page::DataPage { def_level_encoding, rep_level_encoding, .. } => {
            let mut rest: &[u8] = bytes;
            for (level, encoding) in [
                (column.max_rep_level(), rep_level_encoding),
                (column.max_def_level(), def_level_encoding),
            ] {
                if level > 0 {
                    let (length, levels) = rest.split_first_chunk()?;
                    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
                    rest = levels.get(length..).filter(|_| *encoding == Encoding::RLE)?;
                }
            }
            rest
        }
        Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
            let length = def_levels_byte_len.checked_add(*rep_levels_byte_len)?;
            bytes.get(usize::try_from(length).ok()?..)?
        }
        Page::DictionaryPage { .. } => return None,
    };
    // A page without values has no sequence.
    if rest.is_empty() {
        return Some(());
    }
    (0..sequences).try_for_each(|_| skip_sequence(&mut rest, page.num_values().into()))
}

/// Skips a sequence of at most `most` values.
fn skip_sequence(bytes: &mut &[u8], most: u64) -> Option<()> {
    let (block, parts, count) = (varint(bytes)?, varint(bytes)?, varint(bytes)?);
    varint(bytes)?;
    let in_part = block.checked_div(parts)?;
    if count > most || block > MAX_IN_BLOCK {
        return None;
    }
    let mut left = count.saturating_sub(1);
    while left > 0 {
        varint(bytes)?;
        let (widths, mut deltas) = bytes.split_at_checked(usize::try_from(parts).ok()?)?;
        for width in widths {
            if left > 0 {
                let length = in_part.checked_mul(u64::from(*width))? / 8;
                // The last part of a page may end early.
                let length = usize::try_from(length).ok()?.min(deltas.len());
                deltas = deltas.get(length..)?;
            }
            left = left.saturating_sub(in_part.max(1));
        }
        *bytes = deltas;
        if widths.is_empty() {
            return None;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skip_sequence_ends_behind_its_blocks() {
        // Blocks of 128 in 4 parts, 40 values from 1 on; deltas of 2 bits in the first two parts.
        let head = [0x80, 1, 4, 40, 2, 0, 2, 2, 9, 9];
        let mut bytes = [&head[..], &[0; 16], b"rest"].concat();
        let mut rest = bytes.as_slice();
        assert_eq!(skip_sequence(&mut rest, 40), Some(()));
        assert_eq!(rest, b"rest");
        assert_eq!(skip_sequence(&mut bytes.as_slice(), 39), None);
        // No parts, and a huge block.
        bytes[2] = 0;
        assert_eq!(skip_sequence(&mut bytes.as_slice(), 40), None);
        assert_eq!(skip_sequence(&mut [0x80, 0x80, 0x80, 1, 4, 40, 2].as_slice(), 40), None);
    }

    #[test]
    fn skip_sequence_of_one_value_has_no_block() {
        let mut rest = [0x80, 1, 4, 1, 2, 7].as_slice();
        assert_eq!(skip_sequence(&mut rest, 1), Some(()));
        assert_eq!(rest, [7]);
    }
}
