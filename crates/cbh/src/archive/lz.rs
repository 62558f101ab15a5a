//! LZ blocks: literals, runs and copies.

/// The maximum distance of a copy in bytes.
pub(super) const WINDOW: usize = 4098;

/// The maximum unpacked size of a block. No block of 65,535 bytes of copies exceeds it.
const MOST: usize = 1 << 24;

/// A cursor over the input.
struct Input<'a> {
    rest: &'a [u8],
}

impl Input<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*byte)
    }
}

/// Appends the decoded data to `window`, which holds the preceding data. Returns `None` on damage.
// cbh §9.4 "Copies"
pub(super) fn decode(bytes: &[u8], window: &mut Vec<u8>) -> Option<()> {
    let mut input = Input { rest: bytes };
    let most = window.len().checked_add(MOST)?;
    while !input.rest.is_empty() {
        // A single byte at the end is a literal.
        let Some((low, rest)) = input.rest.split_first_chunk::<2>() else {
            window.push(input.byte()?);
            break;
        };
        input.rest = rest;
        let control = u16::from_le_bytes(*low);
        for bit in (0..16).rev() {
            if input.rest.is_empty() {
                return Some(());
            }
            if control >> bit & 1 == 0 {
                window.push(input.byte()?);
            } else {
                token(&mut input, window)?;
            }
            if window.len() > most {
                return None;
            }
        }
    }
    Some(())
}

fn token(input: &mut Input<'_>, window: &mut Vec<u8>) -> Option<()> {
    let token = input.byte()?;
    let (high, low) = (token >> 4, usize::from(token & 15));
    let mut byte = || input.byte().map(usize::from);
    let far = |x: usize| x.checked_mul(16)?.checked_add(low)?.checked_add(3);
    match high {
        0 => {
            let letter = u8::try_from(byte()?).ok()?;
            window.resize(window.len().checked_add(low)?.checked_add(3)?, letter);
        }
        1 => {
            let count = far(byte()?)?.checked_add(16)?;
            let letter = u8::try_from(byte()?).ok()?;
            window.resize(window.len().checked_add(count)?, letter);
        }
        2 => {
            let distance = far(byte()?)?;
            let count = byte()?.checked_add(16)?;
            copy(distance, count, window)?;
        }
        count => copy(far(byte()?)?, usize::from(count), window)?,
    }
    Some(())
}

/// Copies within the window. The source may overlap the destination.
fn copy(distance: usize, count: usize, window: &mut Vec<u8>) -> Option<()> {
    let start = window.len().checked_sub(distance)?;
    for at in start..start.checked_add(count)? {
        window.push(window.get(at).copied()?);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Option<String> {
        let mut window = Vec::new();
        decode(bytes, &mut window)?;
        String::from_utf8(window).ok()
    }

    #[test]
    fn lz_decode_all_tokens_returns_bytes() {
        #[rustfmt::skip]
        let bytes = [
            0x00, 0b0001_1110,  // three letters, four tokens, then letters
            b'a', b'b', b'c',
            0x30, 0x00,         // copy 3 from 3 back
            0x01, b'x',         // 4 times x
            0x11, 0x01, b'y',   // 36 times y
            0x20, 0x02, 0x00,   // copy 16 from 35 back
            b'z',
        ];
        let expected = format!("abcabcxxxx{}{}z", "y".repeat(36), "y".repeat(16));
        assert_eq!(decoded(&bytes).as_deref(), Some(&*expected));
        assert_eq!(decoded(b"q").as_deref(), Some("q"));
        assert_eq!(decoded(&[0x00, 0x80, 0x30, 0x00]), None, "nothing to copy");
        assert_eq!(decoded(&[0x00, 0x80, 0x20, 0x00]), None, "a token is cut");
        assert_eq!(decoded(&[]).as_deref(), Some(""));
    }
}
