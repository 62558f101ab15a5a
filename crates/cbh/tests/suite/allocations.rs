//! Buffers that are reused from game to game allocate nothing after warm-up.

use chess_core::Game;
use chess_store::Diagnostics;
use testkit::{Flavour, allocations};

use crate::common::{games, open, write};

#[test]
fn reader_after_warm_up_allocates_nothing() {
    // Non-ASCII texts and start positions do allocate.
    let flavour = Flavour { variations: true, nags: 100, ..Flavour::PLAIN };
    let mut games = games(31, 50, flavour);
    games.iter_mut().for_each(|game| game.header.clear());
    let base = open(write(&games).0).unwrap();
    let mut reader = base.reader();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let mut read_all = || {
        for number in 0..base.len() {
            reader.game(number, &mut game, &mut diagnostics).unwrap();
        }
    };
    read_all();
    assert_eq!(allocations(read_all), 0);
}
