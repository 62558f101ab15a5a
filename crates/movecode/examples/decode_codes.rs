//! Decodes the codes of a game without an archive. They are given in hexadecimal, as jose's table of
//! games has them in the column `Bin`.
//!
//! ```console
//! $ cargo run --example decode_codes 0f2be0d1ff Indian
//! d2d4
//! g8f6
//! {Indian}
//! 1/2-1/2
//! ```

use chess_core::Token;
use movecode::{DecodeOptions, Diagnostics, Game, GameCode, Location, decode_game};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let digits = arguments.next().ok_or("usage: decode_codes HEX [COMMENT...]")?;
    let comments: String = arguments.map(|text| text + "\0").collect();
    let code: Vec<u8> = (0..digits.len() / 2)
        .map(|byte| u8::from_str_radix(&digits[2 * byte..2 * byte + 2], 16))
        .collect::<Result<_, _>>()?;
    let from = GameCode { fen: None, code: &code, comments: comments.as_bytes() };
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let options = DecodeOptions::default();
    decode_game(&from, &mut game, &options, &mut diagnostics, Location::default())?;
    for token in game.tokens() {
        match token {
            Token::Move(m) => println!("{m}"),
            Token::Comment(text) => println!("{{{text}}}"),
            other => println!("{other:?}"),
        }
    }
    println!("{}", game.header.result);
    Ok(())
}
