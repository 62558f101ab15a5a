//! Damaged bases cause no panic, no hang and no unbounded memory use. Every error has a location.

use cbh::prelude::*;
use cbh::{EntityKind, ErrorKind};
use testkit::{assert_others_stand, damaged, scratched, survive_opening, within};

use crate::common::{FLAVOUR, games, open, read, write};

const FILES: &[&str] =
    &["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbj", "cbe", "cbl", "cbtt", "cbm"];

#[test]
fn damaged_bases_never_panic_and_errors_have_places() {
    let whole = write(&games(7, 12, FLAVOUR)).0;
    within(300, move || {
        for (file, seed) in FILES.iter().zip(1..) {
            let original = whole.get(file).unwrap().clone();
            for bytes in damaged(&original, seed, 120) {
                let mut parts = whole.clone();
                *parts.get_mut(file).unwrap() = bytes;
                survive_opening(open(parts.clone()), FILES, u64::MAX);
                let Ok(base) = open(parts) else { continue };
                for kind in EntityKind::ALL {
                    let _ = base.check_names(kind);
                }
                let _ = base.check_references();
                let _ = base.guiding_texts().count();
            }
        }
    });
}

#[test]
fn damaged_record_costs_no_other_game() {
    let written = games(8, 9, FLAVOUR);
    let whole = write(&written).0;
    let healthy = read(whole.clone());
    let base = open(whole.clone()).unwrap();
    let start = base.record(4).unwrap().moves as usize;
    let end = base.record(5).unwrap().moves as usize;
    for seed in 0..200 {
        let mut parts = whole.clone();
        parts.cbg = scratched(&whole.cbg, start..end, seed);
        assert_others_stand(&open(parts).unwrap(), 4, &healthy);
    }
}

#[test]
fn damaged_moves_keep_earlier_moves() {
    let written = games(9, 30, FLAVOUR);
    let whole = write(&written).0;
    let base = open(whole.clone()).unwrap();
    let (mut reader, mut diagnostics) = (base.reader(), Diagnostics::lenient());
    for number in 0..base.len() {
        let start = base.record(number).unwrap().moves as usize;
        let end = base.record(number + 1).map_or(whole.cbg.len(), |next| next.moves as usize);
        let mut whole_game = Game::new();
        reader.game(number, &mut whole_game, &mut diagnostics).unwrap();
        for cut in (start + 1..end).step_by(7) {
            let mut parts = whole.clone();
            parts.cbg.truncate(cut);
            let mut game = Game::new();
            let mut cut_base = open(parts).unwrap().into_reader();
            let error = cut_base.game(number, &mut game, &mut diagnostics).unwrap_err();
            let cuts = matches!(
                error.kind(),
                ErrorKind::RecordCut(..) | ErrorKind::RecordSize(_) | ErrorKind::SetupCut
            );
            assert!(cuts, "game {number} cut at {cut}: {error}");
            let kept: Vec<_> = game.main_line().collect();
            let all: Vec<_> = whole_game.main_line().collect();
            assert!(all.starts_with(&kept), "game {number} cut at {cut}");
        }
    }
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
        assert_eq!(losses.len(), 19_999);
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
