//! The XOR mask of headers, names and moves. cbf §3 "Record header", §4.1 "Mask", §5.1 "Mask"

/// Masks or unmasks `bytes`, the start of a section of `length` bytes. The file may truncate the
/// section. `key` is the mask of the section's last byte. Each earlier byte has the mask of the next
/// byte times `factor`.
pub(crate) fn mask(bytes: &mut [u8], length: usize, key: u8, factor: u8) {
    // The low byte suffices: an odd factor to the power of 256 is 1 modulo 256.
    let [missing, ..] = length.saturating_sub(bytes.len()).to_le_bytes();
    let mut key = key.wrapping_mul(factor.wrapping_pow(missing.into()));
    for byte in bytes.iter_mut().rev() {
        *byte ^= key;
        key = key.wrapping_mul(factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of a truncated section have the same masks as in the whole section.
    #[test]
    fn mask_truncated_section_equals_prefix_of_whole() {
        let whole: Vec<u8> = {
            let mut zeros = vec![0; 1000];
            mask(&mut zeros, 1000, 101, 7);
            zeros
        };
        assert_eq!(whole[998..], [101u8.wrapping_mul(7), 101]);
        for found in [0, 1, 10, 743, 744, 745, 999] {
            let mut zeros = vec![0; found];
            mask(&mut zeros, 1000, 101, 7);
            assert_eq!(zeros, whole[..found], "{found}");
        }
    }
}
