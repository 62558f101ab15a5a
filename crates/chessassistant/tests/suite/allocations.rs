//! Reading games with reused buffers allocates nothing after warm-up.

use arbitrary::Unstructured;
use chess_core::Game;
use chessassistant::{CreateOptions, Diagnostics, Losses, Writer};
use testkit::{Flavour, Random, allocations, random_game};

use crate::common;

fn games() -> Vec<Game> {
    let flavour = Flavour { setups: false, chess960: false, ..Flavour::ALL };
    (0..50)
        .map(|seed| {
            let bytes = Random::new(seed).bytes(900);
            random_game(&mut Unstructured::new(&bytes), flavour).unwrap()
        })
        .collect()
}

#[test]
fn read_game_reused_buffers_allocate_nothing() {
    let (files, _) = common::write(&games(), &CreateOptions::default());
    let base = common::open(&files);
    let mut reader = base.reader();
    let mut game = Game::new();
    let mut diagnostics = Diagnostics::lenient();
    let mut read_all = || {
        for number in 0..base.len() {
            reader.game(number, &mut game, &mut diagnostics).unwrap();
        }
    };
    read_all();
    assert_eq!(allocations(read_all), 0);
}

/// Appending games with known names allocates only the growth of its files.
#[test]
fn append_known_names_allocates_nothing() {
    let mut writer = Writer::in_memory();
    let mut encoder = writer.encoder();
    let mut losses = Losses::new();
    let mut encoded: Vec<_> = games()
        .iter()
        .map(|game| {
            let mut encoded = Default::default();
            encoder.encode(game, &mut encoded, &mut losses).unwrap();
            encoded
        })
        .collect();
    let mut append_all =
        || encoded.iter_mut().for_each(|game| writer.append(game, &mut losses).unwrap());
    append_all();
    let grown = allocations(append_all);
    assert!(grown < 6, "{grown} allocations: more than three buffers that double");
}
