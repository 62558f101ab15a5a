//! Output and memory stay in proportion to the size of the input.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use scoresheet::chess_core::Game;
use scoresheet::chess_store::Diagnostics;
use scoresheet::families;
use testkit::{cases, damaged, peak, scratched};

/// Memory limit: a fixed part, and a part per byte of input.
const ALWAYS: u64 = 16 << 20;
const RATIO: u64 = 50;
/// Output limit: a fixed part, and a part per byte of input.
const ALWAYS_OUT: u64 = 64 << 10;
const RATIO_OUT: u64 = 100;

/// Reads all games of a base and returns the number of bytes of their text.
fn read_all(path: &Path) -> u64 {
    let Ok(mut base) = scoresheet::open(path) else { return 0 };
    let (mut reader, mut exporter) = (base.reader(), scoresheet::pgn::Exporter::new());
    let (mut game, mut text, mut bytes) = (Game::new(), Vec::new(), 0);
    loop {
        match reader.read_game(&mut game, &mut Diagnostics::lenient()) {
            Ok(false) => return bytes,
            Err(error) if error.scope() == scoresheet::chess_store::Scope::Base => return bytes,
            Ok(true) | Err(_) => {
                text.clear();
                exporter.write_game(&game, &mut text);
                bytes += text.len() as u64;
            }
        }
    }
}

fn size(folder: &Path) -> u64 {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum()
}

fn assert_in_proportion(path: &Path, what: &str) {
    let input = size(path.parent().unwrap());
    let mut output = 0;
    let memory = peak(|| output = read_all(path));
    assert!(memory <= ALWAYS + RATIO * input, "{what}: {memory} bytes of memory for {input}");
    assert!(output <= ALWAYS_OUT + RATIO_OUT * input, "{what}: {output} bytes of text for {input}");
}

/// The files of a case alone in a folder, and the one that names the base.
fn copy(from: &Path, extension: &str, to: &Path) -> Option<PathBuf> {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        if path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("base")) {
            fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    }
    Some(to.join(format!("base.{extension}"))).filter(|path| path.is_file())
}

/// Rounds of damage per file. The variable `SWEEP` overrides it.
const ROUNDS: usize = 2;

fn rounds() -> usize {
    std::env::var("SWEEP").map_or(ROUNDS, |rounds| rounds.parse().unwrap())
}

/// Damaged where headers and counts are, and cut and changed anywhere.
fn versions(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let head = 0..bytes.len().min(64);
    let heads = (0..rounds() as u64).map(move |seed| scratched(bytes, head.clone(), seed));
    heads.chain(damaged(bytes, 1, rounds()))
}

#[test]
fn read_every_fixture_whole_and_damaged_stays_in_proportion() {
    let (mut read, mut inputs, mut slowest) = (0, 0, (Duration::ZERO, String::new()));
    let mut try_one = |base: &Path, what: String| {
        let begun = Instant::now();
        assert_in_proportion(base, &what);
        slowest = std::mem::take(&mut slowest).max((begun.elapsed(), what));
        inputs += 1;
    };
    // The variable `SWEEP_FAMILY` leaves one family.
    let wanted = std::env::var("SWEEP_FAMILY").ok();
    let is_wanted = |name: &str| wanted.as_deref().is_none_or(|wanted| wanted == name);
    for family in families().iter().filter(|family| is_wanted(family.name)) {
        for case in cases(family.name) {
            for format in family.formats {
                let folder = tempfile::tempdir().unwrap();
                let Some(base) = copy(&case.dir, format.extensions[0], folder.path()) else {
                    continue;
                };
                let name = format!("{}/{}", family.name, case.name);
                try_one(&base, name.clone());
                read += 1;
                for entry in fs::read_dir(folder.path()).unwrap() {
                    let path = entry.unwrap().path();
                    let bytes = fs::read(&path).unwrap();
                    if bytes.is_empty() {
                        continue;
                    }
                    for (number, version) in versions(&bytes).enumerate() {
                        fs::write(&path, version).unwrap();
                        try_one(&base, format!("{name}, damage {number}: {path:?}"));
                    }
                    fs::write(&path, &bytes).unwrap();
                }
            }
        }
    }
    println!("{read} bases, {inputs} inputs; the slowest took {:?}: {}", slowest.0, slowest.1);
    assert!(read > if wanted.is_some() { 10 } else { 200 }, "{read}");
}

#[test]
fn read_inflated_game_count_lists_few_games() {
    let folder = tempfile::tempdir().unwrap();
    let from = testkit::workspace_root().join("fixtures/scid/deleted");
    let base = copy(&from, "si4", folder.path()).unwrap();
    let mut index = fs::read(&base).unwrap();
    index[14..17].copy_from_slice(&[0xff, 0xff, 0xfe]);
    fs::write(&base, index).unwrap();
    assert_in_proportion(&base, "16 million games in 562 bytes");
    assert!(scoresheet::open(&base).unwrap().len().unwrap() < 100);
}

/// Every entry of an index leads to the record of one long game.
#[test]
fn read_entries_sharing_record_gives_text_to_few() {
    const GAMES: usize = 2000;
    let folder = tempfile::tempdir().unwrap();
    let mut games = format!("[White \"w\"]\n\n1. e4 {{{}}} *\n\n", "long text ".repeat(3000));
    (1..GAMES).for_each(|_| games.push_str("[White \"w\"]\n\n1. e4 *\n\n"));
    let from = folder.path().join("games.pgn");
    fs::write(&from, games).unwrap();
    for (format, index, entry) in [
        ("si4", "si4", 47),
        ("si5", "si5", 56),
        ("cbh", "cbh", 46),
        ("2cbh", "2cbh", 192),
        ("cbf", "cbi", 4),
        ("dcg", "dci", 39),
    ] {
        let base = folder.path().join(format).join(format!("base.{format}"));
        fs::create_dir(base.parent().unwrap()).unwrap();
        let mut input = scoresheet::open(&from).unwrap();
        let mut output = scoresheet::create(&base, &Default::default()).unwrap();
        let mut converter = scoresheet::Converter::new();
        converter.run(&mut input, &mut output, &mut ()).unwrap();
        assert_eq!(converter.summary().written, GAMES as u64);
        output.finish().unwrap();
        let whole = read_all(&base);
        let index = base.with_extension(index);
        let mut bytes = fs::read(&index).unwrap();
        // The index of a .cbf has one entry more than games, and each entry includes its own
        // number.
        let own = if format == "cbf" { 1 } else { 0 };
        let entries = bytes.len() - (GAMES + own) * entry;
        let first = bytes[entries..entries + entry].to_vec();
        let others = bytes[entries..].chunks_exact_mut(entry).take(GAMES).enumerate();
        for (number, other) in others {
            other.copy_from_slice(&first);
            if format == "cbf" {
                other.copy_from_slice(&(number as u32 + 2).to_be_bytes());
            }
        }
        fs::write(&index, &bytes).unwrap();
        let size = size(base.parent().unwrap());
        let text = read_all(&base);
        println!("{format}: {size} bytes, text of {whole}, then of {text}");
        assert_in_proportion(&base, format);
        assert!(text < 60 * size, "{format}: {text} bytes of text for {size}");
    }
}

fn gzip(write: impl FnOnce(&mut dyn Write)) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    write(&mut packed);
    packed.finish().unwrap()
}

fn zeros(out: &mut dyn Write, megabytes: usize) {
    let block = vec![0; 1 << 20];
    (0..megabytes).for_each(|_| out.write_all(&block).unwrap());
}

/// A tar header of a file of this size.
fn header(name: &str, kind: u8, size: u64) -> [u8; 512] {
    let mut header = [0; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[100..108].copy_from_slice(b"0000644\0");
    header[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
    header[156] = kind;
    header[257..265].copy_from_slice(b"ustar  \0");
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

#[test]
fn unpack_archives_and_streams_stays_within_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.jose");
    // A long name, a pax header, a file that is passed over, one in a gzip within a gzip.
    for (name, kind) in [("././@LongLink", b'L'), ("pax", b'x'), ("other", b'0')] {
        for layers in 1..=2 {
            let mut bomb = gzip(|out| {
                out.write_all(&header(name, kind, 300 << 20)).unwrap();
                zeros(out, 300);
            });
            if layers == 2 {
                bomb = gzip(|out| out.write_all(&bomb).unwrap());
            }
            fs::write(&path, &bomb).unwrap();
            let input = bomb.len() as u64;
            let mut said = String::new();
            let memory = peak(|| said = scoresheet::open(&path).unwrap_err().to_string());
            assert!(memory <= ALWAYS + RATIO * input, "{name}: {memory} for {input}");
            let limit = (64 << 20) + 200 * input;
            assert!(said.contains(&format!("more than {limit} bytes")), "{name}, {layers}: {said}");
        }
    }
    let path = folder.path().join("bomb.pgn.gz");
    let bomb = gzip(|out| {
        out.write_all(b"[White \"w\"]\n\n1. e4 {").unwrap();
        zeros(out, 300);
    });
    fs::write(&path, &bomb).unwrap();
    let mut options = scoresheet::OpenOptions::default();
    let said = |options: &_| {
        let mut base = scoresheet::open_with(&path, options).unwrap();
        let errors = base.games().filter_map(Result::err);
        errors.map(|error| error.to_string()).collect::<Vec<_>>().join("\n")
    };
    // The limit grows with what is read of the packed bytes; a game that is too long comes first.
    let usual = said(&options);
    assert!(usual.contains("longer than 16777216 bytes") && usual.contains("unpacks to more than"));
    options.max_unpacked = Some(1 << 20);
    assert!(said(&options).contains("more than 1048576 bytes"));
    options.max_unpacked = Some(1 << 30);
    assert!(!said(&options).contains("unpacks"), "{}", said(&options));
}

/// Games as long as games may be, on two threads.
#[test]
fn convert_long_games_keeps_few_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.pgn.gz");
    let bomb = gzip(|out| {
        for _ in 0..6 {
            out.write_all(b"[White \"w\"]\n[Result \"*\"]\n\n1. e4 {").unwrap();
            let block = vec![b'x'; 1 << 20];
            (0..15).for_each(|_| out.write_all(&block).unwrap());
            out.write_all(b"} *\n\n").unwrap();
        }
    });
    fs::write(&path, &bomb).unwrap();
    let mut options = scoresheet::OpenOptions::default();
    options.max_unpacked = Some(1 << 30);
    let mut base = scoresheet::open_with(&path, &options).unwrap();
    let output = scoresheet::create(folder.path().join("out.pgn"), &Default::default());
    let mut output = output.unwrap();
    // Memory of this thread: the encoded games, and the text that is cut into blocks.
    let memory = peak(|| {
        let mut converter = scoresheet::Converter::new().threads(2);
        converter.run(&mut base, &mut output, &mut ()).unwrap();
        assert_eq!(converter.summary().written, 6);
    });
    assert!(memory < 100 << 20, "{memory}");
}
