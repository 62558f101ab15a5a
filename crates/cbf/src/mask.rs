//! The mask on headers, names and moves. cbf §3 "Record header", §4.1 "Mask", §5.1 "Mask"

/// Puts a mask on the first bytes of a section, or takes it off. The section has `length` bytes,
/// of which the file may lack the last ones. `key` is the mask of the last byte; going back, that
/// of each byte is `factor` times that of the one after it.
pub(crate) fn mask(bytes: &mut [u8], length: usize, key: u8, factor: u8) {
    // The low byte is enough: an odd factor to the power of 256 is 1, modulo 256.
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

    /// What the file cuts off has the mask it would have with the rest there.
    #[test]
    fn a_cut_section() {
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
