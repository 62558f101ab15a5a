//! Every case of fixtures/movecode reads as its expected.jsonl and reports its warnings and errors.

use movecode::Quirk;
use movecode::chess_core::GameResult;
use testkit::Suite;

const SUITE: Suite = Suite {
    // The RAR archive tests builds without RAR support.
    has: |case| !cfg!(feature = "rar") || case.name != "bad_rar",
    adjust_header: |header, game, whole| {
        if !whole || game.header.tags.get("JoseResult").is_some() {
            header.clone_from(&game.header);
        }
        // The result of the codes is read with the moves (movecode §3.5.2).
        if header.result == GameResult::Unknown {
            header.result = game.header.result;
        }
    },
    // A row has no gaps, except where it continues elsewhere.
    most_jumps: 2,
    dumped: &[("comments", 0), ("comments", 1), ("comments", 2)],
    ..Suite::new("movecode", movecode::FORMATS, |warning| warning.quirk::<Quirk>().is_some())
};

testkit::suite!(SUITE);
