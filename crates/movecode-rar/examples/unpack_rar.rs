//! Prints the files in a RAR archive with their contents, as `unrar p` does.
//!
//! ```console
//! $ cargo run --example unpack_rar
//! hello.txt: hello
//! complete
//! $ cargo run --example unpack_rar fixtures/movecode/bad_rar/base.jose
//! damaged, encrypted or too large
//! ```

use std::io::{self, Cursor, Write};

/// An archive of one stored file.
#[rustfmt::skip]
const ARCHIVE: &[u8] = &[
    0x52, 0x61, 0x72, 0x21, 0x1a, 0x07, 0x00, 0xcf, 0x90, 0x73, 0x00, 0x00, 0x0d, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x83, 0x0d, 0x74, 0x00, 0x80, 0x29, 0x00, 0x06, 0x00, 0x00, 0x00, 0x06,
    0x00, 0x00, 0x00, 0x02, 0x20, 0x30, 0x3a, 0x36, 0x00, 0x00, 0x21, 0x5a, 0x14, 0x30, 0x09, 0x00,
    0x20, 0x00, 0x00, 0x00, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x2e, 0x74, 0x78, 0x74, 0x68, 0x65, 0x6c,
    0x6c, 0x6f, 0x0a, 0xc4, 0x3d, 0x7b, 0x00, 0x40, 0x07, 0x00,
];

/// Prints what is written to it.
struct Printed;

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        print!("{}", String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let archive = match std::env::args().nth(1) {
        Some(path) => std::fs::read(path)?,
        None => ARCHIVE.to_vec(),
    };
    let limit = 1 << 20;
    let is_whole = movecode_rar::unpack(Box::new(Cursor::new(archive)), limit, &mut |name| {
        print!("{}: ", String::from_utf8_lossy(name));
        Some(Box::new(Printed))
    });
    println!("{}", if is_whole { "complete" } else { "damaged, encrypted or too large" });
    Ok(())
}
