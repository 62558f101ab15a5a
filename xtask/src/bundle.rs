//! The conformance bundle: everything that a port needs, in one archive. ports/conformance/make.py
//! makes it, so that a porter needs no Rust; its README has the fields of the manifest.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

use testkit::workspace_root;

use crate::Failure;
use crate::tools::missing;

/// The folder of the bundle's own files.
const OWN: &str = "ports/conformance";

/// Writes the bundle into `conformance/`, and packs it. With `check` also runs its four runners in
/// an empty folder: alone, and with the ports and the program.
pub(crate) fn run(check: bool) -> Result<(), Failure> {
    let root = workspace_root();
    let mut make = Command::new("python3");
    make.current_dir(&root).args(["-B", "ports/conformance/make.py"]);
    run_command(make.args(check.then_some("--check")))?;
    if !check {
        return Ok(());
    }
    let version = fs::read_to_string(root.join(OWN).join("VERSION"))?;
    let name = format!("scoresheet-vectors-{}", version.trim());
    run_there(&root.join("conformance").join(format!("{name}.tar.gz")), &name)
}

/// Each runner, and the tool that it needs: its name for `SCORESHEET_OPTIONAL`, and how to start it.
const RUNNERS: [(&str, &[&str]); 4] = [
    ("python3", &["python3", "-B", "run.py"]),
    ("node", &["node", "run.mjs"]),
    ("go", &["go", "run", "run.go"]),
    ("cc", &["sh", "-c", "cc -O2 -o run run.c && ./run \"$@\"", "run"]),
];

/// The ports to check, a row for each: the tool of their runner, a format, how to start them, how to
/// build them first.
const PORTS: &str = "ports.tsv";

/// Builds `scoresheet`, and returns its path.
pub(crate) fn build_program() -> Result<String, Failure> {
    let root = workspace_root();
    let mut build = Command::new(env!("CARGO"));
    run_command(build.current_dir(&root).args(["build", "--quiet", "--bin", "scoresheet"]))?;
    Ok(root.join("target/debug/scoresheet").to_string_lossy().into_owned())
}

/// Unpacks the bundle in an empty folder and runs each runner there.
fn run_there(archive: &Path, name: &str) -> Result<(), Failure> {
    let root = workspace_root();
    let program = build_program()?;
    let empty = tempfile::tempdir()?;
    run_command(Command::new("tar").current_dir(empty.path()).arg("-xzf").arg(archive))?;
    let folder = empty.path().join(name);
    let ports = fs::read_to_string(root.join(OWN).join(PORTS))?;
    // A runner starts one process after another, so all runners work at a time.
    let (folder, program, ports) = (&folder, &program, &ports);
    all_of(RUNNERS.map(|runner| move || run_one(runner, folder, program, ports)))
}

/// Runs all tasks side by side. Returns the first failure.
fn all_of<T: FnOnce() -> Result<(), Failure> + Send>(
    tasks: impl IntoIterator<Item = T>,
) -> Result<(), Failure> {
    let results: Vec<Result<(), String>> = thread::scope(|scope| {
        let start = |task: T| scope.spawn(|| task().map_err(|failure| failure.to_string()));
        let threads: Vec<_> = tasks.into_iter().map(start).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Result<(), String>>| {
            thread.join().unwrap_or_else(|_| Err("a panic".to_owned()))
        };
        threads.into_iter().map(join).collect()
    });
    results.into_iter().try_for_each(|result| Ok(result?))
}

/// Runs one of [`RUNNERS`] in the folder of the bundle.
fn run_one(
    (tool, words): (&str, &[&str]),
    folder: &Path,
    program: &str,
    ports: &str,
) -> Result<(), Failure> {
    let version = if tool == "go" { "version" } else { "--version" };
    let there = Command::new(tool).arg(version).output();
    if !there.is_ok_and(|output| output.status.success()) {
        return missing(tool, &format!("{OWN}: the runner for {tool}"), "it is not installed");
    }
    let runner = |more: &[&str]| {
        let mut command = Command::new(words.first().copied().unwrap_or_default());
        command.current_dir(folder).args(words.get(1..).unwrap_or_default()).args(more);
        command
    };
    // The bundle is intact, and the program that made it conforms to it.
    run_command(&mut runner(&[]))?;
    run_command(&mut runner(&["all", program, "show", "--quiet", "--lines"]))?;
    // The ports in the bundle, by the runner of their language.
    let rows = ports.lines().filter(|row| !row.starts_with('#')).filter_map(|row| {
        let mut cells = row.split('\t');
        let [language, family, port, build] = [(); 4].map(|()| cells.next().unwrap_or_default());
        let words = [family].into_iter().chain(port.split(' '));
        (language == tool).then(|| (build, runner(&words.collect::<Vec<_>>())))
    });
    let start = |(build, mut command): (&str, Command)| {
        let mut words = build.split_whitespace();
        let first = words.next().map(|program| {
            let mut first = Command::new(program);
            first.current_dir(folder).args(words);
            first
        });
        move || {
            first.map_or(Ok(()), |mut first| run_command(&mut first))?;
            run_command(&mut command)
        }
    };
    all_of(rows.map(start))?;
    // A port without a right line does not pass.
    if runner(&["dcg", "echo"]).output()?.status.success() {
        return Err(format!("{OWN}: the runner for {tool} passes `echo` as a port").into());
    }
    Ok(())
}

fn run_command(command: &mut Command) -> Result<(), Failure> {
    eprintln!("--- {command:?}");
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}
