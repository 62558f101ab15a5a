//! A search by index and main line finds the same games as reading every game.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use scoresheet::chess_core::{Color, Game, Header, Position, Role, TYPED_TAGS};
use scoresheet::chess_store::Diagnostics;
use scoresheet::chess_store::erased::{Creator, Encoded};
use scoresheet::columns::{Rank, Row, SortKey, sorted};
use scoresheet::filter::{CqlLimits, CqlTest, Line, PositionPattern, Text, ranges};
use scoresheet::sample::Sampler;
use scoresheet::tree::{Branch, Explorer};
use scoresheet::{
    Base, Converter, CreateOptions, Database, Filter, Indexed, OpenOptions, Scanner, Selected,
    Selector, families, format_named,
};
use testkit::{Flavour, Random, assert_searches_are_right, cases, random_games};

/// Fields of these entries say what their games do not: what searches go by hides games. (scid
/// §2.6.4; `check` names the fields)
const WRONG_FIELDS: [&str; 1] = ["bad_entries"];

/// Every base with numbered games, damaged or not, and one of random games in each format, which are
/// in the folder.
fn databases(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut found = random_bases(folder);
    for family in families() {
        for case in cases(family.name) {
            let mut names = family.formats.iter().filter_map(|format| format.extensions.first());
            let path = match &case.meta.open {
                Some(open) => Some(case.file(open)),
                None => names.find_map(|name| Some(case.path(name)).filter(|path| path.is_file())),
            };
            if WRONG_FIELDS.contains(&case.name.as_str()) {
                continue;
            }
            let Some(path) = path else { continue };
            match scoresheet::open(&path) {
                Ok(base) if base.database().is_some() => {
                    found.push((format!("{}/{}", family.name, case.name), path));
                }
                _ => {}
            }
        }
    }
    found
}

fn random_bases(folder: &Path) -> Vec<(String, PathBuf)> {
    let games = [
        random_games(21, 40, 900, Flavour { free_comments: false, plies: 90, ..Flavour::ALL }),
        random_games(22, 60, 1200, Flavour { plies: 200, ..Flavour::PLAIN }),
    ];
    let mut made = Vec::new();
    for format in scoresheet::formats().filter(|format| format.name != "fbk") {
        let Some(Creator::Database(create)) = format.create else { continue };
        let path = folder.join(format.name).with_extension(format.extensions[0]);
        let mut writer = create(&path, &CreateOptions::default()).unwrap();
        let (mut encoder, mut encoded) = (writer.encoder(), Encoded::default());
        let mut taken = 0;
        for game in games.iter().flatten() {
            let stored = encoder.encode(game, &mut encoded);
            taken += u32::from(stored.and_then(|()| writer.append(&mut encoded)).is_ok());
        }
        writer.finish().unwrap();
        assert!(taken > 60, "{}: {taken}", format.name);
        made.push((format!("random/{}", format.name), path));
    }
    assert!(made.len() > 7, "{}", made.len());
    made
}

/// Every game as far as it reads.
fn all_games(base: &Base) -> Vec<Game> {
    let database = base.database().unwrap();
    let mut reader = database.reader();
    (0..database.len())
        .map(|number| {
            let mut game = Game::new();
            let _ = reader.game(number, &mut game, &mut Diagnostics::lenient());
            game
        })
        .collect()
}

fn chosen_by_reading(games: &[Game], filter: &Filter) -> Vec<u64> {
    let chosen = |number: &u64, game: &Game| filter.has_number(*number) && filter.selects(game);
    let games = (0..).zip(games).filter(|(number, game)| chosen(number, game));
    games.map(|(number, _)| number).collect()
}

fn chosen_by_search(base: &mut Base, filter: &Filter, threads: usize) -> Vec<u64> {
    let mut chosen = Vec::new();
    let scanner = Scanner::new().filter(filter.clone()).threads(threads);
    let seen = scanner.for_each(base, |scanned| chosen.push(scanned.number));
    assert_eq!(seen.unwrap(), base.len().unwrap());
    chosen
}

/// A position of a main line.
fn some_position(games: &[Game], random: &mut Random) -> Position {
    let game = &games[random.below(games.len())];
    let mut positions = Vec::new();
    scoresheet::chess_store::visit_game(game, &Default::default(), &mut |_, position, _| {
        positions.push(*position);
        true
    });
    positions[random.below(positions.len())]
}

#[test]
fn search_positions_equals_reading_every_game() {
    let mut random = Random::new(5);
    let folder = tempfile::tempdir().unwrap();
    let mut searches = 0;
    for (name, path) in databases(folder.path()) {
        let mut base = scoresheet::open(&path).unwrap();
        let games = all_games(&base);
        if games.is_empty() || games.len() > 700 {
            continue;
        }
        for turn in 0..8 {
            let position = some_position(&games, &mut random);
            let mut filter = Filter::default();
            filter.positions = vec![match turn % 2 {
                0 => PositionPattern::exact(&position),
                _ => PositionPattern::parse(position.to_fen().split(' ').next().unwrap()).unwrap(),
            }];
            if turn == 7 {
                filter.positions.push(PositionPattern::exact(&some_position(&games, &mut random)));
            }
            filter.in_variations = turn == 6;
            let expected = chosen_by_reading(&games, &filter);
            assert!(!expected.is_empty(), "{name}");
            let found = chosen_by_search(&mut base, &filter, 1 + turn % 2);
            assert_eq!(found, expected, "{name}: {}", position.to_fen());
            searches += 1;
        }
    }
    assert!(searches > 500, "{searches}");
}

#[test]
fn search_headers_equals_reading_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let mut turn = 0;
    for (name, path) in databases(folder.path()) {
        let mut base = scoresheet::open(&path).unwrap();
        if !base.warnings().is_empty() || name.contains("/bad_") {
            continue;
        }
        let games = all_games(&base);
        for (number, game) in games.iter().enumerate().step_by(1 + games.len() / 5) {
            let mut filter = Filter::default();
            let header = &game.header;
            let code = header.eco.map_or("B00".into(), |eco| eco.to_string());
            match turn % 9 {
                0 => filter.player = Text::exact(&header.white).into_iter().collect(),
                1 => filter.black = Text::exact(&header.black).into_iter().collect(),
                2 => filter.event = Text::part(&header.event).into_iter().collect(),
                3 => filter.results = vec![header.result],
                4 => filter.date = ranges::dates("1900..2000").unwrap(),
                5 => filter.eco = ranges::ecos(&code[..3]).unwrap(),
                // For Scid, the ratings of the index count, not the ratings of the record.
                6 if !name.starts_with("scid/") => {
                    filter.elo = ranges::ratings("2000..").unwrap();
                }
                7 => filter.site = Text::exact(&header.site).into_iter().collect(),
                _ => {
                    filter.white = Text::part(&header.white).into_iter().collect();
                    filter.games = vec![0..=number as u64 + 1];
                }
            }
            turn += 1;
            filter.deleted = (number % 2 == 1).then_some(game.header.deleted);
            let expected = chosen_by_reading(&games, &filter);
            assert_eq!(chosen_by_search(&mut base, &filter, 1), expected, "{name} {filter:?}");
        }
    }
}

/// Length, material, words of comments and ratings, which some formats judge by index or stored bytes.
#[test]
fn search_contents_equals_reading_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(36);
    let (mut searches, mut found_some) = (0, 0);
    for (name, path) in databases(folder.path()) {
        let mut base = scoresheet::open(&path).unwrap();
        let games = all_games(&base);
        // The lengths in the index of these bases are wrong on purpose.
        let lies = name.contains("/bad_") || ["cbh2/boards", "cbh2/walks"].contains(&name.as_str());
        if lies || games.is_empty() || games.len() > 700 {
            continue;
        }
        for turn in 0..12 {
            let game = &games[random.below(games.len())];
            let mut filter = Filter::default();
            match turn % 6 {
                0 => {
                    let moves = u32::try_from(game.ply_count().div_ceil(2)).unwrap();
                    filter.length = vec![moves..=moves + 3];
                }
                1 => filter.materials.extend(material(&some_position(&games, &mut random)).parse()),
                2 => filter.materials.extend("KQ*R*B*N*P0..4-KQ*R*B?N?P*:3".parse()),
                3 => filter.comments.extend(["s", "move", "k e"].map(|word| word.parse().unwrap())),
                // For Scid, the ratings of the index count, not the ratings of the record.
                4 if !name.starts_with("scid/") => filter.tags.extend("WhiteElo<2400".parse()),
                _ => filter.comments.extend("[aeiou]n".parse()),
            }
            if turn >= 6 {
                filter.length.push(10..=60);
                filter.deleted = Some(false);
            }
            let expected = chosen_by_reading(&games, &filter);
            assert_eq!(chosen_by_search(&mut base, &filter, 1), expected, "{name}: {filter:?}");
            let mut selected = Vec::new();
            let _ = Selector::new(&filter).threads(2).run(base.database().unwrap(), |part| {
                selected.extend_from_slice(part.numbers);
                ControlFlow::<()>::Continue(())
            });
            assert_eq!(selected, expected, "{name}: {filter:?}");
            searches += 1;
            found_some += u32::from(!expected.is_empty());
        }
    }
    assert!(searches > 500 && found_some > 200, "{searches} {found_some}");
}

/// The material of a position, as for `--material`.
fn material(position: &Position) -> String {
    let side = |color| {
        let letters = [('Q', Role::Queen), ('R', Role::Rook), ('B', Role::Bishop)];
        let more = [('N', Role::Knight), ('P', Role::Pawn)];
        let counted = letters.into_iter().chain(more);
        let words = counted
            .map(|(letter, role)| format!("{letter}{}", position.pieces(role, color).count()));
        words.collect::<String>()
    };
    format!("w:{}-{}", side(Color::White), side(Color::Black))
}

/// Summaries, names, walks and glances of every base.
#[test]
fn search_index_agrees_with_games() {
    let mut random = Random::new(15);
    let folder = tempfile::tempdir().unwrap();
    for (name, path) in databases(folder.path()) {
        let base = scoresheet::open(&path).unwrap();
        let database = base.database().unwrap();
        if database.len() <= 700 {
            assert_searches_are_right(&name, database, &mut random);
        }
    }
}

fn stats(branches: &[Branch]) -> String {
    let one =
        |branch: &Branch| format!("{} {:?} ({})", branch.m, branch.stats, stats(&branch.branches));
    branches.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Games whose index differs from the record: moves that a damaged game lacks, or other ratings.
/// The tree counts the values of the index. (scid §2.6.5, 2.6.8)
fn told_otherwise(base: &Base) -> Vec<u64> {
    let database = base.database().unwrap();
    let (mut reader, mut game) = (database.reader(), Game::new());
    (0..database.len())
        .filter(|number| {
            let read = reader.game(*number, &mut game, &mut Diagnostics::lenient());
            let ratings = (game.header.white_elo, game.header.black_elo);
            reader.summarize(*number).is_some_and(|summary| {
                read.is_err() && summary.opening != 0
                    || (summary.white_elo, summary.black_elo) != ratings
            })
        })
        .collect()
}

/// A filter that must read the moves makes the tree read every game.
#[test]
fn tree_by_index_equals_tree_by_reading() {
    let mut random = Random::new(9);
    let folder = tempfile::tempdir().unwrap();
    for (name, path) in databases(folder.path()) {
        let mut base = scoresheet::open(&path).unwrap();
        let games = all_games(&base);
        if games.is_empty() || games.len() > 700 {
            continue;
        }
        let without: Arc<[u64]> = told_otherwise(&base).into();
        for turn in 0..4 {
            let root = match turn {
                0 => PositionPattern::exact(&Position::start()),
                1 => PositionPattern::exact(Line::parse("1. e4 e5 2. Nf3").unwrap().end()),
                _ => PositionPattern::exact(&some_position(&games, &mut random)),
            };
            let tree = |filter: Filter, base: &mut Base| {
                let mut explorer =
                    Explorer::new(root.clone()).filter(filter).depth(turn).threads(1 + turn % 2);
                explorer.run(base, &mut |_| ()).unwrap();
                let tree = explorer.finish();
                (tree.seen, format!("{:?}", tree.stats), stats(&tree.branches))
            };
            let mut by_index = Filter::default();
            by_index.without = Arc::clone(&without);
            let mut by_reading = by_index.clone();
            by_reading.length = ranges::lengths("0..").unwrap();
            let expected = tree(by_index, &mut base);
            assert_eq!(expected, tree(by_reading, &mut base), "{name} {turn}");
            // In ranges, of a list of games.
            let numbers = 0..games.len() as u64;
            let only = numbers.filter(|number| without.binary_search(number).is_err());
            let mut explorer =
                Explorer::new(root.clone()).depth(turn).only(only.collect::<Vec<_>>());
            let mut reader = base.database().unwrap().reader();
            let mut start = 0;
            while start < games.len() as u64 {
                let end = (start + 1 + random.below(300) as u64).min(games.len() as u64);
                explorer.add_range(&mut *reader, start..end).unwrap();
                start = end;
            }
            let tree = explorer.finish();
            let counted = (tree.seen, format!("{:?}", tree.stats), stats(&tree.branches));
            assert_eq!(counted, expected, "{name} {turn}, in ranges");
        }
    }
}

/// Four games, whose columns are sorted.
const SORTED_TEXT: &str = "[White \"Tal\"]\n[WhiteElo \"2600\"]\n[Date \"1960.??.??\"]\n[ECO \"B90\"]\n[Round \"10\"]\n\n1. e4 c5 1-0\n\n\
    [White \"alekhine\"]\n[Date \"1927.09.16\"]\n[ECO \"odd\"]\n[Round \"9\"]\n\n1. d4 d5 0-1\n\n\
    [White \"?\"]\n[WhiteElo \"2700\"]\n[BlackElo \"2500\"]\n[Date \"1960.01.01\"]\n\n1. e4 e5 2. Ke4 *\n\n\
    [White \"Tal\"]\n[WhiteElo \"2600\"]\n[BlackElo \"2650\"]\n[ECO \"A00\"]\n[Opening \"X\"]\n\n1. g4 *\n";

fn indexed(limit: Option<usize>) -> Indexed {
    let (file, format) = (SORTED_TEXT.as_bytes().to_vec(), format_named("pgn").unwrap());
    let games = Indexed::new(file, format, &OpenOptions::default()).unwrap();
    let mut games = match limit {
        Some(limit) => games.keep(limit),
        None => games,
    };
    while games.grow().unwrap() {}
    games
}

/// Sorts by the headers alone.
fn sorted_by_ranks(games: &dyn Database, by: &SortKey) -> Vec<u64> {
    let (mut reader, mut game) = (games.reader(), Game::new());
    let order = std::slice::from_ref(by);
    let mut ranks: Vec<(Rank, u64)> = Vec::new();
    for number in 0..games.len() {
        let _ = reader.game(number, &mut game, &mut Diagnostics::lenient());
        let row = Row::new(number + 1, Path::new(""), &game.header).with_game(Some(&game));
        ranks.push((Rank::new(order, &row), number));
    }
    ranks.sort();
    ranks.into_iter().map(|(_, number)| number).collect()
}

#[test]
fn sorted_from_index_equals_sorted_from_games() {
    let columns = [
        "white", "black", "event", "round", "whiteelo", "elo", "year", "month", "date", "eco",
        "result", "opening", "plies", "number", "deleted",
    ];
    for limit in [None, Some(1 << 20), Some(100)] {
        let games = indexed(limit);
        let numbers: Vec<u64> = (0..games.len()).collect();
        for column in columns.iter().flat_map(|name| [(*name).to_owned(), format!("-{name}")]) {
            let by = SortKey::parse(&column).unwrap();
            let sorted = sorted(&mut *Database::reader(&games), &numbers, &by);
            assert_eq!(sorted, sorted_by_ranks(&games, &by), "{column}, {limit:?}");
        }
    }
}

#[test]
fn kept_headers_equal_headers_that_are_read() {
    let (kept, read) = (indexed(Some(1 << 20)), indexed(None));
    let (mut one, mut other) = (Database::reader(&kept), Database::reader(&read));
    let (mut first, mut second) = (Header::default(), Header::default());
    for number in 0..read.len() {
        let mut notes = [Diagnostics::lenient(), Diagnostics::lenient()];
        let is_read = one.header(number, &mut first, &mut notes[0]).is_ok();
        assert_eq!(is_read, other.header(number, &mut second, &mut notes[1]).is_ok());
        for name in TYPED_TAGS {
            assert_eq!(first.get(name), second.get(name), "{number} {name}");
        }
        assert!(one.summarize(number).is_some() && other.summarize(number).is_none());
    }
}

/// Every door tells that a query exceeded its limits: the games found are no answer.
#[test]
fn search_beyond_limits_is_error_in_every_door() {
    let mut limits = CqlLimits::default();
    limits.work = 10;
    let mut filter = Filter::new();
    filter.queries.push(CqlTest::parse_with("line --> .* --> mate", &limits).unwrap());
    let said = |error: &dyn std::fmt::Display| {
        assert!(error.to_string().contains("the search has no answer: "), "{error}");
    };
    let fixtures = testkit::workspace_root().join("fixtures");
    for file in ["scid/plain/base.si4", "pgn/many_games/base.pgn"] {
        let open = || scoresheet::open(fixtures.join(file)).unwrap();
        let scanner = Scanner::new().filter(filter.clone());
        said(&scanner.for_each(&mut open(), |_| ()).unwrap_err());
        said(&Sampler::new(filter.clone(), 3, 1).add(&mut open()).unwrap_err());
        let mut explorer = Explorer::of_line(&Line::parse("1. e4").unwrap()).filter(filter.clone());
        said(&explorer.run(&mut open(), &mut |_| ()).unwrap_err());
        let mut converter = Converter::new();
        converter.set_filter(filter.clone());
        let mut output = scoresheet::create_stream(
            Box::new(std::io::sink()),
            "out.pgn",
            format_named("pgn").unwrap(),
            &CreateOptions::default(),
        )
        .unwrap();
        said(&converter.run(&mut open(), &mut output, &mut ()).unwrap_err());
        if let Some(database) = open().database() {
            let stop = |_: Selected<'_>| ControlFlow::<()>::Continue(());
            said(&Selector::new(&filter).run(database, stop).unwrap_err());
        }
    }
}
