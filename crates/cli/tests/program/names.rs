//! Tests of the examples of docs/filters.md.

use std::fs;

use crate::place::Place;

/// Returns three games of `Wang, Yue #8603677` or `Adams, M (2000, Elo 2700)`.
fn three_games(entry: &str) -> String {
    let (name, facts) = entry.split_once(" (").unwrap_or((entry, ""));
    let (name, id) = name.split_once(" #").unwrap_or((name, "0"));
    let (year, elo) = facts.trim_end_matches(')').split_once(", Elo ").unwrap_or((facts, ""));
    let year = year.trim_end_matches(')').parse().unwrap_or(0u16);
    let date = if year == 0 { String::new() } else { format!("[Date \"{year}.01.01\"]\n") };
    let elo = if elo.is_empty() { String::new() } else { format!("[WhiteElo \"{elo}\"]\n") };
    let tags = format!("[White \"{name}\"]\n[Black \"Xx\"]\n[WhiteFideId \"{id}\"]\n{date}{elo}");
    format!("{tags}\n1. e4 1-0\n\n").repeat(3)
}

#[test]
fn player_tells_people_apart_as_the_table_says() {
    let page = testkit::workspace_root().join("docs/filters.md");
    let page = fs::read_to_string(page).unwrap();
    let table = page.split("| in three games each | people |").nth(1).unwrap();
    let place = Place::new();
    let mut rows = 0;
    for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let (entries, people) = (listed(cells[0]), cells[1].trim());
        let games: String = entries.iter().map(|entry| three_games(entry)).collect();
        fs::write(place.path("people.pgn"), games).unwrap();
        let surname = entries[0].split(',').next().unwrap();
        let ran = place.run_words(&["player", surname, "people.pgn"], "");
        let said = format!("the name means {people} people");
        assert_eq!(
            (ran.code, ran.err.contains(&said)),
            if people == "1" { (0, false) } else { (2, true) },
            "{row}: {ran}"
        );
        let all = place.run_words(&["player", surname, "people.pgn", "--all", "--json"], "").well();
        assert!(all.out.contains(&format!("\"games\":{}", 3 * entries.len())), "{row}: {all}");
        rows += 1;
    }
    assert!(rows > 5, "{rows}");
}

#[test]
fn player_of_several_people_lists_them() {
    let place = Place::new();
    let entries =
        ["Polgar, Judit #700070 (1990, Elo 2550)", "Polgar,Ju", "Polgar, Sofia", "Polgar"];
    let games: String = entries.iter().map(|entry| three_games(entry)).collect();
    fs::write(place.path("people.pgn"), games).unwrap();
    place.run("convert people.pgn people.si4").well();
    for base in ["people.pgn", "people.si4"] {
        let ran = place.run(&format!("player polgar {base}"));
        for line in [
            "Polgar, Judit (2 spellings, FIDE id 700070, 1990, Elo 2550): 6 games\n",
            "Polgar, Sofia: 3 games\n",
            "Polgar and the like, which may be either: 3 games\n",
            "--all adds them up",
        ] {
            assert!(ran.err.contains(line), "{line}: {ran}");
        }
        assert_eq!((ran.code, &*ran.out), (2, ""), "{ran}");
        let versus = place.run(&format!("player xx {base} --against polgar"));
        assert!(versus.code == 2 && versus.err.contains("means 2 people"), "{versus}");
        let by_id = place.run(&format!("player 700070 {base} --json")).well();
        assert!(by_id.out.contains("\"games\":3"), "{by_id}");
    }
}

#[test]
fn similar_names_are_shown_for_a_name_without_games() {
    let place = Place::new();
    let games =
        [("Kasparov, Garry", 8), ("Kasparov,G", 4), ("Karpov, Anatoly", 9), ("Karpof, B", 0)];
    let three = games.iter().map(|(name, times)| three_games(name).repeat(*times));
    fs::write(place.path("people.pgn"), three.collect::<String>() + &three_games("Kasparoff, Z"))
        .unwrap();
    place.run("convert people.pgn people.si4").well();
    for base in ["people.pgn", "people.si4"] {
        for command in ["list", "player kasprov", "tree", "stats"] {
            let option = if command.starts_with("player") { "" } else { " --white kasprov" };
            let ran = place.run(&format!("{command} {base}{option}"));
            let note = "note: kasprov: 0 games; Kasparov, Garry 36";
            assert!(ran.code == 1 && ran.err.contains(note), "{command}: {ran}");
            let quiet = place.run(&format!("-q {command} {base}{option}"));
            assert_eq!(quiet.err, "", "{command}");
        }
        let other = place.run(&format!("list {base} --white kasparov --date 1800"));
        assert!(!other.err.contains("note: kasparov"), "{other}");
    }
}

#[test]
fn players_list_of_fide_finds_by_id_and_name() {
    let place = Place::new();
    let list = "ID Number  Name            Fed Sex Tit  WTit NOV22 Gms K\n\
        700070     Polgar, Judit   HUN F   GM   WGM  2675  0   10\n";
    fs::write(place.path("list.txt"), list).unwrap();
    let games = ["Polgar, Judit", "Polgar, Judit #8600000", "J.P. #700070", "Polgar, Sofia"];
    let games: String = games.iter().map(|entry| three_games(entry)).collect();
    fs::write(place.path("people.pgn"), games.replace("[Black", "[Date \"2022.11.05\"]\n[Black"))
        .unwrap();
    place.run("convert people.pgn people.si4").well();
    for base in ["people.pgn", "people.si4"] {
        let count = |options: &str| place.run(&format!("list {base} --count {options}")).out;
        assert_eq!(count("--player 700070"), "3\n", "{base}");
        assert_eq!(count("--player 700070 --players list.txt"), "6\n", "{base}");
        assert_eq!(count("--player 700070 --against xx --players list.txt"), "6\n", "{base}");
    }
    let dry = place.run("edit people.si4 -n fill --players list.txt").well();
    let filled = place.run("edit people.si4 fill --players list.txt").well();
    for line in [
        "WhiteFideId: filled in 3 games",
        "WhiteTitle: filled in 6 games",
        "WhiteElo: filled in 6 games",
    ] {
        assert!(dry.err.contains(line) && filled.err.contains(line), "{line}: {dry}{filled}");
    }
    let again = place.run("edit people.si4 fill --players list.txt");
    assert!(!again.err.contains("filled"), "{again}");
    let tagged =
        place.run("list people.si4 --count --where WhiteFideId=700070 --where WhiteElo=2675");
    assert_eq!(tagged.out, "6\n");
    assert_eq!(place.run("edit people.si4 fill").code, 2);
}

/// Returns the texts between backquotes.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

fn listed(cell: &str) -> Vec<&str> {
    cell.split(';').map(str::trim).filter(|name| !name.is_empty()).collect()
}

#[test]
fn list_player_finds_what_the_table_of_names_says() {
    let page = testkit::workspace_root().join("docs/filters.md");
    let page = fs::read_to_string(page).unwrap();
    let table = page.split("| asked for | finds |").nth(1).unwrap();
    let place = Place::new();
    let mut rows = 0;
    for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let (asked, found, other) = (quoted(cells[0]), listed(cells[1]), listed(cells[2]));
        let games = [&found[..], &other[..]].concat();
        let game = |name: &&str| format!("[White \"{name}\"]\n[Black \"Xx\"]\n\n*\n\n");
        fs::write(place.path("names.pgn"), games.iter().map(game).collect::<String>()).unwrap();
        for (number, query) in asked.iter().enumerate() {
            // Several questions in a row have one answer each.
            let wanted = if asked.len() > 1 { &found[number..=number] } else { &found[..] };
            let words =
                ["list", "names.pgn", "--csv", "--columns", "number", "--white", query, "-q"];
            let ran = place.run_words(&words, "");
            let numbers: Vec<usize> = ran.out.lines().skip(1).map(|n| n.parse().unwrap()).collect();
            let names: Vec<&str> = numbers.iter().map(|number| games[number - 1]).collect();
            assert_eq!(names, wanted, "{query}");
            rows += 1;
        }
    }
    assert!(rows > 12, "{rows}");
}
