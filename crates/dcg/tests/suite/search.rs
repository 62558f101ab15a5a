//! Index summaries agree with the games, whole or damaged.

use dcg::Parts;
use testkit::{Flavour, Random, assert_searches_are_right, damaged};

use crate::common::{FLAVOUR, games, open, write};

#[test]
fn search_index_matches_games() {
    let mut random = Random::new(1);
    let plain = Flavour { plies: 300, null_moves: true, ..Flavour::PLAIN };
    for (seed, flavour) in [(41, FLAVOUR), (42, plain)] {
        let (whole, _) = write(&games(seed, 40, flavour));
        let base = open(whole.clone()).unwrap();
        let ruled_out = assert_searches_are_right("random", &base, &mut random);
        assert!(ruled_out > 1000, "{ruled_out}");
        for bytes in damaged(&whole.dcg, seed, 8) {
            let parts = Parts { dcg: bytes, ..whole.clone() };
            assert_searches_are_right("dcg", &open(parts).unwrap(), &mut random);
        }
        for bytes in damaged(&whole.dci, seed, 8) {
            if let Ok(base) = open(Parts { dci: bytes, ..whole.clone() }) {
                assert_searches_are_right("dci", &base, &mut random);
            }
        }
        for bytes in damaged(&whole.dcn, seed, 4) {
            let base = open(Parts { dcn: bytes, ..whole.clone() }).unwrap();
            assert_searches_are_right("dcn", &base, &mut random);
        }
    }
}
