//! Writes the public API of each published crate to docs/api/CRATE.txt, one item a line. With
//! `--check` compares the files with the code instead.
//!
//! rustdoc prints the API as JSON only if it may use unstable options. `RUSTC_BOOTSTRAP` allows that,
//! and is set for rustdoc alone: build scripts of dependencies read it too, and everything would be
//! built again. Cargo therefore calls this program as rustdoc (see [`rustdoc`]).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use serde::Deserialize;

type Failure = Box<dyn std::error::Error>;

/// The variable by which this program knows that Cargo calls it as rustdoc. It names the real one.
const AS_RUSTDOC: &str = "SCORESHEET_API_RUSTDOC";

/// The crates that are documented with their default features: with all features they would build
/// Arrow and Parquet, which takes minutes.
const DEFAULT_FEATURES: [&str; 3] = ["scoresheet", "scoresheet-cli", "scoresheet-tables"];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    target_directory: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    publish: Option<Vec<String>>,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

impl Package {
    /// Returns the name of the library, if the package is published and has one.
    fn lib_name(&self) -> Option<&str> {
        let is_published = self.publish.as_ref().is_none_or(|to| !to.is_empty());
        let library =
            self.targets.iter().find(|target| target.kind.iter().any(|kind| kind == "lib"));
        library.filter(|_| is_published).map(|target| target.name.as_str())
    }
}

fn main() -> ExitCode {
    if let Some(real) = env::var_os(AS_RUSTDOC) {
        return rustdoc(real.as_ref());
    }
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => run(false),
        ["--check"] => run(true),
        _ => Err("usage: cargo xtask api [--check]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("api: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the real rustdoc, which may use unstable options.
fn rustdoc(real: &Path) -> ExitCode {
    let status =
        Command::new(real).args(env::args_os().skip(1)).env("RUSTC_BOOTSTRAP", "1").status();
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("api: {}: {error}", real.display());
            ExitCode::FAILURE
        }
    }
}

fn run(check: bool) -> Result<(), Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let folder = root.join("docs/api");
    let metadata = metadata(&root)?;
    let mut files = BTreeSet::new();
    let mut changed = Vec::new();
    // A folder of its own: the JSON does not get into the way of the documentation.
    let target = metadata.target_directory.join("api");
    let published = || {
        let packages = metadata.packages.iter();
        packages.filter_map(|package| Some((package.name.as_str(), package.lib_name()?)))
    };
    let names = published().map(|(package, _)| package);
    let all: Vec<_> = names.filter(|name| !DEFAULT_FEATURES.contains(name)).collect();
    // Together, so that dependencies are checked once.
    document(&root, &target, &all, true)?;
    // Each by itself: the program enables features of the library that are no default.
    for package in DEFAULT_FEATURES {
        document(&root, &target, &[package], false)?;
    }
    for (_, library) in published() {
        let text = api(&target, library)?;
        let file = folder.join(format!("{library}.txt"));
        let old = fs::read_to_string(&file).unwrap_or_default();
        if old != text {
            changed.push(differences(library, &old, &text));
            if !check {
                fs::create_dir_all(&folder)?;
                fs::write(&file, text)?;
            }
        }
        files.insert(file);
    }
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if !files.contains(&path) && path.extension().is_some_and(|extension| extension == "txt") {
            changed.push(format!("{}: there is no such crate", path.display()));
            if !check {
                fs::remove_file(path)?;
            }
        }
    }
    println!("{} crates", files.len());
    if changed.is_empty() {
        return Ok(());
    }
    let changed = changed.join("\n");
    if check {
        return Err(format!(
            "the public API differs from docs/api; run cargo xtask api and review the \
             difference\n{changed}"
        )
        .into());
    }
    println!("{changed}");
    Ok(())
}

fn metadata(root: &Path) -> Result<Metadata, Failure> {
    let mut command = Command::new("cargo");
    command.args(["metadata", "--format-version", "1", "--locked", "--no-deps"]);
    let output = command.current_dir(root).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Writes the documentation of packages as JSON into the folder `target`.
fn document(
    root: &Path,
    target: &Path,
    packages: &[&str],
    all_features: bool,
) -> Result<(), Failure> {
    let real = env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into());
    let mut command = Command::new("cargo");
    command.args(["doc", "--quiet", "--locked", "--lib", "--no-deps"]);
    command.args(packages.iter().flat_map(|package| ["--package", package]));
    if all_features {
        command.arg("--all-features");
    }
    command.arg("--target-dir").arg(target);
    command.env("RUSTDOCFLAGS", "-Zunstable-options --output-format=json --cap-lints=allow");
    command.env("RUSTDOC", env::current_exe()?).env(AS_RUSTDOC, real);
    eprintln!("--- {}", packages.join(" "));
    match command.current_dir(root).status()?.success() {
        true => Ok(()),
        false => Err(format!("rustdoc failed for {}", packages.join(" ")).into()),
    }
}

/// Returns the items of a crate's public API, sorted, one a line.
fn api(target: &Path, library: &str) -> Result<String, Failure> {
    let json = target.join("doc").join(format!("{library}.json"));
    let api = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()?;
    let mut text = String::new();
    for item in api.items() {
        text.push_str(&item.to_string());
        text.push('\n');
    }
    Ok(text)
}

/// Lists the lines of `old` that are not in `new`, and the reverse.
fn differences(library: &str, old: &str, new: &str) -> String {
    let (before, after): (BTreeSet<_>, BTreeSet<_>) =
        (old.lines().collect(), new.lines().collect());
    let gone = before.difference(&after).map(|line| format!("\n- {line}"));
    let came = after.difference(&before).map(|line| format!("\n+ {line}"));
    format!("{library}:{}", gone.chain(came).collect::<String>())
}
