//! Compares the games and diagnostics of every base under fixtures/cbh2 with its expected.jsonl.

use cbh::v2::{FORMATS, Quirk};
use testkit::Suite;

const SUITE: Suite = Suite {
    adjust_header: |header, game, _| {
        // Tags from moves and annotations come last.
        let own: Vec<_> = game.header.tags.iter().take(header.tags.len()).collect();
        if header.tags.iter().collect::<Vec<_>>() == own {
            header.tags.clone_from(&game.header.tags);
        }
    },
    silent: &["bad_analysis", "bad_setups_odd", "bad_title_0"],
    // A header, up to eight names, moves and annotations, without gaps inside any of them.
    most_jumps: 11,
    dumped: &[("types", 0)],
    ..Suite::new("cbh2", FORMATS, |warning| warning.quirk::<Quirk>().is_some())
};

testkit::suite!(SUITE);
