//! Bases in memory.

use chess_core::Game;
use scid::{
    CreateOptions, Database, Encoding, Error, Extensions, Losses, OpenOptions, Parts, Writer,
};
use testkit::Case;

/// The three files of a base.
pub(crate) type Files = Parts<Vec<u8>>;

pub(crate) trait BaseFiles {
    /// The files of a fixture.
    fn of(case: &Case) -> Files;
    /// A new base with `games`. Each game must be accepted.
    fn with(family: Extensions, games: &[Game]) -> Files;
    fn open(&self) -> Result<Database<&Vec<u8>>, Error>;
    fn open_in(&self, encoding: Option<Encoding>) -> Result<Database<&Vec<u8>>, Error>;
    /// All games, or the first error.
    fn read(&self) -> Result<Vec<Game>, Error>;
}

impl BaseFiles for Files {
    fn of(case: &Case) -> Files {
        let extensions = family(case);
        let bytes = |extension| {
            let name = format!("base.{extension}");
            // A missing file counts as empty.
            if case.file(&name).is_file() { case.bytes(&name) } else { Vec::new() }
        };
        Parts {
            extensions,
            index: bytes(extensions.index),
            games: bytes(extensions.games),
            names: bytes(extensions.names),
        }
    }

    fn with(family: Extensions, games: &[Game]) -> Files {
        let mut writer = writer_in(family, None);
        for game in games {
            writer.write(game, &mut Losses::new()).unwrap();
        }
        writer.into_parts().unwrap()
    }

    fn open(&self) -> Result<Database<&Vec<u8>>, Error> {
        self.open_in(None)
    }

    fn open_in(&self, encoding: Option<Encoding>) -> Result<Database<&Vec<u8>>, Error> {
        let mut options = OpenOptions::default();
        options.encoding = encoding;
        Database::from_parts(self.as_ref(), &options)
    }

    fn read(&self) -> Result<Vec<Game>, Error> {
        self.open()?.games().collect()
    }
}

/// A writer with the given text encoding.
pub(crate) fn writer_in(family: Extensions, encoding: Option<Encoding>) -> Writer<Vec<u8>> {
    let (index, games, names) = (Vec::new(), Vec::new(), Vec::new());
    let mut options = CreateOptions::default();
    options.encoding = encoding;
    Writer::from_parts(Parts { extensions: family, index, games, names }, &options).unwrap()
}

/// The extensions of a fixture's files. A base without an index is of Scid 4.
pub(crate) fn family(case: &Case) -> Extensions {
    [Extensions::SI4, Extensions::SI5, Extensions::SI3]
        .into_iter()
        .find(|family| case.file(&format!("base.{}", family.index)).is_file())
        .unwrap_or(Extensions::SI4)
}

/// The encoding in which a fixture is read.
pub(crate) fn encoding(case: &Case) -> Option<Encoding> {
    case.meta.encoding.as_deref().map(|label| Encoding::from_label(label).unwrap())
}
