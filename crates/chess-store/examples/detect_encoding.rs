//! Guesses the encoding of a file whose texts do not say what they are in, as `uchardet` does.
//!
//! ```console
//! $ cargo run --example detect_encoding fixtures/pgn/windows_1252/base.pgn
//! windows-1252
//! ```

use chess_store::EncodingSurvey;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: detect_encoding FILE")?;
    let mut survey = EncodingSurvey::default();
    for line in std::fs::read(path)?.split(|byte| *byte == b'\n') {
        survey.add(line);
    }
    println!("{}", survey.windows_verdict().name());
    Ok(())
}
