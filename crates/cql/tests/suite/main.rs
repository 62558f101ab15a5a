//! The queries of docs/query.md and tests/data with the positions that they must find.

mod bounds;
mod costs;

use chess_core::Game;
use cql::{Query, Result, SortValue};

/// Games of a PGN text.
fn games(text: &str) -> Vec<Game> {
    pgn::Reader::new(text.as_bytes()).games().map(|game| game.unwrap()).collect()
}

/// The numbers of the games that match, from 1.
fn found(query: &str, games: &[Game]) -> Result<Vec<usize>> {
    let query = Query::parse(query)?;
    let (mut all, mut first) = (query.searcher(), query.searcher());
    let mut numbers = Vec::new();
    for (number, game) in (1..).zip(games) {
        let matches = all.find(game)?.is_some();
        assert_eq!(first.is_match(game)?, matches, "{} in game {number}", query.text());
        if matches {
            numbers.push(number);
        }
    }
    Ok(numbers)
}

#[test]
fn queries_over_hand_made_games_find_expected_games() {
    let cases: &[(&str, &str, &[usize])] = &[
        ("27", "flipcolor ray up (Q R R)", &[1, 3, 5]),
        ("29", "flipcolor {btm mate N attacks k not _ attackedby k}", &[1, 2]),
        ("43", "{o-o or o-o-o} child:check", &[1, 2, 5]),
        ("43", "path o-o check", &[2]),
        ("43", "path castle check", &[1, 2, 5]),
        ("53", "initial piece x in Pa-h2 find {x & a-h8}", &[1]),
        ("57", "path --(check) [Kk]--(check)", &[2]),
        ("61", "initial not find {move from A castle}", &[2, 3]),
        ("79", "flip {Na1} movenumber<=25", &[1, 2]),
        ("V", "cql(variations) variation mate", &[1, 3]),
        ("V", "mate", &[2]),
        ("C", "originalcomment \"novelty\" movenumber<=10", &[1]),
        ("C", "cql(variations) originalcomment \"novelty\"", &[1, 4]),
        ("C", "originalcomment ~~ \"(?i)novelty\"", &[1, 3]),
    ];
    for (file, query, expected) in cases {
        let path = format!("{}/tests/data/hand/{file}.pgn", env!("CARGO_MANIFEST_DIR"));
        let games = games(&std::fs::read_to_string(path).unwrap());
        match found(query, &games) {
            Ok(numbers) => assert_eq!(&numbers, expected, "{query}"),
            Err(error) => panic!("{query}: {error}"),
        }
    }
}

#[test]
fn wrong_queries_have_expected_errors() {
    let cases: serde_json::Value =
        serde_json::from_str(include_str!("../data/wrong.json")).unwrap();
    let mut failed = Vec::new();
    for case in cases.as_array().unwrap() {
        let text = case["query"].as_str().unwrap();
        let error = match Query::parse(text) {
            Ok(_) => {
                failed.push(format!("{text}: parses"));
                continue;
            }
            Err(error) => error,
        };
        let place = error.place().unwrap();
        let expected = (&case["line"], &case["column"], case["message"].as_str().unwrap());
        let (line, column) = (place.line.into(), place.column.into());
        if (&line, &column, error.message()) != expected {
            failed.push(format!("{text}\n  {error}\n  expected {expected:?}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A line of tests/data/cases.txt.
struct Case<'a> {
    id: &'a str,
    plies: &'a str,
    game: Game,
    query: String,
}

/// The queries of the cookbook by their numbers.
fn cookbook(page: &str) -> Vec<(String, String)> {
    let rows = page.lines().filter_map(|line| {
        let (number, rest) = line.strip_prefix("| ")?.split_once(" | ")?;
        let (_, query) = rest.split_once(" | `")?;
        number.parse::<u8>().ok()?;
        Some((format!("q{number}"), query.strip_suffix("` |")?.to_owned()))
    });
    rows.collect()
}

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/query.md");
    std::fs::read_to_string(path).unwrap()
}

/// A game of a line with cases.
fn game(fen: &str, moves: &str, header: &str) -> Game {
    let mut game = Game::new();
    if fen != "-" {
        game.set_start_fen(fen).unwrap();
    }
    for m in moves.split_whitespace() {
        match m {
            "(" => game.start_variation().unwrap(),
            ")" => game.end_variation().unwrap(),
            m => game.push_move(m.parse().unwrap()),
        }
    }
    for (name, value) in header.split(';').filter_map(|tag| tag.split_once('=')) {
        match name {
            "comment" => game.push_comment(value).unwrap(),
            name => game.header.set(name, value),
        }
    }
    game
}

/// ports/python/cql.py, written from the page alone, gives the expected plies.
#[test]
fn queries_of_second_evaluator_match_at_its_plies() {
    let (mut games, mut checked, mut failed) = (Vec::new(), 0, Vec::new());
    let lines = include_str!("../data/second.txt").lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        let (expected, rest) = line.split_once(" | ").unwrap();
        if expected == "game" {
            let mut parts = rest.splitn(3, " |").map(str::trim);
            let mut next = || parts.next().unwrap_or_default();
            games.push(game(next(), next(), next()));
            continue;
        }
        let query = match Query::parse(rest) {
            Ok(query) => query,
            Err(error) => {
                failed.push(format!("{rest}\n  {error}"));
                continue;
            }
        };
        let mut words = Vec::new();
        for (number, game) in (1..).zip(&games) {
            let mut searcher = query.searcher();
            let found = searcher.find(game).unwrap();
            let mut ranges: Vec<(u32, u32)> = Vec::new();
            for hit in found.iter().flat_map(|found| found.hits()) {
                match ranges.last_mut() {
                    Some((_, last)) if *last + 1 == hit.ply => *last = hit.ply,
                    _ => ranges.push((hit.ply, hit.ply)),
                }
            }
            let text = |(first, last): &(u32, u32)| {
                if first == last { first.to_string() } else { format!("{first}-{last}") }
            };
            let ranges: Vec<String> = ranges.iter().map(text).collect();
            if !ranges.is_empty() {
                words.push(format!("{number}:{}", ranges.join(",")));
            }
        }
        let found = if words.is_empty() { "none".to_owned() } else { words.join(" ") };
        if found != expected {
            failed.push(format!("{rest}\n  found    {found}\n  expected {expected}"));
        }
        checked += 1;
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(checked >= 80 && games.len() >= 10);
}

fn cases(page: &str) -> Vec<Case<'static>> {
    let queries = cookbook(page);
    let lines = include_str!("../data/cases.txt").lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut parts = line.splitn(6, " |").map(str::trim);
            let mut next = || parts.next().unwrap_or_default();
            let (id, plies, fen, moves, header, own) =
                (next(), next(), next(), next(), next(), next());
            let game = game(fen, moves, header);
            let known = queries.iter().find(|(number, _)| number == id);
            let query = known.map_or_else(|| own.to_owned(), |(_, query)| query.clone());
            Case { id, plies, game, query }
        })
        .collect()
}

#[test]
fn cases_of_page_match_at_expected_plies() {
    let mut failed = Vec::new();
    for Case { id, plies, game, query } in cases(&page()) {
        let found = Query::parse(&query).and_then(|query| {
            let mut searcher = query.searcher();
            let found = searcher.find(&game)?;
            let hits = found.map_or(&[][..], |found| found.hits());
            let plies: Vec<String> = hits.iter().map(|hit| hit.ply.to_string()).collect();
            let plies = if plies.is_empty() { "none".to_owned() } else { plies.join(" ") };
            assert_eq!(query.searcher().is_match(&game)?, found.is_some(), "{}", query.text());
            Ok(plies)
        });
        match found {
            Ok(found) if found == plies => {}
            Ok(found) => failed.push(format!("{id} {query}: {found}, not {plies}")),
            Err(error) => failed.push(format!("{id} {error}")),
        }
    }
    assert!(failed.is_empty(), "{} cases:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn page_questions_and_rules_have_cases() {
    let page = page();
    let ids: Vec<&str> = cases(&page).iter().map(|case| case.id).collect();
    let questions = cookbook(&page);
    assert_eq!(questions.len(), 59);
    let rules = page.lines().filter_map(|line| line.split(' ').next()).filter(|word| {
        let number = word.split_once('.');
        number.is_some_and(|(a, b)| a.parse::<u8>().is_ok_and(|a| a < 9) && b.parse::<u8>().is_ok())
    });
    for id in questions.iter().map(|(number, _)| number.as_str()).chain(rules) {
        assert!(ids.contains(&id), "{id} of docs/query.md has no case");
    }
}

#[test]
fn cookbook_queries_have_no_warning() {
    for (number, query) in cookbook(&page()) {
        let query = Query::parse(&query).unwrap();
        assert!(query.warnings().is_empty(), "{number}: {}", query.warnings()[0]);
    }
}

#[test]
fn persistent_over_games_counts_and_sorts() {
    let games = games("1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 *\n\n1. f4 e5 2. g4 Qh4# 0-1\n");
    let query =
        Query::parse("mate persistent Mates+=1 sort \"men\" A message(\"mate \" ply)").unwrap();
    let mut searcher = query.searcher();
    let mut messages = Vec::new();
    for game in &games {
        let values = searcher.find(game).unwrap().map(|found| found.sort_values().to_vec());
        assert!(values.is_none_or(|values| values == [Some(SortValue::Number(16))]));
        messages.extend(searcher.messages().map(str::to_owned));
    }
    assert_eq!(messages, ["mate 4", "mate 4"]);
    let counters: Vec<_> = searcher.persistent().collect();
    assert_eq!(counters, [("Mates", SortValue::Number(2))]);
}
