//! Tests of every command on every format.

use scoresheet::Format;

use crate::place::Place;

/// Returns the formats that can be read and written. An opening book and a list of positions hold no
/// games of this kind.
fn both() -> Vec<&'static Format> {
    let fits = |format: &&Format| {
        let holds_games = !["fbk", "epd", "fen"].contains(&format.name);
        format.open.is_some() && format.create.is_some() && holds_games
    };
    scoresheet::formats().filter(fits).collect()
}

#[test]
fn formats_all_commands_write_and_read_each() {
    for format in both() {
        let place = Place::new();
        let name = format!("base.{}", format.extensions[0]);
        let ran = place.run(&format!("convert games.pgn {name}"));
        assert!(ran.code <= 1 && ran.err.starts_with("2 games read, 2 written"), "{ran}");
        let info = place.run(&format!("info {name}")).well();
        assert!(info.out.contains(format.title), "{info}");
        let list = place.run(&format!("list {name}")).well();
        assert_eq!(list.out.lines().count(), 3, "{list}");
        let show = place.run(&format!("show {name} 1")).well();
        assert!(show.out.contains("7. Nd5#"), "{show}");
        place.run(&format!("check {name}")).well();
        let dump = place.run(&format!("dump {name} 1"));
        if matches!(format.name, "pgn" | "jsonl" | "parquet" | "arrow") {
            assert_eq!(dump.code, 3, "{dump}");
        } else {
            assert!(dump.well().out.lines().count() > 10);
        }
        let back = place.run(&format!("convert {name} back.pgn")).well();
        assert_eq!(back.err, "2 games read, 2 written\n");
        assert!(place.text("back.pgn").contains("7. Nd5# 1-0"));
    }
}

#[test]
fn formats_each_pair_converts() {
    let place = Place::new();
    for from in both() {
        let name = format!("base.{}", from.extensions[0]);
        place.run(&format!("convert --force games.pgn {name}"));
        for to in both() {
            let out = format!("{}-{}.{}", from.name, to.name, to.extensions[0]);
            let ran = place.run(&format!("convert {name} {out}"));
            assert!(ran.code <= 1 && ran.err.starts_with("2 games read, 2 written"), "{ran}");
        }
    }
}
