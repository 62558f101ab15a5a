//! Damaged streams must not pass as intact.

use std::io::Write;

use std::io::{Cursor, Read as _};

use chess_store::io::DecompressionLimit;
use chess_store::{Input, Inputs, Scope};
use compress::unpack_file;

use crate::{Base, OpenOptions, open_inputs};

/// Different games, some hundred KiB.
fn text(games: usize) -> String {
    let game = |n: usize| {
        let clock = n.wrapping_mul(2_654_435_761) % 1_000_003;
        format!(
            "[Event \"E{clock}\"]\n[White \"W{n}\"]\n[Black \"B{}\"]\n[Result \"1-0\"]\n\n\
             1. e4 {{{clock}}} e5 2. Nf3 {{{}}} Nc6 1-0\n\n",
            n * 7,
            clock * 3,
        )
    };
    (0..games).map(game).collect()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut encoder = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[cfg(feature = "xz")]
fn xz(text: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Two frames, each with its checksum.
fn zstd(text: &[u8]) -> Vec<u8> {
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let (first, second) = text.split_at(text.len() / 2);
    let frame = |text: &[u8]| ruzstd::encoding::compress_to_vec(text, level);
    [frame(first), frame(second)].concat()
}

fn zip(text: &[u8]) -> Vec<u8> {
    let mut archive = ::zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = ::zip::write::SimpleFileOptions::default();
    for (name, part) in [("a.pgn", text), ("read.me", b"Have fun with these games!")] {
        archive.start_file(name, options).unwrap();
        archive.write_all(part).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

type Pack = fn(&[u8]) -> Vec<u8>;
const PACKINGS: &[(&str, Pack)] = &[
    ("a.pgn.gz", gzip),
    ("a.pgn.bz2", bzip2),
    #[cfg(feature = "xz")]
    ("a.pgn.xz", xz),
    ("a.pgn.zst", zstd),
    ("a.zip", zip),
];

/// Returns the bytes before the end or the error, with and without read-ahead.
fn read(packed: &[u8]) -> [(Vec<u8>, Option<String>); 2] {
    [1, 2].map(|cores| {
        let file = Input::from(packed.to_vec());
        let unpacked = match unpack_file(file, &DecompressionLimit::new(None), crate::formats()) {
            Ok(unpacked) => unpacked,
            Err(error) => return (Vec::new(), Some(error.to_string())),
        };
        let (mut text, mut input) = (Vec::new(), unpacked.into_input_on(cores));
        let failure = input.read_to_end(&mut text).err().map(|error| error.to_string());
        let again = input.read(&mut [0]).err().map(|error| error.to_string());
        assert_eq!(failure, again, "a failure stays");
        (text, failure)
    })
}

/// Damage that must be detected.
fn damages(packed: &[u8]) -> Vec<(String, Vec<u8>)> {
    let length = packed.len();
    let mut all = Vec::new();
    for part in 1..20 {
        let cut = length * part / 20;
        all.push((format!("cut at {cut}"), packed[..cut].to_vec()));
        let mut bad = packed.to_vec();
        bad[cut] ^= 0x40;
        all.push((format!("bit flipped at {cut}"), bad));
        let mut bad = packed.to_vec();
        bad[cut..(cut + 40).min(length)].fill(0);
        all.push((format!("zeros at {cut}"), bad));
        let mut bad = packed.to_vec();
        bad.remove(cut);
        all.push((format!("byte {cut} lost"), bad));
        let mut bad = packed.to_vec();
        bad.drain(cut..(cut + 512).min(length - 1));
        all.push((format!("512 bytes lost at {cut}"), bad));
    }
    for back in 1..=8 {
        all.push((format!("{back} bytes missing"), packed[..length - back].to_vec()));
    }
    all
}

#[test]
fn unpack_damaged_stream_fails_or_gives_whole_text() {
    let text = text(2500);
    for (name, pack) in PACKINGS {
        let packed = pack(text.as_bytes());
        let sound = read(&packed);
        assert!(sound[0].0.starts_with(text.as_bytes()) && sound[0].1.is_none(), "{name}");
        assert_eq!(sound[0], sound[1]);
        let mut refused = 0;
        for (what, bad) in damages(&packed) {
            let [here, ahead] = read(&bad);
            assert_eq!(here.1, ahead.1, "{name}, {what}");
            assert!(here.0 == ahead.0, "{name}, {what}: other bytes");
            assert!(here.1.is_some() || here.0 == sound[0].0, "{name}, {what}: taken for sound");
            let said = here.1.unwrap_or_default();
            assert!(!said.contains(['{', '(']), "{name}, {what}: {said}");
            refused += u32::from(!said.is_empty());
        }
        // A bit without meaning is not damage.
        assert!(refused >= 95, "{name}: {refused}");
    }
}

fn open(name: &str, bytes: Vec<u8>) -> Result<Base, crate::Error> {
    let mut inputs = Inputs::new(name);
    inputs.add(name, bytes);
    open_inputs(&inputs, &OpenOptions::default())
}

#[test]
fn open_truncated_stream_error_names_the_file() {
    let text = text(300);
    for (name, pack) in PACKINGS {
        let packed = pack(text.as_bytes());
        for part in 1..20 {
            let bytes = packed[..packed.len() * part / 20].to_vec();
            let error = match open(name, bytes) {
                Err(error) => error,
                Ok(base) => {
                    let mut failures = base.into_games().filter_map(Result::err);
                    let failure = failures.find(|error| error.scope() == Scope::Base);
                    failure.unwrap_or_else(|| panic!("{name}, {part}: no error"))
                }
            };
            assert!(error.to_string().starts_with(name), "{name}, {part}: {error}");
        }
    }
}

/// Returns the number of intact games, of damaged games, and whether the base failed after them.
fn games(base: Base) -> (usize, usize, bool) {
    let (mut sound, mut damaged, mut failed) = (0, 0, false);
    for game in base.into_games() {
        match game {
            Ok(_) => sound += 1,
            Err(error) if error.scope() == Scope::Game => damaged += 1,
            Err(_) => failed = true,
        }
    }
    (sound, damaged, failed)
}

#[test]
fn unpack_truncated_file_gives_games_then_fails() {
    let text = text(2500);
    for (name, pack) in PACKINGS {
        let mut packed = pack(text.as_bytes());
        packed.truncate(packed.len() * 2 / 3);
        let (sound, damaged, failed) = games(open(name, packed).unwrap());
        // bzip2 decodes whole blocks only.
        assert!(sound > 800 && sound < 2500, "{name}: {sound}");
        assert!(damaged <= 1 && failed, "{name}: {damaged}");
    }
}

/// A game before the break is intact. The game in which the text ends is damaged.
#[test]
fn unpack_truncated_inside_game_damages_that_game() {
    let text = text(2);
    let end = text.find("1-0\n\n").unwrap() + 3;
    for (length, expected) in [
        (text.len(), (2, 0, true)),
        (end, (1, 0, true)),
        (end - 3, (0, 1, true)),
        (20, (0, 1, true)),
    ] {
        let mut packed = gzip(&text.as_bytes()[..length]);
        packed.truncate(packed.len() - 8);
        assert_eq!(games(open("a.pgn.gz", packed).unwrap()), expected, "{length}");
    }
}

#[test]
fn unpack_zstd_skippable_frames_anywhere_are_skipped() {
    let text = text(50);
    let (first, second) = text.as_bytes().split_at(500);
    let skipped = |length: usize| {
        let mut frame = vec![0x5a, 0x2a, 0x4d, 0x18];
        frame.extend_from_slice(&(length as u32).to_le_bytes());
        frame.resize(8 + length, b'x');
        frame
    };
    let frames = [skipped(0), zstd(first), skipped(70_000), skipped(3), zstd(second), skipped(9)];
    let packed = frames.concat();
    for (read, failure) in read(&packed) {
        assert_eq!((read == text.as_bytes(), failure), (true, None));
    }
    assert_eq!(games(open("a.pgn.zst", packed.clone()).unwrap()), (50, 0, false));
    let said = read(&packed[..packed.len() - 1])[0].1.clone().unwrap_or_default();
    assert!(said.contains("cut off"), "{said}");
}

#[test]
fn unpack_zstd_wrong_checksum_size_or_reserved_bit_is_error() {
    let packed = zstd(text(50).as_bytes());
    let last = packed.len() - 1;
    for (at, bit, words) in [(last, 1, "checksum"), (4, 8, "reserved"), (0, 1, "")] {
        let mut bad = packed.clone();
        bad[at] ^= bit;
        let said = read(&bad)[0].1.clone();
        if at == 0 {
            // The content is no longer recognised as zstd, but the name is.
            let error = open("a.pgn.zst", bad).unwrap_err().to_string();
            assert!(error.contains("does not begin as such"), "{error}");
        } else {
            assert!(
                said.as_ref().is_some_and(|said| said.contains(words) || cfg!(feature = "libzstd")),
                "{said:?}"
            );
        }
    }
}

#[test]
fn open_text_named_compressed_is_read() {
    assert_eq!(games(open("a.pgn.gz", text(3).into_bytes()).unwrap()), (3, 0, false));
}

#[test]
fn open_archive_in_stream_is_named() {
    for (_, pack) in PACKINGS.iter().filter(|(name, _)| *name != "a.zip") {
        let of_archive = |archive: &[u8]| open("games.pgn.gz", pack(archive)).unwrap_err();
        assert!(of_archive(&zip(text(1).as_bytes())).to_string().ends_with("unpack it first"));
        assert!(of_archive(b"PK\x05\x06").to_string().ends_with("without files"));
    }
}

/// Bytes of an archive are no games, whatever format the caller names.
#[test]
fn open_archive_as_games_is_error() {
    let options = OpenOptions::default();
    let pgn = crate::format_named("pgn");
    let archive = zip(text(1).as_bytes());
    for (start, words) in [
        (&archive[..], "a zip archive; unpack it first"),
        (&gzip(&archive), "a zip archive; unpack it first"),
        (b"Rar!\x1a\x07\x01\0", "a RAR archive; unpack it first"),
        (b"7z\xbc\xaf\x27\x1c\0\x04", "a 7-Zip archive; unpack it first"),
    ] {
        let stream = Box::new(Cursor::new(start.to_vec()));
        let error = crate::open_stream(stream, "-", pgn, &options).err().unwrap().to_string();
        assert!(error.ends_with(words), "{error}");
        if !start.starts_with(b"PK") && !start.starts_with(b"\x1f") {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.pgn");
            std::fs::write(&path, start).unwrap();
            let error = crate::open_as(&path, pgn.unwrap(), &options).err().unwrap().to_string();
            assert!(error.ends_with(words), "{error}");
        }
    }
}

#[test]
fn unpack_gzip_trailing_bytes_warns_at_end() {
    let packed = [gzip(text(3).as_bytes()), b"rubbish".to_vec()].concat();
    let mut base = open("a.pgn.gz", packed).unwrap();
    assert_eq!(base.games().filter(Result::is_ok).count(), 3);
    let names: Vec<_> = base.warnings().iter().map(|warning| warning.name).collect();
    assert_eq!(names, ["compressed-trailing-bytes"]);
}

/// An archive without its directory is read by its local headers.
#[test]
fn unpack_zip_without_directory_gives_games_then_fails() {
    let text = text(50);
    for packed in [zip(text.as_bytes()), streamed_zip(text.as_bytes())] {
        let directory = packed.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
        for length in [directory, packed.len() - 5] {
            let [here, ahead] = read(&packed[..length]);
            assert_eq!(here, ahead);
            assert!(here.0 == text.as_bytes(), "{length}");
            let said = here.1.unwrap_or_default();
            assert!(said.contains("no directory"), "{said}");
        }
    }
}

/// Sizes and checksum follow the bytes of each file.
fn streamed_zip(text: &[u8]) -> Vec<u8> {
    let mut archive = ::zip::ZipWriter::new_stream(Vec::new());
    let options = ::zip::write::SimpleFileOptions::default();
    for (name, part) in [("read.me", &b"Have fun!"[..]), ("a.pgn", text)] {
        archive.start_file(name, options).unwrap();
        archive.write_all(part).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// The entries before and after a damaged or encrypted one are read whole.
#[test]
fn unpack_zip_damaged_entry_costs_no_other_entry() {
    let text = text(50);
    let mut archive = ::zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = ::zip::write::SimpleFileOptions::default();
    for name in ["a.pgn", "b.pgn", "c.pgn"] {
        archive.start_file(name, options).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    let packed = archive.finish().unwrap().into_inner();
    let headers: Vec<usize> =
        (0..packed.len()).filter(|at| packed[*at..].starts_with(b"PK\x03\x04")).collect();
    let entries: Vec<usize> =
        (0..packed.len()).filter(|at| packed[*at..].starts_with(b"PK\x01\x02")).collect();
    let damage = |number: usize| (headers[number] + 200, 0x55);
    let encrypt = |number: usize| (entries[number] + 8, 1);
    for (changes, least, words) in [
        (vec![damage(1)], 100, "b.pgn in the archive is damaged"),
        (vec![damage(0)], 100, "a.pgn in the archive is damaged"),
        (vec![encrypt(1)], 100, "b.pgn in the archive is encrypted"),
        (vec![damage(0), damage(1)], 50, "a.pgn in the archive is damaged"),
        (vec![encrypt(0), damage(1)], 50, "b.pgn in the archive is damaged"),
    ] {
        let mut bad = packed.clone();
        changes.iter().for_each(|(at, bits)| bad[*at] ^= bits);
        let [here, ahead] = read(&bad);
        assert_eq!(here, ahead);
        let said = here.1.unwrap_or_default();
        assert!(said.starts_with(words), "{said}");
        assert_eq!(said.ends_with("; 1 more file in it cannot be read whole"), changes.len() == 2);
        // The damaged file may give a text of any length.
        assert!(here.0.ends_with(text.as_bytes()) && here.0.len() >= least / 50 * text.len());
        let (sound, _, failed) = games(open("a.zip", bad).unwrap());
        assert!(sound >= least && failed, "{words}: {sound}");
    }
}

#[test]
fn unpack_zip_unreadable_entry_is_error_naming_entry() {
    let text = text(50);
    let packed = zip(text.as_bytes());
    let find = |what: &[u8], from: usize| {
        from + packed[from..].windows(what.len()).position(|part| part == what).unwrap()
    };
    let directory = find(b"PK\x01\x02", 0);
    let second = find(b"PK\x01\x02", directory + 1);
    // Checksum of the text, flag of encryption, method, checksum of the other file.
    for (at, bit, words) in [
        (directory + 16, 1, "a.pgn in the archive is damaged"),
        (14, 1, "a.pgn in the archive is damaged"),
        (directory + 8, 1, "a.pgn in the archive is encrypted"),
        (directory + 10, 4, "a.pgn in the archive is compressed in a way"),
        (second + 16, 1, "read.me in the archive is damaged"),
    ] {
        let mut bad = packed.clone();
        bad[at] ^= bit;
        let (content, said) = read(&bad)[0].clone();
        let said = said.unwrap_or_default();
        assert!(said.starts_with(words), "{at}: {said}");
        // Readable content comes before the error.
        let is_readable = words.contains("is damaged");
        assert_eq!(content, if is_readable { text.as_bytes() } else { b"" }, "{at}");
    }
}
