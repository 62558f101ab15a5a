//! Everything a change must pass.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::LazyLock;
use std::time::Instant;

use testkit::workspace_root;

use crate::tools::missing;
use crate::{
    Failure, api, coverage, examples, fixtures, licences, minimal, npm, openings, packages, ports,
    tables, targets, tidy, web, workflows,
};

/// Lints that apply to libraries, but not to tests and tools.
pub(crate) const RELAXED: [&str; 11] = [
    "clippy::arithmetic_side_effects",
    "clippy::indexing_slicing",
    "clippy::unwrap_used",
    "clippy::expect_used",
    "clippy::panic",
    "clippy::cast_possible_truncation",
    "clippy::print_stdout",
    "clippy::print_stderr",
    "clippy::disallowed_methods",
    "clippy::string_slice",
    "missing_docs",
];

/// A check, by the name under which it runs alone.
type Step = (&'static str, fn() -> Result<(), Failure>);

const STEPS: [Step; 20] = [
    // This includes the sessions of the documents.
    ("test", || cargo(&["test"])),
    ("format", || cargo(&["fmt", "--all", "--check"])),
    ("examples", || examples::run(None)),
    ("clippy", clippy),
    ("features", features),
    ("targets", targets::run),
    ("oldest-compiler", oldest_compiler),
    ("minimal", minimal::run),
    ("api", || api::run(&["--check"])),
    ("documentation", documentation),
    ("fixtures", || fixtures::run(&["--check"])),
    ("licences", licences::run),
    ("generate", || generate(true)),
    ("packages", || packages::run(false)),
    ("tidy", tidy::run),
    ("coverage", coverage::run),
    ("ports", ports::run),
    ("web", || web::check(&[])),
    ("npm", npm::check),
    ("workflows", workflows::run),
];

/// Runs all checks, or the one called `only`. Stops at the first that fails.
pub(crate) fn run(only: Option<&str>) -> Result<(), Failure> {
    let chosen = STEPS.iter().filter(|(name, _)| only.is_none_or(|only| only == *name));
    if chosen.clone().count() == 0 {
        let names: Vec<&str> = STEPS.iter().map(|(name, _)| *name).collect();
        return Err(format!("the checks are {}", names.join(", ")).into());
    }
    for (name, run) in chosen {
        step(name);
        run()?;
    }
    Ok(())
}

/// Writes what is generated from data: tables of the documents, and names of openings. With `check`, compares it.
pub(crate) fn generate(check: bool) -> Result<(), Failure> {
    tables::run(check)?;
    openings::run(check)
}

/// Libraries and the program must not contain code that can panic; tests and tools may.
fn clippy() -> Result<(), Failure> {
    cargo(&["clippy", "--workspace", "--lib", "--bins", "--", "-D", "warnings"])?;
    let relaxed = RELAXED.iter().flat_map(|lint| ["-A", lint]);
    let all = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    cargo(&all.into_iter().chain(relaxed).collect::<Vec<_>>())
}

/// Checks supported sets of features, each without warnings.
fn features() -> Result<(), Failure> {
    // Clippy applies `-D warnings` to workspace crates only, so that dependencies are not rebuilt as they
    // would be with RUSTFLAGS.
    let families: BTreeSet<_> =
        scoresheet::families().iter().map(|family| family.package).collect();
    for features in ["", "compressed", "scid,compressed"].into_iter().chain(families) {
        let set = ["clippy", "--package", "scoresheet", "--no-default-features", "--features"];
        let deny = [features, "--", "-D", "warnings"];
        cargo(&set.into_iter().chain(deny).collect::<Vec<_>>())?;
    }
    // Features that no default build has. `--workspace` selects the features of dependencies as the
    // first step does, so only crates that have these features are built again.
    let features = "scoresheet-cli/manual,scoresheet-cli/rar,scoresheet-cli/xz";
    let few = ["test", "--workspace", "--features", features];
    let their_tests = ["--test", "program", "--", "manual", "archives_in_rar", "input_compressed"];
    cargo(&[&few[..], &their_tests].concat())?;
    cargo(&["test", "--package", "scoresheet-serve", "--features", "http", "--test", "http"])?;
    cargo(&[
        "clippy",
        "--package",
        "scoresheet-cli",
        "--features",
        "serve",
        "--",
        "-D",
        "warnings",
    ])?;
    for name in ["chess-core", "chess-store", "movecode"] {
        cargo(&["check", "--package", name, "--no-default-features"])?;
    }
    Ok(())
}

/// Checks the libraries and the program with the oldest supported compiler.
fn oldest_compiler() -> Result<(), Failure> {
    let version = env!("CARGO_PKG_RUST_VERSION");
    let toolchain = format!("+{version}");
    let there = Command::new("cargo").args([&toolchain, "--version"]).output();
    if !there.is_ok_and(|output| output.status.success()) {
        let why = format!("the toolchain {version} is not installed");
        return missing(&format!("rust-{version}"), "oldest compiler", &why);
    }
    let mut command = Command::new("cargo");
    command.args([&toolchain, "check", "--workspace", "--lib", "--bins"]);
    run_command(&mut command)
}

fn documentation() -> Result<(), Failure> {
    // Without `tables`, which would build Arrow: `cargo xtask parquet` documents it.
    let with_tables = ["scoresheet-tables", "scoresheet", "scoresheet-cli"];
    let mut all = vec!["doc", "--workspace", "--no-deps", "--all-features"];
    all.extend(with_tables.iter().flat_map(|name| ["--exclude", name]));
    document(&all)?;
    let mut rest = vec!["doc", "--no-deps", "--features", "scoresheet/rar"];
    rest.extend(with_tables.iter().flat_map(|name| ["--package", name]));
    document(&rest)
}

pub(crate) fn document(arguments: &[&str]) -> Result<(), Failure> {
    let mut command = Command::new(env!("CARGO"));
    run_command(command.args(arguments).env("RUSTDOCFLAGS", "-D warnings"))
}

fn cargo(arguments: &[&str]) -> Result<(), Failure> {
    run_command(Command::new(env!("CARGO")).args(arguments))
}

/// A function, because Clippy refuses assertions about constants.
fn is_test() -> bool {
    cfg!(test)
}

/// Prints a command and runs it in the root of the workspace.
pub(crate) fn run_command(command: &mut Command) -> Result<(), Failure> {
    let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
    let program = std::path::Path::new(command.get_program()).file_stem().unwrap_or_default();
    let line = format!("{} {}", program.to_string_lossy(), words.join(" "));
    assert!(!is_test(), "a test would run {line}");
    step(&line);
    let status = command.current_dir(workspace_root()).status();
    match status.map_err(|error| format!("{line}: {error}"))? {
        status if status.success() => Ok(()),
        status => Err(format!("{line}: {status}").into()),
    }
}

/// Prints a step, and the minutes and seconds since the first one.
fn step(what: &str) {
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    let seconds = FIRST.elapsed().as_secs();
    eprintln!("--- {}:{:02} {what}", seconds / 60, seconds % 60);
}
