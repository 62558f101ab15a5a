//! Archives that no program writes: odd names, sizes and places.

use cbh::archive::{Archive, write_archive};
use cbh::{Database, Error, ErrorKind, OpenOptions};
use chess_core::Game;
use chess_store::io::ReadAt as _;
use testkit::{peak, within};

use crate::common::{FLAVOUR, games, read, write};

const FILES: [&str; 12] =
    ["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbj", "cbe", "cbl", "cbtt", "cbm"];

/// The size of the directory header and of an entry.
const HEADER: usize = 8;
const ENTRY: usize = 173;

/// Builds an archive of a base. `name` gives the name of each file by its extension.
fn packed(name: impl Fn(&str) -> String, more: &[(&str, &[u8])]) -> (Vec<u8>, Vec<Game>) {
    let parts = write(&games(7, 20, FLAVOUR)).0;
    let names = FILES.map(name);
    let base = names.iter().zip(FILES).map(|(name, file)| {
        let bytes: &[u8] = parts.get(file).unwrap();
        (name.as_str(), bytes)
    });
    let files: Vec<_> = base.chain(more.iter().copied()).collect();
    (write_archive(Vec::new(), &files).unwrap(), read(parts))
}

fn open(bytes: &[u8], options: &OpenOptions) -> Result<Vec<Game>, Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.cbv");
    std::fs::write(&path, bytes).unwrap();
    let base = Database::open_archive(&path, options)?;
    let games = base.games().collect::<Result<Vec<_>, _>>()?;
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "a file was unpacked here");
    Ok(games)
}

/// The place of a field of an entry: its name, offset, packed size or size, in 32 and in 64 bits.
fn field(entry: usize, short: usize, long: usize) -> [usize; 2] {
    let start = HEADER + entry * ENTRY;
    [start + short, start + long]
}

fn put(bytes: &mut [u8], [short, long]: [usize; 2], value: u64) {
    let low = u32::try_from(value).unwrap_or(u32::MAX);
    bytes[short..short + 4].copy_from_slice(&low.to_le_bytes());
    bytes[long..long + 8].copy_from_slice(&value.to_le_bytes());
}

fn put_offset(bytes: &mut [u8], entry: usize, value: u64) {
    put(bytes, field(entry, 128, 149), value);
}

fn put_packed(bytes: &mut [u8], entry: usize, value: u64) {
    put(bytes, field(entry, 132, 157), value);
}

fn put_size(bytes: &mut [u8], entry: usize, value: u64) {
    put(bytes, field(entry, 136, 165), value);
}

/// A name is only compared. No file is created under it.
#[test]
fn archive_names_that_are_paths_open_and_create_nothing() {
    for stem in [
        "..\\..\\..\\escaped",
        "../../../escaped",
        "C:\\escaped",
        "\\\\server\\share\\escaped",
        "/tmp/escaped-by-cbv",
        "con",
        "a.b.c",
        " ",
        "",
        "Пешка\\Žižka \u{1f600}",
        "\u{202e}hbc",
        "\u{1b}[2J",
        "İI",
    ] {
        let (bytes, games) = packed(|file| format!("{stem}.{file}"), &[]);
        let read =
            open(&bytes, &OpenOptions::default()).unwrap_or_else(|e| panic!("{stem:?}: {e}"));
        assert_eq!(read, games, "{stem:?}");
        let upper = packed(|file| format!("{stem}.{}", file.to_uppercase()), &[]).0;
        assert_eq!(open(&upper, &OpenOptions::default()).unwrap(), games, "{stem:?}");
    }
    assert!(!std::path::Path::new("/tmp/escaped-by-cbv.cbh").exists());
    // Of another folder, it is another base.
    let apart =
        packed(|file| format!("{}.{file}", if file == "cbg" { "b\\a" } else { "a" }), &[]).0;
    let error = open(&apart, &OpenOptions::default()).unwrap_err();
    assert!(error.to_string().contains("cbg"), "{error}");
}

#[test]
fn archive_name_that_fills_its_field_opens() {
    let (bytes, games) = packed(|file| format!("{}.{file}", "n".repeat(126 - file.len())), &[]);
    assert_eq!(open(&bytes, &OpenOptions::default()).unwrap(), games);
    // 128 bytes without a zero.
    let (mut bytes, games) = packed(|file| format!("{}.{file}", "n".repeat(126 - file.len())), &[]);
    for entry in 0..FILES.len() {
        let name = HEADER + entry * ENTRY;
        bytes.copy_within(name..name + 127, name + 1);
    }
    assert_eq!(open(&bytes, &OpenOptions::default()).unwrap(), games);
    let name = "n".repeat(128);
    assert!(write_archive(Vec::new(), &[(&*name, &[0u8][..])]).is_err());
}

/// Of several files with one name the first counts.
#[test]
fn archive_doubled_names_use_the_first() {
    let (bytes, games) = packed(
        |file| format!("a.{file}"),
        &[("A.CBG", b"rubbish"), ("a.cbh", b"rubbish"), ("b.cbh", b"rubbish"), ("a", b"")],
    );
    assert_eq!(open(&bytes, &OpenOptions::default()).unwrap(), games);
    let parts = write(&[]).0;
    let first: &[u8] = parts.get("cbh").unwrap();
    let bytes = write_archive(Vec::new(), &[("x.cbh", first), ("y.cbg", b"z"), ("y.cbh", b"z")]);
    let error = open(&bytes.unwrap(), &OpenOptions::default()).unwrap_err();
    assert!(error.to_string().contains("cbg"), "{error}");
}

#[test]
fn archive_without_files_is_error() {
    let none: [(&str, &[u8]); 0] = [];
    let bytes = write_archive(Vec::new(), &none).unwrap();
    assert_eq!(bytes.len(), HEADER);
    let error = open(&bytes, &OpenOptions::default()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoBaseInside), "{error}");
    // The count says more than there are.
    let mut bytes = bytes;
    bytes[2] = 1;
    let error = open(&bytes, &OpenOptions::default()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Archive(_)), "{error}");
}

/// The directory counts its files in 16 bits.
#[test]
fn archive_with_most_files_opens_and_one_more_is_refused() {
    let (full, refused) = (usize::from(u16::MAX), usize::from(u16::MAX) + 1);
    let names: Vec<String> = (0..refused).map(|number| format!("{number}.txt")).collect();
    let others: Vec<(&str, &[u8])> = names.iter().map(|name| (&**name, &[][..])).collect();
    let (bytes, games) = packed(|file| format!("a.{file}"), &others[..full - FILES.len()]);
    let size = bytes.len() as u64;
    let memory = peak(|| assert_eq!(open(&bytes, &OpenOptions::default()).unwrap(), games));
    assert!(memory < 16 * size, "{memory} for {size}");
    let error = write_archive(Vec::new(), &others).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
}

/// Every file of the base has the same blocks, or none of its own.
#[test]
fn archive_overlapping_files_are_errors_or_games() {
    let (bytes, _) = packed(|file| format!("a.{file}"), &[]);
    let archive = Archive::new(bytes.clone(), None).unwrap();
    let members = archive.members().to_vec();
    within(60, move || {
        for from in 0..FILES.len() {
            let mut bytes = bytes.clone();
            for entry in 0..FILES.len() {
                put_offset(&mut bytes, entry, members[from].offset);
                put_packed(&mut bytes, entry, members[from].packed);
                put_size(&mut bytes, entry, members[from].size);
            }
            let told = open(&bytes, &OpenOptions::default());
            assert!(from == 0 || told.is_err(), "{}", FILES[from]);
            // One file alone has the blocks of another.
            let mut bytes = bytes.clone();
            put_offset(&mut bytes, 1, members[from].offset);
            let _ = open(&bytes, &OpenOptions::default());
        }
        // Blocks that begin inside the directory.
        for offset in [0, 1, HEADER as u64, 100] {
            let mut bytes = bytes.clone();
            put_offset(&mut bytes, 0, offset);
            let error = open(&bytes, &OpenOptions::default()).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Archive(_)), "{error}");
        }
    });
}

#[test]
fn archive_numbers_out_of_range_are_errors() {
    let (bytes, games) = packed(|file| format!("a.{file}"), &[]);
    let end = bytes.len() as u64;
    let beyond = [end - 1, end, end + 1, 1 << 32, u64::MAX / 2, u64::MAX - 1, u64::MAX];
    for entry in [0, 1] {
        for value in beyond {
            for put in [put_offset, put_packed, put_size] {
                let mut bytes = bytes.clone();
                put(&mut bytes, entry, value);
                let error = open(&bytes, &OpenOptions::default()).unwrap_err();
                assert!(matches!(error.kind(), ErrorKind::Archive(_)), "{value}: {error}");
            }
        }
        for value in [0, 1, 7] {
            let mut bytes = bytes.clone();
            put_size(&mut bytes, entry, value);
            assert!(open(&bytes, &OpenOptions::default()).is_err(), "{value}");
        }
        let mut bytes = bytes.clone();
        put_packed(&mut bytes, entry, 0);
        assert!(open(&bytes, &OpenOptions::default()).is_err());
    }
    // A file that nobody needs may be anywhere.
    let (mut bytes, _) = packed(|file| format!("a.{file}"), &[("x.txt", b"text")]);
    put_offset(&mut bytes, FILES.len(), u64::MAX);
    assert_eq!(open(&bytes, &OpenOptions::default()).unwrap(), games);
    assert!(Archive::new(bytes, None).unwrap().read(FILES.len()).is_err());
}

/// Files may claim 1,024 times the size of the archive. The base may unpack to less.
#[test]
fn archive_claims_beyond_limit_are_refused_before_unpacking() {
    let padding = vec![0; 1 << 20];
    let (mut bytes, games) = packed(|file| format!("a.{file}"), &[("padding", &padding)]);
    let size = bytes.len() as u64;
    let usual = (64 << 20) + 200 * size;
    put_size(&mut bytes, 1, usual);
    let mut options = OpenOptions::default();
    let error = open(&bytes, &options).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooBig(limit) if *limit == usual), "{error}");
    options.max_unpacked = Some(u64::MAX);
    let error = open(&bytes, &options).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Archive(_)), "the claim is false: {error}");
    let (bytes, _) = packed(|file| format!("a.{file}"), &[]);
    let archive = Archive::new(bytes.clone(), None).unwrap();
    let total: u64 = archive.members().iter().map(|member| member.size).sum();
    for entry in 0..FILES.len() {
        assert_eq!(archive.read(entry).unwrap().size().unwrap(), archive.members()[entry].size);
    }
    options.max_unpacked = Some(total);
    assert_eq!(open(&bytes, &options).unwrap(), games);
    options.max_unpacked = Some(total - 1);
    assert!(matches!(open(&bytes, &options).unwrap_err().kind(), ErrorKind::TooBig(_)));
}
