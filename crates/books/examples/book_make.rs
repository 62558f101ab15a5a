//! Makes a Polyglot book from the games of a PGN file, or of a pipe named `-`. The options and the
//! bytes of the book are as in `polyglot make-book`. `-own` makes a book by the rules of this crate.
//!
//! ```console
//! $ cargo run --example book_make crates/books/fixtures/make/base.pgn /tmp/book.bin -min-game 1
//! 14 games
//! ```

use std::error::Error;
use std::fs::File;
use std::io::Read;

use books::polyglot::{MakeOptions, Maker, Weights};
use books::{Diagnostics, Game};
use chess_core::Color;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let usage = "usage: book_make GAMES.pgn BOOK.bin [-max-ply N] [-min-game N] [-min-score N] [-only-white] [-only-black] [-uniform] [-own]";
    let (Some(games), Some(book)) = (args.next(), args.next()) else { return Err(usage.into()) };
    let mut options = MakeOptions::default();
    options.like_polyglot = true;
    while let Some(name) = args.next() {
        let mut value = || args.next().ok_or(usage);
        match name.as_str() {
            "-max-ply" => options.max_ply = value()?.parse()?,
            "-min-game" => options.min_game = value()?.parse()?,
            "-min-score" => options.min_score = value()?.parse()?,
            "-memory" => options.memory = value()?.parse()?,
            "-only-white" => options.only = Some(Color::White),
            "-only-black" => options.only = Some(Color::Black),
            "-uniform" => options.weights = Weights::Uniform,
            "-own" => options.like_polyglot = false,
            _ => return Err(usage.into()),
        }
    }
    let mut maker = Maker::new(options);
    let input: Box<dyn Read + Send> = match games.as_str() {
        "-" => Box::new(std::io::stdin()),
        path => Box::new(File::open(path)?),
    };
    let mut reader = pgn::Reader::new(input);
    let (mut game, mut diagnostics, mut count) = (Game::new(), Diagnostics::lenient(), 0);
    loop {
        diagnostics.clear();
        match reader.read_game(&mut game, &mut diagnostics) {
            Ok(false) => break,
            Ok(true) => {}
            Err(error) if error.scope() == chess_store::Scope::Game => eprintln!("{error}"),
            Err(error) => return Err(error.into()),
        }
        count += u32::from(maker.add(&game)?);
    }
    maker.finish(File::create(book)?)?;
    println!("{count} games");
    Ok(())
}
