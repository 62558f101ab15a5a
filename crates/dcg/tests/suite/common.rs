//! Bases in memory.

use chess_core::Game;
use dcg::{Database, Losses, OpenOptions, Parts, Writer};
use testkit::{Disk, Flavour, random_games};

/// The content that DCG holds without loss.
pub(crate) const FLAVOUR: Flavour = Flavour {
    setups: true,
    chess960: false,
    null_moves: true,
    variations: true,
    comments: true,
    free_comments: false,
    nags: 255,
    tags: false,
    plies: 80,
};

pub(crate) fn games(seed: u64, count: usize, flavour: Flavour) -> Vec<Game> {
    random_games(seed, count, 600, flavour)
}

pub(crate) fn write(games: &[Game]) -> (Parts<Vec<u8>>, Losses) {
    let mut losses = Losses::new();
    let mut writer = Writer::in_memory();
    for game in games {
        writer.write(game, &mut losses).unwrap();
    }
    (writer.into_bytes().unwrap(), losses)
}

pub(crate) fn bytes(parts: Parts<Disk>) -> Parts<Vec<u8>> {
    parts.map(|disk| disk.bytes())
}

pub(crate) fn open(parts: Parts<Vec<u8>>) -> Result<Database<Vec<u8>>, dcg::Error> {
    Database::from_parts(parts, &OpenOptions::default())
}

/// Reads all games; each must be valid.
pub(crate) fn read(parts: Parts<Vec<u8>>) -> Vec<Game> {
    open(parts).unwrap().into_games().map(Result::unwrap).collect()
}
