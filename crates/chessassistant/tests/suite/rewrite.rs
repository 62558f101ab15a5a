//! Read bases are rewritten: the same bytes if they are canonical, else the same games.

use chess_core::Game;
use chessassistant::Diagnostics;

use crate::common::{asked, files_of, in_encoding, open_case, open_with, write};

/// Bases in a form that this crate would not write.
const NOT_CANONICAL: [&str; 46] = [
    "all_codes", // numbers of promoted pieces, symbols as characters
    "branches",  // branches without a move to replace
    "castling",  // castling rights that are none, other numbers
    "clauses",
    "comments", // symbols before moves, empty comments, other places for the same
    "counted_64",
    "counted_empty",
    "counted_first_games",
    "counted_half",
    "counted_late",
    "counted_left", // files counted towards a
    "counted_less_than_twice",
    "counted_literal",
    "counted_null",
    "counted_null_alone",
    "counted_one_reading",
    "counted_tie",
    "counted_twice",
    "dates", // names nobody uses
    "description_cut",
    "encoding_before",
    "encoding_description",
    "encoding_first_name",
    "encoding_four", // made by hand: fragments and names of other sizes
    "encoding_half",
    "encoding_letter_before",
    "encoding_letter_behind",
    "encoding_mixed",
    "encoding_names",
    "encoding_pairs",
    "encoding_raw",
    "encoding_run",
    "encoding_russian",
    "encoding_three",
    "encoding_title",
    "fragments",   // fragments of other sizes
    "long_length", // a length of three bytes
    "oddities",    // pawns by extended codes, markers out of place
    "players",     // a name filled with NULs
    "promotions",  // other numbers
    "redirects",
    "redirects_everywhere", // names that lead to others
    "volume_empty_file",
    "volume_folder_last",
    "volume_fragments",
    "volume_name_twice",
];

#[test]
fn rewritten_bases_read_the_same() {
    let mut not_canonical = Vec::new();
    for case in testkit::cases("chessassistant").iter().filter(|case| !case.is_bad()) {
        let base = open_case(case).unwrap();
        let games: Vec<Game> = base.games().map(Result::unwrap).collect();
        let mut options = in_encoding(base.encoding());
        options.comment = base.comment();
        let (files, losses) = write(&games, &options);
        let again = open_with(&files, &asked(base.encoding()));
        assert_eq!(again.comment(), base.comment(), "{}", case.name);
        for (number, (game, losses)) in games.iter().zip(losses).enumerate() {
            let mut read = Game::new();
            again.reader().game(number as u64, &mut read, &mut Diagnostics::lenient()).unwrap();
            assert_eq!(read, *game, "{} game {}", case.name, number + 1);
            assert!(losses.is_empty(), "{} game {}: {losses:?}", case.name, number + 1);
        }
        let original = files_of(case);
        let same = [
            ("cdp", files.cdp == original.cdp),
            ("emb", files.emb == original.emb),
            ("d00", files.d00 == original.d00),
            ("a02", files.a02 == original.a02),
            ("d02", files.d02 == original.d02),
        ];
        if same.iter().any(|(_, same)| !same) {
            not_canonical.push(case.name.clone());
        }
    }

    assert_eq!(not_canonical, NOT_CANONICAL);
}
