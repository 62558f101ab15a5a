//! Counts of positions.

use std::collections::BTreeMap;

use scoresheet::chess_core::{Game, Move, Position, Square};
use scoresheet::positions::{PositionCount, Positions};
use scoresheet::tables::zobrist;

fn games() -> Vec<Game> {
    let text: String = (0..300u32)
        .map(|n| {
            let result = ["1-0", "0-1", "1/2-1/2", "*"][n as usize % 4];
            let first = ["e4", "d4", "c4", "Nf3"][n as usize / 3 % 4];
            let second = ["e5 2. Nc3", "d5 2. Nc3 Nf6 3. Nb1 Ng8 4. Nc3", "c5 2. a4 c4 3. b4"][n as usize / 7 % 3];
            let elo = if n % 5 == 0 { String::new() } else { format!("[WhiteElo \"{}\"]\n", 2000 + n) };
            let date = if n % 6 == 0 { "????".to_owned() } else { (1900 + n % 120).to_string() };
            format!("[Date \"{date}.??.??\"]\n[Result \"{result}\"]\n{elo}\n1. {first} {second} {result}\n\n")
        })
        .collect();
    scoresheet::pgn::Reader::new(text.as_bytes()).into_games().map_while(Result::ok).collect()
}

fn counted(games: &[Game], most: usize) -> Vec<PositionCount> {
    let mut positions = Positions::with_limit(most);
    games.iter().for_each(|game| positions.add_game(game, None).unwrap());
    positions.finish().unwrap().map(Result::unwrap).collect()
}

#[test]
fn positions_any_number_of_runs_gives_the_same_counts() {
    let games = games();
    assert!(games.len() > 200, "{}", games.len());
    let whole = counted(&games, usize::MAX);
    assert!(whole.is_sorted_by_key(|position| position.hash));
    for most in [1, 7, 100] {
        assert_eq!(counted(&games, most), whole, "{most}");
    }
}

#[test]
fn positions_counts_equal_a_simple_count() {
    let games = games();
    let mut simple: BTreeMap<u64, (u64, u64, String)> = BTreeMap::new();
    for game in &games {
        let mut position = game.start_position();
        let mut seen = BTreeMap::from([(zobrist(&position), position)]);
        for m in game.main_line() {
            position.apply(m);
            seen.insert(zobrist(&position), position);
        }
        for (hash, position) in seen {
            let count = simple.entry(hash).or_insert((0, 0, fields(&position)));
            count.0 += 1;
            count.1 += u64::from(game.header.result.as_str() == "1-0");
        }
    }
    let whole = counted(&games, 50);
    assert_eq!(whole.len(), simple.len());
    for position in &whole {
        let (games, won, fen) = &simple[&position.hash];
        assert_eq!((position.games, position.white_wins), (*games, *won));
        assert_eq!(&position.fen(), fen);
    }
    let start = whole.iter().find(|position| position.hash == zobrist(&Position::start())).unwrap();
    assert_eq!(start.games, games.len() as u64);
    let years: Vec<u16> = games.iter().filter_map(|game| game.header.date.year()).collect();
    assert_eq!(start.first_year, years.iter().min().copied());
    assert_eq!(start.last_year, years.iter().max().copied());
    let elos =
        || games.iter().filter_map(|game| game.header.white_elo).map(|elo| f64::from(elo.get()));
    let mean = elos().sum::<f64>() / elos().count() as f64;
    assert!((start.mean_rating().unwrap() - mean).abs() < 1e-9);
}

fn fields(position: &Position) -> String {
    position.to_fen().split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[test]
fn positions_ply_limit_cuts_games() {
    let games = games();
    let mut positions = Positions::default();
    games.iter().for_each(|game| positions.add_game(game, Some(1)).unwrap());
    assert_eq!(positions.finish().unwrap().count(), 5);
}

#[test]
fn positions_repeated_in_a_long_game_count_once() {
    // The knights visit their squares in cycles of 31 and 29: 1,798 positions, then all again.
    let squares: Vec<Square> = Square::all().collect();
    let mut game = Game::new();
    game.set_start_fen("7k/8/8/n7/8/8/8/KN6 w - - 0 1").unwrap();
    for turn in 0..2500 {
        for (first, length) in [(1, 31), (32, 29)] {
            let at = |turn: usize| squares[first + turn % length];
            game.push_move(Move::new(at(turn), at(turn + 1)));
        }
    }
    let counts = counted(&[game], usize::MAX);
    assert_eq!(counts.len(), 2 * 31 * 29);
    assert!(counts.iter().all(|position| position.games == 1));
}
