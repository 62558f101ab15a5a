//! Everything a change must pass.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::LazyLock;
use std::time::Instant;

use testkit::workspace_root;

use crate::tools::missing;
use crate::{
    Failure, api, bundle, coverage, examples, fixtures, kaitai, licences, minimal, npm, openings,
    packages, ports, tables, targets, tidy, web, workflows,
};

/// Lints that apply to libraries, but not to tests and tools.
pub(crate) const RELAXED: [&str; 10] = [
    "clippy::arithmetic_side_effects",
    "clippy::indexing_slicing",
    "clippy::unwrap_used",
    "clippy::expect_used",
    "clippy::panic",
    "clippy::cast_possible_truncation",
    "clippy::print_stdout",
    "clippy::print_stderr",
    "clippy::string_slice",
    "missing_docs",
];

/// Runs all checks, stopping at the first that fails.
pub(crate) fn run() -> Result<(), Failure> {
    // This includes the session of the README.
    cargo(&["test"])?;
    cargo(&["fmt", "--all", "--check"])?;
    step("examples");
    examples::run(None)?;
    // Libraries and the program must not contain code that can panic.
    cargo(&["clippy", "--workspace", "--lib", "--bins", "--", "-D", "warnings"])?;
    let relaxed = RELAXED.iter().flat_map(|lint| ["-A", lint]);
    let all = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    cargo(&all.into_iter().chain(relaxed).collect::<Vec<_>>())?;
    // Supported feature sets, each without warnings. Clippy applies `-D warnings` to workspace crates
    // only, so that dependencies are not rebuilt as they would be with RUSTFLAGS.
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
    for name in ["chess-core", "chess-store", "movecode"] {
        cargo(&["check", "--package", name, "--no-default-features"])?;
    }
    step("targets");
    targets::run()?;
    oldest_compiler()?;
    minimal::run()?;
    api::run(&["--check"])?;
    documentation()?;
    step("fixtures --check");
    fixtures::run(&["--check"])?;
    step("licences");
    licences::run()?;
    step("tables --check");
    tables::run(true)?;
    step("openings --check");
    openings::run(true)?;
    step("packages");
    packages::run(false)?;
    step("tidy");
    tidy::run()?;
    step("coverage");
    coverage::run()?;
    step("ksy");
    kaitai::run()?;
    ports::run()?;
    step("bundle --check");
    bundle::run(true)?;
    step("web");
    web::check(&[])?;
    step("npm");
    npm::check()?;
    step("workflows");
    workflows::run()
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
