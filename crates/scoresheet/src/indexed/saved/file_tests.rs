//! Tests of the index that is kept beside a text.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use chess_store::Encoding;

use crate::{
    Base, Converter, Filter, IndexUse, OpenOptions, Progress, Scanner, create, open,
    open_with_index,
};

/// Longer than a text must be unchanged.
const SETTLING: Duration = Duration::from_millis(2100);

fn games(white: &str) -> String {
    let game = |number: u32| {
        format!("[White \"{white}\"]\n[Black \"B{number}\"]\n\n1. e4 c5 2. Nf3 d6 1-0\n\n")
    };
    (0..500).map(game).collect()
}

fn used(path: &Path) -> IndexUse {
    let (mut base, used) = open_with_index(path, &OpenOptions::default(), &mut go_on).unwrap();
    assert_eq!(answers(&mut base), answers(&mut open(path).unwrap()), "{}", path.display());
    used
}

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The numbers that a search finds.
fn answers(base: &mut Base) -> Vec<(u64, String)> {
    let filter = Filter::named([("player", "a*"), ("moves", "1. e4 c5")]).unwrap();
    let mut found = Vec::new();
    Scanner::new()
        .filter(filter)
        .for_each(base, |scanned| {
            let header = &scanned.game.header;
            found.push((scanned.number, format!("{} - {}", header.white, header.black)));
        })
        .unwrap();
    found
}

fn index(path: &Path) -> PathBuf {
    path.with_extension("pgn.sidx")
}

#[test]
fn open_with_index_believes_only_the_index_of_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (one, other) = (path("one.pgn"), path("other.pgn"));
    fs::write(&one, games("a")).unwrap();
    fs::write(&other, games("b")).unwrap();

    // A change within the same time could not be seen.
    let IndexUse::NotWritten(reason) = used(&one) else { panic!("written too soon") };
    assert!(reason.contains("less than 2 seconds ago"), "{reason}");
    assert!(!index(&one).exists());

    sleep(SETTLING);
    assert_eq!((used(&one), used(&one)), (IndexUse::Written, IndexUse::Read));
    assert_eq!((used(&other), used(&other)), (IndexUse::Written, IndexUse::Read));

    // Truncated, damaged, of another text.
    let whole = fs::read(index(&one)).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 0x10;
    let foreign = fs::read(index(&other)).unwrap();
    for wrong in [&[][..], &whole[..whole.len() - 1], &whole[..100], &damaged, &foreign] {
        fs::write(index(&one), wrong).unwrap();
        assert_eq!((used(&one), used(&one)), (IndexUse::Written, IndexUse::Read));
    }
    assert_eq!(fs::read(index(&one)).unwrap(), whole);

    // Other options read other games.
    let mut options = OpenOptions::default();
    options.encoding = Some(Encoding::WINDOWS_1252);
    let opened = |options: &OpenOptions| open_with_index(&one, options, &mut go_on).unwrap().1;
    assert_eq!((opened(&options), opened(&options)), (IndexUse::Written, IndexUse::Read));
    assert_eq!(opened(&OpenOptions::default()), IndexUse::Written);

    // The text changes: longer, and of the same size with the old time of modification.
    let modified = fs::metadata(&other).unwrap().modified().unwrap();
    fs::write(&one, games("a") + &games("ab")).unwrap();
    fs::write(&other, games("c")).unwrap();
    let file = fs::File::options().write(true).open(&other).unwrap();
    file.set_modified(modified).unwrap();
    drop(file);
    assert!(matches!(used(&one), IndexUse::NotWritten(_)));
    #[cfg(unix)]
    assert!(matches!(used(&other), IndexUse::NotWritten(_)));
    sleep(SETTLING);
    assert_eq!((used(&one), used(&one)), (IndexUse::Written, IndexUse::Read));
    #[cfg(unix)]
    assert_eq!((used(&other), used(&other)), (IndexUse::Written, IndexUse::Read));
}

#[test]
fn open_with_index_that_cannot_be_written_reads_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("games.pgn");
    fs::write(&text, games("a")).unwrap();
    // Nobody, not even root, can replace a folder by a file.
    fs::create_dir(index(&text)).unwrap();
    fs::write(index(&text).join("inside"), "").unwrap();
    sleep(SETTLING);
    let IndexUse::NotWritten(reason) = used(&text) else { panic!("a folder was replaced") };
    assert!(!reason.is_empty());
    assert!(index(&text).join("inside").exists());
}

/// A file with the name of an index may be anything, and a link may lead anywhere.
#[test]
fn open_with_index_beside_other_file_or_link_replaces_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (text, other) = (folder.path().join("games.pgn"), folder.path().join("other.txt"));
    fs::write(&text, games("a")).unwrap();
    fs::write(&other, "precious").unwrap();
    fs::write(index(&text), "precious").unwrap();
    sleep(SETTLING);
    let IndexUse::NotWritten(reason) = used(&text) else { panic!("a file was replaced") };
    assert!(reason.contains("another file"), "{reason}");
    assert_eq!(fs::read(index(&text)).unwrap(), b"precious");
    #[cfg(unix)]
    for to in ["other.txt", "nothing", "games.pgn"] {
        fs::remove_file(index(&text)).unwrap();
        std::os::unix::fs::symlink(to, index(&text)).unwrap();
        let IndexUse::NotWritten(reason) = used(&text) else { panic!("a link was followed") };
        assert!(reason.contains("a link"), "{reason}");
        assert!(fs::symlink_metadata(index(&text)).unwrap().is_symlink());
    }
    assert_eq!(fs::read(&other).unwrap(), b"precious");
    assert_eq!(fs::read_to_string(&text).unwrap(), games("a"));
    assert!(!folder.path().join("nothing").exists());
}

/// Root may write in a read-only folder.
#[cfg(unix)]
#[test]
fn open_with_index_in_read_only_folder_reads_the_text() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("games.pgn");
    fs::write(&text, games("a")).unwrap();
    sleep(SETTLING);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let is_root = fs::write(folder.path().join("probe"), "").is_ok();
    let used = used(&text);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(matches!(used, IndexUse::NotWritten(_)), !is_root, "{used:?}");
}

#[test]
fn open_with_index_of_other_bases_is_unsuitable() {
    let folder = tempfile::tempdir().unwrap();
    let (packed, base) = (folder.path().join("a.pgn.gz"), folder.path().join("b.si4"));
    for path in [&packed, &base] {
        let mut output = create(path, &Default::default()).unwrap();
        let text = folder.path().join("a.pgn");
        fs::write(&text, games("a")).unwrap();
        let mut from = open(&text).unwrap();
        Converter::new().run(&mut from, &mut output, &mut ()).unwrap();
        output.finish().unwrap();
        assert_eq!(used(path), IndexUse::Unsuitable);
    }
    let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().contains("sidx")));
}

#[test]
fn open_with_index_interrupted_reads_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("games.pgn");
    fs::write(&text, games("a")).unwrap();
    sleep(SETTLING);
    let mut stop = |_: Progress| ControlFlow::Break(());
    let (mut base, used) = open_with_index(&text, &OpenOptions::default(), &mut stop).unwrap();
    assert!(matches!(used, IndexUse::NotWritten(_)), "{used:?}");
    assert!(!index(&text).exists());
    assert_eq!(answers(&mut base), answers(&mut open(&text).unwrap()));
}
