//! Prefilters drop no game that reaches the position.

use arbitrary::Unstructured;
use chess_core::{Color, Game, Header, Position, Role};
use chess_store::{Diagnostics, IndexRows, Losses, Query, TextDecoder};
use scid::{Database, Encoding, Extensions, Location};
use testkit::{Flavour, Random, random_game};

use crate::files::{BaseFiles as _, Files, writer_in};

/// Legal games of all kinds.
fn legal_games(random: &mut Random, chess960: bool) -> Vec<Game> {
    let all = Flavour { chess960, free_comments: false, ..Flavour::ALL };
    let plain = Flavour { variations: true, null_moves: true, plies: 300, ..Flavour::PLAIN };
    let mut game = |flavour| {
        let length = 20 + random.below(1500);
        let bytes = random.bytes(length);
        random_game(&mut Unstructured::new(&bytes), flavour).unwrap()
    };
    (0..30).map(|number| game(if number % 3 == 0 { all } else { plain })).collect()
}

/// Games with any move that the format can express: promotions anywhere, captures of own pieces,
/// kings in check.
fn lawless_games(random: &mut Random) -> Vec<Game> {
    let text = TextDecoder::utf8_or(Encoding::WINDOWS_1252);
    (0..60)
        .map(|_| {
            let mut record = vec![0, 0];
            // Moves of the same side's pieces by number, until one is invalid.
            for _ in 0..60 {
                record.push(random.byte() | 16);
                if random.below(4) == 0 {
                    record.push(64 | random.byte() & 63);
                }
            }
            let mut game = Game::new();
            let (at, mut notes) = (Location::file("sg4"), Diagnostics::lenient());
            let _ = scid::decode_record(&record, at, &text, &mut game, &mut notes);
            game
        })
        .filter(|game| !pawn_comes_home(game))
        .collect()
}

/// Across the edge of the board, which no search expects. (scid §2.6.7)
fn pawn_comes_home(game: &Game) -> bool {
    let mut comes_home = false;
    chess_store::visit_game(game, &Query::default(), &mut |_, position, m| {
        let is_pawn = |square| position.role(Role::Pawn).contains(square);
        comes_home |= m.is_some_and(|m| is_pawn(m.from()) && m.from().rank() == m.to().rank());
        true
    });
    comes_home
}

fn base_of(games: &[Game], family: Extensions) -> (Files, Vec<Game>) {
    let (mut writer, mut taken) = (writer_in(family, None), Vec::new());
    for game in games {
        if writer.write(game, &mut Losses::new()).is_ok() {
            taken.push(game.clone());
        }
    }
    (writer.into_parts().unwrap(), taken)
}

/// The positions of the main line.
fn line(game: &Game) -> Vec<Position> {
    let mut positions = Vec::new();
    chess_store::visit_game(game, &Query::default(), &mut |_, position, _| {
        positions.push(*position);
        true
    });
    positions
}

fn same_pieces(one: &Position, other: &Position) -> bool {
    Color::ALL.iter().all(|color| one.color(*color) == other.color(*color))
        && Role::ALL.iter().all(|role| one.role(*role) == other.role(*role))
}

/// Compares the answers for positions of these games. Returns how many games were ruled out.
fn assert_nothing_is_missed<R: chess_store::io::ReadAt + Send + Sync>(
    name: &str,
    base: &Database<R>,
    games: &[Game],
    random: &mut Random,
) -> usize {
    let lines: Vec<Vec<Position>> = games.iter().map(line).collect();
    let mut reader = base.reader();
    let mut ruled_out = 0;
    for _ in 0..60 {
        let line_of = |random: &mut Random| &lines[random.below(lines.len())];
        let one = line_of(random);
        let one = one[random.below(one.len())];
        let other = line_of(random);
        let other = other[random.below(other.len().min(8))];
        for sought in [&[one][..], &[one, other]] {
            let query = Query::new(sought);
            let mut found = IndexRows::Numbers(Vec::new());
            reader.prefilter(0..base.len(), &query, &mut found);
            let (found, mut scratch) = (found.numbers(), Game::new());
            for (number, line) in (0..).zip(&lines) {
                let is_there =
                    |position: &Position| sought.iter().any(|one| same_pieces(one, position));
                let comes = line.iter().any(is_there);
                let mut seen = false;
                let visit = &mut |_: &Header, _: &Position, _| {
                    seen = true;
                    false
                };
                reader.visit_main_line(number, &query, &mut scratch, visit).unwrap();
                let fen = one.to_fen();
                assert!(!comes || found.contains(&number), "{name}: index, game {number}: {fen}");
                assert!(!comes || seen, "{name}: moves, game {number}: {fen}");
                // Moves cannot be judged in games with their own start position, and Scid 3 entries
                // mark other games so too.
                let own_start = games[number as usize].setup().is_some()
                    || base.version() == scid::Version::Si3;
                assert!(
                    comes || own_start || !seen,
                    "{name}: false positive, game {number}: {fen}"
                );
                ruled_out += usize::from(!found.contains(&number));
            }
        }
    }
    ruled_out
}

#[test]
fn search_random_games_misses_nothing() {
    for seed in 0..12 {
        let mut random = Random::new(seed);
        for (family, chess960) in [(Extensions::SI4, false), (Extensions::SI5, true)] {
            let mut games = legal_games(&mut random, chess960);
            games.extend(lawless_games(&mut random));
            let (files, games) = base_of(&games, family);
            assert!(games.len() > 60, "{}", games.len());
            let base = files.open().unwrap();
            let ruled_out = assert_nothing_is_missed("random", &base, &games, &mut random);
            assert!(ruled_out > games.len() * 10, "seed {seed}: {ruled_out}");
        }
    }
}

/// The bases written by Scid.
#[test]
fn search_scid_bases_misses_nothing() {
    let mut random = Random::new(1);
    for case in testkit::cases("scid").iter().filter(|case| !case.is_bad()) {
        let files = Files::of(case);
        let base = files.open().unwrap();
        let games: Vec<Game> = base.games().map(Result::unwrap).collect();
        if games.len() < 1000 && !games.is_empty() {
            assert_nothing_is_missed(&case.name, &base, &games, &mut random);
        }
    }
}

/// Fields that were never filled in rule nothing out. Wrong fields do, and are reported.
#[test]
fn search_wrong_fields_hide_game_and_are_reported() {
    let mut game = Game::new();
    for m in ["e2e4", "e7e5", "g1f3", "b8c6"] {
        game.push_move(m.parse().unwrap());
    }
    let files = Files::with(Extensions::SI4, std::slice::from_ref(&game));
    let end = *line(&game).last().unwrap();
    let entry = 182;
    // Opening line, the three bytes of material, home pawn count and home pawns.
    let may_reach = |change: &[(usize, u8)]| {
        let mut files = files.clone();
        change.iter().for_each(|(at, value)| files.index[entry + at] = *value);
        let base = files.open().unwrap();
        let stale = base.reader().verify(0, &game).unwrap();
        (base.reader().may_reach(0, &Query::new(&[end])), stale)
    };
    assert_eq!(may_reach(&[]), (true, vec![]));
    assert_eq!(may_reach(&[(33, 0)]), (true, vec![]));
    let blank: Vec<(usize, u8)> = (33..47).filter(|at| *at != 37).map(|at| (at, 0)).collect();
    let stale = vec!["material", "home pawn count", "home pawns"];
    assert_eq!(may_reach(&blank), (true, stale));
    assert_eq!(may_reach(&[(33, 1)]), (false, vec!["opening line"]));
    assert_eq!(may_reach(&[(33, 0), (34, 0xff)]), (false, vec!["material"]));
    assert_eq!(may_reach(&[(33, 0), (39, 0x12)]), (false, vec!["home pawns"]));
    // Its opening line is checked first.
    assert_eq!(may_reach(&[(34, 0xff)]), (true, vec!["material"]));
}
