//! Archives.

use cbh::archive::{Archive, ArchiveWriter, write_archive};
use cbh::{Database, ErrorKind, Losses, OpenOptions, Scope};
use chess_core::Game;
use chess_store::io::ReadAt as _;
use chess_store::{AnyError, Diagnostics};
use testkit::{cases, damaged, within};

use crate::common::{FLAVOUR, games, read, write};

const FILES: [&str; 12] =
    ["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbj", "cbe", "cbl", "cbtt", "cbm"];

/// Builds an archive of a base with this crate's writer.
fn packed(count: usize) -> (Vec<u8>, Vec<Game>) {
    let parts = write(&games(41, count, FLAVOUR)).0;
    let names: Vec<String> = FILES.iter().map(|file| format!("games.{file}")).collect();
    let files: Vec<(&str, &[u8])> = names
        .iter()
        .zip(FILES)
        .map(|(name, file)| (name.as_str(), parts.get(file).unwrap().as_slice()))
        .collect();
    (write_archive(Vec::new(), &files).unwrap(), read(parts))
}

#[test]
fn archive_of_base_returns_its_games() {
    let (bytes, games) = packed(300);
    let archive = Archive::new(bytes, None).unwrap();
    assert_eq!(archive.members().len(), 12);
    assert_eq!(archive.members()[0].name, "games.cbh");
    let base = Database::from_parts(archive.base().unwrap(), &OpenOptions::default()).unwrap();
    let unpacked: Vec<_> = base.games().map(Result::unwrap).collect();
    assert_eq!(unpacked, games);
}

#[test]
fn archive_writer_games_round_trip() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Größte games.cbv");
    let games = games(43, 200, FLAVOUR);
    let mut writer = ArchiveWriter::create(&path).unwrap();
    for game in &games {
        writer.write(game, &mut Losses::new()).unwrap();
    }
    assert!(!path.exists(), "only when it is whole");
    writer.finish().unwrap();
    let archive = Archive::open(&path, None).unwrap();
    let names: Vec<_> = archive.members().iter().map(|member| &*member.name).collect();
    assert_eq!(names, FILES.map(|file| format!("Größte games.{file}")));
    let base = Database::open_archive(&path, &OpenOptions::default()).unwrap();
    let unpacked: Vec<_> = base.games().map(Result::unwrap).collect();
    assert_eq!(unpacked, read(write(&games).0));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left over");
}

#[test]
fn archive_damaged_optional_file_is_a_warning() {
    let (bytes, games) = packed(20);
    let names: Vec<Vec<u8>> = FILES.iter().map(|file| format!("games.{file}").into()).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.cbv");
    for (file, name) in FILES.into_iter().zip(names) {
        let mut bytes = bytes.clone();
        let entry = bytes.windows(name.len()).position(|part| part == name).unwrap();
        let start = u32::from_le_bytes(bytes[entry + 128..][..4].try_into().unwrap());
        bytes[start as usize + 2] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let opened = Database::open_archive(&path, &OpenOptions::default());
        let mut strict = OpenOptions::default();
        strict.strict = true;
        let error = Database::open_archive(&path, &strict).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Archive(_)), "{file}: {error}");
        if matches!(file, "cbh" | "cbg") {
            assert!(matches!(opened.unwrap_err().kind(), ErrorKind::Archive(_)), "{file}");
            continue;
        }
        let base = opened.unwrap();
        let odd: Vec<_> = base.warnings().iter().map(|odd| (odd.name, odd.at.file)).collect();
        assert_eq!(odd, [("cbh-damaged-file", file)]);
        let mut reader = base.reader();
        for (number, game) in (0..).zip(&games) {
            let mut read = Game::new();
            // A game that lost its names or annotations is damaged but keeps its moves.
            if let Err(error) = reader.game(number, &mut read, &mut Diagnostics::lenient()) {
                assert_eq!(error.scope(), Scope::Game, "{file}: {error}");
            }
            assert!(read.main_line().eq(game.main_line()), "{file}");
        }
    }
}

#[test]
fn archive_fixtures_match_expected_games() {
    let mut archives = 0;
    for case in cases("cbh").into_iter().filter(|case| case.meta.format == "cbv") {
        let base = Database::open_archive(case.path("cbv"), &OpenOptions::default());
        let base = base.map_err(AnyError::from);
        case.assert_opened(base.as_ref().map(|base| base as _));
        archives += 1;
    }
    assert!(archives > 10, "{archives}");
}

#[test]
fn archive_damaged_bytes_are_errors() {
    let (bytes, _) = packed(20);
    within(120, move || {
        let mut found = 0;
        for bytes in damaged(&bytes, 42, 300) {
            let Ok(archive) = Archive::new(bytes, None) else {
                found += 1;
                continue;
            };
            for member in 0..archive.members().len() {
                found += usize::from(archive.read(member).is_err());
            }
        }
        assert!(found > 300, "{found}");
    });
}

#[test]
fn archive_errors_name_their_file() {
    let folder = tempfile::tempdir().unwrap();
    for (name, file) in [("a.cbv", "cbv"), ("a.CBZ", "cbz")] {
        let path = folder.path().join(name);
        let open = || Archive::open(&path, None).map(|_| ()).unwrap_err();
        assert_eq!(open().location().file, file, "no such file");
        for bytes in [&[][..], b"12345678"] {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(open().location().file, file, "{bytes:?}");
        }
    }
    let (mut bytes, _) = packed(3);
    let archive = Archive::new(bytes.clone(), None).unwrap();
    assert_eq!(archive.read(usize::MAX).map(|_| ()).unwrap_err().location().file, "cbv");
    let first = usize::try_from(archive.members()[0].offset).unwrap();
    bytes[first + 6] ^= 1;
    let error = Archive::new(bytes, None).unwrap().read(0).map(|_| ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(".cbv, byte {first}: the archive is damaged: the checksum of a block is wrong")
    );
}

/// A member whose blocks end early is an error at the archive, whatever the kind of archive.
#[test]
fn archive_truncated_member_names_the_archive() {
    let (bytes, _) = packed(20);
    let archive = Archive::new(bytes.clone(), None).unwrap();
    let directory = usize::try_from(archive.members()[0].offset).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut errors = 0;
    for (name, file) in [("a.cbv", "cbv"), ("a.CBV", "cbv")] {
        let path = folder.path().join(name);
        for length in (directory..bytes.len()).step_by(bytes.len() / 30) {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let archive = Archive::open(&path, None).unwrap();
            for member in 0..archive.members().len() {
                let Err(error) = archive.read(member) else { continue };
                assert_eq!(error.location().file, file, "member {member} of {length}: {error}");
                errors += 1;
            }
            let opened = Database::open_archive(&path, &OpenOptions::default());
            if let Err(error) = opened {
                assert_eq!(error.location().file, file, "{length}: {error}");
            }
        }
    }
    assert!(errors > 100, "{errors}");
}

#[test]
fn archive_encrypted_needs_password() {
    use des::Des;
    use des::cipher::{Array, BlockCipherEncrypt, KeyInit};

    let (mut bytes, games) = packed(30);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let cipher = Des::new(&Array::from(*b"passpass"));
    for block in bytes.chunks_exact_mut(8) {
        let mut array = Array::from(<[u8; 8]>::try_from(&*block).unwrap());
        cipher.encrypt_block(&mut array);
        block.copy_from_slice(&array);
    }
    let open = |password| Archive::new(bytes.clone(), password);
    let missing = open(None).unwrap_err();
    assert!(matches!(missing.kind(), ErrorKind::NeedsPassword));
    let wrong = open(Some("wrong")).unwrap_err();
    assert!(matches!(wrong.kind(), ErrorKind::WrongPassword));
    assert_eq!([missing.location().file, wrong.location().file], ["cbz", "cbz"]);
    let half = Archive::new(bytes[..bytes.len() / 16 * 8].to_vec(), Some("pass")).unwrap();
    let errors: Vec<_> = (0..12).filter_map(|member| half.read(member).err()).collect();
    assert!(!errors.is_empty() && errors.iter().all(|error| error.location().file == "cbz"));
    let archive = open(Some("pass")).unwrap();
    let base = Database::from_parts(archive.base().unwrap(), &OpenOptions::default()).unwrap();
    assert_eq!(base.games().map(Result::unwrap).collect::<Vec<_>>(), games);
}

/// Builds a member of stored blocks with these sizes.
fn stored(contents: &[u8], sizes: &[usize]) -> Vec<u8> {
    let mut bytes = write_archive(Vec::new(), &[("a.txt", &[0u8; 0][..])]).unwrap();
    let (start, mut rest) = (bytes.len(), contents);
    for size in sizes {
        let (block, left) = rest.split_at(*size);
        let payload = [&[0], block].concat();
        let words = payload.chunks_exact(2).map(|word| u16::from_le_bytes([word[0], word[1]]));
        let sum = words.fold(0, u16::wrapping_add);
        bytes.extend((payload.len() as u16).to_le_bytes());
        bytes.extend(sum.to_le_bytes());
        bytes.extend(payload);
        rest = left;
    }
    let packed = (bytes.len() - start) as u64;
    let size = contents.len() as u64;
    for (place, value) in [(132, packed), (136, size)] {
        bytes[8 + place..8 + place + 4].copy_from_slice(&(value as u32).to_le_bytes());
    }
    for (place, value) in [(157, packed), (165, size)] {
        bytes[8 + place..8 + place + 8].copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

/// Stored members are read in place, whatever their block sizes. Reads past the end return nothing.
#[test]
fn archive_stored_blocks_read_at_any_offset() {
    let contents: Vec<u8> = (0..1000u32).map(|n| (n * n % 251) as u8).collect();
    let divisions: [&[usize]; 8] = [
        &[1000],
        &[500, 500],
        &[300, 300, 300, 100],
        &[300, 300, 400],
        &[300, 200, 500],
        &[0, 500, 500],
        &[500, 500, 0],
        &[1; 1000],
    ];
    for sizes in divisions {
        let archive = Archive::new(stored(&contents, sizes), None).unwrap();
        let file = archive.read(0).unwrap();
        assert_eq!(file.size().unwrap(), 1000);
        for from in (0..1010).step_by(7).chain(298..303) {
            for length in [0, 1, 2, 299, 301, 700, 1100] {
                let mut read = Vec::new();
                file.read_into(from as u64, length, &mut read).unwrap();
                let end = (from + length).min(1000);
                assert_eq!(read, contents.get(from..end).unwrap_or_default(), "{sizes:?}");
            }
        }
    }
    let short = Archive::new(stored(&contents, &[500, 499]), None).unwrap();
    assert!(matches!(short.read(0).unwrap_err().kind(), ErrorKind::Archive(_)));
}

#[test]
fn archive_lz_block_is_unpacked() {
    // A member of 300 times the letter q: one literal, one run of 279 and one copy of 20.
    #[rustfmt::skip]
    let payload = [
        0x01,                // copies
        0x00, 0b0110_0000,   // a letter, then two tokens
        b'q', 0x14, 0x10, b'q', // 16 * 16 + 4 + 19 = 279
        0x20, 0x00, 0x04,    // 20 from 3 back
    ];
    let sum = payload
        .chunks_exact(2)
        .fold(0u16, |sum, word| sum.wrapping_add(u16::from_le_bytes([word[0], word[1]])));
    let mut bytes = write_archive(Vec::new(), &[("a.txt", &[0u8; 9][..])]).unwrap();
    let start = bytes.len() - 14;
    bytes.truncate(start);
    bytes.extend_from_slice(&(payload.len() as u16).to_le_bytes());
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes.extend_from_slice(&payload);
    let sizes = [8 + 132, 8 + 157, 8 + 136, 8 + 165];
    for (place, value) in sizes.into_iter().zip([14u32, 14, 300, 300]) {
        bytes[place..place + 4].copy_from_slice(&value.to_le_bytes());
    }
    let archive = Archive::new(bytes, None).unwrap();
    let unpacked = archive.read(0).unwrap();
    let mut text = Vec::new();
    unpacked.read_into(0, 1000, &mut text).unwrap();
    assert_eq!(text, [b'q'; 300]);
}
