//! The library over the fixtures of every family.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use scoresheet::chess_core::{Date, Game, Move, Position, Square};
use scoresheet::chess_store::{Diagnostics, Location, Warning};
use scoresheet::filter::PositionPattern;
use scoresheet::{
    Base, ConvertError, Converter, CreateOptions, Error, Family, Filter, OpenOptions, Outcome,
    Scanner, Watch, describe_warning, families, formats,
};
use testkit::{Case, cases};

/// Every sound base of a family that lies under the usual name, with the file to open.
fn bases(family: &Family) -> Vec<(Case, PathBuf)> {
    cases(family.name)
        .into_iter()
        .filter(|case| !case.is_bad() && case.meta.open.is_none())
        .filter_map(|case| {
            let mut names = family.formats.iter().filter_map(|format| format.extensions.first());
            let path =
                names.find_map(|name| Some(case.path(name)).filter(|path| path.is_file()))?;
            Some((case, path))
        })
        .collect()
}

fn filter(set: impl FnOnce(&mut Filter)) -> Filter {
    let mut filter = Filter::default();
    set(&mut filter);
    filter
}

fn scid(case: &str) -> Base {
    let root = testkit::workspace_root();
    scoresheet::open(root.join("fixtures/scid").join(case).join("base.si4")).unwrap()
}

fn to_text(base: &mut Base, converter: &mut Converter) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.pgn");
    let mut output = scoresheet::create(&path, &CreateOptions::default()).unwrap();
    converter.run(base, &mut output, &mut ()).unwrap();
    output.finish().unwrap();
    fs::read_to_string(&path).unwrap()
}

#[test]
fn detect_every_fixture_by_content_finds_format() {
    for family in families() {
        let bases = bases(family);
        assert!(!bases.is_empty(), "{}", family.name);
        for (case, path) in bases {
            let format = scoresheet::detect(&path).unwrap();
            let own = family.formats.iter().any(|known| known.name == format.name);
            assert!(own, "{}: taken for {}", case.dir.display(), format.name);
        }
    }
}

#[test]
fn reader_iterator_and_numbers_give_same_games() {
    for family in families() {
        for (case, path) in bases(family) {
            if case.meta.encoding.is_some() {
                continue;
            }
            let mut base = scoresheet::open(&path).unwrap();
            let (mut one, mut game) = (Vec::new(), Game::new());
            let mut reader = base.reader();
            loop {
                match reader.read_game(&mut game, &mut Diagnostics::lenient()) {
                    Ok(false) => break,
                    read => one.push(read.ok().map(|_| game.clone())),
                }
            }
            let mut base = scoresheet::open(&path).unwrap();
            let other: Vec<Option<Game>> = base.games().map(Result::ok).collect();
            assert!(one == other, "{}", case.dir.display());
            let owned = scoresheet::open(&path).unwrap().into_games();
            assert!(owned.map(Result::ok).eq(one.iter().cloned()), "{}", case.dir.display());
            if let Some(database) = base.database() {
                let last = database.len().saturating_sub(1);
                if let Some(Some(expected)) = one.last() {
                    database.reader().game(last, &mut game, &mut Diagnostics::lenient()).unwrap();
                    assert!(game == *expected, "{}", case.dir.display());
                }
            }
        }
    }
}

#[test]
fn games_after_damaged_game_continues() {
    let mut base = scid("bad_move");
    let sound: Vec<bool> = base.games().map(|game| game.is_ok()).collect();
    assert_eq!(sound, [true, false, true]);
}

#[test]
fn convert_with_threads_writes_same_bytes() {
    for family in families() {
        for (case, path) in bases(family) {
            let text = |threads, apart| {
                let mut base = scoresheet::open(&path).unwrap();
                let mut converter = Converter::new().threads(threads).apart(apart);
                (to_text(&mut base, &mut converter), converter.summary().clone())
            };
            assert!(text(1, false) == text(3, false), "{}", case.dir.display());
            assert!(text(1, false) == text(1, true), "{}", case.dir.display());
        }
    }
}

/// Long games. A batch holds only a few of them.
#[test]
fn convert_long_games_with_threads_writes_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [pgn, si4] = ["in.pgn", "in.si4"].map(|name| folder.path().join(name));
    let game = |n: usize| {
        let comment = "word ".repeat(n * 37 % 4_000);
        format!("[White \"{n}\"]\n\n1. e4 {{{comment}}} e5 *\n\n")
    };
    fs::write(&pgn, (0..400).map(game).collect::<String>()).unwrap();
    let mut output = scoresheet::create(&si4, &CreateOptions::default()).unwrap();
    let mut base = scoresheet::open(&pgn).unwrap();
    Converter::new().run(&mut base, &mut output, &mut ()).unwrap();
    output.finish().unwrap();
    for path in [&pgn, &si4] {
        let text = |threads, apart| {
            let mut converter = Converter::new().threads(threads).apart(apart);
            to_text(&mut scoresheet::open(path).unwrap(), &mut converter)
        };
        let one = text(1, false);
        for (threads, apart) in [(2, false), (3, false), (5, false), (1, true), (2, true)] {
            assert!(one == text(threads, apart), "{}: {threads}, {apart}", path.display());
        }
    }
}

/// A text without an end. White of game 7 is "7".
struct Endless {
    next: usize,
    rest: Vec<u8>,
}

impl std::io::Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        while self.rest.len() < buffer.len() {
            self.next += 1;
            let game = format!("[White \"{}\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n", self.next);
            self.rest.extend_from_slice(game.as_bytes());
        }
        buffer.copy_from_slice(&self.rest[..buffer.len()]);
        self.rest.drain(..buffer.len());
        Ok(buffer.len())
    }
}

#[test]
fn games_by_number_of_an_endless_stream_are_read_to_the_last_one() {
    let format = scoresheet::format_named("pgn");
    let open = || {
        let text = Box::new(Endless { next: 0, rest: Vec::new() });
        scoresheet::open_stream(text, "endless", format, &OpenOptions::default()).unwrap()
    };
    for (games, last) in [("1-10", 10), ("3,2", 3), ("70000,9-11,60000-60002", 70_000)] {
        let filter = Filter::new().with("games", games).unwrap();
        let expected: Vec<String> =
            (1..=last).filter(|n| filter.has_number(n - 1)).map(|n| n.to_string()).collect();
        for (threads, apart) in [(1, false), (2, false), (3, false), (1, true), (2, true)] {
            let converter = Converter::new().filter(filter.clone()).threads(threads);
            let mut converter = converter.apart(apart);
            let text = to_text(&mut open(), &mut converter);
            let players = text.lines().filter_map(|line| line.strip_prefix("[White \""));
            let players: Vec<&str> = players.map(|rest| rest.trim_end_matches("\"]")).collect();
            assert_eq!(players, expected, "{games} {threads} {apart}");
            let summary = converter.summary();
            assert_eq!((summary.read, summary.written), (last, expected.len() as u64));
        }
        let mut numbers = Vec::new();
        let scanner = Scanner::new().filter(filter.clone());
        let seen = scanner.for_each(&mut open(), |game| numbers.push(game.number + 1)).unwrap();
        assert_eq!(seen, last);
        assert!(numbers.iter().map(u64::to_string).eq(expected), "{numbers:?}");
    }
}

#[test]
fn convert_games_by_number_gives_the_same_from_every_format() {
    for family in families() {
        for (case, path) in bases(family) {
            for games in ["2", "3.."] {
                let text = |threads, numbers: Option<Vec<u64>>| {
                    let filter = match numbers {
                        Some(numbers) => Filter::new().only_games(numbers),
                        None => Filter::new().with("games", games).unwrap(),
                    };
                    let mut base = scoresheet::open(&path).unwrap();
                    let mut converter = Converter::new().filter(filter).threads(threads);
                    to_text(&mut base, &mut converter)
                };
                let filter = Filter::new().with("games", games).unwrap();
                let only = (0..1000).filter(|number| filter.has_number(*number)).collect();
                let one = text(1, None);
                assert!(one == text(3, None), "{} {games}", case.dir.display());
                assert!(one == text(2, Some(only)), "{} {games}", case.dir.display());
            }
        }
    }
}

#[test]
fn summary_counts_damaged_and_selected_games() {
    let mut converter = Converter::new();
    to_text(&mut scid("bad_move"), &mut converter);
    let summary = converter.summary();
    assert_eq!((summary.read, summary.written, summary.damaged), (3, 3, 1));
    assert_eq!(summary.to_string(), "3 games read, 3 written, 1 damaged");
    assert!(!summary.is_complete());

    let mut converter = Converter::new().drop_damaged(true);
    to_text(&mut scid("bad_move"), &mut converter);
    assert_eq!((converter.summary().written, converter.summary().damaged), (2, 1));

    let filter = filter(|filter| filter.games = vec![0..=0]);
    let mut converter = Converter::new().filter(filter);
    to_text(&mut scid("bad_move"), &mut converter);
    // Games that are not selected are not read.
    assert_eq!((converter.summary().written, converter.summary().damaged), (1, 0));
}

#[test]
fn convert_strict_stops_at_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.pgn");
    let mut output = scoresheet::create(&path, &CreateOptions::default()).unwrap();
    let mut converter = Converter::new().strict(true);
    let error = converter.run(&mut scid("bad_move"), &mut output, &mut ()).unwrap_err();
    assert!(error.to_string().contains("game 2"), "{error}");
    drop(output);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

/// A text of many blocks. Threads parse a block before the lines before it are counted.
#[test]
fn locations_in_text_do_not_depend_on_threads() {
    const GAME: &str = "[Event \"x\"]\n[White \"y\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.pgn");
    let before = GAME.repeat(10_000);
    let odd = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Be2 Be7\n4. 0-0 1-0\n\n";
    fs::write(&path, format!("{before}{odd}{}", GAME.repeat(10_000))).unwrap();
    for threads in 1..4 {
        let out = folder.path().join("out.pgn");
        let mut output = scoresheet::create(&out, &CreateOptions::default()).unwrap();
        let mut converter = Converter::new().strict(true).threads(threads);
        let mut base = scoresheet::open(&path).unwrap();
        let error = converter.run(&mut base, &mut output, &mut ()).unwrap_err();
        let ConvertError::Read(error) = error else { panic!("{error}") };
        let at = Location::file("pgn").on_line(50_003, 3).in_game(10_000).after_ply(6);
        let at = at.at((before.len() + odd.find("0-0").unwrap()) as u64);
        assert_eq!(error.location(), at, "{threads} threads");
        let Some(pgn::ErrorKind::Strict(warning)) = error.kind() else { panic!("{error}") };
        assert_eq!(warning.at, at, "{threads} threads");
    }
}

/// Text that belongs to no game is an error of the whole base in strict mode. It also has its line in
/// the stream.
#[test]
fn convert_strict_text_of_no_game_has_line_in_stream() {
    const GAME: &str = "[Event \"x\"]\n[White \"y\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.pgn");
    let before = GAME.repeat(10_000);
    fs::write(&path, format!("{before}words behind the games\n")).unwrap();
    for threads in 1..4 {
        let out = folder.path().join("out.pgn");
        let mut output = scoresheet::create(&out, &CreateOptions::default()).unwrap();
        let mut converter = Converter::new().strict(true).threads(threads);
        let mut base = scoresheet::open(&path).unwrap();
        let error = converter.run(&mut base, &mut output, &mut ()).unwrap_err();
        let ConvertError::Read(error) = error else { panic!("{error}") };
        let at = Location::file("pgn").at(before.len() as u64).on_line(50_000, 0);
        assert_eq!(error.location(), at, "{threads} threads");
    }
}

/// Breaks after a number of games.
struct BreakAfter(u64);

impl Watch for BreakAfter {
    fn outcome(&mut self, _: &Outcome<'_>) -> ControlFlow<()> {
        self.0 -= 1;
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A run that a watch breaks has written exactly the games in its summary, for every target, source
/// and number of threads.
#[test]
fn convert_stopped_has_written_what_summary_counts() {
    const GAMES: u64 = 12;
    let folder = tempfile::tempdir().unwrap();
    let text: String = (0..GAMES).map(|n| format!("[White \"{n}\"]\n\n1. e4 e5 *\n\n")).collect();
    let pgn = folder.path().join("in.pgn");
    fs::write(&pgn, text).unwrap();
    // A book joins all games in one, a list of positions has no names.
    let has_names = |format: &&scoresheet::Format| !["fbk", "epd", "fen"].contains(&format.name);
    let targets = || formats().filter(|format| format.create.is_some()).filter(has_names);
    assert!(targets().count() >= 7);
    let convert = |from: &PathBuf, format, to: &PathBuf, watch: &mut dyn Watch, threads| {
        let mut base = scoresheet::open(from).unwrap();
        let mut output = scoresheet::create_as(to, format, &CreateOptions::default()).unwrap();
        let mut converter = Converter::new().threads(threads);
        converter.run(&mut base, &mut output, watch).unwrap();
        output.finish().unwrap();
        converter.summary().clone()
    };
    let sources = || targets().filter(|format| ["pgn", "si4"].contains(&format.name));
    for format in sources() {
        let whole = folder.path().join("whole").with_extension(format.extensions[0]);
        convert(&pgn, format, &whole, &mut (), 2);
        for to in targets() {
            for after in 1..=GAMES {
                let out = folder.path().join("out").with_extension(to.extensions[0]);
                let threads = 1 + (after % 3) as usize;
                let summary = convert(&whole, to, &out, &mut BreakAfter(after), threads);
                assert_eq!((summary.read, summary.written), (after, after));
                if to.open.is_none() {
                    let text = fs::read_to_string(&out).unwrap();
                    let games = match to.name {
                        "html" => text.matches("<article ").count(),
                        "typst" => text.matches("\n#game(").count(),
                        // A table for people: a line of titles, then one a game.
                        _ => text.lines().count() - 1,
                    };
                    assert_eq!(games as u64, after, "{}", to.name);
                    continue;
                }
                let names: Vec<String> = scoresheet::open(&out)
                    .unwrap()
                    .into_games()
                    .map(|game| game.unwrap().header.white)
                    .collect();
                let expected: Vec<String> = (0..after).map(|n| n.to_string()).collect();
                assert_eq!(names, expected, "{} to {}, {threads}", format.name, to.name);
            }
        }
    }
}

#[test]
fn open_not_a_base_is_error_naming_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.dat");
    assert!(matches!(scoresheet::open(&path), Err(Error::Io { .. })));
    fs::write(&path, [0; 10]).unwrap();
    let error = scoresheet::open(&path).unwrap_err();
    assert!(matches!(error, Error::Unknown { .. }));
    assert!(error.to_string().ends_with("x.dat: not a chess database of a known format"));
    let options = CreateOptions::default();
    assert!(matches!(scoresheet::create(&path, &options), Err(Error::NoFormat { .. })));
    assert!(matches!(scoresheet::edit("x.pgn", &Default::default()), Err(Error::Io { .. })));
}

#[test]
fn date_range_with_unknown_parts_selects_certain_dates() {
    let date = |text: &str| Date::parse_lenient(text);
    let chooses = |first: &str, last: &str, played: &str| {
        let filter = filter(|filter| filter.date = vec![date(first)..=date(last)]);
        let mut game = Game::new();
        game.header.date = date(played);
        filter.selects(&game)
    };
    assert!(chooses("1990", "1995", "1995.12.31"));
    assert!(chooses("1990", "1990", "1990.??.??"));
    assert!(chooses("1990.05", "1990.05", "1990.05.31"));
    assert!(!chooses("1990.05", "1990.06", "1990.??.??"));
    assert!(!chooses("1990", "1995", "????.??.??"));
    assert!(!chooses("1990", "1995", "1996"));
}

#[test]
fn scan_hands_out_selected_games_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.pgn");
    let game =
        |n: u32| format!("[White \"{n}\"]\n\n1. {} *\n\n", ["e4", "d4 d5"][(n % 2) as usize]);
    fs::write(&path, (0..1000).map(game).collect::<String>()).unwrap();
    let queens_pawn = || {
        let mut position = Position::default();
        position.apply(Move::new(Square::at(3, 1).unwrap(), Square::at(3, 3).unwrap()));
        filter(|filter| filter.positions = vec![PositionPattern::exact(&position)])
    };
    let si4 = folder.path().join("many.si4");
    let mut output = scoresheet::create(&si4, &CreateOptions::default()).unwrap();
    let mut converter = Converter::new();
    converter.run(&mut scoresheet::open(&path).unwrap(), &mut output, &mut ()).unwrap();
    output.finish().unwrap();
    for (path, threads) in [(&path, 1), (&path, 2), (&path, 5), (&si4, 1), (&si4, 2), (&si4, 3)] {
        let mut base = scoresheet::open(path).unwrap();
        let scanner = Scanner::new().filter(queens_pawn()).threads(threads);
        let mut chosen = Vec::new();
        let run = scanner.run(&mut base, |scanned| {
            assert_eq!(scanned.game.header.white, scanned.number.to_string());
            chosen.push(scanned.number);
            let more = scanned.number < 899;
            Ok::<_, Error>(if more { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        });
        assert_eq!(run.unwrap(), 900);
        let expected: Vec<u64> = (0..900).filter(|number| number % 2 == 1).collect();
        assert_eq!(chosen, expected, "{} by {threads}", path.display());
    }
}

#[test]
fn scan_watch_breaking_ends_search_that_selects_nothing() {
    let mut base = scid("plain");
    let scanner = Scanner::new().filter(Filter::new().with("player", "nobody at all").unwrap());
    let (mut calls, mut selected) = (0, 0);
    let seen = scanner.run_watched(
        &mut base,
        |_| -> Result<_, Error> {
            selected += 1;
            Ok(ControlFlow::Continue(()))
        },
        |progress| {
            calls += 1;
            assert_eq!(progress.total, Some(6));
            ControlFlow::Break(())
        },
    );
    assert!(seen.is_ok());
    assert_eq!((calls, selected), (1, 0));
}

#[test]
fn base_shared_has_same_games_after_base_is_dropped() {
    let base = scid("plain");
    let (path, format) = (base.path().to_path_buf(), base.format());
    let expected = to_text(&mut scid("plain"), &mut Converter::new());
    let database = base.shared().unwrap();
    drop(base);
    let mut again = Base::from_database(database, path, format);
    assert_eq!(to_text(&mut again, &mut Converter::new()), expected);
}

#[test]
fn scan_failing_callback_ends_with_its_error() {
    #[derive(Debug)]
    struct Mine(Option<Error>);
    impl From<Error> for Mine {
        fn from(error: Error) -> Mine {
            Mine(Some(error))
        }
    }
    let mut seen = 0;
    let run = Scanner::new().run(&mut scid("plain"), |_| {
        seen += 1;
        Err(Mine(None))
    });
    assert!(run.unwrap_err().0.is_none());
    assert_eq!(seen, 1);
}

/// Games of a stream are numbered in order, independent of the thread that read them.
#[test]
fn locations_and_numbers_in_stream_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.pgn");
    let odd = |n: u64| if n.is_multiple_of(7) { "1. e4 e5 2. Ke3" } else { "1. e4 0-0" };
    let game = |n: u64| format!("[White \"{n}\"]\n\n{} {{{}}} *\n\n", odd(n), "x".repeat(900));
    fs::write(&path, (0..1000).map(game).collect::<String>()).unwrap();
    let findings = |threads| {
        let mut all = Vec::new();
        let mut chosen = filter(|filter| filter.games = vec![100..=110, 500..=999]);
        chosen.deleted = Some(false);
        let mut base = scoresheet::open(&path).unwrap();
        let scanner = Scanner::new().threads(threads).filter(chosen);
        let run = scanner.for_each(&mut base, |scanned| {
            assert_eq!(scanned.game.header.white, scanned.number.to_string());
            assert_eq!(scanned.damage.unwrap().location().game, Some(scanned.number));
            all.push(format!("{:?} {:?}", scanned.damage, scanned.warnings));
        });
        assert_eq!(run.unwrap(), 1000);
        all
    };
    let one = findings(1);
    assert_eq!(one.len(), 511);
    assert!(one == findings(2) && one == findings(3));
}

chess_store::quirks! {
    /// Quirks whose warnings are described.
    #[allow(unreachable_pub, reason = "a format's own is public")]
    Short = "cbf-index-short", "the .cbi is short";
    Odd = "x", "odd";
}

#[test]
fn describe_error_names_file_of_base() {
    let at = Location::file("cbi").at(4).in_game(0);
    let warning = Warning::new(Quirk::Short, at);
    for (named, said) in [("old/a.cbf", "old/a.cbi"), ("old/a.CBI", "old/a.CBI")] {
        assert_eq!(
            describe_warning(named.as_ref(), &warning).to_string(),
            format!("{said}: byte 4, game 1: the .cbi is short [cbf-index-short]"),
        );
    }
}

#[test]
fn describe_companion_uses_spelling_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let said = |named: &str, file| {
        let at = Location::file(file).at(4);
        let warning = Warning::new(Quirk::Odd, at);
        let text = describe_warning(&folder.path().join(named), &warning).to_string();
        let start = format!("{}/", folder.path().display());
        text.strip_prefix(&start).unwrap().replace(": odd [x]", "")
    };
    for name in ["old.SG4", "MIXED.Sg4", "a.sg4", "x.cbg"] {
        fs::write(folder.path().join(name), "").unwrap();
    }
    assert_eq!(said("old.si4", "sg4"), "old.SG4: byte 4");
    assert_eq!(said("mixed.si4", "sg4"), "MIXED.Sg4: byte 4");
    assert_eq!(said("A.SI4", "sn4"), "A.SN4: byte 4");
    assert_eq!(said("gone.si4", "sn4"), "gone.sn4: byte 4");
    // A base under another name has its companions all the same.
    assert_eq!(said("a.idx", "sg4"), "a.sg4: byte 4");
    assert_eq!(said("b.idx", "sg4"), "b.idx: .sg4, byte 4");
    // The files in an archive are no files on disk, whatever lies beside it.
    assert_eq!(said("x.cbv", "cbg"), "x.cbv: .cbg, byte 4");
    assert_eq!(said("x.jose", "MYD"), "x.jose: .MYD, byte 4");
}

#[test]
fn describe_text_keeps_given_name() {
    let at = Location::file("pgn").on_line(0, 0);
    let warning = Warning::new(Quirk::Odd, at);
    for named in [
        "games.txt",
        "GAMES.PGN",
        "games",
        "games.pgn.zst",
        "games.PGN.GZ",
        "games.zip",
        "a.b/games",
        "standard input",
        "games.si4",
    ] {
        let text = describe_warning(named.as_ref(), &warning).to_string();
        assert_eq!(text, format!("{named}: line 1, column 1: odd [x]"));
    }
    for (named, file) in [("a.csv", "jsonl"), ("a.feather", "arrow"), ("a.pq", "parquet")] {
        let warning = Warning::new(Quirk::Odd, Location::file(file));
        assert_eq!(
            describe_warning(named.as_ref(), &warning).to_string(),
            format!("{named}: odd [x]")
        );
    }
}

/// Each case that names options reads with each as it must, and every value of every option has a case.
#[test]
fn options_of_cases_read_as_expected() {
    for family in families() {
        let met = testkit::assert_options_read(family.name, family.formats);
        for format in family.formats {
            for option in format.open_options {
                for value in option.values {
                    let one = format!("{}={value}", option.name);
                    assert!(met.contains(&one), "no case reads {} with {one}", family.name);
                }
            }
        }
    }
}
