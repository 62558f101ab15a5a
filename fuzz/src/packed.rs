//! Compressed streams, archives and JSON lines: valid ones, which the fuzzer then damages. Random
//! bytes rarely get past the checksums and headers of these formats.

use std::io::{Cursor, Write};

use arbitrary::Unstructured;
use chess_core::Game;
use chess_store::{Diagnostics, Inputs, Losses, OpenOptions, Scope};
use scoresheet::Base;
use testkit::{Flavour, random_game};

/// The most changes of the packed bytes.
const CHANGES: usize = 4;
/// The limit for unpacked bytes, so that no input takes long.
const MAX_UNPACKED: u64 = 1 << 22;

/// The options of every base here.
pub(crate) fn bounded() -> OpenOptions {
    let mut options = OpenOptions::default();
    options.max_unpacked = Some(MAX_UNPACKED);
    options
}

/// The games of a file that is alone in its folder, and whether reading failed.
fn read(inputs: &Inputs) -> (Vec<Game>, bool) {
    read_opened(scoresheet::open_inputs(inputs, &bounded()))
}

/// The games of a base, and whether opening or reading failed.
pub(crate) fn read_opened(base: Result<Base, scoresheet::Error>) -> (Vec<Game>, bool) {
    let Ok(mut base) = base else { return (Vec::new(), true) };
    let (mut reader, mut game, mut games) = (base.reader(), Game::new(), Vec::new());
    let mut failed = false;
    loop {
        match reader.read_game(&mut game, &mut Diagnostics::lenient()) {
            Ok(false) => return (games, failed),
            Ok(true) => games.push(game.clone()),
            Err(error) => {
                failed = true;
                if error.scope() == Scope::Base {
                    return (games, failed);
                }
                games.push(game.clone());
            }
        }
    }
}

fn alone(name: &str, bytes: Vec<u8>) -> Inputs {
    let mut inputs = Inputs::new(name);
    inputs.add(name, bytes);
    inputs
}

/// Changes bytes as the fuzzer says: flips bits, removes, repeats and overwrites ranges. Returns
/// how many changes were made.
pub(crate) fn damage(bytes: &mut Vec<u8>, data: &mut Unstructured<'_>) -> arbitrary::Result<usize> {
    let changes = data.int_in_range(0..=CHANGES)?;
    for _ in 0..changes {
        let Some(last) = bytes.len().checked_sub(1) else { break };
        let at = data.int_in_range(0..=last)?;
        let end = (at + data.int_in_range(1..=16usize)?).min(bytes.len());
        match data.int_in_range(0..=4u8)? {
            0 => bytes[at] ^= 1 << data.int_in_range(0..=7u8)?,
            1 => bytes.truncate(at),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            _ => bytes[at] = data.arbitrary()?,
        }
    }
    Ok(changes)
}

fn zip_of(entries: &[(String, Vec<u8>, bool)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes, stored) in entries {
        let method =
            if *stored { zip::CompressionMethod::Stored } else { zip::CompressionMethod::Deflated };
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        // Two entries of one name are refused.
        if archive.start_file(name.as_str(), options).is_ok() {
            archive.write_all(bytes).expect("memory does not fail");
        }
    }
    archive.finish().expect("memory does not fail").into_inner()
}

/// One member of a compressed stream, and the extension of its packing.
fn pack(text: &[u8], packing: u8) -> (Vec<u8>, &'static str) {
    const WELL: &str = "memory does not fail";
    match packing {
        0 => {
            let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            out.write_all(text).expect(WELL);
            (out.finish().expect(WELL), "gz")
        }
        1 => {
            let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            out.write_all(text).expect(WELL);
            (out.finish().expect(WELL), "bz2")
        }
        2 => {
            let options = lzma_rust2::XzOptions::with_preset(0);
            let mut out = lzma_rust2::XzWriter::new(Vec::new(), options).expect(WELL);
            out.write_all(text).expect(WELL);
            (out.finish().expect(WELL), "xz")
        }
        3 => {
            let level = ruzstd::encoding::CompressionLevel::Fastest;
            (ruzstd::encoding::compress_to_vec(text, level), "zst")
        }
        _ => (zip_of(&[("games.pgn".into(), text.to_vec(), packing == 4)]), "zip"),
    }
}

/// A compressed text: the packing, the changes, and the text. Without a change, the compressed text
/// holds the same games as the text.
pub fn packed_stream(data: &[u8]) {
    let _ = try_stream(&mut Unstructured::new(data));
}

fn try_stream(data: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let packing = data.int_in_range(0..=5u8)?;
    let members = data.int_in_range(1..=3usize)?;
    let mut control = Unstructured::new(data.bytes(24.min(data.len()))?);
    let text = data.bytes(data.len())?;
    let is_zip = packing > 3;
    let (mut packed, mut extension) = (Vec::new(), "");
    for part in text.chunks(text.len().div_ceil(members).max(1)) {
        let part = if is_zip { text } else { part };
        let (bytes, name) = pack(part, packing);
        packed.extend(bytes);
        extension = name;
        if is_zip {
            break;
        }
    }
    if packed.is_empty() {
        return Ok(());
    }
    let changes = damage(&mut packed, &mut control).unwrap_or(CHANGES);
    let (games, failed) = read(&alone(&format!("games.pgn.{extension}"), packed));
    if changes == 0 {
        let (expected, plain_failed) = read(&alone("games.pgn", text.to_vec()));
        assert_eq!((games, failed), (expected, plain_failed));
    }
    Ok(())
}

/// A zip archive of several entries with names and contents from the fuzzer, among them parts of a
/// base, and changes of the archive.
pub fn packed_archive(data: &[u8]) {
    let _ = try_archive(&mut Unstructured::new(data));
}

const NAMES: [&str; 10] = [
    "base.si4",
    "base.sg4",
    "base.sn4",
    "BASE.SN4",
    "games.pgn",
    "../base.si4",
    "/base.sg4",
    "folder/base.si4",
    "base.jsonl",
    "base.zip",
];
const PARTS: [&[u8]; 3] = [
    include_bytes!("../../fixtures/scid/plain/base.si4"),
    include_bytes!("../../fixtures/scid/plain/base.sg4"),
    include_bytes!("../../fixtures/scid/plain/base.sn4"),
];

fn try_archive(data: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let mut entries = Vec::new();
    for _ in 0..data.int_in_range(1..=6u8)? {
        let name = data.choose(&NAMES)?.to_string();
        let mut bytes = match data.int_in_range(0..=4usize)? {
            part @ 0..=2 => PARTS[part].to_vec(),
            3 => b"[White \"a\"]\n\n1. e4 e5 *\n\n".to_vec(),
            _ => {
                let length = data.arbitrary_len::<u8>()?.min(256);
                data.bytes(length)?.to_vec()
            }
        };
        damage(&mut bytes, data)?;
        entries.push((name, bytes, data.arbitrary()?));
    }
    let mut archive = zip_of(&entries);
    damage(&mut archive, data)?;
    let inputs = alone("base.zip", archive);
    assert_eq!(read(&inputs), read(&inputs), "the same bytes give the same games");
    Ok(())
}

/// Lists of positions: what was read is written and read again as the same positions and operations.
pub fn lines_positions(data: &[u8]) {
    let (games, _) = read(&alone("tests.epd", data.to_vec()));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tests.epd");
    let mut output = scoresheet::create(&path, &Default::default()).expect("a new file");
    let mut losses = Losses::new();
    let mut written = Vec::new();
    for game in &games {
        // A position of another variant has no board that a line could hold.
        if output.write(game, &mut losses).is_ok() {
            written.push(game);
        }
    }
    output.finish().expect("a disk with room");
    let (again, failed) = read(&alone("tests.epd", std::fs::read(&path).expect("it was written")));
    assert!(!failed, "what was written is read");
    let boards = |game: &Game| game.start_position().to_fen();
    assert!(written.iter().map(|game| boards(game)).eq(again.iter().map(boards)));
}

/// Random games as JSON lines, and changes of the text. Without a change the games come back.
pub fn lines_json(data: &[u8]) {
    let _ = try_lines(&mut Unstructured::new(data));
}

fn try_lines(data: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let mut games = Vec::new();
    for _ in 0..data.int_in_range(1..=3u8)? {
        games.push(random_game(data, Flavour { plies: 12, ..Flavour::ALL })?);
    }
    let json = scoresheet::format_named("jsonl").expect("it is compiled in");
    let write = |games: &[Game]| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.jsonl");
        let mut output =
            scoresheet::create_as(&path, json, &Default::default()).expect("a new file");
        for game in games {
            output.write(game, &mut Losses::new()).expect("JSON lines hold every game");
        }
        output.finish().expect("a disk with room");
        std::fs::read(path).expect("it was written")
    };
    let mut text = write(&games);
    let changes = damage(&mut text, data)?;
    let (read_back, failed) = read(&alone("games.jsonl", text));
    if changes == 0 {
        assert_eq!((&read_back, failed), (&games, false));
    }
    if !failed {
        let again = read(&alone("games.jsonl", write(&read_back)));
        assert_eq!(again, (read_back, false), "what was read can be written and read again");
    }
    Ok(())
}
