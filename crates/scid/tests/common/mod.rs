//! Bases in memory for the tests.
#![allow(dead_code, reason = "each test program uses some of it")]

pub(crate) mod crash;

use std::io::Cursor;

use chess_core::seam::{CreateOptions, OpenOptions};
use chess_core::{Diagnostics, Encoding, Game};
use scid::{Database, Error, Extensions, Writer};
use testkit::Case;

/// The three files of a base: index, games, names.
#[derive(Clone)]
pub(crate) struct Files {
    pub(crate) family: Extensions,
    pub(crate) index: Vec<u8>,
    pub(crate) games: Vec<u8>,
    pub(crate) names: Vec<u8>,
}

impl Files {
    /// Those of a fixture.
    pub(crate) fn of(case: &Case) -> Files {
        let family = family(case);
        let bytes = |extension| case.bytes(&format!("base.{extension}"));
        Files {
            family,
            index: bytes(family.index),
            games: bytes(family.games),
            names: bytes(family.names),
        }
    }

    /// A new base with these games; each must be taken.
    pub(crate) fn with(family: Extensions, games: &[Game]) -> Files {
        let mut files = Files::with_options(family, &CreateOptions::default());
        for game in games {
            files.write(game, &mut Vec::new()).unwrap();
        }
        Files::finish(files)
    }

    pub(crate) fn with_options(
        family: Extensions,
        options: &CreateOptions,
    ) -> Writer<Cursor<Vec<u8>>> {
        let new = || Cursor::new(Vec::new());
        Writer::from_parts(family, new(), new(), new(), options).unwrap()
    }

    pub(crate) fn finish(writer: Writer<Cursor<Vec<u8>>>) -> Files {
        let family = writer.extensions();
        let (index, games, names) = writer.into_parts().unwrap();
        let [index, games, names] = [index, games, names].map(Cursor::into_inner);
        Files { family, index, games, names }
    }

    pub(crate) fn open(&self) -> Result<Database<&[u8]>, Error> {
        self.open_in(None)
    }

    pub(crate) fn open_in(&self, encoding: Option<Encoding>) -> Result<Database<&[u8]>, Error> {
        let options = OpenOptions { encoding, ..OpenOptions::default() };
        Database::from_parts(self.family, &*self.index, &*self.games, &*self.names, &options)
    }

    /// All games, or the first error.
    pub(crate) fn read(&self) -> Result<Vec<Game>, Error> {
        let base = self.open()?;
        let mut diagnostics = Diagnostics::lenient();
        (0..base.len())
            .map(|number| {
                let mut game = Game::new();
                base.game(number, &mut game, &mut diagnostics)?;
                Ok(game)
            })
            .collect()
    }
}

/// The family a fixture's files belong to.
pub(crate) fn family(case: &Case) -> Extensions {
    [Extensions::SI4, Extensions::SI5, Extensions::SI3]
        .into_iter()
        .find(|family| case.file(&format!("base.{}", family.index)).is_file())
        .unwrap_or_else(|| panic!("{} has no index", case.name))
}

/// The encoding a fixture is to be read in.
pub(crate) fn encoding(case: &Case) -> Option<Encoding> {
    case.meta.encoding.as_deref().map(|label| Encoding::from_label(label).unwrap())
}
