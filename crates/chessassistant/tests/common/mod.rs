//! What the tests of this crate share.
#![allow(dead_code, unreachable_pub, reason = "each test uses some of it")]

use chess_core::io::ReadAt;
use chess_core::seam::{CreateOptions, Loss, OpenOptions};
use chess_core::{AnyError, Encoding, Game};
use chessassistant::{Database, Outputs, Parts, Writer};
use testkit::Case;

/// The files of a base in memory.
pub type Files = Outputs<Vec<u8>>;

pub fn writer(options: &CreateOptions) -> Writer<Vec<u8>> {
    let none = Vec::new;
    let outputs = Outputs { cdp: none(), emb: none(), d00: none(), a02: none(), d02: none() };
    Writer::new(outputs, options).unwrap()
}

/// Writes games, all of which the format must hold.
pub fn write(games: &[Game], options: &CreateOptions) -> (Files, Vec<Vec<Loss>>) {
    let mut writer = writer(options);
    let losses = games
        .iter()
        .map(|game| {
            let mut losses = Vec::new();
            writer.write(game, &mut losses).unwrap();
            losses
        })
        .collect();
    (writer.finish().unwrap(), losses)
}

pub fn open(files: &Files) -> Database {
    open_with(files, &OpenOptions::default())
}

pub fn open_with(files: &Files, options: &OpenOptions) -> Database {
    let boxed = |bytes: &Vec<u8>| Box::new(bytes.clone()) as Box<dyn ReadAt>;
    let parts = Parts {
        cdp: Some(boxed(&files.cdp)),
        emb: Some(boxed(&files.emb)),
        d00: boxed(&files.d00),
        a02: boxed(&files.a02),
        d02: boxed(&files.d02),
    };
    Database::from_parts(parts, options).unwrap()
}

pub fn asked(encoding: Encoding) -> OpenOptions {
    OpenOptions { encoding: Some(encoding), ..OpenOptions::default() }
}

/// Opens a fixture.
pub fn open_case(case: &Case) -> Result<Database, AnyError> {
    let path = case.path("cdp");
    let encoding = case.meta.encoding.as_deref().map(|label| Encoding::from_label(label).unwrap());
    Ok(Database::open(&path, &OpenOptions { encoding, ..OpenOptions::default() })?)
}

/// The files of a fixture; those it lacks are empty.
pub fn files_of(case: &Case) -> Files {
    let file = |extension| {
        let path = chess_core::files::companion(&case.file("base.cdp"), extension);
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
