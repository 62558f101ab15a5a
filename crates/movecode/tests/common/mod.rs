//! Games and archives for the tests.

#![allow(dead_code, reason = "each test program uses some of these")]

use std::io::Cursor;
use std::path::Path;

use arbitrary::Unstructured;
use chess_core::seam::{CreateOptions, Loss, OpenOptions};
use chess_core::{Color, Diagnostics, Game};
use movecode::{Database, Error, Writer};
use testkit::{Flavour, Random, random_game};

/// What the codes and the tables hold without loss.
pub(crate) const FLAVOUR: Flavour = Flavour { nags: 255, ..Flavour::ALL };

/// Random games, without those that start with pieces no code can name.
pub(crate) fn games(seed: u64, count: usize, flavour: Flavour) -> Vec<Game> {
    let mut random = Random::new(seed);
    let mut games = Vec::new();
    while games.len() < count {
        let bytes = random.bytes(600);
        let game = random_game(&mut Unstructured::new(&bytes), flavour).unwrap();
        if game.setup().is_none_or(|setup| !setup.fen().starts_with("q3k2q/")) {
            games.push(game);
        }
    }
    games
}

/// Writes an archive into a folder that is removed again; its bytes, and what was lost.
pub(crate) fn write(games: &[Game]) -> (Vec<u8>, Vec<Loss>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.jose");
    let losses = write_to(games, &path);
    (std::fs::read(path).unwrap(), losses)
}

pub(crate) fn write_to(games: &[Game], path: &Path) -> Vec<Loss> {
    let mut losses = Vec::new();
    let mut writer = Writer::create(path, &CreateOptions::default()).unwrap();
    for game in games {
        writer.write(game, &mut losses).unwrap();
    }
    writer.finish().unwrap();
    losses
}

pub(crate) fn open(archive: Vec<u8>) -> Result<Database, Error> {
    Database::from_archive(Cursor::new(archive), &OpenOptions::default())
}

/// All games, none of which may be damaged.
pub(crate) fn read(base: &Database) -> Vec<Game> {
    (0..base.len())
        .map(|number| {
            let mut game = Game::new();
            base.game(number, &mut game, &mut Diagnostics::lenient()).unwrap();
            game
        })
        .collect()
}

/// A game as it is after a stay in an archive: tags in an order of their own, a collection.
pub(crate) fn archived(game: &Game, collection: &str) -> Vec<(String, String)> {
    let mut tags = Vec::new();
    game.header.for_each_tag(|name, value| tags.push((name.to_string(), value.to_string())));
    let rights = game.start_position().castling_rooks();
    let chess960 = { rights }.any(|rook| !matches!(rook.file(), 0 | 7))
        || rights.has_any()
            && game.start_position().king(Color::White).is_none_or(|k| k.file() != 4);
    if chess960 && game.header.tags.get("Variant").is_none() {
        tags.push(("Variant".into(), "Chess960".into()));
    }
    if game.header.tags.get("Collection").is_none() {
        tags.push(("Collection".into(), collection.into()));
    }
    tags.sort();
    tags
}

/// The tables of an archive by the names of their files.
pub(crate) fn unpack(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    use std::io::Read as _;
    let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(archive));
    let mut files = Vec::new();
    for entry in tar.entries().unwrap() {
        let mut entry = entry.unwrap();
        let name = entry.path().unwrap().to_string_lossy().into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        files.push((name, bytes));
    }
    files
}

pub(crate) fn open_parts(files: Vec<(String, Vec<u8>)>) -> Result<Database, Error> {
    let files = files
        .into_iter()
        .map(|(name, bytes)| (name, Box::new(bytes) as Box<dyn chess_core::io::ReadAt>))
        .collect();
    Database::from_parts(files, &OpenOptions::default())
}
