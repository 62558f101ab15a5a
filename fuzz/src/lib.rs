//! Fuzz targets as plain functions over bytes. `cargo xtask fuzz` runs them under libFuzzer, and
//! `cargo test` replays seeds/ and regressions/ through them.
//!
//! A target fails by panicking. Each has a folder in seeds/ and a program in fuzz_targets/.

pub mod books;
pub mod cbf;
pub mod cbh;
pub mod cbh2;
pub mod chessassistant;
pub mod core;
pub mod cql;
pub mod dcg;
pub mod edits;
pub mod movecode;
pub mod packed;
pub mod pgn;
pub mod scid;
#[cfg(feature = "tables")]
pub mod tables;

use chess_core::{Game, Nag, Token};
use chess_store::Diagnostics;
use chess_store::erased::Database;

/// A function over the bytes of a fuzzer.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("books_file", books::books_file),
    ("books_made", books::books_made),
    ("cbf_base", cbf::cbf_base),
    ("cbf_book", cbf::cbf_book),
    ("cbf_game", cbf::cbf_game),
    ("cbf_record", cbf::cbf_record),
    ("cbh2_base", cbh2::cbh2_base),
    ("cbh2_record", cbh2::cbh2_record),
    ("cbh2_round_trip", cbh2::cbh2_round_trip),
    ("cbh_archive", cbh::cbh_archive),
    ("cbh_base", cbh::cbh_base),
    ("cbh_record", cbh::cbh_record),
    ("cbh_round_trip", cbh::cbh_round_trip),
    ("chessassistant_base", chessassistant::chessassistant_base),
    ("chessassistant_game", chessassistant::chessassistant_game),
    ("chessassistant_record", chessassistant::chessassistant_record),
    ("chessassistant_volume", chessassistant::chessassistant_volume),
    ("core_fen", core::core_fen),
    ("core_game", core::core_game),
    ("cql_query", cql::cql_query),
    ("dcg_base", dcg::dcg_base),
    ("dcg_edits", edits::dcg_edits),
    ("dcg_record", dcg::dcg_record),
    ("dcg_round_trip", dcg::dcg_round_trip),
    ("lines_json", packed::lines_json),
    ("lines_positions", packed::lines_positions),
    ("movecode_base", movecode::movecode_base),
    ("movecode_record", movecode::movecode_record),
    ("movecode_round_trip", movecode::movecode_round_trip),
    ("packed_archive", packed::packed_archive),
    ("packed_stream", packed::packed_stream),
    ("pgn_blocks", pgn::pgn_blocks),
    ("pgn_game", pgn::pgn_game),
    ("pgn_san", pgn::pgn_san),
    ("pgn_text", pgn::pgn_text),
    ("scid_base", scid::scid_base),
    ("scid5_edits", edits::scid5_edits),
    ("scid_edits", edits::scid_edits),
    ("scid_record", scid::scid_record),
    ("scid_round_trip", scid::scid_round_trip),
    #[cfg(feature = "tables")]
    ("table_file", tables::table_file),
];

/// Makes a program of a target, in `fuzz_targets`.
#[macro_export]
macro_rules! program {
    ($module:ident::$target:ident) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::$module::$target(data));

        #[cfg(not(fuzzing))]
        fn main() {
            eprintln!(
                "this program was built without libFuzzer; run `cargo xtask fuzz TARGET` or \
                 `cargo fuzz run TARGET`"
            );
            std::process::exit(2);
        }
    };
}

/// Reads the first games of a base twice. Lenient reading gives the same game as strict reading
/// wherever strict reading accepts it. Each game is visited, dumped and verified. Returns the games,
/// with `None` for those that lenient reading refuses.
pub(crate) fn read_games(base: &dyn Database, most: u64) -> Vec<Option<Game>> {
    let (mut strict, mut reader) = (Game::new(), base.reader());
    let read = |number| {
        let mut game = Game::new();
        let lenient = reader.game(number, &mut game, &mut Diagnostics::lenient());
        assert_eq!(game.open_variations(), 0);
        if reader.game(number, &mut strict, &mut Diagnostics::strict()).is_ok() {
            assert!(lenient.is_ok());
            assert!(game == strict);
        }
        testkit::assert_visits(&mut *reader, number, &game, lenient.is_ok());
        let _ = reader.dump(number, &mut |_| ());
        let _ = reader.verify(number, &game);
        if let Err(error) = lenient {
            assert_eq!(error.location().game, Some(number));
            return None;
        }
        Some(game)
    };
    (0..base.len().min(most)).map(read).collect()
}

/// Returns the tokens of a game, with the NAGs of each move right after it, where DCG and
/// Scid store them.
pub(crate) fn by_move(game: &Game) -> Vec<(Option<Token<'_>>, Vec<Nag>)> {
    let (mut tokens, mut open, mut node) = (vec![(None, Vec::new())], Vec::new(), 0);
    for token in game.tokens() {
        match token {
            Token::Nag(nag) => {
                tokens[node].1.push(nag);
                continue;
            }
            Token::Move(_) => node = tokens.len(),
            Token::VariationStart => {
                open.push(node);
                // NAGs before the first move of a variation are losses.
                node = tokens.len();
            }
            Token::VariationEnd => node = open.pop().expect("a start"),
            Token::Comment(_) => {}
        }
        tokens.push((Some(token), Vec::new()));
    }
    tokens
}
