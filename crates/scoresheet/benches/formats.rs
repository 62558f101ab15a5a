//! Every format beside si4: nanoseconds a half-move to read and to write the same games, and how
//! many times si4's that is. `cargo bench -p scoresheet --bench formats -- GAMES.pgn [PASSES]`;
//! without a file, random games.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use arbitrary::Unstructured;
use chess_core::{Game, Token};
use chess_store::erased::{Creator, Encoded, Format, Opener};
use chess_store::{CreateOptions, Diagnostics, OpenOptions, StreamInput, StreamReader};
use testkit::{Flavour, Random, random_game};

/// More games of a file do not change the figures.
const MOST: usize = 20_000;

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let games = match arguments.first() {
        Some(path) => read_pgn(&std::fs::read(path).unwrap()),
        None => random_games(500),
    };
    let passes = arguments.get(1).map_or(5, |passes| passes.parse().unwrap());
    let moves = |game: &Game| game.tokens().filter(|t| matches!(t, Token::Move(_))).count();
    let plies: usize = games.iter().map(moves).sum();
    println!("{} games, {plies} half-moves, median of {passes} passes", games.len());

    let folder = tempfile::tempdir().unwrap();
    let si4 = scoresheet::format_named("si4").unwrap();
    println!("{:16}{:>10}{:>8}{:>10}{:>8}", "", "read ns", "x si4", "write ns", "x si4");
    // A book holds one game.
    let both_ways = |format: &&Format| format.open.is_some() && format.create.is_some();
    for format in scoresheet::formats().filter(both_ways).filter(|format| format.name != "fbk") {
        let [mut reads, mut writes] = [const { Vec::<[f64; 2]>::new() }; 2];
        for _ in 0..passes {
            // Side by side, because the speed of the machine drifts.
            writes.push([format, si4].map(|format| write(format, folder.path(), &games)));
            reads.push([format, si4].map(|format| read(format, folder.path())));
        }
        let [[read, reads], [write, writes]] = [reads, writes].map(|seconds| {
            let nanoseconds = median(seconds.iter().map(|[ours, _]| ours * 1e9 / plies as f64));
            [nanoseconds, median(seconds.iter().map(|[ours, si4]| ours / si4))]
        });
        println!("{:16}{read:10.1}{reads:8.2}{write:10.1}{writes:8.2}", format.name);
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn path(format: &Format, folder: &Path) -> PathBuf {
    folder.join("games").with_extension(format.extensions[0])
}

fn random_games(count: u64) -> Vec<Game> {
    let game = |seed| {
        let bytes = Random::new(seed).bytes(200);
        random_game(&mut Unstructured::new(&bytes), Flavour::PLAIN).unwrap()
    };
    (0..count).map(game).collect()
}

fn read_pgn(text: &[u8]) -> Vec<Game> {
    let mut reader = pgn::Reader::new(text);
    let (mut games, mut game, mut diagnostics) = (Vec::new(), Game::new(), Diagnostics::lenient());
    while games.len() < MOST && !matches!(reader.read_game(&mut game, &mut diagnostics), Ok(false))
    {
        games.push(game.clone());
    }
    games
}

/// Seconds to write the games. Syncing the base to disk is not counted.
fn write(format: &Format, folder: &Path, games: &[Game]) -> f64 {
    let (path, options) = (path(format, folder), CreateOptions::default());
    let start = Instant::now();
    let mut writer = match format.create.unwrap() {
        Creator::Database(create) => create(&path, &options).unwrap(),
        Creator::Sink(create) => create(Box::new(File::create(path).unwrap()), &options).unwrap(),
        _ => unreachable!("files or a stream"),
    };
    let (mut encoder, mut encoded) = (writer.encoder(), Encoded::default());
    for game in games {
        // A game that the format cannot hold at all is passed over.
        let _ = encoder.encode(game, &mut encoded).and_then(|()| writer.append(&mut encoded));
    }
    let seconds = start.elapsed().as_secs_f64();
    writer.finish().unwrap();
    seconds
}

/// Seconds to read them again, at best of three: the first time the file is not in memory, and
/// the processor has done something else.
fn read(format: &Format, folder: &Path) -> f64 {
    (0..3).map(|_| read_once(format, folder)).fold(f64::MAX, f64::min)
}

fn read_once(format: &Format, folder: &Path) -> f64 {
    let (path, options) = (path(format, folder), OpenOptions::default());
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let start;
    match format.open.unwrap() {
        Opener::Database(open) => {
            let base = open(&path, &options).unwrap();
            let mut reader = base.reader();
            start = Instant::now();
            for number in 0..base.len() {
                diagnostics.clear();
                reader.game(number, &mut game, &mut diagnostics).unwrap();
            }
        }
        Opener::Source(open) => {
            let source =
                open(StreamInput::of_file(Arc::new(File::open(path).unwrap())), &options).unwrap();
            let mut reader = StreamReader::new(source);
            start = Instant::now();
            while reader.read_game(&mut game, &mut diagnostics).unwrap() {
                diagnostics.clear();
            }
        }
        _ => unreachable!("files or a stream"),
    }
    start.elapsed().as_secs_f64()
}
