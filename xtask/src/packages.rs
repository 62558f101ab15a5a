//! Checks the published packages: each contains the files it needs, and builds from them.

use std::collections::BTreeSet;
use std::process::Command;

use serde::Deserialize;
use testkit::workspace_root;

use crate::Failure;
use crate::ci::run_command;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    publish: Option<Vec<String>>,
    keywords: Vec<String>,
    description: Option<String>,
}

/// Files that every package must contain besides its sources.
const FILES: [&str; 4] = ["Cargo.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Checks the content of each package. With `build`, also makes and builds all packages.
pub(crate) fn run(build: bool) -> Result<(), Failure> {
    let packages = published()?;
    let mut found = Vec::new();
    let mut keywords = BTreeSet::new();
    for package in &packages {
        let name = &package.name;
        let files = list(name)?;
        for wanted in FILES.iter().filter(|wanted| !files.contains(**wanted)) {
            found.push(format!("{name}: the package has no {wanted}"));
        }
        let tests = files.iter().filter(|file| file.starts_with("tests/")).count();
        if tests > 0 {
            found.push(format!("{name}: the package ships tests, which need what is not shipped"));
        }
        found.extend(wrong_size(name)?);
        if package.description.is_none() {
            found.push(format!("{name}: no description"));
        }
        if package.keywords.is_empty() || !keywords.insert(package.keywords.clone()) {
            found.push(format!("{name}: no keywords of its own"));
        }
    }
    if !found.is_empty() {
        return Err(found.join("\n").into());
    }
    println!("{} packages", packages.len());
    if !build {
        return Ok(());
    }
    // Cargo takes packages for unchangeable, so that it would check with what earlier ones compiled to.
    let folder = tempfile::tempdir()?;
    let mut command = Command::new(env!("CARGO"));
    command.args(["package", "--allow-dirty"]).env("CARGO_TARGET_DIR", folder.path());
    // Nobody debugs what is built here, so that it is built sooner.
    command.env("CARGO_PROFILE_DEV_DEBUG", "0");
    for package in &packages {
        command.args(["--package", &package.name]);
    }
    run_command(&mut command)
}

/// The words of a README before the number of crates that a package needs, itself included.
const SIZE: &str = "With all that it depends on, this crate is ";

/// Returns what is wrong with the number of crates in the README of a package, if it has one.
fn wrong_size(name: &str) -> Result<Option<String>, Failure> {
    let file = format!("crates/{name}/README.md");
    let text = std::fs::read_to_string(workspace_root().join(&file)).unwrap_or_default();
    let Some(line) = text.lines().find(|line| line.starts_with(SIZE)) else { return Ok(None) };
    let (all, least) = (size_of_tree(name, &[])?, size_of_tree(name, &["--no-default-features"])?);
    let less = match all == least {
        true => String::new(),
        false => format!(", and {least} with `default-features = false`"),
    };
    let expected = format!("{SIZE}{all} crates{less}.");
    Ok((line != expected).then(|| format!("{file} should say: {expected}")))
}

/// Returns the number of crates that a package needs on this machine, itself included.
fn size_of_tree(name: &str, options: &[&str]) -> Result<usize, Failure> {
    let mut command = Command::new(env!("CARGO"));
    command.args([
        "tree",
        "--locked",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--package",
        name,
    ]);
    let output = command.args(options).current_dir(workspace_root()).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let text = String::from_utf8(output.stdout)?;
    let crates: BTreeSet<&str> = text.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    Ok(crates.iter().filter(|line| !line.is_empty()).count())
}

fn published() -> Result<Vec<Package>, Failure> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--locked", "--no-deps"]);
    let output = command.current_dir(workspace_root()).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout)?;
    let is_published = |package: &Package| package.publish.as_ref().is_none_or(|to| !to.is_empty());
    Ok(metadata.packages.into_iter().filter(is_published).collect())
}

fn list(name: &str) -> Result<BTreeSet<String>, Failure> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["package", "--list", "--allow-dirty", "--package", name]);
    let output = command.current_dir(workspace_root()).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}
