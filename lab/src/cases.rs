//! Runs the program on inputs that were once answered wrongly, and compares its output.
//!
//! The expected answers are the entries of `lab/cases/*.toml`. Inputs that cannot be part of the
//! repository are in a folder outside of it; tests that everyone runs have their own inputs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde::Deserialize;
use testkit::workspace_root;

use crate::Failure;
use crate::command::run_command;

/// One file of entries.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    case: Vec<Case>,
}

/// One run of the program, or several in a row. The last run is judged.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// `subject_condition_result`, unique among all entries.
    name: String,
    /// Arguments of the only run.
    #[serde(default)]
    args: Vec<String>,
    /// Arguments of several runs. A run can use the files that earlier runs wrote.
    #[serde(default)]
    steps: Vec<Vec<String>>,
    /// The exit code of the last run.
    #[serde(default)]
    code: i32,
    /// The whole standard output of the last run.
    stdout: Option<String>,
    #[serde(default)]
    stdout_has: Vec<String>,
    #[serde(default)]
    stdout_lacks: Vec<String>,
    #[serde(default)]
    stderr_has: Vec<String>,
    #[serde(default)]
    stderr_lacks: Vec<String>,
    /// How many times the entry is run. Every run must pass.
    #[serde(default = "once")]
    repeat: u32,
}

fn once() -> u32 {
    1
}

/// Runs every entry in a copy of `folder`, and reports all failures.
pub(crate) fn run(folder: &Path) -> Result<(), Failure> {
    let cases = entries()?;
    let folder = fs::canonicalize(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    run_command(Command::new(env!("CARGO")).args(["build", "--bin", "scoresheet"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from);
    let program = workspace_root().join(target).join("debug").join("scoresheet");
    let mut failures = Vec::new();
    for case in &cases {
        for _ in 0..case.repeat.max(1) {
            let place = tempfile::tempdir()?;
            copy_named(case, &folder, place.path())?;
            if let Err(failure) = judge(case, &program, place.path()) {
                failures.push(format!("{}: {failure}", case.name));
                break;
            }
        }
    }
    println!("{} passed, {} failed", cases.len() - failures.len(), failures.len());
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

/// Returns the entries of all files. Their names must be unique.
fn entries() -> Result<Vec<Case>, Failure> {
    let mut files: Vec<PathBuf> = fs::read_dir(workspace_root().join("lab/cases"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file)?;
        let entries: Entries =
            toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        cases.extend(entries.case);
    }
    let mut names = BTreeSet::new();
    match cases.iter().find(|case| !names.insert(case.name.as_str())) {
        Some(case) => Err(format!("two entries have the name {}", case.name).into()),
        None if cases.is_empty() => Err("lab/cases has no entry".into()),
        None => Ok(cases),
    }
}

/// Copies what the arguments of a case name: files with their companions, which have the same
/// stem, and folders.
fn copy_named(case: &Case, from: &Path, to: &Path) -> Result<(), Failure> {
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let words = case.args.iter().chain(case.steps.iter().flatten());
    let firsts: Vec<String> = words.filter_map(|word| word.split('/').next()).map(stem).collect();
    let copies_all = firsts.iter().any(|first| first.contains('*') || first.is_empty());
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let name = path.file_name().ok_or("a file without a name")?.to_string_lossy().into_owned();
        if !copies_all && !firsts.contains(&stem(&name)) {
            continue;
        }
        let target = to.join(&name);
        if path.is_dir() {
            fs::create_dir(&target)?;
            copy(&path, &target)?;
        } else {
            fs::write(&target, fs::read(&path)?)?;
        }
    }
    Ok(())
}

/// Copies the files of a folder and of the folders in it. Each is new, and may be written to.
fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let name = to.join(path.file_name().ok_or("a file without a name")?);
        if path.is_dir() {
            fs::create_dir(&name)?;
            copy(&path, &name)?;
        } else {
            fs::write(&name, fs::read(&path)?)?;
        }
    }
    Ok(())
}

/// Runs one entry and compares the output.
fn judge(case: &Case, program: &Path, folder: &Path) -> Result<(), Failure> {
    let only = [case.args.clone()];
    let steps: &[Vec<String>] = if case.steps.is_empty() { &only } else { &case.steps };
    let mut last: Option<Output> = None;
    for step in steps {
        let mut command = Command::new(program);
        command.args(step).current_dir(folder).env_remove("NO_COLOR").env("LC_ALL", "C.UTF-8");
        last = Some(command.stdin(std::process::Stdio::null()).output()?);
    }
    let output = last.ok_or("has neither args nor steps")?;
    let (stdout, stderr) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let mut wrong = Vec::new();
    if output.status.code() != Some(case.code) {
        wrong.push(format!("{} instead of exit code {}", output.status, case.code));
    }
    if case.stdout.as_ref().is_some_and(|wanted| *wanted != stdout) {
        wrong.push("another standard output".to_owned());
    }
    let texts = [
        ("output", &stdout, &case.stdout_has, &case.stdout_lacks),
        ("error", &stderr, &case.stderr_has, &case.stderr_lacks),
    ];
    for (name, text, has, lacks) in texts {
        let missing = has.iter().filter(|part| !text.contains(part.as_str()));
        wrong.extend(missing.map(|part| format!("no {part:?} in standard {name}")));
        let unwanted = lacks.iter().filter(|part| text.contains(part.as_str()));
        wrong.extend(unwanted.map(|part| format!("{part:?} in standard {name}")));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{}\n  standard output: {stdout}\n  standard error: {stderr}", wrong.join("; "))
        .into())
}
