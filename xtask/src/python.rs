//! Builds the Python package, installs it into a new environment and tests it there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::workspace_root;

use crate::Failure;
use crate::ci::run_command;
use crate::tools::missing;

/// Packages that the tests need. PySpark is installed separately, because it needs Java.
const NEEDED: [&str; 12] = [
    "pytest>=8",
    "chess>=1.10",
    "deltalake>=1",
    "duckdb>=1.1",
    "fsspec>=2024.2",
    "ipykernel>=6",
    "mypy>=1.14",
    "nbclient>=0.8",
    "pandas>=2.2",
    "polars>=1",
    "pyarrow>=15",
    "pyiceberg[pyarrow,sql-sqlite]>=0.9",
];

/// Builds and tests the package. Needs Python 3 with `venv`, and pip for maturin and the test packages.
pub(crate) fn run() -> Result<(), Failure> {
    if !answers("python3", &["-c", "import ensurepip, venv"]) {
        return missing("python3", "bindings/python", "there is no python3 with the module venv");
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| workspace_root().join("target"));
    let folder = target.join("python");
    let (tools, fresh, wheels) =
        (folder.join("tools"), folder.join("fresh"), folder.join("wheels"));
    if !tools.is_dir() {
        run_command(Command::new("python3").args(["-m", "venv"]).arg(&tools))?;
    }
    if run_command(pip(&tools).arg("maturin>=1.7,<2")).is_err() {
        return missing("maturin", "bindings/python", "pip cannot install maturin");
    }
    for old in [&fresh, &wheels] {
        if old.is_dir() {
            fs::remove_dir_all(old)?;
        }
    }
    let manifest = workspace_root().join("bindings/python/Cargo.toml");
    let mut build = Command::new(tools.join("bin/maturin"));
    // As in `cargo xtask parquet`, so that many crates are built already.
    build.args(["build", "--profile", "dev", "--manifest-path"]).arg(&manifest);
    run_command(build.arg("--out").arg(&wheels).env("CARGO_TARGET_DIR", target))?;
    let wheel = fs::read_dir(&wheels)?.next().ok_or("maturin made no wheel")??.path();
    run_command(Command::new("python3").args(["-m", "venv"]).arg(&fresh))?;
    run_command(pip(&fresh).arg(&wheel))?;
    check_alone(&fresh, &folder.join("alone"))?;
    run_command(pip(&fresh).args(NEEDED))?;
    let spark =
        answers("java", &["-version"]) && run_command(pip(&fresh).arg("pyspark>=4")).is_ok();
    if !spark {
        missing("java", "data source for Spark", "java or pyspark is not installed")?;
    }
    let mut tests = Command::new(fresh.join("bin/python"));
    tests.args(["-m", "pytest", "-q"]).arg(workspace_root().join("bindings/python/tests"));
    if !spark {
        tests.args(["--ignore-glob", "*test_spark.py"]);
    }
    run_command(&mut tests)
}

/// Runs the program and the package of an environment that has nothing but the wheel.
fn check_alone(environment: &Path, outputs: &Path) -> Result<(), Failure> {
    if outputs.is_dir() {
        fs::remove_dir_all(outputs)?;
    }
    fs::create_dir_all(outputs)?;
    let input = workspace_root().join("fixtures/scid/plain/base.si4");
    for name in ["games.pgn", "games.parquet"] {
        let mut program = Command::new(environment.join("bin/scoresheet"));
        run_command(program.arg("convert").arg(&input).arg(outputs.join(name)))?;
    }
    let code = "import sys, scoresheet; games = [list(scoresheet.open(path)) for path in sys.argv[1:]]; \
                assert games[0] and len(games[0]) == len(games[1]) == len(games[2])";
    let mut python = Command::new(environment.join("bin/python"));
    python.args(["-c", code]).arg(&input);
    run_command(python.arg(outputs.join("games.pgn")).arg(outputs.join("games.parquet")))
}

fn pip(environment: &Path) -> Command {
    let mut command = Command::new(environment.join("bin/python"));
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    command
}

fn answers(program: &str, arguments: &[&str]) -> bool {
    let output = Command::new(program).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}
