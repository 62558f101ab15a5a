//! Container formats: every checksum is verified, and damage is reported.

use std::io::{Cursor, Write};

use movecode::{Database, ErrorKind};

use crate::common::{FLAVOUR, games, open, read, unpack, write};

fn warnings(base: &Database) -> Vec<&'static str> {
    base.warnings().iter().map(|warning| warning.name).collect()
}

fn archive() -> Vec<u8> {
    write(&games(21, 6, FLAVOUR)).0
}

/// Packs the tables as a zip archive, after a file that is no table.
fn zip() -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    let readme = ("README".to_owned(), b"Have fun!".to_vec());
    for (name, bytes) in std::iter::once(readme).chain(unpack(&archive())) {
        zip.start_file(name, options).unwrap();
        zip.write_all(&bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn place(bytes: &[u8], what: &[u8]) -> usize {
    bytes.windows(what.len()).position(|part| part == what).unwrap()
}

#[test]
fn gzip_checksum_wrong_is_damage_of_the_archive() {
    let healthy = archive();
    for back in 1..=8 {
        let mut bad = healthy.clone();
        let at = bad.len() - back;
        bad[at] ^= 1;
        let base = open(bad).unwrap();
        assert_eq!(warnings(&base), ["movecode-archive-damaged"], "{back}");
        assert_eq!(read(&base).len(), 6);
    }
}

#[test]
fn gzip_cut_behind_the_tables_is_damage_of_the_archive() {
    let mut bad = archive();
    bad.truncate(bad.len() - 4);
    assert_eq!(warnings(&open(bad).unwrap()), ["movecode-archive-cut"]);
}

#[test]
fn gzip_zero_padding_is_no_damage() {
    let mut padded = archive();
    padded.extend_from_slice(&[0; 512]);
    assert!(warnings(&open(padded).unwrap()).is_empty());
}

#[test]
fn zip_checksum_wrong_is_damage_of_the_archive() {
    let healthy = zip();
    assert!(warnings(&open(&healthy).unwrap()).is_empty());
    // The first file in the directory, which is no table, and the second.
    let first = place(&healthy, b"PK\x01\x02");
    let second = first + 4 + place(&healthy[first + 4..], b"PK\x01\x02");
    for at in [first + 16, second + 16] {
        let mut bad = healthy.clone();
        bad[at] ^= 1;
        assert_eq!(warnings(&open(bad).unwrap()), ["movecode-archive-damaged"], "{at}");
    }
}

#[test]
fn zip_encrypted_or_without_directory_says_so() {
    let healthy = zip();
    let second = place(&healthy, b"PK\x01\x02") + 4;
    let second = second + place(&healthy[second..], b"PK\x01\x02");
    let mut locked = healthy.clone();
    locked[second + 8] |= 1;
    let error = open(locked).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Encrypted), "{error}");
    let mut cut = healthy;
    cut.truncate(second);
    let error = open(cut).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::BrokenZip), "{error}");
}

#[test]
fn tar_with_many_files_before_its_tables_is_read() {
    let mut tar = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    for number in 0..20_000 {
        header.set_size(0);
        tar.append_data(&mut header, format!("{number}.txt"), &[][..]).unwrap();
    }
    for (name, bytes) in unpack(&archive()) {
        header.set_size(bytes.len() as u64);
        tar.append_data(&mut header, name, bytes.as_slice()).unwrap();
    }
    assert_eq!(read(&open(tar.into_inner().unwrap()).unwrap()).len(), 6);
}

#[test]
fn tar_in_xz_or_zstd_is_named() {
    for (start, name) in [(&b"\xfd7zXZ\0"[..], ".xz"), (b"\x28\xb5\x2f\xfd", ".zst")] {
        let error = open([start, &[0; 600]].concat()).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
}

/// A container whose last bytes are missing, in each format, has an error or a warning at the archive.
#[test]
fn archive_truncated_names_the_archive() {
    let files = unpack(&archive());
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in &files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        tar.append_data(&mut header, name, bytes.as_slice()).unwrap();
    }
    let tar = tar.into_inner().unwrap();
    let bzip2 = {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(&tar).unwrap();
        encoder.finish().unwrap()
    };
    for (name, whole) in [("gzip", archive()), ("zip", zip()), ("tar", tar), ("bzip2", bzip2)] {
        assert_eq!(read(&open(&whole).unwrap()).len(), 6, "{name}");
        for length in (1..whole.len() * 9 / 10).step_by(whole.len() / 40) {
            let at = match open(&whole[..length]) {
                Err(error) => error.location(),
                Ok(base) => base.warnings().first().unwrap_or_else(|| panic!("{name}")).at,
            };
            assert!(["jose", "frm", "MYD"].contains(&at.file), "{name}, {length}: {at}");
        }
    }
}
