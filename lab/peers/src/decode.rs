//! Decodes every game of an si4 base, without making text from it.

use std::hint::black_box;

use chess_core::Game;
use chess_store::Diagnostics;
use scid_parse::{ScidDatabase, Variation};

pub fn run(base: &str, passes: usize) {
    peers::side_by_side(passes, || peers::timed(|| ours(base)), || peers::timed(|| peer(base)));
}

fn ours(base: &str) -> String {
    let database = scid::Database::open(base).expect("open");
    let mut reader = database.reader();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let (mut plies, mut errors) = (0, 0);
    for number in 0..database.len() {
        errors += usize::from(reader.game(number, &mut game, &mut diagnostics).is_err());
        plies += game.tokens().size_hint().0;
        black_box(&game);
        diagnostics.clear();
    }
    format!("{} games, {plies} tokens, {errors} errors", database.len())
}

fn peer(base: &str) -> String {
    let database = ScidDatabase::new_v4(base).expect("open");
    let (mut plies, mut errors) = (0, 0);
    std::panic::set_hook(Box::new(|_| {}));
    for number in 0..database.len() {
        let body = std::panic::AssertUnwindSafe(|| {
            database.get_game(number).map(|game| game.map_or(0, |game| count(game.mainline())))
        });
        match std::panic::catch_unwind(body) {
            Ok(Ok(count)) => plies += count,
            _ => errors += 1,
        }
    }
    format!("{} games, {plies} plies, {errors} errors", database.len())
}

fn count(line: &Variation) -> u64 {
    let mut plies = 0;
    for m in line.moves() {
        plies += 1;
        black_box(m.m());
        plies += m.variations().iter().map(count).sum::<u64>();
    }
    plies
}
