//! Damaged bases cause no panic, no hang and no unbounded memory use. Every error has a location.

use cbh::{ErrorKind, Parts};
use chess_core::Game;
use chess_store::Diagnostics;
use testkit::{Damage, assert_cuts_keep_moves, assert_damage_is_local, records_in, within};

use crate::common::{FLAVOUR, games, open, read, write};

const FILES: &[&str] =
    &["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbj", "cbe", "cbl", "cbtt", "cbm"];

#[test]
fn read_damaged_base_does_not_panic() {
    let whole = write(&games(7, 12, FLAVOUR)).0;
    within(300, move || {
        let damage = Damage { damaged: FILES, named: FILES, count: 120 };
        let original = |file| whole.get(file).unwrap().clone();
        damage.assert_survived(original, |file, bytes| {
            let mut parts = whole.clone();
            *parts.get_mut(file).unwrap() = bytes;
            let base = open(parts)?;
            let _ = base.guiding_texts().count();
            Ok::<_, cbh::Error>(base)
        });
    });
}

/// Returns a base with another file of moves.
fn with_moves(whole: &Parts<Vec<u8>>, cbg: Vec<u8>) -> Parts<Vec<u8>> {
    let mut parts = whole.clone();
    parts.cbg = cbg;
    parts
}

#[test]
fn read_damaged_record_keeps_other_games() {
    let whole = write(&games(8, 9, FLAVOUR)).0;
    let healthy = read(whole.clone());
    let records = records_in(&open(whole.clone()).unwrap(), "cbg");
    assert_damage_is_local(&whole.cbg, records[4].clone(), 4, &healthy, |cbg| {
        open(with_moves(&whole, cbg))
    });
}

#[test]
fn read_truncated_record_keeps_earlier_moves() {
    let whole = write(&games(9, 30, FLAVOUR)).0;
    let records = records_in(&open(whole.clone()).unwrap(), "cbg");
    let cut = |cbg: &[u8]| open(with_moves(&whole, cbg.to_vec()));
    assert_cuts_keep_moves(&whole.cbg, (0..).zip(records), cut, |error| {
        use ErrorKind::{RecordCut, RecordSize, SetupCut};
        matches!(error.kind(), Some(RecordCut(..) | RecordSize(_) | SetupCut))
    });
}

#[test]
fn endless_branches_use_bounded_memory() {
    // Sixteen million open variations of about a hundred bytes each.
    let mut parts = write(&[Game::new()]).0;
    parts.cbg.truncate(26);
    parts.cbg.extend_from_slice(&[0x0a, 0xff, 0xff, 0xff]);
    let branch = {
        let (parts, _) = write(&[crate::common::game(&["e2e4", "(", "d2d4", ")"])]);
        parts.cbg[30]
    };
    parts.cbg[26] = 0;
    parts.cbg.resize(26 + 0xff_ffff, branch);
    within(60, move || {
        let base = open(parts).unwrap();
        let mut game = Game::new();
        let error = base.reader().game(0, &mut game, &mut Diagnostics::lenient()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::TooDeep(_)), "{error}");
    });
}

#[test]
fn nested_variations_many_round_trip() {
    // Each is a variation of the first move of the enclosing one. All are kept, without recursion.
    let mut tokens = vec!["e2e4"];
    for _ in 0..20_000 {
        tokens.extend(["(", "d2d4"]);
    }
    tokens.extend(vec![")"; 20_000]);
    within(60, move || {
        let (parts, losses) = write(&[crate::common::game(&tokens)]);
        assert_eq!(losses.total(), 19_999);
        assert_eq!(read(parts)[0].variation_count(), 20_000);
    });
}

#[test]
fn null_moves_only_game_is_read() {
    let (mut parts, _) = write(&[crate::common::game(&["0000"])]);
    let pass = parts.cbg[30];
    parts.cbg.truncate(30);
    // The byte of a pass increases with the number of preceding moves.
    parts.cbg.extend((0..1_000_000u32).map(|count| pass.wrapping_add(count.to_le_bytes()[0])));
    let size = u32::try_from(parts.cbg.len() - 26).unwrap().to_be_bytes();
    parts.cbg[27..30].copy_from_slice(&size[1..]);
    within(60, move || {
        let base = open(parts).unwrap();
        let mut game = Game::new();
        base.reader().game(0, &mut game, &mut Diagnostics::lenient()).unwrap();
        assert_eq!(game.ply_count(), 1_000_000);
    });
}
