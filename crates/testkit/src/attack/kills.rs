//! Kills the program, or fails a call, at each system call in turn.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Target, copy_folder, games, in_folder, names, read, run};

/// The fault at a system call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// The program is killed.
    Kill,
    /// The call fails.
    Fail,
}

/// The number of runs, and the states found after them.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Runs in which a fault occurred.
    pub runs: u64,
    /// How often each state was found: `old`, `new`, or `both` if a game is replaced by adding one.
    pub states: BTreeMap<&'static str, u64>,
}

/// Calls that change data, at which the program is killed.
const CHANGES: [&str; 9] =
    ["rename", "unlink", "fsync", "pwrite64", "write", "ftruncate", "fchmod", "flock", "mkdir"];
/// Calls whose failure is an error of what is written.
const FAILURES: [&str; 8] =
    ["rename", "fsync", "pwrite64", "write", "ftruncate", "openat", "mkdir", "flock"];
/// All calls that may fail.
const ALL: [&str; 13] = [
    "rename",
    "unlink",
    "fsync",
    "pwrite64",
    "write",
    "ftruncate",
    "fchmod",
    "flock",
    "openat",
    "pread64",
    "read",
    "statx",
    "getdents64",
];

/// Returns whether system calls can be intercepted here.
#[must_use]
pub fn has_strace() -> bool {
    let mut command = Command::new("strace");
    command.args(["-qq", "-o", "/dev/null", "true"]).output().is_ok_and(|out| out.status.success())
}

/// Runs every command on a base of a format once for each of its system calls, in folders below
/// `folder`. If `step` is above one, runs only the most telling commands, and every `step`th call
/// of each kind.
///
/// # Panics
///
/// Panics at the first state that is neither the old base nor the new one.
#[must_use]
pub fn attack_calls(
    program: &Path,
    target: &Target,
    fault: Fault,
    step: usize,
    folder: &Path,
) -> Tally {
    let base = format!("base.{}", target.extension);
    let mut commands: Vec<(&str, Vec<&str>)> = vec![
        ("create", vec!["convert", "-q", "--threads", "1", "new.pgn", &base]),
        ("convert", vec!["convert", "-q", "--threads", "1", "--force", "new.pgn", &base]),
    ];
    if target.is_editable {
        commands.push(("append", vec!["edit", &base, "-q", "append", "new.pgn"]));
        commands.push(("replace", vec!["edit", &base, "-q", "replace", "2", "new.pgn"]));
        commands.push(("delete", vec!["edit", &base, "-q", "delete", "2"]));
        commands.push(("undelete", vec!["edit", &base, "-q", "undelete", "3"]));
        commands.push(("compact", vec!["edit", &base, "-q", "compact"]));
    }
    if step > 1 {
        commands.retain(|(name, _)| ["convert", "append", "compact"].contains(name));
    }
    let mut tally = Tally::default();
    for (name, words) in commands {
        let start = folder.join("start");
        prepare(program, target, name == "create", &start);
        let mut attack = Attack { program, target, fault, step, folder, name, words: &words };
        attack.run(&start, &mut tally);
    }
    tally
}

/// Makes a folder with a base that has a deleted game, and games to add to it.
fn prepare(program: &Path, target: &Target, is_new: bool, folder: &Path) {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("old.pgn"), games(1..6)).unwrap();
    fs::write(folder.join("new.pgn"), games(101..104)).unwrap();
    if is_new {
        return;
    }
    let base = format!("base.{}", target.extension);
    let made = run(program, folder, &["convert", "-q", "old.pgn", &base]);
    assert!(matches!(made.status.code(), Some(0 | 1)), "{made:?}");
    if target.is_editable {
        let deleted = run(program, folder, &["edit", &base, "-q", "delete", "3"]);
        assert!(deleted.status.success(), "{deleted:?}");
    }
}

struct Attack<'a> {
    program: &'a Path,
    target: &'a Target,
    fault: Fault,
    step: usize,
    folder: &'a Path,
    name: &'a str,
    words: &'a [&'a str],
}

type State = Option<(String, bool)>;

impl Attack<'_> {
    fn run(&mut self, start: &Path, tally: &mut Tally) {
        let here = self.folder.join("here");
        let base = self.target.base(&here);
        copy_folder(start, &here);
        let old = read(self.program, &base);
        let both = (self.name == "replace" && self.target.replaces_by_adding).then(|| {
            let first = games(101..102);
            fs::write(here.join("one.pgn"), first).unwrap();
            let name = base.file_name().unwrap().to_str().unwrap();
            let added = run(self.program, &here, &["edit", name, "-q", "append", "one.pgn"]);
            assert!(matches!(added.status.code(), Some(0 | 1)), "{added:?}");
            read(self.program, &base)
        });
        copy_folder(start, &here);
        let done = run(self.program, &here, self.words);
        assert!(matches!(done.status.code(), Some(0 | 1)), "{}: {done:?}", self.name);
        let new = read(self.program, &base);
        assert!(old != new, "{}", self.name);
        let files = names(&here);
        let every = self.fault == Fault::Fail && self.step == 1;
        let calls: &[&str] = if every { &ALL } else { &CHANGES };
        for call in calls {
            for when in (1..).step_by(self.step) {
                copy_folder(start, &here);
                let log = self.folder.join("log");
                let (happened, code) =
                    trace(self.program, self.fault, (call, when), &here, self.words, &log);
                if !happened {
                    break;
                }
                let what = format!(
                    "{} {} {:?} at {call} {when}",
                    self.target.extension, self.name, self.fault
                );
                let found = read(self.program, &base);
                let state = self.judge(&found, &old, &new, both.as_ref());
                let state = state.unwrap_or_else(|| {
                    let trace = fs::read_to_string(&log).unwrap();
                    panic!("{what}: neither old nor new: {found:?}\n{trace}")
                });
                assert!(state == "new" || !matches!(code, Some(0 | 1)), "{what}: said to be done");
                self.change_next(&here, &files, &found, &what);
                tally.runs += 1;
                *tally.states.entry(state).or_default() += 1;
            }
        }
    }

    fn judge(
        &self,
        found: &State,
        old: &State,
        new: &State,
        both: Option<&State>,
    ) -> Option<&'static str> {
        if found == new {
            Some("new")
        } else if found == old {
            Some("old")
        } else {
            (Some(found) == both).then_some("both")
        }
    }

    /// Asserts that the next change succeeds, changes nothing else, and leaves no temporary file.
    fn change_next(&self, here: &Path, files: &[String], found: &State, what: &str) {
        let base = self.target.base(here);
        let name = base.file_name().unwrap().to_str().unwrap();
        if self.target.is_editable && found.is_some() {
            let next = run(self.program, here, &["edit", name, "-q", "undelete", "1"]);
            assert!(next.status.success(), "{what}: {next:?}");
            assert_eq!(read(self.program, &base), *found, "{what}: after the next change");
        } else {
            let words = ["convert", "-q", "--force", "new.pgn", name];
            let next = run(self.program, here, &words);
            assert!(matches!(next.status.code(), Some(0 | 1)), "{what}: {next:?}");
        }
        let mut expected = files.to_vec();
        expected.sort();
        if found.is_some() || !self.target.is_editable {
            assert_eq!(names(here), expected, "{what}: left over");
        }
    }
}

/// Runs the program with a fault at the call `when` of a kind. Returns whether there was such a call,
/// and the exit status.
fn trace(
    program: &Path,
    fault: Fault,
    (call, when): (&str, usize),
    here: &Path,
    words: &[&str],
    log: &Path,
) -> (bool, Option<i32>) {
    let fault = match fault {
        Fault::Kill => "signal=SIGKILL",
        Fault::Fail => "error=EIO",
    };
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", &format!("trace={call}"), "-o"]).arg(log);
    command.args(["-e", &format!("inject={call}:{fault}:when={when}")]).arg(program);
    in_folder(&mut command, here, words);
    let output = command.output().unwrap();
    let trace = fs::read_to_string(log).unwrap();
    (trace.contains("INJECTED") || trace.contains("killed by"), output.status.code())
}

/// A command that writes something else than one base.
#[expect(missing_debug_implementations, reason = "it has closures")]
pub struct Outputs<'a> {
    /// The arguments.
    pub words: &'a [&'a str],
    /// Makes the folder as it is before the command.
    pub prepare: &'a dyn Fn(&Path),
    /// Returns what a reader finds of each output.
    pub read: &'a dyn Fn(&Path) -> Vec<Option<Vec<u8>>>,
    /// Removes the outputs that the command would not replace.
    pub clear: &'a dyn Fn(&Path),
    /// Whether the command succeeds if it cannot write.
    pub may_fail: bool,
}

/// Runs the command with a fault at every `step`th call of each kind, and returns the number of runs.
/// Each output must be as before the command or as after it, and nothing may be left over when the
/// command has run again.
///
/// # Panics
///
/// Panics at the first output that is neither.
#[must_use]
pub fn attack_outputs(program: &Path, command: &Outputs<'_>, step: usize, folder: &Path) -> u64 {
    let Outputs { words, prepare, read, clear, may_fail } = command;
    let (here, log) = (folder.join("here"), folder.join("log"));
    fs::create_dir_all(&here).unwrap();
    prepare(&here);
    let old = read(&here);
    let done = run(program, &here, words);
    assert!(matches!(done.status.code(), Some(0 | 1)), "{words:?}: {done:?}");
    let (new, files) = (read(&here), names(&here));
    assert!(old.len() == new.len() && old != new, "{words:?}");
    let mut runs = 0;
    for (fault, calls) in [(Fault::Kill, &CHANGES[..]), (Fault::Fail, &FAILURES)] {
        for call in calls {
            for when in (1..).step_by(step) {
                prepare(&here);
                let (happened, code) = trace(program, fault, (call, when), &here, words, &log);
                if !happened {
                    break;
                }
                let what = format!("{words:?} {fault:?} at {call} {when}, {code:?}");
                let found = read(&here);
                for (found, (old, new)) in found.iter().zip(old.iter().zip(&new)) {
                    assert!(found == old || found == new, "{what}: {found:?}");
                }
                let is_done = matches!(code, Some(0 | 1)) && !may_fail;
                assert!(found == new || !is_done, "{what}: said to be done");
                clear(&here);
                let next = run(program, &here, words);
                assert!(matches!(next.status.code(), Some(0 | 1)), "{what}: {next:?}");
                assert!(read(&here) == new, "{what}: after the next run");
                assert_eq!(names(&here), files, "{what}: left over");
                runs += 1;
            }
        }
    }
    runs
}
