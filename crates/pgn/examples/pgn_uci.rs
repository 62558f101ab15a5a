//! Prints the main line of each game in UCI notation, as `pgn-extract -Wuci --notags` does.
//!
//! ```console
//! $ cargo run --example pgn_uci fixtures/pgn/promotions/base.pgn
//! a7a8q a2b1n *
//! a7a8q a2b1r *
//! a7a8q a2b1b *
//! a7a8r a2b1q *
//! a7b8n a2a1b *
//! a7a8q a2a1q *
//! a7a8r a2a1n *
//! a7b8b a2a1q *
//! a7b8q h8g7 *
//! a7a8r a2b1n *
//! a7b8q h8g7 *
//! ```

use chess_core::CastlingSide;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: pgn_uci FILE")?;
    for game in pgn::Reader::open(path)?.games() {
        let game = game?;
        let mut position = game.start_position();
        let mut line = Vec::new();
        for m in game.main_line() {
            // The model castles onto the rook's square. UCI names the king's target.
            line.push(match position.castling_side(m) {
                Some(CastlingSide::King) => format!("{}g{}", m.from(), m.from().rank() + 1),
                Some(CastlingSide::Queen) => format!("{}c{}", m.from(), m.from().rank() + 1),
                None => m.to_string(),
            });
            position.apply(m);
        }
        println!("{} {}", line.join(" "), game.header.result);
    }
    Ok(())
}
