//! Writes the C header to standard output.

use std::error::Error;
use std::io::Write as _;
use std::path::Path;

/// The types of parameters that are pointers in C, and what C calls them.
const POINTERS: [(&str, &str); 3] = [
    ("ScoresheetCText ", "const char *"),
    ("ScoresheetCNumbers ", "const uint64_t *"),
    ("ScoresheetCBytes ", "const uint8_t *"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml"))?;
    let builder = cbindgen::Builder::new().with_config(config).with_src(root.join("src/lib.rs"));
    let mut header = Vec::new();
    builder.generate()?.write(&mut header);
    let mut text = String::from_utf8(header)?;
    for (name, pointer) in POINTERS {
        text = text.replace(name, pointer);
    }
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
