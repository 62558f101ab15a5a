//! Writes the C header to standard output.

use std::error::Error;
use std::io::Write as _;
use std::path::Path;

/// The types of parameters that C calls otherwise: pointers, and a structure of Arrow.
const NAMES: [(&str, &str); 4] = [
    ("ScoresheetCText ", "const char *"),
    ("ScoresheetCNumbers ", "const uint64_t *"),
    ("ScoresheetCBytes ", "const uint8_t *"),
    ("ScoresheetArrowArrayStream ", "struct ArrowArrayStream "),
];

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml"))?;
    let builder = cbindgen::Builder::new().with_config(config).with_src(root.join("src/lib.rs"));
    let mut header = Vec::new();
    builder.generate()?.write(&mut header);
    let mut text = String::from_utf8(header)?;
    for (name, in_c) in NAMES {
        text = text.replace(name, in_c);
    }
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
