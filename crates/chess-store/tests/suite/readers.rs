//! Readers while another program replaces the base.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use chess_store::files::BaseFiles;
use chess_store::io::{ReadAt, WriteAt};
use chess_store::{Error, ErrorKind, Scope};
use testkit::Volume;

const EXTENSIONS: [&str; 3] = ["a1", "a2", "ix"];

#[derive(Debug, thiserror::Error)]
enum Kind {
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl ErrorKind for Kind {
    fn scope(&self) -> Scope {
        Scope::Base
    }

    fn io(&self) -> Option<&io::Error> {
        let Kind::Io(error) = self;
        Some(error)
    }
}

#[test]
fn open_without_seen_change_has_one_base() {
    let (volume, done) = (Volume::new(), AtomicUsize::new(0));
    for extension in EXTENSIONS {
        volume.put(Path::new("/base").with_extension(extension), 0_u64.to_le_bytes().to_vec());
    }
    let path = Path::new("/base.ix");
    let replace = |number: u64| {
        let files = BaseFiles::locate_for_change_on(&volume, path, "ix", Duration::ZERO).unwrap();
        let mut staged = files.stage_files();
        for extension in EXTENSIONS {
            let mut file = staged.create_file(&path.with_extension(extension)).unwrap();
            file.write_at(0, &number.to_le_bytes()).unwrap();
        }
        staged.put_in_place().unwrap();
    };
    let read = |named: &str| -> io::Result<Option<Vec<Vec<u8>>>> {
        let files = BaseFiles::locate_on(&volume, Path::new(named), "ix")?;
        let read = EXTENSIONS.map(|extension| {
            let mut bytes = Vec::new();
            files.open_file(extension)?.read_into(0, 8, &mut bytes)?;
            thread::sleep(Duration::from_micros(10));
            Ok(bytes)
        });
        let read: io::Result<Vec<_>> = read.into_iter().collect();
        if files.is_unchanged()? { read.map(Some) } else { Ok(None) }
    };
    thread::scope(|scope| {
        let readers = ["/base.ix", "/base.a1", "/BASE.A2"].map(|named| {
            let (done, read) = (&done, &read);
            scope.spawn(move || {
                let (mut whole, mut changed) = (0, 0);
                while whole < 100 || changed < 100 {
                    match read(named) {
                        Ok(Some(read)) => {
                            assert!(read.iter().all(|bytes| *bytes == read[0]), "{read:?}");
                            whole += 1;
                        }
                        _ => changed += 1,
                    }
                }
                done.fetch_add(1, Ordering::Relaxed);
                (whole, changed)
            })
        });
        let mut number = 0;
        while done.load(Ordering::Relaxed) < readers.len() {
            number += 1;
            replace(number);
            thread::sleep(Duration::from_micros(50 * (number % 8)));
        }
        for reader in readers {
            println!("{:?} whole and changed, {number} bases", reader.join().unwrap());
        }
    });
}

#[test]
fn open_whole_opens_again_until_nothing_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.ix");
    let replace = |number: u64| {
        let mut staged =
            BaseFiles::wait_for_change(&path, "ix", Duration::from_secs(9)).unwrap().stage();
        for extension in EXTENSIONS {
            let mut file = staged.create(&path.with_extension(extension)).unwrap();
            WriteAt::write_at(&mut file, 0, &number.to_le_bytes()).unwrap();
        }
        staged.commit().unwrap();
    };
    replace(0);
    let mut opened = 0;
    let read = |files: &BaseFiles| -> Result<Vec<Vec<u8>>, Error<Kind>> {
        EXTENSIONS
            .iter()
            .map(|extension| {
                let at = chess_store::Location::file(extension);
                let mut bytes = Vec::new();
                let file = files.open(extension).map_err(Error::io(at))?;
                file.read_into(0, 8, &mut bytes).map_err(Error::io(at))?;
                Ok(bytes)
            })
            .collect()
    };
    // The base is replaced during the first two attempts to open it.
    let found = BaseFiles::open_whole(&path, "ix", |files| {
        drop(files.open("ix"));
        opened += 1;
        if opened < 3 {
            replace(opened);
        }
        read(files)
    });
    assert_eq!((found.unwrap(), opened), (vec![2_u64.to_le_bytes().to_vec(); 3], 3));

    // If it is replaced at every attempt, the error says so.
    let error = BaseFiles::open_whole(&path, "ix", |files| {
        drop(files.open("ix"));
        replace(7);
        read(files)
    });
    let error = error.unwrap_err().to_string();
    assert_eq!(error, ".ix: the base was replaced while it was being opened");

    // Other errors are returned at the first attempt.
    let mut tried = 0;
    let error = BaseFiles::open_whole(&path, "ix", |files| {
        tried += 1;
        files.open("zz").map(drop).map_err(Error::<Kind>::io(chess_store::Location::file("zz")))
    });
    assert_eq!(error.unwrap_err().to_string(), ".zz: missing; it belongs beside base.ix");
    assert_eq!(tried, 1);
}

#[test]
fn is_unchanged_new_file_is_false() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.ix");
    std::fs::write(&path, "x").unwrap();
    let files = BaseFiles::locate(&path, "ix").unwrap();
    assert!(files.find("a1").is_none() && files.find("ix").is_some());
    files.confirm().unwrap();
    std::fs::write(path.with_extension("a1"), "x").unwrap();
    let error = files.confirm().unwrap_err();
    assert_eq!(error.to_string(), "the base was replaced while it was being opened");
}
