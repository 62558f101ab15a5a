//! Games and archives for the tests.

use std::io::Cursor;

use arbitrary::Unstructured;
use chess_core::Game;
use movecode::{CreateOptions, Database, Encoding, Error, Losses, OpenOptions, Parts, Writer};
use testkit::{Case, Flavour, Random, random_game};

/// Games that the codes and the tables hold without loss.
pub(crate) const FLAVOUR: Flavour = Flavour { nags: 255, ..Flavour::ALL };

/// Random games, except games whose start position has a piece without a slot.
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

/// Writes an archive called "base" in memory. Returns it with the losses.
pub(crate) fn write(games: &[Game]) -> (Vec<u8>, Losses) {
    let mut options = CreateOptions::default();
    options.collection = Some("base".into());
    write_with(games, &options)
}

pub(crate) fn write_with(games: &[Game], options: &CreateOptions) -> (Vec<u8>, Losses) {
    let mut losses = Losses::new();
    let mut writer = Writer::from_parts(Parts::new(Vec::new(), Vec::new()), options);
    for game in games {
        writer.write(game, &mut losses).unwrap();
    }
    (writer.into_bytes().unwrap(), losses)
}

pub(crate) fn open(archive: impl AsRef<[u8]>) -> Result<Database, Error> {
    Database::from_archive(Cursor::new(archive), &OpenOptions::default())
}

/// Opens a case in its specified encoding.
pub(crate) fn open_case(case: &Case, mut options: OpenOptions) -> Result<Database, Error> {
    let label = case.meta.encoding.as_deref();
    options.encoding = label.map(|label| Encoding::from_label(label).unwrap());
    Database::open_with(case.path("jose"), &options)
}

/// Reads all games. Panics if one is damaged.
pub(crate) fn read(base: &Database) -> Vec<Game> {
    base.games().collect::<Result<_, _>>().unwrap()
}

/// Returns the tags of a game after a round trip: in the archive's order, with a collection.
pub(crate) fn archived(game: &Game, collection: &str) -> Vec<(String, String)> {
    let mut tags = Vec::new();
    game.header.for_each_tag(|name, value| tags.push((name.to_string(), value.to_string())));
    if game.start_position().is_chess960() && game.header.tags.get("Variant").is_none() {
        tags.push(("Variant".into(), "Chess960".into()));
    }
    if game.header.tags.get("Collection").is_none() {
        tags.push(("Collection".into(), collection.into()));
    }
    tags.sort();
    tags
}

/// Returns the files of an archive's tables with their names.
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
    Database::from_parts(files, &OpenOptions::default())
}
