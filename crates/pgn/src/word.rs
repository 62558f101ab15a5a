//! Short strings in a register.

/// A string of up to eight ASCII characters; the first is the lowest byte.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Word {
    text: u64,
    bits: u32,
}

impl Word {
    /// Makes a word of the lowest `len` bytes of `text`.
    #[inline]
    pub(crate) const fn new(text: u64, len: u32) -> Word {
        Word { text, bits: len << 3 }
    }

    /// Appends a character.
    #[inline]
    pub(crate) fn push(&mut self, byte: u8) {
        self.push_if(true, byte);
    }

    /// Appends a character if `so` is true, without a branch.
    #[inline]
    pub(crate) fn push_if(&mut self, so: bool, byte: u8) {
        self.text |= u64::from(byte).wrapping_mul(u64::from(so)) << (self.bits & 63);
        self.bits = self.bits.wrapping_add(u32::from(so) << 3);
    }

    /// Prepends a character. The word must have at most seven.
    #[inline]
    pub(crate) fn after(self, byte: u8) -> Word {
        Word { text: self.text << 8 | u64::from(byte), bits: self.bits.wrapping_add(8) }
    }

    #[inline]
    pub(crate) const fn len(self) -> usize {
        (self.bits >> 3) as usize
    }

    /// Returns the characters, padded with zeros.
    #[inline]
    pub(crate) const fn padded(self) -> [u8; 8] {
        self.text.to_le_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_push_and_after_keep_order() {
        let mut word = Word::new(u64::from(b'N'), 1);
        word.push_if(false, b'b');
        word.push(b'd');
        word.push_if(true, b'2');
        assert_eq!((word.padded(), word.len()), (*b"Nd2\0\0\0\0\0", 3));
        assert_eq!((word.after(b' ').padded(), word.after(b' ').len()), (*b" Nd2\0\0\0\0", 4));
    }
}
