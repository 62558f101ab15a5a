//! Real files: links, modes, unusual names, foreign files.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chess_store::files::{BaseFiles, Staged, leaves_old_base};
use tempfile::TempDir;

const EXTENSIONS: [&str; 3] = ["a1", "a2", "ix"];

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Creates a base with this text in each file.
fn put(folder: &Path, text: &str) -> PathBuf {
    for extension in EXTENSIONS {
        fs::write(folder.join("base").with_extension(extension), text).unwrap();
    }
    folder.join("base.ix")
}

fn write(staged: &mut Staged, path: &Path, text: &str) -> io::Result<()> {
    staged.create(path)?.write_all(text.as_bytes())
}

/// Replaces the base.
fn replace(index: &Path, text: &str) -> io::Result<()> {
    let mut staged = Staged::new();
    for extension in EXTENSIONS {
        write(&mut staged, &index.with_extension(extension), text)?;
    }
    staged.commit()
}

fn texts(folder: &Path) -> Vec<String> {
    let read = |extension| fs::read_to_string(folder.join("base").with_extension(extension));
    EXTENSIONS.iter().map(|extension| read(extension).unwrap()).collect()
}

#[test]
fn staged_files_appear_together_or_not_at_all() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("base.ix");
    let mut staged = Staged::new();
    write(&mut staged, &path.with_extension("a1"), "1").unwrap();
    write(&mut staged, &path, "1").unwrap();
    let found = names(folder.path());
    assert!(found[0].starts_with("base.a1~") && found[1].starts_with("base.ix~"), "{found:?}");
    drop(staged);
    assert_eq!(names(folder.path()), [""; 0]);

    for text in ["new", "newer"] {
        replace(&path, text).unwrap();
        assert_eq!(texts(folder.path()), [text; 3]);
        assert_eq!(names(folder.path()), ["base.a1", "base.a2", "base.ix"]);
    }
    Staged::new().commit().unwrap();
}

/// An editor has the files of its base open while it replaces them.
#[test]
fn commit_replaces_open_files() {
    let folder = TempDir::new().unwrap();
    let path = put(folder.path(), "old");
    let open: Vec<_> = EXTENSIONS
        .iter()
        .map(|extension| {
            let path = path.with_extension(extension);
            fs::File::options().read(true).write(true).open(path).unwrap()
        })
        .collect();
    for text in ["new", "newer"] {
        replace(&path, text).unwrap();
        assert_eq!(texts(folder.path()), [text; 3]);
    }
    // An editor of Scid 5 replaces the index alone.
    let files = BaseFiles::locate_for_change(&path, "ix").unwrap();
    let index = fs::File::open(&path).unwrap();
    let mut staged = files.stage();
    write(&mut staged, &path, "newest").unwrap();
    staged.commit().unwrap();
    drop((files, index));
    assert_eq!(texts(folder.path()), ["newer", "newer", "newest"]);
    for mut file in open {
        assert_eq!(io::read_to_string(&mut file).unwrap(), "old");
    }
    assert_eq!(names(folder.path()), ["base.a1", "base.a2", "base.ix"]);
}

#[test]
fn commit_with_left_out_file_removes_it() {
    let folder = TempDir::new().unwrap();
    let path = put(folder.path(), "old");
    fs::write(folder.path().join("BASE.GX"), "old").unwrap();
    let mut staged = Staged::new();
    for extension in EXTENSIONS {
        write(&mut staged, &path.with_extension(extension), "new").unwrap();
    }
    staged.leave_out("gx");
    staged.commit().unwrap();
    assert_eq!(names(folder.path()), ["base.a1", "base.a2", "base.ix"]);
}

#[test]
fn commit_other_spelling_replaces_existing_file() {
    let folder = TempDir::new().unwrap();
    for name in ["Base.IX", "BASE.A1", "base.a2"] {
        fs::write(folder.path().join(name), "old").unwrap();
    }
    let before = names(folder.path());
    let files = BaseFiles::locate_for_change(&folder.path().join("base.a1"), "ix").unwrap();
    files.open_for_change("a1").unwrap().write_all(b"own").unwrap();
    assert_eq!(fs::read_to_string(folder.path().join("BASE.A1")).unwrap(), "own");
    let mut staged = files.stage();
    // The files can be created in any order, because the index is known.
    for extension in ["ix", "a2", "a1"] {
        write(&mut staged, &files.target(extension).unwrap(), "new").unwrap();
    }
    staged.commit().unwrap();
    drop(files);
    assert_eq!(names(folder.path()), before);
    for name in before {
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "new");
    }
}

#[test]
fn commit_without_index_is_error() {
    let folder = TempDir::new().unwrap();
    let path = put(folder.path(), "old");
    let files = BaseFiles::locate_for_change(&path, "ix").unwrap();
    let mut staged = files.stage();
    for extension in ["a1", "a2"] {
        write(&mut staged, &path.with_extension(extension), "new").unwrap();
    }
    assert_eq!(staged.commit().unwrap_err().to_string(), "there is no new base.ix");
    // A single file is replaced by a rename.
    let mut staged = files.stage();
    write(&mut staged, &path.with_extension("a1"), "new").unwrap();
    staged.commit().unwrap();
    drop(files);
    assert_eq!(texts(folder.path()), ["new", "old", "old"]);
    assert_eq!(names(folder.path()).len(), 3);
}

#[test]
fn leaves_old_base_holds_for_failures_before_the_point_of_no_return() {
    let folder = TempDir::new().unwrap();
    let path = put(folder.path(), "old");
    let marker = with_suffix(&path, "commit");
    fs::create_dir(&marker).unwrap();
    let error = replace(&path, "new").unwrap_err();
    assert!(error.to_string().starts_with("cannot create base.ix~commit"), "{error}");
    assert!(leaves_old_base(&error));
    assert_eq!(texts(folder.path()), ["old"; 3]);
    fs::remove_dir(&marker).unwrap();
    // A failure after the old index was removed: a folder is in the way of a new file.
    let files = BaseFiles::locate_for_change(&path, "ix").unwrap();
    let mut staged = files.stage();
    let way = path.with_extension("b1");
    for file in [&way, &path] {
        write(&mut staged, file, "new").unwrap();
    }
    fs::create_dir(&way).unwrap();
    let error = staged.commit().unwrap_err();
    assert!(error.to_string().contains("the next change"), "{error}");
    assert!(!leaves_old_base(&error));
    assert!(!leaves_old_base(&io::Error::other("any other")));
}

#[test]
fn file_errors_name_the_file() {
    let folder = TempDir::new().unwrap();
    let mut staged = Staged::new();
    let error = staged.create(&folder.path().join("none/base.ix")).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
    assert!(error.to_string().starts_with("cannot create base.ix: "), "{error}");
    fs::create_dir(folder.path().join("folder.ix")).unwrap();
    let error = staged.create(&folder.path().join("folder.ix")).unwrap_err();
    assert_eq!(error.to_string(), "cannot create folder.ix: not a file");
    let error = BaseFiles::locate(&folder.path().join("x.ix"), "ix").unwrap().open("a1");
    assert_eq!(error.unwrap_err().to_string(), "missing; it belongs beside x.ix");
}

#[test]
fn cleanup_keeps_foreign_files() {
    let folder = TempDir::new().unwrap();
    let path = put(folder.path(), "old");
    let others = [
        "base.ix~",
        "base.ix~backup",
        "base.ix~0123456789abcde",
        "base.ix~0123456789ABCDEF",
        "base.ix.part1234",
        "other.ix~0123456789abcdef",
        "base.v2.ix~0123456789abcdef",
    ];
    for name in others {
        fs::write(folder.path().join(name), "the user's").unwrap();
    }
    let left = folder.path().join("base.a1~0123456789abcdef");
    fs::write(&left, "left over").unwrap();
    replace(&path, "new").unwrap();
    assert!(!left.exists());
    assert_eq!(names(folder.path()).len(), others.len() + 3);
}

const TOKEN: &str = "0123456789abcdef";

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push("~");
    name.push(suffix);
    name.into()
}

/// Returns a base whose replacement was interrupted after the new base became valid.
fn put_pending(others: &[PathBuf], index: &Path) {
    for path in others.iter().map(PathBuf::as_path).chain([index]) {
        fs::write(with_suffix(path, TOKEN), "new").unwrap();
    }
    let text = format!("scoresheet commit 1\n{TOKEN}\n");
    let sum = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    fs::write(with_suffix(index, "commit"), format!("{text}{sum:016x}\n")).unwrap();
}

#[test]
fn cleanup_marker_of_other_format_keeps_files() {
    let folder = TempDir::new().unwrap();
    let path = put(folder.path(), "old");
    let (b1, other) = (folder.path().join("BASE.B1"), path.with_extension("iy"));
    put_pending(std::slice::from_ref(&b1), &other);
    replace(&path, "new").unwrap();
    let files = BaseFiles::locate(&folder.path().join("base.b1"), "iy").unwrap();
    assert!(files.is_pending());
    let found = files.find("b1").map(|path| path.canonicalize().unwrap());
    assert_eq!(found, Some(with_suffix(&b1, TOKEN).canonicalize().unwrap()));
    files.confirm().unwrap();
    drop(BaseFiles::locate_for_change(&b1, "iy").unwrap());
    // Where names ignore case, the index has the letters by which the base was named.
    let mut found = names(folder.path());
    assert!(found.contains(&"BASE.B1".to_owned()), "{found:?}");
    found.iter_mut().for_each(|name| name.make_ascii_lowercase());
    found.sort();
    assert_eq!(found, ["base.a1", "base.a2", "base.b1", "base.ix", "base.iy"]);
}

#[test]
fn commit_single_file_after_interrupted_base_finishes_it() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("base.ix");
    put_pending(&[path.with_extension("a1"), path.with_extension("a2")], &path);
    let mut staged = Staged::new();
    write(&mut staged, &path, "newer").unwrap();
    staged.commit().unwrap();
    // The interrupted change was completed first.
    assert_eq!(texts(folder.path()), ["new", "new", "newer"]);
    assert_eq!(names(folder.path()).len(), 3);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o7777
    }

    #[test]
    fn commit_keeps_file_modes() {
        let folder = TempDir::new().unwrap();
        let path = put(folder.path(), "old");
        let modes = [("a1", 0o600), ("a2", 0o640), ("ix", 0o666)];
        for (extension, mode) in modes {
            let permissions = fs::Permissions::from_mode(mode);
            fs::set_permissions(path.with_extension(extension), permissions).unwrap();
        }
        let mut staged = Staged::new();
        for extension in ["a1", "a2", "new", "ix"] {
            let new = path.with_extension(extension);
            write(&mut staged, &new, "new").unwrap();
            let temporary = names(folder.path())
                .into_iter()
                .find(|name| name.starts_with(&format!("base.{extension}~")));
            let kept = modes.iter().find(|kept| kept.0 == extension).map_or(0o600, |kept| kept.1);
            assert_eq!(mode(&folder.path().join(temporary.unwrap())), kept, "from the start");
        }
        staged.commit().unwrap();
        for (extension, kept) in modes {
            assert_eq!(mode(&path.with_extension(extension)), kept, "{extension}");
        }
        // A file that the old base did not have is as private as the first one.
        assert_eq!(mode(&path.with_extension("new")), 0o600);
    }

    /// The files that are links into another folder, and the names of their targets.
    #[test]
    fn commit_through_links_replaces_their_targets() {
        for (name, relative) in [("base", false), ("base", true), ("Other", false)] {
            let folder = TempDir::new().unwrap();
            let (real, links) = (folder.path().join("real"), folder.path().join("links"));
            fs::create_dir(&real).unwrap();
            fs::create_dir(&links).unwrap();
            for extension in EXTENSIONS {
                let file = real.join(name).with_extension(extension);
                fs::write(&file, "old").unwrap();
                let up = Path::new("../real").join(name).with_extension(extension);
                let target = if relative { up } else { file };
                symlink(target, links.join("base").with_extension(extension)).unwrap();
            }
            replace(&links.join("base.ix"), "new").unwrap();
            assert_eq!(texts(&links), ["new"; 3]);
            assert_eq!(names(&links), ["base.a1", "base.a2", "base.ix"]);
            assert_eq!(names(&real).len(), 3, "{:?}", names(&real));
            assert!(links.join("base.a1").is_symlink() && links.join("base.ix").is_symlink());
            let real = real.join(name).with_extension("a1");
            assert_eq!(fs::read_to_string(real).unwrap(), "new");
        }
    }

    #[test]
    fn create_partly_linked_base_is_error() {
        for linked in [&["a1"][..], &["ix"], &["a1", "a2"], &["a2", "ix"]] {
            let folder = TempDir::new().unwrap();
            let (real, here) = (folder.path().join("real"), folder.path().join("here"));
            fs::create_dir(&real).unwrap();
            fs::create_dir(&here).unwrap();
            put(&real, "old");
            put(&here, "own");
            for extension in linked {
                let link = here.join("base").with_extension(extension);
                fs::remove_file(&link).unwrap();
                symlink(real.join("base").with_extension(extension), link).unwrap();
            }
            let error = replace(&here.join("base.ix"), "new").unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
            assert!(error.to_string().contains("is one a link?"), "{error}");
            assert_eq!(texts(&real), ["old"; 3]);
            assert_eq!(names(&here), ["base.a1", "base.a2", "base.ix"]);
            assert_eq!(names(&real).len(), 3);
        }
    }

    /// All files are links, and one leads into another folder than the others.
    #[test]
    fn change_through_links_to_two_folders_is_error() {
        for astray in EXTENSIONS {
            let folder = TempDir::new().unwrap();
            let [real, other, links] = ["real", "other", "links"].map(|name| {
                let path = folder.path().join(name);
                fs::create_dir(&path).unwrap();
                path
            });
            put(&real, "old");
            for extension in EXTENSIONS {
                let mut target = real.join("base").with_extension(extension);
                if extension == astray {
                    target = other.join("base").with_extension(extension);
                    fs::write(&target, "old").unwrap();
                }
                symlink(target, links.join("base").with_extension(extension)).unwrap();
            }
            let path = links.join("base.ix");
            let files = BaseFiles::locate_for_change(&path, "ix").unwrap();
            // The index decides which folder is the right one.
            let is_wrong = |extension: &str| match astray {
                "ix" => extension != "ix",
                astray => extension == astray,
            };
            for extension in EXTENSIONS {
                let changed = files.open_for_change(extension).map(drop);
                let target = files.target(extension).map(drop);
                for result in [changed, target] {
                    let said = result.err().map(|error| error.to_string()).unwrap_or_default();
                    let is_refused = said.contains("is one a link?");
                    assert_eq!(is_refused, is_wrong(extension), "{astray}, {extension}: {said}");
                }
            }
            assert_eq!(texts(&links), ["old"; 3]);
            assert_eq!(texts(&real), ["old"; 3]);
        }
    }

    /// A backup made with `cp -al` has the files of the base under other names.
    #[test]
    fn open_for_change_hard_linked_file_is_copied() {
        let folder = TempDir::new().unwrap();
        let path = put(folder.path(), "old");
        let backup = folder.path().join("backup");
        fs::create_dir(&backup).unwrap();
        for extension in EXTENSIONS {
            let name = path.with_extension(extension);
            fs::set_permissions(&name, fs::Permissions::from_mode(0o640)).unwrap();
            fs::hard_link(&name, backup.join("base").with_extension(extension)).unwrap();
        }
        let before = names(folder.path());
        let files = BaseFiles::locate_for_change(&path, "ix").unwrap();
        for extension in EXTENSIONS {
            files.open_for_change(extension).unwrap().write_all(b"new").unwrap();
        }
        files.confirm().unwrap();
        drop(files);
        assert_eq!(texts(folder.path()), ["new"; 3]);
        assert_eq!(texts(&backup), ["old"; 3]);
        assert_eq!(names(folder.path()), before);
        let metadata = fs::metadata(&path).unwrap();
        assert_eq!((metadata.nlink(), metadata.mode() & 0o777), (1, 0o640));
    }

    #[test]
    fn locate_link_to_index_finds_base() {
        let folder = TempDir::new().unwrap();
        let real = folder.path().join("real");
        fs::create_dir(&real).unwrap();
        put(&real, "old");
        let link = folder.path().join("base.ix");
        symlink(real.join("base.ix"), &link).unwrap();
        let files = BaseFiles::locate_for_change(&link, "ix").unwrap();
        let mut staged = files.stage();
        for extension in EXTENSIONS {
            assert!(files.open(extension).is_ok());
            write(&mut staged, &files.target(extension).unwrap(), "new").unwrap();
        }
        staged.commit().unwrap();
        drop(files);
        assert_eq!(texts(&real), ["new"; 3]);
        assert_eq!(names(folder.path()), ["base.ix", "real"]);
    }

    #[test]
    fn commit_through_broken_link_creates_target() {
        let folder = TempDir::new().unwrap();
        let (link, file) = (folder.path().join("a.pgn"), folder.path().join("b.pgn"));
        symlink("b.pgn", &link).unwrap();
        let mut staged = Staged::new();
        write(&mut staged, &link, "new").unwrap();
        staged.commit().unwrap();
        assert_eq!(fs::read_to_string(file).unwrap(), "new");
        assert!(link.is_symlink());

        fs::remove_file(&link).unwrap();
        symlink("a.pgn", &link).unwrap();
        let error = Staged::new().create(&link).unwrap_err();
        assert!(error.to_string().contains("too many levels of symbolic links"), "{error}");
    }

    #[test]
    fn create_over_planted_link_does_not_follow() {
        let folder = TempDir::new().unwrap();
        let path = put(folder.path(), "old");
        let victim = folder.path().join("victim");
        fs::write(&victim, "precious").unwrap();
        for planted in ["base.ix~lock", "base.ix~commit"] {
            let link = folder.path().join(planted);
            symlink(&victim, &link).unwrap();
            replace(&path, planted).unwrap();
            assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
            assert_eq!(texts(folder.path()), [planted; 3]);
            assert!(!link.is_symlink());

            // A broken link.
            symlink(folder.path().join("nothing"), &link).unwrap();
            let error = replace(&path, "not this").unwrap_err();
            assert!(error.to_string().contains(planted), "{error}");
            assert!(!folder.path().join("nothing").exists());
            assert_eq!(texts(folder.path()), [planted; 3]);
            fs::remove_file(&link).unwrap();
        }
        // A device must not be replaced by a file.
        let error = Staged::new().create(Path::new("/dev/null")).unwrap_err();
        assert_eq!(error.to_string(), "cannot create null: not a file");
    }

    #[test]
    fn commit_non_utf8_name_succeeds() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(OsStr::from_bytes(b"caf\xe9.ix"));
        let others = ["a1", "a2"].map(|extension| path.with_extension(extension));
        put_pending(&others, &path);
        let files = BaseFiles::locate(&others[0], "ix").unwrap();
        assert!(files.is_pending());
        assert_eq!(files.find("a2"), Some(with_suffix(&others[1], TOKEN)));
        drop(BaseFiles::locate_for_change(&others[0], "ix").unwrap());
        assert!(others.iter().all(|path| path.exists()) && path.exists());
        replace(&path, "newer").unwrap();
        assert_eq!(fs::read_to_string(&others[1]).unwrap(), "newer");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[test]
    fn open_read_only_folder_succeeds() {
        let folder = TempDir::new().unwrap();
        let path = put(folder.path(), "old");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o500)).unwrap();
        let files = BaseFiles::locate(&path, "ix").unwrap();
        assert!(EXTENSIONS.iter().all(|extension| files.open(extension).is_ok()));
        files.confirm().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    }
}

#[cfg(windows)]
mod windows {
    use super::*;
    use std::fs::File;
    use std::os::windows::fs::OpenOptionsExt;
    use std::thread;
    use std::time::Duration;

    /// Opens a file as a program that does not let others remove or rename it.
    fn open_alone(path: &Path) -> File {
        const SHARE_READ_WRITE: u32 = 3;
        File::options().read(true).share_mode(SHARE_READ_WRITE).open(path).unwrap()
    }

    #[test]
    fn commit_while_other_program_has_index_keeps_old_base() {
        let folder = TempDir::new().unwrap();
        let path = put(folder.path(), "old");
        let opened = open_alone(&path);
        let error = replace(&path, "new").unwrap_err();
        assert!(error.to_string().contains("cannot replace base.ix"), "{error}");
        assert!(leaves_old_base(&error));
        assert_eq!(texts(folder.path()), ["old"; 3]);
        assert_eq!(names(folder.path()), ["base.a1", "base.a2", "base.ix"]);
        drop(opened);
        replace(&path, "new").unwrap();
        assert_eq!(texts(folder.path()), ["new"; 3]);
    }

    #[test]
    fn commit_while_other_program_has_companion_is_finished_by_next_change() {
        let folder = TempDir::new().unwrap();
        let path = put(folder.path(), "old");
        let opened = open_alone(&path.with_extension("a2"));
        let error = replace(&path, "new").unwrap_err();
        assert!(error.to_string().contains("the next change"), "{error}");
        assert!(!leaves_old_base(&error));
        // Readers of this library find the new base.
        let files = BaseFiles::locate(&path, "ix").unwrap();
        for extension in EXTENSIONS {
            let text = io::read_to_string(files.open(extension).unwrap()).unwrap();
            assert_eq!(text, "new", "{extension}");
        }
        drop(opened);
        drop(BaseFiles::locate_for_change(&path, "ix").unwrap());
        assert_eq!(texts(folder.path()), ["new"; 3]);
        assert_eq!(names(folder.path()), ["base.a1", "base.a2", "base.ix"]);
    }

    #[test]
    fn commit_while_other_program_has_file_for_a_moment_waits() {
        let folder = TempDir::new().unwrap();
        let path = put(folder.path(), "old");
        let opened = EXTENSIONS.map(|extension| open_alone(&path.with_extension(extension)));
        let visitor = thread::spawn(move || {
            thread::sleep(Duration::from_millis(150));
            drop(opened);
        });
        replace(&path, "new").unwrap();
        visitor.join().unwrap();
        assert_eq!(texts(folder.path()), ["new"; 3]);
    }

    #[test]
    fn create_reserved_name_is_error() {
        let folder = TempDir::new().unwrap();
        for (name, why) in [
            ("NUL", "for a device"),
            ("con.pgn", "for a device"),
            ("games.pgn.", "does not end with"),
            ("a:b.pgn", "has none of"),
        ] {
            // `join` would take `a:` for a drive.
            let path = PathBuf::from(format!("{}\\{name}", folder.path().display()));
            let error = Staged::new().create(&path).unwrap_err();
            assert!(error.to_string().contains(why), "{name}: {error}");
            assert_eq!(names(folder.path()), [""; 0], "{name}");
        }
    }

    #[test]
    fn commit_path_longer_than_260_letters_succeeds() {
        let folder = TempDir::new().unwrap();
        let deep = (0..5).fold(folder.path().to_path_buf(), |path, _| path.join("x".repeat(60)));
        fs::create_dir_all(&deep).unwrap();
        let path = put(&deep, "old");
        assert!(path.as_os_str().len() > 300);
        replace(&path, "new").unwrap();
        assert_eq!(texts(&deep), ["new"; 3]);
        assert_eq!(names(&deep).len(), 3);
    }
}
