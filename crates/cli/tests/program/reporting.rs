//! Tests of player, crosstable and stats.

use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::place::Place;

/// A double round robin of four players.
const TOURNAMENT: [(&str, &str, &str, &str); 12] = [
    ("1.1", "Alder, Nora", "Birch, Tom", "1-0"),
    ("1.2", "Cedar, Ann", "Dogwood, Ed", "1/2-1/2"),
    ("2.1", "Cedar, Ann", "Alder, Nora", "0-1"),
    ("2.2", "Dogwood, Ed", "Birch, Tom", "0-1"),
    ("3.1", "Alder, Nora", "Dogwood, Ed", "1-0"),
    ("3.2", "Birch, Tom", "Cedar, Ann", "1/2-1/2"),
    ("4.1", "Birch, Tom", "Alder, Nora", "1/2-1/2"),
    ("4.2", "Dogwood, Ed", "Cedar, Ann", "1-0"),
    ("5.1", "Alder, Nora", "Cedar, Ann", "1-0"),
    ("5.2", "Birch, Tom", "Dogwood, Ed", "+/-"),
    ("6.1", "Dogwood, Ed", "Alder, Nora", "1/2-1/2"),
    ("6.2", "Cedar, Ann", "Birch, Tom", "*"),
];

const RATINGS: [(&str, u32); 4] =
    [("Alder, Nora", 2000), ("Birch, Tom", 1900), ("Cedar, Ann", 1850), ("Dogwood, Ed", 1800)];

fn tournament() -> String {
    let mut text = String::new();
    for (day, (round, white, black, result)) in (1..).zip(TOURNAMENT) {
        let elo = |name: &str| RATINGS.iter().find(|(known, _)| *known == name).unwrap().1;
        let moves = if day % 2 == 0 { "1. d4 d5 2. c4 e6" } else { "1. e4 c5 2. Nf3 d6" };
        text.push_str(&format!(
            "[Event \"Club\"]\n[Site \"Riverside\"]\n[Date \"2019.03.{day:02}\"]\n\
             [Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
             [Result \"{result}\"]\n[WhiteElo \"{}\"]\n[BlackElo \"{}\"]\n\n{moves} {}\n\n",
            elo(white),
            elo(black),
            if result == "+/-" { "*" } else { result },
        ));
    }
    text
}

fn json(place: &Place, words: &[&str]) -> Value {
    let ran = place.run_words(words, "");
    serde_json::from_str(&ran.well().out).unwrap()
}

/// | player | points | by hand |
/// |---|---|---|
/// | Alder | 5 of 6 | beat Birch, Cedar twice, Dogwood; drew Birch, Dogwood |
/// | Birch | 3 of 5 and a forfeit win: lost to Alder; beat Dogwood, and by forfeit; drew Cedar, Alder |
/// | Dogwood | 2 | beat Cedar; drew Cedar, Alder; lost to Birch, Alder, and by forfeit |
/// | Cedar | 1 | drew Dogwood, Birch; lost to Alder twice, Dogwood; one game is open |
#[test]
fn crosstable_of_tournament_matches_count_by_hand() {
    let place = Place::new();
    fs::write(place.path("club.pgn"), tournament()).unwrap();
    let table = json(&place, &["crosstable", "club.pgn", "--json"]);
    assert_eq!((&table["kind"], &table["cycles"]), (&"round-robin".into(), &2.into()));
    assert_eq!((&table["forfeits"], &table["unfinished"]), (&1.into(), &1.into()));
    assert_eq!((&table["missing"], &table["repeated"]), (&0.into(), &0.into()));
    let rows: Vec<Value> = table["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| {
            json!([
                player["name"],
                player["points"],
                player["played"],
                player["tie_breaks"]["sb"],
                player["performance"]
            ])
        })
        .collect();
    assert_eq!(
        rows,
        [
            // 3 + ½·3 + 1 + 1 + 2 + ½·2; opponents 1850, 5 of 6 is 83%: 273.
            json!(["Alder, Nora", 5.0, 6, 9.5, 2123]),
            // ½·5 + 2 + ½·1; opponents (2000·2 + 1850 + 1800) / 4 = 1912.5, 2 of 4.
            json!(["Birch, Tom", 3.0, 4, 5.0, 1913]),
            // ½·1 + 1 + ½·5; opponents (1850·2 + 1900 + 2000·2) / 5 = 1920, 2 of 5 is 40%: -72.
            json!(["Dogwood, Ed", 2.0, 5, 4.0, 1848]),
            // ½·2 + ½·3; opponents (1800·2 + 2000·2 + 1900) / 5 = 1900, 1 of 5 is 20%: -240.
            json!(["Cedar, Ann", 1.0, 5, 2.5, 1660]),
        ]
    );
    assert_snapshot!("crosstable", place.run("crosstable club.pgn").well());
    assert_snapshot!("crosstable_csv", place.run("crosstable club.pgn --csv").well());
    assert_snapshot!("crosstable_html", place.run("crosstable club.pgn --html").well());
    // The table is the same from other formats that keep rounds and ratings.
    place.run("convert club.pgn club.si4").well();
    let other = json(&place, &["crosstable", "club.si4", "--json"]);
    assert_eq!(other["players"][0], table["players"][0]);
}

#[test]
fn crosstable_of_several_events_is_error_with_their_names() {
    let place = Place::new();
    let games = tournament();
    fs::write(place.path("two.pgn"), games.clone() + &games.replace("2019.03", "2020.03")).unwrap();
    let ran = place.run("crosstable two.pgn");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    for words in [
        "the games are of 2 events",
        "--event, --site or --date",
        "Club, Riverside, 2019.03.01 to 2019.03.12: 12 games",
        "Club, Riverside, 2020.03.01 to 2020.03.12: 12 games",
    ] {
        assert!(ran.err.contains(words), "{words}: {ran}");
    }
    let of_2020 = json(&place, &["crosstable", "two.pgn", "--date", "2020", "--json"]);
    assert_eq!(of_2020["games"], 12);
    let merged = json(&place, &["crosstable", "two.pgn", "--merge", "--json"]);
    assert_eq!((&merged["games"], &merged["cycles"]), (&24.into(), &4.into()));
    assert_eq!(merged["repeated"], 0);
    let ran = place.run("crosstable two.pgn --tie-breaks goals");
    assert!(ran.code == 2 && ran.err.contains("direct, sb, wins"), "{ran}");
}

#[test]
fn crosstable_of_match_and_swiss_has_columns_of_games_and_rounds() {
    let place = Place::new();
    let pairs = ["--player", "birch", "--against", "alder"];
    fs::write(place.path("club.pgn"), tournament()).unwrap();
    let ran = place.run_words(&[&["crosstable", "club.pgn", "--csv"], &pairs[..]].concat(), "");
    assert_eq!(
        ran.well().out,
        "place,name,elo,points,played,won,drawn,lost,performance,wins,game_1,game_2\n\
         1,\"Alder, Nora\",2000,1.5,2,1,1,0,2093,1,1,½\n\
         2,\"Birch, Tom\",1900,0.5,2,0,1,1,1807,0,0,½\n"
    );
    let mut swiss = String::new();
    for (round, white, black) in
        [(1, "A", "B"), (1, "C", "D"), (1, "E", "F"), (1, "G", "H"), (2, "A", "C"), (2, "E", "G")]
    {
        swiss.push_str(&format!(
            "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
        ));
    }
    fs::write(place.path("swiss.pgn"), swiss).unwrap();
    let ran = place.run("crosstable swiss.pgn --csv").well();
    let first = "place,name,elo,points,played,won,drawn,lost,performance,cut1,buchholz,sb,direct,wins,round_1,round_2\n";
    assert!(ran.out.starts_with(first), "{ran}");
    assert!(ran.out.contains("1,A,,2,2,2,0,0,,1,1,1,0,2,5w1,3w1\n"), "{ran}");
    let ran = place.run("crosstable swiss.pgn").well();
    assert!(ran.out.contains("Swiss, 2 rounds; 8 players, 6 games\n"), "{ran}");
    assert!(ran.out.contains("shared places: no. 2 is 1=, "), "{ran}");
}

#[test]
fn player_is_reported_by_colour_year_opening_and_opponent() {
    let place = Place::new();
    let earlier = tournament().replace("2019.03", "2018.03").replace("Alder, Nora", "Alder,N");
    fs::write(place.path("club.pgn"), tournament() + &earlier).unwrap();
    let report = json(&place, &["player", "alder n", "club.pgn", "--json"]);
    assert_eq!(
        report["names"],
        json!([{"name": "Alder, Nora", "games": 6}, {"name": "Alder,N", "games": 6}])
    );
    let total = &report["total"];
    assert_eq!(
        [&total["games"], &total["won"], &total["drawn"], &total["lost"], &total["performance"]],
        [&json!(12), &json!(8), &json!(4), &json!(0), &json!(2123)]
    );
    assert_eq!(
        (&report["white"]["points"], &report["black"]["points"]),
        (&6.0.into(), &4.0.into())
    );
    let years = report["years"].as_array().unwrap();
    assert_eq!((&years[0]["year"], &years[1]["games"]), (&2018.into(), &6.into()));
    assert_eq!((&years[0]["elo_first"], &report["highest"]["elo"]), (&2000.into(), &2000.into()));
    // Games 1, 3, ... of the tournament begin with 1. e4.
    let opening = &report["openings_white"][0];
    assert_eq!(
        (&opening["name"], &opening["games"]),
        (&"Sicilian Defense: Modern Variations".into(), &6.into())
    );
    let lines = &report["first_moves_black"][0];
    assert_eq!(
        (&lines["moves"], &lines["line"]),
        (&"1. e4 c5".into(), &"1. e4 c5 2. Nf3 d6".into())
    );
    assert_eq!(report["opponents"].as_array().unwrap().len(), 3);
    assert_eq!(report["best_wins"][0]["opponent"], "Birch, Tom");
    let head = json(&place, &["player", "alder", "club.pgn", "--against", "birch", "--json"]);
    assert_eq!((&head["total"]["games"], &head["selected"]), (&4.into(), &4.into()));
    assert_snapshot!("player", place.run("player alder club.pgn").well());
    assert_snapshot!("player_csv", place.run("player alder club.pgn --csv").well());
    assert_snapshot!("player_html", place.run("player alder club.pgn --html").well());
    // Another name of the same player.
    let two = json(&place, &["player", "alder", "club.pgn", "--player", "birch", "--json"]);
    assert_eq!((&two["total"]["games"], &two["both_players"]), (&16.into(), &4.into()));
    // All forms agree from another format.
    place.run("convert club.pgn club.si4").well();
    assert_eq!(json(&place, &["player", "alder n", "club.si4", "--json"]), report);
}

#[test]
fn stats_lists_add_up() {
    let place = Place::new();
    fs::write(place.path("club.pgn"), tournament()).unwrap();
    fs::write(place.path("bad.pgn"), "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke4 1-0\n")
        .unwrap();
    let report = json(&place, &["stats", "club.pgn", "games.pgn", "bad.pgn", "--json"]);
    assert_eq!((&report["total"]["games"], &report["damaged"]), (&15.into(), &1.into()));
    for list in ["years", "ratings", "time_classes", "lengths", "openings"] {
        for count in ["games", "white", "draws", "black"] {
            let rows = report[list].as_array().unwrap();
            let sum: u64 = rows.iter().map(|row| row[count].as_u64().unwrap()).sum();
            assert_eq!(sum, report["total"][count].as_u64().unwrap(), "{list} {count}");
        }
    }
    let lengths = report["lengths"].as_array().unwrap();
    assert_eq!(lengths.last().unwrap()["moves"], Value::Null);
    assert_snapshot!("stats", place.run("stats club.pgn games.pgn bad.pgn"));
    assert_snapshot!("stats_csv", place.run("stats club.pgn --csv").well());
    assert_eq!(place.run("stats bad.pgn").code, 4);
    assert_eq!(place.run("stats club.pgn bad.pgn --fail-on damage").code, 4);
}

#[test]
fn report_without_games_is_empty_and_says_so() {
    let place = Place::new();
    fs::write(place.path("none.pgn"), "").unwrap();
    for command in ["player nobody", "crosstable --event nothing", "stats --player nobody"] {
        for (form, is_empty) in [("", true), ("--json", false), ("--html", false)] {
            let ran = place.run(format!("{command} games.pgn {form}").trim());
            assert_eq!(ran.code, 1, "{ran}");
            assert!(ran.err.contains("0 of 2 games\n"), "{ran}");
            assert_eq!(ran.out.is_empty(), is_empty, "{ran}");
        }
        assert_eq!(place.run(&format!("{command} none.pgn")).code, 1, "{command}");
        let ran = place.run(&format!("{command} missing.pgn"));
        assert!(ran.code == 3 && ran.err.contains("missing.pgn"), "{ran}");
    }
    assert_eq!(place.run_words(&["player", "", "games.pgn"], "").code, 2);
    assert_eq!(place.run("stats games.pgn --json --csv").code, 2);
}

#[test]
fn report_of_odd_names_is_harmless() {
    let place = Place::new();
    let name = "<script>alert(1)</script>\u{202e} &amp; =1+1";
    let long = "x".repeat(2000);
    let game = format!(
        "[Event \"{name}\"]\n[White \"{name}\"]\n[Black \"{long}\"]\n[BlackElo \"2500\"]\n\
         [Result \"1-0\"]\n\n1. e4 1-0\n\n[Event \"{name}\"]\n[White \"=1+1\"]\n[Black \"{name}\"]\n\n*\n\n"
    );
    fs::write(place.path("odd.pgn"), game).unwrap();
    for command in ["player script", "crosstable", "stats"] {
        let html = place.run(&format!("{command} odd.pgn --html")).well().out;
        assert!(!html.contains("<script") && !html.contains('\u{202e}'), "{html}");
        let text = place.run(&format!("{command} odd.pgn")).well().out;
        assert!(!text.contains('\u{202e}'), "{text}");
        assert!(text.lines().all(|line| line.chars().count() < 200), "{text}");
        place.run(&format!("{command} odd.pgn --json")).well();
    }
    let csv = place.run("crosstable odd.pgn --csv").well().out;
    assert!(csv.contains(",'=1+1,"), "{csv}");
}

#[test]
fn help_of_reports_has_one_layout() {
    let place = Place::new();
    for command in ["player", "crosstable", "stats"] {
        let help = place.run(&format!("{command} --help")).well().out;
        assert_eq!(help, place.run(&format!("{command} -h")).well().out, "{command}");
        assert!(help.lines().count() <= 90, "{command}: {} lines", help.lines().count());
        assert!(help.contains("Examples:"), "{command}");
    }
    for (word, command) in [("statistics", "stats"), ("standings", "crosstable")] {
        let ran = place.run(&format!("{word} games.pgn"));
        assert!(ran.code == 2 && ran.err.contains(&format!("scoresheet {command}")), "{ran}");
    }
}

#[test]
fn spelling_file_joins_the_names_of_a_player() {
    let place = Place::new();
    let games = tournament().replacen("Alder, Nora", "Alder,N", 3);
    fs::write(place.path("club.pgn"), games).unwrap();
    let file = "@PLAYER \"., -_*\"\nAlder, Nora\n  = Alder,N\n";
    fs::write(place.path("names.ssp"), file).unwrap();
    let players = |words: &[&str]| {
        let table = json(&place, &[&["crosstable", "club.pgn", "--json"], words].concat());
        table["players"].as_array().unwrap().len()
    };
    assert_eq!(players(&[]), 5);
    assert_eq!(players(&["--spelling", "names.ssp"]), 4);
    let spelling = ["--spelling", "names.ssp", "--json"];
    let report =
        json(&place, &[&["player", "--exact", "Alder,N", "club.pgn"], &spelling[..]].concat());
    assert_eq!(report["total"]["games"], 6);
    let names = json!([{"name": "Alder, Nora", "games": 3}, {"name": "Alder,N", "games": 3}]);
    assert_eq!(report["names"], names);
    let birch = json(&place, &[&["player", "birch", "club.pgn"], &spelling[..]].concat());
    assert_eq!(birch["opponents"].as_array().unwrap().len(), 3);
}
