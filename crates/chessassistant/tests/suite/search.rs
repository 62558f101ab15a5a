//! Index summaries agree with the games, whole or damaged.

use chessassistant::CreateOptions;
use testkit::{Flavour, Random, assert_searches_are_right, damaged};

use crate::common::{Files, open, write};
use crate::round_trip::games;

#[test]
fn search_index_matches_games() {
    let mut random = Random::new(1);
    let all = Flavour { chess960: false, plies: 80, ..Flavour::ALL };
    let plain = Flavour { plies: 300, null_moves: true, ..Flavour::PLAIN };
    for (seed, flavour) in [(41, all), (82, plain)] {
        let (whole, _) = write(&games(flavour, seed..seed + 40), &CreateOptions::default());
        let ruled_out = assert_searches_are_right("random", &open(&whole), &mut random);
        assert!(ruled_out > 1000, "{ruled_out}");
        let records = damaged(&whole.d02, seed, 8).map(|d02| Files { d02, ..whole.clone() });
        let headers = damaged(&whole.d00, seed, 8).map(|d00| Files { d00, ..whole.clone() });
        for files in records.chain(headers) {
            assert_searches_are_right("damaged", &open(&files), &mut random);
        }
    }
}
