//! Compares the games and diagnostics of every base under fixtures/cbh with its expected.jsonl.

use cbh::Quirk;
use cbh::chess_core::Token;
use chess_core::Game;
use chess_store::Diagnostics;
use testkit::Suite;

const SUITE: Suite = Suite {
    // Archives have tests of their own.
    has: |case| case.meta.format == "cbh",
    adjust_header: |header, game, _| {
        // Tags from moves and annotations come last.
        let own: Vec<_> = game.header.tags.iter().take(header.tags.len()).collect();
        if header.tags.iter().collect::<Vec<_>>() == own {
            header.tags.clone_from(&game.header.tags);
        }
    },
    silent: &["bad_extended_cut", "bad_header_rubbish", "bad_names_more_extra"],
    // A header, up to eight names, moves and annotations, without gaps inside any of them.
    most_jumps: 11,
    dumped: &[("annotations", 0)],
    ..Suite::new("cbh", cbh::FORMATS, |warning| warning.quirk::<Quirk>().is_some())
};

testkit::suite!(SUITE);

#[test]
fn dump_fixture_names_every_move() {
    SUITE.for_each_base(|case, base| {
        let mut reader = base.reader();
        for number in 0..base.len() {
            let mut moves = 0;
            let dumped =
                reader.dump(number, &mut |field| moves += usize::from(field.name == "move"));
            let mut game = Game::new();
            if reader.game(number, &mut game, &mut Diagnostics::lenient()).is_ok() {
                dumped.unwrap();
                let all = game.tokens().filter(|token| matches!(token, Token::Move(_)));
                assert_eq!(moves, all.count(), "{}, game {}", case.name, number + 1);
            }
        }
    });
}
