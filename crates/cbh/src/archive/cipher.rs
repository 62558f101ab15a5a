//! Encrypted archives: DES in ECB mode, each eight bytes on their own.

use std::fmt;
use std::io;

use chess_store::io::ReadAt;
use des::Des;
use des::cipher::{Array, BlockCipherDecrypt, KeyInit};

/// The cipher block size in bytes.
const BLOCK: u64 = 8;

/// An encrypted file that is decrypted on read.
pub(super) struct Decrypted<R> {
    file: R,
    cipher: Des,
}

impl<R> Decrypted<R> {
    pub(super) fn new(file: R, password: &str) -> Decrypted<R> {
        Decrypted { file, cipher: Des::new(&Array::from(key(password))) }
    }
}

impl<R> fmt::Debug for Decrypted<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Decrypted")
    }
}

/// Derives the key from a password in Windows-1252.
///
/// Eight bytes are used as they are, fewer are repeated, and more are folded.
// cbh §9.5 "Encryption"
fn key(password: &str) -> [u8; 8] {
    let bytes = crate::annotations::text::encode_name(password);
    let mut key = [0u8; 8];
    if bytes.len() <= key.len() {
        key.iter_mut().zip(bytes.iter().cycle()).for_each(|(place, byte)| *place = *byte);
        return key;
    }
    for (index, byte) in bytes.iter().enumerate() {
        if let Some(place) = key.get_mut(index % 8) {
            *place = place.wrapping_mul(2) ^ byte;
        }
    }
    key
}

impl<R: ReadAt> ReadAt for Decrypted<R> {
    fn size(&self) -> io::Result<u64> {
        self.file.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let first = offset.checked_div(BLOCK).unwrap_or(0).saturating_mul(BLOCK);
        let skip = usize::try_from(offset.saturating_sub(first)).unwrap_or(0);
        let (mut bytes, mut done) = ([0; 4096], 0);
        let count = self.file.read_full(first, &mut bytes)?;
        for block in bytes.get_mut(..count).unwrap_or_default().chunks_exact_mut(8) {
            let Ok(block) = <&mut [u8; 8]>::try_from(block) else { continue };
            let mut array = Array::from(*block);
            self.cipher.decrypt_block(&mut array);
            *block = array.into();
        }
        let there = bytes.get(skip..count).unwrap_or_default();
        for (place, byte) in buffer.iter_mut().zip(there) {
            *place = *byte;
            done = usize::saturating_add(done, 1);
        }
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_password_lengths_match_specification() {
        assert_eq!(key("password"), *b"password");
        assert_eq!(key("pass"), *b"passpass");
        assert_eq!(key("abcdefghi"), [(b'a' * 2) ^ b'i', b'b', b'c', b'd', b'e', b'f', b'g', b'h']);
        assert_eq!(key(""), [0; 8]);
    }
}
