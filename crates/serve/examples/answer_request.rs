//! Answers a request for the moves of a position.
//!
//! ```console
//! $ cargo run --example answer_request fixtures/pgn/end_in_glyph/base.pgn /masters/pgn/00000000
//! [Event "T"]
//! [Site "?"]
//! [Date "????.??.??"]
//! [Round "?"]
//! [White "?"]
//! [Black "?"]
//! [Result "*"]
//!
//! 1. e4 e5 *
//! ```

use std::io::Write as _;

use serve::{Cancel, Explorer, Source};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(base), Some(target)) = (words.next(), words.next()) else {
        return Err("usage: answer_request BASE TARGET".into());
    };
    let source = Source::open(base, &Default::default(), &mut |_| ())?;
    let answer = Explorer::new(vec![source]).answer(&target, &Cancel::default());
    std::io::stdout().write_all(answer.body.as_bytes())?;
    Ok(())
}
