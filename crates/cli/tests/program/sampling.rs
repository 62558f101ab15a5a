//! Tests of `--sample` in commands other than `list` and `convert`.

use std::fs;

use crate::place::Place;

/// A folder with forty games: White wins the even ones, and `Tal, M` has White in a quarter of them.
fn place() -> Place {
    let place = Place::new();
    let game = |number: u32| {
        let white = if number.is_multiple_of(4) { "Tal, M" } else { "Petrosian, T" };
        let (first, result) = if number.is_multiple_of(2) { ("e4", "1-0") } else { ("d4", "0-1") };
        format!(
            "[Event \"A\"]\n[Round \"{number}\"]\n[White \"{white}\"]\n[Black \"Spassky, B\"]\n\
             [Result \"{result}\"]\n\n1. {first} {result}\n\n"
        )
    };
    fs::write(place.path("in.pgn"), (1..=40).map(game).collect::<String>()).unwrap();
    place.run("convert in.pgn in.si4").well();
    place
}

/// Returns the numbers of the games that the options choose.
fn numbers(place: &Place, options: &str) -> Vec<u64> {
    let ran = place.run(&format!("list {options} --csv --columns number")).well();
    ran.out.lines().skip(1).map(|number| number.parse().unwrap()).collect()
}

#[test]
fn tree_and_reports_of_sample_count_its_games() {
    let place = place();
    for base in ["in.pgn", "in.si4"] {
        let sample = numbers(&place, &format!("{base} --sample 9 --seed 5"));
        let even = sample.iter().filter(|number| *number % 2 == 0).count() as u64;
        let json = |line: &str| -> serde_json::Value {
            serde_json::from_str(&place.run(line).well().out).unwrap()
        };
        let tree = json(&format!("tree {base} --json --sample 9 --seed 5"));
        assert_eq!((&tree["games"], &tree["seen"]), (&9.into(), &40.into()), "{base}: {tree}");
        assert_eq!(tree["white"], even, "{base}");
        let stats = json(&format!("stats {base} --json --sample 9 --seed 5"));
        assert_eq!(
            (&stats["selected"], &stats["seen"]),
            (&9.into(), &40.into()),
            "{base}: {stats}"
        );
        let player =
            place.run_words(&["player", "tal", base, "--json", "--sample", "4"], "").well();
        let player: serde_json::Value = serde_json::from_str(&player.out).unwrap();
        assert_eq!(player["selected"], 4, "{base}: {player}");
        let all = json(&format!("tree {base} --json --sample 100"));
        assert_eq!(all["games"], 40, "a sample larger than the base");
    }
    // One sample of all bases.
    let both = place.run("tree in.pgn in.si4 --sample 7").well();
    assert!(both.err.contains("7 of 80 games"), "{both}");
    // A position or a line is where the tree begins. It does not choose the games of the sample.
    let tree =
        place.run_words(&["tree", "in.si4", "--moves", "1. e4", "--sample", "40"], "").well();
    assert!(tree.err.contains("20 of 40 games"), "{tree}");
}

#[test]
fn edit_sample_changes_games_that_list_draws() {
    let place = place();
    let sample = numbers(&place, "in.si4 --white tal --sample 3 --seed 2");
    assert_eq!(sample.len(), 3);
    let dry = place.run("edit in.si4 --dry-run delete --white tal --sample 3 --seed 2").well();
    assert!(dry.err.contains("dry run, nothing is written: deleted 3 games"), "{dry}");
    place.run("edit in.si4 delete --white tal --sample 3 --seed 2").well();
    assert_eq!(numbers(&place, "in.si4 --deleted"), sample);
    place.run("edit in.si4 undelete --sample 40").well();
    assert_eq!(numbers(&place, "in.si4 --deleted=no").len(), 40);
    // Numbers of games, alone and beside a filter with numbers.
    let few = numbers(&place, "in.si4 --games 3-12 --sample 4 --seed 9");
    place.run("edit in.si4 flag 3-12 --add U --sample 4 --seed 9").well();
    assert_eq!(numbers(&place, "in.si4 --where ScidFlags=U"), few);
    place.run("edit in.si4 set Event=B 1-9 30-40 --games 8-31 --sample 99").well();
    assert_eq!(numbers(&place, "in.si4 --event B --exact"), [8, 9, 30, 31]);
    let none = place.run("edit in.si4 delete 1-3 --games 5-9 --sample 2");
    assert_eq!((none.code, numbers(&place, "in.si4 --deleted=no").len()), (1, 40), "{none}");
    let nothing = place.run("edit in.si4 delete --sample 0");
    assert_eq!(nothing.code, 1, "{nothing}");
}

#[test]
fn sample_where_it_makes_no_sense_is_refused_with_reason() {
    let place = place();
    let before = fs::read(place.path("in.si4")).unwrap();
    for (line, why) in [
        ("dedupe in.pgn out.pgn --sample 5", "most repeated games would be missed"),
        ("dedupe in.pgn --dry-run --sample 5", "most repeated games would be missed"),
        ("dedupe in.pgn out.pgn --seed 5", "most repeated games would be missed"),
        ("edit in.si4 dedupe --sample 5", "most repeated games would be missed"),
        ("edit in.si4 append in.pgn --sample 5", "take a sample with `convert` first"),
        ("edit in.si4 replace 1 in.pgn --sample 5", "named by its number"),
        ("crosstable in.pgn --sample 5", "every game of its event"),
        ("edit in.si4 delete --seed 5", "--sample"),
    ] {
        let ran = place.run(line);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{line}: {ran}");
        assert!(ran.err.contains(why), "{line}: {ran}");
    }
    assert!(!place.path("out.pgn").exists());
    assert_eq!(fs::read(place.path("in.si4")).unwrap(), before);
}
