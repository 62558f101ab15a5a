//! Games that are copied as text when a base is read a second time.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use scoresheet::RawGames;
use scoresheet::chess_core::Game;
use scoresheet::chess_store::Encoding;
use scoresheet::dedupe::{Deduper, Duplicates};
use scoresheet::{Converter, CreateOptions, Outcome, Summary, Watch};

/// Games of all sorts, in some blocks of a stream; each third but those without tags repeats the
/// game before it, with more in its tags.
fn games() -> Vec<Vec<u8>> {
    let moves = "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6\n8.c3 O-O\n9.h3";
    let game = |number: usize| {
        let event = if number % 3 == 2 { "Open" } else { "?" };
        let day = number - usize::from(number % 3 == 2);
        let (player, date) =
            (format!("Player{day}"), format!("{}.01.{:02}", day / 28, day % 28 + 1));
        let text = format!(
            "[Event \"{event}\"]\n[White \"{player}\"]\n[Date \"{date}\"]\n[Black \"Tál\"]\n\n{moves} *"
        );
        let text = match number % 24 {
            3 => text.replace("\n8.c3", "\n%hidden\n8.c3"),
            4 => text.replace('\n', "\r\n"),
            7 => text.replace("9.h3", "9.Ke8"),
            9 => text.replace("9.h3 *", "9.h3"),
            12 => format!("{moves} Bb7 {{{number}}} *"),
            15 => text.replace('\n', "\r"),
            18 => text.replace("\n\n", "\n[Deleted \"1\"]\n\n"),
            21 => format!("words\n{text}"),
            _ => text,
        };
        match number % 24 {
            16 => text.chars().map(|letter| u8::try_from(letter).unwrap()).collect(),
            _ => text.into_bytes(),
        }
    };
    (0..1200).map(game).collect()
}

fn base(games: &[Vec<u8>]) -> Vec<u8> {
    [b"\xef\xbb\xbf".as_slice(), &games.join(b"\n\n".as_slice()), b"\n%about type=Tournament\n"]
        .concat()
}

fn find(path: &Path, threads: usize) -> (Duplicates, RawGames) {
    let format = scoresheet::format_named("pgn").unwrap();
    let mut deduper = Deduper::new().threads(threads).copied_to(format);
    let mut base = scoresheet::open(path).unwrap();
    deduper.add(&mut base, &mut |_| ControlFlow::Continue(())).unwrap();
    let raw_games = deduper.take_raw_games().remove(0);
    (deduper.finish(), raw_games)
}

/// Returns a game of 30 plies that begins with move `first`.
fn game_of(white: &str, elo: u16, first: usize) -> String {
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(7);
    let pawn = ["a3", "a4", "b3", "b4", "c3", "c4", "d3"][first];
    format!(
        "[Event \"Open\"]\n[Date \"1990.05.01\"]\n[Round \"1\"]\n[White \"{white}\"]\n[Black \"Tal, M\"]\n\
         [WhiteElo \"{elo}\"]\n[Result \"1-0\"]\n\n{pawn} a6 {moves} 1-0\n\n"
    )
}

/// Returns the numbers of the duplicates and of the near duplicates.
fn repeats(games: &[String]) -> [Vec<u64>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.pgn");
    fs::write(&path, games.concat()).unwrap();
    let found = find(&path, 1);
    [found.0.pairs, found.0.near].map(|pairs| pairs.iter().map(|pair| pair.game.number).collect())
}

#[test]
fn dedupe_two_people_of_one_surname_are_no_repeat() {
    let judit = |first| game_of("Polgar, Judit", 2550, first);
    let sofia = |first| game_of("Polgar, Sofia", 2450, first);
    // Nobody else knows a Sofia: her name is an error.
    assert_eq!(repeats(&[judit(0), sofia(0), judit(1), judit(2), judit(3)]), [vec![1], vec![]]);
    let own: Vec<_> = (1..=3).map(judit).chain((4..=6).map(sofia)).collect();
    assert_eq!(repeats(&[&[judit(0), sofia(0)], &own[..]].concat()), [vec![], vec![1]]);
    // Fewer games may have the error too.
    assert_eq!(repeats(&[&[judit(0), sofia(0)], &own[..5]].concat()), [vec![1], vec![]]);
}

#[test]
fn dedupe_two_people_of_one_name_and_other_ratings_are_no_repeat() {
    let strong = |first| game_of("Adams, M", 2700, first);
    let weak = |first| game_of("Adams, M", 2000, first);
    assert_eq!(repeats(&[strong(0), weak(0), strong(1), strong(2), strong(3)]), [vec![1], vec![]]);
    let own: Vec<_> = (1..=3).map(strong).chain((4..=6).map(weak)).collect();
    assert_eq!(repeats(&[&[strong(0), weak(0)], &own[..]].concat()), [vec![], vec![1]]);
}

/// Breaks after a number of games.
struct Stop(u64);

impl Watch for Stop {
    fn outcome(&mut self, _: &Outcome<'_>) -> ControlFlow<()> {
        self.0 -= 1;
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// How the kept games are written.
struct Run {
    copies: bool,
    threads: usize,
    stop: u64,
    encoding: Option<Encoding>,
}

const COPY: Run = Run { copies: true, threads: 2, stop: u64::MAX, encoding: None };
const READ: Run = Run { copies: false, ..COPY };

impl Run {
    fn write(&self, path: &Path, (found, raw_games): (Duplicates, RawGames)) -> (Vec<u8>, Summary) {
        let out = path.with_file_name("out.pgn");
        let mut converter = Converter::new().threads(self.threads);
        converter.set_filter({
            let mut filter = scoresheet::Filter::default();
            filter.without = found.of_base(0);
            filter
        });
        if self.copies {
            converter.set_raw_games(raw_games);
        }
        let mut options = CreateOptions::default();
        options.encoding = self.encoding;
        let mut output = scoresheet::create(&out, &options).unwrap();
        let mut base = scoresheet::open(path).unwrap();
        converter.run(&mut base, &mut output, &mut Stop(self.stop)).unwrap();
        output.finish().unwrap();
        (fs::read(&out).unwrap(), converter.summary().clone())
    }
}

fn read(folder: &Path, text: &[u8]) -> Vec<Game> {
    let path = folder.join("read.pgn");
    fs::write(&path, text).unwrap();
    scoresheet::open(&path).unwrap().into_games().map(Result::unwrap).collect()
}

#[test]
fn convert_raw_games_equals_conversion_by_moves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let games = games();
    fs::write(&path, base(&games)).unwrap();
    let found = find(&path, 2);
    assert!(found.0.pairs.len() > 200, "{}", found.0.pairs.len());
    let (copied, summary) = COPY.write(&path, found.clone());
    let (encoded, same_summary) = READ.write(&path, found.clone());
    assert_eq!(summary, same_summary);
    assert!(
        summary.damaged > 0 && summary.deleted > 0 && summary.warnings.len() > 1,
        "{summary:?}"
    );
    assert!(read(folder.path(), &copied) == read(folder.path(), &encoded));
    assert!(copied.ends_with(b"\n\n%about type=Tournament\n") && !copied.contains(&b'\r'));
    let stays =
        |number: &usize| !found.0.pairs.iter().any(|pair| pair.game.number == *number as u64);
    let mut verbatim = 0;
    for number in (0..games.len()).filter(stays) {
        let text = [&games[number][..], b"\n\n"].concat();
        let is_there = copied.windows(text.len()).any(|window| window == text);
        let dos = games[number].contains(&b'\r');
        let is_odd = matches!(number % 24, 3 | 7 | 9 | 15 | 16 | 18 | 21) || dos;
        assert_eq!(is_there, !is_odd, "{}", String::from_utf8_lossy(&text));
        verbatim += usize::from(is_there);
    }
    assert!(verbatim > 400, "{verbatim}");
    assert!(copied.windows(6).any(|window| window == b"9.h3 *"));
    for threads in [1, 5] {
        let again = find(&path, threads);
        assert_eq!(again.0.pairs, found.0.pairs);
        assert_eq!(Run { threads, ..COPY }.write(&path, again), (copied.clone(), summary.clone()));
    }
}

#[test]
fn convert_raw_games_stopped_has_written_what_it_counts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    fs::write(&path, base(&games())).unwrap();
    let found = find(&path, 2);
    let whole = COPY.write(&path, found.clone()).0;
    let whole = read(folder.path(), &whole);
    for stop in [1, 2, 13, 700] {
        for threads in [1, 3] {
            let run = Run { stop, threads, ..COPY };
            let (text, summary) = run.write(&path, found.clone());
            let games = read(folder.path(), &text);
            assert_eq!((summary.read, summary.written), (stop, games.len() as u64));
            assert!(whole.starts_with(&games));
        }
    }
}

/// A game that changed since the first pass is parsed again.
#[test]
fn convert_raw_games_changed_file_is_parsed_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let mut games = games();
    fs::write(&path, base(&games)).unwrap();
    let found = find(&path, 2);
    for number in [0, 5, 600] {
        let text = String::from_utf8(games[number].clone()).unwrap();
        games[number] = text.replace("9.h3", "9.h9").into_bytes();
    }
    fs::write(&path, base(&games)).unwrap();
    let (copied, summary) = COPY.write(&path, found.clone());
    let (encoded, same_summary) = READ.write(&path, found.clone());
    assert_eq!(summary, same_summary);
    assert!(read(folder.path(), &copied) == read(folder.path(), &encoded));
    // So is all of a file that became longer at its beginning.
    fs::write(&path, [b"1. d4 *\n\n".as_slice(), &base(&games)[3..]].concat()).unwrap();
    assert_eq!(COPY.write(&path, found.clone()).1, READ.write(&path, found).1);
}

#[test]
fn convert_raw_games_other_encoding_is_parsed_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    fs::write(&path, base(&games())).unwrap();
    let found = find(&path, 2);
    let encoding = Some(Encoding::WINDOWS_1252);
    let copied = Run { encoding, ..COPY }.write(&path, found.clone());
    assert_eq!(copied, Run { encoding, ..READ }.write(&path, found));
    assert!(copied.0.windows(3).any(|window| window == b"T\xe1l"));
}
