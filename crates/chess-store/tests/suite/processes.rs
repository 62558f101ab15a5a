//! Several processes: locks, killed writers, exits without cleanup.

use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use chess_store::files::{BaseFiles, Lock, Staged, StagedFolder, give_up};
use tempfile::TempDir;

const TASK: &str = "SCORESHEET_TEST_TASK";
const BASE: &str = "SCORESHEET_TEST_BASE";

/// The code of the child process, which runs this test.
#[test]
#[ignore = "a part of other tests"]
fn child_process_runs_task() {
    let (Ok(task), Some(path)) = (env::var(TASK), env::var_os(BASE)) else { return };
    let path = PathBuf::from(path);
    let mut staged = Staged::new();
    match &*task {
        "write" => {
            for extension in ["a1", "ix"] {
                let mut file = staged.create(&path.with_extension(extension)).unwrap();
                file.write_all(b"new").unwrap();
            }
            wait_to_be_killed();
        }
        "lock" => {
            let _lock = Lock::take(&path, "ix", Duration::ZERO).unwrap();
            wait_to_be_killed();
        }
        "give up" => {
            for extension in ["a1", "ix"] {
                staged.create(&path.with_extension(extension)).unwrap();
            }
            let mut done = Staged::new();
            done.create(&path.with_extension("done")).unwrap();
            done.commit().unwrap();
            let lock = Lock::take(&path, "ix", Duration::ZERO).unwrap();
            let part = StagedFolder::create(&path.with_extension("parts")).unwrap();
            fs::write(part.temporary().join("a"), "").unwrap();
            give_up();
            staged.commit().unwrap_err();
            part.commit().unwrap_err();
            std::mem::forget(lock);
            std::process::exit(0);
        }
        "replace" => {
            for extension in ["a1", "a2", "ix"] {
                let mut file = staged.create(&path.with_extension(extension)).unwrap();
                file.write_all(b"new").unwrap();
            }
            staged.commit().unwrap();
        }
        task => panic!("{task}"),
    }
}

fn wait_to_be_killed() {
    println!("\nready");
    thread::sleep(Duration::from_secs(60));
}

fn start(task: &str, path: &Path) -> Child {
    as_task(Command::new(env::current_exe().unwrap()), task, path).spawn().unwrap()
}

fn as_task(mut command: Command, task: &str, path: &Path) -> Command {
    command
        .args(["--exact", "processes::child_process_runs_task", "--ignored", "--nocapture"])
        .env(TASK, task)
        .env(BASE, path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

/// A child process that runs until it is killed.
fn start_and_wait(task: &str, path: &Path) -> Child {
    let mut child = start(task, path);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "ready"), "{task}");
    child
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn cleanup_removes_files_of_killed_writer_only() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("base.ix");
    let child = start_and_wait("write", &path);
    assert_eq!(names(folder.path()).len(), 2);
    drop(BaseFiles::locate_for_change(&path, "ix").unwrap());
    let mut staged = Staged::new();
    staged.create(&path).unwrap();
    staged.commit().unwrap();
    assert_eq!(names(folder.path()).len(), 3);
    kill(child);
    drop(BaseFiles::locate_for_change(&path, "ix").unwrap());
    assert_eq!(names(folder.path()), ["base.ix"]);
}

#[test]
fn lock_held_elsewhere_is_resource_busy() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("base.ix");
    fs::write(&path, "old").unwrap();
    let child = start_and_wait("lock", &path);
    let busy = |error: io::Error| {
        assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
        assert_eq!(error.to_string(), "base.ix is in use by another program");
    };
    busy(Lock::take(&path, "ix", Duration::ZERO).unwrap_err());
    busy(BaseFiles::locate_for_change(&path, "ix").unwrap_err());
    let start = Instant::now();
    busy(BaseFiles::wait_for_change(&path, "ix", Duration::from_millis(200)).unwrap_err());
    assert!(start.elapsed() >= Duration::from_millis(200));
    // The lock does not exclude readers.
    BaseFiles::locate(&path, "ix").unwrap().open("ix").unwrap();

    // The holder is killed while another process waits.
    let waiting = thread::spawn({
        let path = path.clone();
        move || Lock::take(&path, "ix", Duration::from_secs(30))
    });
    thread::sleep(Duration::from_millis(100));
    assert!(!waiting.is_finished());
    kill(child);
    drop(waiting.join().unwrap().unwrap());
    assert_eq!(names(folder.path()), ["base.ix"]);
}

#[test]
fn lock_several_processes_excludes_others() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("base.ix");
    fs::write(&path, "0").unwrap();
    // Every process increments a number: it reads the file and replaces it under the lock.
    let add = || {
        for _ in 0..25 {
            let files = BaseFiles::wait_for_change(&path, "ix", Duration::from_secs(60)).unwrap();
            let number: u32 = fs::read_to_string(&path).unwrap().parse().unwrap();
            thread::yield_now();
            let mut staged = files.stage();
            staged.create(&path).unwrap().write_all((number + 1).to_string().as_bytes()).unwrap();
            drop(files);
            staged.commit().unwrap();
        }
    };
    thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(add))));
    assert_eq!(fs::read_to_string(&path).unwrap(), "100");
    assert_eq!(names(folder.path()), ["base.ix"]);
}

#[test]
fn give_up_removes_own_files_only() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("base.ix");
    let other = start_and_wait("write", &path);
    let before = names(folder.path());
    assert!(start("give up", &path).wait().unwrap().success());
    let mut after = names(folder.path());
    after.retain(|name| name != "base.done");
    assert_eq!(after, before);
    assert!(path.with_extension("done").exists());
    kill(other);
}

/// Returns the texts of the files of a base, if it has an index.
fn read(path: &Path) -> Option<Vec<String>> {
    let files = BaseFiles::locate(path, "ix").unwrap();
    let texts = ["ix", "a1", "a2"].map(|extension| {
        let mut text = String::new();
        files.open(extension)?.read_to_string(&mut text)?;
        io::Result::Ok(text)
    });
    files.confirm().unwrap();
    match &texts[0] {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        _ => Some(texts.into_iter().map(Result::unwrap).collect()),
    }
}

#[test]
fn commit_killed_at_any_system_call_is_old_or_new() {
    let trace = |tracee: &Path| {
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-e", "trace=rename,unlink,fsync,flock,fchmod"]).arg("-o");
        command.arg(tracee.with_extension("trace"));
        command
    };
    let folder = TempDir::new().unwrap();
    if !trace(folder.path()).arg("true").status().is_ok_and(|status| status.success()) {
        println!("no strace here");
        return;
    }
    let mut runs = 0;
    for old in [None, Some("old")] {
        for call in ["rename", "unlink", "fsync", "flock", "fchmod"] {
            for fault in ["signal=SIGKILL", "error=EIO"] {
                for when in 1.. {
                    let folder = TempDir::new().unwrap();
                    let path = folder.path().join("base.ix");
                    for extension in ["a1", "a2", "ix"] {
                        old.inspect(|old| fs::write(path.with_extension(extension), old).unwrap());
                    }
                    let log = TempDir::new().unwrap().keep();
                    let mut command = trace(&log);
                    command.arg("-e").arg(format!("inject={call}:{fault}:when={when}"));
                    command.arg(env::current_exe().unwrap());
                    let done = as_task(command, "replace", &path).status().unwrap().success();
                    let trace = fs::read_to_string(log.with_extension("trace")).unwrap();
                    fs::remove_file(log.with_extension("trace")).unwrap();
                    fs::remove_dir(log).unwrap();
                    let what = format!("{old:?}, {call} {when}, {fault}:\n{trace}");

                    let (found, new) = (read(&path), Some(vec!["new".to_owned(); 3]));
                    let before = old.map(|old| vec![old.to_owned(); 3]);
                    assert!(found == new || !done && found == before, "{found:?}, {what}");
                    drop(BaseFiles::locate_for_change(&path, "ix").unwrap());
                    assert_eq!(read(&path), found, "{what}");
                    let left = if found.is_some() { 3 } else { 0 };
                    assert_eq!(names(folder.path()).len(), left, "{what}");
                    runs += 1;
                    if !trace.contains("INJECTED") && !trace.contains("killed by") {
                        break;
                    }
                }
            }
        }
    }
    println!("{runs} runs");
}
