//! Decodes bytes of an old code page to UTF-8, as `printf 'K\x94ln' | iconv -f CP850 -t UTF-8`
//! does. The bytes are given in hexadecimal.
//!
//! ```console
//! $ cargo run --example decode_text cp850 4b946c6e
//! Köln
//! $ cargo run --example decode_text windows-1252 4df56c6c6572
//! Mõller
//! $ cargo run --example decode_text windows-1252 4bc3b66c6e
//! Köln
//! ```

use chess_store::{Encoding, TextDecoder};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [label, digits] = arguments.as_slice() else {
        return Err("usage: decode_text ENCODING HEX".into());
    };
    let encoding = Encoding::from_label(label).ok_or("no such encoding")?;
    let digit_pairs = digits.as_bytes().chunks(2).map(std::str::from_utf8);
    let bytes: Vec<u8> = digit_pairs
        .map(|pair| Ok(u8::from_str_radix(pair?, 16)?))
        .collect::<Result<_, Box<dyn std::error::Error>>>()?;
    // Programs changed to UTF-8 while their files stayed, so valid UTF-8 takes precedence.
    println!("{}", TextDecoder::utf8_or(encoding).decode(&bytes));
    Ok(())
}
