//! The files of a base on disk: finding companions, creating whole bases.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::io::PagedFile;

/// The file beside `path` with another extension, whatever the case of its name.
///
/// Looks for the extension as given, then in the other case, then reads the folder for any
/// spelling of stem and extension: old disks were copied by programs with their own views.
#[must_use]
pub fn companion(path: &Path, extension: &str) -> Option<PathBuf> {
    let upper = extension.to_ascii_uppercase();
    for spelling in [extension, &upper] {
        let candidate = path.with_extension(spelling);
        if candidate.is_file() {
            return Some(candidate);
        }
    }
    let wanted = path.with_extension(extension);
    let wanted = wanted.file_name()?.to_str()?.to_lowercase();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut matches: Vec<PathBuf> = fs::read_dir(folder.unwrap_or(Path::new(".")))
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().and_then(OsStr::to_str);
            name.is_some_and(|name| name.to_lowercase() == wanted) && path.is_file()
        })
        .collect();
    matches.sort();
    matches.into_iter().next()
}

/// The [`companion`] of a file, which must be there.
///
/// # Errors
/// [`io::ErrorKind::NotFound`], naming the file, if it is not.
pub fn require_companion(path: &Path, extension: &str) -> io::Result<PathBuf> {
    companion(path, extension).ok_or_else(|| {
        let name = Path::new(path.file_name().unwrap_or_default()).with_extension(extension);
        let text = format!("there is no {} beside it", name.display());
        io::Error::new(io::ErrorKind::NotFound, text)
    })
}

/// Opens the [`companion`] of a file for reading.
///
/// # Errors
/// [`io::ErrorKind::NotFound`] if there is none; those of opening it.
pub fn open_companion(path: &Path, extension: &str) -> io::Result<PagedFile> {
    PagedFile::new(File::open(require_companion(path, extension)?)?)
}

/// New files that appear all together when they are complete, or not at all.
///
/// Each is written under a temporary name in its own folder. [`commit`](Staged::commit) flushes
/// all to the disk and then renames them in the order they were created: create what is pointed
/// to first and the index last. Dropped without commit, the temporary files are removed.
#[derive(Debug, Default)]
pub struct Staged {
    files: Vec<(PathBuf, PathBuf)>,
}

impl Staged {
    /// No file yet.
    #[must_use]
    pub fn new() -> Staged {
        Staged::default()
    }

    /// Creates a file that will be called `path`, open for reading and writing.
    ///
    /// # Errors
    /// Those of creating it.
    pub fn create(&mut self, path: &Path) -> io::Result<File> {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".part{}", std::process::id()));
        let temporary = path.with_file_name(name);
        let file =
            File::options().read(true).write(true).create(true).truncate(true).open(&temporary)?;
        self.files.push((temporary, path.to_path_buf()));
        Ok(file)
    }

    /// Gives all files their names, replacing what stood there.
    ///
    /// # Errors
    /// Those of flushing and renaming; what was not renamed is removed.
    pub fn commit(mut self) -> io::Result<()> {
        for (temporary, _) in &self.files {
            File::open(temporary)?.sync_all()?;
        }
        while !self.files.is_empty() {
            let (temporary, path) = self.files.remove(0);
            if let Err(error) = fs::rename(&temporary, &path) {
                self.files.push((temporary, path));
                return Err(error);
            }
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        for (temporary, _) in &self.files {
            // Nobody is left to tell; the name says what it is.
            let _ = fs::remove_file(temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("chess-core-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn companions_in_any_case() {
        let folder = folder("companions");
        for name in ["base.sg4", "OTHER.SN4", "Mixed.Sg4"] {
            File::create(folder.join(name)).unwrap();
        }
        let find = |name: &str, extension| {
            companion(&folder.join(name), extension)
                .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        };
        assert_eq!(find("base.si4", "sg4").as_deref(), Some("base.sg4"));
        assert_eq!(find("other.si4", "sn4").as_deref(), Some("OTHER.SN4"));
        assert_eq!(find("mixed.si4", "sg4").as_deref(), Some("Mixed.Sg4"));
        assert_eq!(find("base.si4", "sn4"), None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn staged_files_appear_together_or_not_at_all() {
        let folder = folder("staged");
        let names = || fs::read_dir(&folder).unwrap().count();
        let mut staged = Staged::new();
        staged.create(&folder.join("a")).unwrap().write_all(b"1").unwrap();
        staged.create(&folder.join("b")).unwrap();
        assert!(!folder.join("a").exists());
        drop(staged);
        assert_eq!(names(), 0);

        let mut staged = Staged::new();
        staged.create(&folder.join("a")).unwrap().write_all(b"1").unwrap();
        staged.create(&folder.join("b")).unwrap();
        staged.commit().unwrap();
        assert_eq!(fs::read(folder.join("a")).unwrap(), b"1");
        assert_eq!(names(), 2);
        fs::remove_dir_all(folder).unwrap();
    }
}
