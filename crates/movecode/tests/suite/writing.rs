//! Writing with several threads, into memory, and to failing disks.

use std::num::NonZero;
use std::sync::{Arc, Mutex};

use chess_core::Game;
use chess_store::erased::{Creator, Opener};
use chess_store::{AnyError, Scope};
use movecode::{CreateOptions, Database, Encoded, FORMATS, Losses, OpenOptions, Parts, Writer};
use testkit::{Disk, Stop};

use crate::common::{FLAVOUR, games, open, read, unpack, write, write_with};

/// The options of `chess_store`, with a setting of this format.
fn with_setting<O: Default>(set: impl FnOnce(&mut O)) -> O {
    let mut options = O::default();
    set(&mut options);
    options
}

#[test]
fn encoder_on_other_thread_gives_same_bytes() {
    let games = games(3, 60, FLAVOUR);
    let (alone, losses) = write(&games);
    let mut options = CreateOptions::default();
    options.collection = Some("base".into());
    let mut writer = Writer::from_parts(Parts::new(Vec::new(), Vec::new()), &options);
    let mut encoded: Vec<(Encoded, Losses)> = Vec::new();
    std::thread::scope(|scope| {
        let halves = games.chunks(30).map(|half| {
            let mut encoder = writer.encoder();
            scope.spawn(move || {
                let one = |game| {
                    let (mut encoded, mut losses) = (Encoded::default(), Losses::new());
                    encoder.encode(game, &mut encoded, &mut losses).unwrap();
                    (encoded, losses)
                };
                half.iter().map(one).collect::<Vec<_>>()
            })
        });
        let halves: Vec<_> = halves.collect();
        encoded.extend(halves.into_iter().flat_map(|half| half.join().unwrap()));
    });
    let mut all = Losses::new();
    for (encoded, losses) in &mut encoded {
        writer.append(encoded, losses).unwrap();
        all.append(losses);
    }
    assert!(writer.into_bytes().unwrap() == alone);
    assert_eq!(all, losses);
}

#[test]
fn writer_file_and_memory_give_same_bytes() {
    let (folder, games) = (tempfile::tempdir().unwrap(), games(4, 20, FLAVOUR));
    let path = folder.path().join("base.jose");
    let mut writer = Writer::create(&path).unwrap();
    for game in &games {
        writer.write(game, &mut Losses::new()).unwrap();
    }
    writer.finish().unwrap();
    let (memory, _) = write(&games);
    assert!(std::fs::read(&path).unwrap() == memory);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(read(&Database::open(&path).unwrap()) == read(&open(memory).unwrap()));
}

/// More games than one block: the archive does not depend on the number of threads.
#[test]
fn writer_any_thread_count_gives_same_bytes() {
    let few = games(5, 100, FLAVOUR);
    let many: Vec<Game> = few.iter().cycle().take(12_000).cloned().collect();
    let with = |threads| {
        let mut options = CreateOptions::default();
        options.threads = NonZero::new(threads);
        write_with(&many, &options).0
    };
    let one = with(1);
    assert!(unpack(&one).iter().any(|(_, bytes)| bytes.len() > 3 << 20));
    assert!(one == with(2) && one == with(5));
    let base = open(&one).unwrap();
    assert_eq!((base.len(), base.warnings()), (12_000, &[][..]));
    let read = read(&base);
    assert!(read.iter().zip(&many).all(|(game, original)| game.tokens().eq(original.tokens())));
}

/// An archive written to any `Write`, and rows buffered on a failing disk.
#[test]
fn writer_failing_disk_is_error() {
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);
    impl std::io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let games = games(6, 30, FLAVOUR);
    let attempt = |stop: &Stop| {
        let archive = Shared::default();
        let parts = Parts::new(archive.clone(), Disk::new(Vec::new(), stop));
        let mut options = CreateOptions::default();
        options.collection = Some("base".into());
        let mut writer = Writer::from_parts(parts, &options);
        for game in &games {
            writer.write(game, &mut Losses::new())?;
        }
        writer.finish()?;
        let bytes = archive.0.lock().unwrap().clone();
        Ok::<_, movecode::Error>(bytes)
    };
    assert!(attempt(&Stop::never()).unwrap() == write(&games).0);
    testkit::assert_failures_are_reported(&["jose"], false, |stop| attempt(stop).map(drop));
}

#[test]
fn writer_refused_game_adds_no_name() {
    let mut writer = Writer::in_memory();
    let mut refused = Game::new();
    refused.header.white = "Nobody".into();
    refused.set_start_fen("4k3/8/8/8/8/8/8/NNN1K3 w - - 0 1").unwrap();
    let mut losses = Losses::new();
    let error = writer.write(&refused, &mut losses).unwrap_err();
    assert_eq!(error.scope(), Scope::Game);
    writer.write(&Game::new(), &mut losses).unwrap();
    assert_eq!(losses, []);
    let archive = writer.into_bytes().unwrap();
    let players = unpack(&archive).into_iter().find(|(name, _)| name == "IO_Player.MYD").unwrap().1;
    assert!(!players.windows(6).any(|part| part == b"Nobody"));
    assert_eq!(open(archive).unwrap().details()[1], ("collection", "games".into()));
}

#[test]
fn write_long_names_are_truncated() {
    let mut game = Game::new();
    game.header.black = "é".repeat(300);
    let mut options = CreateOptions::default();
    options.collection = Some("c".repeat(256));
    let (archive, losses) = write_with(&[game], &options);
    let cut: Vec<usize> = losses.iter().map(|loss| loss.detail.chars().count()).collect();
    assert_eq!(cut, [255, 255]);
    let game = &read(&open(archive).unwrap())[0];
    assert_eq!(game.header.black, "é".repeat(255));
    assert_eq!(game.header.tags.get("Collection"), Some("c".repeat(255).as_str()));
}

#[test]
fn settings_by_name_set_options() {
    let format = FORMATS[0];
    let (Some(Opener::Database(open)), Some(Creator::Database(create))) =
        (format.open, format.create)
    else {
        panic!("both")
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.jose");
    let options = with_setting(|o: &mut chess_store::CreateOptions| {
        o.settings.set("collection", "My games");
    });
    let mut writer = create(&path, &options).unwrap();
    let mut encoded = chess_store::erased::Encoded::default();
    writer.encoder().encode(&Game::new(), &mut encoded).unwrap();
    writer.append(&mut encoded).unwrap();
    writer.finish().unwrap();
    let dialect = |value: &str| {
        with_setting(|o: &mut chess_store::OpenOptions| o.settings.set("dialect", value))
    };
    let base = open(&path, &dialect("published")).unwrap();
    assert_eq!(base.details()[1], ("collection", "My games".into()));
    let said = |error: Option<AnyError>| error.unwrap().message().to_string();
    assert_eq!(
        said(open(&path, &dialect("klingon")).err()),
        "unknown option dialect=klingon: dialect is one of auto, jose, published"
    );
    let wrong = with_setting(|o: &mut chess_store::CreateOptions| o.settings.set("colour", "1"));
    assert_eq!(
        said(create(&path, &wrong).err()),
        "unknown option colour=1: the options here are collection, threads, evals"
    );
    let none = with_setting(|o: &mut chess_store::CreateOptions| o.settings.set("threads", "0"));
    assert_eq!(
        said(create(&path, &none).err()),
        "unknown option threads=0: threads takes no such value (threads that pack the archive)"
    );
    assert_eq!(OpenOptions::default().dialect, None);
}
