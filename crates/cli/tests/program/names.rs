//! Tests of the examples of docs/filters.md.

use std::fs;

use crate::place::Place;

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
