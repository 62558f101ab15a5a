//! Lists the files of one base in a folder that may hold very many.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{self, Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::names::{kind_of, stem_of};

/// A folder with fewer names is listed each time.
const CROWDED: usize = 1000;
/// A listing of a crowded folder is used for this many times the time that it took.
const LIFE: u32 = 20;

/// The last listing of a crowded folder, sorted by the hashes of stems.
struct Listing {
    folder: PathBuf,
    taken: Instant,
    life: Duration,
    names: Vec<(u64, OsString)>,
}

static LAST: Mutex<Option<Listing>> = Mutex::new(None);

/// Returns the names of the files whose base has the stem of `name`.
///
/// A base has many files, and `--split` writes many bases, so that a crowded folder would be listed
/// again and again. Instead a listing may be a little old: listing takes at most a twentieth of
/// the time.
pub(super) fn names_like(folder: &Path, name: &OsStr) -> io::Result<Vec<OsString>> {
    let stem = key(name);
    let wanted = hash(&stem);
    // One folder has one spelling: `.` and its address share a listing.
    let folder = &path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(listing) = &*last
        && listing.folder == *folder
        && listing.taken.elapsed() < listing.life
    {
        return Ok(listing.names_with(wanted, &stem));
    }
    let start = (!cfg!(target_family = "wasm")).then(Instant::now);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        names.push((hash(&key(&name)), name));
    }
    names.sort_unstable_by_key(|(hash, _)| *hash);
    let taken = start.unwrap_or_else(Instant::now);
    let life = taken.elapsed().saturating_mul(LIFE);
    let listing = Listing { folder: folder.clone(), taken, life, names };
    let found = listing.names_with(wanted, &stem);
    if listing.names.len() >= CROWDED {
        *last = Some(Listing { taken: Instant::now(), ..listing });
    }
    Ok(found)
}

impl Listing {
    fn names_with(&self, hash: u64, stem: &OsStr) -> Vec<OsString> {
        let start = self.names.partition_point(|(other, _)| *other < hash);
        let names = self.names.get(start..).unwrap_or_default().iter();
        let same = names.take_while(|(other, _)| *other == hash);
        same.map(|(_, name)| name).filter(|name| key(name) == stem).cloned().collect()
    }
}

/// The stem of the base that a file belongs to.
pub(super) fn key(name: &OsStr) -> OsString {
    kind_of(name).map_or_else(|| stem_of(Path::new(name)), |(of, _)| stem_of(&of))
}

fn hash(stem: &OsStr) -> u64 {
    let mut hasher = DefaultHasher::new();
    stem.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_like_in_crowded_folder_are_those_of_one_base() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["a.si4", "A.Sg4", "a.sn4~0123456789abcdef", "a.si4~commit", "b.si4", "a"];
        let others: Vec<String> = (0..CROWDED).map(|number| format!("x{number}.pgn")).collect();
        let found = || {
            let mut found = names_like(folder.path(), OsStr::new("a.sn4")).unwrap();
            found.sort();
            found
        };
        let expected = ["A.Sg4", "a", "a.si4", "a.si4~commit", "a.sn4~0123456789abcdef"];
        for name in names {
            fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(found(), expected);
        for name in others {
            fs::write(folder.path().join(name), "").unwrap();
        }
        // From the folder, and then from the listing.
        assert_eq!(found(), expected);
        assert_eq!(found(), expected);
    }
}
