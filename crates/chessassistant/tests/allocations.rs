//! Reading game after game allocates nothing once it has warmed up.

mod common;

use arbitrary::Unstructured;
use chess_core::seam::CreateOptions;
use chess_core::{Diagnostics, Game};
use testkit::{Flavour, Random, allocations, random_game};

#[test]
fn reading_allocates_nothing() {
    let flavour = Flavour { setups: false, chess960: false, ..Flavour::ALL };
    let games: Vec<Game> = (0..50)
        .map(|seed| {
            let bytes = Random::new(seed).bytes(900);
            random_game(&mut Unstructured::new(&bytes), flavour).unwrap()
        })
        .collect();
    let (files, _) = common::write(&games, &CreateOptions::default());
    let base = common::open(&files);
    let mut game = Game::new();
    let mut diagnostics = Diagnostics::lenient();
    let mut read_all = || {
        for number in 0..base.len() {
            base.game(number, &mut game, &mut diagnostics).unwrap();
        }
    };
    read_all();
    assert_eq!(allocations(read_all), 0);
}
