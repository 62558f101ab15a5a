//! Summaries and prefilters agree with the decoded games.

use cbh::chess_core::{Position, Token};
use chess_core::{Game, Header};
use chess_store::{Diagnostics, Losses, NameField, Query};
use testkit::{Flavour, Random, assert_searches_are_right, damaged};

use crate::common::{FLAVOUR, games, open, write};

#[test]
fn summary_all_games_equals_header() {
    let plain = games(31, 200, Flavour { tags: true, ..Flavour::PLAIN });
    let (mut told, mut annotated) = (0, 0);
    for games in [plain, games(32, 200, FLAVOUR)] {
        let base = open(write(&games).0).unwrap();
        let (mut reader, mut header) = (base.reader(), Header::default());
        let (mut game, mut name) = (Game::new(), String::new());
        for number in 0..base.len() {
            let mut diagnostics = Diagnostics::strict();
            reader.header(number, &mut header, &mut diagnostics).unwrap();
            reader.game(number, &mut game, &mut diagnostics).unwrap();
            let comments = game.tokens().any(|token| matches!(token, Token::Comment(_)));
            let nags = game.tokens().any(|token| matches!(token, Token::Nag(_)));
            let summary = reader.summarize(number).unwrap();
            if let Some(features) = summary.features {
                told += 1;
                assert!(!comments && !nags);
                assert_eq!(features.set_up, game.setup().is_some());
                assert_eq!(features.variations, game.variation_count() > 0);
            } else {
                annotated += 1;
            }
            let mut filled = Header::default();
            summary.fill(&mut filled);
            for (field, text) in [
                (NameField::White, &mut filled.white),
                (NameField::Black, &mut filled.black),
                (NameField::Event, &mut filled.event),
                (NameField::Site, &mut filled.site),
                (NameField::Round, &mut filled.round),
            ] {
                reader.name(field, summary.name(field), &mut name);
                text.clone_from(&name);
            }
            filled.event_date = header.event_date;
            filled.tags = header.tags.clone();
            assert_eq!(filled, header, "game {number}");
            assert!(reader.may_reach(number, &Query::new(&[game.start_position()])));
            assert!(reader.may_reach(number, &Query::new(&[end_of(&game)])), "game {number}");
        }
        reader.name(NameField::White, u32::MAX, &mut name);
        assert_eq!(name, "?");
    }
    assert!(told > 200 && annotated > 100, "{told} {annotated}");
}

fn end_of(game: &Game) -> Position {
    let mut position = game.start_position();
    game.main_line().for_each(|m| position.apply(m));
    position
}

/// Covers intact and damaged bases.
#[test]
fn prefilter_all_fixtures_has_no_false_negatives() {
    let mut random = Random::new(1);
    let plain = Flavour { plies: 300, null_moves: true, ..Flavour::PLAIN };
    for (seed, flavour) in [(41, FLAVOUR), (42, plain)] {
        let (whole, _) = write(&games(seed, 40, flavour));
        let base = open(whole.clone()).unwrap();
        let ruled_out = assert_searches_are_right("random", &base, &mut random);
        assert!(ruled_out > 1000, "{ruled_out}");
        let mut uncounted = whole.clone();
        uncounted.cbh.chunks_mut(46).skip(1).for_each(|record| record[45] = 0);
        assert_searches_are_right("no lengths", &open(uncounted).unwrap(), &mut random);
        for bytes in damaged(&whole.cbg, seed, 8) {
            let mut parts = whole.clone();
            parts.cbg = bytes;
            assert_searches_are_right("cbg", &open(parts).unwrap(), &mut random);
        }
        for bytes in damaged(whole.cbp.as_deref().unwrap(), seed, 4) {
            let mut parts = whole.clone();
            parts.cbp = Some(bytes);
            assert_searches_are_right("cbp", &open(parts).unwrap(), &mut random);
        }
    }
}

/// Covers intact and damaged bases of `.2cbh`. A search does not depend on the lists of the `.2lgd`, so
/// damage there hides no game.
#[test]
fn prefilter_v2_bases_has_no_false_negatives() {
    use cbh::OpenOptions;
    use cbh::v2::{Database, Writer};

    let mut random = Random::new(2);
    let plain = Flavour { plies: 300, null_moves: true, ..Flavour::PLAIN };
    for (seed, flavour) in [(43, FLAVOUR), (44, plain)] {
        let mut writer = Writer::in_memory();
        for game in games(seed, 40, flavour) {
            writer.write(&game, &mut Losses::new()).unwrap();
        }
        let whole = writer.into_bytes().unwrap();
        let open = |parts| Database::from_parts(parts, &OpenOptions::default()).unwrap();
        let ruled_out = assert_searches_are_right("random", &open(whole.clone()), &mut random);
        assert!(ruled_out > 1000, "{ruled_out}");
        let mut uncounted = whole.clone();
        let records = uncounted.headers.chunks_mut(192).skip(1);
        records.for_each(|record| record[0x8a..0x8c].fill(0));
        assert_searches_are_right("no lengths", &open(uncounted), &mut random);
        for (file, count) in [("2cbg", 8), ("2cba", 2), ("2lid", 4), ("2lgd", 4), ("2lcd", 2)] {
            for bytes in damaged(whole.get(file).unwrap(), seed, count) {
                let mut parts = whole.clone();
                *parts.get_mut(file).unwrap() = bytes;
                assert_searches_are_right(file, &open(parts), &mut random);
            }
        }
    }
}
