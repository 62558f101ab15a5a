//! A base on a simulated disk, with checks of the side of a change that readers see.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chess_store::files::disk::Disk as _;
use chess_store::files::{BaseFiles, Staged};
use chess_store::io::{ReadAt, WriteAt};
use testkit::{Faults, Random, Volume};

/// The extension of the index.
pub(crate) const INDEX: &str = "ix";
/// The extension of a file that only the old base has.
pub(crate) const EXTRA: &str = "gx";

/// Identifies a base, old or new. `None` means that there is no base.
pub(crate) type Side = Option<u8>;
pub(crate) const OLD: u8 = 1;
pub(crate) const NEW: u8 = 2;
pub(crate) const NEXT: u8 = 3;

/// A base to write, which may replace another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scenario {
    /// The extensions, in order of creation.
    pub(crate) extensions: &'static [&'static str],
    pub(crate) replaces: bool,
    /// Whether the old base has a file that the new one does not.
    pub(crate) leaves_out: bool,
    /// Whether `locate_for_change` is called first, as in an editor.
    pub(crate) finds_first: bool,
}

pub(crate) fn path(extension: &str) -> PathBuf {
    Path::new("/base").with_extension(extension)
}

fn content(side: u8, extension: &str) -> Vec<u8> {
    let text = format!("{extension} of base {side}, ");
    text.bytes().cycle().take(900 + 100 * usize::from(side)).collect()
}

impl Scenario {
    pub(crate) fn volume(&self) -> Volume {
        let volume = Volume::new();
        for extension in self.files_of(OLD).iter().filter(|_| self.replaces) {
            volume.put(path(extension), content(OLD, extension));
        }
        volume
    }

    pub(crate) fn before(&self) -> Side {
        self.replaces.then_some(OLD)
    }

    fn files_of(&self, side: u8) -> Vec<&'static str> {
        let mut extensions = self.extensions.to_vec();
        if self.leaves_out && side == OLD {
            extensions.push(EXTRA);
        }
        extensions
    }

    /// Writes a base. Calls `begins` before the commit.
    pub(crate) fn write(&self, volume: &Volume, side: u8, begins: impl FnOnce()) -> io::Result<()> {
        let mut staged = if self.finds_first {
            let named = path(self.extensions[0]);
            BaseFiles::locate_for_change_on(volume, &named, INDEX, Duration::ZERO)?.stage_files()
        } else {
            Staged::on(volume.clone(), None, None)
        };
        for extension in self.extensions {
            let mut file = staged.create_file(&path(extension))?;
            let bytes = content(side, extension);
            file.write_at(0, &bytes[..300])?;
            file.write_at(300, &bytes[300..])?;
        }
        if self.leaves_out {
            staged.leave_out(EXTRA);
        }
        begins();
        staged.put_in_place()
    }

    /// Returns the base that readers find from any of its files. Fails if its files are of both
    /// sides, or if reading changes the disk.
    pub(crate) fn read(&self, volume: &Volume) -> Result<Side, String> {
        let known = volume.log().len();
        let side = self.read_by(volume, &path(INDEX))?;
        let last = self.extensions.last().unwrap();
        for named in ["/base.a1", "/BASE.A1", "/Base.IX"] {
            if named.ends_with("IX") || last.len() > 1 && self.extensions.len() > 1 {
                let other = self.read_by(volume, Path::new(named))?;
                if other != side {
                    return Err(format!("{side:?} by its index, {other:?} by {named}"));
                }
            }
        }
        let reads = ["look at", "list", "open", "size of", "read"];
        match volume.log().iter().skip(known).find(|(what, _)| !reads.contains(what)) {
            Some(call) => Err(format!("a reader calls {call:?}")),
            None => Ok(side),
        }
    }

    fn read_by(&self, volume: &Volume, named: &Path) -> Result<Side, String> {
        let files = BaseFiles::locate_on(volume, named, INDEX).map_err(|e| e.to_string())?;
        let mut side = None;
        let extensions = self.files_of(OLD).into_iter().filter(|extension| *extension != INDEX);
        for extension in [INDEX].into_iter().chain(extensions) {
            let there = match files.open_file(extension) {
                Ok(file) => read_all(&file),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if extension == INDEX {
                        return Ok(None);
                    }
                    Vec::new()
                }
                Err(error) => return Err(error.to_string()),
            };
            side = side.or_else(|| (OLD..=NEXT).find(|side| there == content(*side, INDEX)));
            let side = side.ok_or_else(|| format!("the index is of no base: {}", text(&there)))?;
            let expected = match extension == EXTRA && side != OLD {
                true => Vec::new(),
                false => content(side, extension),
            };
            if there != expected {
                return Err(format!("index of {side}, but {extension} is {}", text(&there)));
            }
        }
        files.is_unchanged().map_err(|e| e.to_string())?.then_some(side).ok_or("changed".into())
    }

    /// Fails if a program that does not know the protocol finds an index without all of its files.
    fn read_by_others(&self, volume: &Volume) -> Result<(), String> {
        let Some(index) = volume.bytes(path(INDEX)) else { return Ok(()) };
        let side = (OLD..=NEXT).find(|side| index == content(*side, INDEX));
        let side = side.ok_or("others find an index of no base")?;
        for extension in self.files_of(side) {
            if volume.bytes(path(extension)) != Some(content(side, extension)) {
                return Err(format!("others find the index of {side} and another {extension}"));
            }
        }
        Ok(())
    }

    /// Fails unless all readers find one of `sides`.
    fn look(&self, volume: &Volume, sides: &[Side]) -> Result<Side, String> {
        let side = self.read(volume)?;
        if !sides.contains(&side) {
            return Err(format!("found {side:?} of {sides:?}"));
        }
        self.read_by_others(volume)?;
        Ok(side)
    }

    /// Fails unless completing an interrupted change keeps the base, and a further replacement
    /// succeeds without leftovers.
    fn go_on(&self, volume: &Volume, side: Side) -> Result<(), String> {
        let found = volume.killed();
        find_for_change(&found).map_err(|why| format!("it cannot be found for change: {why}"))?;
        self.is_clean(&found, side)?;

        let changed = volume.killed();
        self.write(&changed, NEXT, || ()).map_err(|error| format!("no next change: {error}"))?;
        self.is_clean(&changed, Some(NEXT))
    }

    /// Fails unless the base is this side, and there are no other files.
    fn is_clean(&self, volume: &Volume, side: Side) -> Result<(), String> {
        let there: BTreeSet<_> = volume.paths().into_iter().collect();
        let files = side.map(|side| self.files_of(side)).unwrap_or_default();
        let expected: BTreeSet<_> = files.into_iter().map(path).collect();
        if there != expected {
            return Err(format!("{side:?}, but {there:?} are there"));
        }
        self.read_by_others(volume)?;
        match self.read(volume)? {
            found if found == side => Ok(()),
            found => Err(format!("{side:?} has become {found:?}")),
        }
    }

    /// Checks all states of the disk that are possible if the program is killed now, or the power
    /// fails. Continues with one in `often` of these states. Returns their number, or the first
    /// failure.
    pub(crate) fn look_at_all(
        &self,
        volume: &Volume,
        sides: &[Side],
        (most, often): (usize, usize),
        random: &mut Random,
    ) -> Result<u64, String> {
        let mut states = 0;
        let mut left = volume.survivors(most, random);
        left.push(volume.killed());
        for volume in left {
            let side = self.look(&volume, sides)?;
            states += 1;
            if random.below(often) == 0 {
                self.go_on(&volume, side)?;
            }
            if random.below(64) == 0 {
                let faults = Faults::default();
                states += self.stop_recovery(&volume, sides, &faults, random)?;
            }
        }
        Ok(states)
    }

    /// Interrupts the next change after each call of its recovery. Until the recovery is complete,
    /// a power cut may revert the changes of a killed program. Afterwards it may not.
    pub(crate) fn stop_recovery(
        &self,
        volume: &Volume,
        sides: &[Side],
        faults: &Faults,
        random: &mut Random,
    ) -> Result<u64, String> {
        let side = self.look(volume, sides)?;
        let mut states = 0;
        for stop in 0.. {
            let found = volume.killed();
            found.set_faults(Faults { stop_after: Some(stop), ..faults.clone() });
            let done = find_for_change(&found).is_ok();
            let sides = if done { &[side] } else { sides };
            let mut left = found.survivors(12, random);
            left.push(found.killed());
            for left in left {
                let looked = self.look(&left, sides);
                looked.map_err(|why| format!("{why}; recovery:\n{}", calls(&found)))?;
                states += 1;
                if random.below(16) == 0 {
                    self.go_on(&left, self.read(&left)?)?;
                }
            }
            if done && found.calls() <= stop {
                break;
            }
        }
        Ok(states)
    }
}

/// Completes an interrupted change.
pub(crate) fn find_for_change(volume: &Volume) -> io::Result<()> {
    BaseFiles::locate_for_change_on(volume, &path(INDEX), INDEX, Duration::ZERO).map(drop)
}

fn read_all(file: &impl ReadAt) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.read_into(0, usize::MAX, &mut bytes).unwrap();
    bytes
}

fn text(bytes: &[u8]) -> String {
    format!("{} bytes {:?}", bytes.len(), String::from_utf8_lossy(&bytes[..bytes.len().min(20)]))
}

/// Describes the call, for a message.
pub(crate) fn calls(volume: &Volume) -> String {
    volume.log().iter().zip(1..).map(|(call, n)| format!("{n}: {call:?}\n")).collect()
}

#[test]
fn simulated_disk_locks_like_the_system() {
    let volume = Volume::new();
    let file = volume.create_new(Path::new("/a"), &[]).unwrap();
    let other = volume.open(Path::new("/a")).unwrap();
    assert!(volume.try_lock(&file).unwrap() && volume.try_lock(&file).unwrap());
    assert!(!volume.try_lock(&other).unwrap());
    drop(file);
    assert!(volume.try_lock(&other).unwrap());
}

#[test]
fn lock_without_file_locks_uses_existence() {
    let scenario = Scenario {
        extensions: &["a1", "ix"],
        replaces: true,
        leaves_out: false,
        finds_first: true,
    };
    let volume = scenario.volume();
    volume.set_faults(Faults { no_locks: true, ..Faults::default() });
    let find = || BaseFiles::locate_for_change_on(&volume, &path(INDEX), INDEX, Duration::ZERO);
    let held = find().unwrap();
    let error = find().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
    let text = "base.ix is in use by another program; if not, remove base.ix~lock";
    assert_eq!(error.to_string(), text);
    drop(held);
    scenario.write(&volume, NEW, || ()).unwrap();
    scenario.is_clean(&volume, Some(NEW)).unwrap();
}
