//! Games as Lichess writes them: a comment with an evaluation and a clock after each move of the
//! main line, and all movetext on one line.

use std::fs::File;
use std::io::{BufWriter, Write as _};

use chess_core::Game;
use chess_store::Diagnostics;

pub fn write(games: &str, out: &str) {
    let mut reader = pgn::Reader::open(games).expect("open");
    let mut out = BufWriter::new(File::create(out).expect("create"));
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let (mut written, mut comments) = (0u64, 0u32);
    loop {
        match reader.read_game(&mut game, &mut diagnostics) {
            Ok(false) => break,
            // The moves before an illegal one make a valid game.
            Ok(true) | Err(_) => {}
        }
        diagnostics.clear();
        let text = pgn::to_string(&with_comments(&game, &mut comments));
        let (tags, moves) = text.split_once("\n\n").expect("tags and moves");
        write!(out, "{tags}\n\n{}\n\n", moves.trim_end().replace('\n', " ")).expect("write");
        written += 1;
    }
    out.flush().expect("write");
    println!("{written} games, {comments} comments");
}

/// Returns the main line of a game with a comment after each move.
fn with_comments(game: &Game, comments: &mut u32) -> Game {
    let mut commented = Game::new();
    commented.header = game.header.clone();
    if let Some(setup) = game.setup() {
        commented.set_start_fen(setup.fen()).expect("a FEN");
    }
    for (ply, m) in game.main_line().enumerate() {
        *comments += 1;
        // The numbers are arbitrary, of different lengths.
        let pawns = f64::from(comments.wrapping_mul(2_654_435_761) >> 20) / 100.0 - 20.0;
        let seconds = 180usize.saturating_sub(ply / 2);
        let clock = format!("0:{:02}:{:02}", seconds / 60, seconds % 60);
        commented.push_move(m);
        let text = format!(" [%eval {pawns:.2}] [%clk {clock}] ");
        commented.push_comment(&text).expect("a short text");
    }
    commented
}
