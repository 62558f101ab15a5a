//! Helpers of this crate's tests.

use chess_core::Game;
use chess_store::files::companion;
use chessassistant::{
    CreateOptions, Database, Diagnostics, Encoding, Error, Losses, OpenOptions, Parts, Writer,
};
use testkit::Case;

/// The files of a base in memory.
pub(crate) type Files = Parts<Vec<u8>>;
/// A base in memory.
pub(crate) type Base = Database<Vec<u8>>;

/// Writes games. The format must hold each of them.
pub(crate) fn write(games: &[Game], options: &CreateOptions) -> (Files, Vec<Losses>) {
    let mut writer = Writer::from_parts(Parts::default(), options).unwrap();
    let losses = games
        .iter()
        .map(|game| {
            let mut losses = Losses::new();
            writer.write(game, &mut losses).unwrap();
            losses
        })
        .collect();
    (writer.into_bytes().unwrap(), losses)
}

pub(crate) fn open(files: &Files) -> Base {
    open_with(files, &OpenOptions::default())
}

pub(crate) fn open_with(files: &Files, options: &OpenOptions) -> Base {
    Database::from_parts(files.clone(), options).unwrap()
}

/// Reads a game in strict mode.
pub(crate) fn read(base: &Base, number: usize) -> Game {
    let mut game = Game::new();
    base.reader().game(number as u64, &mut game, &mut Diagnostics::strict()).unwrap();
    game
}

/// Options to open a base with texts in this encoding.
pub(crate) fn asked(encoding: Encoding) -> OpenOptions {
    let mut options = OpenOptions::default();
    options.encoding = Some(encoding);
    options
}

/// Options to write texts in this encoding.
pub(crate) fn in_encoding(encoding: Encoding) -> CreateOptions {
    let mut options = CreateOptions::default();
    options.encoding = Some(encoding);
    options
}

/// Opens a fixture.
pub(crate) fn open_case(case: &Case) -> Result<Database, Error> {
    open_case_with(case, OpenOptions::default())
}

/// Opens a fixture, in its encoding.
pub(crate) fn open_case_with(case: &Case, mut options: OpenOptions) -> Result<Database, Error> {
    let label = case.meta.encoding.as_deref();
    options.encoding = label.map(|label| Encoding::from_label(label).unwrap());
    Database::open_with(case.path("cdp"), &options)
}

/// The files of a fixture; missing files are empty.
pub(crate) fn files_of(case: &Case) -> Files {
    let file = |extension| {
        let path = companion(&case.file("base.cdp"), extension);
        path.map_or_else(Vec::new, |path| std::fs::read(path).unwrap())
    };
    Files {
        cdp: file("cdp"),
        emb: file("emb"),
        d00: file("d00"),
        a02: file("a02"),
        d02: file("d02"),
    }
}
