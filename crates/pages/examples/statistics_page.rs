//! Prints the statistics of a PGN file.
//!
//! ```console
//! $ cargo run --example statistics_page fixtures/pgn/end_in_glyph/base.pgn
//! Statistics
//! games        1 game in fixtures/pgn/end_in_glyph/base.pgn
//! length       1.0 moves on average, 1 at most
//!
//! results  games   share   1-0   ½-½   0-1       *
//! all          1  100.0%  0.0%  0.0%  0.0%  100.0%
//!
//! year     games   share   1-0   ½-½   0-1       *
//! unknown      1  100.0%  0.0%  0.0%  0.0%  100.0%
//!
//! rating   games   share   1-0   ½-½   0-1       *
//! unknown      1  100.0%  0.0%  0.0%  0.0%  100.0%
//!
//! time class  games   share   1-0   ½-½   0-1       *
//! unknown         1  100.0%  0.0%  0.0%  0.0%  100.0%
//!
//! moves  games   share   1-0   ½-½   0-1       *
//! 1–20       1  100.0%  0.0%  0.0%  0.0%  100.0%
//!
//! opening  games   share   1-0   ½-½   0-1       *
//! unnamed      1  100.0%  0.0%  0.0%  0.0%  100.0%
//! ```

use pages::{Counted, Forms as _, StatisticsForms, text};
use reports::{Facts, Report as _, Statistics};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: statistics_page FILE.pgn")?;
    let (mut statistics, mut games) = (Statistics::new(), 0);
    for game in pgn::Reader::open(&path)?.games() {
        statistics.add(&Facts::new(games, &game?));
        games += 1;
    }
    let counted = Counted { source: path, selected: games, seen: games, ..Counted::default() };
    let forms = StatisticsForms { statistics: &statistics, counted: &counted, most: 10 };
    text::write(&forms.page(), None, false, &mut std::io::stdout())?;
    Ok(())
}
