//! Huffman-coded blocks: code lengths and codes come first, then the data.

/// The maximum code length in bits.
const MAX_BITS: u32 = 15;

/// Reads bits, most significant first.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    /// Returns the next bits without consuming them. Bits past the end are zero.
    fn peek(&self, count: u32) -> u32 {
        let byte = |index: usize| {
            let at = (self.at / 8).saturating_add(index);
            u32::from(self.bytes.get(at).copied().unwrap_or(0))
        };
        let word = byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
        let left = u32::try_from(self.at % 8).unwrap_or(0);
        let shifted = word << left;
        shifted.checked_shr(32u32.saturating_sub(count)).unwrap_or(0)
    }

    /// Consumes bits. Returns `None` past the end.
    fn take(&mut self, count: u32) -> Option<u32> {
        let value = self.peek(count);
        self.skip(count)?;
        Some(value)
    }

    fn skip(&mut self, count: u32) -> Option<()> {
        self.at = self.at.checked_add(usize::try_from(count).ok()?)?;
        (self.at <= self.bytes.len().checked_mul(8)?).then_some(())
    }
}

/// Decodes `payload` into `out`, which is cleared first. Returns `None` if the payload is damaged.
// cbh §9.3 "Huffman codes"
pub(super) fn decode(payload: &[u8], out: &mut Vec<u8>) -> Option<()> {
    out.clear();
    let mut bits = Bits { bytes: payload, at: 0 };
    let length = usize::try_from(bits.take(16)?).ok()?;
    let mut codes = [(0u32, 0u32); 256];
    let mut longest = 1;
    for code in &mut codes {
        let size = bits.take(4)?;
        *code = (size, bits.take(size)?);
        longest = longest.max(size);
    }
    debug_assert!(longest <= MAX_BITS);
    // Maps each possible prefix to its symbol and the length of its code.
    let mut table = vec![(0u8, 0u8); 1 << longest];
    for ((size, code), letter) in codes.iter().zip(0u8..=255).filter(|((size, _), _)| *size > 0) {
        let shift = longest.checked_sub(*size)?;
        let first = usize::try_from(code << shift).ok()?;
        let end = first.checked_add(1 << shift)?;
        for place in table.get_mut(first..end)? {
            *place = (letter, u8::try_from(*size).ok()?);
        }
    }
    while out.len() < length {
        let next = usize::try_from(bits.peek(longest)).ok()?;
        let (letter, size) = table.get(next).copied()?;
        if size == 0 {
            return None;
        }
        bits.skip(u32::from(size))?;
        out.push(letter);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds a payload with codes `0` for a, `10` for b, `11` for c.
    fn payload(length: u16, codes: &str) -> Vec<u8> {
        let mut bits = format!("{length:016b}");
        for letter in 0..=255u8 {
            bits.push_str(match letter {
                b'a' => "00010",
                b'b' => "001010",
                b'c' => "001011",
                _ => "0000",
            });
        }
        bits.push_str(codes);
        let bits: Vec<u8> = bits.bytes().map(|bit| bit & 1).collect();
        let byte = |bits: &[u8]| (0..8).fold(0, |byte, i| byte << 1 | bits.get(i).unwrap_or(&0));
        bits.chunks(8).map(byte).collect()
    }

    #[test]
    fn huffman_decode_returns_symbols() {
        let mut out = Vec::new();
        decode(&payload(5, "01011100"), &mut out).unwrap();
        assert_eq!(out, b"abcba");
        assert_eq!(decode(&payload(500, "01011100"), &mut out), None);
        let whole = payload(5, "01011100");
        assert_eq!(decode(&whole[..20], &mut out), None);
        assert_eq!(decode(&[], &mut out), None);
        assert_eq!(decode(&[0, 1], &mut out), None);
    }
}
