//! Runs the fuzz targets under libFuzzer.
//!
//! Cargo builds the library with coverage hooks on the stable compiler. No sanitizer is used,
//! because there is no unsafe code. cargo-fuzz works too, but is not needed.

use std::process::Command;
use std::{env, fs};

use testkit::workspace_root;

use crate::Failure;
use crate::ci::run_command;

/// The flags that cargo-fuzz passes, without the sanitizer.
pub(crate) const HOOKS: &str = "--cfg fuzzing -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares \
    -Cdebug-assertions=on -Coverflow-checks=on -Ccodegen-units=1";

const USAGE: &str = "fuzz [--seconds N] [TARGET]";

/// Runs all targets, or the named one, for a number of seconds each.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let (seconds, rest) = match words {
        ["--seconds", seconds, rest @ ..] => (seconds.parse().map_err(|_| USAGE)?, rest),
        rest => (60u32, rest),
    };
    let root = workspace_root().join("fuzz");
    let mut targets = Vec::new();
    for entry in fs::read_dir(root.join("fuzz_targets"))? {
        let path = entry?.path();
        targets.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    targets.sort();
    if let [name] = rest {
        targets.retain(|target| target == name);
    }
    if targets.is_empty() || rest.len() > 1 {
        return Err(format!("no fuzz target is called {}", rest.join(" ")).into());
    }
    for target in &targets {
        run_target(target, seconds)?;
    }
    Ok(())
}

fn run_target(target: &str, seconds: u32) -> Result<(), Failure> {
    let root = workspace_root().join("fuzz");
    let corpus = root.join("corpus").join(target);
    let artifacts = root.join("artifacts").join(target);
    fs::create_dir_all(&corpus)?;
    fs::create_dir_all(&artifacts)?;
    // An explicit target keeps the hooks out of build scripts and macros.
    let host = host()?;
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["run", "--release", "--package", "scoresheet-fuzz"])
        .args(["--target-dir", "fuzz/target", "--target", &host, "--bin", target])
        // Parquet and Arrow take minutes to build, which the other targets do without.
        .args(target.starts_with("table_").then_some("--features=tables"))
        .arg("--")
        .arg(&corpus)
        .arg(root.join("seeds").join(target))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(format!("-max_total_time={seconds}"))
        .args(["-timeout=10", "-rss_limit_mb=1024", "-print_final_stats=1"]);
    run_command(command.env("RUSTFLAGS", HOOKS))
}

/// Returns the target triple of the compiler.
pub(crate) fn host() -> Result<String, Failure> {
    let compiler = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let output = Command::new(compiler).arg("-vV").output()?;
    let text = String::from_utf8(output.stdout)?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.ok_or("rustc -vV names no host")?.to_owned())
}
