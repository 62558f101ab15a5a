//! Many processes that use one base at the same time.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::{Target, games, numbers, run};

/// Counts of a storm.
#[derive(Debug, Default)]
pub struct Storm {
    /// Changes that were reported as done.
    pub changes: u64,
    /// Bases that were read whole.
    pub reads: u64,
    /// Readers that gave up because the base was replaced again and again.
    pub told: u64,
}

const EDITORS: u64 = 4;
const READERS: u64 = 4;
/// The approximate number of games of each editor that are in the base at the same time.
const OWN: usize = 12;

/// Runs four editors and four readers on one base for a given time.
///
/// # Panics
///
/// Panics if a game is lost, a deleted game returns, or a reader sees a game of mixed parts.
#[must_use]
pub fn storm(program: &Path, target: &Target, time: Duration, folder: &Path) -> Storm {
    let name = format!("base.{}", target.extension);
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("start.pgn"), games(1..41)).unwrap();
    let made = run(program, folder, &["convert", "-q", "start.pgn", &name]);
    assert!(matches!(made.status.code(), Some(0 | 1)), "{made:?}");
    let (changes, reads, told) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let (end, over) = (Instant::now() + time, AtomicBool::new(false));
    let is_over = || over.load(Ordering::Relaxed) || Instant::now() > end;
    let own = thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS)
            .map(|_| {
                scope.spawn(|| {
                    while !is_over() {
                        match read_once(program, folder, &name, target) {
                            Ok(()) => reads.fetch_add(1, Ordering::Relaxed),
                            Err(()) => told.fetch_add(1, Ordering::Relaxed),
                        };
                    }
                })
            })
            .collect();
        let editors: Vec<_> = (1..=EDITORS)
            .map(|editor| {
                let (name, changes) = (&name, &changes);
                scope.spawn(move || {
                    let mut work = Work { program, folder, name, editor, next: 0, changes };
                    let mut own = BTreeSet::new();
                    while !is_over() {
                        if target.is_editable { work.edit(&mut own) } else { work.replace() }
                    }
                    own
                })
            })
            .collect();
        let own: Vec<_> = editors.into_iter().map(thread::ScopedJoinHandle::join).collect();
        over.store(true, Ordering::Relaxed);
        readers.into_iter().for_each(|reader| reader.join().unwrap());
        own.into_iter().flat_map(Result::unwrap).collect::<BTreeSet<u64>>()
    });
    if target.is_editable {
        let left = live(program, folder, &name);
        let all: BTreeSet<u64> = (1..41).chain(own.iter().copied()).collect();
        assert!(left == all, "lost {:?}, more {:?}", &all - &left, &left - &all);
    }
    let get = |count: AtomicU64| count.into_inner();
    Storm { changes: get(changes), reads: get(reads), told: get(told) }
}

/// Returns the numbers of the games that are not deleted.
fn live(program: &Path, folder: &Path, name: &str) -> BTreeSet<u64> {
    let words = ["convert", "-q", "--deleted=no", name, "-"];
    let output = run(program, folder, &words);
    assert!(output.status.success(), "{output:?}");
    let found = numbers(&String::from_utf8(output.stdout).unwrap()).unwrap();
    let set: BTreeSet<u64> = found.iter().copied().collect();
    assert_eq!(set.len(), found.len(), "a game is there twice");
    set
}

fn read_once(program: &Path, folder: &Path, name: &str, target: &Target) -> Result<(), ()> {
    let output = run(program, folder, &["convert", "-q", name, "-"]);
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("the base was replaced while it was being opened") {
        return Err(());
    }
    assert!(output.status.success() && said.is_empty(), "a reader: {output:?}");
    let found = numbers(&String::from_utf8_lossy(&output.stdout)).unwrap();
    if target.is_editable {
        assert!((1..41).all(|game| found.contains(&game)), "a reader misses games: {found:?}");
    } else {
        let first = found.first().copied().unwrap();
        assert!(found.iter().copied().eq(first..first + 40), "a mixed base: {found:?}");
    }
    Ok(())
}

/// One editor.
struct Work<'a> {
    program: &'a Path,
    folder: &'a Path,
    name: &'a str,
    editor: u64,
    next: u64,
    changes: &'a AtomicU64,
}

impl Work<'_> {
    fn run(&mut self, words: &[&str]) -> bool {
        let mut all = vec!["edit", self.name, "-q", "--wait", "60"];
        all.extend_from_slice(words);
        let output = run(self.program, self.folder, &all);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{words:?}: {output:?}");
        self.changes.fetch_add(1, Ordering::Relaxed);
        output.status.success()
    }

    /// Adds games of its own, deletes others, compacts the base.
    fn edit(&mut self, own: &mut BTreeSet<u64>) {
        self.next += 1;
        let file = format!("editor{}.pgn", self.editor);
        if own.len() < OWN || !self.next.is_multiple_of(3) {
            let first = self.editor * 1_000_000 + self.next * 10;
            fs::write(self.folder.join(&file), games(first..first + 3)).unwrap();
            self.run(&["append", &file]);
            own.extend(first..first + 3);
        } else if self.next.is_multiple_of(2) {
            let first = *own.first().unwrap();
            let white = format!("W{first}");
            self.run(&["delete", "--white", &white]);
            own.remove(&first);
        } else {
            self.run(&["compact"]);
        }
    }

    /// Replaces the base with a new one.
    fn replace(&mut self) {
        self.next += 1;
        let file = format!("editor{}.pgn", self.editor);
        let first = self.editor * 1_000_000 + self.next * 100;
        fs::write(self.folder.join(&file), games(first..first + 40)).unwrap();
        let words = ["convert", "-q", "--force", "--wait", "60", &file, self.name];
        let output = run(self.program, self.folder, &words);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
        self.changes.fetch_add(1, Ordering::Relaxed);
    }
}
