//! Prints the score of a player in a PGN file.
//!
//! ```console
//! $ cargo run --example player_score fixtures/pgn/export_format/base.pgn fischer
//! White: 1 games, +0 =1 -0
//! Black: 0 games, +0 =0 -0
//! ```

use query::Text;
use reports::{Facts, PlayerReport, Report as _};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(name)) = (arguments.next(), arguments.next()) else {
        return Err("usage: player_score FILE.pgn NAME".into());
    };
    let mut report = PlayerReport::new(vec![Text::name(&name)?]);
    let filter = report.filter();
    for (number, game) in (0..).zip(pgn::Reader::open(path)?.games()) {
        let game = game?;
        if filter.selects(&game) {
            report.add(&Facts::new(number, &game));
        }
    }
    for color in [chess_core::Color::White, chess_core::Color::Black] {
        let score = report.by_color(color);
        println!(
            "{color:?}: {} games, +{} ={} -{}",
            score.games, score.wins, score.draws, score.losses
        );
    }
    Ok(())
}
